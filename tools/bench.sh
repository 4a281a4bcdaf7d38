#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the programs of bench/ on this machine, one after the other.
#
#   tools/bench.sh                  print
#   tools/bench.sh --report DIR     write JSON and text into DIR instead:
#     source.txt                      commit of the sources (-dirty: with local changes)
#     cores.json fit.json             as `aesfit cores --json` and `aesfit fit --json`
#     host.json host-narrow.json      beside OpenSSL and the floor; with 128-bit AES only
#     wide.json                       512-bit against 128-bit AES at short lengths, if there is VAES
#     python.json i686.txt            beside PyCA cryptography; as 32-bit code
#     tracer.txt files.json           speed of the emulator's tracer; of aesfit encrypt, beside openssl
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/bench
mkdir -p "$build"
{
    cmake -S . -B "$build" -G Ninja -DAESFIT_BUILD_BENCH=ON -DAESFIT_BUILD_TESTS=OFF
    cmake --build "$build"
} >"$build/setup.log" 2>&1 || { cat "$build/setup.log" >&2; exit 1; }

if [ "${1:-}" = --report ]; then
    folder=${2:?"say which folder to write into"}
    mkdir -p "$folder"
    { git describe --always --dirty --abbrev=40 2>/dev/null || echo "not a git checkout"; } \
        >"$folder/source.txt"
    .venv/bin/aesfit cores --json >"$folder/cores.json"
    .venv/bin/aesfit fit --json >"$folder/fit.json"
    "$build/bench/bench_host" --json >"$folder/host.json"
    "$build/bench/bench_host" --json --narrow >"$folder/host-narrow.json"
    ! grep -qw vaes /proc/cpuinfo ||
        "$build/bench/bench_host" --json --wide-over-narrow >"$folder/wide.json"
    .venv/bin/python bench/bench_python.py --json >"$folder/python.json"
    bench/bench32.sh >"$folder/i686.txt"
    .venv/bin/python bench/bench_tracer.py >"$folder/tracer.txt"
    .venv/bin/python bench/bench_cache.py >"$folder/cache.txt"
    .venv/bin/python bench/bench_files.py --json >"$folder/files.json"
    echo "written:" "$folder"/*
    exit
fi
"$build/bench/bench_host"
if grep -qw vaes /proc/cpuinfo; then
    echo
    echo "The same, as on a processor with 128-bit AES instructions only:"
    "$build/bench/bench_host" --narrow
    echo
    "$build/bench/bench_host" --wide-over-narrow
fi
.venv/bin/python bench/bench_python.py
bench/bench32.sh
.venv/bin/python bench/bench_tracer.py
.venv/bin/python bench/bench_cache.py
.venv/bin/python bench/bench_files.py
