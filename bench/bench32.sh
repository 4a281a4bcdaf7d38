#!/bin/sh
# SPDX-License-Identifier: MIT
# Times all portable cores as a 32-bit x86 program, then counts their instructions.
#
# usage: bench32.sh [-c] [CORE...]      -c: instruction counts only, which repeat exactly
# CC and CFLAGS choose the compiler (gcc) and its optimisation (-O2).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

counts_only=no
if [ "${1:-}" = -c ]; then
    counts_only=yes
    shift
fi

# Every core but the one that needs processor instructions.
grep '^CORE(' "$root/lib/src/cores/cores.def" | grep -v '(aesni)' >"$work/cores.def"
sources=$(for core in $(sed -n 's|^CORE(\(.*\))|\1|p' "$work/cores.def"); do
    find "$root/lib/src/cores" -name "$core.c"
done)

: "${CC:=gcc}" "${CFLAGS:=-O2}"
# -isystem: where Debian keeps the headers both widths share; static: valgrind then needs no 32-bit
# loader with symbols.
compile="$CC -m32 -std=gnu11 $CFLAGS -isystem /usr/include/x86_64-linux-gnu
    -DAESFIT_STUDY_CORES=1 -DAESFIT_CORE_aesni=0 -DAESFIT_GHASH_clmul=0
    -I$root/lib/include -I$root/lib/src -I$root/aesfit/rigs/host"
# shellcheck disable=SC2086 # lists of words
{
    $compile -c -o "$work/bench32.o" "$root/bench/bench32.c"
    $compile -static -o "$work/bench32" "$work/bench32.o" "$root"/lib/src/ghash/*.c \
        "$root/lib/src/register.c" "$root/lib/src/default.c" "$root/lib/src/describe.c" \
        "$root/lib/src/key.c" $sources
}
echo "$($CC --version | head -n 1), -m32 $CFLAGS"

[ "$counts_only" = yes ] || "$work/bench32"

# Instructions of COUNT operations under callgrind.
collected() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/bench32" "$1" "$2" "$3" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# The same for one operation: the difference of two counts, so that start-up cancels out.
instructions() {
    few=$(collected "$1" "$2" 10)
    many=$(collected "$1" "$2" 110)
    echo $(((many - few) / 100))
}

# shellcheck disable=SC2046 # a list of words
[ $# -gt 0 ] || set -- $(sed -n 's|^CORE(\(.*\))|\1|p' "$work/cores.def")
echo
echo "instructions, AES-128 (callgrind)"
printf '%-20s%12s%12s%12s%12s\n' core key-encrypt key-both encrypt decrypt
for core in "$@"; do
    printf '%-20s' "$core"
    for op in key-encrypt key-both encrypt decrypt; do
        printf '%12s' "$(instructions "$core" "$op")"
    done
    echo
done
