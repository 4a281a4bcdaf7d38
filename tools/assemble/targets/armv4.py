# SPDX-License-Identifier: MIT
"""ARMv4 in ARM state (ARM7TDMI, ARM9TDMI): registers, costs, text.

Code serves both processors, so an instruction costs what it takes on one and on the other together.
Stores that follow one another are pushed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.emulator.timing.arm7tdmi import MODEL as ARM7TDMI
from aesfit.rigs.emulator.timing.arm9tdmi import MODEL as ARM9TDMI
from aesfit.rigs.emulator.timing.model import Step, Window

from ..anneal import Heat
from ..program import WORD_MASK, Operation, Word, Writer, rotate_right
from .costs import Costs

NAME: Final = "armv4"
REGISTERS: Final = (*(f"r{i}" for i in range(13)), "r14")
"""All but the stack pointer and the program counter."""
HEAT: Final = Heat()
GROUPS: Final = ((0, 1, 2, 3), (4, 5, 6, 7))
"""Words of the round key that are loaded at once: those up to the pointer, and those behind it."""
POINTER: Final = 12
"""Offset of the word of the round key that the pointer stands at."""
_PERIODIC: Final = (0x03030303, 0x0F0F0F0F, 0x33333333, 0x55555555)
_MODELS: Final = (ARM7TDMI, ARM9TDMI)
_MEMORY: Final = frozenset({"ram"})
_NAMES: Final[dict[str, tuple[str, Kind, int]]] = {
    "alu": ("eor", "alu", 0),
    "load": ("ldr", "load", 0),
    "store": ("str", "store", 0),
    "keys": ("ldm", "load-many", len(GROUPS[0])),
    "stores": ("stm", "store-many", 2),
}


def _step(name: str, reads: str = "r5") -> Step:
    mnemonic, kind, transfers = _NAMES[name]
    loads = kind in ("load", "load-many")
    return Step(
        Instruction(
            address=0,
            size=4,
            text=f"{mnemonic} r4, [sp]",
            name=mnemonic,
            kind=kind,
            reads=frozenset({reads}) if not loads else frozenset({"r13"}),
            writes=frozenset({"r1", "r2", "r3", "r4"} if transfers and loads else {"r4"}),
            address_registers=frozenset({"r13"}) if kind != "alu" else frozenset(),
            access_bytes=4 if kind != "alu" else 0,
            transfers=transfers,
        ),
        executed=True,
        memories=_MEMORY if kind != "alu" else frozenset(),
    )


def _price(name: str, before: str = "alu", reads: str = "r5") -> int:
    """On both processors together."""
    window = Window(_step(name, reads), (_step("alu"), _step(before)))
    return sum(model.price(window) for model in _MODELS)


@cache
def costs() -> Costs:
    """The timing models' answers."""
    cycles = {kind: _price(kind) for kind in ("alu", "load", "store", "keys")}
    waits = {
        (before, kind): _price(kind, before, reads="r4") - cycles[kind]
        for before in ("load", "keys")
        for kind in ("alu", "store")
    }
    together = {("store", "store"): _price("stores") - 2 * cycles["store"]}
    return Costs(cycles, together, waits)


def encodable(value: int) -> bool:
    """Eight bits, rotated by an even amount."""
    return any(rotate_right(value, amount) < 256 for amount in range(0, 32, 2))


class ArmWriter(Writer):
    """Masks are values in memory; the round key comes in groups."""

    def mask(self, word: Word, mask: int) -> Word:
        """A mask or its complement, rotated as need be."""
        moved = rotate_right(mask, -word.ror)
        for name, wanted in (("and", moved), ("bic", moved ^ WORD_MASK)):
            if encodable(wanted):
                return Word(self._append(name, word.name, immediate=wanted), word.ror)
            for constant in _PERIODIC:
                for amount in range(0, 8, 2 if constant != _PERIODIC[-1] else 1):
                    if rotate_right(constant, amount) == wanted:
                        mask_name = f"m{constant:08x}"
                        self.constants[mask_name] = constant
                        out = self._append(name, word.name, mask_name, amount=amount)
                        return Word(out, word.ror)
        raise ValueError(f"no mask {mask:#010x}")

    def keys(self) -> Iterator[Word]:
        """The words of the round key, group by group."""
        pointer = self._append("point")
        for group in GROUPS:
            more = tuple(next(self.names) for _ in group[1:])
            first = self._append("keys", pointer, immediate=group[0], more=more)
            yield from (Word(name) for name in (first, *more))


def operation(one: Operation, outs: tuple[str, ...], a: str, b: str, offset: int) -> str:
    """The text of an operation on registers.

    The round key lies `offset` bytes behind the pointer that is kept in memory.
    """
    if one.name == "point":
        return f"add {outs[0]}, {a}, #{offset + POINTER}"
    if one.name == "keys":
        return f"{'ldmib' if one.immediate else 'ldmda'} {a}, {listed(outs)}"
    if one.name == "key":
        return f"ldr {outs[0]}, [{a}, #{4 * one.immediate - POINTER}]"
    if not b:
        return f"{one.name} {outs[0]}, {a}, #0x{one.immediate:08x}"
    shift = f", {one.shift} #{one.amount}" if one.amount else ""
    return f"{one.name} {outs[0]}, {a}, {b}{shift}"


def listed(registers: Iterable[str]) -> str:
    """Registers of a multiple load or store, in the order in which they lie in memory."""
    return "{" + ", ".join(sorted(registers, key=REGISTERS.index)) + "}"


def load(register: str, offset: int) -> str:
    """A word of the stack into a register."""
    return f"ldr {register}, [sp, #{offset}]"


def push(registers: Sequence[str]) -> str:
    """Registers onto the stack."""
    return f"str {registers[0]}, [sp, #-4]!" if len(registers) == 1 else f"push {listed(registers)}"


def move(out: str, register: str) -> str:
    """A copy."""
    return f"mov {out}, {register}"
