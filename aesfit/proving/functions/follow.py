# SPDX-License-Identifier: MIT
"""Runs a function over secrets, and goes on behind what it finds.

At a branch on a secret both sides are run to where they meet again, and are joined there.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from ..branching import BRANCHES
from ..code import Code
from ..domain import Unwritten, Value
from ..executor import Executor
from ..findings import OF_SECRETS, Kind, StuckError
from ..interpreter import MEMORY
from ..lifter import Lifted, PcodeOperation
from ..operations import UnwrittenError
from ..state import Extent, State
from .graph import ControlGraph, jumped
from .joining import Joiner
from .stubs import Stub
from .traced import TracedBits, Trail, bounds, trail_of

LIMIT: Final = 1_000_000
"""Default limit of instructions: some 20 seconds."""
_ROUNDS: Final = 64
"""Rounds of a loop that a secret may end."""
_FRAMES: Final = 20_000
"""Python's own limit of nested calls: branches on secrets lie within each other."""
_WIDEST: Final = 1 << 16
"""Bytes that a store at a secret address may reach."""
_ARM7_PLAIN: Final = (
    r"(mov|mvn|and|orr|eor|bic|add|sub|rsb|adc|sbc|rsc|cmp|cmn|tst|teq)"
    r"(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)s? (?!pc)(?!.*, *(lsl|lsr|asr|ror) r)"
)
"""Data processing without a shift by a register takes one cycle, executed or not (ARM7TDMI
Technical Reference Manual, DDI 0210C, table 6-26)."""

_ARM7_FLAGS: Final = ("CY", "OV", "NG", "ZR")
"""In ARM state SLEIGH mixes them with results that keep them."""


@dataclass(frozen=True)
class CallSite:
    """A call that has not returned."""

    at: int
    back: int


@dataclass
class FunctionState(State):
    """A state with the calls that led to it."""

    calls: tuple[CallSite, ...] = ()

    def copy(self) -> "FunctionState":
        """The same, to go on with apart."""
        return FunctionState(
            self.registers.copy(), self.memory.copy(), self.temporaries.copy(), self.pc, self.at,
            dict(self.writers), dict(self.setters), calls=self.calls,
        )  # fmt: skip

    def become(self, other: "FunctionState") -> None:
        """Go on where another one is."""
        self.__dict__.update(other.__dict__)


@dataclass(frozen=True)
class Met:
    """What was found at an instruction, beside its place."""

    calls: tuple[int, ...]
    """Addresses of the calls that led there."""
    trail: Trail | None


@dataclass
class _Fork:
    """A branch on a secret, and the state in which it is taken."""

    at: int
    trail: Trail
    taken: FunctionState


@dataclass
class Followed:
    """What came out beside the findings."""

    met: dict[tuple[Kind, int], Met] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    """Why ways were not followed to their end, in the order that they were met."""
    stubs: dict[str, None] = field(default_factory=dict)
    """Names of those that were called."""


