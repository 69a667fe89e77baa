#!/bin/sh
# Writes requirements/*.lock: every package that the project is run, tested and built with, its version and the
# hashes of its files for every system and every Python from 3.11 on. The files hold no addresses: packages come
# from wherever pip is set up to look.
#
#   tools/lock.sh              keep what is locked, add what is missing
#   tools/lock.sh --upgrade    take the newest releases (other options of `uv pip compile` work too)
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-.venv/bin/uv}
python=${PYTHON:-.venv/bin/python}

# Without build isolation the build tools have to be installed, so they are locked like everything else.
build_requires=$("$python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)["build-system"]["requires"]))')

compile() { # compile OUTPUT OPTIONS…
    output=$1
    shift
    printf '%s\n' "$build_requires" | "$uv" pip compile --quiet --no-config --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
        --no-emit-package pairloom --custom-compile-command "make lock" \
        --output-file "requirements/$output" "$@" pyproject.toml - >/dev/null
    echo "requirements/$output: $(grep -c '==' "requirements/$output") packages"
}

mkdir -p requirements
compile run.lock --extra web "$@"
compile dev.lock --extra dev --constraint requirements/run.lock "$@"
compile bench.lock --extra bench --constraint requirements/dev.lock "$@"
compile full.lock --extra full --constraint requirements/dev.lock "$@"
