# SPDX-License-Identifier: MIT
"""From an order of operations with loads and stores among them to registers.

A schedule is a list of names in order: `v7` is an operation, `store v7` and `load v7` are a spill.
Every load makes a copy of its own, so each copy lives once, from where it is made to its last use.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .order import NEVER
from .program import Operation, Program
from .targets import armv7m as target
from .targets.costs import FIRST_DIES, FREE


@dataclass(frozen=True)
class Item:
    """One instruction of a schedule, its values told apart by copy."""

    name: str
    """As the schedule has it."""
    kind: Literal["alu", "load", "store", "in", "out"]
    """in, out: a copy from and to the further registers, which operations do not reach."""
    outs: tuple[str, ...]
    """The copies that it makes, none for a store."""
    reads: tuple[str, ...]
    slot: str = ""
    """The value whose place in memory it reads or writes."""
    operation: Operation | None = None


@dataclass(frozen=True)
class Listing:
    """A schedule read against its program."""

    items: tuple[Item, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    """The copies that leave."""

    def last_uses(self) -> dict[str, int]:
        """By copy, where it is read last; the outputs at the end."""
        last = dict.fromkeys(self.inputs, -1)
        for at, one in enumerate(self.items):
            last.update(dict.fromkeys(one.reads, at))
            for out in one.outs:
                last.setdefault(out, at)
        last.update(dict.fromkeys(self.outputs, len(self.items)))
        return last


class _Copies(dict[str, str]):
    """The latest copy of each value."""

    def __missing__(self, name: str) -> str:
        raise ValueError(f"the schedule leaves out {name}")


def read(
    program: Program,
    schedule: Sequence[str],
    makers: Mapping[str, Operation] | None = None,
    further: Collection[str] = (),
) -> Listing:
    """The schedule with its copies; an operation reads the latest copy of each value.

    `makers`: operations by the names that the schedule calls them by, if there are others than the
    program's.  `further`: inputs and outputs that are in further registers.
    """
    operations = makers or {one.out: one for one in program.operations}
    copy = _Copies({name: name for name in program.inputs if name not in further})
    beyond = _Copies({name: name for name in program.inputs if name in further})
    items: list[Item] = []

    def made(value: str) -> str:
        known = value in copy or value in beyond
        copy[value] = f"{value}~{len(items)}" if known else value
        return copy[value]

    for name in schedule:
        value = name.split()[-1]
        if name.startswith("store "):
            items.append(Item(name, "store", (), (copy[value],), value))
        elif name.startswith("load "):
            copy[value] = f"{value}~{len(items)}"
            items.append(Item(name, "load", (copy[value],), (), value))
        elif name.startswith("in "):
            items.append(Item(name, "in", (made(value),), (beyond[value],)))
        elif name.startswith("out "):
            beyond[value] = f"{value}^{len(items)}"
            items.append(Item(name, "out", (beyond[value],), (copy[value],)))
        else:
            one = operations[value]
            kind: Literal["alu", "load"] = "load" if one.is_key else "alu"
            reads = tuple(copy[x] for x in one.operands())
            items.append(Item(name, kind, tuple(map(made, one.outs)), reads, "", one))
    leaves = tuple((beyond if name in further else copy)[name] for name in program.outputs)
    return Listing(tuple(items), program.inputs, leaves)


def cycles(listing: Listing) -> int:
    """Cycles of the items, behind an operation."""
    costs = target.costs()
    total, before, made = 0, "alu", "none"
    for one in listing.items:
        kind = one.kind
        if kind == "load" and made in one.reads:
            total += costs[kind, before, True]
        else:
            total += costs[kind, before, False]
        before, made = kind, one.outs[-1] if kind == "load" else "none"
    return total


def pressure(listing: Listing) -> int:
    """Most copies alive at once."""
    last = listing.last_uses()
    alive = most = sum(last[name] >= 0 for name in listing.inputs)
    for at, one in enumerate(listing.items):
        alive -= sum(last[name] == at for name in one.reads)
        alive += sum(last[name] > at for name in one.outs)
        most = max(most, alive)
    return most


@dataclass(frozen=True)
class Colouring:
    """Registers of copies."""

    outs: tuple[tuple[str, ...], ...]
    """By item, the registers it writes; those of several are in the order of their numbers."""
    reads: tuple[tuple[str, ...], ...]
    """By item, the registers it reads."""
    moves: tuple[tuple[str, str], ...]
    """(to, from), made behind the last item."""
    exit: tuple[str, ...]
    """Registers of the outputs."""


@dataclass(frozen=True)
class Registers:
    """What a target offers."""

    usual: Sequence[str]
    further: Sequence[str] = ()
    """Those that copies alone reach."""
    destroyed: Callable[[Operation], int] = lambda _: FREE
    """Which operand's register an operation writes (targets/costs.py)."""


