# SPDX-License-Identifier: MIT
"""Schedules improved by annealing with the target's cycles: Belady's rule is where it starts.

A move slides one instruction, adds a load of a value, or takes one away.  An operation reads the
latest copy of a value, so a load shortens the life of the copy before it.  On the way a schedule
may need more registers than there are, at a price; one that does is never the result.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from .order import Search
from .program import KEY, Program
from .targets import armv7m as target

ALU, LOAD, STORE = range(3)
REACH = 20
"""How far a move slides an instruction."""
EXCESS = 0.8
"""Price of a value too many for the registers, by instruction."""


@dataclass(frozen=True, slots=True)
class Token:
    """One instruction of a schedule, values by number."""

    kind: int
    """What it costs as; words of the key are loads."""
    reads: tuple[int, ...]
    out: int
    """The value of which it makes a copy; -1: none."""
    spill: str = ""
    """"load" or "store", not an operation."""


class Refinement:
    """The search for one program."""

    def __init__(self, program: Program, schedule: Sequence[str], search: Search) -> None:
        """Starts at a schedule of the program."""
        resident = [] if KEY in program.inputs else [KEY]
        self.names = [*program.inputs, *resident, *(one.out for one in program.operations)]
        self.number = {name: i for i, name in enumerate(self.names)}
        self.inputs = [self.number[name] for name in program.inputs]
        self.outputs = [self.number[name] for name in program.outputs]
        self.resident = {self.number[name] for name in resident}
        self.operations = {one.out: one for one in program.operations}
        self.order = [self._token(name) for name in schedule]
        self.search, self.rng = search, random.Random(search.seed)  # noqa: S311 - nothing secret
        self.costs = [
            [
                [target.costs()[kind, before, waits] for before in ("alu", "load", "store")]
                for kind in ("alu", "load", "store")
            ]
            for waits in (False, True)
        ]

    def _token(self, name: str) -> Token:
        value = self.number[name.split()[-1]]
        if name.startswith("load "):
            return Token(LOAD, (), value, "load")
        if name.startswith("store "):
            return Token(STORE, (value,), -1, "store")
        one = self.operations[name]
        reads = tuple(self.number[x] for x in one.operands())
        return Token(LOAD if one.name == "key" else ALU, reads, value)

    def schedule(self, order: Sequence[Token]) -> list[str]:
        """The names again."""
        return [
            f"{one.spill} {self.names[one.reads[0] if one.spill == 'store' else one.out]}".strip()
            for one in order
        ]

    def cost(self, order: Sequence[Token]) -> tuple[int, int]:
        """Cycles, and values too many, summed up over instructions."""
        size = len(order)
        change = [0] * (size + 1)
        last = [-2] * len(self.names)
        for value in self.inputs:
            last[value] = -1
        plain, waiting = self.costs
        cycles = before = 0
        made = -1
        for at, one in enumerate(order):
            kind = one.kind
            for value in one.reads:
                if last[value] == -2:
                    return 1 << 20, 1 << 20
                last[value] = at
            cycles += (waiting if made in one.reads and kind == LOAD else plain)[kind][before]
            before, made = kind, -1
            value = one.out
            if value >= 0:
                if kind == LOAD:
                    made = value
                if last[value] >= 0:  # the copy before ends at its last use
                    change[last[value]] -= 1
                elif last[value] == -1:
                    change[0] -= 1
                change[at] += 1
                last[value] = at
        for value in self.outputs:
            last[value] = size
        for at in last:
            if at >= 0:
                change[at] -= 1
        alive, excess, limit = len(self.inputs), 0, len(target.REGISTERS)
        for at in range(size):
            alive += change[at]
            if alive > limit:
                excess += alive - limit
        return cycles, excess

    def _bound(self, order: Sequence[Token], at: int, step: int) -> int:
        """How far the instruction may slide in one direction."""
        this, there = order[at], at
        while 0 <= there + step < len(order) and abs(there + step - at) <= REACH:
            other = order[there + step]
            first, second = (other, this) if step < 0 else (this, other)
            if _must_precede(first, second):
                break
            there += step
        return there

    def _slide(self, order: list[Token]) -> bool:
        at = self.rng.randrange(len(order))
        low, high = self._bound(order, at, -1), self._bound(order, at, 1)
        goal = self.rng.randint(low, high)
        order.insert(goal, order.pop(at))
        return goal != at

    def _add(self, order: list[Token]) -> bool:
        """A load of a value before an instruction that reads it, and a store if there is none."""
        at = self.rng.randrange(len(order))
        if not order[at].reads or order[at].spill:
            return False
        value = self.rng.choice(order[at].reads)
        if value not in self.resident and not any(
            one.spill == "store" and one.reads[0] == value for one in order
        ):
            made = next((i for i in range(at) if order[i].out == value), -1) + 1
            order.insert(self.rng.randint(made, at), Token(STORE, (value,), -1, "store"))
            at += 1
        stored = next(
            (i for i in range(at) if order[i].spill == "store" and order[i].reads[0] == value),
            None if value not in self.resident else -1,
        )
        if stored is None:
            return False
        order.insert(self.rng.randint(max(stored + 1, at - 4), at), Token(LOAD, (), value, "load"))
        return True

    def _take(self, order: list[Token]) -> bool:
        """A load less, and no store where it was the last."""
        loads = [i for i, one in enumerate(order) if one.spill == "load"]
        if not loads:
            return False
        value = order.pop(self.rng.choice(loads)).out
        if not any(one.spill == "load" and one.out == value for one in order):
            order[:] = [x for x in order if not (x.spill == "store" and x.reads[0] == value)]
        return True

    def _move(self, order: list[Token]) -> bool:
        chance = self.rng.random()
        if chance < 0.86:
            return self._slide(order)
        if chance < 0.91:
            return self._add(order)
        if chance < 0.95:
            return self._take(order)
        return self._take(order) and self._add(order)

    def run(self) -> list[str]:
        """The best schedule that was found."""
        order, search = self.order, self.search
        cycles, excess = self.cost(order)
        current = cycles + EXCESS * excess
        best, kept = (cycles, list(order)) if excess == 0 else (1 << 20, list(order))
        for step in range(search.steps):
            heat = search.hot * (search.cold / search.hot) ** (step / search.steps)
            tried = list(order)
            if not self._move(tried):
                continue
            cycles, excess = self.cost(tried)
            price = cycles + EXCESS * excess
            if price <= current or self.rng.random() < math.exp((current - price) / heat):
                order, current = tried, price
                if excess == 0 and cycles < best:
                    best, kept = cycles, list(order)
        return self.schedule(kept)


def _must_precede(first: Token, second: Token) -> bool:
    if not first.spill and first.out >= 0:
        made = first.out
        return made in second.reads or second.out == made
    if first.spill == "store":
        return second.spill == "load" and second.out == first.reads[0]
    return False
