# SPDX-License-Identifier: MIT
"""The places in which claims are judged (line 9 of the rule); others are a sweep, only shown.

A part that is neither a processor nor a compiler level, such as a size, excludes nothing.

Processors are those that the paper names, or the stand-ins that processors.py names for them; if a
paper names only a class ("on ARM"), all measured processors of that class.  The level is the
paper's where it names one; none of the five does, so the three levels that optimise (RELEASE) are
judged, each as a place of its own, and -O0 is shown.  If an experiment sweeps no levels, its places
name none, and ONE_LEVEL says why; code is compiled there with its platform's own flags (-O3 on
most), which the provenance of the results names.

If a core follows a paper's code operation by operation, claims are judged on that core; results of
the library's own code are shown beside, in places that name it (OUR_CODE).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .contract import LEFT_OUT, OUR_CODE
from .place import ClaimPlace
from .processors import ARM_PROCESSORS, ARMS, PLATFORMS, STAND_INS


@dataclass(frozen=True)
class JudgedPlaces:
    """The condition on places that are judged."""

    processors: tuple[str, ...] = ()
    """Processors; empty: all that are measured."""
    levels: tuple[str, ...] = ()
    source: str = ""


RELEASE = ("-Os", "-O2", "-O3")
"""Levels that optimise: those of release builds."""
LEVELS = ("-O0", *RELEASE)
_NAMED: Mapping[str, JudgedPlaces] = {
    "transposed": JudgedPlaces(
        (*ARMS, *STAND_INS, "i686"),
        RELEASE,
        "section 4: ARM7TDMI, ARM9TDMI, ST22 (by its stand-ins) and Pentium III",
    ),
    "cache": JudgedPlaces((), RELEASE, "section 5: the Lx, by all processors with a cache"),
    "mobile": JudgedPlaces(
        ARM_PROCESSORS[:1], RELEASE, "section 6: ARM7TDMI, Visual Studio 2008 for Windows Mobile"
    ),
    "mobile_look_up_tables": JudgedPlaces((), RELEASE, "section 4.1: ARM as a class"),
    "mobile_memory_moves": JudgedPlaces((), RELEASE, "section 5.4: ARM as a class"),
    "images": JudgedPlaces((), RELEASE, "no processor is named: 32-bit processors as a class"),
    "platforms": JudgedPlaces((), RELEASE, "each experiment names the paper's column"),
}
"""Conditions by experiment, or by paper if the experiment has no entry."""
_OWN = "compiled with each platform's own flags alone; other levels were not measured"
_SAME = "the model and the simulation take the same code, at whatever level, and are compared"
_PUBLISHED = "the places without a level are of figures that the paper gives, which name none"
_NONE = "it is of no compiled code"
ONE_LEVEL: Mapping[str, str] = {
    "transposed_operation_counts": f"operations are exact counts; the cycles beside are {_OWN}",
    "transposed_table_2_pentium": f"timed on this computer, {_OWN}",
    "transposed_table_3": "the claim without a level is on two programs that are not available",
    "cache_crossovers": _PUBLISHED,
    "cache_figure_1": _SAME,
    "cache_figure_2": _SAME,
    "cache_figure_3": _PUBLISHED,
    "cache_figure_4": _SAME,
    "cache_lx_bounds": "compiled at -O3 alone; the machine is varied, and E is not judged on ours",
    "cache_miss_penalty": _NONE,
    "cache_small_caches": _SAME,
    "cache_validation": _SAME,
    "cache_versions": _PUBLISHED,
    "images_cbc_integrity": _NONE,
    "images_ccm": f"what a mode detects is the same at any level; its cycles are {_OWN}",
    "images_figure_4": _NONE,
    "images_figure_5": _NONE,
    "images_figure_6": _NONE,
    "images_leak": f"attacks under 20 keys are read from records, {_OWN}",
    "images_table_2": "the claim without a level is on sums of the paper's own figures",
    "platforms_figure_2": _NONE,
    "platforms_sbox": _NONE,
    "platforms_table_1": "x86-64 times the library as it was built; a claim is on printed figures",
    "platforms_table_2": _NONE,
    "platforms_width": _NONE,
    "platforms_wlan": f"{_PUBLISHED}, and of the air",
}
"""Why an experiment has places without a level."""
_PROCESSORS = frozenset((*PLATFORMS, *ARM_PROCESSORS, *ARMS, *STAND_INS, "i686"))


def has_level(place: ClaimPlace) -> bool:
    """Whether a place names a level of the compiler."""
    return bool(place.named("level"))


def judged_places(experiment: str) -> JudgedPlaces:
    """The condition for an experiment, or else for its paper."""
    return _NAMED.get(experiment, _NAMED[experiment.partition("_")[0]])


def is_judged(experiment: str, place: ClaimPlace) -> bool:
    """Whether a place is one of the paper's, at the paper's kind of level."""
    wanted = judged_places(experiment)
    if OUR_CODE in place or LEFT_OUT in place:
        return False
    level, processor = place.named("level"), place.named("processor")
    if level and level not in wanted.levels:
        return False
    return not wanted.processors or processor not in _PROCESSORS or processor in wanted.processors
