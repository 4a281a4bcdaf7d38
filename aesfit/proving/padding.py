# SPDX-License-Identifier: MIT
"""Decryption with PKCS#7 padding, whose caller learns by how many bytes the payload is shorter.

A copy of that many bytes takes as many steps, so what is followed is not one run: messages with bad
padding are, with all that they hold secret, and so are messages of each of the 16 lengths, which
the padding makes whole blocks of.  Over forms such a message is the encryption of any payload of
its length, so its padding, and with it the length of the copy, is a number after decryption.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle

from ..building.unit import entries
from ..jobs.job import Job
from .answer import ProvedStatement
from .calls import Calls
from .code import Code
from .findings import StuckError
from .forms import Equality
from .independence import calls_of, calls_over, claimed, statements_of
from .interpreter import Sides
from .known_bits import secret
from .left import left_statement
from .messages import LAYOUTS, Harness, Layout, MessageCalls, layouts, named, parts_of
from .specified import expected
from .state import State
from .zones import Atoms

_BLOCK = 16


def shows_its_length(job: Job) -> bool:
    """The job decrypts, and tells how long the payload was."""
    return job.mode == "pkcs7" and "rig_decrypt" in entries(job)


def padded_statements(
    job: Job, code: Code, public: Mapping[int, Sides], why: str
) -> tuple[ProvedStatement, ProvedStatement]:
    """INDEPENDENT and STACK.

    `public`: branches that tell whether the padding is good; `why`: it is not known that the call
    tells no more.
    """
    runs: list[tuple[Calls, list[State]]] = []
    try:
        for layout in layouts(job):
            if job.op == "both":
                runs.append(_encrypted(replace(job, op="encrypt"), code, layout))
            runs.append(_refused(replace(job, op="decrypt"), code, layout, public))
        for one, layout in zip(_lengths(job), cycle(LAYOUTS), strict=False):
            runs.append(_accepted(one, code, layout))
    except StuckError as stuck:
        why = why or str(stuck)
    shape = (
        f"{_grown(job)} bytes of ciphertext; bad padding: {named(layouts(job))}; "
        f"each of the 16 lengths of payload, in turn: {named(LAYOUTS)}"
    )
    every = _together(runs) if runs else calls_of(job, code)
    ends = [state for _, states in runs[:1] for state in states]
    independent, left = statements_of(every, shape, ends, why, claimed(job), True, status=True)
    if why:
        return independent, left
    others = [left_statement(calls, shape, ends, "", True, True) for calls, ends in runs]
    return independent, next((one for one in others if one.outcome != "proved"), others[0])


def _grown(job: Job) -> int:
    """Bytes of the ciphertext."""
    size = job.bytes or 0
    return size - size % _BLOCK + _BLOCK


def _lengths(job: Job) -> Iterator[Job]:
    """Every payload that makes this ciphertext."""
    for size in range(_grown(job) - _BLOCK, _grown(job)):
        yield replace(job, op="decrypt", bytes=size)


def _encrypted(job: Job, code: Code, layout: Layout) -> tuple[Calls, list[State]]:
    """Any message."""
    calls, states = calls_of(job, code), list[State]()
    parts = parts_of(job, lambda size: [secret(8)] * size)
    MessageCalls(calls, Harness(job), states, layout).run(parts)
    return calls, states


def _accepted(job: Job, code: Code, layout: Layout) -> tuple[Calls, list[State]]:
    """Genuine messages of one length."""
    domain, states = Equality(Atoms()), list[State]()
    calls = calls_over(job, code, domain, lambda address, condition: None)
    wanted = expected(job, domain.atoms, lambda value: domain.bits(value, 8))
    ended = MessageCalls(calls, Harness(job), states, layout).run(wanted.parts)
    if [one.status for one in ended] != [0]:
        raise StuckError(f"a genuine message of {job.bytes} bytes is not accepted in every case")
    return calls, states


def _refused(
    job: Job, code: Code, layout: Layout, public: Mapping[int, Sides]
) -> tuple[Calls, list[State]]:
    """Messages with bad padding: the side of the verdict on which the status is an error."""
    calls, states = calls_of(job, code, public), list[State]()
    calls.executor.refused_only = True
    parts = parts_of(job, lambda size: [secret(8)] * size)
    MessageCalls(calls, Harness(job), states, layout).run(parts)
    return calls, states


def _together(runs: list[tuple[Calls, list[State]]]) -> Calls:
    """The first calls, with the findings and the verdicts of all."""
    (first, _), *others = runs
    for calls, _ in others:
        first.executor.found.update(calls.executor.found)
        first.executor.executed |= calls.executor.executed
        first.executor.declassified |= calls.executor.declassified
        first.executor.instructions += calls.executor.instructions
    return first
