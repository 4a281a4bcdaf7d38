# SPDX-License-Identifier: MIT
"""Compute every constant table of the library from FIPS 197 and write it as a C header.

Usage: make_tables.py [DIRECTORY]   (default: lib/src/parts/tables)

The headers are checked in; a test runs this script into a scratch folder and compares.
"""

import sys
from collections.abc import Callable
from pathlib import Path

Array = tuple[str, str, list[int]]  # name, element type, values


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
    inverse = next((y for y in range(256) if multiply(x, y) == 1), 0)
    spread = inverse * 0x01010101  # the byte, repeated: rotations become shifts
    rotated = [(spread >> (8 - n)) & 0xFF for n in range(5)]
    return rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ rotated[4] ^ 0x63


BYTES = range(256)
SBOX = [substitute(x) for x in BYTES]
INV_SBOX = [SBOX.index(x) for x in BYTES]


def rcon() -> list[int]:
    """Ten round constants: powers of x."""
    values = [1]
    while len(values) < 10:
        values.append(double(values[-1]))
    return values


def word(column: list[int], rotation: int = 0) -> int:
    """Pack a column, row 0 in the low byte, rotated left by `rotation` bytes."""
    packed = sum(byte << 8 * row for row, byte in enumerate(column))
    return (packed << 8 * rotation | packed >> (32 - 8 * rotation)) & 0xFFFFFFFF


def encryption(x: int) -> list[int]:
    """SubBytes, then the column that MixColumns makes of a byte in row 0."""
    s = SBOX[x]
    return [double(s), s, s, multiply(3, s)]


def decryption(x: int) -> list[int]:
    """InvSubBytes, then the column that InvMixColumns makes of a byte in row 0."""
    return inverse_mix(INV_SBOX[x])


def inverse_mix(x: int) -> list[int]:
    """The column that InvMixColumns makes of a byte in row 0."""
    return [multiply(n, x) for n in (0xE, 0x9, 0xD, 0xB)]


def substituted(x: int) -> list[int]:
    """SubBytes of a byte in row 0."""
    return [SBOX[x]]


def restored(x: int) -> list[int]:
    """InvSubBytes of a byte in row 0."""
    return [INV_SBOX[x]]


def words(name: str, column: Callable[[int], list[int]], rows: int) -> list[Array]:
    """One array of packed columns per row; a byte in row r turns the column by r bytes."""
    return [
        (name + (str(row) if rows > 1 else ""), "uint32_t", [word(column(x), row) for x in BYTES])
        for row in range(rows)
    ]


def byte_tables() -> dict[str, tuple[str, list[Array]]]:
    """Tables of bytes: S-boxes, products, round constants."""

    def product(n: int) -> Array:
        return (f"mul{n:x}", "uint8_t", [multiply(n, x) for x in BYTES])

    return {
        "sbox.h": ("The S-box (FIPS 197, 5.1.1).", [("sbox", "uint8_t", SBOX)]),
        "inv_sbox.h": ("The inverse S-box (FIPS 197, 5.3.2).", [("inv_sbox", "uint8_t", INV_SBOX)]),
        "mul2.h": ("Twice x in GF(2^8).", [product(2)]),
        "products.h": (
            "Products in GF(2^8): mulN[x] = N x, N hexadecimal; 2 x stands in mul2.h.",
            [product(n) for n in (0x3, 0x9, 0xB, 0xD, 0xE)],
        ),
        "rcon.h": ("Round constants x^0 .. x^9 (FIPS 197, 5.2).", [("rcon", "uint8_t", rcon())]),
    }


def word_tables() -> dict[str, tuple[str, list[Array]]]:
    """Tables of packed columns: one for row 0, or one for each row."""
    kinds = (
        ("te", encryption, "SubBytes and MixColumns"),
        ("td", decryption, "InvSubBytes and InvMixColumns"),
    )
    made = {}
    for name, column, what in kinds:
        made[f"{name}.h"] = f"{name}[x]: {what} of a byte in row 0.", words(name, column, 1)
        made[f"{name}4.h"] = f"{name}R[x]: {what} of a byte in row R.", words(name, column, 4)
    lasts = (
        ("te_last", substituted, "the S-box"),
        ("td_last", restored, "the inverse S-box"),
    )
    for name, column, what in lasts:
        made[f"{name}.h"] = f"{name}[x]: {what}, a word each.", words(name, column, 1)
        made[f"{name}4.h"] = f"{name}R[x]: {what}, in the byte of row R.", words(name, column, 4)
    made["im4.h"] = "imR[x]: InvMixColumns of a byte in row R.", words("im", inverse_mix, 4)
    return made


def tables() -> dict[str, tuple[str, list[Array]]]:
    """File name -> (comment, [(array name, element type, values)])."""
    return byte_tables() | word_tables()


def render(name: str, comment: str, arrays: list[Array]) -> str:
    """One C header."""
    guard = f"AESFIT_TABLES_{name.replace('.', '_').upper()}"
    lines = [
        "/* SPDX-License-Identifier: MIT */",
        f"/* {comment}  Made by tools/make_tables.py. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdint.h>",
    ]
    for array, kind, values in arrays:
        digits = {"uint8_t": 2, "uint32_t": 8}[kind]
        per_line = {"uint8_t": 16, "uint32_t": 8}[kind]
        lines += ["", f"static const {kind} {array}[{len(values)}] = {{"]
        cells = [f"0x{value:0{digits}x}{'u' if digits == 8 else ''}" for value in values]
        for start in range(0, len(cells), per_line):
            lines.append("    " + ", ".join(cells[start : start + per_line]) + ",")
        lines.append("};")
    lines += ["", "#endif", ""]
    return "\n".join(lines)


def main() -> None:
    """Write every header into the folder named on the command line."""
    default = Path(__file__).resolve().parent.parent / "lib" / "src" / "parts" / "tables"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    for name, (comment, arrays) in tables().items():
        (folder / name).write_text(render(name, comment, arrays), encoding="utf-8")


if __name__ == "__main__":
    main()
