# SPDX-License-Identifier: MIT
"""Equality of messages of every length with the mode's standard.

Key set-up is followed once for each layout; then a message of every length of few pieces, and one
of any number of pieces for each number of bytes beyond them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ..jobs.job import Job
from .answer import EQUAL, Outcome, ProvedStatement
from .calls import Calls, stack_of
from .code import Code
from .compared_runs import ComparedExecutor
from .compared_state import BesideStandard, ComparedState, DiffersError, Payload
from .counted_forms import CountedForms
from .domain import Unwritten, Value
from .equality import broken_rules
from .every_length import (
    FEWEST_PIECES,
    PIECES,
    GrowingMessage,
    most_bytes,
    payloads,
    piece_bytes,
)
from .findings import StuckError
from .fips197 import Aes, Byte
from .forms import Equality
from .messages import COUNTING, LAYOUTS, Ended, Harness, Layout, Parts, Places, parts_of
from .specified import unequal_halves
from .standards import Text
from .state import State
from .stepwise import MACHINES, Finished, ModeMachine
from .sums import Linear, Ranges
from .verdicts import CallVerdict
from .words import made
from .zones import Atoms

_MANY_ATOMS = 30_000
"""A key set-up has about 10,000, a block 1,300; beyond them the key is set up anew."""


def why_not_compared(job: Job) -> str:
    """Why results are not compared at every length; empty where they are."""
    if (job.mode or "", job.op) in MACHINES:
        return ""
    return f"{job.shape.title} {job.op} has no specification by steps; name lengths for equality"


def equal_at_every_length(jobs: Sequence[Job], code: Code, shape: str) -> ProvedStatement:
    """The statement; `jobs`: one for each direction, `shape`: their lengths in words."""
    reason = next((why for one in jobs if (why := why_not_compared(one))), "")
    if reason:
        return ProvedStatement(EQUAL, "refused", shape, reason)
    runs: list[Calls] = []
    wrong = ""
    for one, layout in product(jobs, LAYOUTS):
        wrong = wrong or _wrong(one, code, layout, runs)
    count = sum(one.executor.instructions for one in runs)
    broken = tuple(sorted({found for one in runs for found in broken_rules(one)}))
    outcome: Outcome = "refuted" if broken else "open" if wrong else "proved"
    detail = f"{broken[0].kind}: {broken[0].where}" if broken else wrong
    return ProvedStatement(EQUAL, outcome, shape, detail, findings=broken, instructions=count)


@dataclass
class ComparedMessage(GrowingMessage):
    """Key set-up, and then messages of any length."""

    def ready(self, parts: Parts) -> tuple[State, Places]:
        """The state in which a key is accepted."""
        ended, at = self.set_up(parts)
        accepted = [one.state for one in ended if one.status == 0]
        if len(accepted) != 1:
            raise StuckError("the key set-up accepts no key, or in several ways")
        return accepted[0], at

    def given(self, state: State, parts: Parts, at: Places, ranges: Ranges) -> None:
        """Put a message's words in; without a range its length is that of `parts`."""
        assert isinstance(state, ComparedState)  # noqa: S101 - of a ComparedExecutor
        state.ends = self.buffers(parts, at, self.terms if ranges else ())
        words = self._words(parts, at) if ranges else super(GrowingMessage, self)._words(parts, at)
        for number, word in enumerate(words):
            state.memory.write(
                at["message"].start + number * self.calls.word, self.calls.word, word
            )

    def sent(self, state: State, parts: Parts, at: Places) -> list[Ended]:
        """The ways in which the message returned."""
        ended = self.calls.call(state, *self.interface.act(parts, at), self._writable(parts, at))
        return [Ended(one, self._status(one), [], [], []) for one in ended]


def _wrong(job: Job, code: Code, layout: Layout, runs: list[Calls]) -> str:
    """How a message differs from its standard, or why that is not known; empty: it does not."""
    where, one = "key set-up", None
    try:
        for size, most in _sizes(job):
            if one is None or one.is_long:
                one = _OneKeyOfAll(job, code, layout)
                runs.append(one.calls)
                one.set_up()
            pieces = f" and any number of pieces of {piece_bytes(job)}" if most else ""
            where = f"{size} bytes{pieces}"
            one.message(size, {PIECES: (FEWEST_PIECES, most)} if most else {})
    except StuckError as stuck:
        return f"{where}, {layout.name}: {stuck}"
    return ""


def _sizes(job: Job) -> Iterator[tuple[int, int]]:
    """Bytes of each message, and the most pieces beyond them."""
    for size in payloads(job, 0, 1):
        yield size, (most_bytes(job) - size) // piece_bytes(job)
    for size in payloads(job, 0, FEWEST_PIECES):
        yield size, 0


