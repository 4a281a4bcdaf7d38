# SPDX-License-Identifier: MIT
"""States of a run over forms whose message has any length, beside the state of its specification.

Bytes of the payload are known by their offset, a sum of counts.  What a run has written is compared
with the specification when it comes to the head of a loop, and when the call returns.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .counted_forms import CountedForms
from .domain import Unwritten, Value
from .findings import StuckError
from .fips197 import Byte
from .looping import Change, GrowingState
from .standards import Text
from .stepwise import Finished, HeldTexts, ModeMachine
from .sums import Linear, Ranges
from .words import made

_NOTHING = Linear(0)


class DiffersError(StuckError):
    """What was written is not what the specification says."""


@dataclass
class Payload:
    """Memory of any length."""

    total: Linear = _NOTHING
    """Bytes of the message."""
    position: Linear = _NOTHING
    """How many of them the specification has taken; bytes before are as it says."""
    held: HeldTexts = field(default_factory=HeldTexts)
    """What it holds there."""
    written: dict[Linear, Value] = field(default_factory=dict)
    """Bytes of the output by their offset."""
    given: dict[Linear, Value] = field(default_factory=dict)
    """Bytes of the input that have another name than that of their offset."""
    seen: set[Linear] = field(default_factory=set)
    """Bytes of the input that were read."""
    ahead: int = 0
    """Blocks that a pass takes."""

    def copy(self) -> "Payload":
        """The same, to go on with apart."""
        return Payload(
            self.total, self.position, self.held,
            dict(self.written), dict(self.given), set(self.seen), self.ahead,
        )  # fmt: skip

    def change(self, change: Change) -> None:
        """Put something in all offsets."""
        self.total, self.position = change(self.total), change(self.position)
        self.written = {change(at): one for at, one in self.written.items()}
        self.given = {change(at): one for at, one in self.given.items()}
        self.seen = {change(at) for at in self.seen}


@dataclass
class ComparedState(GrowingState):
    """A state with the payload that it knows of."""

    payload: Payload = field(default_factory=Payload)

    def copy(self) -> "ComparedState":
        """The same, to go on with apart."""
        return ComparedState(**vars(super().copy()), payload=self.payload.copy())

    def change(self, change: Change) -> None:
        """Put something in the sums of the payload."""
        super().change(change)
        self.payload.change(change)


class BesideStandard:
    """A mode's machine beside the runs of its code."""

    def __init__(self, domain: CountedForms, machine: ModeMachine, in_place: bool) -> None:
        """Nothing was compared yet."""
        self.domain, self.machine, self.in_place = domain, machine, in_place

    # --- bytes of the payload

    def read(self, state: ComparedState, at: Linear, of_output: bool) -> Value:
        """A byte of the input, or of the output."""
        payload = state.payload
        if of_output or self.in_place:
            known = payload.written.get(at)
            if known is not None:
                return known
            _apart(at, payload.written, state.ranges)
            if not self.in_place or _least(at, payload.position, state.ranges) < 0:
                raise StuckError("it reads output of which nothing is known there")
        payload.seen.add(at)
        return self.input(payload, at)

    def input(self, payload: Payload, at: Linear) -> Value:
        """A byte of the input."""
        if at in payload.given:
            return payload.given[at]
        unknown = self.domain.forms.atoms.unknown
        return made([unknown(("input", at, bit)) for bit in range(8)])

    def write(self, state: ComparedState, at: Linear, value: Value) -> None:
        """A byte of the output; what earlier passes wrote must stay."""
        payload = state.payload
        if self.machine.reads:
            raise DiffersError("it writes output, of which it has none")
        if at not in payload.written:
            _apart(at, payload.written, state.ranges)
        if _least(at, payload.position, state.ranges) < 0:
            raise StuckError("it writes to output of an earlier pass once more")
        payload.written[at] = value

    # --- the specification

    def reached(self, state: ComparedState) -> tuple[Linear, HeldTexts]:
        """How far a run has come, and what the machine holds there; DiffersError."""
        payload, at = state.payload, self._frontier(state)
        size = at.plus(payload.position, -1)
        if size.terms:
            raise StuckError("it does not go from the first block to the last, one after another")
        if size.base % 16:
            raise StuckError("it looks at a length in the middle of a block")
        return at, self._through(payload, size.base // 16)

    def _frontier(self, state: ComparedState) -> Linear:
        """Behind the last byte that was written, or of a machine that reads, read."""
        payload = state.payload
        found = payload.position
        for at in payload.seen if self.machine.reads else payload.written:
            low, high = at.plus(found, -1).within(state.ranges)
            if low >= 0:
                found = at.plus(Linear(1))
            elif high >= 0:
                raise StuckError("how far it has come depends on a count")
        return found

    def foresee(self, payload: Payload) -> None:
        """Compute what comes next, so that S-boxes have their forms before the code meets them."""
        left = payload.total.plus(payload.position, -1)
        blocks = payload.ahead if left.terms else self.machine.blocks(left.base)
        held, at, outs = self._steps(payload, blocks)
        if not left.terms:
            self.machine.end(held, self._inputs(payload, at, left.base - 16 * len(outs)))

    def _steps(self, payload: Payload, blocks: int) -> tuple[HeldTexts, Linear, list[Text]]:
        held, at, outs = payload.held, payload.position, []
        for _ in range(blocks):
            held, out = self.machine.step(held, self._inputs(payload, at, 16))
            at = at.plus(Linear(16))
            outs.append(out)
        return held, at, outs

    def _through(self, payload: Payload, blocks: int) -> HeldTexts:
        held, _, outs = self._steps(payload, blocks)
        for number, out in enumerate(outs):
            self._compare(payload, payload.position.plus(Linear(16 * number)), out)
        return held

    def _inputs(self, payload: Payload, at: Linear, size: int) -> Text:
        return [self.byte(self.input(payload, at.plus(Linear(one)))) for one in range(size)]

    def byte(self, value: Value) -> Byte:
        """The bits of a byte."""
        return self.domain.form_bits(value, 8)

    def same(self, value: Value | None, wanted: Byte) -> bool:
        """A byte that was computed is the one that is specified."""
        if value is None or isinstance(value, Unwritten):
            return False
        return tuple(self.byte(value)) == tuple(wanted)

    def _compare(self, payload: Payload, at: Linear, out: Text) -> None:
        for one, wanted in enumerate(out):
            place = at.plus(Linear(one))
            if not self.same(payload.written.get(place), wanted):
                raise DiffersError(f"output {_told(place)} is not shown to be that of the standard")

    def finished(self, state: ComparedState) -> Finished:
        """The rest of what a message must give, whose output was compared; DiffersError."""
        payload = state.payload
        left = payload.total.plus(payload.position, -1)
        if left.terms or left.base < 0:
            raise StuckError("it ends where its passes do not lead")
        blocks = self.machine.blocks(left.base)
        whole = self.machine.keeps_last and not left.base and payload.total != _NOTHING
        if whole or blocks < 0:
            raise StuckError("it takes the last block as one of those before it")
        held, at = self._through(payload, blocks), payload.position.plus(Linear(16 * blocks))
        rest = self._inputs(payload, at, left.base - 16 * blocks)
        ended = self.machine.end(held, rest)
        self._compare(payload, at, ended.out)
        for one in payload.written:
            if one.plus(payload.total, -1).within(state.ranges)[1] >= 0:
                raise DiffersError(f"it writes {_told(one)}, behind its output")
        return ended


def _told(at: Linear) -> str:
    behind = "".join(f" + {factor} {name}" for name, factor in at.terms)
    return f"byte {at.base}{behind}"


def _least(at: Linear, other: Linear, ranges: Ranges) -> int:
    return at.plus(other, -1).within(ranges)[0]


def _apart(at: Linear, others: Iterable[Linear], ranges: Ranges) -> None:
    """StuckError where one of the others may be the same byte."""
    for one in others:
        if one.terms != at.terms:
            low, high = at.plus(one, -1).within(ranges)
            if low <= 0 <= high:
                raise StuckError("two places of the payload may be one, as far as counts tell")
