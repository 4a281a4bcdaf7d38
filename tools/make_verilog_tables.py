# SPDX-License-Identifier: MIT
"""Compute the constants of the Verilog cores from FIPS 197 and write them as Verilog headers.

Usage: make_verilog_tables.py [DIRECTORY]   (default: rtl)

aes32_sbox.vh holds the S-box and its inverse.  aes32_sbox_fields.vh holds what the
composite-field S-box needs: an isomorphism between the field of AES and GF((2^4)^2), merged with
the affine maps.
GF(2^4) is modulo x^4 + x + 1, GF((2^4)^2) modulo y^2 + y + NU over it; an element a y + b is the
byte with a in the high half.

The headers are checked in; a test runs this script and compares.
"""

import sys
from collections.abc import Callable
from functools import reduce
from operator import xor
from pathlib import Path

from make_tables import BYTES, INV_SBOX, SBOX, multiply

HEAD = "// SPDX-License-Identifier: MIT\n// Made by tools/make_verilog_tables.py.  {}\n"
AFFINE_CONSTANT = 0x63

Matrix = list[int]
"""Rows of a matrix over GF(2), as masks of input bits; row n gives output bit n."""


def power(x: int, n: int) -> int:
    """The n-th power in the field of AES."""
    product = 1
    for _ in range(n):
        product = multiply(product, x)
    return product


def element(basis: list[int], value: int) -> int:
    """The element of the field of AES with these coordinates."""
    return reduce(xor, (one for at, one in enumerate(basis) if value >> at & 1), 0)


def subfield() -> list[int]:
    """1, w, w^2, w^3 with w^4 + w + 1 = 0 in the field of AES: GF(2^4) inside it."""
    root = next(w for w in BYTES if power(w, 4) ^ w ^ 1 == 0)
    return [power(root, n) for n in range(4)]


def extension(low: list[int]) -> tuple[int, int]:
    """NU, and a root of y^2 + y + NU outside the subfield, for the first NU that has one."""
    inside = {element(low, value) for value in range(16)}
    for nu in range(1, 16):
        for y in BYTES:
            if y not in inside and multiply(y, y) ^ y == element(low, nu):
                return nu, y
    raise ArithmeticError("no quadratic extension")


def matrix(function: Callable[[int], int]) -> Matrix:
    """The matrix of a linear function of bytes."""
    columns = [function(1 << bit) for bit in range(8)]
    return [sum((columns[at] >> row & 1) << at for at in range(8)) for row in range(8)]


def apply(rows: Matrix, x: int) -> int:
    """Matrix times vector."""
    return sum(((row & x).bit_count() & 1) << at for at, row in enumerate(rows))


def fields() -> tuple[int, dict[str, Matrix]]:
    """NU and the four linear layers, ENTER and LEAVE for each direction."""
    low = subfield()
    nu, y = extension(low)
    basis = [*low, *(multiply(y, one) for one in low)]
    to_aes = [element(basis, value) for value in BYTES]
    from_aes = [to_aes.index(x) for x in BYTES]

    def affine(x: int) -> int:
        inverse = power(x, 254)
        return SBOX[inverse] ^ AFFINE_CONSTANT

    linear = [affine(x) for x in BYTES]
    unaffine = [linear.index(x) for x in BYTES]
    return nu, {
        "ENTER_FORWARD": matrix(lambda x: from_aes[x]),
        "LEAVE_FORWARD": matrix(lambda x: linear[to_aes[x]]),
        "ENTER_INVERSE": matrix(lambda x: from_aes[unaffine[x]]),
        "LEAVE_INVERSE": matrix(lambda x: to_aes[x]),
    }


def table(name: str, values: list[int]) -> str:
    """256 bytes as one constant, entry x in bits 8x to 8x + 7."""
    rows = (reversed(values[at : at + 16]) for at in range(240, -1, -16))
    lines = ",\n".join("    128'h" + "".join(f"{value:02x}" for value in row) for row in rows)
    return f"localparam [2047:0] {name} = {{\n{lines}\n}};\n"


def layer(name: str, rows: Matrix) -> str:
    """A matrix as one constant, row n in bits 8n to 8n + 7."""
    return f"localparam [63:0] {name} = 64'h{''.join(f'{row:02x}' for row in reversed(rows))};\n"


def render() -> dict[str, str]:
    """File name to text."""
    nu, layers = fields()
    sbox = HEAD.format("Entry x of a table is [8 * x +: 8].")
    rows = HEAD.format("Row n of a matrix is [8 * n +: 8].")
    return {
        "aes32_sbox.vh": sbox + table("SBOX", SBOX) + table("INVERSE_SBOX", INV_SBOX),
        "aes32_sbox_fields.vh": f"{rows}localparam [3:0] NU = 4'h{nu:x};\n"
        + "".join(layer(name, layers[name]) for name in layers),
    }


def main() -> None:
    """Write the headers."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "rtl")
    for name, text in render().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
