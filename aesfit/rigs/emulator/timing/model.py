# SPDX-License-Identifier: MIT
"""The contract of a timing model, and how a profile is priced.

A model is a module of this folder whose MODEL is a `TimingModel`: one list of rules that give the
cycles of an instruction, of which the first that applies counts, and one list of rules for what
neighbours add, of which all that apply are summed.  Each rule names its source.  An instruction to
which no base rule applies stops the pricing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from ....jobs.job import Placement
from ...profile import NONE, Block, Profile
from ..instruction import Instruction, Kind
from ._window import NOTHING, Known, Price, PricedStep, Step, Window

__all__ = ["Price", "Step", "Window"]

T = TypeVar("T")
NO: frozenset[str] = frozenset()
"""Of an instruction that accesses no memory."""


class UnknownInstructionError(RuntimeError):
    """A timing model has no rule for an instruction that was executed."""


Cycles = int | Callable[[Window], int]


@dataclass(frozen=True)
class Rule:
    """One line of a manual."""

    name: str
    source: str
    """Document and section or table."""
    applies: Callable[[Window], bool]
    cycles: Cycles
    """Cycles, or cycles to add for a rule about neighbours."""
    least: Cycles | None = None
    """Where `cycles` are the upper bound of a range: its lower bound."""

    def slack(self, window: Window) -> int:
        """Cycles that it may take less."""
        if self.least is None:
            return 0
        least = self.least if isinstance(self.least, int) else self.least(window)
        return self.price(window) - least

    def price(self, window: Window) -> int:
        """Cycles of a window to which the rule applies."""
        return self.cycles if isinstance(self.cycles, int) else self.cycles(window)


@dataclass(frozen=True)
class OperandRule:
    """Cycles that hang on operands.

    They follow from the instruction and from the two numbers that `Profile.operands` has for it.
    """

    name: str
    source: str
    applies: Callable[[Instruction], bool]
    cycles: Callable[[Instruction, int, int], int]


@dataclass(frozen=True)
class SplitRule:
    """Cycles that an access off its boundary adds, by the aligned accesses beyond the first."""

    name: str
    source: str
    cycles: Callable[[int], int]


@dataclass(frozen=True)
class FetchUnit:
    """How a processor fetches, as far as a memory that waits needs to know."""

    queue_words: int
    """Words of 32 bits that are fetched and not yet taken by decode; with 1 each is fetched when it
    is wanted, and the processor stops until it is there."""
    ahead: int
    """Cycles from the address of an instruction's last word to its execution, where nothing waits:
    3 in a pipeline of fetch, decode and execute."""
    source: str
    leaves_out: str


@dataclass(frozen=True)
class TimingModel:
    """The timing rules of one processor, for zero-wait memory."""

    name: str
    """As the file and the platform file name it."""
    title: str
    manual: str
    """Title and number of the document the rules come from."""
    assumptions: str
    """One sentence for people: memory, options of the processor, predictor state."""
    base: tuple[Rule, ...]
    neighbours: tuple[Rule, ...] = ()
    operands: tuple[OperandRule, ...] = ()
    splits: SplitRule | None = None
    """None: accesses that are not on a multiple of their size are refused."""
    fetches: Callable[[Window], int] | None = None
    """Instruction fetches of a step, refills after a jump included; with it, wait states of a
    single 32-bit-wide memory without cache or prefetch can be priced.  None: refused."""
    fetch: FetchUnit | None = None
    """With it, wait states behind any memory interface can be replayed (memory/replay.py).  None:
    refused, unless `fetches` prices them."""
    tables: frozenset[str] = frozenset({"flash", "ram"})
    """Where tables may lie for the rules to hold."""
    depth: int = 2
    """Steps before that rules look at."""
    variable_time: frozenset[Kind] = frozenset()
    """Kinds of instruction whose time hangs on operand values here."""
    known: Known = field(default_factory=Known, init=False, repr=False, compare=False)

    def rules(self) -> tuple[Rule | OperandRule | SplitRule, ...]:
        """Every rule; names are unique within a model."""
        splits = (self.splits,) if self.splits else ()
        return (*self.base, *self.neighbours, *self.operands, *splits)

    def price(self, window: Window) -> int:
        """Cycles of one executed instruction, without what its operands add."""
        return self.step(window).cycles

    def step(self, window: Window) -> Price:
        """The same with its overlap: what rules about neighbours take off an access.

        IT has none: it is folded in decode, beside no access.
        """
        for rule in self.base:
            if rule.applies(window):
                cycles, slack = rule.price(window), rule.slack(window)
                break
        else:
            raise UnknownInstructionError(
                f"the timing model {self.name} has no rule for '{window.this.text}' at "
                f"{window.this.address:#x}"
            )
        added = [rule.price(window) for rule in self.neighbours if rule.applies(window)]
        saved = -sum(one for one in added if one < 0) if window.this.kind != "it" else 0
        return Price(cycles + sum(added), saved, slack)

    def priced(self, window: Window) -> PricedStep:
        """The same with its fetches."""
        return PricedStep(self.step(window), self.fetches(window) if self.fetches else 0)

    def operand_cycles(self, instruction: Instruction, first: int, second: int) -> int:
        """Cycles that operands add, by the two numbers of `Profile.operands`."""
        return sum(
            rule.cycles(instruction, first, second)
            for rule in self.operands
            if rule.applies(instruction)
        )

    def split_cycles(self, instruction: Instruction, further: int) -> int:
        """Cycles that an access adds for the aligned accesses beyond the first it is made as."""
        if self.splits is None:
            raise UnknownInstructionError(
                f"the timing model {self.name} has no rule for the unaligned access of "
                f"'{instruction.text}' at {instruction.address:#x}"
            )
        return self.splits.cycles(further)


def cycles(
    model: TimingModel,
    profile: Profile,
    instructions: Mapping[int, Instruction],
    placement: Placement | None = None,
) -> int:
    """Price a profile; `instructions` by address.  Exact sums of the model's rules."""
    placement = placement or Placement()
    _check(model, placement)
    code, wait = _code(model, profile, instructions), placement.flash_wait or 0
    total = sum(
        times * sum(one.price.cycles + wait * one.fetches for one in code.priced(path))
        for path, times in profile.paths.items()
    )
    total += data_cycles(model, profile, instructions)
    waits = sum(t for (_, _, region), t in profile.accesses.items() if region == "flash")
    return total + wait * waits


