# SPDX-License-Identifier: MIT
"""Decryption with PKCS#7 padding, whose caller learns by how many bytes the payload is shorter.

A copy of that many bytes takes as many steps, so what is followed is not one run: messages with bad
padding are, with all that they hold secret, and so are messages of each of the 16 lengths, which
the padding makes whole blocks of.  Over forms such a message is the encryption of any payload of
its length, so its padding, and with it the length of the copy, is a number after decryption.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..building.unit import entries
from ..jobs.job import Job
from .answer import ProvedStatement
from .calls import Calls
from .code import Code
from .domain import UNWRITTEN, Value
from .executor import Executor
from .findings import Finding, Kind, StuckError
from .forms import Equality
from .independence import calls_of, calls_over, claimed, statements_of
from .interpreter import Sides
from .known_bits import secret
from .left import left_statement
from .messages import LAYOUTS, Harness, Layout, MessageCalls, layouts, named, parts_of
from .specified import Expected, expected
from .state import State
from .words import made
from .zones import Atoms

_BLOCK = 16
_MANY_ATOMS = 30_000
"""A key set-up has about 10,000, a block 2,000; beyond them the key is set up anew, over others."""


def shows_its_length(job: Job) -> bool:
    """The job decrypts, and tells how long the payload was."""
    return job.mode == "pkcs7" and "rig_decrypt" in entries(job)


def padded_statements(
    job: Job,
    code: Code,
    public: Mapping[int, Sides],
    why: str,
    genuine: "GenuineMessages",
) -> tuple[ProvedStatement, ProvedStatement]:
    """INDEPENDENT and STACK.

    `public`: branches that tell whether the padding is good; `why`: it is not known that the call
    tells no more; `genuine`: of the same code.
    """
    every, left = calls_of(job, code), list[ProvedStatement]()
    try:
        for run in _runs(job, code, public, genuine):
            run.add_to(every.executor)
            left.append(run.left)
    except StuckError as stuck:
        why = why or str(stuck)
    shape = (
        f"{_grown(job)} bytes of ciphertext; bad padding: {named(layouts(job))}; "
        f"each of the 16 lengths of payload, in turn: {named(LAYOUTS)}"
    )
    ends = [every.executor.fresh()]
    independent, nothing = statements_of(every, shape, ends, why, claimed(job), True, status=True)
    worst = next((one for one in left if one.outcome != "proved"), nothing)
    return independent, nothing if why else replace(worst, shapes=shape)


def _runs(
    job: Job, code: Code, public: Mapping[int, Sides], genuine: "GenuineMessages"
) -> Iterator["PaddedRuns"]:
    for layout in layouts(job):
        if job.op == "both":
            yield _encrypted(replace(job, op="encrypt"), code, layout)
        yield _refused(replace(job, op="decrypt"), code, layout, public)
    yield from genuine.of(job)


@dataclass(frozen=True)
class PaddedRuns:
    """What runs found, and what they left behind; forms are large, so nothing else is kept."""

    found: Mapping[tuple[Kind, int], Finding]
    executed: frozenset[int]
    declassified: frozenset[Finding]
    instructions: int
    left: ProvedStatement

    def add_to(self, executor: Executor) -> None:
        """As if the executor had made these runs."""
        executor.found.update(self.found)
        executor.executed |= self.executed
        executor.declassified |= self.declassified
        executor.instructions += self.instructions


def _followed(calls: Calls, ends: list[State]) -> PaddedRuns:
    executor = calls.executor
    return PaddedRuns(
        executor.found,
        frozenset(executor.executed),
        frozenset(executor.declassified),
        executor.instructions,
        left_statement(calls, "", ends, "", True, True),
    )


def _grown(job: Job) -> int:
    """Bytes of the ciphertext."""
    size = job.bytes or 0
    return size - size % _BLOCK + _BLOCK


def _lengths(job: Job) -> Iterator[Job]:
    """Every payload that makes this ciphertext."""
    for size in range(_grown(job) - _BLOCK, _grown(job)):
        yield replace(job, op="decrypt", bytes=size)


def _encrypted(job: Job, code: Code, layout: Layout) -> PaddedRuns:
    """Any message."""
    calls, states = calls_of(job, code), list[State]()
    parts = parts_of(job, lambda size: [secret(8)] * size)
    MessageCalls(calls, Harness(job), states, layout).run(parts)
    return _followed(calls, states)


class GenuineMessages:
    """Messages of every length of payload that makes a ciphertext, each of which is accepted.

    Messages in one layout are followed one after another under one key, which is set up once.
    """

    def __init__(self, code: Code) -> None:
        """Nothing is run yet."""
        self._code = code
        self._known: dict[int, list[PaddedRuns]] = {}

    def of(self, job: Job) -> Iterator[PaddedRuns]:
        """Those whose ciphertext is as long as that of the job's payload."""
        grown, found = _grown(job), list[PaddedRuns]()
        if grown not in self._known:
            jobs = [*_lengths(job)]
            for at, layout in enumerate(LAYOUTS):
                for run in self._runs(jobs[at :: len(LAYOUTS)], layout):
                    found.append(run)
                    yield run
            self._known[grown] = found
        else:
            yield from self._known[grown]

    def _runs(self, jobs: Sequence[Job], layout: Layout) -> Iterator[PaddedRuns]:
        """Of messages in one layout; where forms have grown long the key is set up anew."""
        some = deque(jobs)
        while some:
            key = _OneKey(some[0], self._code, layout)
            while some and not key.is_long:
                key.accepted(some.popleft())
            yield key.followed()


class _OneKey:
    """Messages over forms under any key and IV, the same for all of them."""

    def __init__(self, job: Job, code: Code, layout: Layout) -> None:
        """Set the key up; the message is not there yet."""
        self._domain, self._states = Equality(Atoms()), list[State]()
        self._calls = calls_over(job, code, self._domain, lambda address, condition: None)
        self._messages = MessageCalls(self._calls, Harness(job), self._states, layout)
        self._given: list[list[Value]] = []
        parts = self._expected(job).parts
        (self._ready,), self._at = self._messages.set_up(
            replace(parts, data=[UNWRITTEN] * len(parts.data))
        )
        self._given = [[*parts.key], [*parts.nonce]]

    def accepted(self, job: Job) -> None:
        """Run any message of this length; StuckError if the call might refuse it."""
        ended = self._messages.another(self._ready, self._expected(job).parts, self._at)
        if [one.status for one in ended] != [0]:
            raise StuckError(f"a genuine message of {job.bytes} bytes is not accepted in each case")

    def _expected(self, job: Job) -> Expected:
        domain, given = self._domain, iter(self._given)

        def inputs(size: int) -> list[Value]:
            return next(given, None) or [made(domain.atoms.fresh(8)) for _ in range(size)]

        return expected(job, domain.atoms, lambda value: domain.bits(value, 8), inputs)

    def followed(self) -> PaddedRuns:
        """What was found so far."""
        return _followed(self._calls, self._states)

    @property
    def is_long(self) -> bool:
        """Forms have as many bits as there are atoms, so that more of them take more time."""
        return self._domain.atoms.count > _MANY_ATOMS


def _refused(job: Job, code: Code, layout: Layout, public: Mapping[int, Sides]) -> PaddedRuns:
    """Messages with bad padding: the side of the verdict on which the status is an error."""
    calls, states = calls_of(job, code, public), list[State]()
    calls.executor.refused_only = True
    parts = parts_of(job, lambda size: [secret(8)] * size)
    MessageCalls(calls, Harness(job), states, layout).run(parts)
    return _followed(calls, states)
