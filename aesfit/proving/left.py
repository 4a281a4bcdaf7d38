# SPDX-License-Identifier: MIT
"""What calls leave behind: secrets below the stack pointer, and in registers they may change."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..jobs.job import Job
from .answer import STACK, Outcome, ProvedStatement
from .calls import Calls
from .domain import Unwritten, Value, Word
from .executor import Executor
from .findings import Finding
from .state import State, settled

NOT_KNOWN = "not known"
"""What the detail of a statement begins with where a run did not come to its end."""


@dataclass
class LeftBehind:
    """What one way of returning left behind."""

    stack: Counter[str] = field(default_factory=Counter)
    """Secret bytes by the function that wrote them."""
    registers: list[str] = field(default_factory=list)
    writers: set[int] = field(default_factory=set)
    """Addresses of the instructions that wrote all these."""

    @property
    def rank(self) -> tuple[int, int]:
        """How bad it is."""
        return self.stack.total(), len(self.registers)


def promises(job: Job) -> bool:
    """Nothing is left in these images: keys or messages, in a build that clears.

    Bare blocks are not cleared.  A state is the caller's, here on the stack of the harness: a block
    of keystream or of the shift register stays in it.
    """
    compiler = job.platform.compiler
    flags = (*compiler.target, *(compiler.optimise if job.flags is None else job.flags))
    cleared = not any(one.startswith("-DAESFIT_CLEAR") for one in flags)
    return cleared and job.mode not in (None, "ecb") and job.shape.carries != "state"


def left_statement(
    calls: Calls,
    shapes: str,
    ends: Iterable[State],
    why: str,
    promised: bool,
    status: bool = False,
) -> ProvedStatement:
    """STACK, at the worst of some ends; `why`: the run did not come to its end.

    `status`: the functions return one, which is public: a verdict may reach it without a branch.
    """
    if why:
        return ProvedStatement(STACK, "told", shapes, detail=f"{NOT_KNOWN}: {why}")
    executor = calls.executor
    worst = max((_left(executor, state, status) for state in ends), key=lambda one: one.rank)
    if worst.rank == (0, 0):
        return ProvedStatement(STACK, "proved", shapes)
    outcome: Outcome = "refuted" if promised else "told"
    return ProvedStatement(
        STACK, outcome, shapes, detail=_summary(worst),
        findings=_findings(executor, worst) if promised else (),
        left=tuple(sorted(worst.stack.items(), key=lambda one: (-one[1], one[0]))),
        registers=tuple(worst.registers),
    )  # fmt: skip


def _summary(left: LeftBehind) -> str:
    registers = len(left.registers)
    told = f"{left.stack.total()} bytes"
    return f"{told}, {registers} register{'s' * (registers > 1)}" if registers else told


def _findings(executor: Executor, left: LeftBehind) -> tuple[Finding, ...]:
    """The first instruction of each function that wrote what is left."""
    code, found = executor.code, dict[str, Finding]()
    for at in sorted(left.writers):
        text = code.text(at) if code.image.byte(at) is not None else ""
        one = code.finding("secret left behind", at, text)
        found.setdefault(one.function, one)
    return tuple(sorted(found.values()))


def _left(executor: Executor, state: State, status: bool) -> LeftBehind:
    left, stack = LeftBehind(), executor.stack
    for at, (size, value) in state.memory.held.items():
        inside = stack.start <= at < stack.start + stack.size
        if inside and _is_secret(executor, state, value, 8 * size):
            writer = state.writers.get(at, 0)
            left.stack[executor.image.function(writer) or "?"] += size
            left.writers.add(writer)
    for name in executor.convention.scratch:
        if status and name == executor.convention.result:
            continue
        if _is_secret(executor, state, executor.register(state, name), executor.width(name)):
            left.registers.append(name)
            left.writers.add(executor.setter(state, name))
    return left


def _is_secret(executor: Executor, state: State, value: Value, width: int) -> bool:
    """A word that no verdict of the run makes a number."""
    if not isinstance(value, int | Unwritten):
        value = executor.operations.force(value)
    if isinstance(value, Word) and not isinstance(value, Unwritten):
        value = settled(executor.domain, state, value, width)
    return isinstance(value, Word) and not isinstance(value, Unwritten)