class _OneKeyOfAll:
    """Messages over the same forms, of one direction in one layout, under any key."""

    def __init__(self, job: Job, code: Code, layout: Layout) -> None:
        self._job, self._layout = job, layout
        self._forms = Equality(Atoms())
        self._domain = CountedForms(self._forms)
        self._verdict: CallVerdict | None = None
        executor = ComparedExecutor(
            code, self._domain, stack=stack_of(code.image), public=self._public, strict=True
        )
        executor.most = most_bytes(job) // 16 + 4
        held: dict[str, Value] = {}

        def saved(name: str) -> Value:
            if name not in held:
                held[name] = made(self._forms.atoms.fresh(executor.width(name)))
            return held[name]

        self.calls, self._executor = Calls(executor, saved), executor

    def _public(self, address: int, condition: Value) -> tuple[int, int] | None:
        del address
        if self._verdict is None:
            return None
        return self._verdict.sides(self._domain.form_bits(condition, 1)[0])

    def set_up(self) -> None:
        """Set the key up; StuckError."""
        first = replace(self._job, bytes=self._job.shape.least)
        self._given = self._parts(first)
        self._standard = self._machine(self._given)
        self._ready, self._at = self._message(first).ready(self._given)

    @property
    def is_long(self) -> bool:
        """Forms have as many bits as there are atoms, so that more of them take more time."""
        return self._forms.atoms.count > _MANY_ATOMS

    def message(self, size: int, ranges: Ranges) -> None:
        """Follow one of so many bytes, and of any number of pieces; StuckError."""
        job = replace(self._job, bytes=size)
        given = replace(self._given, data=[0] * size, out_bytes=0 if job.shape.is_mac else size)
        self._sent(self._message(job), self._ready.copy(), self._standard, given, self._at, ranges)

    def _message(self, job: Job) -> ComparedMessage:
        return ComparedMessage(
            self.calls, Harness(job), [], self._layout, piece_bytes(job), most_bytes(job)
        )

    def _parts(self, job: Job) -> Parts:
        def inputs(size: int) -> list[Value]:
            return [made(self._forms.atoms.fresh(8)) for _ in range(size)]

        parts = parts_of(job, inputs, self._layout)
        if job.mode == "ctr":
            parts = replace(parts, nonce=[*inputs(16 - len(COUNTING)), *COUNTING])
        return parts

    def _machine(self, parts: Parts) -> ModeMachine:
        key, nonce = self._text(parts.key), self._text(parts.nonce)
        half, atoms = len(key) // self._job.keys, self._forms.atoms
        ciphers = [Aes(atoms, key[:half])]
        if self._job.mode == "xts":
            self._verdict = unequal_halves(atoms, key)
            ciphers.append(Aes(atoms, key[half:]))
        kind = MACHINES[self._job.mode or "", self._job.op]
        return kind(self._forms, ciphers[0], nonce, *ciphers[1:])

    def _text(self, some: Sequence[Value]) -> Text:
        return [self._bits(one) for one in some]

    def _bits(self, value: Value) -> Byte:
        return self._domain.form_bits(value, 8)

    def _sent(
        self,
        message: ComparedMessage,
        state: State,
        machine: ModeMachine,
        parts: Parts,
        at: Places,
        ranges: Ranges,
    ) -> None:
        """Follow a message from its state; StuckError."""
        assert isinstance(state, ComparedState)  # noqa: S101 - of a ComparedExecutor
        beside = BesideStandard(self._domain, machine, self._layout.in_place)
        self._executor.begin(beside, at["out"])
        terms = message.terms if ranges else ()
        state.payload = Payload(Linear(len(parts.data), terms), held=machine.start())
        state.payload.ahead = (len(parts.data) + (FEWEST_PIECES + 2) * message.piece) // 16
        state.ranges = ranges
        beside.foresee(state.payload)
        message.given(state, parts, at, ranges)
        ways = message.sent(state, parts, at)
        if not ways:
            raise StuckError("it does not return")
        for ended in ways:
            if ended.status != 0:
                raise DiffersError("a genuine message may be refused")
            assert isinstance(ended.state, ComparedState)  # noqa: S101 - as above
            self._domain.ranges = ended.state.ranges
            self._compared(ended.state, beside, beside.finished(ended.state), parts, at)

    def _compared(
        self,
        state: ComparedState,
        beside: BesideStandard,
        wanted: Finished,
        parts: Parts,
        at: Places,
    ) -> None:
        """Hold tag and IV to the standard."""
        iv = self._text(parts.nonce) if wanted.iv is None else wanted.iv
        for name, meant in (("tag", wanted.tag), ("nonce", iv)):
            got = self.calls.get(state, at[name].start, len(meant))
            for number, (one, other) in enumerate(zip(got, meant, strict=True)):
                if isinstance(one, Unwritten) or not beside.same(one, other):
                    raise DiffersError(
                        f"byte {number} of the {name} is not shown to be the standard's"
                    )