def data_cycles(
    model: TimingModel, profile: Profile, instructions: Mapping[int, Instruction]
) -> int:
    """What operands and accesses off their boundaries add."""
    operands = sum(
        times * model.operand_cycles(instructions[address], first, second)
        for (address, first, second), times in profile.operands.items()
    )
    return operands + sum(
        times * model.split_cycles(instructions[address], further)
        for (address, further), times in profile.unaligned.items()
    )


def slack_cycles(
    model: TimingModel, profile: Profile, instructions: Mapping[int, Instruction]
) -> int:
    """How many fewer cycles it may take, by the ranges of which the price is the upper bound."""
    prices = path_prices(model, profile, instructions)
    return sum(
        times * sum(one.slack for one in priced)
        for times, priced in zip(profile.paths.values(), prices, strict=True)
    )


def memories(profile: Profile) -> dict[int, frozenset[str]]:
    """By address of an instruction, the memories that it accessed."""
    found: dict[int, set[str]] = {}
    for address, _, memory in profile.accesses:
        found.setdefault(address, set()).add(memory)
    return {address: frozenset(names) for address, names in found.items()}


@dataclass(frozen=True)
class _Code:
    """The blocks of a profile, decoded."""

    model: TimingModel
    blocks: Sequence[Block]
    runs: Sequence[Sequence[Instruction]]
    """Instructions of each block."""
    memories: Mapping[int, frozenset[str]]
    listed: dict[tuple[int, int], tuple[Step, ...]] = field(default_factory=dict)
    """Steps of a block by the block and the next one."""
    numbers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The model's numbers of the steps of a block but its last."""

    def priced(self, path: tuple[int, int, int, int]) -> list[PricedStep]:
        """The steps of a path's block."""
        depth, known = self.model.depth, self.model.known.prices
        before, own = self._chain(self.numbered, path, depth)
        numbers = (*before, *own, NOTHING)
        found = []
        for at in range(len(before), len(numbers) - 1):
            key = numbers[max(0, at - depth) : at + 2]
            found.append(known.get(key) or self._price(path, at - len(before), key))
        return found

    def _price(self, path: tuple[int, int, int, int], at: int, key: tuple[int, ...]) -> PricedStep:
        known = self.model.known
        try:
            return known.keep(key, self.model.priced(known.window(key)))
        except UnknownInstructionError:
            before, own = self._chain(self.steps, path, self.model.depth)
            self.model.step(Window(own[at], (*before, *own[:at])))  # says where it is
            raise

    @staticmethod
    def _chain(
        steps: Callable[[int, int], tuple[T, ...]], path: tuple[int, int, int, int], depth: int
    ) -> tuple[tuple[T, ...], tuple[T, ...]]:
        """The last steps before a path's block, and its own."""
        before: tuple[T, ...] = ()
        for at, following in pairwise(path[:3]):
            if at != NONE:
                before += steps(at, following)
        return before[-depth:], steps(path[2], path[3])

    def numbered(self, at: int, following: int) -> tuple[int, ...]:
        """Numbers of the steps of a block before the block `following`, which may be NONE."""
        steps, number = self.steps(at, following), self.model.known.number
        if at not in self.numbers:
            self.numbers[at] = tuple(map(number, steps[:-1]))
        return (*self.numbers[at], number(steps[-1]))

    def steps(self, at: int, following: int) -> tuple[Step, ...]:
        """Steps of a block before the block `following`, which may be NONE."""
        found = self.listed.get((at, following))
        if found is None:
            found = self.listed[at, following] = self._steps(at, following)
        return found

    def _steps(self, at: int, following: int) -> tuple[Step, ...]:
        """The last one jumped when the next block does not follow it in memory.

        A conditional branch to the very next instruction, which no compiler writes, counts as not
        taken.
        """
        block, run = self.blocks[at], self.runs[at]
        head = self.runs[following][0] if following != NONE else None
        steps = [
            Step(one, one.address not in block.skipped, memories=self.memories.get(one.address, NO))
            for one in run
        ]
        last = run[-1]
        beyond = head is None or head.address != last.address + last.size
        goes = beyond or not last.conditional
        jumped = last.writes_pc and steps[-1].executed and goes
        if jumped:
            steps[-1] = replace(steps[-1], target=head, taken=True)
        elif last.conditional and last.writes_pc:
            steps[-1] = replace(steps[-1], executed=False)
        if block.predicted:
            steps[-1] = replace(steps[-1], predicted=True)
        return tuple(steps)


