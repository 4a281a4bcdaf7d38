# SPDX-License-Identifier: MIT
"""What the parts of a place are: level, compiler, memory, size, processor, or something other.

A part is known by its text alone: "-O2" is a level, "12 wait states" is of the memory, "MAC of 16
bytes" is a size, and "arm9tdmi" a processor.
"""

import re
from functools import cache, lru_cache
from math import inf, log
from typing import Literal, get_args

from aesfit.hardware.families import FAMILIES
from aesfit.platforms.find import platforms

from .places import RELEASE
from .processors import ARM_PROCESSORS, ARMS, PLATFORMS, STAND_INS

Axis = Literal["level", "compiler", "memory", "size", "processor", "other"]
AXES: tuple[Axis, ...] = get_args(Axis)
"""All kinds of parts; a change of an earlier one is the smaller."""
SIZED: tuple[Axis, ...] = ("memory", "size")
"""Kinds whose changes have an amount that architects ask for."""
LEVELS = ("-O0", *RELEASE)
COMPILERS = ("gcc", "clang")
_ONLY_NAMED = ("pentium4", "desktop PC (Pentium 4)", "PDA (ARM9)", "vexriscv-cached-emulated")
"""Processors of the papers, and of single experiments, which have no platform file."""
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_MEMORY = re.compile(r"\b(wait states?|ways?|KiB|lines?|cold|warm|(half-)?evicted|buffers)\b")
_UNIT = re.compile(r"\d[ -]?(B|M|bits?|bytes?|calls?)$")


@lru_cache
def _processors() -> frozenset[str]:
    """By the names of processors.py, of platforms, and of families of FPGAs."""
    named = (*PLATFORMS, *ARM_PROCESSORS, *ARMS, *STAND_INS, *_ONLY_NAMED)
    files = [one.name for one in platforms()]
    return frozenset((*named, *files, *(one.name for one in FAMILIES)))


@lru_cache
def _picture() -> re.Pattern[str]:
    """A picture's name with its edge: "logo 200"."""
    from aesfit.pictures.scenes import SCENES  # needs numpy, without which verbs must have help

    return re.compile(rf"({'|'.join(SCENES)}) \d+$")


@cache
def axis(part: str) -> Axis:
    """The kind of a part of a place."""
    if part in LEVELS:
        return "level"
    if part in COMPILERS:
        return "compiler"
    if part in _processors():
        return "processor"
    if _MEMORY.search(part):
        return "memory"
    return "size" if _UNIT.search(part) or _picture().match(part) else "other"


@cache
def family(part: str) -> str:
    """The part without its numbers: "# wait states" of one, of many, or of a range."""
    single = _NUMBER.sub("#", part).replace("# to #", "#")
    return re.sub(r"(?<=#) (wait state|call|line)s\b", r" \1", single)


@cache
def number(part: str) -> float | None:
    """Its first number; None if it has none."""
    found = _NUMBER.search(part)
    return float(found[0].replace(",", "")) if found else None


def with_number(part: str, text: str) -> str:
    """The part with its first number replaced."""
    return _NUMBER.sub(text, part, count=1)


def number_text(part: str) -> str:
    """Its first number as it is written."""
    found = _NUMBER.search(part)
    return found[0] if found else ""


def amount(before: str, after: str) -> float:
    """How large a change of one part is: steps between levels, or the ratio of two numbers.

    A change that is not of a number alone is larger than all that are.
    """
    if axis(before) == "level":
        return abs(LEVELS.index(before) - LEVELS.index(after))
    one, two = number(before), number(after)
    if one is None or two is None or family(before) != family(after):
        return inf
    return abs(log((one + 1) / (two + 1)))


def changed(before: str, after: str) -> Axis | None:
    """The kind of a change of one part into another; None if more than one thing changes.

    From "logo 200" to "gradient 200" the picture changes and not its size.
    """
    kind = axis(before)
    if kind != axis(after) or before == after:
        return None
    if kind not in SIZED or family(before) == family(after):
        return kind
    one, two = number(before), number(after)
    if one is None or two is None:
        return kind if one is two else None
    return "other" if one == two else None
