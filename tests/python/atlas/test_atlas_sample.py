# SPDX-License-Identifier: MIT
"""The shipped figures are those that are measured: some of them are measured again.

Whoever changes what figures depend on need not renew the atlas for `make test`: lines that are old
are unused (`aesfit atlas` says how many they are).  `make check-slow` wants all of them renewed.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from places import ROOT

from aesfit.atlas import lines
from aesfit.atlas.cells import DIGITS, abridged
from aesfit.atlas.holding import job_of
from aesfit.atlas.look_up import known
from aesfit.atlas.origin import others
from aesfit.choosing.usual import usual_platforms
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import Refusal
from aesfit.measuring.proofs import with_proof
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs import rig_of, why_not

sys.path.append(str(ROOT / "tools"))

import make_atlas

FEW, MANY = 2, 60
LARGEST = 800_000
"""Bytes of the file, as docs/atlas.md says."""


def drawn(number: int, sizes: tuple[int, ...]) -> Iterator[tuple[Job, Row | Refusal]]:
    """Current lines at random, one job of each: the same of the same file, others of another."""
    chance = random.Random(lines.PATH.read_bytes())
    every = []
    for name in usual_platforms():
        group = lines.group_of(name, lines.PATH)
        assert group is not None
        every += list(group.lines)
    chance.shuffle(every)
    left = number
    for about in every:
        platform = platform_named(about.platform)
        op, size = chance.choice(about.ops), chance.choice(sizes)
        job = job_of(platform, about, op, size)
        (row,) = known([job]).rows
        if row is not None and why_not(platform) is None:
            yield job, row
            left -= 1
        if not left:
            return


def measured(job: Job) -> Row | Refusal:
    """Without the store."""
    try:
        (row,) = rig_of(job.platform).measure([job], lambda done, total: None)
    except (RuntimeError, ValueError) as error:
        return Refusal(job, str(error))
    return with_proof(job, row)


def compared(job: Job, result: Row | Refusal) -> Row | Refusal:
    """As the atlas keeps it; without the version, which no figure depends on."""
    if isinstance(result, Refusal):
        return result
    group = lines.group_of(job.platform.name, lines.PATH)
    assert group is not None
    kept = abridged(job, result, group.setting.memory)
    digest = kept.provenance.image_sha256[:DIGITS]
    return replace(kept, provenance=replace(kept.provenance, version="", image_sha256=digest))


def test_a_sample_is_measured_again(slow: bool) -> None:
    sample = list(drawn(MANY, lines.SIZES) if slow else drawn(FEW, lines.SIZES[:1]))
    if not sample:
        pytest.skip("the atlas has no current line for the compilers here: make atlas")
    for job, row in sample:
        assert compared(job, measured(job)) == compared(job, row)


def same_tools(platform: Platform) -> bool:
    """Whether lines that are measured here stand beside those of the file."""
    if why_not(platform) is not None:
        return False
    group = lines.group_of(platform.name, lines.PATH)
    return group is None or not others(platform, group.tools)


@pytest.mark.slow
def test_every_line_is_there_and_current() -> None:
    """As `make atlas ARGS=--check` sees it, of platforms whose compiler is that of the lines."""
    here = [one for one in map(platform_named, make_atlas.covered()) if same_tools(one)]
    left = {one.name: make_atlas.renew(one, lines.MODES, lines.PATH, check=True) for one in here}
    assert {name: number for name, number in left.items() if number} == {}, "run: make atlas"
    assert set(usual_platforms()) == set(lines.platforms(lines.PATH)), "run: make atlas"


def test_the_file_is_whole_and_small() -> None:
    assert lines.PATH.stat().st_size <= LARGEST
    names = lines.platforms(lines.PATH)
    assert list(names) == sorted(names)
    for name in names:
        group = lines.group_of(name, lines.PATH)
        assert group is not None
        assert {len(one.runs) for one in group.lines.values()} == {len(lines.SIZES)}
        assert {about.platform for about in group.lines} == {name}
