#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library and its C tests in one variant and runs them.
#
#   tools/test_c.sh release     as installed (gcc), cores bound at compile time, constant time
#   tools/test_c.sh i686        32-bit code on this processor
#   tools/test_c.sh sanitized   address and undefined-behaviour sanitizers, overlap checks; with the
#                               fuzz targets (clang), 2000 fixed runs each
#   tools/test_c.sh fuzz RUNS   only the fuzz targets of that build: RUNS new runs each, which
#                               continue the last ones
#
# For make check-slow, every check with every core:
#
#   tools/test_c.sh clang       as release with clang, without paths on 512-bit registers
#   tools/test_c.sh gcc-sanitized  as sanitized with gcc
set -euo pipefail
cd "$(dirname "$0")/.."

variant=${1:?"say which variant: release, i686, sanitized, fuzz, clang or gcc-sanitized"}
runs=${2:-}
build=build/c-$variant
targets=()
selected=()
options=()

sanitize() { # sanitize CHECKS: at run time
    options=(-DCMAKE_BUILD_TYPE=Debug -DAESFIT_CHECK_OVERLAP=ON -DAESFIT_TEST_READS=OFF
        -DCMAKE_C_FLAGS_DEBUG=-g1 # lines, for reports; more takes a third of the compilation
        "-DCMAKE_C_FLAGS=-O1 -fno-omit-frame-pointer -fsanitize=address,undefined $1 -fno-sanitize-recover=all")
}

check_runs() {
    [[ $runs =~ ^[1-9][0-9]{0,17}$ ]] || {
        echo "test_c: RUNS is a number above 0, not \"$runs\"" >&2
        exit 2
    }
}

finds_libfuzzer() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null && return
    echo "== fuzz targets skipped: clang with libFuzzer is not installed (Debian: clang, libclang-rt-dev)"
    return 1
}

sanitize_for_fuzzing() { # sanitize_for_fuzzing ARGUMENTS, a list of CMake
    # Coverage that guides libFuzzer, without operands of comparisons (-use_cmp=0).
    sanitize -fsanitize-coverage=inline-8bit-counters,pc-table
    options+=(-DCMAKE_C_COMPILER=clang -DAESFIT_BUILD_FUZZ=ON "-DAESFIT_FUZZ_ARGUMENTS=$1")
    # Before version 19 clang never chooses the wide paths by itself; sanitizers double their compilation.
    [ "$(clang -dumpversion | cut -d . -f 1)" -ge 19 ] || options+=(-DAESFIT_NO_WIDE=ON)
}

case $variant in
release) options=(-DAESFIT_TEST_EVERY_BOUND=ON) ;;
i686) # Debian's gcc-12-multilib lacks the link to the shared architecture headers
    options=(-DAESFIT_TEST_READS=OFF "-DCMAKE_C_FLAGS=-m32 -isystem /usr/include/$(gcc -print-multiarch)")
    ;;
sanitized)
    if finds_libfuzzer; then
        sanitize_for_fuzzing "-runs=2000;-seed=1"
    else
        sanitize ""
        build=build/c-gcc-sanitized
    fi
    ;;
fuzz)
    check_runs
    finds_libfuzzer || exit 0
    sanitize_for_fuzzing "-runs=$runs;-print_final_stats=1;found"
    build=build/c-sanitized
    targets=(--target fuzz_targets)
    selected=(--tests-regex '^fuzz_')
    ;;
clang) # without the wide paths, as a build may be; tools/cross.sh compiles them with clang
    options=(-DCMAKE_C_COMPILER=clang -DAESFIT_TEST_READS=OFF -DAESFIT_NO_WIDE=ON
        -DAESFIT_TEST_EVERY_BOUND=ON -DAESFIT_TEST_EVERYTHING=ON)
    ;;
gcc-sanitized)
    sanitize ""
    options+=(-DAESFIT_TEST_EVERYTHING=ON)
    ;;
*)
    echo "test_c: there is no variant \"$variant\"" >&2
    exit 2
    ;;
esac

echo "== C tests, $variant"
quiet() { # runs a command; its output is shown only when it fails
    "$@" >"$build/setup.log" 2>&1 || { cat "$build/setup.log" >&2; exit 1; }
}
mkdir -p "$build"
quiet cmake -S . -B "$build" -G Ninja "${options[@]}"
quiet cmake --build "$build" "${targets[@]}"
ctest --test-dir "$build" "${selected[@]}" --output-on-failure --parallel 2 |
    { grep -vE '^(Internal ctest changing|Test project| *Start )' || true; }
