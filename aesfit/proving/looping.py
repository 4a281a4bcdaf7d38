# SPDX-License-Identifier: MIT
"""States of a run whose message has any length, and what all passes of a loop have in common."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from math import gcd

from .cells import Cells
from .domain import UNWRITTEN, Unwritten, Value
from .findings import StuckError
from .growing import GrowingBits
from .operations import Operations, UnwrittenError
from .state import State
from .sums import Bits, CountCondition, Growing, Linear, Public, Ranges, growing, open_bits

Turn = tuple[int, int]
"""A branch on a count: its address, and the stack pointer there."""
Change = Callable[[Linear], Linear]
Join = Callable[[Value, Value, int], Value]
"""Two values of so many bytes, joined."""


@dataclass
class GrowingState(State):
    """A state that depends on counts."""

    ranges: Ranges = field(default_factory=dict)
    seen: dict[Turn, list["Pass"]] = field(default_factory=dict)
    """The passes that a branch was met in, and went the same way."""
    loops: dict[Turn, "Loop"] = field(default_factory=dict)
    """Those that the run is in, with any number of passes behind it."""
    begins: Turn | None = None
    """It has not left the branch that the loop is known at."""
    ends: dict[int, Linear] = field(default_factory=dict)
    """Bytes of memory of any length that may be used, by its first address."""

    def copy(self) -> "GrowingState":
        """The same, to go on with apart."""
        plain = super().copy()
        return GrowingState(
            plain.registers, plain.memory, plain.temporaries, plain.pc, plain.at, plain.writers,
            plain.setters, plain.decided, plain.accepted, dict(self.ranges),
            {turn: list(passes) for turn, passes in self.seen.items()}, dict(self.loops),
            self.begins, self.ends,
        )  # fmt: skip

    def change(self, change: Change) -> None:
        """Put something in sums that are in neither registers nor memory."""
        self.ends = {start: change(one) for start, one in self.ends.items()}


@dataclass(frozen=True)
class Pass:
    """What held when a branch was met."""

    state: GrowingState
    test: CountCondition
    taken: int


@dataclass(frozen=True)
class Loop:
    """What holds at a branch in every pass of its loop.

    `done` passes are behind it, and `left` says how much is to come: below 0 it ends.
    """

    state: GrowingState
    done: str
    left: str
    step: int
    """What a pass takes from `left`."""
    most: int
    """`left` before the first pass, of the longest message."""
    mark: int
    """Runs that were waiting when the loop was found."""

    @property
    def least(self) -> int:
        """The lowest of `left` that was met there."""
        return self.state.ranges[self.left][0]

    def down_to(self, least: int) -> "Loop":
        """With another such."""
        state = self.state.copy()
        state.ranges |= {
            self.done: (0, (self.most - least) // self.step),
            self.left: (least, self.most),
        }
        return replace(self, state=state)

    def next_pass(self, total: Linear) -> Linear:
        """A sum of the counts of one pass, in those of the next."""
        before = Linear(-1, ((self.done, 1),))
        return total.put(self.done, before).put(self.left, Linear(self.step, ((self.left, 1),)))

    def starts(self) -> Iterator[GrowingState]:
        """The runs from there: those in which it ends, and last the one in which it goes on."""
        for left in range(self.least, 0):
            ends = changed(self.state, partial(Linear.put, name=self.left, value=Linear(left)))
            del ends.ranges[self.left]
            yield ends
        goes_on = changed(self.state, lambda one: one)
        goes_on.ranges[self.left] = 0, self.state.ranges[self.left][1]
        yield goes_on


def changed(state: GrowingState, change: Change) -> GrowingState:
    """A copy in whose sums something is put."""
    twin = state.copy()
    for cells in (twin.registers, twin.memory):
        for at, (size, value) in cells.held.items():
            cells.held[at] = size, changed_value(value, change)
    twin.change(change)
    return twin


def put_numbers(state: GrowingState) -> None:
    """Put numbers in the place of counts that can have one value alone.

    Not of the passes of loops that the run is in: what it has done is told by them.
    """
    passes = {loop.done for loop in state.loops.values()}
    for name, (low, high) in state.ranges.items():
        if low == high and name not in passes:
            change = partial(Linear.put, name=name, value=Linear(low))
            for cells in (state.registers, state.memory, state.temporaries):
                for at, (size, value) in cells.held.items():
                    cells.held[at] = size, changed_value(value, change)
            state.change(change)


def changed_value(value: Value, change: Change) -> Value:
    """A value in whose sum something is put."""
    if isinstance(value, Growing):
        return growing(change(value.sum), value.width)
    if isinstance(value, Public) and value.test:
        test = CountCondition(change(value.test.sum), value.test.kind, value.test.negated)
        return Public(value.value, value.public, value.secret, test)
    if isinstance(value, Public) and value.apart:
        apart = changed_value(value.apart, change)
        return Public(value.value, value.public, value.secret, apart=apart)
    return value


class Comparing:
    """Compares and joins values of states."""

    def __init__(self, domain: GrowingBits, operations: Operations) -> None:
        """Of that domain."""
        self._domain, self._operations = domain, operations

    def settle(self, state: GrowingState) -> GrowingState:
        """A copy without what is put off, or ends with the instruction."""
        twin = state.copy()
        twin.seen, twin.temporaries, twin.at = {}, Cells(self._domain), 0
        for cells in (twin.registers, twin.memory):
            for at, (size, value) in list(cells.held.items()):
                cells.held[at] = size, self._settled(value)
        return twin

    def _settled(self, value: Value) -> Value:
        try:
            return self._operations.force(value)
        except UnwrittenError:
            return UNWRITTEN

    def loop(self, first: Pass, second: Pass, names: tuple[str, str], mark: int) -> Loop | None:
        """What two passes have in common, for any number of them; None: they do not count."""
        count = _counted(first, second)
        if count is None:
            return None
        done, left = names
        self._domain.ranges = _hull(first.state.ranges, second.state.ranges)
        if count.factor * first.state.ranges[count.name][0] + count.start < 0:
            raise StuckError("a loop may begin behind its end, as far as the length tells")
        joined = self.joined(first.state, second.state, done)
        behind = Linear(-count.start).plus(Linear(0, ((left, 1),)))
        behind = behind.plus(Linear(0, ((done, count.step),)))

        def put(total: Linear) -> Linear:
            times = total.factor(count.name)
            if times % count.factor:
                raise _UncountedError
            rest = total.plus(Linear(0, ((count.name, 1),)), -times)
            return rest.plus(behind, times // count.factor)

        try:
            state = changed(joined, put)
        except _UncountedError:
            return None
        most = count.factor * first.state.ranges[count.name][1] + count.start
        state.ranges = {one: two for one, two in state.ranges.items() if one != count.name}
        return Loop(state, done, left, count.step, most, mark).down_to(0)

    def joined(self, one: GrowingState, other: GrowingState, count: str) -> GrowingState:
        """A state that holds both; what grows by the same in each pass does so for any count."""

        def join(a: Value, b: Value, size: int) -> Value:
            return self._in_turn(a, b, 8 * size, count)

        return self.merged(one, other, join)

    def merged(self, one: GrowingState, other: GrowingState, join: Join) -> GrowingState:
        """A state whose values are those of both, joined."""
        found = one.copy()
        found.registers = _merged(one.registers, other.registers, join)
        found.memory = _merged(one.memory, other.memory, join)
        return found

    def widened(self, loop: Loop, after: GrowingState) -> Loop | None:
        """The loop, and in its state that after a pass too; None: it held that already."""
        late = changed(after, loop.next_pass)
        self._domain.ranges = after.ranges | loop.state.ranges
        same = True

        def join(a: Value, b: Value, size: int) -> Value:
            nonlocal same
            if self._holds(a, b, 8 * size):
                return a
            same = False
            return self._either(a, b, 8 * size)

        wider = self.merged(loop.state, late, join)
        least = min(loop.least, after.ranges[loop.left][0] - loop.step)
        if same and least == loop.least:
            return None
        return replace(loop, state=wider).down_to(least)

    def _in_turn(self, a: Value, b: Value, width: int, count: str) -> Value:
        if a == b:
            return a
        one, other = _sum_of(a, width), _sum_of(b, width)
        if one and other:
            step = other.plus(one, -1).modulo(width)
            if not step.terms:
                return growing(one.plus(_signed(step, width, count)), width)
        if isinstance(a, Public) and isinstance(b, Public) and a.test and b.test:
            step = b.test.sum.plus(a.test.sum, -1)
            alike = (a.test.kind, a.test.negated) == (b.test.kind, b.test.negated)
            if alike and not step.terms:
                total = a.test.sum.plus(Linear(0, ((count, step.base),)))
                return Public(0, 1, 0, CountCondition(total, a.test.kind, a.test.negated))
        return self._either(a, b, width)

    def _holds(self, a: Value, b: Value, width: int) -> bool:
        """Whatever the second may be, the first may be too."""
        if a == b:
            return True
        if isinstance(a, Unwritten):
            return not self._bits(b)[2]
        if isinstance(b, Unwritten):  # which may be anything
            return self._bits(a)[2] == (1 << width) - 1
        if isinstance(a, Growing) or (isinstance(a, Public) and (a.test or a.apart is not None)):
            return False
        (x, p, s), (y, q, t) = self._bits(a), self._bits(b)
        known = ~(p | s)
        return not (t & ~s) and not (q & known) and (x & known) == (y & known)

    def _either(self, a: Value, b: Value, width: int) -> Value:
        if isinstance(a, Unwritten) or isinstance(b, Unwritten):
            written = b if isinstance(a, Unwritten) else a
            if isinstance(written, Unwritten) or not self._bits(written)[2]:
                return UNWRITTEN
            return open_bits(0, 0, (1 << width) - 1)
        (x, p, s), (y, q, t) = self._bits(a), self._bits(b)
        every, public = (1 << width) - 1, p | q | (x ^ y)
        above = every & -(public & -public)
        """From the lowest bit that changes on: else a counter would be widened bit by bit."""
        return open_bits(x, above, (s | t) & every)

    def _bits(self, value: Value) -> Bits:
        return self._domain.bits(value)


def _hull(one: Ranges, other: Ranges) -> Ranges:
    """What counts may be in two states."""
    found = other | one
    for name in one.keys() & other.keys():
        (low, high), (least, most) = one[name], other[name]
        found[name] = min(low, least), max(high, most)
    return found


class _UncountedError(Exception):
    """Something depends on a part of a count."""


@dataclass(frozen=True)
class _Count:
    """Passes to come are `factor` times a count, plus `start`, minus `step` for each that is done.

    The loop goes on while that is 0 or more.
    """

    name: str
    factor: int
    start: int
    step: int


def _counted(first: Pass, second: Pass) -> _Count | None:
    """What two passes in turn count; None: it is no count."""
    one, other = _goes_on(first), _goes_on(second)
    if one is None or other is None or len(one.terms) != 1:
        return None
    step, (name, factor) = other.plus(one, -1), one.terms[0]
    if first.test.kind == "zero" and step.base > 0:
        one, step, factor = one.times(-1), step.times(-1), -factor
    if step.terms or step.base >= 0 or factor <= 0:
        return None
    divisor = gcd(factor, step.base)
    by, start = -step.base // divisor, one.base // divisor
    if first.test.kind == "zero":
        if by != 1 or one.base % divisor:
            return None
        start -= 1
    return _Count(name, factor // divisor, start, by)


def _goes_on(met: Pass) -> Linear | None:
    """A sum that is not 0, or 0 or more, while the loop goes on; None: there is none."""
    test = met.test if met.taken else met.test.opposite()
    if test.kind == "zero":
        return test.sum if test.negated else None
    return test.at_least()


def _sum_of(value: Value, width: int) -> Linear | None:
    if isinstance(value, int):
        return Linear(value)
    return value.sum if isinstance(value, Growing) and value.width == width else None


def _signed(step: Linear, width: int, count: str) -> Linear:
    return Linear(0, ((count, step.base),)).modulo(width)


def _merged(one: Cells, other: Cells, join: Join) -> Cells:
    """Cells that hold both."""
    found = one.copy()
    for at in [*one.held, *other.held]:
        a, b = one.held.get(at), other.held.get(at)
        if a and b and a[0] == b[0]:
            found.held[at] = a[0], join(a[1], b[1], a[0])
            continue
        for entry in (a, b):
            for byte in range(at, at + (entry[0] if entry else 0)):
                found.write(byte, 1, join(_byte(one, byte), _byte(other, byte), 1))
    return found


def _byte(cells: Cells, at: int) -> Value:
    try:
        return cells.read(at, 1)
    except UnwrittenError:
        return UNWRITTEN
