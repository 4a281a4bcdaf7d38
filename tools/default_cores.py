#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print which core the rule of lib/src/default.c chooses on each processor, from the atlas.

Candidates are the cores whose timing is independent of secrets, and proved so in some mode on that
processor.  Of those that take at most 5 % more cycles than the fastest candidate in every mode, at
1504 bytes of payload, the rule takes the one with the least flash, summed over the modes.  Exits
with 1 where aesfit/emitting/default_core.py names another core.  Chips are left out: the library is
not told how long a flash waits.  Figures are those in the atlas, be they current or not.
"""

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from needless_cores import WITHIN, Question, question, stored

from aesfit.atlas import lines
from aesfit.atlas.lines import Group
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.request import jobs
from aesfit.choosing.usual import MODES, usual_request
from aesfit.emitting.default_core import default_core
from aesfit.jobs.job import Row
from aesfit.jobs.secrecy import PROVED
from aesfit.measuring.proofs import with_proof
from aesfit.platforms.find import platform_named

BYTES = 1504
_KEYS = "key-setup"
"""Most cores of a family share its images, so a proof of one says nothing of a core."""


@dataclass(frozen=True)
class Candidate:
    """A core that the rule compares on a processor."""

    core: str
    ratio: float
    """Cycles by those of the fastest candidate, in the mode where it is worst."""
    flash: float
    """Bytes, summed over the modes."""


def proved(group: Group) -> set[str]:
    """Cores that are proved in a mode."""
    platform = platform_named(group.platform)
    return {
        job.core
        for mode in MODES
        for job in jobs(usual_request(platform, mode, BYTES), ranked_cores(platform))
        if isinstance(row := stored(job, group), Row)
        and job.op != _KEYS
        and with_proof(job, row).secrecy.evidence == PROVED
    }


def candidates(asked: Sequence[Question], among: Collection[str]) -> list[Candidate]:
    """The rule's choice first; `asked`: a question for each mode, of one processor."""
    left = [
        {core: one.costs for core, one in question.items() if core in among and one.independent}
        for question in asked
    ]
    if not all(left):
        return []
    fastest = [min(cycles for cycles, *_ in costs.values()) for costs in left]
    listed = [
        Candidate(
            core,
            max(costs[core][0] / best for costs, best in zip(left, fastest, strict=True)),
            sum(costs[core][1] for costs in left),
        )
        for core in left[0]
        if all(core in costs for costs in left)
    ]
    return sorted(listed, key=lambda one: (one.ratio > WITHIN, one.flash, one.ratio))


def processors() -> Iterator[Group]:
    """Those of the atlas."""
    for name in lines.platforms(lines.PATH):
        group = lines.group_of(name, lines.PATH)
        if group is not None and platform_named(name).chip is None:
            yield group


def main() -> None:
    """Print them."""
    wrong = 0
    for group in processors():
        listed = candidates([question(group, mode, BYTES) for mode in MODES], proved(group))
        named = default_core(platform_named(group.platform))
        if not listed:
            print(f"{group.platform}: no proof is recorded; the default is {named}")
            continue
        wrong += listed[0].core != named
        print(f"{group.platform}: {listed[0].core}; the default is {named}")
        for one in listed:
            print(
                f"  {one.core}: at most {one.ratio:.3f} times the cycles of the fastest, "
                f"{one.flash:,.0f} bytes of flash in all modes together"
            )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
