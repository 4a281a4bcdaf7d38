# SPDX-License-Identifier: MIT
"""Answers for platforms with a data cache: the model over bursts of calls of the block cipher."""

from functools import lru_cache

from ..fit import Limits, Objective
from ..model.question import Hierarchy, Version
from ..pareto import front
from ..platforms import Platform
from ..predict import Prediction, predict
from ..predict import Question as Asked
from ..quantity import count
from ..versions import hierarchy
from .curves import crossings, curves, ranges
from .field import Field, Member
from .schema import MOST_CALLS, Answer, Cost, Geometry, Left, Question, Ranked
from .words import asked, command, notes, sentence, sizes

_START = {"size": 16384, "line": 32, "ways": 4}
"""A cache to begin with where the platform leaves it open."""
_START_PENALTY = 20.0


def default_geometry(platform: Platform) -> tuple[Geometry, Cost]:
    """The platform's own data cache and penalty, or one to begin with."""
    own = _built(platform, None, None, None, None)
    data, cost = own.data, own.penalty
    return (
        Geometry(size=data.size, line=data.line, ways=data.ways),
        Cost(base=cost.base, per_byte=0.0 if cost.critical_word_first else cost.per_byte),
    )


def _built(
    platform: Platform,
    size: int | None,
    line: int | None,
    ways: int | None,
    penalty: float | None,
) -> Hierarchy:
    if not any(one.kind in ("data", "unified") for one in platform.caches):
        size, line = size or _START["size"], line or _START["line"]
        ways = ways or _START["ways"]
    if penalty is None and platform.miss_penalty is None:
        penalty = _START_PENALTY
    return hierarchy(platform, size=size, line=line, ways=ways, penalty=penalty)


def _hierarchy(question: Question) -> Hierarchy:
    return _built(question.target, question.cache, question.line, question.ways, question.penalty)


@lru_cache(maxsize=256)
def _predicted(name: str, built: Hierarchy, found: tuple[Version, ...], share: float) -> Prediction:
    return predict(Asked(name, built, found, 1, MOST_CALLS, share))


def check(question: Question) -> None:
    """Raise ValueError in a sentence for a cache that makes no sense."""
    _predicted(question.platform, _hierarchy(question), (Version("none", 1.0, 0.0, ()),), 1.0)
    if question.target.rig == "published" and question.key_bits != 128:
        raise ValueError(f"what is published for {question.platform} is for keys of 128 bits alone")


def answer(question: Question, found: Field) -> Answer:
    """Limits, ranking and curves; milliseconds."""
    platform, built = question.target, _hierarchy(question)
    share = question.evicted / 100
    everything = tuple(one.version for one in found.members)
    whole = _predicted(platform.name, built, everything, share)
    limits = Limits(question.flash, question.ram, question.constant_time)
    kept = [one for one in found.members if not _broken(limits, one, platform)]
    cycles = {one.name: whole.at(one.name, question.burst) for one in found.members}
    ranking = _ranked(kept, cycles, question.objective)
    words = sizes(platform)
    within = {one.name: whole.per_call[one.name] for one in kept}
    best = ranges(whole.calls, within)
    return Answer(
        question=question,
        asked=asked(question, built),
        winner=ranking[0].core if ranking else None,
        sentence=sentence(question, found, ranking),
        unit="Cycles of one call (a block), with misses and what is paid once a burst",
        each="a call",
        counted="calls",
        across_bursts="calls in a burst",
        burst=question.burst,
        flash_is=words[0],
        ram_is=words[1],
        curve=curves(whole.calls, whole.per_call),
        best=best,
        crossovers=crossings(best, within),
        ranking=ranking,
        dropped=[*_dropped(found, limits, platform, cycles), *found.lacking],
        notes=notes(question, built),
        command=command(question, built),
    )


def _broken(limits: Limits, one: Member, platform: Platform) -> list[str]:
    words = sizes(platform)
    reasons = [
        f"{count(value)} bytes of {what}, {count(value - limit)} above the limit of {count(limit)}"
        for what, value, limit in zip(
            words, (one.flash, one.ram), (limits.flash, limits.ram), strict=True
        )
        if limit is not None and value > limit
    ]
    if limits.constant_time and one.constant_time == "no":
        reasons.append("not constant-time behind a cache: its time tells about the key")
    return reasons


def _dropped(
    found: Field, limits: Limits, platform: Platform, cycles: dict[str, float]
) -> list[Left]:
    return [
        Left(
            core=one.name,
            reason="; ".join(reasons),
            cycles=cycles[one.name],
            flash=one.flash,
            ram=one.ram,
            constant_time=one.constant_time,
        )
        for one in found.members
        if (reasons := _broken(limits, one, platform))
    ]


def _ranked(kept: list[Member], cycles: dict[str, float], objective: Objective) -> list[Ranked]:
    costs = [(cycles[one.name], float(one.flash), float(one.ram)) for one in kept]
    best = {kept[at].name for at in front(costs)}
    rows = [
        Ranked(
            rank=0,
            core=one.name,
            cycles=cycles[one.name],
            flash=one.flash,
            ram=one.ram,
            constant_time=one.constant_time,
            front=one.name in best,
        )
        for one in kept
    ]
    rows.sort(key=lambda row: (getattr(row, objective), row.cycles, row.flash, row.ram))
    return [row.model_copy(update={"rank": rank}) for rank, row in enumerate(rows, 1)]
