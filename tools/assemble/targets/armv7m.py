# SPDX-License-Identifier: MIT
"""ARMv7-M (Cortex-M3, Cortex-M4): registers, costs, text.

All instructions have 32 bits, so each begins at a word: three in a row that straddle words cost a
cycle, and none of those that are left changes the flags, which carry a loop's verdict through it.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.emulator.timing.cortex_m3 import MODEL
from aesfit.rigs.emulator.timing.model import Step, Window

from ..program import Operation

NAME: Final = "armv7m"
REGISTERS: Final = (*(f"r{i}" for i in range(13)), "r14")
"""All but the stack pointer and the program counter."""

_READS: Final = {"alu": {"r1", "r2"}, "load": {"r13"}, "store": {"r1", "r13"}}
_NAMES: Final = {"alu": "eor", "load": "ldr", "store": "str"}
_MEMORY: Final = frozenset({"ram"})


def _step(kind: Kind, base: str) -> Step:
    memory = kind != "alu"
    return Step(
        Instruction(
            address=0,
            size=4,
            text=kind,
            name=_NAMES[kind],
            kind=kind,
            reads=frozenset(_READS[kind] | ({base} if memory else set())),
            writes=frozenset() if kind == "store" else frozenset({"r0"}),
            address_registers=frozenset({base}) if memory else frozenset(),
            access_bytes=4 if memory else 0,
        ),
        executed=True,
        memories=_MEMORY if memory else frozenset(),
    )


@cache
def costs() -> dict[tuple[str, str, bool], int]:
    """Cycles of an operation (alu), a load or a store: the timing model's answers.

    By kind, kind of what stands before it, and whether that loaded its address.
    """
    kinds: tuple[Kind, ...] = ("alu", "load", "store")
    found: dict[tuple[str, str, bool], int] = {}
    for kind, before, address_from_last in product(kinds, kinds, (False, True)):
        base = "r0" if address_from_last else "r13"
        steps = (*(_step("alu", "r13"),) * 3, _step(before, "r13"))
        found[kind, before, address_from_last] = MODEL.price(Window(_step(kind, base), steps))
    return found


def operation(one: Operation, out: str, a: str, b: str, offset: int) -> str:
    """The text of an operation on registers; a word of the key lies `offset` bytes from `a`."""
    if one.name == "key":
        return f"ldr.w {out}, [{a}, #{offset}]"
    if not b:
        return f"{one.name}.w {out}, {a}, #0x{one.immediate:08x}"
    shift = f", {one.shift} #{one.amount}" if one.amount else ""
    return f"{one.name}.w {out}, {a}, {b}{shift}"


def load(register: str, offset: int) -> str:
    """A word of the stack frame into a register."""
    return f"ldr.w {register}, [sp, #{offset}]"


def store(register: str, offset: int) -> str:
    """A register into the stack frame."""
    return f"str.w {register}, [sp, #{offset}]"


def move(out: str, register: str) -> str:
    """A copy."""
    return f"mov.w {out}, {register}"
