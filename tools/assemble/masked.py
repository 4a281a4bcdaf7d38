# SPDX-License-Identifier: MIT
"""Writes circuits on two shares as ARMv7-M code whose observations in a model depend on no secret.

A gate is written with what it shows: each value, what its register held before, the operand
latches, the data bus and the memory (docs/power.md).  The domain of `aesfit prove --masked` judges
all of it for one lane, and where a transition is not proved another register or order is taken, or
the place is cleared with a public pointer.  The assembled image has to be proved by itself.

An AND takes a fresh random word (domain-oriented masking, Gross, Mangard and Korak 2016).

    PYTHONPATH=tools python -m assemble.masked > masked_sbox.s

writes masked_sbox(share0, share1, random): two times eight words, bit b of 32 bytes in word b, and
32 random words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from make_sbox_circuit import FORWARD, build

from aesfit.proving.masked.sharing import Sharing

REGISTERS = (*(f"r{number}" for number in range(3, 13)), "lr")
"""Those that values lie in; r0 and r1 point to the shares, r2 to random words."""
PUBLIC = "r2"
"""What clears a place: a pointer is no secret."""
CONSTANT = (0, 1, 5, 6)
"""Bits of 0x63."""
NEVER = 1 << 30
Slot = tuple[str, int]
"""Base and offset."""
Step = tuple[str, str, str, str]
"""Mnemonic, result, operands."""


class LeakError(ValueError):
    """A value depends on a secret, wherever it is put."""


@dataclass
class MaskedWriter:
    """Registers, latches, bus and memory as they are after the lines that were written."""

    domain: Sharing = field(default_factory=Sharing)
    lines: list[str] = field(default_factory=list)
    forms: dict[str, int] = field(default_factory=dict)
    """Of one lane of each value."""
    where: dict[str, str] = field(default_factory=dict)
    """Registers of values."""
    slots: dict[str, Slot] = field(default_factory=dict)
    """Memory of values."""
    uses: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the steps that need a value."""
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REGISTERS, 0))
    """What registers hold, dead values too; 0: what is public,"""
    memory: dict[Slot, int] = field(default_factory=dict)
    """and what memory does."""
    latches: tuple[int, int] = 0, 0
    bus: int = 0
    step: int = 0

    def fine(self, *forms: int) -> bool:
        """No bit depends on a secret."""
        return all(self.domain.verdict(form) == "proved" for form in forms if form > 1)

    # --- places are cleared

    def clear(self, register: str) -> None:
        """Put what is public into a register, which the first latch holds then too."""
        self.lines.append(f"mov.w {register}, {PUBLIC}")
        self.latches, self.held[register] = (0, self.latches[1]), 0

    def clear_latches(self) -> None:
        """Both."""
        self.lines.append(f"cmp {PUBLIC}, {PUBLIC}")
        self.latches = 0, 0

    def clear_memory(self, slot: Slot) -> None:
        """Memory, bus and latches."""
        self.lines.append(f"str {PUBLIC}, [{slot[0]}, #{slot[1]}]")
        self.latches, self.bus, self.memory[slot] = (0, 0), 0, 0

    # --- registers

    def next_use(self, value: str) -> int:
        """Number of the next step that needs a value."""
        return next((at for at in self.uses.get(value, ()) if at >= self.step), NEVER)

    def free(self) -> list[str]:
        """Registers without a value that is needed."""
        held = set(self.where.values())
        return [one for one in REGISTERS if one not in held]

    def make_room(self, needed: Sequence[str]) -> None:
        """Free a register; what lies in memory is taken a little earlier."""
        if self.free():
            return
        others = [one for one in self.where if one not in needed]
        value = max(others, key=lambda one: self.next_use(one) + 3 * (one in self.slots))
        if value not in self.slots and self.next_use(value) < NEVER:
            self.slots[value] = self._slot_for(self.forms[value])
            self.store(value, self.slots[value])
        del self.where[value]

    def _slot_for(self, form: int) -> Slot:
        """A word of the stack whose old value may be seen beside this one."""
        taken = set(self.slots.values())
        own = [slot for slot in self.memory if slot[0] == "sp"]
        for slot in own[1:]:  # the first clears the bus
            if slot not in taken and self.fine(self.memory[slot] ^ form):
                return slot
        self.memory["sp", 4 * len(own)] = 0
        return "sp", 4 * len(own)

    def drop(self, value: str) -> None:
        """Forget a value that no step needs."""
        if self.next_use(value) == NEVER:
            self.where.pop(value, None)
            self.slots.pop(value, None)

    # --- instructions

    def store(self, value: str, slot: Slot) -> None:
        """Put a value into memory."""
        form = self.forms[value]
        if not self.fine(self.memory.get(slot, 0) ^ form, self.bus ^ form):
            self.clear_memory(slot)
        if not self.fine(self.latches[1] ^ form):
            self.clear_latches()
        self.lines.append(f"str {self.where[value]}, [{slot[0]}, #{slot[1]}]")
        self.latches, self.bus, self.memory[slot] = (0, form), form, form

    def need(self, value: str, beside: Sequence[str]) -> None:
        """Have a value in a register."""
        if value in self.where:
            return
        form, slot = self.forms[value], self.slots[value]
        self.make_room(beside)
        if not self.fine(self.bus ^ form):
            self.clear_memory(("sp", 0))
        register = next(
            (one for one in self.free() if self.fine(self.held[one] ^ form)), self.free()[0]
        )
        if not self.fine(self.held[register] ^ form):
            self.clear(register)
        self.lines.append(f"ldr {register}, [{slot[0]}, #{slot[1]}]")
        self.latches, self.bus = (0, self.latches[1]), form
        self.held[register], self.where[value] = form, register

    def write(self, name: str, result: str, a: str, b: str) -> None:
        """AND or exclusive OR of two values."""
        for one in (a, b):
            self.need(one, (a, b))
        x, y = self.forms[a], self.forms[b]
        form = x ^ y if name == "eor" else self.domain.atoms.product(x, y)
        if not self.fine(form):
            raise LeakError(f"{result} = {a} {name} {b} depends on a secret by itself")
        self.step += 1
        dying = [self.where[one] for one in dict.fromkeys((a, b)) if self.next_use(one) == NEVER]
        if not dying:
            self.make_room((a, b))
        self._write(name, (a, b), form, dying, result)

    def _write(
        self, name: str, operands: tuple[str, str], form: int, dying: list[str], result: str
    ) -> None:
        for remedy in (self.free, self._clear_one, self.clear_latches):
            remedy()
            found = next(self._ways(operands, form, [*dying, *self.free()]), None)
            if found is not None:
                break
        else:
            self.make_room(operands)
            self.clear(self.free()[0])
            self.clear_latches()
            found = next(self._ways(operands, form, self.free()))
        target, (a, b) = found
        self.lines.append(f"{name}.w {target}, {self.where[a]}, {self.where[b]}")
        self.latches = self.forms[a], self.forms[b]
        self.held[target], self.forms[result] = form, form
        for one in operands:
            self.drop(one)
        self.where[result] = target

    def _clear_one(self) -> None:
        if self.free():
            self.clear(self.free()[0])

    def _ways(
        self, operands: tuple[str, str], form: int, targets: Sequence[str]
    ) -> Iterator[tuple[str, tuple[str, str]]]:
        """Orders of the operands and registers of the result that show nothing."""
        for (a, b), target in product((operands, operands[::-1]), targets):
            first, second = self.latches[0] ^ self.forms[a], self.latches[1] ^ self.forms[b]
            if self.fine(first, second, self.held[target] ^ form):
                yield target, (a, b)

    def complement(self, value: str) -> None:
        """Of one share, which complements the secret."""
        form, register = self.forms[value], self.where[value]
        if not self.fine(self.latches[0] ^ form):
            self.clear_latches()
        self.lines.append(f"mvn.w {register}, {register}")
        self.latches = form, self.latches[1]
        self.held[register] = self.forms[value] = form ^ 1


