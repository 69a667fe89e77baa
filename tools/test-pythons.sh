#!/bin/sh
# Runs the core and its vectors on CPython 3.12, 3.13 and 3.14 as npm's Pyodide builds carry them, and one request to
# the web application on the last: whatever cannot run without threads, processes or a server fails here.
set -eu
cd "$(dirname "$0")/.."
place=tools/pyodide

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    if [ "${CI:-}" = true ]; then
        echo "test-pythons needs Node.js (18 or newer) with npm, and CI has to have it." >&2
        exit 1
    fi
    echo "test-pythons: skipped, because Node.js with npm is not on this machine."
    exit 0
fi

if ! cmp -s $place/package-lock.json $place/node_modules/.installed; then
    echo "Installing the Pyodide builds that $place/package-lock.json names …"
    (cd $place && npm ci --silent)
    cp $place/package-lock.json $place/node_modules/.installed
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

vectors() { # vectors COMMAND…: run it, show what it prints and note the digest of its models
    status=0
    "$@" tests/pyodide/run_vectors.py >"$folder/output" || status=$?
    cat "$folder/output"
    sed -n 's/.*: models //p' "$folder/output" >>"$folder/digests"
    return $status
}

# The Python of the environment first: a failure that all have is quicker to read there.
vectors .venv/bin/python
for version in 3.12 3.13 3.14; do
    vectors node $place/run.mjs python-$version
done
if [ "$(sort -u "$folder/digests" | wc -l)" -ne 1 ]; then
    echo "The models are not the same on every Python (T9)." >&2
    exit 1
fi

# The pages, with nothing but pure Python around them.
.venv/bin/python $place/web_packages.py .cache/pyodide/web
node $place/run.mjs python-3.14 tests/pyodide/run_requests.py .cache/pyodide/web
