# SPDX-License-Identifier: MIT
"""Claims judged on code as a paper prints it, with the verdict on the library's own code."""

from collections.abc import Sequence
from dataclasses import replace

from .contract import OUR_CODE, Claim, ResultTable
from .told import verdict_told
from .verdict import Verdict, judge, only


def beside(claim: Claim, experiment: str) -> Verdict | None:
    """The verdict on our code in the judged places; None if the claim has no such places."""
    ours = only(claim, OUR_CODE)
    return judge(ours, experiment) if ours.found else None


def with_difference(claim: Claim, experiment: str, why: str) -> Claim:
    """Add to the reason, if our code has another verdict, that it does and `why`.

    A claim that holds gets only this reason.
    """
    printed, ours = judge(claim, experiment), beside(claim, experiment)
    reason = "" if printed.group == "holds" else claim.why
    if ours is not None and not _same(printed, ours):
        reason += f" On our code: {verdict_told(ours)}. {why}"
    return replace(claim, why=reason.strip())


def both_codes(claims: Sequence[Claim], experiment: str) -> ResultTable:
    """A line for each claim that was tried on both codes."""
    lines = []
    for claim in claims:
        ours = beside(claim, experiment)
        if ours is not None:
            printed = judge(claim, experiment)
            differs = "" if _same(printed, ours) else "differs"
            lines.append((claim.sentence, verdict_told(printed), verdict_told(ours), differs))
    head = ("claim", "code as printed", OUR_CODE, "")
    note = "Claims are judged on the code as printed; our code needs fewer operations."
    return ResultTable("Verdicts by code", head, tuple(lines), note)


def _same(one: Verdict, other: Verdict) -> bool:
    return one.word == other.word and one.places == other.places
