# SPDX-License-Identifier: MIT
"""What the page says beside the chooser's own words: units, notes, and the command."""

import shlex

from ..choosing.answer import Answer
from ..choosing.ranking import charge
from ..choosing.request import BLOCK, Request
from ..units import count, plain
from .schema import PageQuestion


def unit(request: Request) -> str:
    """What the curves and the table count."""
    if request.mode == BLOCK:
        return "Cycles of one call over one block, with misses and a share of the burst's set-up"
    misses = " and expected cache misses" if request.bursts else ""
    message = "packet on average" if request.packets else f"{request.bytes}-byte message"
    return f"Cycles of one {message}, {charge(request)}{misses}"


def notes(chosen: Answer) -> list[str]:
    """What the figures depend on."""
    candidates, request = chosen.choice.candidates, chosen.choice.request
    told = [*_of_bursts(request), f"Cycles: {chosen.evidence}."]
    if chosen.origin is not None:
        told.append(f"Figures: {chosen.origin.told}.")
    if not candidates:
        return told
    facts = candidates[0].row.provenance
    told += [f"Window: {facts.window}.", f"Memory: {facts.memory}."]
    if request.platform.rig != "published":
        told.append(f"Compiler: {facts.compiler}; {facts.flags}.")
    return told


def _of_bursts(request: Request) -> list[str]:
    if request.bursts is None:
        return []
    told = [
        "Misses of tables, keys, data and code are what the cache model expects for a burst; "
        "nothing is simulated.",
    ]
    if request.mode == BLOCK:
        told.append(
            "A call has one block: a core that processes several blocks at a time leaves its other "
            "lanes idle. A mode of operation fills them where it can."
        )
    if not request.platform.caches:
        told.append("The platform does not define its cache; the page starts with an example.")
    code = request.hierarchy.instruction
    if code is not None:
        told.append(f"Instruction cache: {count(code.size)} bytes, lines of {code.line} bytes.")
    return told


def command(question: PageQuestion, request: Request) -> str:
    """The same question on the command line."""
    mode = BLOCK if question.mode == BLOCK else request.mode
    words = ["aesfit", "fit", "--platform", question.platform, "--mode", mode]
    if question.packets is not None:
        words += ["--packets", question.packets]
    elif mode != BLOCK or question.bytes is not None:
        words += ["--bytes", str(request.bytes)]
    if question.key_changes is not None:
        words += ["--key-changes", str(question.key_changes)]
    if question.key_bits != 128:
        words += ["--key-bits", str(question.key_bits)]
    if request.encrypt_only:
        words.append("--encrypt-only")
    given = (("--ghash", question.ghash), ("--clock", question.clock), ("--rate", question.rate))
    for option, value in given:
        words += [option, value] if value is not None else []
    return shlex.join([*words, *_bursts(request), *_limits(question)])


def _bursts(request: Request) -> list[str]:
    if request.bursts is None:
        return []
    words = ["--calls-per-burst", str(request.bursts.calls)]
    if request.bursts.evicted != 1.0:
        words += ["--evicted", plain(request.bursts.evicted)]
    cache = request.geometry
    options = (
        ("--cache", cache.size),
        ("--line", cache.line),
        ("--ways", cache.ways),
        ("--miss-penalty", cache.penalty),
    )
    for option, value in options:
        words += [option, plain(value)] if value is not None else []
    return words


def _limits(question: PageQuestion) -> list[str]:
    words = []
    if question.flash is not None:
        words += ["--max-flash", str(question.flash)]
    if question.ram is not None:
        words += ["--max-ram", str(question.ram)]
    if question.timing is not None:
        words += ["--timing", question.timing]
    if question.objective != "cycles":
        words += ["--objective", question.objective]
    return words
