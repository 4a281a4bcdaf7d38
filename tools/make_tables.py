# SPDX-License-Identifier: MIT
"""Compute every constant table of the library from FIPS 197 and write it as a C header.

Usage: make_tables.py [DIRECTORY]   (default: lib/src/parts/tables)

Tables of the same numbers, rotated or not, are made from one list: a macro that applies another
macro to every number (lib/src/parts/tables/table_entry.h).

The headers are checked in; a test runs this script and compares.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

Array = tuple[str, str, list[int]]  # name, element type, values
ENTRIES = ("TABLE_ENTRY", "TABLE_ROTL8", "TABLE_ROTL16", "TABLE_ROTL24")


def double(x: int) -> int:
    """Multiply by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, 4.2)."""
    return (x << 1) ^ (0x11B if x & 0x80 else 0)


def multiply(a: int, b: int) -> int:
    """Multiply two field elements."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = double(a), b >> 1
    return product


def substitute(x: int) -> int:
    """FIPS 197, 5.1.1: inverse in the field, then the affine map."""
    spread = INVERSES[x] * 0x01010101  # the byte, repeated: rotations become shifts
    rotated = [(spread >> (8 - n)) & 0xFF for n in range(5)]
    return rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ rotated[4] ^ 0x63


BYTES = range(256)
INVERSES = [next((y for y in BYTES if multiply(x, y) == 1), 0) for x in BYTES]
SBOX = [substitute(x) for x in BYTES]
INV_SBOX = [SBOX.index(x) for x in BYTES]


def rcon() -> list[int]:
    """Ten round constants: powers of x."""
    values = [1]
    while len(values) < 10:
        values.append(double(values[-1]))
    return values


def word(column: list[int]) -> int:
    """Pack a column, row 0 in the low byte."""
    return sum(byte << 8 * row for row, byte in enumerate(column))


def encryption(x: int) -> list[int]:
    """SubBytes, then the column that MixColumns computes from a byte in row 0."""
    s = SBOX[x]
    return [double(s), s, s, multiply(3, s)]


def decryption(x: int) -> list[int]:
    """InvSubBytes, then the column that InvMixColumns computes from a byte in row 0."""
    return inverse_mix(INV_SBOX[x])


def inverse_mix(x: int) -> list[int]:
    """The column that InvMixColumns computes from a byte in row 0."""
    return [multiply(n, x) for n in (0xE, 0x9, 0xD, 0xB)]


def header(name: str, comment: str, lines: Sequence[str], include: Sequence[str]) -> str:
    """One C header."""
    guard = f"AESFIT_TABLES_{name.upper()}_H"
    top = [
        "/* SPDX-License-Identifier: MIT */",
        f"/* {comment}  Made by tools/make_tables.py. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
    ]
    return "\n".join([*top, *(f"#include {one}" for one in include), *lines, "", "#endif", ""])


def plain(name: str, comment: str, arrays: Sequence[Array]) -> dict[str, str]:
    """A header whose arrays hold their numbers."""
    lines = []
    for array, kind, values in arrays:
        lines += ["", f"static const {kind} {array}[{len(values)}] = {{"]
        lines += rows([f"0x{value:02x}," for value in values], 16)
        lines.append("};")
    return {f"{name}.h": header(name, comment, lines, ["<stdint.h>"])}


def listed(name: str, comment: str, numbers: list[int], digits: int) -> dict[str, str]:
    """A header with a list.  C99 guarantees lines of only 4095 characters: hence W, and no u."""
    per_line = {2: 8, 8: 4}[digits]
    cells = [f"W(0x{number:0{digits}x})" for number in numbers]
    body = " \\\n".join(rows(cells, per_line))
    return {f"{name}.h": header(name, comment, [f"#define {name.upper()}(W) \\\n{body}"], [])}


def rows(cells: Sequence[str], per_line: int) -> list[str]:
    """Split into lines of so many cells."""
    starts = range(0, len(cells), per_line)
    return ["    " + " ".join(cells[start : start + per_line]) for start in starts]


def made_of(name: str, source: str, comment: str, kind: str, rotated: int = 1) -> dict[str, str]:
    """A header whose arrays are made from the list `source`: one, or one for each row."""
    lines = [""]
    for row in range(rotated):
        array = f"{name[:-1]}{row}" if rotated > 1 else name
        entries = f"{source.upper()}({ENTRIES[row]})"
        lines.append(f"static const {kind} {array}[256] = {{{entries}}};")
    return {f"{name}.h": header(name, comment, lines, [f'"{source}.h"', '"table_entry.h"'])}


def diffused(name: str, source: str, comment: str) -> dict[str, str]:
    """A header whose array holds the words of the four rows of an index one after the other."""
    array = f"static const uint32_t {name}_diffused[1024] = {{{source.upper()}(TABLE_ROWS)}};"
    file = f"{name}_diffused"
    included = [f'"{source}.h"', '"table_entry.h"']
    return {f"{file}.h": header(file, comment, ["", array], included)}


