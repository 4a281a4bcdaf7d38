# SPDX-License-Identifier: MIT
"""Answers for platforms with a data cache: the model over bursts of calls of the block cipher."""

from dataclasses import dataclass
from functools import lru_cache

from ..catalog import cores as all_cores
from ..fit import Limits, Objective
from ..measure import Refusal, measure
from ..model.question import Hierarchy, Version
from ..pareto import front
from ..platforms import Platform
from ..predict import Prediction, predict
from ..predict import Question as Asked
from ..quantity import count
from ..rigs import why_not
from ..rigs.rig import ConstantTime, Job, Progress, RigUnavailableError
from ..versions import hierarchy, modelled_cores, versions
from .curves import crossings, curves, ranges
from .schema import MOST_CALLS, Answer, Cost, Geometry, Left, Question, Ranked, constant_time_of

_START = {"size": 16384, "line": 32, "ways": 4}
"""A cache to begin with where the platform leaves it open."""
_START_PENALTY = 20.0


@dataclass(frozen=True)
class Member:
    """A core as the page compares it."""

    version: Version
    flash: int
    ram: int
    constant_time: ConstantTime

    @property
    def name(self) -> str:
        """Of the core."""
        return self.version.core


@dataclass(frozen=True)
class Field:
    """What does not hang on the sliders: the cores with their coefficients and sizes."""

    members: tuple[Member, ...]
    lacking: tuple[Left, ...]


def field_of(platform: Platform, key_bits: int, progress: Progress) -> Field:
    """Coefficients and sizes of every core; takes seconds the first time, where they are measured.

    RigUnavailableError tells what is missing.
    """
    if platform.rig == "published":
        found = versions(platform, modelled_cores(platform), key_bits=key_bits)
        return Field(tuple(_published(one, key_bits) for one in found), ())
    reason = why_not(platform)
    if reason:
        raise RigUnavailableError(reason)
    names = modelled_cores(platform)
    jobs = [Job(platform, name, key_bits, "encrypt-block") for name in names]
    rows = measure(jobs, progress=lambda done, total: progress(done, 2 * len(names)))
    members: list[Member] = []
    lacking: list[Left] = []
    for done, (name, row) in enumerate(zip(names, rows, strict=True), 1):
        if isinstance(row, Refusal):
            lacking.append(Left(core=name, reason=row.reason))
        else:
            try:
                (version,) = versions(platform, [name], key_bits=key_bits)
                sizes = row.flash_bytes, row.ram_bytes
                members.append(Member(version, *sizes, constant_time_of(name)))
            except RigUnavailableError:
                raise
            except (RuntimeError, ValueError) as error:
                lacking.append(Left(core=name, reason=str(error)))
        progress(len(names) + done, 2 * len(names))
    return Field(tuple(members), tuple(lacking))


def _published(version: Version, key_bits: int) -> Member:
    """Sizes that the core's own description gives: its tables, and the keys of one direction."""
    core = next(one for one in all_cores() if one.name == version.core)
    keys = core.round_key_bytes[str(key_bits)]["encrypt"]
    return Member(version, core.table_bytes, keys, constant_time_of(version.core))


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
    words = _sizes(platform)
    within = {one.name: whole.per_call[one.name] for one in kept}
    best = ranges(whole.calls, within)
    return Answer(
        question=question,
        asked=_asked(question, built),
        winner=ranking[0].core if ranking else None,
        sentence=_sentence(question, built, found, ranking, whole),
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
        notes=_notes(platform, built),
        command=_command(question, built),
    )


def _broken(limits: Limits, one: Member, platform: Platform) -> list[str]:
    words = _sizes(platform)
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


def _sizes(platform: Platform) -> tuple[str, str]:
    """What stands in the place of flash and RAM."""
    return ("tables", "round keys") if platform.rig == "published" else ("flash", "RAM")