def _code(model: TimingModel, profile: Profile, instructions: Mapping[int, Instruction]) -> _Code:
    runs = [_instructions(block, instructions) for block in profile.blocks]
    return _Code(model, profile.blocks, runs, memories(profile))


def waits_unknown(model: TimingModel) -> ValueError:
    """The refusal of wait states where nobody says what stands before the flash."""
    return ValueError(
        f"the timing model {model.name} does not say what stands before a flash that waits; "
        "name a chip (aesfit platforms lists them), or leave wait states at 0"
    )


def _check(model: TimingModel, placement: Placement) -> None:
    if placement.flash_wait and model.fetches is None:
        raise waits_unknown(model)
    kind = "ram" if placement.tables != "flash" else "flash"  # any other bank is RAM too
    if placement.tables and kind not in model.tables:
        raise ValueError(
            f"the timing model {model.name} does not cover tables in {placement.tables}; "
            f"leave them in {' or '.join(sorted(model.tables))}"
        )


def _instructions(block: Block, instructions: Mapping[int, Instruction]) -> tuple[Instruction, ...]:
    found, address = [], block.address
    while address < block.address + block.size:
        found.append(instructions[address])
        address += found[-1].size
    return tuple(found)


def path_prices(
    model: TimingModel, profile: Profile, instructions: Mapping[int, Instruction]
) -> list[tuple[Price, ...]]:
    """Prices of the steps of each path's block, in the order of the profile's paths."""
    code = _code(model, profile, instructions)
    return [tuple(one.price for one in code.priced(path)) for path in profile.paths]
