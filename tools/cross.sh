#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library on other machines: compiled freestanding for each processor with each compiler, and
# the C tests run under emulation where a Linux user-mode emulator exists.
set -euo pipefail
cd "$(dirname "$0")/.."

warnings="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror"

compile_all() { # compile_all LABEL COMPILER FLAGS...: every source of the library, freestanding
    local label=$1 compiler=$2 source
    shift 2
    # shellcheck disable=SC2086  # one word for each flag
    find lib/src -name '*.c' -print0 |
        xargs -0 -P 2 -I{} "$compiler" "$@" $warnings -ffreestanding -O2 -Ilib/include \
            -c {} -o /dev/null
    echo "compiled: $label"
}

run_tests() { # run_tests LABEL COMPILER PROCESSOR EMULATOR [FLAGS]
    local build=build/c-$1
    echo "== C tests, $1 under $4"
    cmake -S . -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$3" \
        -DCMAKE_C_COMPILER="$2" -DCMAKE_C_FLAGS="${5:-}" -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$4" -DAESFIT_TEST_EVERY_BOUND=ON \
        -DAESFIT_TEST_EVERYTHING=ON >/dev/null
    cmake --build "$build" >/dev/null
    ctest --test-dir "$build" --output-on-failure --parallel 2 |
        { grep -vE '^(Internal ctest changing|Test project| *Start )' || true; }
}

compile_all "x86-64, gcc" gcc
compile_all "x86-64, clang" clang
compile_all "i686, gcc" gcc -m32 -isystem "/usr/include/$(gcc -print-multiarch)"
compile_all "i686, clang" clang -m32
compile_all "ARM v4T, gcc" arm-none-eabi-gcc -mcpu=arm7tdmi -marm
compile_all "ARM v6-M, gcc" arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb
compile_all "ARM v7-M, gcc" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
compile_all "ARM v4T, clang" clang --target=arm-none-eabi -mcpu=arm7tdmi -marm
compile_all "ARM v6-M, clang" clang --target=arm-none-eabi -mcpu=cortex-m0plus -mthumb
compile_all "ARM v7-M, clang" clang --target=arm-none-eabi -mcpu=cortex-m3 -mthumb
compile_all "AArch64, gcc" aarch64-linux-gnu-gcc
compile_all "AArch64, clang" clang --target=aarch64-none-elf
compile_all "RV32, gcc" riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32
compile_all "RV32, clang" clang --target=riscv32-none-elf -march=rv32im -mabi=ilp32
compile_all "RV64, gcc" riscv64-linux-gnu-gcc
compile_all "RV64, clang" clang --target=riscv64-none-elf -march=rv64imac -mabi=lp64
compile_all "PowerPC (big-endian), gcc" powerpc-linux-gnu-gcc
compile_all "PowerPC (big-endian), clang" clang --target=powerpc-none-elf

run_tests arm arm-linux-gnueabi-gcc arm qemu-arm
# Thumb-2, with the instructions of ARMv7-M that cores in assembly use.
run_tests arm-thumb2 arm-linux-gnueabi-gcc arm qemu-arm "-march=armv7-a -mthumb"
run_tests aarch64 aarch64-linux-gnu-gcc aarch64 qemu-aarch64
run_tests riscv64 riscv64-linux-gnu-gcc riscv64 qemu-riscv64
run_tests powerpc powerpc-linux-gnu-gcc ppc qemu-ppc