def _asked(question: Question, built: Hierarchy) -> str:
    data = built.data
    cost = built.penalty.of(data.line)
    return (
        f"{question.target.title}: data cache of {count(data.size)} bytes, {data.ways} "
        f"way{'s' if data.ways > 1 else ''}, lines of {data.line} bytes, {count(cost)} cycles a "
        f"miss; bursts of {count(question.burst)} calls, {question.evicted:g}% evicted between"
    )


def _sentence(
    question: Question,
    built: Hierarchy,
    found: Field,
    ranking: list[Ranked],
    whole: Prediction,
) -> str:
    if not ranking:
        return _none_left(question, found)
    winner = ranking[0]
    version = next(one.version for one in found.members if one.name == winner.core)
    once = version.overhead / question.burst
    stalled = winner.cycles - version.cycles_per_call - once
    least = {"cycles": "the fewest cycles", "flash": "the least flash", "ram": "the least RAM"}
    flash, ram = _sizes(question.target)
    parts = [
        f"Take {winner.core}: {least[question.objective]} {_among(ranking)}, "
        f"{count(round(winner.cycles, 1))} a call, of which {count(round(stalled, 1))} wait for "
        f"the cache and {count(round(once, 1))} are paid once a burst, with {count(winner.flash)} "
        f"bytes of {flash} and {count(winner.ram)} of {ram}"
    ]
    if len(ranking) > 1:
        other = ranking[1]
        parts.append(
            f"{other.core} is next with {other.cycles / winner.cycles:.2f} times the cycles"
        )
    if winner.constant_time == "always":
        parts.append("it is constant-time")
    else:
        parts.append(_told(winner, ranking))
    return "; ".join(parts) + "."


def _among(ranking: list[Ranked]) -> str:
    return f"of {len(ranking)} cores" if len(ranking) > 1 else "(the only core left)"


def _told(winner: Ranked, ranking: list[Ranked]) -> str:
    safe = next((one for one in ranking if one.constant_time == "always"), None)
    told = "its time tells about the key"
    if safe is None:
        return f"{told}, and so does that of every core here"
    times = safe.cycles / winner.cycles
    return f"{told}: where it can be observed, take {safe.core} ({times:.2f} times the cycles)"


def _none_left(question: Question, found: Field) -> str:
    if not found.members:
        reason = found.lacking[0].reason if found.lacking else "there is none"
        return f"No core could be measured on {question.target.title}: {reason}"
    words = _sizes(question.target)
    limits = zip(words, (question.flash, question.ram), strict=True)
    wanted = [
        f"within {count(limit)} bytes of {what}" for what, limit in limits if limit is not None
    ]
    wanted += ["constant-time"] if question.constant_time else []
    return f"No core on {question.target.title} is {' and '.join(wanted)}; raise a limit."


def _notes(platform: Platform, built: Hierarchy) -> list[str]:
    notes = [
        "Time of a burst: calls times E, what is paid once (key set-up, loop), and the expected "
        "misses of tables, keys and data times the miss penalty; by the cache model, nothing is "
        "simulated.",
    ]
    if platform.rig == "published":
        notes += [
            f"E and what is paid once: {platform.coefficients[0].cycles_per_call.source}.",
            "Code sizes are not published: tables stand in the place of flash, round keys in that "
            "of RAM, and the limits are on them.",
        ]
    else:
        notes += [
            "E and what is paid once are measured on bursts of 0, 512 and 1,024 calls; flash and "
            "RAM are those of a firmware that encrypts.",
        ]
    if not platform.caches:
        notes.append("The platform leaves its cache open; the page begins with one of its own.")
    if built.instruction is not None:
        code = built.instruction
        notes.append(f"Instruction cache: {count(code.size)} bytes, lines of {code.line} bytes.")
    return notes


def _command(question: Question, built: Hierarchy) -> str:
    data = built.data
    words = [
        f"aesfit predict --platform {question.platform} --cache {data.size} --line {data.line}",
        f"--ways {data.ways} --miss-penalty {built.penalty.of(data.line):g}",
        f"--evicted {question.evicted:g}% --calls 1:{MOST_CALLS}",
    ]
    return " ".join(words)
