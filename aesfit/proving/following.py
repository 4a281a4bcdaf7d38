# SPDX-License-Identifier: MIT
"""Messages followed over forms, for every key, nonce, text and tag at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from ..building.unit import entries
from ..jobs.job import Job
from .calls import Calls
from .code import Code
from .compared import refused_wrong, wrong
from .domain import Value
from .equality import calls_of
from .findings import StuckError, TooLargeError
from .fips197 import Byte
from .forms import Equality
from .interpreter import Sides
from .messages import CallForm, Ended, Layout, MessageCalls, any_counter
from .specified import OPENED, Expected, expected, with_any_padding
from .zones import Atoms


@dataclass(frozen=True)
class FollowedMessage:
    """One message in one layout."""

    calls: Calls
    wrong: str
    """How it differs from its standard, or why that is not known; empty: it does not."""
    stuck: bool = False
    """It is not known."""
    too_large: bool = False
    """It is not known, and that says nothing of the code."""

    @property
    def public(self) -> Mapping[int, Sides]:
        """Branches that tell whether the call accepts, and nothing else, by their address."""
        return self.calls.executor.public


def may_refuse(job: Job) -> bool:
    """The message, or its key, may be one that the call refuses."""
    verifies = entries(job)[-1] == "rig_decrypt" and job.mode not in OPENED
    return verifies or job.mode == "xts"


def follow(
    job: Job, code: Code, interface: CallForm, layouts: Sequence[Layout]
) -> list[FollowedMessage]:
    """A message of the job's lengths in each layout, until one is wrong."""
    found: list[FollowedMessage] = []
    ordered = sorted(layouts, key=lambda layout: not any_counter(job, layout))
    for _, alike in groupby(ordered, lambda layout: (layout.sizes, any_counter(job, layout))):
        domain, some = Equality(Atoms()), list(alike)
        expect = partial(expected, job, domain.atoms, _bytes_of(domain), layout=some[0])
        found += _in_turn(code, domain, interface, some, expect, wrong)
        if found[-1].wrong:
            break
    return found


def follow_refusals(
    job: Job, code: Code, interface: CallForm, layouts: Sequence[Layout]
) -> list[FollowedMessage]:
    """Any ciphertext under PKCS#7 in each layout, where its padding is refused."""
    domain = Equality(Atoms())
    expect = partial(with_any_padding, job, domain.atoms, _bytes_of(domain))
    return _in_turn(code, domain, interface, layouts, expect, refused_wrong)


def follow_set_up(
    job: Job, code: Code, interface: CallForm, layouts: Sequence[Layout]
) -> list[FollowedMessage]:
    """Key set-up alone in each layout, of a mode whose key may be refused."""
    domain = Equality(Atoms())

    def expect() -> Expected:
        every = expected(job, domain.atoms, _bytes_of(domain))
        return replace(every, out=[], tag=[], nonce=[])

    return _in_turn(code, domain, interface, layouts, expect, wrong, alone=True)


def _bytes_of(domain: Equality) -> Callable[[Value], Byte]:
    return lambda value: domain.bits(value, 8)


def _in_turn(  # long: what the two above have in common
    code: Code,
    domain: Equality,
    interface: CallForm,
    layouts: Sequence[Layout],
    expect: Callable[[], Expected],
    compare: Callable[[Equality, Sequence[Ended], Expected], str],
    alone: bool = False,
) -> list[FollowedMessage]:
    """Followed until one is wrong, over the same inputs: what one computes the next one finds.

    `alone`: key set-up without a message.
    """
    found: list[FollowedMessage] = []
    calls = calls_of(code, domain)
    try:
        wanted = expect()
        for layout in layouts:
            calls = calls_of(code, domain, wanted.verdict)
            calls.executor.refused_only = compare is refused_wrong
            run = MessageCalls(calls, interface, layout=layout)
            ended = run.set_up(wanted.parts)[0] if alone else run.run(wanted.parts)
            found.append(FollowedMessage(calls, compare(domain, ended, wanted)))
            if found[-1].wrong:
                break
    except StuckError as stuck:
        large = isinstance(stuck, TooLargeError)
        found.append(FollowedMessage(calls, str(stuck), stuck=True, too_large=large))
    return found
