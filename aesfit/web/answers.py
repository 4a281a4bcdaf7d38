# SPDX-License-Identifier: MIT
"""The page's questions, put to `aesfit.fit`, and its answers as the page shows them."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from ..api.fit import fit
from ..choosing.answer import Answer
from ..choosing.ranking import Choice, Dropped
from ..choosing.request import BLOCK, GivenCache, models_misses
from ..jobs.job import Progress
from ..platforms.platform import Platform, counted
from .curves import contenders, crossings, curves, drawn_at, ranges
from .schema import MOST_CALLS, Cost, Curves, Left, PageAnswer, PageGeometry, PageQuestion, Ranked
from .words import command, notes, unit

BURST = 64
"""Calls, where a question names none."""
_START = GivenCache(size=16384, line=32, ways=4, penalty=20.0)
"""A cache to begin with where the platform leaves it open."""
FIELDS = {
    "platform": "target",
    "mode": "mode",
    "payload_bytes": "bytes",
    "packets": "sizes",
    "key_bits": "key_bits",
    "encrypt_only": "encrypt_only",
    "messages_per_key": "key_changes",
    "max_flash_bytes": "flash",
    "max_ram_bytes": "ram",
    "timing": "timing",
    "objective": "objective",
    "clock_hz": "clock_hz",
    "rate_bit_per_s": "bit_per_s",
    "ghash": "ghash",
}
"""Of a question, by the argument of `aesfit.fit` that takes it."""
CACHE_FIELDS = {
    "calls_per_burst": "burst",
    "evicted": "evicted",
    "cache_bytes": "cache",
    "line_bytes": "line",
    "ways": "ways",
    "miss_penalty": "penalty",
}
"""The same, where the cache model takes part."""


def completed(platform: Platform, given: GivenCache) -> GivenCache:
    """What is given, and a start where the platform leaves its cache open."""
    if not any(one.kind in ("data", "unified") for one in platform.caches):
        given = replace(
            given,
            size=given.size or _START.size,
            line=given.line or _START.line,
            ways=given.ways or _START.ways,
        )
    if given.penalty is None and platform.miss_penalty is None:
        given = replace(given, penalty=_START.penalty)
    return given


def offered_cache(platform: Platform) -> tuple[PageGeometry, Cost]:
    """The data cache and the penalty that a question begins with."""
    built = completed(counted(platform), GivenCache()).on(counted(platform))
    data, cost = built.data, built.penalty
    return (
        PageGeometry(size=data.size, line=data.line, ways=data.ways),
        Cost(base=cost.base, per_byte=0.0 if cost.critical_word_first else cost.per_byte),
    )


def arguments(question: PageQuestion) -> dict[str, Any]:
    """The question as `aesfit.fit` takes it."""
    asked = {argument: getattr(question, name) for argument, name in FIELDS.items()}
    if not (models_misses(question.target) and question.misses == "modelled"):
        asked["encrypt_only"] |= question.mode == BLOCK
        return asked
    given = GivenCache(question.cache, question.line, question.ways, question.penalty)
    cache = completed(counted(question.target), given)
    share = 100.0 if question.evicted is None else question.evicted
    modelled = (question.burst or BURST, share / 100, cache.size, cache.line, cache.ways)
    return asked | dict(zip(CACHE_FIELDS, (*modelled, cache.penalty), strict=True))


def named(argument: str) -> str:
    """What the page calls an argument of `aesfit.fit`."""
    return (FIELDS | CACHE_FIELDS).get(argument, argument)


def answer(
    question: PageQuestion,
    earlier: Collection[Answer] = (),
    *,
    only_known: bool = False,
    progress: Progress | None = None,
) -> Answer:
    """The answer of `aesfit.fit`; ValueError in a sentence for what it refuses."""
    asked = arguments(question)
    return fit(**asked, earlier=earlier, only_known=only_known, progress=progress)


def early(question: PageQuestion) -> Answer | None:
    """The answer out of the cores that are measured already; None while there are none."""
    found = answer(question, only_known=True)
    return found if found.choice.ranking or found.choice.dropped else None


def shown(question: PageQuestion, chosen: Answer) -> PageAnswer:
    """With the curves over bursts, or over messages under one key."""
    choice, request = chosen.choice, chosen.choice.request
    at = request.bursts.calls if request.bursts else request.messages_per_key
    drawn = drawn_at(MOST_CALLS, at)
    every = chosen.along(drawn)
    always = {one.name: one.costs.message for one in choice.rivals}
    within = contenders(drawn, {name: every[name] for name in always}, always)
    lengths = np.arange(1, MOST_CALLS + 1, dtype=np.float64)
    near = chosen.along(lengths, within)
    best = ranges(lengths, near)
    return PageAnswer(
        question=question,
        burst=at,
        curve=curves(drawn, every),
        best=best,
        crossovers=crossings(best, near),
        **_told(question, chosen),
    )


def without_curve(question: PageQuestion, chosen: Answer) -> PageAnswer:
    """The same without curves, which the page shows where it is served."""
    return PageAnswer(
        question=question,
        burst=None,
        curve=Curves(calls=[], cores={}),
        best=[],
        crossovers=[],
        **_told(question, chosen),
    )


def _told(question: PageQuestion, chosen: Answer) -> dict[str, Any]:
    """The choice and its words as the page shows them."""
    choice, request = chosen.choice, chosen.choice.request
    counted = "messages" if request.bursts is None else "calls"
    return {
        "asked": chosen.asked,
        "winner": choice.winner.name if choice.winner else None,
        "sentence": chosen.sentence,
        "verdict": [line.strip() for line in chosen.brief],
        "unit": unit(request),
        "each": "a call" if request.mode == BLOCK else "a message",
        "counted": counted,
        "across_bursts": f"{counted} {'under one key' if counted == 'messages' else 'in a burst'}",
        "flash_is": request.sizes[0],
        "ram_is": request.sizes[1],
        "ranking": _ranked(choice),
        "dropped": [_left(one) for one in choice.dropped],
        "notes": notes(chosen),
        "command": command(question, request),
    }


def _ranked(choice: Choice) -> list[Ranked]:
    return [
        Ranked(
            rank=one.rank,
            core=one.name,
            ghash=one.ghash,
            cycles=one.row.cycles,
            flash=one.row.flash_bytes,
            ram=one.row.ram_bytes,
            timing=one.row.timing,
            evidence=one.row.evidence,
            kind=one.row.secrecy.kind,
            proved=one.row.proved,
            front=one.name in choice.pareto,
        )
        for one in choice.ranking
    ]


def _left(one: Dropped) -> Left:
    if one.candidate is None:
        return Left(core=one.core, reason=one.reason)
    row = one.candidate.row
    return Left(
        core=one.core,
        reason=one.reason,
        cycles=row.cycles,
        flash=row.flash_bytes,
        ram=row.ram_bytes,
        timing=row.timing,
        evidence=row.evidence,
        kind=row.secrecy.kind,
        proved=row.proved,
    )