def boxed() -> dict[str, str]:
    """A header whose array holds the words of decryption, and behind them its S-box, packed."""
    packed = [word(INV_SBOX[at : at + 4]) for at in range(0, 256, 4)]
    body = rows([f"0x{number:08x}," for number in packed], 7)
    lines = [
        "",
        "static const uint32_t td_boxed[320] = {",
        "    TD_WORDS(TABLE_ENTRY)",
        *body,
        "};",
    ]
    comment = "td_boxed: the words of td, and four bytes of the inverse S-box in each word behind."
    included = ['"td_words.h"', '"table_entry.h"']
    return {"td_boxed.h": header("td_boxed", comment, lines, included)}


def diffused_boxed() -> dict[str, str]:
    """Headers whose arrays hold an S-box, packed, and behind it the words of all rows."""
    made: dict[str, str] = {}
    for name, box, values in (("te", "S-box", SBOX), ("td", "inverse S-box", INV_SBOX)):
        packed = [word(values[at : at + 4]) for at in range(0, 256, 4)]
        lines = [
            "",
            f"static const uint32_t {name}_diffused_boxed[1088] = {{",
            *rows([f"0x{number:08x}," for number in packed], 7),
            f"    {name.upper()}_WORDS(TABLE_ROWS)",
            "};",
        ]
        file, front = f"{name}_diffused_boxed", f"four bytes of the {box} in each of 64 words"
        comment = f"{file}: {front}, and those of {name}_diffused."
        made[f"{file}.h"] = header(file, comment, lines, [f'"{name}_words.h"', '"table_entry.h"'])
    return made


def sboxes() -> dict[str, str]:
    """The S-boxes: a byte each, a word each, and words with the byte in each row."""
    made: dict[str, str] = {}
    kinds = (
        ("sbox", "te_last", "the S-box", "5.1.1", SBOX),
        ("inv_sbox", "td_last", "the inverse S-box", "5.3.2", INV_SBOX),
    )
    for name, wide, what, section, values in kinds:
        source, title = f"{name}_bytes", f"{what[0].upper()}{what[1:]} (FIPS 197, {section})"
        made |= listed(source, f"{title}, as a list.", values, 2)
        made |= made_of(name, source, f"{title}.", "uint8_t")
        made |= made_of(wide, source, f"{wide}[x]: {what}, a word each.", "uint32_t")
        comment = f"{wide}R[x]: {what}, in the byte of row R."
        made |= made_of(f"{wide}4", source, comment, "uint32_t", 4)
    return made


def columns() -> dict[str, str]:
    """Packed columns of a byte: with the byte in row 0, or one table for each row."""
    made: dict[str, str] = {}
    kinds = (
        ("te", "SubBytes and MixColumns", encryption),
        ("td", "InvSubBytes and InvMixColumns", decryption),
        ("im", "InvMixColumns", inverse_mix),
    )
    for name, what, column in kinds:
        source, comment = f"{name}_words", f"{what} of a byte in row"
        made |= listed(source, f"{comment} 0, as a list.", [word(column(x)) for x in BYTES], 8)
        if name != "im":
            made |= made_of(name, source, f"{name}[x]: {comment} 0.", "uint32_t")
        made |= made_of(f"{name}4", source, f"{name}R[x]: {comment} R.", "uint32_t", 4)
        if name != "im":
            made |= diffused(name, source, f"{name}_diffused[4 x + R]: {comment} R.")
    return made


def products() -> dict[str, str]:
    """Products and inverses in the field, and round constants."""

    def product(n: int) -> Array:
        return (f"mul{n:x}", "uint8_t", [multiply(n, x) for x in BYTES])

    comment = "Products in GF(2^8): mulN[x] = N x, N hexadecimal; 2 x stands in mul2.h."
    return {
        **plain("mul2", "Twice x in GF(2^8).", [product(2)]),
        **plain("products", comment, [product(n) for n in (0x3, 0x9, 0xB, 0xD, 0xE)]),
        **plain(
            "rcon", "Round constants x^0 .. x^9 (FIPS 197, 5.2).", [("rcon", "uint8_t", rcon())]
        ),
        **plain("inverses", "1/x in GF(2^8), and 0 of 0.", [("inverses", "uint8_t", INVERSES)]),
    }


def headers() -> dict[str, str]:
    """File name -> text."""
    return sboxes() | columns() | products() | boxed() | diffused_boxed()


def main() -> None:
    """Write every header into the folder named on the command line."""
    default = Path(__file__).resolve().parent.parent / "lib" / "src" / "parts" / "tables"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    for name, text in headers().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
