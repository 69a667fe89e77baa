#!/bin/sh
# Builds the compiled kernel with the address and undefined-behaviour sanitizers and the allocation hook, beside the
# sources, and runs the tests that reach it: every read and write, shift and sum is looked at, and every request for
# memory fails once. Arguments go to pytest; without any, the tests of the kernel, the laws, the vectors and the doors.
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

# A copy, so that the kernel in use stays what it is. Files keep their times: nothing is built twice.
mkdir -p "$place/src"
cp -p pyproject.toml setup.py README.md LICENSE NOTICE MANIFEST.in "$place/"
find "$place/src" -name '*.py' -delete
cp -Rpu src/pairloom "$place/src/"
rm -f "$place"/src/pairloom/kernel/_compiled*.so "$place"/src/pairloom/kernel/_compiled.c
if [ ! -e "$place/built/_compiled.so" ] || [ -n "$(find src/pairloom/kernel pyproject.toml -newer "$place/built/_compiled.so" \
    \( -name '*.p*x*' -o -name '*.h' -o -name 'pyproject.toml' \))" ]; then
    echo "Building the kernel with sanitizers …"
    rm -rf "$place/build" "$place/built"
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1"
    (cd "$place" && CC="$cc" CFLAGS="$flags -DPAIRLOOM_TEST_ALLOCATION" LDFLAGS="$flags" \
        "$python" setup.py --quiet build_ext --inplace >build.log 2>&1) || { cat "$place/build.log" >&2; exit 1; }
    mkdir "$place/built"
    # The extension is optional, so a build that failed says nothing.
    mv "$place"/src/pairloom/kernel/_compiled.*.so "$place/built/_compiled.so" || { cat "$place/build.log" >&2; exit 1; }
fi
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
# Put into its place as a whole: a process that still runs with the old one keeps that.
cp "$place/built/_compiled.so" "$place/new.so"
mv "$place/new.so" "$place/src/pairloom/kernel/_compiled$suffix"

# CPython itself leaves memory to the end of the process; what the kernel holds, the allocation hook counts.
export LD_PRELOAD="$(runtime libasan.so) $(runtime libubsan.so)" PYTHONMALLOC=malloc PYTHONPATH="$place/src"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:strict_string_checks=1:abort_on_error=1
export UBSAN_OPTIONS=print_stacktrace=1 PAIRLOOM_KERNEL=compiled PAIRLOOM_SANITIZED=1
if [ $# = 0 ]; then
    # What other implementations do alone has nothing to be looked at.
    set -- -q -n "${WORKERS:-2}" -k "not pure and not educational" tests/kernel tests/laws tests/test_vectors.py tests/test_interruptions.py tests/test_trainer.py \
        tests/test_word_counts.py tests/test_determinism.py tests/test_encoder.py tests/test_fuzz_targets.py
fi
exec "$python" -m pytest -p no:cacheprovider "$@"
