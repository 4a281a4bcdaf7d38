# SPDX-License-Identifier: MIT
"""Proofs of one mode at one length: equal to its standard, and independent of secrets."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ..jobs.job import Job
from ..jobs.message import MODES
from .answer import EQUAL, Outcome, ProvedStatement
from .code import Code
from .domain import Value
from .equality import broken_rules, same
from .equality import calls_of as calls_over_forms
from .findings import StuckError
from .fips197 import Byte
from .forms import Equality, constant
from .independence import calls_of as calls_over_secrets
from .independence import claimed, statements_of
from .known_bits import secret
from .left import promises
from .messages import COUNTER, CallForm, Ended, Harness, MessageCalls, parts_of
from .padding import padded_statements, shows_its_length
from .specified import Expected, expected, why_not
from .state import State
from .zones import Atoms

_RANDOM_MESSAGES = 4


def prove_message(job: Job, code: Code, interface: CallForm | None = None) -> ProvedStatement:
    """Equal to the standard: key set-up, message and tag."""
    reason, shape = why_not(job), _told(job)
    if reason:
        return ProvedStatement(EQUAL, "refused", shape, reason)
    atoms = Atoms()
    domain = Equality(atoms)
    calls = calls_over_forms(code, domain)
    try:
        wanted = expected(job, atoms, lambda value: domain.bits(value, 8))
        ended = MessageCalls(calls, interface or Harness(job)).run(wanted.parts)
    except StuckError as stuck:
        return ProvedStatement(EQUAL, "open", shape, str(stuck))
    broken = tuple(sorted(broken_rules(calls)))
    if broken:
        detail = f"{broken[0].kind}: {broken[0].where}"
        return ProvedStatement(EQUAL, "refuted", shape, detail, findings=broken)
    wrong = _wrong(domain, ended, wanted)
    count = calls.executor.instructions
    example = _counterexample(job, code, interface or Harness(job)) if wrong else ""
    outcome: Outcome = "refuted" if example else "open" if wrong else "proved"
    return ProvedStatement(EQUAL, outcome, shape, example or wrong, instructions=count)


def _counterexample(job: Job, code: Code, interface: CallForm) -> str:
    """A key for which some message comes out wrong; empty where a few random ones do not."""
    rng = Random(f"aesfit {job.core} {job.mode} {job.bytes}")  # noqa: S311 - repeatable, no secret
    for _ in range(_RANDOM_MESSAGES):
        domain = Equality(Atoms())
        wanted = expected(job, domain.atoms, _constants, lambda size: [*rng.randbytes(size)])
        try:
            ended = MessageCalls(calls_over_forms(code, domain), interface).run(wanted.parts)
        except StuckError:  # the run over forms said why
            return ""
        wrong = _wrong(domain, ended, wanted)
        if wrong:
            given = bytes(one for one in wanted.parts.key if isinstance(one, int)).hex()
            return f"key {given}, random data: {wrong}"
    return ""


def _constants(value: Value) -> Byte:
    """The bits of a byte that is known."""
    assert isinstance(value, int)  # noqa: S101 - the inputs are numbers
    return constant(value, 8)


def _wrong(domain: Equality, ended: Sequence[Ended], wanted: Expected) -> str:
    """What differs; empty where nothing does."""
    if len(ended) != 1 or ended[0].status != 0:
        return "a genuine message is not accepted in every case that the domain can tell apart"
    for name, got, meant in (
        ("output", ended[0].out, wanted.out),
        ("tag", ended[0].tag, wanted.tag),
    ):
        wrong = _differing(domain, got, meant)
        if wrong:
            return f"bytes {', '.join(map(str, wrong[:4]))} of the {name} are other functions"
    return ""


def _differing(domain: Equality, got: Sequence[Value], meant: Sequence[Byte]) -> list[int]:
    pairs = zip(got, meant, strict=True)
    return [at for at, (one, other) in enumerate(pairs) if not same(domain, one, other)]


def message_statements(
    job: Job, code: Code, interface: CallForm | None = None
) -> tuple[ProvedStatement, ProvedStatement]:
    """INDEPENDENT and STACK; both sides of a verdict are run.

    Through an interface of its own, code is held to independence whatever it says of itself.
    """
    if interface is None and shows_its_length(job):
        return padded_statements(job, code)
    calls = calls_over_secrets(job, code)
    states: list[State] = []
    why = ""
    try:
        for one in _each(job):
            message = MessageCalls(calls, interface or Harness(one), states)
            parts = parts_of(one, lambda size: [secret(8)] * size)
            (message.set_up if job.op == "key-setup" else message.run)(parts)
    except StuckError as stuck:
        why = str(stuck)
    asked = interface is not None or claimed(job)
    promised = interface is None and promises(job)
    return statements_of(calls, _told(job), states, why, asked, promised, status=True)


def _each(job: Job) -> list[Job]:
    """The messages that run for it; a key alone is set up for the shortest one."""
    if job.op == "both":
        return [replace(job, op=op) for op in ("encrypt", "decrypt")]
    if job.op == "key-setup":
        return [replace(job, op="encrypt", bytes=MODES[str(job.mode)].least)]
    return [job]


def _told(job: Job) -> str:
    shape, public = MODES[str(job.mode)], ""
    if job.op == "key-setup":
        return "key set-up"
    told = [f"{job.bytes} bytes of payload"]
    told += [f"{shape.ad} of associated data"] if shape.ad and job.mode != "ccmp" else []
    told += [f"{shape.tag} of tag"] if shape.tag else []
    if job.mode == "ctr":
        public = f"; public: the counter, {COUNTER.hex()}"
    elif job.mode == "ccmp":
        public = "; public: header and packet number"
    return ", ".join(told) + public
