#!/bin/sh
# Prints the first Python that can carry the project: 3.11 or newer, with venv. PYTHON=… decides instead.
# The Python that is active comes first: whoever set one up expects to see it used.
set -u
able='import sys; sys.version_info >= (3, 11) or sys.exit(1); import venv, ensurepip; print(getattr(sys, "_base_executable", sys.executable))'
for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if found=$("$name" -c "$able" 2>/dev/null) && [ -n "$found" ]; then
        echo "$found"
        exit 0
    fi
done
{
    if [ -n "${PYTHON:-}" ]; then
        echo "PYTHON=$PYTHON is no Python 3.11 or newer with the module venv."
    else
        echo "No Python 3.11 or newer with the module venv was found."
    fi
    echo "On Debian and Ubuntu: apt-get install python3 python3-venv. On macOS: brew install python."
    echo "Elsewhere: your system's Python package; PYTHON=/path/to/python3 names one that is not on PATH."
} >&2
exit 1
