# SPDX-License-Identifier: MIT
"""Proofs of one mode at one length: equal to its standard, and independent of secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from random import Random

from ..jobs.job import Job
from ..jobs.message import proved_bytes
from ..measuring.executed import joined
from ..measuring.proofs import long_bytes
from .answer import EQUAL, INDEPENDENT, STACK, Outcome, ProvedStatement
from .code import Code
from .compared import wrong
from .domain import Value
from .equal_lengths import equal_at_every_length
from .equality import broken_rules
from .equality import calls_of as calls_over_forms
from .every_length import at_every_length, lengths, long_calls, short_lengths
from .every_length import why_not as why_not_followed
from .findings import StuckError
from .fips197 import Byte
from .following import FollowedMessage, follow, follow_refusals, follow_set_up, may_refuse
from .forms import Equality
from .independence import calls_of as calls_over_secrets
from .independence import claimed, statements_of
from .interpreter import Sides
from .known_bits import secret
from .left import promises
from .messages import (
    COUNTER,
    COUNTING,
    LAYOUTS,
    CallForm,
    Harness,
    MessageCalls,
    any_counter,
    layouts,
    named,
    parts_of,
)
from .padding import GenuineMessages, padded_statements, shows_its_length
from .specified import expected, why_not
from .state import State
from .words import constant
from .zones import Atoms

_RANDOM_MESSAGES = 4


class MessageProof:
    """What is shown of a job's key set-up and messages.

    Through an interface of its own, code is held to independence whatever it says of itself.
    """

    def __init__(
        self,
        job: Job,
        code: Code,
        interface: CallForm | None = None,
        judge: "MessageProof | None" = None,
        briefly: bool = False,
        everywhere: bool = False,
    ) -> None:
        """Nothing is run yet.

        `judge`: of another message of the image, whose branches on its verdict are those of this
        one too.  `briefly`: such a message, followed over forms in one layout alone.
        `everywhere`: secrets lie in all of LAYOUTS, at a short length too.
        """
        self._job, self._code, self._interface, self._judge = job, code, interface, judge
        self._briefly, self._everywhere = briefly, everywhere
        self._known: dict[Job, list[FollowedMessage]] = {}

    def equal(self) -> ProvedStatement:
        """Key set-up, message and tag are those of the standard; what is not genuine is refused."""
        if at_every_length(self._job):
            shape = _compared(self._job, None)
            return equal_at_every_length(_each(self._job), self._code, shape)
        reason, shape = why_not(self._job), _compared(self._job, self._judged)
        if self._is_long and (self._refuses or self._job.hashes):
            reason = "a message of this length is proved independent alone"
        if reason:
            return ProvedStatement(EQUAL, "refused", shape, reason)
        runs = self._followed
        count = sum(one.calls.executor.instructions for one in runs)
        broken = tuple(sorted({found for one in runs for found in broken_rules(one.calls)}))
        if broken:
            detail = f"{broken[0].kind}: {broken[0].where}"
            return ProvedStatement(
                EQUAL, "refuted", shape, detail, findings=broken, instructions=count
            )
        first = next((one for one in runs if one.wrong), None)
        if first is None:
            return ProvedStatement(EQUAL, "proved", shape, instructions=count)
        example = "" if first.stuck else self._counterexample()
        outcome: Outcome = "refuted" if example else "open"
        return ProvedStatement(EQUAL, outcome, shape, example or first.wrong, instructions=count)

    @cached_property
    def _followed(self) -> tuple[FollowedMessage, ...]:
        """Over forms, in every layout."""
        return tuple(found for one in _each(self._job) for found in self._follow(one))

    def _follow(self, one: Job) -> list[FollowedMessage]:
        """One of its messages over forms, in every layout; of PKCS#7 with bad padding too."""
        if one not in self._known:
            interface = self._interface or Harness(one)
            way = follow_set_up if self._job.op == "key-setup" else follow
            some = layouts(one)[:1] if self._briefly else layouts(one)
            self._known[one] = way(one, self._code, interface, some)
            if shows_its_length(one):
                self._known[one] += follow_refusals(one, self._code, interface, some)
        return self._known[one]

    def _counterexample(self) -> str:
        """A key for which some message comes out wrong; empty where a few random ones do not."""
        job = self._job
        rng = Random(f"aesfit {job.core} {job.mode} {job.bytes}")  # noqa: S311 - repeatable

        def inputs(size: int) -> list[Value]:
            return [*rng.randbytes(size)]

        for layout, _ in product(layouts(job), range(_RANDOM_MESSAGES)):
            domain = Equality(Atoms())
            wanted = expected(job, domain.atoms, _constants, inputs, layout)
            calls = calls_over_forms(self._code, domain, wanted.verdict)
            try:
                ended = MessageCalls(calls, self._interface or Harness(job), layout=layout).run(
                    wanted.parts
                )
            except StuckError:  # the run over forms said why
                return ""
            differs = wrong(domain, ended, wanted)
            if differs:
                given = bytes(one for one in wanted.parts.key if isinstance(one, int)).hex()
                return f"key {given}, random data, {layout.name}: {differs}"
        return ""

    def independent(self) -> tuple[ProvedStatement, ProvedStatement]:
        """INDEPENDENT and STACK; both sides of a verdict are run."""
        job = self._job
        if at_every_length(job):
            return self._every_length()
        if self._interface is None and shows_its_length(job):
            genuine = (self._judge or self)._genuine
            return padded_statements(job, self._code, self._public, self._tells_more(), genuine)
        calls = calls_over_secrets(job, self._code, self._public)
        states: list[State] = []
        why = self._tells_more()
        too_large = any(one.too_large for one in self._refusing)
        try:
            some = LAYOUTS if self._everywhere else layouts(job)
            for one, layout in () if too_large else product(_each(job), some):
                message = MessageCalls(calls, self._interface or Harness(one), states, layout)
                parts = parts_of(one, lambda size: [secret(8)] * size, layout)
                (message.set_up if job.op == "key-setup" else message.run)(parts)
        except StuckError as stuck:
            why = why or str(stuck)
        asked = self._interface is not None or claimed(job)
        promised = self._interface is None and promises(job)
        shape = _told(job, self._judged)
        return statements_of(calls, shape, states, why, asked, promised, status=True)

    def _every_length(self) -> tuple[ProvedStatement, ProvedStatement]:
        """Of messages of any number of bytes; see every_length.py."""
        job, code = self._job, self._code
        judge = judge_of(job, code)
        shape, reason = _told(job, judge._job.bytes), why_not_followed(job)
        if reason:
            refused = ProvedStatement(INDEPENDENT, "refused", shape, reason)
            return refused, replace(refused, claim=STACK)
        runs = [
            MessageProof(replace(job, bytes=size), code, judge=judge, everywhere=True).independent()
            for size in short_lengths(job)
        ]
        for one in _each(job):
            calls, states, stuck = long_calls(one, code, judge._public)
            why = judge._tells_more() or stuck
            found = statements_of(
                calls, shape, states, why, claimed(job), promises(job), status=True
            )
            runs.append(_unsure(*found) if stuck else found)
        independent, stack = (_worst(some, shape) for some in zip(*runs, strict=True))
        return independent, stack

    @cached_property
    def _genuine(self) -> GenuineMessages:
        """Those of PKCS#7, which several lengths of payload share."""
        return GenuineMessages(self._code)

    @property
    def _refuses(self) -> bool:
        """One of the calls may refuse what it is given."""
        return any(may_refuse(one) for one in _each(self._job))

    @property
    def _is_long(self) -> bool:
        """It is there to run loops again."""
        return self._interface is None and self._job.bytes in long_bytes(self._job.shape)

    @property
    def _judged(self) -> int | None:
        """Payload of the message whose verdict is followed in the place of this one's."""
        if self._judge is not None:
            return self._judge._job.bytes
        return proved_bytes(self._job.shape)[-1] if self._is_long else None

    @cached_property
    def _refusing(self) -> tuple[FollowedMessage, ...]:
        """Those over forms whose call may refuse what it is given.

        Of a message that is too long for forms the longest one that is not.
        """
        refusing = [one for one in _each(self._job) if may_refuse(one)]
        if refusing and self._judge is not None:
            return self._judge._refusing
        if refusing and self._is_long:
            return judge_of(self._job, self._code, self._interface)._refusing
        return tuple(found for one in refusing for found in self._follow(one))

    def _tells_more(self) -> str:
        """Why a call that may refuse is not known to tell whether it does, and nothing else."""
        return next((one.wrong for one in self._refusing if one.wrong), "")

    @property
    def _public(self) -> Mapping[int, Sides]:
        """Branches that tell of secrets nothing but whether a call accepts, by their address."""
        return {at: sides for one in self._refusing for at, sides in one.public.items()}


