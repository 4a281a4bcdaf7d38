#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library and its C tests in one variant and runs them.
#
#   tools/test_c.sh release     as installed (gcc)
#   tools/test_c.sh clang       the same with clang, without paths on 512-bit registers
#   tools/test_c.sh sanitized   address and undefined-behaviour sanitizers, overlap checks
#   tools/test_c.sh i686        32-bit code on this processor
#   tools/test_c.sh fuzz [RUNS] fuzz targets alone, with both sanitizers and overlap checks: 2000 runs
#                               each, always the same, or RUNS new ones, which go on from the last
set -euo pipefail
cd "$(dirname "$0")/.."

variant=${1:?"say which variant: release, clang, sanitized, i686 or fuzz"}
runs=${2:-}
options=()

sanitize() { # sanitize LIST: checks at run time
    options=(-DCMAKE_BUILD_TYPE=Debug -DAESFIT_CHECK_OVERLAP=ON
        -DCMAKE_C_FLAGS_DEBUG=-g1 # lines, for reports; more takes a third of the compilation
        "-DCMAKE_C_FLAGS=-O1 -fno-omit-frame-pointer -fsanitize=$1 -fno-sanitize-recover=all")
}

check_libfuzzer() {
    [[ $runs =~ ^([1-9][0-9]{0,17})?$ ]] || {
        echo "test_c: RUNS is a number above 0, not \"$runs\"" >&2
        exit 2
    }
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null || {
        echo "== fuzz targets skipped: clang with libFuzzer is not installed (Debian: clang, libclang-rt-dev)"
        exit
    }
}

fuzz_arguments() { # fuzz_arguments [RUNS], as a list of CMake
    [ -n "$1" ] && echo "-runs=$1;-print_final_stats=1;found" || echo "-runs=2000;-seed=1"
}

case $variant in
release) options=(-DAESFIT_TEST_EVERY_BOUND=ON) ;;
clang) # without the wide paths, which clang before 19 never takes by itself; fuzz compiles them
    options=(-DCMAKE_C_COMPILER=clang -DAESFIT_TEST_READS=OFF -DAESFIT_NO_WIDE=ON) ;;
sanitized)
    sanitize address,undefined
    options+=(-DAESFIT_TEST_READS=OFF)
    ;;
i686) # Debian's gcc-12-multilib lacks the link to the shared architecture headers
    options=(-DAESFIT_TEST_READS=OFF "-DCMAKE_C_FLAGS=-m32 -isystem /usr/include/$(gcc -print-multiarch)")
    ;;
fuzz)
    check_libfuzzer
    sanitize fuzzer-no-link,address,undefined
    options+=(-DCMAKE_C_COMPILER=clang -DAESFIT_BUILD_TESTS=OFF -DAESFIT_BUILD_FUZZ=ON
        "-DAESFIT_FUZZ_ARGUMENTS=$(fuzz_arguments "$runs")")
    ;;
*)
    echo "test_c: there is no variant \"$variant\"" >&2
    exit 2
    ;;
esac

build=build/c-$variant
echo "== C tests, $variant"
quiet() { # runs a command; its output is shown only when it fails
    "$@" >"$build/setup.log" 2>&1 || { cat "$build/setup.log" >&2; exit 1; }
}
mkdir -p "$build"
quiet cmake -S . -B "$build" -G Ninja "${options[@]}"
quiet cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --parallel 2 |
    { grep -vE '^(Internal ctest changing|Test project| *Start )' || true; }
