# SPDX-License-Identifier: MIT
"""Instructions that SLEIGH names and does not model: AES and byte shuffles of x86.

Source: Intel SDM, volume 2, AESDEC to AESKEYGENASSIST, and PSHUFB.  Byte n of a register is byte n
of FIPS 197's state, so its steps serve here too.  The tests hold each to an emulator.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from .domain import Domain, Value
from .fips197 import (
    COLUMN,
    INVERSE_COLUMN,
    Byte,
    columns_mixed,
    inverse_sbox,
    rows_shifted,
    sbox,
)

_Step = Callable[[Sequence[Byte]], Sequence[Byte]]
_Rows = tuple[int, ...]
_BYTES: Final = 16


class _Boxes:
    """Both S-boxes as one table of 512 bytes: nine bits of address, which no image has."""

    def constant(self, address: int, size: int) -> int:
        """An entry."""
        del size
        return (sbox() if address < 256 else inverse_sbox())[address & 255]

    def value(self, address: int, size: int) -> Value:
        """The same."""
        return self.constant(address, size)

    def fixed(self, address: int, size: int) -> bool:
        """Always."""
        del address, size
        return True


def _rows(step: _Step) -> _Rows:
    """A linear step as masks: what it makes of a state whose bits are masks of themselves."""
    state = [tuple(1 << 8 * at + bit for bit in range(8)) for at in range(_BYTES)]
    return tuple(bit for byte in step(state) for bit in byte)


@cache
def _forward() -> tuple[_Rows, _Rows, _Rows]:
    """ShiftRows with MixColumns, ShiftRows, MixColumns."""
    shift = _rows(lambda state: rows_shifted(state, 1))
    mix = _rows(lambda state: columns_mixed(state, COLUMN))
    return _rows(lambda state: columns_mixed(rows_shifted(state, 1), COLUMN)), shift, mix


@cache
def _backward() -> tuple[_Rows, _Rows, _Rows]:
    """The inverses."""
    shift = _rows(lambda state: rows_shifted(state, -1))
    mix = _rows(lambda state: columns_mixed(state, INVERSE_COLUMN))
    both = _rows(lambda state: columns_mixed(rows_shifted(state, -1), INVERSE_COLUMN))
    return both, shift, mix


def _substituted(domain: Domain, value: Value, *, inverse: bool) -> Value:
    """Each of 16 bytes through an S-box."""
    found: Value = 0
    for at in range(_BYTES):
        byte = domain.extract(value, 8 * at, 8)
        address = domain.join(byte, 8, int(inverse), 9)
        boxes = _Boxes()
        one = boxes.constant(address, 1) if isinstance(address, int) else None
        made = domain.lookup(boxes, address, 1) if one is None else one
        assert made is not None  # noqa: S101 - every entry is constant
        found = domain.join(found, 8 * at, made, 8 * at + 8)
    return found


def _round(domain: Domain, values: Sequence[Value], rows: _Rows, *, inverse: bool) -> Value:
    """Substitution, a linear step, and the round key."""
    state, key = values
    substituted = _substituted(domain, state, inverse=inverse)
    return domain.xor(domain.linear(substituted, rows), key, 8 * _BYTES)


def _aesenc(domain: Domain, values: Sequence[Value]) -> Value:
    return _round(domain, values, _forward()[0], inverse=False)


def _aesenclast(domain: Domain, values: Sequence[Value]) -> Value:
    return _round(domain, values, _forward()[1], inverse=False)


def _aesdec(domain: Domain, values: Sequence[Value]) -> Value:
    return _round(domain, values, _backward()[0], inverse=True)


def _aesdeclast(domain: Domain, values: Sequence[Value]) -> Value:
    return _round(domain, values, _backward()[1], inverse=True)


def _aesimc(domain: Domain, values: Sequence[Value]) -> Value:
    return domain.linear(values[0], _backward()[2])


def _aeskeygenassist(domain: Domain, values: Sequence[Value]) -> Value | None:
    """SubWord of words 1 and 3, each also rotated by a byte and with the constant added."""
    words, factor = _substituted(domain, values[0], inverse=False), values[1]
    if not isinstance(factor, int):
        return None
    order = (4, 5, 6, 7, 5, 6, 7, 4, 12, 13, 14, 15, 13, 14, 15, 12)
    chosen = domain.linear(words, _selected(order))
    return domain.xor(chosen, factor << 32 | factor << 96, 8 * _BYTES)


def _pshufb(domain: Domain, values: Sequence[Value]) -> Value | None:
    """Bytes of the first by the low bits of the second's; 0 where its top bit is 1."""
    value, order = values
    if not isinstance(order, int):
        return None
    wanted = order.to_bytes(_BYTES, "little")
    return domain.linear(value, _selected(tuple(-1 if one & 0x80 else one & 15 for one in wanted)))


@cache
def _selected(order: tuple[int, ...]) -> _Rows:
    """Masks that choose bytes by number; -1 is a byte of zeros."""
    return tuple(0 if at < 0 else 1 << 8 * at + bit for at in order for bit in range(8))


SPECIAL: Final[dict[str, Callable[[Domain, Sequence[Value]], Value | None]]] = {
    "aesenc": _aesenc,
    "aesenclast": _aesenclast,
    "aesdec": _aesdec,
    "aesdeclast": _aesdeclast,
    "aesimc": _aesimc,
    "aeskeygenassist": _aeskeygenassist,
    "pshufb": _pshufb,
}
"""What each makes of its operands, by SLEIGH's name; None: of these nobody knows."""