def judge_of(
    job: Job, code: Code, interface: CallForm | None = None, briefly: bool = False
) -> MessageProof:
    """Of the message whose verdict is followed in the place of other lengths'.

    `briefly`: the shortest one that has a payload, else the longest one.
    """
    sizes = proved_bytes(job.shape)
    size = next(one for one in sizes if one) if briefly else sizes[-1]
    return MessageProof(replace(job, bytes=size), code, interface, briefly=briefly)


def _unsure(
    independent: ProvedStatement, stack: ProvedStatement
) -> tuple[ProvedStatement, ProvedStatement]:
    """Of passes that could not be joined: values that were widened before may seem secret."""
    if independent.outcome == "refuted":
        told = f"{independent.detail}; where passes cannot be joined, this may be a false alarm"
        independent = replace(independent, detail=told)
    return independent, stack


_RANK: tuple[Outcome, ...] = ("proved", "told", "open", "refuted", "refused")


def _worst(some: Sequence[ProvedStatement], shape: str) -> ProvedStatement:
    """The worst of statements of one claim, and what ran for all of them."""
    worst = max(some, key=lambda one: _RANK.index(one.outcome))
    count = sum(one.instructions for one in some)
    return replace(worst, shapes=shape, instructions=count, ran=joined([one.ran for one in some]))


