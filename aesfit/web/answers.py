# SPDX-License-Identifier: MIT
"""The page's questions, put to the chooser: ranking, figures and sentence are the chooser's own."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..cachemodel.equations import Floats
from ..cachemodel.versions import ranked_cores
from ..choosing.answer import Answer as Chosen
from ..choosing.answer import answer_of
from ..choosing.field import Field, field_of
from ..choosing.pricing import cycles
from ..choosing.ranking import Candidate, Choice, Dropped
from ..choosing.request import (
    BLOCK,
    Bursts,
    GivenCache,
    Limits,
    Request,
    jobs,
    models_misses,
    request_of,
)
from ..choosing.stored import stored_cores
from ..choosing.words import place
from ..choosing.words import question as worded
from ..jobs.job import Progress
from ..platforms.platform import Platform, counted
from .curves import contenders, crossings, curves, drawn_at, ranges
from .schema import MOST_CALLS, Cost, Curves, Left, PageAnswer, PageGeometry, PageQuestion, Ranked
from .words import command, notes, unit

BURST = 64
"""Calls, where a question names none."""
_START = GivenCache(size=16384, line=32, ways=4, penalty=20.0)
"""A cache to begin with where the platform leaves it open."""


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


def request_from(question: PageQuestion) -> Request:
    """The question as the chooser takes it; ValueError in a sentence for what it refuses."""
    platform = question.target
    bursts, cache = None, GivenCache()
    if models_misses(platform) and question.misses == "modelled":
        share = 100.0 if question.evicted is None else question.evicted
        bursts = Bursts(question.burst or BURST, share / 100)
        given = GivenCache(question.cache, question.line, question.ways, question.penalty)
        cache = completed(counted(platform), given)
    return request_of(
        platform,
        mode=question.mode,
        bytes=question.bytes,
        key_bits=question.key_bits,
        limits=Limits(question.flash, question.ram, question.timing),
        encrypt_only=question.encrypt_only or (question.mode == BLOCK and bursts is None),
        messages_per_key=question.key_changes,
        objective=question.objective,
        clock_hz=question.clock_hz,
        rate=question.bit_per_s,
        ghash=question.ghash,
        packets=question.sizes,
        bursts=bursts,
        geometry=cache,
    )


def measured_by(request: Request) -> tuple[Any, ...]:
    """What the measurements depend on: equal ones give the same field."""
    platform = request.platform
    asked = (
        request.mode,
        request.bytes,
        request.packets,
        request.key_bits,
        request.ops,
        request.ghashes,
    )
    placed = (platform.name, platform.sha256, platform.memories)  # a clock sets wait states
    return (*placed, request.bursts is not None, *asked)


def measured(request: Request, progress: Progress) -> Field:
    """All cores; seconds the first time.  RigUnavailableError says what is missing."""
    return field_of(request, ranked_cores(request.platform), progress=progress)


def so_far(request: Request, done: int) -> Field | None:
    """The cores of `measured` that are there after so many of its steps; None for none."""
    cores = ranked_cores(request.platform)
    if request.bursts is None:
        ready = stored_cores(request, cores)
    elif request.packets:  # whose sizes come one after another
        return None
    else:  # the coefficients of a core come after the rows of all, in the order of the cores
        ready = cores[: max(0, done - len(jobs(request, cores)))]
    return field_of(request, ready) if ready else None


def answer(question: PageQuestion, request: Request, found: Field) -> PageAnswer:
    """Limits, ranking and curves over what is measured."""
    chosen = answer_of(request, found)
    choice = chosen.choice
    at = request.bursts.calls if request.bursts else request.messages_per_key
    drawn = drawn_at(MOST_CALLS, at)
    every = _curves(request, choice.candidates, drawn)
    always = {one.name: one.costs.message for one in choice.rivals}
    within = contenders(drawn, {name: every[name] for name in always}, always)
    lengths = np.arange(1, MOST_CALLS + 1, dtype=np.float64)
    near = _curves(request, [one for one in choice.rivals if one.name in within], lengths)
    best = ranges(lengths, near)
    return PageAnswer(
        question=question,
        burst=at,
        curve=curves(drawn, every),
        best=best,
        crossovers=crossings(best, near),
        command=command(question, request),
        **_told(chosen),
    )


def without_curve(question: PageQuestion, request: Request, found: Field) -> PageAnswer:
    """The same without curves, which the page shows where it is served."""
    return PageAnswer(
        question=question,
        burst=None,
        curve=Curves(calls=[], cores={}),
        best=[],
        crossovers=[],
        command=command(question, request),
        **_told(answer_of(request, found)),
    )


def _curves(
    request: Request, candidates: Iterable[Candidate], lengths: Floats
) -> Mapping[str, Floats]:
    """Cycles along burst lengths, or messages under one key."""
    return {one.name: cycles(request, one.costs, lengths) for one in candidates}


def _told(chosen: Chosen) -> dict[str, Any]:
    """The choice and its words as the page shows them."""
    choice, request = chosen.choice, chosen.choice.request
    counted = "messages" if request.bursts is None else "calls"
    return {
        "asked": f"{place(request)}: {worded(request)}",
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
