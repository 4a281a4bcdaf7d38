# SPDX-License-Identifier: MIT
"""Runs the winner's message once more, to see where its cycles go, with its image."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..building import build
from ..counting.own import OwnFunction
from ..counting.own_image import own_image
from ..counting.own_row import own_row
from ..counting.spending import Spending, spending
from ..jobs.job import Job, Row
from ..measuring.measure import Refusal, measure
from ..proving.compiled import proof_image
from ..proving.image import ProofImage, read_image
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.rig import decoded, timing_model
from ..rigs.firing import firing_of
from .ranking import Candidate
from .request import BLOCK, Request, jobs


@dataclass(frozen=True)
class WinnerRun:
    """One message or one call of the block cipher, without key set-up."""

    row: Row
    """The row as measured."""
    spent: Spending
    image: ProofImage
    """The image, with line numbers if asked for."""


def winner_run(
    request: Request, winner: Candidate, *, lines: bool, also: Sequence[OwnFunction] = ()
) -> WinnerRun:
    """Run the winner's message; `lines`: link it with line numbers of its sources.

    `also`: the user's own functions; if the winner is one of them, its files decide whether there
    are line numbers.  RuntimeError if it cannot be run, or if its image changes when built with
    line numbers.
    """
    job = _job(request, winner)
    own = next((one for one in also if one.title == winner.name), None)
    row = _measured(job) if own is None else own_row(job, own)
    platform = job.platform
    firing = firing_of(job)
    elf = build.build(firing.job).elf if own is None else own_image(firing.job, own).elf
    machine = Machine(elf, platform)
    calls = firing.fire(machine, 0)
    profiles = [one.profile for one in calls]
    priced = spending(timing_model(platform), profiles, decoded(machine, calls))
    found = priced.with_total(row.cycles)
    linked_again = lines and own is None
    image = (
        proof_image(firing.job)
        if linked_again
        else read_image(elf, platform.isa, whole=own is not None)
    )
    return WinnerRun(row, found, image)


def _measured(job: Job) -> Row:
    (row,) = measure([job])
    if isinstance(row, Refusal):
        raise RuntimeError(row.reason)
    return row


def _job(request: Request, winner: Candidate) -> Job:
    op = "encrypt-block" if request.mode == BLOCK else "encrypt"
    asked = jobs(request, [winner.name], [winner.flags])
    return next(
        one for one in asked if one.op == op and (winner.ghash is None or one.ghash == winner.ghash)
    )
