#!/bin/sh
# Builds the compiled kernel with the address and undefined-behaviour sanitizers and the allocation hook, beside the
# sources, and runs tests on it: every read and write, shift and sum is looked at, and every request for memory fails
# once. Arguments go to pytest, `tests src` for the whole suite; without any, the tests that reach the kernel most.
#
# What the sanitizers do not look at:
# - Programs that bring no kernel of ours along: Chromium, Node.js, Pythons in WebAssembly and in notebooks. Chromium is
#   started without the runtimes; the server that it talks to is looked at.
# - What is installed afresh (tests of wheels and releases): it has the kernel that was built there.
# - Tests that limit the address space, of which the address sanitizer reserves terabytes: they are skipped and say so.
# - Memory that is left at the end of a process (detect_leaks=0), as the libraries of the tests leave some. Processes of
#   tests/kernel/test_leaks.py load Pairloom alone, and have it looked at with nothing suppressed; and what the kernel
#   holds is counted by the allocation hook: tests/kernel/test_allocation.py.
set -eu
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
place=$PWD/.cache/sanitized
cc=${CC:-gcc}

runtime() { "$cc" -print-file-name="$1"; }
if ! command -v "$cc" >/dev/null || [ ! -e "$(runtime libasan.so)" ] || [ ! -e "$(runtime libubsan.so)" ]; then
    echo "test-sanitized needs a GCC with libasan and libubsan; CC names another one." >&2
    exit 1
fi

if [ ! -e "$place/built/_compiled.so" ] || [ -n "$(find src/pairloom/kernel pyproject.toml -newer "$place/built/_compiled.so" \
    \( -name '*.p*x*' -o -name '*.h' -o -name 'pyproject.toml' \))" ]; then
    echo "Building the kernel with sanitizers …"
    # Of a copy, so that the kernel in use stays what it is.
    rm -rf "$place/source"
    mkdir -p "$place/source/src" "$place/built"
    cp -p pyproject.toml setup.py README.md LICENSE NOTICE MANIFEST.in "$place/source/"
    cp -Rp src/pairloom "$place/source/src/"
    rm -f "$place"/source/src/pairloom/kernel/_compiled*.so "$place"/source/src/pairloom/kernel/_compiled.c
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1"
    (cd "$place/source" && CC="$cc" CFLAGS="$flags -DPAIRLOOM_TEST_ALLOCATION" LDFLAGS="$flags" \
        "$python" setup.py --quiet build_ext --inplace >build.log 2>&1) || { cat "$place/source/build.log" >&2; exit 1; }
    # Put into its place as a whole: a process that still runs with the old one keeps that. The extension is optional,
    # so a build that failed says nothing.
    mv "$place"/source/src/pairloom/kernel/_compiled.*.so "$place/built/_compiled.so" || { cat "$place/source/build.log" >&2; exit 1; }
fi

# The package is the one in src; only its kernel comes from here, in each Python that is started.
mkdir -p "$place/hook"
cp tools/sanitized_kernel.py "$place/hook/sitecustomize.py"
export PAIRLOOM_SANITIZED="$place/built/_compiled.so" PAIRLOOM_KERNEL=compiled
export LD_PRELOAD="$(runtime libasan.so) $(runtime libubsan.so)" PYTHONMALLOC=malloc PYTHONPATH="$place/hook"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:strict_string_checks=1:abort_on_error=1
export UBSAN_OPTIONS=print_stacktrace=1
if [ $# = 0 ]; then
    # What other implementations do alone has nothing to be looked at.
    set -- -q -n "${WORKERS:-2}" -k "not pure and not educational" tests/kernel tests/laws tests/test_vectors.py tests/test_interruptions.py tests/test_trainer.py \
        tests/test_word_counts.py tests/test_determinism.py tests/test_encoder.py tests/test_token_ids.py tests/test_fuzz_targets.py
fi
exec "$python" -m pytest -p no:cacheprovider "$@"