def shared_gates() -> tuple[list[Step], tuple[str, ...], int]:
    """The S-box on shares, its outputs, and how many random words it takes."""
    circuit, steps, words = build(False, FORWARD), [], 0
    for gate in circuit.gates:
        out, a, b = gate.out, gate.a, gate.b
        if not gate.is_and:
            steps += [("eor", out + share, a + share, b + share) for share in "01"]
            continue
        for share, other in ("01", "10"):
            cross = f"{out}_{share}"
            steps += [
                ("and", f"{cross}c", a + share, b + other),
                ("eor", f"{cross}m", f"{cross}c", f"random{words}"),
                ("and", f"{cross}o", a + share, b + share),
                ("eor", out + share, f"{cross}o", f"{cross}m"),
            ]
        words += 1
    return steps, circuit.outputs, words


def masked_sbox() -> list[str]:
    """Lines of SubBytes on 32 lanes, in place, which leave nothing on the stack."""
    one = MaskedWriter()
    substituted(one, constant=True)
    return framed(one)


def substituted(one: MaskedWriter, *, constant: bool) -> None:
    """Write the S-box, with the constant 0x63 or without."""
    steps, outputs, words = shared_gates()
    for at, (_, _, *operands) in enumerate(steps):
        for value in operands:
            one.uses.setdefault(value, []).append(at)
    for at, (name, share) in enumerate(product(outputs, "01")):
        one.uses.setdefault(name + share, []).append(len(steps) + at)
    _begin(one, words)
    for step in steps:
        one.write(*step)
    for at, (name, share) in enumerate(product(outputs, "01")):
        value, bit = name + share, at // 2
        one.need(value, ())
        if constant and share == "0" and bit in CONSTANT:
            one.complement(value)
        one.store(value, (f"r{share}", 4 * bit))
        one.step += 1
        one.drop(value)


def _begin(one: MaskedWriter, words: int) -> None:
    """The arguments: shares, random words, and a word of the stack that clears the bus."""
    one.memory["sp", 0] = 0
    for bit, share in product(range(8), "01"):
        (form,) = one.domain.bits(one.domain.variable(1, [("x", bit)]), 1)
        value, slot = f"q{bit}{share}", (f"r{share}", 4 * bit)
        one.forms[value], one.slots[value], one.memory[slot] = form, slot, form
    for at in range(words):
        (form,) = one.domain.bits(one.domain.variable(1, [None]), 1)
        one.forms[f"random{at}"], one.slots[f"random{at}"] = form, (PUBLIC, 4 * at)


def framed(one: MaskedWriter) -> list[str]:
    """With the frame, which is overwritten in the end as are the registers."""
    own = sorted(slot for slot in one.memory if slot[0] == "sp")
    size = -(-4 * len(own) // 8) * 8 + 4  # nine registers are saved
    for slot in own:
        one.clear_memory(slot)
    for register in ("r3", "r12"):
        one.clear(register)
    return [
        "push {r4-r11, lr}", f"sub sp, #{size}", *one.lines, f"add sp, #{size}", "pop {r4-r11, pc}"
    ]  # fmt: skip


def function(name: str, lines: Sequence[str]) -> str:
    """A function of the assembler."""
    body = "".join(f"    {line}\n" for line in lines)
    head = f".syntax unified\n.thumb\n.text\n.global {name}\n.type {name}, %function\n{name}:\n"
    return f"{head}{body}    .size {name}, . - {name}\n"


if __name__ == "__main__":
    print(function("masked_sbox", masked_sbox()), end="")
