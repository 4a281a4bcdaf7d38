# SPDX-License-Identifier: MIT
"""What experiments on Bertoni et al., ISCAS 2003, share: places, versions, and what was published.

Published E and c are in platforms/processors/lx-st200.toml, with their source; crossovers are here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from aesfit.cachemodel.equations import Floats, expected_misses
from aesfit.cachemodel.predict import BurstQuestion, Prediction, predict, stretches
from aesfit.cachemodel.question import Version
from aesfit.cachemodel.validation.compare import Place, ValidationPoint, geometry
from aesfit.cachemodel.validation.trial import Trial, trial
from aesfit.cachemodel.versions import hierarchy, versions
from aesfit.caches.cache import Hierarchy
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, counted

from .contract import Claim, Pair, Row
from .levels import platform_at
from .place import ClaimPlace, told
from .places import RELEASE
from .provenance import lines, measured
from .tables import number

LX = "lx-st200"
"""The paper's processor; only its coefficients are known."""
RECOVERED = "the penalty of a miss on the Lx was recovered from the crossovers at 680 and 420 calls"
"""Why those crossovers cannot be tested on it."""
REBUILT = (
    "No code of these versions is printed; ours is written from the paper's words, and a size of E "
    "is that of the code."
)
"""Why figures that rest on E are not judged on their code where they differ from the Lx's; which
version has the smaller E is claimed of the versions, and is judged."""
RUN = ("hexagon", "arm920t")
"""Processors that can be run: a 4-issue VLIW with the Lx's data cache, and an ARM9 with its own
caches; both have their own E and c."""
PLACES = (LX, *RUN)
"""Places that tables and charts show: each platform with its own flags."""
AT_LEVELS = tuple(f"{name}, {level}" for name in RUN for level in RELEASE)
JUDGED = (LX, *AT_LEVELS)
"""Places that are judged."""
EVERY = (*PLACES, *AT_LEVELS)
LINES = (16, 32)
"""The paper's two line sizes in bytes."""
VERSIONS: Mapping[str, str] = {
    "transposed": "AEST",
    "ttable1": "AES2",
    "ttable4": "AES4",
    "ttable8": "AES6",
}
"""The four versions that the paper compares, by core."""
ALIKE: Mapping[str, tuple[str, str]] = {
    "sbox_columns": ("AES1", "transposed"),
    "ttable1_wide": ("AES3", "ttable1"),
    "ttable4_wide": ("AES5", "ttable4"),
}
"""The three versions that the paper dismisses, each with the better one that it names."""
STEPS = (("transposed", "ttable4"), ("ttable4", "ttable8"))
"""The two crossovers between best versions."""
CROSSOVERS: Mapping[tuple[int, str, str], int] = {
    (16, "transposed", "ttable4"): 45,
    (16, "ttable4", "ttable8"): 680,
    (32, "transposed", "ttable4"): 28,
    (32, "ttable4", "ttable8"): 420,
}
"""Published crossovers in calls, by line size and step."""
LONGEST = 1024
"""Calls of a burst in the paper's figures."""
SIMULATED = LONGEST - 1
"""Calls of the longest burst compared with the model; 1024 calls gave E."""
PAPER_WAYS = 4


def counted_on(name: str) -> ClaimPlace:
    """The place of a column that is named after a processor, or not."""
    return told(name, "processor" if name in RUN else "other")


def picks(sentence: str, lost: Mapping[ClaimPlace, float]) -> Claim:
    """That the model picks the best version of each burst; `lost` is the regret by place.

    Regret is the share of time that a pick takes beyond the best version; 0 if it is the best.
    """
    most = number(100 * max(lost.values()))
    return Claim(
        sentence,
        "exact",
        {place: Pair(int(more == 0), 1) for place, more in lost.items()},
        1,
        form="of",
        cause="the claim itself",
        why=f"Its regret, the time that a pick takes beyond the best version, is {most} % at most.",
    )


