# SPDX-License-Identifier: MIT
"""RV32I (E31, PicoRV32, VexRiscv): registers, costs, text.

Code serves all three, so an instruction costs what it takes on them together.  There are no
rotations: a rotated word is made of two shifts and a sum, once for all operations that use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, Final

from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.emulator.timing.model import Step, Window
from aesfit.rigs.emulator.timing.picorv32 import MODEL as PICORV32
from aesfit.rigs.emulator.timing.sifive_e31 import MODEL as E31
from aesfit.rigs.emulator.timing.vexriscv import MODEL as VEXRISCV

from ..anneal import Heat
from ..program import Operation, Word, Writer
from .costs import Costs

NAME: Final = "rv32"
KEY_POINTER: Final = "a0"
REGISTERS: Final = (
    "ra", "t0", "t1", "t2", "s0", "s1", *(f"a{i}" for i in range(1, 8)),
    *(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7)),
)  # fmt: skip
"""All but those of stack, globals, thread, and the key pointer."""
HEAT: Final = Heat(steps=1_000_000, hot=3.0, cold=0.6, excess=4.0, dearer=8.0)
_MODELS: Final = (E31, PICORV32, VEXRISCV)
_NAMES: Final[dict[str, tuple[str, Kind]]] = {
    "alu": ("xor", "alu"),
    "shift": ("slli", "alu"),
    "load": ("lw", "load"),
    "store": ("sw", "store"),
}


def _step(name: str, reads: str = "x6") -> Step:
    mnemonic, kind = _NAMES[name]
    memory = kind != "alu"
    return Step(
        Instruction(
            address=0,
            size=4,
            text=f"{mnemonic} x5",
            name=mnemonic,
            kind=kind,
            reads=frozenset({"x2"} if kind == "load" else {reads, "x2"} if memory else {reads}),
            writes=frozenset() if kind == "store" else frozenset({"x5"}),
            address_registers=frozenset({"x2"}) if memory else frozenset(),
            access_bytes=4 if memory else 0,
            immediate=0,
        ),
        executed=True,
        memories=frozenset({"ram"}) if memory else frozenset(),
    )


def _price(name: str, before: str = "alu", reads: str = "x6") -> int:
    window = Window(_step(name, reads), (_step("alu"), _step(before)))
    return sum(model.price(window) for model in _MODELS)


@cache
def costs() -> Costs:
    """The timing models' answers."""
    cycles = {kind: _price(kind) for kind in _NAMES}
    waits = {
        (before, kind): _price(kind, before, reads="x5") - cycles[kind]
        for before in ("load", "shift", "alu")
        for kind in ("alu", "shift", "store")
    }
    return Costs(cycles, waits={pair: wait for pair, wait in waits.items() if wait})


@dataclass
class RvWriter(Writer):
    """Rotated words are made when an operation uses them, masks are values in memory."""

    first_inputs: ClassVar[tuple[str, ...]] = ()
    made: dict[Word, Word] = field(default_factory=dict)

    def _whole(self, word: Word) -> Word:
        """The word without a rotation that is still to be made."""
        if word.ror == 0:
            return word
        if word not in self.made:
            low = self._append("lsr", word.name, amount=word.ror)
            high = self._append("lsl", word.name, amount=32 - word.ror)
            self.made[word] = Word(self._append("eor", low, high))
        return self.made[word]

    def keys(self) -> Iterator[Word]:
        """The words of the round key, one after the other."""
        return (Word(self._append("word", immediate=index)) for index in range(8))

    def xor(self, first: Word, *others: Word) -> Word:
        """The sum."""
        return super().xor(self._whole(first), *map(self._whole, others))

    def mask(self, word: Word, mask: int) -> Word:
        """The bits of the word at which the mask has ones."""
        name = f"m{mask:08x}"
        self.constants[name] = mask
        return Word(self._append("and", self._whole(word).name, name))

    def rotated_bytes(self, word: Word, amount: int) -> Word:
        """Every byte rotated to the right: its lower bits are moved up, the rest of it down."""
        whole = self._whole(word)
        low = self.mask(whole, ((1 << amount) - 1) * 0x01010101)
        high = self.xor(whole, low)
        up = Word(self._append("lsl", low.name, amount=8 - amount))
        return self.xor(Word(self._append("lsr", high.name, amount=amount)), up)

    def xor_shifted(self, a: Word, b: Word, shift: str, amount: int) -> Word:
        """The sum of a and b, b shifted to the left or right with zeros following."""
        moved = self._append(shift, self._whole(b).name, amount=amount)
        return self.xor(a, Word(moved))


def operation(one: Operation, out: str, a: str, b: str, offset: int) -> str:
    """The text of an operation on registers; the round key lies `offset` bytes from its pointer."""
    if one.name == "word":
        return f"lw {out}, {offset + 4 * one.immediate}({KEY_POINTER})"
    if one.name in ("lsl", "lsr"):
        return f"{'slli' if one.name == 'lsl' else 'srli'} {out}, {a}, {one.amount}"
    return f"{'xor' if one.name == 'eor' else one.name} {out}, {a}, {b}"


def load(register: str, offset: int) -> str:
    """A word of the stack frame into a register."""
    return f"lw {register}, {offset}(sp)"


def store(register: str, offset: int) -> str:
    """A register into the stack frame."""
    return f"sw {register}, {offset}(sp)"


def constant(register: str, value: int) -> tuple[str, str]:
    """A word into a register: the upper 20 bits, and 12 that are signed."""
    upper = (value + 0x800) >> 12
    return (
        f"lui {register}, 0x{upper & 0xFFFFF:x}",
        f"addi {register}, {register}, {value - (upper << 12)}",
    )


def move(out: str, register: str) -> str:
    """A copy."""
    return f"mv {out}, {register}"
