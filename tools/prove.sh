#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves every core at every key size on the emulated platforms and on x86-64, every mode over the
# constant-time core, and a part of the committed list of proven images: two processes, each with
# about half of the work.  Earlier proofs are taken from the store.
#
# Processor time from an empty store, estimated from three samples on a busy computer (28 s for CMAC
# at all lengths on one platform, 1 s for an image of blocks, 7 s for CCM of one length): about
# 15 minutes for blocks, 20 for modes, 5 for x86-64, long keys and the list.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

prove() { # arguments of `aesfit prove`
    .venv/bin/aesfit prove "$@" </dev/null || failed=1
}

# Every mode, and its shortest payload of two blocks, or else of one.
modes=$(.venv/bin/python -c '
from aesfit.catalog import modes
for one in modes():
    print(one.name, 17 if 17 in one.payloads else 16)')

everything() { # a platform with all lengths, and one with the shortest of two blocks
    local mode size
    prove --platform "$1,$2" --core all --key-bits 128,192,256
    while read -r mode size; do
        case $mode in cfb8 | pkcs7) continue ;; esac # see below
        prove --platform "$1" --core fixslice --mode "$mode"
        prove --platform "$2" --core fixslice --mode "$mode" --bytes "$size"
    done <<<"$modes"
    # A byte of CFB8 takes a block: 33 of them would take as long as all other modes together.
    prove --platform "$1,$2" --core fixslice --mode cfb8 --bytes 0,1,2
    # Independence runs all 16 lengths that a ciphertext may have, regardless of the sizes given here.
    prove --platform "$1" --core fixslice --mode pkcs7 --bytes 1
}

# The size of the key changes its set-up and the number of rounds, and nothing about lengths, so one
# length that is no multiple of a block is enough.  XTS has no 192-bit keys.
long_keys() {
    local mode
    for mode in ctr cmac ccm gcm; do
        prove --platform cortex-m3 --core fixslice --mode "$mode" --key-bits 192,256 --bytes 17
    done
    for mode in cbc kw; do
        prove --platform cortex-m3 --core fixslice --mode "$mode" --key-bits 192,256 --bytes 16
    done
    prove --platform cortex-m3 --core fixslice --mode xts --key-bits 256 --bytes 17
}

first_half() {
    failed=0
    everything cortex-m3 rv32im-e31
    long_keys
    return "$failed"
}

second_half() {
    failed=0
    everything cortex-m0plus arm7tdmi
    prove --platform cortex-m4 --core sbox_columns_dsp,sbox_columns_mul --key-bits 128,192,256
    prove --platform x86-64 --core all --key-bits 128,192,256
    return "$failed"
}

first_half >"$scratch/first" 2>&1 &
first=$!
wrong=0
second_half || wrong=1
wait "$first" || wrong=1
cat "$scratch/first"
# Another part of the list with each commit; all of it: tools/record_proofs.py --check
part=$(git rev-list --count HEAD 2>/dev/null || echo 0)
.venv/bin/python tools/record_proofs.py --check --parts 16 --part "$part" || wrong=1
exit "$wrong"
