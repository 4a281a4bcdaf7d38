# SPDX-License-Identifier: MIT
"""Answers for platforms without a data cache: the chooser over measured rows.

A burst is there the messages under one key, whose set-up is charged to them.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..answer import evidence
from ..cli.common import ghash_named
from ..fit import Choice, Dropped, Limits, Request, choose, jobs
from ..measure import Result, cores_for, measure
from ..model.equations import Floats
from ..rigs.firmware import message
from ..rigs.rig import Job, Progress, Row
from ..verdict import question as worded
from ..verdict import verdict
from .curves import crossings, curves, ranges
from .schema import MOST_CALLS, Answer, Left, Question, Ranked


@dataclass(frozen=True)
class Measured:
    """Rows of every core for one request; limits and objective are not among what they hang on."""

    asked: tuple[Job, ...]
    results: tuple[Result, ...]
    evidence: str


def request_of(question: Question) -> Request:
    """The question as `aesfit fit` has it."""
    platform = question.target
    return Request(
        platform=platform,
        mode=question.mode,
        bytes=question.bytes,
        key_bits=question.key_bits,
        limits=Limits(question.flash, question.ram, question.constant_time),
        encrypt_only=not message.MODES[question.mode].verifies,
        messages_per_key=question.burst,
        objective=question.objective,
        ghash=ghash_named(None, platform),
    )


def check(question: Question) -> None:
    """Raise ValueError in a sentence for a message that the mode cannot take."""
    for job in jobs(request_of(question), ["any"]):
        message.check(job)


def measured(question: Question, progress: Progress) -> Measured:
    """Rows of all cores; seconds the first time.  RigUnavailableError tells what is missing."""
    request = request_of(question)
    asked = jobs(request, [core.name for core in cores_for(request.platform)])
    results = measure(asked, progress=progress)
    return Measured(tuple(asked), tuple(results), evidence(request))


def answer(question: Question, found: Measured) -> Answer:
    """Limits, ranking and curves over what is measured; milliseconds."""
    request = request_of(question)
    choice = choose(request, found.asked, found.results)
    calls = np.arange(1, MOST_CALLS + 1, dtype=np.float64)
    everything = _curves(request, found, calls)
    within = {one.name: everything[one.name] for one in choice.ranking}
    best = ranges(calls, within)
    unit = f"Cycles of one {question.bytes}-byte message with its share of key set-up"
    return Answer(
        question=question,
        asked=f"{request.platform.title}: {worded(request)}",
        winner=choice.winner.name if choice.winner else None,
        sentence=verdict(choice, found.evidence),
        unit=unit,
        each="a message",
        counted="messages",
        across_bursts="messages under one key",
        burst=question.burst,
        flash_is="flash",
        ram_is="RAM",
        curve=curves(calls, everything),
        best=best,
        crossovers=crossings(best, within),
        ranking=_ranked(choice),
        dropped=[_left(one) for one in choice.dropped],
        notes=_notes(choice, found.evidence),
        command=_command(question),
    )


def _curves(request: Request, found: Measured, calls: Floats) -> dict[str, Floats]:
    """Cycles of a message against messages under one key, for every core that was measured."""
    free = replace(request, limits=Limits(), messages_per_key=None)
    ranking = choose(free, found.asked, found.results).ranking
    return {one.name: one.row.cycles + one.setup_cycles / calls for one in ranking}


def _ranked(choice: Choice) -> list[Ranked]:
    return [
        Ranked(
            rank=one.rank,
            core=one.name,
            cycles=one.row.cycles,
            flash=one.row.flash_bytes,
            ram=one.row.ram_bytes,
            constant_time=one.row.constant_time,
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
        constant_time=row.constant_time,
    )


def _shown(choice: Choice) -> Row | None:
    candidates: Sequence[Row] = [
        *(one.row for one in choice.ranking),
        *(one.candidate.row for one in choice.dropped if one.candidate),
    ]
    return candidates[0] if candidates else None


def _notes(choice: Choice, told: str) -> list[str]:
    row = _shown(choice)
    if row is None:
        return []
    facts = row.provenance
    return [
        f"Window: {facts.window}.",
        f"Memory: {facts.memory}.",
        f"Compiler: {facts.compiler}; {facts.flags}.",
        f"Cycles: {told}.",
    ]


def _command(question: Question) -> str:
    words = ["aesfit", "fit", "--platform", question.platform, "--mode", question.mode]
    words += ["--bytes", str(question.bytes), "--key-changes", str(question.burst)]
    if question.key_bits != 128:
        words += ["--key-bits", str(question.key_bits)]
    if question.flash is not None:
        words += ["--max-flash", str(question.flash)]
    if question.ram is not None:
        words += ["--max-ram", str(question.ram)]
    if question.constant_time:
        words.append("--constant-time")
    if question.objective != "cycles":
        words += ["--objective", question.objective]
    return shlex.join(words)
