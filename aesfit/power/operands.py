# SPDX-License-Identifier: MIT
"""What an instruction puts on latches, registers and the data bus, as the decoder describes it.

The two operand latches hold source registers in the assembler's order; the base of a memory access
is the first, and the index of a load, or what a store writes, is the second.
"""

import re
from dataclasses import dataclass

from ..rigs.emulator.instruction import Instruction

_ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "sp": "r13", "lr": "r14"}
_RISCV = {
    **{"zero": 0, "ra": 1, "sp": 2, "gp": 3, "tp": 4, "t0": 5, "t1": 6, "t2": 7, "s0": 8, "fp": 8},
    **{"s1": 9, **{f"a{n}": 10 + n for n in range(8)}},
    **{**{f"s{n}": 16 + n for n in range(2, 12)}, **{f"t{n}": 25 + n for n in range(3, 7)}},
}
_NAMES = {
    **{f"x{number}": name for name, number in reversed(_RISCV.items())},
    **{"r13": "sp", "r14": "lr"},
}
_WORD = re.compile(r"[a-z][a-z0-9]*")
_UNARY = frozenset({"mov", "mvn", "rev", "rev16", "rbit", "clz", "uxtb", "uxth", "sxtb", "sxth"})
"""Names whose first operand is never a source."""
_LOADS = ("load", "load-many", "load-exclusive")
_STORES = ("store", "store-many", "store-exclusive")
NOWHERE = frozenset({"r15", "x0"})
"""Registers of which no values are kept."""


@dataclass(frozen=True)
class Uses:
    """Registers of one instruction, by the names of Instruction."""

    latches: tuple[str | None, str | None]
    """First and second operand."""
    writes: tuple[str, ...]
    loads: tuple[str, ...]
    """Registers that the data bus brings, in order."""
    stores: tuple[str, ...]
    """Registers that go over the data bus, in order."""
    width: int
    """Bytes of one access."""


def shown(name: str) -> str:
    """A register as the assembler and a proof call it."""
    return _NAMES.get(name, name)


def uses(one: Instruction) -> Uses:
    """What the instruction uses if it is executed."""
    writes = tuple(sorted(one.writes - NOWHERE, key=_number))
    loads: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    sources = _sources(one)
    if one.kind in _LOADS or one.kind in _STORES:
        moved = tuple(one.listed or _named(one)[:1])
        loads, stores = (moved, ()) if one.kind in _LOADS else ((), moved)
        sources = _addressing(one, stores)
    first, second = (*sources, None, None)[:2]
    return Uses((first, second), writes, loads, stores, one.access_bytes)


def _addressing(one: Instruction, stores: tuple[str, ...]) -> list[str | None]:
    """Base, and index or what is stored."""
    inside = [name for name in _named(one) if name in one.address_registers]
    if one.listed or not inside:
        return [next(iter(one.address_registers - NOWHERE), None)]
    index = inside[-1:] if one.indexed else []
    second = [name for name in stores[:1] if name not in NOWHERE] if stores else index
    return [inside[-2] if len(inside) > 1 and index else inside[-1], *second]


def _number(name: str) -> int:
    return int(name[1:])


def _named(one: Instruction) -> list[str]:
    """Registers in the order of the text."""
    riscv = any(name[0] == "x" for name in one.reads | one.writes)
    words = _WORD.findall(one.text.partition(" ")[2])
    if riscv:
        return [f"x{_RISCV[word]}" for word in words if word in _RISCV]
    names = [_ALIASES.get(word, word) for word in words]
    return [name for name in names if re.fullmatch(r"r\d+", name)]


def _sources(one: Instruction) -> list[str | None]:
    """Register sources of what is no memory access."""
    named, written = _named(one), one.writes - NOWHERE
    operands = one.text.partition(" ")[2].count(",") + 1
    shifts = len(re.findall(r", *(lsl|lsr|asr|ror|rrx)\b", one.text))
    apart = operands - shifts > 2 or one.name in _UNARY
    if named and named[0] in written and (apart or named[0] not in one.reads):
        named = named[2 if one.kind == "multiply-long" and one.name[1:] == "mull" else 1 :]
    return [name for name in named if name in one.reads and name not in NOWHERE]
