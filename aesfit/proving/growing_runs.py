# SPDX-License-Identifier: MIT
"""Runs calls whose payload has any length, by induction over the passes of loops.

A branch that depends on how many there are is met in one pass after another; what its state has in
common in two of them is taken to hold in all, and shown: a pass from it, with any number of passes
behind and any number to come, ends in it again.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from .domain import Value
from .executor import Executor
from .findings import StuckError
from .growing import GrowingBits
from .lifter import REGISTER, Lifted, PcodeOperation
from .looping import Comparing, GrowingState, Loop, Pass, Turn, put_numbers
from .repeated import Pieces
from .state import Extent, State
from .sums import CountCondition, Growing, Linear, Public, Ranges, open_bits

_PATHS = 4_000
"""Runs of one call."""
_WIDENED = 64
"""Times that a loop's state is made to hold more."""


class GrowingExecutor(Executor):
    """An executor of calls whose payload has any length."""

    domain: GrowingBits
    limit = 20_000_000
    """GCM's chunks of 64 blocks are run block by block, in a few passes of the loop over chunks."""
    payload: Sequence[Extent]
    """Memory of any length; its content is secret."""
    header: Extent
    """The head of it that is not, and lies in memory as any other."""
    _by_ranges: dict[tuple[tuple[str, tuple[int, int]], ...], Pieces]
    """Pieces that ran with counts in these ranges."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - those of Executor
        """As an Executor."""
        super().__init__(*given, **named)
        self._by_ranges = {}

    def grow(self, payload: Sequence[Extent], header: Extent) -> None:
        """Begin with no count."""
        self.payload, self.header, self._names, self._widened = payload, header, 0, 0
        self._comparing = Comparing(self.domain, self.operations)

    def fresh(self) -> GrowingState:
        """Nothing is written but the image."""
        plain = super().fresh()
        return GrowingState(plain.registers, plain.memory, plain.temporaries)

    def _run(self, state: State, waiting: list[State]) -> bool:
        assert isinstance(state, GrowingState)  # noqa: S101 - fresh() makes no other
        if len(waiting) > _PATHS:
            raise StuckError(f"it has more than {_PATHS} ways through")
        self._use(state.ranges)
        try:
            return super()._run(state, waiting)
        except _KnownError:
            return False

    def _use(self, ranges: Ranges) -> None:
        """Values are those of a run in which the counts lie there."""
        self.domain.ranges = ranges
        key = tuple(sorted(ranges.items()))
        self.pieces = self._by_ranges.setdefault(key, Pieces())

    # --- memory

    def load(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """LOAD."""
        address = self.operations.force(self._value(state, operation.inputs[0]))
        output = operation.output
        assert output is not None  # noqa: S101 - SLEIGH's LOAD has one
        place = self._place(lifted, address, output[2])
        if place is None:
            return super().load(state, lifted, operation, waiting)
        self._inside(state, lifted, place, address, output[2])
        self._aligned(lifted, address, output[2])
        self._put(state, output, self.of_payload(state, place, address, output[2]))
        return False

    def of_payload(self, state: State, place: Extent, address: Value, size: int) -> Value:
        """What is read of memory of any length."""
        del place
        if isinstance(address, int) and self.header.holds(address, size):
            return state.memory.read(address, size)
        return open_bits(0, 0, (1 << 8 * size) - 1)

    def store(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """STORE."""
        address = self.operations.force(self._value(state, operation.inputs[0]))
        size = operation.inputs[1][2]
        place = self._place(lifted, address, size)
        if place is None:
            return super().store(state, lifted, operation, waiting)
        if place not in self.writable:
            raise StuckError(f"{self.code.where(lifted.address)} writes to what it may only read")
        self._inside(state, lifted, place, address, size)
        self._aligned(lifted, address, size)
        value = self._value(state, operation.inputs[1])
        self.to_payload(state, place, address, size, value)
        return False

    def to_payload(
        self, state: State, place: Extent, address: Value, size: int, value: Value
    ) -> None:
        """Write to memory of any length, of whose content that of its public head is kept."""
        end = self.header.start + self.header.size
        total = self.domain.exact(address)
        assert total is not None  # noqa: S101 - it lies in that place
        if place.start != self.header.start or total.within(self.domain.ranges)[0] >= end:
            return
        if not isinstance(address, int):
            raise StuckError("what it writes over the header depends on the length")
        state.memory.write(address, size, value)

    def _place(self, lifted: Lifted, address: Value, size: int) -> Extent | None:
        """The memory of any length that holds all bytes there may be; None: it is other memory."""
        if isinstance(address, int):
            return next((one for one in self.payload if one.holds(address, size)), None)
        public = isinstance(address, Growing)
        if isinstance(address, Public) and not address.secret:
            public = True
        if not public:
            return None
        total = self.domain.exact(address)
        low, high = total.within(self.domain.ranges) if total else (0, 0)
        for one in self.payload:
            if total and one.holds(low, size) and one.holds(high, size):
                return one
        where = self.code.where(lifted.address)
        raise StuckError(f"{where} may use memory anywhere, as far as the length alone is known")

    def _inside(
        self, state: State, lifted: Lifted, place: Extent, address: Value, size: int
    ) -> None:
        """StuckError where bytes may lie behind the message."""
        assert isinstance(state, GrowingState)  # noqa: S101 - fresh() makes no other
        total = self.domain.exact(address)
        assert total is not None  # noqa: S101 - it lies in that place
        behind = total.plus(Linear(size - place.start)).plus(state.ends[place.start], -1)
        if behind.within(state.ranges)[1] > 0:
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} may use memory behind the message, as far as counts tell")

    def _aligned(self, lifted: Lifted, address: Value, size: int) -> None:
        value, public, _ = self.domain.bits(address)
        low = public & -public if public else 1 << 6
        self._seen(lifted.address, value & (low - 1) if low >= size else 1, size)

    # --- branches

    def conditional(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CBRANCH: on a count or another public value both sides are run that there may be."""
        assert isinstance(state, GrowingState)  # noqa: S101 - fresh() makes no other
        condition = self.operations.force(self._value(state, operation.inputs[1]))
        if not isinstance(condition, Public) or condition.secret:
            return super().conditional(state, lifted, operation, waiting)
        if condition.test is None:
            other = state.copy()
            waiting.append(other)
            self._go(other, operation.inputs[0])
            return False
        sides = self._sides(state, lifted, condition, waiting)
        if not sides:  # no counts lead here
            raise _KnownError
        for side, ranges in sides[1:]:
            other = state.copy()
            self._met(other, lifted, condition.test, side, ranges)
            if side:
                self._go(other, operation.inputs[0])
            waiting.append(other)
        side, ranges = sides[0]
        self._met(state, lifted, condition.test, side, ranges)
        return self._go(state, operation.inputs[0]) if side else False

    def _met(
        self, state: GrowingState, lifted: Lifted, test: CountCondition, side: int, ranges: Ranges
    ) -> None:
        """Go on with the counts for which a branch goes to a side, and remember that it did."""
        state.ranges = ranges
        self._use(ranges)
        put_numbers(state)
        if not _changes_itself(lifted):
            turn = lifted.address, self._stack_pointer(state)
            passes = state.seen.get(turn, [])[-1:]
            state.seen[turn] = [*passes, Pass(self._comparing.settle(state), test, side)]

    def _sides(
        self, state: GrowingState, lifted: Lifted, condition: Public, waiting: list[State]
    ) -> list[tuple[int, Ranges]]:
        """The ways that a branch on a count may go, each with the counts for which it does."""
        test = condition.test
        assert test is not None  # noqa: S101 - the caller asked
        turn = lifted.address, self._stack_pointer(state)
        first, state.begins = state.begins == turn, None
        if turn in state.loops and not first:
            self._comes_back(state, turn, waiting)
        known = test.decided(state.ranges)
        if known is not None:
            return [(known, state.ranges)]
        passes = state.seen.get(turn, [])
        if len(passes) > 1:
            self._begin(turn, passes, waiting)
        sides = [(1, test.narrowed(state.ranges)), (0, test.opposite().narrowed(state.ranges))]
        return [one for one in sides if all(low <= high for low, high in one[1].values())]

    def _begin(self, turn: Turn, passes: list[Pass], waiting: list[State]) -> None:
        """Go on with any number of passes in the place of this one, if they are alike."""
        names = f"n{self._names}", f"n{self._names + 1}"
        self._names += 2
        loop = self._comparing.loop(passes[-2], passes[-1], names, len(waiting))
        if loop is None:
            return
        self._start(turn, loop, waiting)
        raise _KnownError

    def _start(self, turn: Turn, loop: Loop, waiting: list[State]) -> None:
        for start in loop.starts():
            for one in self.begun(start, loop):
                one.pc, one.at, one.begins = turn[0], 0, turn
                one.seen.clear()
                if loop.left in one.ranges:
                    one.loops[turn] = loop
                waiting.append(one)

    def begun(self, start: GrowingState, loop: Loop) -> Iterable[GrowingState]:
        """The runs from a start."""
        del loop
        return (start,)

    def _comes_back(self, state: GrowingState, turn: Turn, waiting: list[State]) -> None:
        """A pass is over: it was held, or the loop's state has to hold it too."""
        loop = state.loops[turn]
        if loop.done not in state.ranges or loop.left not in state.ranges:
            raise StuckError(f"{self.code.where(turn[0])}: another loop in it counts its passes")
        wider = self._comparing.widened(loop, self._comparing.settle(state))
        if wider is not None:
            self._widened += 1
            if self._widened > _WIDENED:
                raise StuckError(f"{self.code.where(turn[0])}: its passes have nothing in common")
            del waiting[loop.mark :]
            self._start(turn, wider, waiting)
        raise _KnownError


GrowingExecutor.actions = {
    **Executor.actions,
    "LOAD": GrowingExecutor.load,
    "STORE": GrowingExecutor.store,
    "CBRANCH": GrowingExecutor.conditional,
}


class _KnownError(Exception):
    """What follows is run elsewhere."""


def _changes_itself(lifted: Lifted) -> bool:
    """It changes what it read before it branches, so it cannot be begun again."""
    read: set[tuple[int, int]] = set()
    for one in lifted.operations:
        read |= {place[:2] for place in one.inputs if place[0] == REGISTER}
        if one.name == "CBRANCH":
            return False
        if one.output is not None and one.output[:2] in read:
            return True
    return False
