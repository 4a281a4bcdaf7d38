# SPDX-License-Identifier: MIT
"""The places in which claims are judged (line 9 of the rule); others are a sweep, shown beside.

A place is named by its parts: "arm7tdmi, -O2" or "2 to 4 rounds, rv32i".  A part that is no
processor and no compiler level, such as a size or an operation, leaves nothing out.

Processors are those that the paper names, or the stand-ins that aesfit/papers names for them; where
a paper names a class alone ("on ARM"), all processors of that class that are measured.  Levels are
the paper's kind: those of a build that is delivered.  None of the papers prints its level.  Where
an experiment sweeps no levels, its places name none, and code has its platform's own flags (-O3 on
most), which stand in the provenance of the results.

Where a core does what a paper prints, operation by operation, its claims are judged on that core;
what the library's own code gives stands beside, in places that name it (OUR_CODE).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .contract import LEFT_OUT, OUR_CODE
from .mobile import PLATFORMS as ARM_PROCESSORS
from .transposed import ARMS, PLATFORMS, STAND_INS


@dataclass(frozen=True)
class JudgedPlaces:
    """What a place must be to be judged."""

    processors: tuple[str, ...] = ()
    """Empty: all that are measured."""
    levels: tuple[str, ...] = ()
    source: str = ""


_DELIVERED = ("-O2",)
_NAMED: Mapping[str, JudgedPlaces] = {
    "transposed": JudgedPlaces(
        (*ARMS, *STAND_INS, "i686"),
        _DELIVERED,
        "section 4: ARM7TDMI, ARM9TDMI, ST22 (by its stand-ins) and Pentium III",
    ),
    "cache": JudgedPlaces((), _DELIVERED, "section 5: the Lx, by all processors with a cache"),
    "mobile": JudgedPlaces(
        ARM_PROCESSORS[:1], _DELIVERED, "section 6: ARM7TDMI, Visual Studio 2008 for Windows Mobile"
    ),
    "mobile_look_up_tables": JudgedPlaces((), _DELIVERED, "section 4.1: ARM as a class"),
    "mobile_memory_moves": JudgedPlaces((), _DELIVERED, "section 5.4: ARM as a class"),
    "images": JudgedPlaces((), _DELIVERED, "no processor is named: 32-bit processors as a class"),
    "platforms": JudgedPlaces((), _DELIVERED, "each experiment names the paper's column"),
}
"""By experiment, or by paper where the experiment has no line of its own."""
_PROCESSORS = frozenset((*PLATFORMS, *ARM_PROCESSORS, *ARMS, *STAND_INS, "i686"))


def judged_places(experiment: str) -> JudgedPlaces:
    """The line of an experiment, or else of its paper."""
    return _NAMED.get(experiment, _NAMED[experiment.partition("_")[0]])


def is_judged(experiment: str, place: str) -> bool:
    """Whether a place is one of the paper's, at the paper's kind of level."""
    wanted = judged_places(experiment)
    for part in place.split(", "):
        if part in (OUR_CODE, LEFT_OUT):
            return False
        if part.startswith("-O") and part not in wanted.levels:
            return False
        if part in _PROCESSORS and wanted.processors and part not in wanted.processors:
            return False
    return True
