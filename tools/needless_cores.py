#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print which cores nothing needs: in every question of the atlas another core is as good.

As good is a core that takes at most 5 % more cycles, flash and RAM, all three at once, and whose
timing is the same or safer.  Cores are dropped one after another, the one with the fewest first
places first, so that of two equal cores one stays.  Cores that exist for the papers take no part,
and cores that no platform of the atlas runs are left out.  docs/adding.md keeps the reasons for
which a core of this list stays.  Figures are those in the atlas, be they current or not.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesfit.atlas import lines
from aesfit.atlas.cells import row_from
from aesfit.atlas.lines import DIRECTIONS, REFUSED, SIZES, Group
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.ranking import choose, costs_of
from aesfit.choosing.request import Request, jobs
from aesfit.choosing.usual import MODES, usual_request
from aesfit.jobs.job import Job
from aesfit.measuring.measure import Refusal, Result
from aesfit.platforms.find import platform_named

WITHIN = 1.05
_SAFER = ("depends on the key", "independent here", "independent")


@dataclass(frozen=True)
class Standing:
    """What one core costs in one question."""

    costs: tuple[float, ...]
    """Cycles, flash and RAM."""
    safety: int
    """Place of its timing in _SAFER."""

    @property
    def independent(self) -> bool:
        """Its timing is independent of secrets on every processor like this one."""
        return self.safety == len(_SAFER) - 1

    def replaces(self, other: "Standing") -> bool:
        """Whether nobody would miss the other."""
        near = all(a <= WITHIN * b for a, b in zip(self.costs, other.costs, strict=True))
        return near and self.safety >= other.safety


Question = Mapping[str, Standing]
"""Cores that answer a question of the atlas, the recommended one first."""


def questions(path: Path = lines.PATH) -> Iterator[Question]:
    """Every platform, mode and payload."""
    for name in lines.platforms(path):
        group = lines.group_of(name, path)
        for mode in MODES if group else ():
            yield from (question(group, mode, size) for size in SIZES if group)


def question(group: Group, mode: str, size: int) -> Question:
    """One of them; figures and timing of every core that answers it."""
    platform = platform_named(group.platform)
    request = usual_request(platform, mode, size)
    asked = jobs(request, ranked_cores(platform))
    return standings(request, asked, [stored(job, group) for job in asked])


def standings(request: Request, asked: Sequence[Job], results: Sequence[Result]) -> Question:
    """What each core costs, the recommended one first."""
    choice = choose(request, asked, results)
    return {
        one.name: Standing(costs_of(one.row), _SAFER.index(one.row.timing))
        for one in choice.ranking
    }


def stored(job: Job, group: Group) -> Result:
    """The row in the atlas, whatever its key."""
    for directions in DIRECTIONS:
        line = group.lines.get(lines.asked_of(job, directions))
        if line is not None and job.op in line.asked.ops:
            image, run = line.cells(job.op, job.bytes or 0)
            if not run.startswith(REFUSED):
                return row_from(job, image, run, "", group.setting)
    return Refusal(job, "it is not in the atlas")


def covers(name: str, asked: Sequence[Question], left: Collection[str]) -> Counter[str] | None:
    """How often other cores replace it; None if it is needed somewhere, or runs nowhere."""
    found: Counter[str] = Counter()
    for question in asked:
        if name not in question:
            continue
        others = [
            other
            for other, standing in question.items()
            if other in left and other != name and standing.replaces(question[name])
        ]
        if not others:
            return None
        found.update(others[:1])
    return found or None


def needless(asked: Sequence[Question]) -> dict[str, Counter[str]]:
    """Cores that can go one after another, with those that take their places."""
    first = Counter(next(iter(question)) for question in asked if question)
    left = {name for question in asked for name in question}
    gone: dict[str, Counter[str]] = {}
    while True:
        for name in sorted(left, key=lambda one: (first[one], one)):
            if instead := covers(name, asked, left):
                gone[name] = instead
                left.remove(name)
                break
        else:
            return gone


def main() -> None:
    """Print them."""
    asked = list(questions())
    for name, instead in needless(asked).items():
        told = ", ".join(f"{other} {often} times" for other, often in instead.most_common())
        print(f"{name}: {told}")


if __name__ == "__main__":
    main()
