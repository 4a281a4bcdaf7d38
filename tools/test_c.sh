#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library and its C tests in one variant and runs them.
#
#   tools/test_c.sh release     as installed (gcc)
#   tools/test_c.sh clang       the same with clang
#   tools/test_c.sh sanitized   address and undefined-behaviour sanitizers, overlap checks
#   tools/test_c.sh i686        32-bit code on this processor
set -euo pipefail
cd "$(dirname "$0")/.."

variant=${1:?"say which variant: release, clang, sanitized or i686"}
options=()
case $variant in
release) options=(-DAESFIT_TEST_EVERY_BOUND=ON) ;;
clang) options=(-DCMAKE_C_COMPILER=clang -DAESFIT_TEST_READS=OFF) ;;
sanitized)
    options=(-DCMAKE_BUILD_TYPE=Debug -DAESFIT_CHECK_OVERLAP=ON -DAESFIT_TEST_READS=OFF
        -DCMAKE_C_FLAGS_DEBUG=-g1 # lines, for reports; more takes a third of the compilation
        "-DCMAKE_C_FLAGS=-O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all")
    ;;
i686) # Debian's gcc-12-multilib lacks the link to the shared architecture headers
    options=(-DAESFIT_TEST_READS=OFF "-DCMAKE_C_FLAGS=-m32 -isystem /usr/include/$(gcc -print-multiarch)")
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
