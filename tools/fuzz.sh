#!/bin/sh
# Fuzzes what takes bytes from outside: tools/fuzz.sh [TARGET …] [--seconds N]. Installs atheris the first time.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
if ! "$python" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("atheris") is None)'; then
    echo "Installing atheris …"
    if ! "$python" -m pip --disable-pip-version-check -qq install --require-hashes --no-deps --only-binary :all: \
        --requirement requirements/fuzz.lock; then
        echo "fuzz needs atheris, which has wheels for CPython on Linux only." >&2
        exit 1
    fi
fi
exec "$python" -m fuzz "$@"