class _Attempt:
    """Registers in the order of the items, at random where nothing speaks for one."""

    def __init__(
        self,
        listing: Listing,
        entry: Sequence[str],
        leave: Sequence[str],
        registers: Registers,
        seed: int,
    ) -> None:
        self.registers = registers
        self.numbered = [*registers.usual, *registers.further]
        self.rng = random.Random(seed)  # noqa: S311 - nothing secret
        self.listing, self.last = listing, listing.last_uses()
        self.made = {out: at for at, one in enumerate(listing.items) for out in one.outs}
        pairs = zip(listing.outputs, leave, strict=False)
        self.wanted = {name: register for name, register in pairs if register}
        self.register = dict(zip(listing.inputs, entry, strict=True))
        self.holds = {reg: name for name, reg in self.register.items() if self.last[name] >= 0}

    def _eligible(self, one: Item) -> Sequence[str]:
        """Registers that an instruction could write, were they free."""
        if one.kind == "out":
            return self.registers.further
        rule = self.registers.destroyed(one.operation) if one.operation else FREE
        read = [self.register[name] for name in one.reads]
        if rule == FREE:
            return self.registers.usual
        if rule == FIRST_DIES:
            kept = read[0] in self.holds
            return [r for r in self.registers.usual if r not in read] if kept else read[:1]
        return [reg for reg in read if reg not in self.holds] or self.registers.usual

    def _choose(self, name: str, at: int) -> str:
        """The register that the copy leaves in; else one that nobody claims before its last use."""
        eligible = self._eligible(self.listing.items[at])
        free = [reg for reg in eligible if reg not in self.holds]
        goal = self.wanted.get(name)
        if goal in free:
            return goal
        made = {reg: self.made.get(out, -1) for out, reg in self.wanted.items()}
        claimed = {reg: there for reg, there in made.items() if there >= at}
        return min(
            free, key=lambda reg: (claimed.get(reg, NEVER) < self.last[name], self.rng.random())
        )

    def _written(self, names: Sequence[str], at: int) -> tuple[str, ...]:
        """Registers of the results."""
        chosen: list[str] = []
        for name in names:
            chosen.append(self._choose(name, at))
            self.holds[chosen[-1]] = name
        chosen.sort(key=self.numbered.index)
        for name, register in zip(names, chosen, strict=True):
            self.register[name], self.holds[register] = register, name
            if self.last[name] <= at:
                del self.holds[register]
        return tuple(chosen)

    def run(self) -> Colouring:
        """Registers of all items."""
        outs: list[tuple[str, ...]] = []
        reads = []
        for at, one in enumerate(self.listing.items):
            reads.append(tuple(self.register[name] for name in one.reads))
            for name in one.reads:
                if self.last[name] == at:
                    del self.holds[self.register[name]]
            outs.append(self._written(one.outs, at))
        leave = tuple(self.register[name] for name in self.listing.outputs)
        goals = tuple(self.wanted.get(name, self.register[name]) for name in self.listing.outputs)
        moves = parallel_moves(goals, leave, self.numbered)
        return Colouring(tuple(outs), tuple(reads), moves, goals)


def parallel_moves(
    to: Sequence[str], source: Sequence[str], registers: Sequence[str] = target.REGISTERS
) -> tuple[tuple[str, str], ...]:
    """Copies one after the other that do what copies at once would.

    A cycle of them goes by way of another register, "" where there is none.
    """
    pending = {goal: reg for goal, reg in zip(to, source, strict=True) if goal != reg}
    spare = next((reg for reg in registers if reg not in {*to, *source}), "")
    made: list[tuple[str, str]] = []
    while pending:
        goal = next((one for one in pending if one not in pending.values()), None)
        if goal is None:  # a cycle: one of its registers waits elsewhere
            goal = next(iter(pending))
            made.append((spare, goal))
            pending = {one: spare if reg == goal else reg for one, reg in pending.items()}
        made.append((goal, pending.pop(goal)))
    return tuple(made)


def colour(
    listing: Listing,
    entry: Sequence[str],
    leave: Sequence[str] = (),
    attempts: int = 300,
    registers: Registers | None = None,
    first: int = 0,
) -> Colouring:
    """The attempt with the fewest moves; state enters and leaves in the given registers.

    `first`: the chance that attempts begin with.
    """
    found: list[Colouring] = []
    registers = registers or Registers(target.REGISTERS)
    for seed in range(first, first + attempts):
        found.append(_Attempt(listing, entry, leave, registers, seed).run())
        if not found[-1].moves:
            break
    return min(found, key=lambda one: len(one.moves))


def slots(listing: Listing, first: int) -> dict[str, int]:
    """Offsets in the stack frame of spilled values, as few as do."""
    last = {one.slot: at for at, one in enumerate(listing.items) if one.kind == "load"}
    free, place, used = [], {}, 0
    ends: list[tuple[int, int]] = []
    for at, one in enumerate(listing.items):
        for end, offset in [pair for pair in ends if pair[0] <= at]:
            ends.remove((end, offset))
            free.append(offset)
        if one.kind == "store":
            offset = min(free) if free else first + 4 * used
            if free:
                free.remove(offset)
            else:
                used += 1
            place[one.slot] = offset
            ends.append((last[one.slot], offset))
    return place