class FunctionExecutor(Executor):
    """An executor that goes on behind findings."""

    def __init__(  # long: what an executor is given, and three things more
        self,
        code: Code,
        domain: TracedBits,
        *,
        stack: Extent,
        timed: Callable[[Lifted], bool],
        stubs: Mapping[int, Stub],
        limit: int,
    ) -> None:
        """`stubs`: by address of the function."""
        super().__init__(code, domain, stack=stack, timed=timed)
        if code.image.isa == "armv4t":
            self.convention = replace(self.convention, plain=_ARM7_PLAIN, unspecified=_ARM7_FLAGS)
        self.followed = Followed()
        self.secret_words: Mapping[int, Value] = {}
        """Arguments that are no pointers, by position."""
        self._traced, self._stubs, self._limit = domain, stubs, limit
        self._graph, self._open = ControlGraph(code), Counter[int]()
        self._forks: list[_Fork] = []
        self._blame: tuple[Value, ...] = ()
        self._calls: tuple[CallSite, ...] = ()

    def fresh(self) -> FunctionState:
        """Nothing is written but the image."""
        plain = super().fresh()
        return FunctionState(plain.registers, plain.memory, plain.temporaries)

    def enter(
        self, state: State, arguments: Sequence[int], saved: Callable[[str], Value]
    ) -> dict[str, Value]:
        """Put arguments and the return address where they belong; secret ones too."""
        before, ways = super().enter(state, arguments, saved), self.convention
        top, _ = ways.frame(self._stack_end, len(arguments))
        for at, value in self.secret_words.items():
            if at < len(ways.arguments):
                self.set_register(state, ways.arguments[at], value)
            else:
                place = top + (at - len(ways.arguments)) * ways.word
                state.memory.write(place, ways.word, value)
        return before

    # --- the run

    def _run(self, state: State, waiting: list[State]) -> bool:
        del waiting
        assert isinstance(state, FunctionState)  # noqa: S101 - fresh() made it
        back = self._link(state)
        state.calls = (CallSite(state.pc, back),)
        with _deep():
            ended = self._until(state, back, 0)
        if ended is None:
            raise StuckError(next(iter(self.followed.left_out), "no way returns"))
        state.become(ended)
        return True

    def _link(self, state: State) -> int:
        value = self.operations.force(self.register(state, self.convention.link))
        if not isinstance(value, int):
            raise StuckError(f"{self.code.where(state.pc)}: the return address is no number")
        return value & ~1

    def _until(self, state: FunctionState, stop: int, depth: int) -> FunctionState | None:
        """Run to an address, with so many calls open; None where no way comes there."""
        while state.pc != stop or len(state.calls) != depth:
            self._forks, self._calls, self._traced.at = [], state.calls, state.pc
            try:
                if not self._stubbed(state):
                    self.instructions += 1
                    if self.instructions > self._limit:
                        raise StuckError(f"it runs more than {self._limit} instructions")
                    self.step(state, [])
            except UnwrittenError:
                self._leave(
                    f"{self.code.where(state.pc)} uses a value that nobody wrote; is "
                    "an argument missing, or too short?"
                )
                return None
            except StuckError as stuck:
                self._leave(str(stuck))
                return None
            forks = self._forks
            _return(state)
            for one in forks:
                joined = self._joined(state, one)
                if joined is None:
                    return None
                state = joined
        return state

    def _leave(self, why: str) -> None:
        self.followed.left_out.setdefault(why)

    def _joined(self, state: FunctionState, fork: _Fork) -> FunctionState | None:
        """Both sides of a branch, where they meet again; one of them where the other ends."""
        where, depth = self._graph.meets(fork.at), len(fork.taken.calls)
        if where is None:
            where, depth = fork.taken.calls[-1].back, depth - 1
        if self._open[fork.at] == _ROUNDS:
            told = f"{self.code.where(fork.at)}: a secret ends a loop, of which {_ROUNDS} rounds"
            self._leave(f"{told} were followed")
            return None
        self._open[fork.at] += 1
        _return(fork.taken)
        one = self._until(state, where, depth)
        other = self._until(fork.taken, where, depth)
        self._open[fork.at] -= 1
        if one is None or other is None:
            return one or other
        Joiner(self.operations, self._traced, fork.trail).join(one, other)
        return one

    def _stubbed(self, state: FunctionState) -> bool:
        """Do what is said of a function instead of running it."""
        stub = self._stubs.get(state.pc)
        if stub is None:
            return False
        self.followed.stubs.setdefault(stub.name)
        names, back = self.convention.arguments, self._link(state)
        places = [(self.register(state, names[at - 1]), size) for at, size in stub.writes]
        for at, (place, size) in enumerate(places):
            if not isinstance(place, int):
                raise StuckError(f"{stub.name} writes where a secret points")
            source = Trail(state.pc, None, f"what {stub.name} writes to argument {at + 1}")
            for byte in range(place, place + size):
                self._store(state, byte, 1, self._traced.secret(8, source))
        unknown = self._traced.secret(32, Trail(state.pc, None, f"what {stub.name} returns"))
        for name in names[:2]:
            self.set_register(state, name, unknown if stub.result is None else stub.result)
        state.pc, state.at = back, 0
        return True

    # --- branches and calls

    def call_(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CALL and CALLIND."""
        assert isinstance(state, FunctionState)  # noqa: S101 - fresh() made it
        site = CallSite(lifted.address, lifted.address + lifted.size)
        over = BRANCHES[operation.name](self, state, lifted, operation, waiting)
        if jumped(self.code, lifted) is None:
            state.calls = (*state.calls, site)
        return over

    def conditional(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CBRANCH; on a secret, the taken side waits."""
        condition = self.operations.force(self._value(state, operation.inputs[1]))
        if isinstance(condition, Unwritten):
            raise UnwrittenError
        target = operation.inputs[0]
        if isinstance(condition, int):
            return self._go(state, target) if condition else False
        if self._predicated(state, lifted, target, condition):
            return False
        self._blame = (condition,)
        self.secret("branch", lifted)
        assert isinstance(state, FunctionState)  # noqa: S101 - fresh() made it
        taken = state.copy()
        self._go(taken, target)
        trail = Trail(lifted.address, trail_of(condition))
        self._forks.append(_Fork(lifted.address, trail, taken))
        return False

    def indirect(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """BRANCHIND and RETURN."""
        self._blame = (self.operations.force(self._value(state, operation.inputs[0])),)
        return super().indirect(state, lifted, operation, waiting)

    # --- memory

    def load(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """LOAD."""
        self._blame = (self.operations.force(self._value(state, operation.inputs[0])),)
        return super().load(state, lifted, operation, waiting)

    def store(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """STORE; at a secret address all that it may reach becomes secret."""
        address = self.operations.force(self._value(state, operation.inputs[0]))
        if isinstance(address, int | Unwritten):
            return super().store(state, lifted, operation, waiting)
        self._blame = (address,)
        self.secret("store address", lifted)
        least, most = bounds(address)
        if most - least > _WIDEST:
            raise StuckError(
                f"{self.code.where(lifted.address)} stores where a secret points, maybe anywhere"
            )
        end = most + operation.inputs[1][2]
        trail = Trail(lifted.address, trail_of(address))
        for one in self.writable:
            for at in range(max(least, one.start), min(end, one.start + one.size)):
                state.memory.write(at, 1, self._traced.secret(8, trail))
                state.writers[at] = lifted.address
        return False

    def _store(self, state: State, address: int, size: int, value: Value) -> None:
        """Above its frame a function may write to its arguments alone."""
        try:
            super()._store(state, address, size, value)
        except StuckError as stuck:
            hint = "; is an argument missing?" if self.stack.holds(address, size) else ""
            raise StuckError(f"{stuck}{hint}") from None

    # --- findings

    def _watch(self, lifted: Lifted, operation: PcodeOperation, values: Sequence[Value]) -> None:
        self._blame = tuple(values[::-1])
        super()._watch(lifted, operation, values)

    def note(self, kind: Kind, address: int, text: str) -> None:
        """Keep what was found, with the calls and the path that led there."""
        super().note(kind, address, text)
        calls = tuple(one.at for one in self._calls[1:])
        blame = map(self.operations.force, self._blame if kind in OF_SECRETS else ())
        self.followed.met.setdefault((kind, address), Met(calls, trail_of(*blame)))


def _return(state: FunctionState) -> None:
    """Close the call that the run has just come back from."""
    if state.calls and state.at == 0 and state.pc == state.calls[-1].back:
        state.calls = state.calls[:-1]


@contextmanager
def _deep() -> Iterator[None]:
    """Room for branches on secrets within each other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


FunctionExecutor.actions = {
    **MEMORY,
    **BRANCHES,
    "LOAD": FunctionExecutor.load,
    "STORE": FunctionExecutor.store,
    "CBRANCH": FunctionExecutor.conditional,
    "CALL": FunctionExecutor.call_,
    "CALLIND": FunctionExecutor.call_,
    "BRANCHIND": FunctionExecutor.indirect,
    "RETURN": FunctionExecutor.indirect,
}
