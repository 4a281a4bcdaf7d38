#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves every core, and every mode over the constant-time core, on the emulated platforms.
# What was proved before is taken from the store.
set -euo pipefail
cd "$(dirname "$0")/.."

platforms=cortex-m3,cortex-m0plus,arm7tdmi,rv32im-e31
failed=0
prove() {
    echo "== aesfit prove $*"
    .venv/bin/aesfit prove --platform "$platforms" "$@" || failed=1
}

prove --core all --key-bits 128,192,256
for mode in ctr cbc cmac ccm gcm kw xts ccmp; do
    prove --core fixslice --mode "$mode"
done
exit "$failed"
