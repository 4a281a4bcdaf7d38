#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pins requirements/*.in into requirements/*.txt: versions and hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")/../requirements"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch"
"$scratch/bin/pip" install --quiet uv
for name in fit test; do
    "$scratch/bin/uv" pip compile --quiet --generate-hashes --no-emit-index-url --no-header \
        --universal --python-version 3.11 --no-annotate "$name.in" -o "$scratch/$name.txt"
    {
        echo "# SPDX-License-Identifier: MIT"
        echo "# Made by \`make pins\` from $name.in."
        cat "$scratch/$name.txt"
    } >"$name.txt"
done
