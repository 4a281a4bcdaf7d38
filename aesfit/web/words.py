# SPDX-License-Identifier: MIT
"""What the page says of bursts on platforms with a data cache."""

from ..fit import Objective
from ..model.question import Hierarchy
from ..platforms import Platform
from ..quantity import count
from .field import Field
from .schema import MOST_CALLS, Question, Ranked


def sizes(platform: Platform) -> tuple[str, str]:
    """What stands in the place of flash and RAM."""
    return ("tables", "round keys") if platform.rig == "published" else ("flash", "RAM")


def asked(question: Question, built: Hierarchy) -> str:
    """The question in one line."""
    data = built.data
    cost = built.penalty.of(data.line)
    return (
        f"{question.target.title}: data cache of {count(data.size)} bytes, {data.ways} "
        f"way{'s' if data.ways > 1 else ''}, lines of {data.line} bytes, {count(cost)} cycles a "
        f"miss; bursts of {_calls(question.burst)}, {question.evicted:g}% evicted between"
    )


def _calls(number: int) -> str:
    return f"{count(number)} call{'s' if number != 1 else ''}"


def sentence(question: Question, found: Field, ranking: list[Ranked]) -> str:
    """The answer in one sentence."""
    if not ranking:
        return _none_left(question, found)
    winner = ranking[0]
    version = next(one.version for one in found.members if one.name == winner.core)
    once = version.overhead / question.burst
    stalled = winner.cycles - version.cycles_per_call - once
    least = {"cycles": "the fewest cycles", "flash": "the least flash", "ram": "the least RAM"}
    flash, ram = sizes(question.target)
    parts = [
        f"Take {winner.core}: {least[question.objective]} {_among(ranking)}, "
        f"{count(round(winner.cycles, 1))} a call, of which {count(round(stalled, 1))} wait for "
        f"the cache and {count(round(once, 1))} are paid once a burst, with {count(winner.flash)} "
        f"bytes of {flash} and {count(winner.ram)} of {ram}"
    ]
    if len(ranking) > 1:
        parts.append(_next(question.objective, winner, ranking[1]))
    if winner.constant_time == "always":
        parts.append("it is constant-time")
    else:
        parts.append(_told(winner, ranking))
    return "; ".join(parts) + "."


def _among(ranking: list[Ranked]) -> str:
    return f"of {len(ranking)} cores" if len(ranking) > 1 else "(the only core left)"


def _next(objective: Objective, winner: Ranked, other: Ranked) -> str:
    best, second = (float(getattr(one, objective)) for one in (winner, other))
    if not best or f"{second / best:.2f}" == "1.00":
        return f"{other.core} is as good to a hundredth"
    what = {"cycles": "the cycles", "flash": "the flash", "ram": "the RAM"}[objective]
    return f"{other.core} is next with {second / best:.2f} times {what}"


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
    words = sizes(question.target)
    limits = zip(words, (question.flash, question.ram), strict=True)
    wanted = [
        f"within {count(limit)} bytes of {what}" for what, limit in limits if limit is not None
    ]
    wanted += ["constant-time"] if question.constant_time else []
    return f"No core on {question.target.title} is {' and '.join(wanted)}; raise a limit."


def notes(question: Question, built: Hierarchy) -> list[str]:
    """What holds for the figures."""
    platform = question.target
    told = [
        "Time of a burst: calls times E, what is paid once (key set-up, loop), and the expected "
        "misses of tables, keys and data times the miss penalty; by the cache model, nothing is "
        "simulated.",
    ]
    if platform.rig == "published":
        told += [
            f"E and what is paid once: {platform.coefficients[0].cycles_per_call.source}.",
            "Code sizes are not published: tables stand in the place of flash, round keys in that "
            "of RAM, and the limits are on them.",
        ]
    else:
        told += [
            "E and what is paid once are measured on bursts of 0, 512 and 1,024 calls; flash and "
            "RAM are those of a firmware that encrypts.",
        ]
    if not platform.caches:
        told.append("The platform leaves its cache open; the page begins with one of its own.")
    if built.instruction is not None:
        code = built.instruction
        told.append(f"Instruction cache: {count(code.size)} bytes, lines of {code.line} bytes.")
    if question.key_bits != 128:
        told.append("The command line predicts for keys of 128 bits.")
    return told


def command(question: Question, built: Hierarchy) -> str:
    """The same on the command line, with the options that were chosen."""
    open_cache = not any(one.kind in ("data", "unified") for one in question.target.caches)
    data, given = built.data, built.penalty.of(built.data.line)
    penalty_open = question.target.miss_penalty is None
    options = (
        ("--cache", data.size, open_cache or question.cache is not None),
        ("--line", data.line, open_cache or question.line is not None),
        ("--ways", data.ways, open_cache or question.ways is not None),
        ("--miss-penalty", f"{given:g}", penalty_open or question.penalty is not None),
        ("--evicted", f"{question.evicted:g}%", question.evicted != 100),
    )
    words = [f"{option} {value}" for option, value, chosen in options if chosen]
    return " ".join(
        ["aesfit predict --platform", question.platform, *words, f"--calls 1:{MOST_CALLS}"]
    )
