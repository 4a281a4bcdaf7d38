# SPDX-License-Identifier: MIT
"""Where the cycles of executed code go: by instruction, by class, and by rule about neighbours.

The timing model prices every step, so each instruction gets the cycles of its own steps.  The
contribution of one rule about neighbours is the difference between the model with only that rule
and the model without any.  Wait states of memories are given as one sum, because a replay does not
attribute them to instructions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ..rigs.emulator.instruction import Instruction, Kind
from ..rigs.emulator.timing.model import TimingModel, path_prices
from ..rigs.profile import Block, Profile

Class = Literal[
    "data processing", "multiplies, divides", "loads from flash", "loads from RAM",
    "loads from the stack", "stores to RAM", "stores to the stack", "branches",
]  # fmt: skip
CLASSES: Final[tuple[Class, ...]] = (
    *("data processing", "multiplies, divides", "loads from flash", "loads from RAM"),
    *("loads from the stack", "stores to RAM", "stores to the stack", "branches"),
)
_LOADS: Final[frozenset[Kind]] = frozenset(
    {"load", "load-many", "float-load", "swap", "load-exclusive"}
)
_STORES: Final[frozenset[Kind]] = frozenset(
    {"store", "store-many", "float-store", "store-exclusive"}
)
_PRODUCTS: Final[frozenset[Kind]] = frozenset({"multiply", "multiply-long", "divide"})
_BRANCHES: Final[frozenset[Kind]] = frozenset({"branch", "branch-link", "branch-register"})
_STACK: Final = frozenset({"r13", "x2"})
"""The stack pointers of ARM and RISC-V."""


@dataclass(frozen=True)
class Spent:
    """One instruction, summed over its executions."""

    instruction: Instruction
    kind: Class
    times: int
    """Executions, including those whose condition failed."""
    cycles: int
    """Cycles by the timing model, with memory that never waits."""
    waited: int
    """Executions that took more than one cycle."""


@dataclass(frozen=True)
class ClassTotal:
    """Sums over all instructions of a class."""

    executed: int
    cycles: int
    waited: int


@dataclass(frozen=True)
class Spending:
    """The cycles of each executed instruction."""

    spent: tuple[Spent, ...]
    """In the order of addresses."""
    neighbours: Mapping[str, int]
    """Cycles by rule about neighbours, part of those of the instructions; below 0: overlapped."""
    waits: int = 0
    """Cycles beyond the model: waiting for flash and caches."""

    @property
    def cycles(self) -> int:
        """All of them."""
        return self.total.cycles + self.waits

    @property
    def total(self) -> ClassTotal:
        """Sum over all instructions, without waits."""
        return _total(self.spent)

    def by_class(self) -> dict[Class, ClassTotal]:
        """Executions and cycles of each class that occurs."""
        sorts = {kind: [one for one in self.spent if one.kind == kind] for kind in CLASSES}
        return {kind: _total(mine) for kind, mine in sorts.items() if mine}

    def with_total(self, cycles: float) -> "Spending":
        """The same for a measured total of cycles: the difference is waiting."""
        return replace(self, waits=round(cycles) - self.total.cycles)


def _total(spent: Sequence[Spent]) -> ClassTotal:
    return ClassTotal(
        sum(one.times for one in spent),
        sum(one.cycles for one in spent),
        sum(one.waited for one in spent),
    )


def spending(
    model: TimingModel, profiles: Sequence[Profile], instructions: Mapping[int, Instruction]
) -> Spending:
    """Cycles of each instruction of some calls by the model's rules; `instructions` by address."""
    times, cycles, waited = Counter[int](), Counter[int](), Counter[int]()
    for profile in profiles:
        for ran, address, price in _steps(model, profile, instructions):
            times[address] += ran
            cycles[address] += ran * price
            waited[address] += ran if price > 1 else 0
        _add_data(cycles, model, profile, instructions)
    places = _places(profiles)
    spent = tuple(
        Spent(one, class_of(one, places.get(at)), times[at], cycles[at], waited[at])
        for at in sorted(times)
        for one in [instructions[at]]
    )
    return Spending(spent, _neighbours(model, profiles, instructions))


def class_of(one: Instruction, memory: str | None) -> Class:
    """The class of an instruction; `memory`: the one that it accesses most."""
    stack = bool(_STACK & (one.address_registers or one.reads)) and one.kind in _LOADS | _STORES
    if one.writes_pc or one.kind in _BRANCHES:
        return "branches"
    if one.kind in _LOADS:
        beyond: Class = "loads from flash" if memory == "flash" else "loads from RAM"
        return "loads from the stack" if stack else beyond
    if one.kind in _STORES:
        return "stores to the stack" if stack else "stores to RAM"
    return "multiplies, divides" if one.kind in _PRODUCTS else "data processing"


def _steps(
    model: TimingModel, profile: Profile, instructions: Mapping[int, Instruction]
) -> Iterator[tuple[int, int, int]]:
    """For each step: how often it ran, its address, its cycles."""
    prices = path_prices(model, profile, instructions)
    for (path, times), priced in zip(profile.paths.items(), prices, strict=True):
        addresses = _addresses(profile.blocks[path[2]], instructions)
        for address, price in zip(addresses, priced, strict=True):
            yield times, address, price.cycles


def _addresses(block: Block, instructions: Mapping[int, Instruction]) -> Iterator[int]:
    address = block.address
    while address < block.address + block.size:
        yield address
        address += instructions[address].size


def _add_data(
    cycles: Counter[int],
    model: TimingModel,
    profile: Profile,
    instructions: Mapping[int, Instruction],
) -> None:
    """Cycles added by operand values and by misaligned accesses."""
    for (address, first, second), times in profile.operands.items():
        cycles[address] += times * model.operand_cycles(instructions[address], first, second)
    for (address, further), times in profile.unaligned.items():
        cycles[address] += times * model.split_cycles(instructions[address], further)


def _places(profiles: Sequence[Profile]) -> dict[int, str]:
    """The memory that each instruction accesses most."""
    seen: dict[int, Counter[str]] = {}
    for profile in profiles:
        for (address, _, memory), times in profile.accesses.items():
            seen.setdefault(address, Counter())[memory] += times
    return {address: found.most_common(1)[0][0] for address, found in seen.items()}


def _neighbours(
    model: TimingModel, profiles: Sequence[Profile], instructions: Mapping[int, Instruction]
) -> dict[str, int]:
    """Cycles of each rule about neighbours that applies at least once."""

    def total(rules: TimingModel) -> int:
        return sum(
            times * price
            for profile in profiles
            for times, _, price in _steps(rules, profile, instructions)
        )

    without = total(replace(model, neighbours=()))
    found = {
        rule.name: total(replace(model, neighbours=(rule,))) - without for rule in model.neighbours
    }
    return {name: cycles for name, cycles in found.items() if cycles}
