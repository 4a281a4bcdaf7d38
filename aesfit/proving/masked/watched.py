# SPDX-License-Identifier: MIT
"""An executor that keeps what a model of power sees of each instruction.

It takes registers, latches and transfers from P-code and SLEIGH's text; aesfit/power takes them
from the decoder of timing rules.  A test compares the two.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ..cells import Cells
from ..code import Code
from ..domain import Unwritten, Value
from ..executor import Executor
from ..lifter import REGISTER, Lifted, PcodeOperation, Place
from ..state import Extent, State
from .sharing import Sharing

Statement = Literal["VALUE", "REGISTER", "BUS", "OPERAND", "CELL"]
STATEMENTS: Final[tuple[Statement, ...]] = ("VALUE", "REGISTER", "BUS", "OPERAND", "CELL")
_WORD: Final = 4
"""Bytes of the data bus."""
_SHIFT = re.compile(r" *(ls[lr]|asr|ror|rrx)")
_ONE_SOURCE = re.compile(r"(mov|mvn|rev|rev16|rbit|clz|[us]xt[bh])s?(\.\w+)*$")


@dataclass(frozen=True)
class Seen:
    """One observation: a value, or what a place held before and holds now."""

    kind: Statement
    address: int
    place: str
    old: Value
    new: Value
    width: int


@dataclass(frozen=True)
class _Moved:
    """One access to memory."""

    address: int
    size: int
    old: Value
    new: Value
    stores: bool


class WholeCode(Code):
    """Instructions with all that they compute: a comparison that nobody uses has operands too."""

    def _learn(self, address: int) -> None:
        self._known[address] = self._lifted(address), self._flags


class WatchedExecutor(Executor):
    """Notes what each instruction shows.

    What nobody wrote is a constant of its own, byte by byte: beside it others may be secret.
    """

    def __init__(self, code: Code, domain: Sharing, *, stack: Extent) -> None:
        """Nothing was seen yet; a branch on a secret ends the run."""
        super().__init__(code, domain, stack=stack, strict=True)
        self._sharing = domain
        self._unset: dict[tuple[str, int], Value] = {}

    def fresh(self) -> State:
        """Nothing is written but the image."""
        registers = Cells(self.domain, lambda offset: self._constant("register", offset))
        return State(registers, Cells(self.domain, self._from_image), Cells(self.domain))

    def _from_image(self, address: int) -> Value:
        found = super()._from_image(address)
        return self._constant("stack", address) if isinstance(found, Unwritten) else found

    def _constant(self, space: str, offset: int) -> Value:
        """What a byte holds that nobody wrote."""
        if (space, offset) not in self._unset:
            self._unset[space, offset] = self._sharing.constant(8)
        return self._unset[space, offset]

    def watch(self) -> None:
        """Begin with latches and a bus that hold 0."""
        core = [f"r{n}" for n in range(13)] + ["sp", "lr"]
        names = core if "r0" in self._places else [f"x{n}" for n in range(32)]
        if "a0" in self._places:
            saved = [f"s{n}" for n in range(12)]
            names = ["ra", "sp", "gp", "tp", *(f"t{n}" for n in range(7))]
            names += [*saved, *(f"a{n}" for n in range(8))]
        self._registers = frozenset(names) & self._places.keys()
        self._names = {
            offset: name
            for name in self._registers
            for offset in range(self._places[name][1], sum(self._places[name][1:]))
        }
        self._latches: list[Value] = [0, 0]
        self._bus: Value = 0
        self.seen: list[Seen] = []
        self._read: list[str] = []
        self._overwritten: dict[str, Value] = {}
        self._moves: list[_Moved] = []

    def step(self, state: State, waiting: list[State]) -> None:
        """Run one instruction, and note what it shows."""
        lifted = self.code.lifted(state.pc)
        self._read, self._overwritten, self._moves = [], {}, []
        super().step(state, waiting)
        if self._read or self._overwritten or self._moves:
            self._note(state, lifted)

    # --- what P-code does

    def _value(self, state: State, place: Place) -> Value:
        if place[0] == REGISTER and place[1] in self._names:
            name = self._names[place[1]]
            if name not in self._overwritten:
                self._read.append(name)
        return super()._value(state, place)

    def _put(self, state: State, place: Place, value: Value) -> None:
        if place[0] == REGISTER and place[1] in self._names:
            name = self._names[place[1]]
            self._overwritten.setdefault(name, self._held(state, name))
        super()._put(state, place, value)

    def _load(self, state: State, address: int, size: int) -> Value:
        value = super()._load(state, address, size)
        self._move(address, size, 0, value, stores=False)
        return value

    def _store(self, state: State, address: int, size: int, value: Value) -> None:
        old = state.memory.read(address, size)
        super()._store(state, address, size, value)
        self._move(address, size, old, value, stores=True)

    def _move(self, address: int, size: int, old: Value, new: Value, *, stores: bool) -> None:
        """An access of more than a word is several."""
        old, new = self.operations.force(old), self.operations.force(new)
        if size <= _WORD:
            self._moves.append(_Moved(address, size, old, new, stores))
            return
        for at in range(0, size, _WORD):
            part = min(_WORD, size - at)
            before, after = (self._part(one, at, part) for one in (old, new))
            self._moves.append(_Moved(address + at, part, before, after, stores))

    def _part(self, value: Value, at: int, size: int) -> Value:
        if isinstance(value, int):
            return value >> 8 * at & (1 << 8 * size) - 1
        return self.domain.extract(value, 8 * at, 8 * size)

    def _compute(self, state: State, lifted: Lifted, operation: PcodeOperation) -> None:
        if operation.cancels:
            for place in operation.inputs:
                self._value(state, place)
        super()._compute(state, lifted, operation)

    def _held(self, state: State, name: str) -> Value:
        return self.operations.force(self.register(state, name))

    # --- what the model sees of it

    def _note(self, state: State, lifted: Lifted) -> None:
        moves = sorted(self._moves, key=lambda one: one.address)
        for latch, name in enumerate(self._operands(lifted, bool(moves))):
            if name is not None:
                before = self._overwritten
                held = before[name] if name in before else self._held(state, name)
                self._see("OPERAND", lifted, f"latch {latch + 1}", self._latches[latch], held)
                self._latches[latch] = held
        for one in moves:
            if one.stores:
                self._see("CELL", lifted, "memory", one.old, one.new, 8 * one.size)
                self._see("VALUE", lifted, "stored", 0, one.new, 8 * one.size)
                self._transfer(lifted, one.new)
        for name, old in self._overwritten.items():
            new = self._held(state, name)
            self._see("VALUE", lifted, name, 0, new)
            self._see("REGISTER", lifted, name, old, new)
        for one in moves:
            if not one.stores:
                self._transfer(lifted, one.new)

    def _transfer(self, lifted: Lifted, value: Value) -> None:
        self._see("BUS", lifted, "data bus", self._bus, value)
        self._bus = value

    def _see(
        self, kind: Statement, lifted: Lifted, place: str, old: Value, new: Value, width: int = 32
    ) -> None:  # fmt: skip
        self.seen.append(Seen(kind, lifted.address, place, old, new, width))

    def _operands(self, lifted: Lifted, moves: bool) -> Iterator[str | None]:
        """What the latches take: source registers in the order of the text, at most two."""
        mnemonic, _, text = lifted.text.partition(" ")
        if not moves:
            yield from self._sources(mnemonic, text)[:2]
            return
        named = _words(text, self._places.keys())
        if mnemonic.startswith(("push", "pop")):  # of one register, without braces
            yield "sp"
            return
        if "{" in text:
            yield named[0]
            return
        inside = _words(re.split(r"[\[(]", text)[-1], self._places.keys())
        based = bool(inside) and inside[0] in self._registers
        yield inside[0] if based else None  # a constant in the code has an address in its text
        if mnemonic in ("ldrd", "strd"):
            return
        if any(one.stores for one in self._moves):
            yield named[0] if named[0] in self._registers else None
        elif len(inside) > 1:
            yield inside[1]

    def _sources(self, mnemonic: str, text: str) -> list[str]:
        named = _words(text, self._places.keys())
        parts = len([one for one in text.split(",") if not _SHIFT.match(one)])
        parts += bool(_SHIFT.match(mnemonic)) and bool(_SHIFT.search(text))  # ror r2,r2, ror #2
        if named and named[0] in self._overwritten:
            same = named[0] in self._read and parts <= 2 and not _ONE_SOURCE.match(mnemonic)
            long = mnemonic.startswith(("umull", "smull"))
            named = named if same else named[2 if long else 1 :]
        return [name for name in named if name in self._read]


def _words(text: str, known: object) -> list[str]:
    """Names of registers in a text, in order."""
    return [one for one in re.findall(r"[a-z]+\d*", text) if one in known]  # type: ignore[operator]
