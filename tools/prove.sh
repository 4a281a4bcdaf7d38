#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves every core at every key size on the emulated platforms and on x86-64, every mode over the
# constant-time core, and a part of the committed list of proven images: two processes, each with
# about half of the work.  Earlier proofs are taken from the store.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

prove() { # arguments of `aesfit prove`
    .venv/bin/aesfit prove "$@" || failed=1
}

everything() { # platforms
    local mode
    prove --platform "$1" --core all --key-bits 128,192,256
    for mode in $(sed -n 's/^MODE(\(.*\))$/\1/p' lib/src/modes/modes.def); do
        case $mode in
        # A byte of CFB8 takes a block: 33 would take as long as all other modes together.
        cfb8) prove --platform "$1" --core fixslice --mode "$mode" --bytes 0,1,2 ;;
        # Independence runs all 16 lengths that a ciphertext may have, whatever the sizes given here.
        pkcs7) prove --platform "$1" --core fixslice --mode "$mode" --bytes 1 ;;
        *) prove --platform "$1" --core fixslice --mode "$mode" ;;
        esac
    done
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
    everything cortex-m3,rv32im-e31
    long_keys
    return "$failed"
}

second_half() {
    failed=0
    everything cortex-m0plus,arm7tdmi
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
