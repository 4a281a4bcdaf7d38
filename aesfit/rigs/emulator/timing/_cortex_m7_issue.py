# SPDX-License-Identifier: MIT
"""When Cortex-M7 issues an instruction: what it waits for, and whether it issues beside another.

Two instructions issue in a cycle, in order: the older one, and the younger one if the rules allow
the pair and its operands are there.  So what an instruction costs depends on which of the two it
is, and that on the instructions before it, back to one that can never be the younger one: there
the schedule of a window begins.  Where a window of DEPTH steps has none, its first step is taken to
be an older one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..instruction import Instruction
from ._cortex_m7_operands import (
    BIT_FIELD,
    DELAY,
    FLAGS,
    SHIFTING,
    SHIFTS,
    Result,
    Use,
    operands,
    place,
)
from .model import Step, Window

DEPTH = 96
"""Steps before: enough for the body of a loop over rounds."""
_SETTLED = 8
"""Steps from where the schedule begins, so that registers that come late are known."""
_ALIKE = 4
"""Steps that two executions of a branch have in common, where the window has as many."""
_FORWARDED = 4
"""Cycles from a store until what it stored can be loaded."""
_FLAGS_AHEAD = 3
"""Cycles from the flags to a branch that make its misprediction cheaper."""
_ALONE = ("load-many", "store-many", "load-exclusive", "store-exclusive", "divide", "status")
_MULTIPLIES = ("multiply", "multiply-long")
_LOADS = ("load", "preload")
"""What takes one of the two banks; a preload as the load of a word."""
_BRANCHES = ("branch", "branch-link", "branch-register")

OwnCycles = Callable[[Step], int]


@dataclass(frozen=True)
class DualIssue:
    """How an instruction was issued."""

    wait: int
    """Cycles that it waited for registers or memory."""
    second: bool
    """It was issued beside the one before."""
    flags_ahead: int
    """Cycles since the instruction that set the flags; many where none was seen."""


def issue(window: Window, own: OwnCycles, *, apart: bool = False) -> DualIssue:
    """How the window's instruction is issued; `own` gives what each takes alone.

    `apart`: two loads of which nobody knows the banks access different ones.
    """
    steps = (*window.before, window.step)
    pipeline = _DualPipeline(own, apart)
    found = DualIssue(0, False, _FLAGS_AHEAD)
    for step in steps[_beginning(steps, apart) :]:
        found = pipeline.issue(step)
    return found


def banks_unknown(first: Step, second: Step) -> bool:
    """Both load, and the instructions do not say whether from the same bank."""
    loads = all(step.instruction.kind in _LOADS for step in (first, second))
    return loads and _same_bank(first.instruction, second.instruction) is None


def left_loop(window: Window) -> bool:
    """A branch that is not taken now and was when the window saw it last."""
    one = window.step
    if one.instruction.kind != "branch" or not one.instruction.conditional or one.executed:
        return False
    before = window.before
    for at in range(len(before) - 1, 0, -1):
        if before[at].taken and before[at].instruction == one.instruction:
            alike = min(_ALIKE, at)
            return before[at - alike : at] == before[-alike:]
    return False


def _beginning(steps: Sequence[Step], apart: bool) -> int:
    for at in range(len(steps) - 1 - _SETTLED, 0, -1):
        if _never_second(steps[at - 1], steps[at], apart):
            return at
    return 0


def _never_second(first: Step, second: Step, apart: bool) -> bool:
    """Whatever came before: the rules forbid the pair, or what is read cannot be there."""
    if not _pairs(first, second, apart):
        return True
    made = operands(first.instruction)
    if made.can_be_early:
        return False
    writes = first.instruction.writes
    return any(
        name in writes and DELAY[_provided(first.instruction, name)][use]
        for name, use in operands(second.instruction).uses
    )


def _pairs(first: Step, second: Step, apart: bool) -> bool:
    """Whether the rules allow two instructions in one cycle, the first as the older one."""
    one, other = first.instruction, second.instruction
    if first.taken or _alone(one) or _alone(other) or other.name in BIT_FIELD:
        return False
    kinds = one.kind, other.kind
    if all(kind in _LOADS for kind in kinds):
        same = _same_bank(one, other)
        return apart if same is None else not same
    if all(kind in _MULTIPLIES or kind == "store" for kind in kinds):
        return False
    if all(kind in _BRANCHES for kind in kinds):
        return False
    shifts = other.shifted and other.name not in BIT_FIELD
    return not (shifts and (one.shifted or one.name in SHIFTING or one.name in SHIFTS))


def _alone(one: Instruction) -> bool:
    tables = one.name in ("tbb", "tbh")
    return one.kind in _ALONE or one.kind == "barrier" or tables or one.name in ("sev", "yield")


def _same_bank(one: Instruction, other: Instruction) -> bool | None:
    """Of two accesses one after the other: of words whose addresses differ in bit 2, or not."""
    here, there = place(one), place(other)
    if here is None or there is None or here[0] != there[0] or here[0] in one.writes:
        return None
    if not all(some.kind == "preload" or some.access_bytes == 4 for some in (one, other)):
        return True if here[1] == there[1] else None
    return not (here[1] ^ there[1]) & 4


def _provided(one: Instruction, register: str) -> Result:
    """The place that provides a register which the instruction writes."""
    updated = one.writeback and register in one.address_registers and register not in one.listed
    return Result.UPDATED if updated else operands(one).result


@dataclass
class _DualPipeline:
    """What the instructions of a window have left behind so far."""

    own: OwnCycles
    apart: bool
    free: int = 0
    """The first cycle in which the next instruction can issue as an older one."""
    at: int = 0
    """The cycle of the last older one."""
    written: dict[str, tuple[int, Result, bool]] = field(default_factory=dict)
    """By register: the cycle of issue, what provides it, and whether under a condition."""
    stored: dict[tuple[str, int], int] = field(default_factory=dict)
    """By base and offset: the cycle of the store."""
    older: Step | None = None
    """The last one, while another may issue beside it."""

    def issue(self, step: Step) -> DualIssue:
        """DualIssue the next instruction."""
        ready = self._ready(step.instruction)
        beside = self.older is not None and _pairs(self.older, step, self.apart)
        second = beside and ready <= self.at
        start = self.at if second else max(self.free, ready)
        found = DualIssue(0 if second else start - self.free, second, self._flags_ahead(start))
        early = self._early(step.instruction, start, second)
        if not second:
            self.at, self.free = start, start + self.own(step)
        self.older = None if second or step.taken else step
        self._write(step.instruction, start, early)
        return found

    def _flags_ahead(self, start: int) -> int:
        return start - self.written[FLAGS][0] if FLAGS in self.written else _FLAGS_AHEAD

    def _ready(self, one: Instruction) -> int:
        """The first cycle in which all that it takes in time is there."""
        ready = max((self._there(one, *used) for used in operands(one).uses), default=0)
        at = place(one) if one.kind == "load" else None
        return max(ready, self.stored[at] + _FORWARDED) if at in self.stored else ready

    def _there(self, one: Instruction, name: str, use: Use) -> int:
        if name not in self.written:
            return 0
        since, result, conditional = self.written[name]
        more = conditional and not one.conditional and use != Use.STORED
        order = one.listed.index(name) // 2 if use == Use.STORED and name in one.listed else 0
        return since + DELAY[result][use] + more - order

    def _early(self, one: Instruction, start: int, second: bool) -> bool:
        """Whether the early ALU does it: if its operands are there, and the shifter is free."""
        needs = operands(one)
        if not needs.can_be_early:
            return False
        if second:
            before = self.older.instruction if self.older else None
            if one.name not in SHIFTS or before is None:
                return False
            if before.shifted or before.name in SHIFTING or before.name in SHIFTS:
                return False
        return all(self._there(one, name, Use.EARLY) <= start for name, _ in needs.uses)

    def _write(self, one: Instruction, start: int, early: bool) -> None:
        for name in one.writes:
            result = Result.EARLY if early else _provided(one, name)
            order = one.listed.index(name) // 2 if name in one.listed else 0
            self.written[name] = start + order, result, one.conditional
        if one.sets_flags:
            self.written[FLAGS] = start, Result.LATE, False
        if self.stored:
            kept = {at: since for at, since in self.stored.items() if at[0] not in one.writes}
            self.stored = kept
        at = place(one) if one.kind == "store" and not one.writeback else None
        if at is not None:
            self.stored[at] = start


def mispredicted(found: DualIssue) -> int:
    """Cycles that a misprediction takes."""
    return 6 if found.flags_ahead >= _FLAGS_AHEAD else 8
