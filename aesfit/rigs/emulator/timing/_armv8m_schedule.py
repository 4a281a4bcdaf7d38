# SPDX-License-Identifier: MIT
"""When Cortex-M33 issues an instruction: what it waits for, and whether it issues beside another.

Two stages execute.  Most results are there after the first; those of multiplications, shifted
operands and loads are there after the second, one cycle later.  Such a late result can still be
stored at once, and the next accumulation can add to most of them at once.  Each rule is from the
page that cortex_m33.py names, or says that it is inferred.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..instruction import Instruction
from .model import Step, Window

EXTEND_AND_ADD = frozenset(["sxtab", "sxtab16", "sxtah", "uxtab", "uxtab16", "uxtah"])
_LANES = frozenset(
    sign + operation
    for sign in ("s", "u", "q", "uq", "sh", "uh")
    for operation in ("add8", "add16", "sub8", "sub16", "asx", "sax")
)
_PACKING = ("pkhbt", "pkhtb", "qadd", "qdadd", "qdsub", "qsub", "sel")
DSP = _LANES.union(_PACKING, ("ssat16", "usad8", "usada8", "usat16"))
MULTIPLIES = ("multiply", "multiply-long")
DEPTH = 8
"""Steps before; twice and half as many gave the same totals for the five cores tried."""
_SECOND_OF_A_PAIR = ("branch", "branch-register", "it", "nop")
_NEVER_FIRST = ("branch", "branch-link", "branch-register", "it")
_NARROW = 2

OwnCycles = Callable[[Step], int]


@dataclass(frozen=True)
class Latency:
    """Cycles from the issue of an instruction until others can take its result."""

    plain: int
    added: int
    """As what the next multiply-accumulate adds to."""
    extended: int
    """As what the next extend-and-add adds to."""
    stored: int
    """As the data of a store."""
    jumped_to: int
    """As the target of a branch to a register."""


_FIRST_STAGE = Latency(1, 1, 1, 1, 1)
_LOADED = Latency(2, 1, 2, 1, 3)
"""That a return waits a cycle longer: the page's schedule of POP with LR and BX LR."""
_CHAINED = Latency(2, 1, 1, 1, 2)
_LATE = Latency(2, 2, 2, 2, 2)
"""The page gives these no shortcut, so none is taken."""


def _latency(one: Instruction) -> Latency:
    if one.kind in ("load", "load-many"):
        return _LOADED
    if one.shifted or one.accumulates:
        return _CHAINED
    return _LATE if one.kind in MULTIPLIES or one.name in DSP else _FIRST_STAGE


@dataclass(frozen=True)
class Issue:
    """How an instruction was issued."""

    wait: int
    """Cycles that it waited for registers."""
    second: bool
    """It was issued beside the one before."""


@dataclass
class _Pipeline:
    """What the instructions of a window have left behind so far."""

    own: OwnCycles
    free: int = 0
    """The first cycle in which the next instruction can issue alone."""
    written: dict[str, tuple[int, Latency]] = field(default_factory=dict)
    """By register: the cycle from which its latency counts."""
    last: Step | None = None
    last_was_second: bool = False

    def issue(self, step: Step) -> Issue:
        """Issue the next instruction."""
        ready = self._ready(step)
        second = self._pairs(step) and ready < self.free
        slot = self.free - 1 if second else self.free
        start = max(slot, ready)
        self.free = start + self.own(step)
        self._write(step, start)
        self.last, self.last_was_second = step, second
        return Issue(start - slot, second)

    def _pairs(self, step: Step) -> bool:
        """Both are narrow, and the second one is a branch, IT or NOP.

        What sets flags pairs with no taken branch.  That no branch and no IT is the first of a
        pair is inferred.
        """
        first, second = self.last, step.instruction
        if first is None or self.last_was_second or not first.executed:
            return False
        one = first.instruction
        return (
            one.size == second.size == _NARROW
            and second.kind in _SECOND_OF_A_PAIR
            and one.kind not in _NEVER_FIRST
            and not (step.taken and one.sets_flags)
        )

    def _ready(self, step: Step) -> int:
        """The cycle at which every register that it reads is there; a skipped one needs none."""
        one = step.instruction
        if not step.executed and not one.writes_pc:
            return 0
        return max((self._there(one, name) for name in one.reads), default=0)

    def _there(self, one: Instruction, name: str) -> int:
        at, latency = self.written.get(name, (0, None))
        if latency is None:
            return 0
        if one.kind == "branch-register":
            return at + latency.jumped_to
        if name in one.accumulates:
            return at + (latency.added if one.kind in MULTIPLIES else latency.extended)
        if one.kind in ("store", "store-many") and name not in one.address_registers:
            order = one.listed.index(name) if name in one.listed else 0
            return at + latency.stored - order
        return at + latency.plain

    def _write(self, step: Step, start: int) -> None:
        """Registers of a list arrive one a cycle, and leave so too (inferred)."""
        one = step.instruction
        if not step.executed:
            return
        for name in one.writes:
            updated = name in one.address_registers and name not in one.listed
            order = one.listed.index(name) if name in one.listed else 0
            loads_itself = one.kind == "load" and not one.writeback
            latency = _FIRST_STAGE if updated and not loads_itself else _latency(one)
            self.written[name] = start + order, latency


def issue(window: Window, own: OwnCycles) -> Issue:
    """How the window's instruction is issued; `own` gives what each takes alone."""
    pipeline = _Pipeline(own)
    for step in window.before:
        pipeline.issue(step)
    return pipeline.issue(window.step)