def machine(place: str) -> Platform:
    """The platform of a place, with counted cycles, its code at the level that the place names."""
    name, _, level = place.partition(", ")
    return counted(platform_at(name, level or None))


def shown(rows: Sequence[Row]) -> list[Row]:
    """Rows of tables and charts."""
    return [row for row in rows if row["place"] in PLACES]


def judged(rows: Sequence[Row]) -> list[Row]:
    """Rows of places that are judged."""
    return [row for row in rows if row["place"] in JUDGED]


@lru_cache
def of(place: str, names: tuple[str, ...] = tuple(VERSIONS)) -> tuple[Version, ...]:
    """Versions with that place's coefficients."""
    return versions(machine(place), names)


def caches(place: str, line: int) -> Hierarchy:
    """The platform's own caches with that line size."""
    return hierarchy(machine(place), line=line)


def predicted(
    place: str, line: int, some: Sequence[Version] = (), *, last: int = LONGEST
) -> Prediction:
    """The prediction for the four versions, or for those given."""
    chosen = tuple(some) or of(place)
    return predict(BurstQuestion(place, caches(place, line), chosen, 1, last))


def simulated(
    where: str,
    places: Sequence[Place],
    calls: Sequence[int],
    progress: Progress = lambda done, total: None,
) -> list[ValidationPoint]:
    """Compare the model with the simulator, for all four versions behind all those caches."""
    asked = Trial(machine(where), tuple(VERSIONS), tuple(places), tuple(calls))
    return trial(asked, progress)


def by_core(
    points: Sequence[ValidationPoint], *, model: bool = False
) -> tuple[Floats, dict[str, Floats]]:
    """Burst lengths, and cycles per call of each core."""
    found: dict[str, list[ValidationPoint]] = {}
    for one in points:
        found.setdefault(one.core, []).append(one)
    calls = np.array([one.calls for one in next(iter(found.values()))], dtype=np.float64)
    return calls, {
        core: np.array([one.model if model else one.simulated for one in some]) / calls
        for core, some in found.items()
    }


def crossing(calls: Floats, before: Floats, to: Floats) -> int | None:
    """The first burst length from which `to` is no slower; None if there is none."""
    best = stretches(calls, {"before": before, "to": to})
    return best[-1].first if best[-1].core == "to" else None


def lines_of(version: Version, line: int) -> int:
    """K, cache lines of all tables of a version."""
    return sum(-(-one.size // line) for one in version.lookups)


def as_printed(version: Version, here: Hierarchy, calls: Floats) -> Floats:
    """Cycles per call by equation 1 as printed, with its sum from t = 1.

    p(1) is the chance to miss with one line present, so this sum starts with one line.
    """
    line = here.data.line
    lost = sum(
        expected_misses(one.size / line, calls * one.reads, loaded=1.0) for one in version.lookups
    )
    stalls = here.penalty.of(line) * lost
    return version.cycles_per_call + (version.overhead + stalls) / calls


def rests_on(places: Sequence[str], *, cached: bool = True) -> tuple[str, ...]:
    """The sources of the coefficients, and each platform's own caches."""
    run = [machine(place) for place in places if place != LX]
    jobs = [Job(one, core, 128, "encrypt-block") for one in run for core in VERSIONS]
    told = [
        f"{LX}: E and c as published; the penalty of a miss recovered from the published crossovers"
    ]
    return (
        *(told if LX in places else []),
        *(lines(measured(jobs)) if jobs else []),
        *(_behind(platform_named(name)) for name in places if cached and name in PLACES),
    )


def _behind(platform: Platform) -> str:
    here = hierarchy(counted(platform))
    penalty = here.penalty
    code = f", instruction cache {geometry(here.instruction)}" if here.instruction else ""
    return (
        f"{platform.name}: data cache {geometry(here.data)}{code} (size:ways:line); "
        f"a miss costs {penalty.base:g} + {penalty.per_byte:g} * line cycles"
    )
