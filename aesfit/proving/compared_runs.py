# SPDX-License-Identifier: MIT
"""Runs calls of any length over forms, each pass beside one step of the mode's specification.

The state of a loop is guessed from two passes: what is the same in both, what counts, and what is a
text of the specification in both.  The rest is forgotten.  Any texts are put in, and a pass from
there has to end in the same state with the texts of the specification after its step.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .cells import Cells
from .compared_state import BesideStandard, ComparedState
from .counted_forms import CountedForms, TextBits
from .domain import UNWRITTEN, Unwritten, Value
from .findings import StuckError
from .growing_runs import GrowingExecutor
from .lifter import Lifted, PcodeOperation
from .looping import Comparing, GrowingState, Join, Loop
from .operations import Deferred, Operations, UnwrittenError
from .standards import Text
from .state import Extent, State
from .stepwise import COUNTER, Counter, HeldTexts
from .sums import Growing, Linear, Public, Ranges
from .words import constant, made

_WINDOW = 64
"""Bytes of output behind a head that a loop may read again."""


class ComparingForms(Comparing):
    """Compares and joins values of states over forms."""

    def __init__(
        self, domain: CountedForms, operations: Operations, beside: BesideStandard
    ) -> None:
        """Of that domain."""
        super().__init__(domain, operations)  # type: ignore[arg-type]
        self._forms, self._beside = domain, beside
        self._pairs: Mapping[tuple[int, int], tuple[str, int]] = {}
        self._now: Mapping[str, Text] = {}

    def _settled(self, value: Value) -> Value:
        if isinstance(value, Deferred) and not _counts(value):
            return UNWRITTEN  # flags of what depends on secrets
        return super()._settled(value)

    # --- two passes

    def joined(self, one: GrowingState, other: GrowingState, count: str) -> GrowingState:
        """A state that holds both; the texts of the specification in both are any."""
        assert isinstance(one, ComparedState) and isinstance(other, ComparedState)  # noqa: S101 PT018
        (at, first), (then, second) = self._beside.reached(one), self._beside.reached(other)
        atoms = self._forms.forms.atoms
        texts = {
            name: (text, second.named(atoms)[name]) for name, text in first.named(atoms).items()
        }
        self._pairs = _pairs(texts)
        a, b = one.copy(), other.copy()
        _relative(a, at)
        _relative(b, then)
        found = super().joined(a, b, count)
        assert isinstance(found, ComparedState)  # noqa: S101 - a copy of one
        for name, (text, late) in texts.items():
            if text != late:
                self._place(found.memory, one.memory, other.memory, name, (text, late))
        step = then.plus(at, -1)
        if step.terms or step.base < 0:
            raise StuckError("its passes take different numbers of bytes")
        payload = found.payload
        payload.position = at.plus(Linear(0, ((count, step.base),)))
        payload.written = {
            payload.position.plus(by): value for by, value in payload.written.items()
        }
        payload.seen, payload.given, payload.ahead = set(), {}, step.base // 16
        payload.held = _stepping(first, texts, step.base // 16)
        return found

    def merged(self, one: GrowingState, other: GrowingState, join: Join) -> GrowingState:
        """With the output behind the head."""
        assert isinstance(one, ComparedState) and isinstance(other, ComparedState)  # noqa: S101 PT018
        found, late = super().merged(one, other, join), other.payload.written
        assert isinstance(found, ComparedState)  # noqa: S101 - a copy of one
        joined = {at: join(a, late.get(at, UNWRITTEN), 1) for at, a in one.payload.written.items()}
        found.payload.written = {
            at: value for at, value in joined.items() if not isinstance(value, Unwritten)
        }
        return found

    def _place(
        self, into: Cells, one: Cells, other: Cells, name: str, texts: tuple[Text, Text]
    ) -> None:
        """Put a text where both have it, whatever its bytes look like alone."""
        for start in list(one.held):
            both = (
                self._beside.same(_byte(cells, start + at), text[at])
                for at in range(16)
                for cells, text in ((one, texts[0]), (other, texts[1]))
            )
            if all(both):
                into.clear(start, 16)
                for at in range(16):
                    bits = [(name, 8 * at + bit) for bit in range(8)]
                    into.write(start + at, 1, TextBits(bits))

    def _in_turn(self, a: Value, b: Value, width: int, count: str) -> Value:
        if _counts(a) and _counts(b):
            return super()._in_turn(a, b, width, count)
        if isinstance(a, Unwritten) or isinstance(b, Unwritten) or _counts(a) or _counts(b):
            return self._number_or_form(a, b, width)
        return self._bit_by_bit(a, b, width)

    def _number_or_form(self, a: Value, b: Value, width: int) -> Value:
        mixed = (Unwritten, Growing, Public)
        if isinstance(a, mixed) or isinstance(b, mixed):
            return UNWRITTEN
        return self._bit_by_bit(a, b, width)

    def _bit_by_bit(self, a: Value, b: Value, width: int) -> Value:
        found: list[int | tuple[str, int]] = []
        x, y = self._forms.form_bits(a, width), self._forms.form_bits(b, width)
        if x == y:
            return a
        for pair in zip(x, y, strict=True):
            if pair[0] != pair[1] and pair not in self._pairs:
                return UNWRITTEN
            found.append(pair[0] if pair[0] == pair[1] else self._pairs[pair])
        return TextBits(found)

    # --- a pass of any

    def widened(self, loop: Loop, after: GrowingState) -> Loop | None:
        """The loop, with what a pass changes forgotten; None: it holds."""
        assert isinstance(after, ComparedState)  # noqa: S101 - of its executor
        state = loop.state
        assert isinstance(state, ComparedState)  # noqa: S101 - joined() made it
        at, held = self._beside.reached(after)
        if loop.next_pass(at) != state.payload.position:
            raise StuckError("its passes take different numbers of bytes")
        self._now = held.named(self._forms.forms.atoms)
        return super().widened(loop, after)

    def _holds(self, a: Value, b: Value, width: int) -> bool:
        if isinstance(a, Unwritten) or isinstance(b, Unwritten):
            return isinstance(a, Unwritten)
        if _counts(a) and _counts(b):
            return super()._holds(a, b, width)
        if isinstance(b, Public | TextBits) or isinstance(a, Growing | Public):
            return False
        places = a.bits if isinstance(a, TextBits) else self._forms.places(a, width)
        wanted = tuple(one if isinstance(one, int) else self._bit(one) for one in places)
        return wanted == tuple(self._forms.form_bits(b, len(wanted)))

    def _bit(self, place: tuple[str, int]) -> int:
        name, at = place
        return self._now[name][at // 8][at % 8]

    def _either(self, a: Value, b: Value, width: int) -> Value:
        return super()._either(a, b, width) if _counts(a) and _counts(b) else UNWRITTEN


class ComparedExecutor(GrowingExecutor):
    """An executor of calls of any length whose results are compared."""

    domain: CountedForms  # type: ignore[assignment]
    beside: BesideStandard
    output: Extent
    unwritten = "a value that passes of a loop do not have in common, or that nobody wrote"
    most = 0
    """Blocks of the longest message."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - those of Executor
        """As an Executor."""
        super().__init__(*given, **named)
        self._never: dict[int, int] = {}
        """Conditions that no counter of this message meets, or that each does."""

    def begin(self, beside: BesideStandard, output: Extent) -> None:
        """Messages that are compared with a machine."""
        self.beside, self.output = beside, output
        self._names = self._widened = 0
        self._never = {}
        self._comparing = ComparingForms(self.domain, self.operations, beside)

    def fresh(self) -> ComparedState:
        """Nothing is written but the image."""
        return ComparedState(**vars(super().fresh()))

    def _use(self, ranges: Ranges) -> None:
        self.domain.ranges, self.pieces = ranges, None

    def of_payload(self, state: State, place: Extent, address: Value, size: int) -> Value:
        """Bytes of input or output."""
        assert isinstance(state, ComparedState)  # noqa: S101 - fresh() makes no other
        at, of_output = self._offset(place, address), place == self.output
        value = self.beside.read(state, at, of_output)
        for one in range(1, size):
            more = self.beside.read(state, at.plus(Linear(one)), of_output)
            value = self.domain.join(value, 8 * one, more, 8 * one + 8)
        return value

    def to_payload(
        self, state: State, place: Extent, address: Value, size: int, value: Value
    ) -> None:
        """Bytes of the output."""
        assert isinstance(state, ComparedState)  # noqa: S101 - fresh() makes no other
        at, value = self._offset(place, address), self.operations.force(value)
        if isinstance(value, Unwritten):
            raise UnwrittenError
        for one in range(size):
            byte = self.domain.extract(value, 8 * one, 8)
            self.beside.write(state, at.plus(Linear(one)), byte)

    def _offset(self, place: Extent, address: Value) -> Linear:
        total = self.domain.exact(address)
        assert total is not None  # noqa: S101 - it lies in that place
        return total.plus(Linear(-place.start))

    def conditional(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CBRANCH: with counters as they are met."""
        condition = self.operations.force(self._value(state, operation.inputs[1]))
        if not _counts(condition) and not isinstance(condition, Unwritten):
            side = self._never.get(self.domain.form_bits(condition, 1)[0])
            if side is not None:
                return self._go(state, operation.inputs[0]) if side else False
        return super().conditional(state, lifted, operation, waiting)

    def begun(self, start: GrowingState, loop: Loop) -> Iterator[GrowingState]:
        """For each kind of texts that the specification may hold there."""
        assert isinstance(start, ComparedState)  # noqa: S101 - of this executor
        for held in self._any(start.payload.held, loop.done):
            yield self._filled(start.copy(), held)

    def _filled(self, state: ComparedState, held: HeldTexts) -> ComparedState:
        texts, payload = held.named(self.domain.forms.atoms), state.payload
        for cells in (state.registers, state.memory):
            for at, (size, value) in cells.held.items():
                cells.held[at] = size, _put(value, texts)
        payload.written = {at: _put(value, texts) for at, value in payload.written.items()}
        payload.held = held
        for name in self.beside.machine.inputs:
            before = payload.position.plus(Linear(-16))
            payload.given |= {
                before.plus(Linear(at)): made(byte) for at, byte in enumerate(texts[name])
            }
        self.beside.foresee(payload)
        return state

    def _any(self, held: HeldTexts, count: str) -> Iterator[HeldTexts]:
        texts = {name: self._fresh((count, name), len(text)) for name, text in held.texts.items()}
        if held.counter is None:
            yield HeldTexts(texts)
            return
        for counter in self._counters(held.counter, count):
            yield HeldTexts(texts, counter)

    def _fresh(self, what: object, size: int) -> Text:
        unknown = self.domain.forms.atoms.unknown
        return [tuple(unknown(("any", what, at, bit)) for bit in range(8)) for at in range(size)]

    def _counters(self, counter: Counter, count: str) -> Iterator[Counter]:
        """Any counter of a message, by its last bytes that are all ones."""
        size, low = _counting(counter, self.most), counter.steps.bit_length() - 1
        for ones in range(size):
            bytes_ = self._fresh((count, COUNTER, ones), 16)
            first = [*counter.first[: 16 - size], *bytes_[16 - size :]]
            first[16 - ones :] = [constant(0xFF, 8)] * ones
            first[15] = (*constant(0, low), *first[15][low:])
            found = replace(counter, first=first, ones=ones)
            after = found.plus(counter.steps).text(self.domain.forms.atoms)[15 - ones]
            for value, side in ((made(after), 0), (made([one ^ 1 for one in first[15 - ones]]), 0)):
                zero = self.domain.forms.is_zero(value, 8)
                form = self.domain.form_bits(zero, 1)[0]
                if form > 1:
                    self._never |= {form: side, form ^ 1: 1 - side}
            yield found


ComparedExecutor.actions = {
    **GrowingExecutor.actions,
    "CBRANCH": ComparedExecutor.conditional,
}


def _counting(counter: Counter, most: int) -> int:
    """Bytes of a counter that count: no carry leaves them before the longest message ends."""
    low = counter.steps.bit_length() - 1
    number = 0
    for size in range(1, 9):
        byte = counter.first[16 - size]
        if any(bit > 1 for bit in byte):
            break
        number |= sum(bit << at for at, bit in enumerate(byte)) << 8 * (size - 1)
        if number + most + counter.steps < 1 << 8 * size:
            if number & ((1 << low) - 1):
                break
            return size
    raise StuckError("how far its counter's carries reach is not known")


def _stepping(held: HeldTexts, texts: Mapping[str, tuple[Text, Text]], blocks: int) -> HeldTexts:
    """With a counter that is known for one pass from any one on."""
    if held.counter is None:
        return held
    if blocks < 1 or blocks & (blocks - 1):
        raise StuckError("its passes take no power of two of blocks")
    return replace(held, counter=Counter(texts[COUNTER][0], steps=blocks))


def _pairs(texts: Mapping[str, tuple[Text, Text]]) -> dict[tuple[int, int], tuple[str, int]]:
    """Bits that change between two texts, by their forms in both; constants tell nothing."""
    found = {}
    for name, (one, other) in texts.items():
        for at, (a, b) in enumerate(zip(one, other, strict=True)):
            for bit, pair in enumerate(zip(a, b, strict=True)):
                if max(pair) > 1 and pair[0] != pair[1]:
                    found[pair] = name, 8 * at + bit
    return found


def _relative(state: ComparedState, head: Linear) -> None:
    """Output by its distance from the head, as far as it is near."""
    near = {at.plus(head, -1): value for at, value in state.payload.written.items()}
    state.payload.written = {
        by: value for by, value in near.items() if not by.terms and -_WINDOW <= by.base < 0
    }


def _put(value: Value, texts: Mapping[str, Text]) -> Value:
    if not isinstance(value, TextBits):
        return value
    return made(
        [one if isinstance(one, int) else texts[one[0]][one[1] // 8][one[1] % 8]
         for one in value.bits]
    )  # fmt: skip


def _byte(cells: Cells, at: int) -> Value | None:
    try:
        value = cells.read(at, 1)
    except (UnwrittenError, StuckError):
        return None
    return None if isinstance(value, Growing | Public) else value


def _counts(value: Value) -> bool:
    """A number, or a word of counts."""
    if isinstance(value, Deferred):
        return all(map(_counts, value.values))
    return isinstance(value, int | Growing | Public)
