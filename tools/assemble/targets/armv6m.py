# SPDX-License-Identifier: MIT
"""ARMv6-M (Cortex-M0, M0+): registers, costs, text.

Operations reach eight low registers and write their first operand; values move to and from the high
registers by MOV.  A rotation takes its amount from a register.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, Final

from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.emulator.timing.cortex_m0 import MODEL as CORTEX_M0
from aesfit.rigs.emulator.timing.cortex_m0plus import MODEL as CORTEX_M0PLUS
from aesfit.rigs.emulator.timing.model import Step, Window

from ..anneal import Heat
from ..program import KEY, Operation, Word, Writer
from .costs import FIRST_DIES, FREE, ONE_DIES, Costs

NAME: Final = "armv6m"
REGISTERS: Final = tuple(f"r{i}" for i in range(8))
FURTHER: Final = (*(f"r{i}" for i in range(8, 13)), "r14")
"""Registers that MOV alone reaches."""
FAR_WORDS: Final = (4, 5, 6, 7)
"""Words of the state that are there between rounds."""
HEAT: Final = Heat(steps=2_000_000, hot=2.0, cold=0.25, excess=1.0, dearer=4.0)
EITHER: Final = ("eor", "and", "orr", "mul")
"""Operations that may write either operand's register."""
_MODELS: Final = (CORTEX_M0, CORTEX_M0PLUS)
_NAMES: Final[dict[str, tuple[str, Kind]]] = {
    "alu": ("eor", "alu"),
    "in": ("mov", "alu"),
    "out": ("mov", "alu"),
    "load": ("ldr", "load"),
    "store": ("str", "store"),
}


def _price(name: str) -> int:
    mnemonic, kind = _NAMES[name]
    memory = kind != "alu"
    this = Instruction(
        address=0,
        size=2,
        text=mnemonic,
        name=mnemonic,
        kind=kind,
        reads=frozenset({"r1", "r13"}),
        writes=frozenset({"r1"} if kind != "store" else ()),
        address_registers=frozenset({"r13"}) if memory else frozenset(),
        access_bytes=4 if memory else 0,
    )
    memories = frozenset({"ram"}) if memory else frozenset()
    window = Window(Step(this, executed=True, memories=memories), ())
    return sum(model.price(window) for model in _MODELS)


@cache
def costs() -> Costs:
    """The timing models' answers."""
    return Costs({kind: _price(kind) for kind in _NAMES}, copy=_price("in"))


def destroyed(one: Operation) -> int:
    """Which operand's register takes the result."""
    if one.name in EITHER:
        return ONE_DIES if one.b else FREE
    return FIRST_DIES if one.name in ("ror", "point") else FREE


@dataclass
class ThumbWriter(Writer):
    """Rotations are operations; masks are values in memory, and amounts are made when needed."""

    first_inputs: ClassVar[tuple[str, ...]] = ()
    made: dict[Word, Word] = field(default_factory=dict)
    amounts: dict[int, str] = field(default_factory=dict)
    pointer: str = ""

    def _whole(self, word: Word) -> Word:
        """The word without a rotation that is still to be made."""
        if word.ror == 0:
            return word
        if word.ror not in self.amounts:
            self.amounts[word.ror] = self._append("mov", immediate=word.ror)
        if word not in self.made:
            self.made[word] = Word(self._append("ror", word.name, self.amounts[word.ror]))
        return self.made[word]

    def keys(self) -> Iterator[Word]:
        """The words of the round key, one after the other."""
        self.pointer = self._append("point", KEY)
        return (Word(self._append("key", self.pointer, immediate=i)) for i in range(8))

    def xor(self, first: Word, *others: Word) -> Word:
        """The sum."""
        return super().xor(self._whole(first), *map(self._whole, others))

    def mask(self, word: Word, mask: int) -> Word:
        """The bits of the word at which the mask has ones."""
        name = f"m{mask:08x}"
        self.constants[name] = mask
        return Word(self._append("and", self._whole(word).name, name))

    def rotated_bytes(self, word: Word, amount: int) -> Word:
        """Every byte rotated to the right: its upper and lower bits, rotated 8 bits apart."""
        whole = self._whole(word)
        low = self.mask(whole, ((1 << amount) - 1) * 0x01010101)
        return self.xor(self.xor(whole, low), low.rotated(24)).rotated(amount)

    def xor_shifted(self, a: Word, b: Word, shift: str, amount: int) -> Word:
        """The sum of a and b, b shifted to the left or right with zeros following."""
        moved = self._append(shift, self._whole(b).name, amount=amount)
        return self.xor(a, Word(moved))


def operation(one: Operation, out: str, a: str, b: str, offset: int) -> list[str]:
    """The text of an operation on registers; the round key lies `offset` bytes behind its pointer.

    Where no operand's register takes the result, the first is copied there.
    """
    if one.name == "mov":
        return [f"movs {out}, #{one.immediate}"]
    if one.name == "key":
        return [f"ldr {out}, [{a}, #{4 * one.immediate}]"]
    if one.name in ("lsl", "lsr"):
        return [f"{one.name}s {out}, {a}, #{one.amount}"]
    if one.name == "and" and not one.b:
        return [f"uxth {out}, {a}"]
    if one.name in EITHER and out == b:
        a, b = b, a
    second = f"#{offset}" if one.name == "point" else b
    mnemonic = "adds" if one.name == "point" else f"{one.name}s"
    copy = [] if out == a else [move(out, a)]
    again = f", {out}" if one.name == "mul" else ""
    return [*copy, f"{mnemonic} {out}, {second}{again}"]


def load(register: str, offset: int) -> str:
    """A word of the stack frame into a register."""
    return f"ldr {register}, [sp, #{offset}]"


def store(register: str, offset: int) -> str:
    """A register into the stack frame."""
    return f"str {register}, [sp, #{offset}]"


def move(out: str, register: str) -> str:
    """A copy."""
    return f"mov {out}, {register}"
