# SPDX-License-Identifier: MIT
"""Orders of operations, found by simulated annealing: by spills first, then by cycles.

An order is searched for once and committed as data; regenerating reads it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .program import KEY, Program

NEVER = 1 << 30


@dataclass(frozen=True)
class Search:
    """How long and how warm an annealing is, and where its chances come from."""

    seed: int
    steps: int
    hot: float = 2.0
    cold: float = 0.15


class Belady:
    """Counts spills: a register is taken from the value that is needed last."""

    def __init__(self, program: Program, registers: int) -> None:
        """The key pointer has a place in memory from the start, unless it is an input."""
        self.registers = registers
        resident = () if KEY in program.inputs else (KEY,)
        self.names = [*program.inputs, *resident, *(one.out for one in program.operations)]
        number = {name: i for i, name in enumerate(self.names)}
        self.inputs = [number[name] for name in program.inputs]
        self.resident = [number[name] for name in resident]
        self.outputs = [number[name] for name in program.outputs]
        self.out = [number[one.out] for one in program.operations]
        self.reads = [tuple(number[name] for name in one.operands()) for one in program.operations]

    def spills(
        self, order: Sequence[int], told: Callable[[str, int], None] | None = None,
        load: float = 1.3, store: float = 1.0, bonus: int = 6,
    ) -> float:  # fmt: skip
        """Cost of loads and stores; `told` hears of every step (load, store, operation)."""
        uses: list[list[int]] = [[] for _ in self.names]
        for name in self.outputs:
            uses[name].append(len(order))
        for at in range(len(order) - 1, -1, -1):
            for name in self.reads[order[at]]:
                uses[name].append(at)
        held, stored, cost = set(self.inputs), set(self.resident), 0.0

        def room(keep: tuple[int, ...]) -> float:
            if len(held) < self.registers:
                return 0.0
            far, victim = -1, -1
            for name in held:
                if name not in keep:
                    next_use = uses[name][-1] + (bonus if name in stored else 0)
                    if next_use > far or (next_use == far and name > victim):
                        far, victim = next_use, name
            held.remove(victim)
            if victim in stored:
                return 0.0
            stored.add(victim)
            if told:
                told("store", victim)
            return store

        def fetch(names: tuple[int, ...]) -> float:
            spent = 0.0
            for name in names:
                if name not in held:
                    spent += room(names) + load
                    held.add(name)
                    if told:
                        told("load", name)
            return spent

        for index in order:
            reads = self.reads[index]
            cost += fetch(reads)
            for name in reads:
                uses[name].pop()
                if not uses[name]:
                    held.remove(name)
            cost += room(())
            held.add(self.out[index])
            if told:
                told("operation", index)
        return cost + fetch(tuple(self.outputs))

    def schedule(self, order: Sequence[int]) -> list[str]:
        """The operations in this order, with the loads and stores of the rule."""
        found: list[str] = []

        def told(what: str, index: int) -> None:
            spill = f"{what} {self.names[index]}"
            found.append(self.names[self.out[index]] if what == "operation" else spill)

        self.spills(order, told)
        return found


def anneal_spills(belady: Belady, start: list[int], search: Search) -> list[int]:
    """An order with few spills."""
    rng = random.Random(search.seed)  # noqa: S311 - nothing secret
    maker = {belady.out[i]: i for i in range(len(belady.out))}
    parents = [[maker[x] for x in reads if x in maker] for reads in belady.reads]
    children: list[list[int]] = [[] for _ in parents]
    for i, several in enumerate(parents):
        for parent in several:
            children[parent].append(i)
    order, current = list(start), belady.spills(start)
    best, kept = current, list(order)
    place = [0] * len(order)
    for at, index in enumerate(order):
        place[index] = at
    for step in range(search.steps):
        heat = search.hot * (search.cold / search.hot) ** (step / search.steps)
        index = rng.randrange(len(order))
        at = place[index]
        low = max((place[p] for p in parents[index]), default=-1) + 1
        high = min((place[c] for c in children[index]), default=len(order)) - 1
        if low >= high:
            continue
        if rng.random() < 0.5:
            low, high = max(low, at - 8), min(high, at + 8)
        target = rng.randint(low, high)
        if target == at:
            continue
        order.insert(target, order.pop(at))
        cost = belady.spills(order)
        if cost <= current or rng.random() < math.exp((current - cost) / heat):
            current = cost
            for i in range(min(at, target), max(at, target) + 1):
                place[order[i]] = i
            if cost < best:
                best, kept = cost, list(order)
        else:
            order.insert(at, order.pop(target))
    return kept
