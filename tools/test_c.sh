#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library and its C tests in one variant and runs them.
#
#   tools/test_c.sh release     the library that `make setup` built for Python (gcc, -O3); constant time
#   tools/test_c.sh bound       cores bound at compile time, each with half of the modes; table reads
#   tools/test_c.sh i686        32-bit code on this processor
#   tools/test_c.sh sanitized   address and undefined-behaviour sanitizers, overlap checks; with the
#                               fuzz targets (clang), 2000 fixed runs each
#   tools/test_c.sh fuzz RUNS   only the fuzz targets of that build: RUNS new runs each, which
#                               continue the last ones
#
# For make check-slow, every check with every core:
#
#   tools/test_c.sh clang       as release and bound with clang, without paths on 512-bit registers
#   tools/test_c.sh gcc-sanitized  as sanitized with gcc
#   tools/test_c.sh gcc-i686    as i686, optimised as installed
set -euo pipefail
cd "$(dirname "$0")/.."

variant=${1:?"say which variant: release, bound, i686, sanitized, fuzz, clang, gcc-sanitized or gcc-i686"}
runs=${2:-}
build=build/c-$variant
targets=()
selected=()
options=()
. tools/compiler_cache.sh

# The library of build/python, brought up to date; it is the one that is installed.
use_the_library_of_python() {
    [ -f build/python/build.ninja ] || {
        echo "test_c: there is no library to test yet: make setup" >&2
        exit 2
    }
    quiet cmake --build build/python --target aesfit
    options+=("-DAESFIT_LIBRARY=$PWD/build/python/lib/libaesfit.a")
}

# Cores in assembly for other processors are here the C of another core, but for ttable1_armv7m:
# one variant with all of them is enough.
leave_out_stand_ins() {
    local cores stand_ins
    stand_ins=$(grep -l '_ASSEMBLY 0$' lib/src/cores/*.c | xargs -n 1 basename -s .c | grep -vx ttable1_armv7m)
    cores=$(sed -nE 's/^CORE\((.*)\)$/\1/p' lib/src/cores/cores.def | grep -vxF "$stand_ins")
    options+=("-DAESFIT_CORES=${cores//$'\n'/;}")
}

for_32_bits() { # Debian's gcc-12-multilib lacks the link to the shared architecture headers
    options+=(-DAESFIT_TEST_READS=OFF -DAESFIT_TEST_TOGETHER=ON
        "-DCMAKE_C_FLAGS=-m32 -isystem /usr/include/$(gcc -print-multiarch)")
}

sanitize() { # sanitize FLAGS: of the compiler beside those for all
    options+=(-DCMAKE_BUILD_TYPE=Debug -DAESFIT_CHECK_OVERLAP=ON -DAESFIT_TEST_READS=OFF
        -DAESFIT_TEST_TOGETHER=ON
        -DCMAKE_C_FLAGS_DEBUG=-g1 # lines, for reports; more takes a third of the compilation
        "-DCMAKE_C_FLAGS=$1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all")
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
    sanitize "-O0 -fsanitize-coverage=inline-8bit-counters,pc-table"
    options+=(-DCMAKE_C_COMPILER=clang -DAESFIT_BUILD_FUZZ=ON "-DAESFIT_FUZZ_ARGUMENTS=$1"
        -DAESFIT_TEST_ONCE=OFF -DAESFIT_TEST_OPTIMISE=-O1)
    leave_out_stand_ins
    # Before version 19 clang never chooses the wide paths by itself; sanitizers double their compilation.
    [ "$(clang -dumpversion | cut -d . -f 1)" -ge 19 ] || options+=(-DAESFIT_NO_WIDE=ON)
    # Linking takes half as long, of programs that hold the sanitizers.
    ! command -v ld.lld >/dev/null || options+=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
}

quiet() { # runs a command; its output is shown only when it fails
    mkdir -p "$build"
    "$@" >"$build/setup.log" 2>&1 || { cat "$build/setup.log" >&2; exit 1; }
}

echo "== C tests, $variant"
case $variant in
release) # of tests, optimisation beyond this takes longer than it saves
    use_the_library_of_python
    options+=(-DAESFIT_TEST_READS=OFF -DCMAKE_C_FLAGS_RELEASE=-O1)
    ;;
bound) # neither what is bound nor what is read depends on compiler and optimisation; these are fast
    use_the_library_of_python
    options+=(-DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_RELEASE=-O0 -DAESFIT_TEST_EVERY_BOUND=ON)
    targets=(--target core_tests)
    selected=(--label-regex '^core$')
    ;;
i686) # 32 bits are 32 bits at any optimisation
    for_32_bits
    leave_out_stand_ins
    options+=(-DCMAKE_C_FLAGS_RELEASE=-O1 -DAESFIT_TEST_ONCE=OFF)
    ;;
sanitized)
    if finds_libfuzzer; then
        sanitize_for_fuzzing "-runs=2000;-seed=1"
    else
        sanitize -O1
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
    options+=(-DCMAKE_C_COMPILER=clang -DAESFIT_TEST_READS=OFF -DAESFIT_NO_WIDE=ON
        -DAESFIT_TEST_EVERY_BOUND=ON -DAESFIT_TEST_EVERYTHING=ON)
    ;;
gcc-sanitized)
    sanitize -O1 # gcc takes no loop annotations without
    options+=(-DAESFIT_TEST_EVERYTHING=ON)
    ;;
gcc-i686)
    for_32_bits
    options+=(-DAESFIT_TEST_EVERYTHING=ON)
    ;;
*)
    echo "test_c: there is no variant \"$variant\"" >&2
    exit 2
    ;;
esac

quiet cmake -S . -B "$build" -G Ninja "${options[@]}"
quiet cmake --build "$build" "${targets[@]}"
ctest --test-dir "$build" "${selected[@]}" --output-on-failure --parallel 2 |
    { grep -vE '^(Internal ctest changing|Test project| *Start )' || true; }