def _constants(value: Value) -> Byte:
    """The bits of a byte that is known."""
    assert isinstance(value, int)  # noqa: S101 - the inputs are numbers
    return constant(value, 8)


def _each(job: Job) -> Sequence[Job]:
    """The messages that run for it; a key alone is set up for the shortest one."""
    if job.op == "both":
        return [replace(job, op=op) for op in ("encrypt", "decrypt")]
    if job.op == "key-setup":
        return [replace(job, op="encrypt", bytes=job.shape.least)]
    return [job]


def _compared(job: Job, judged: int | None) -> str:
    """The shape of EQUAL: CTR is compared for more counters than the one that secrets run with."""
    if job.mode != "ctr" or job.op == "key-setup":
        return _told(job, judged)
    some = {at_every_length(job) or any_counter(job, one) for one in layouts(job)}
    told = [f"every one that ends in {COUNTING.hex()}"] if True in some else []
    told += [COUNTER.hex()] if False in some else []
    return f"{_told(job).partition('; public')[0]}; counters: {', '.join(told)}"


def _told(job: Job, judged: int | None = None) -> str:
    """`judged`: payload at which verdicts are followed in the place of this one."""
    shape, public = job.shape, ""
    if job.op == "key-setup":
        return "key set-up"
    every = at_every_length(job)
    told = [lengths(job) if every else f"{job.bytes} bytes of payload"]
    if shape.ad and not shape.header:
        told += [f"{shape.nonce} of nonce", f"{shape.ad} of associated data"]
    told += [f"{shape.tag} of tag"] if shape.tag else []
    if shape.public_nonce:
        public = f"; public: the counter, {COUNTER.hex()}"
    elif shape.header:
        public = "; public: header and packet number"
    if judged is not None and may_refuse(job):
        public += f"; verdicts where those of {judged} bytes are"
    return f"{', '.join(told)}; {named(LAYOUTS if every else layouts(job))}{public}"
