#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pins requirements/*.in into requirements/*.txt: versions and hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")/../requirements"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch"
"$scratch/bin/pip" install --quiet uv

# pin NAME [OPTION..]: the versions that the options allow
pin() {
    local name=$1
    shift
    "$scratch/bin/python" ../tools/run_uv.py pip compile --quiet --generate-hashes \
        --no-emit-index-url --no-header --universal --python-version 3.11 --no-annotate "$@" \
        "$name.in" -o "$scratch/$name.txt"
}

# keep NAME [INNER]: requirements/NAME.txt, where the packages of INNER.txt are not repeated
keep() {
    local name=$1 inner=${2:-}
    {
        echo "# SPDX-License-Identifier: MIT"
        echo "# Made by \`make pins\` from $name.in."
        [ -z "$inner" ] || echo "-r $inner.txt"
        awk 'FILENAME != whole { if (/^[^ #]/) there[$0]; next }
            /^[^ ]/ { keeps = !($0 in there) }
            keeps' whole="$scratch/$name.txt" ${inner:+"$scratch/$inner.txt"} "$scratch/$name.txt"
    } >"$name.txt"
}

# slow.in has everything; the others have the same versions, so that no profile changes another's.
pin installers
pin slow
for name in fit test; do
    pin "$name" --constraint "$scratch/slow.txt"
done
keep installers
keep fit
keep test fit
keep slow test
