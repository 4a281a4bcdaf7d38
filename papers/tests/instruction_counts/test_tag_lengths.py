# SPDX-License-Identifier: MIT
"""CCM with MACs of other lengths on an emulated processor."""

from dataclasses import replace

import pytest

from aesfit.catalog import MODES
from aesfit.jobs.job import Job
from aesfit.jobs.message import Message
from aesfit.platforms.find import platform_named
from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.instruction_counts import tag_lengths
from aesfit_papers.instruction_counts.tag_lengths import ccm_cycles
from aesfit_papers.judging.provenance import measured

_JOB = Job(platform_named("arm7tdmi"), "ttable1", 128, "encrypt", "ccm", 40)


def test_the_length_that_rigs_measure_costs_what_they_measure() -> None:
    (row,) = measured([_JOB])
    assert ccm_cycles(_JOB, MODES["ccm"].tag) == row.cycles


def test_a_longer_mac_costs_the_bytes_that_are_copied() -> None:
    assert ccm_cycles(_JOB, 4) < ccm_cycles(_JOB, 8) < ccm_cycles(_JOB, 16)


def test_another_mac_than_the_libraries_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = tag_lengths._with_tag
    monkeypatch.setattr(tag_lengths, "_with_tag", lambda asked, tag: _spoilt(right(asked, tag)))
    with pytest.raises(WrongOutputError, match="differs from the host's"):
        ccm_cycles(_JOB, 8)


def _spoilt(asked: Message) -> Message:
    return replace(asked, tag=bytes(len(asked.tag)))


@pytest.mark.parametrize(("core", "mode"), [("ttable1", "ctr"), ("transposed", "ccm")])
def test_other_jobs_are_refused(core: str, mode: str) -> None:
    job = Job(_JOB.platform, core, 128, "encrypt", mode, 40)
    with pytest.raises(ValueError, match="must encrypt in CCM"):
        ccm_cycles(job, 8)
