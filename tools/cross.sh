#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library on other machines: each source compiled freestanding for each processor with each
# compiler of tests/targets.txt, and the C tests run under emulation where a Linux user-mode emulator
# exists.  `make test` compiles all sources at once (tests/python/library/test_compilers.py).
set -euo pipefail
cd "$(dirname "$0")/.."

warnings="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror"

compile_all() { # compile_all LABEL COMPILER FLAGS...: every source of the library, freestanding
    local label=$1
    shift
    # shellcheck disable=SC2086  # one word for each flag
    find lib/src -name '*.c' -print0 |
        xargs -0 -P 2 -I{} "$@" $warnings -ffreestanding -O2 -Ilib/include -c {} -o /dev/null
    echo "compiled: $label, $1"
}

quietly() { # quietly COMMAND...: its output is shown only if it fails
    local log
    log=$(mktemp)
    "$@" >"$log" 2>&1 || { cat "$log" >&2 && rm -f "$log" && return 1; }
    rm -f "$log"
}

run_tests() { # run_tests LABEL COMPILER PROCESSOR EMULATOR [FLAGS]
    local build=build/c-$1
    echo "== C tests, $1 under $4"
    quietly cmake -S . -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$3" \
        -DCMAKE_C_COMPILER="$2" -DCMAKE_C_FLAGS="${5:-}" -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$4" -DAESFIT_TEST_EVERY_BOUND=ON \
        -DAESFIT_TEST_EVERYTHING=ON
    quietly cmake --build "$build"
    ctest --test-dir "$build" --output-on-failure --parallel 2 |
        { grep -vE '^(Internal ctest changing|Test project| *Start )' || true; }
}

while IFS=: read -r label command; do
    # shellcheck disable=SC2086  # one word for each flag
    compile_all "$label" $command </dev/null
done < <(grep -v '^#' tests/targets.txt)

run_tests arm arm-linux-gnueabi-gcc arm qemu-arm
# Thumb-2, with the instructions of ARMv7-M that cores in assembly use.
run_tests arm-thumb2 arm-linux-gnueabi-gcc arm qemu-arm "-march=armv7-a -mthumb"
run_tests aarch64 aarch64-linux-gnu-gcc aarch64 qemu-aarch64
run_tests riscv64 riscv64-linux-gnu-gcc riscv64 qemu-riscv64
run_tests powerpc powerpc-linux-gnu-gcc ppc qemu-ppc
run_tests mips mips-linux-gnu-gcc mips qemu-mips
