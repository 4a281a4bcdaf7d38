# SPDX-License-Identifier: MIT
"""V1 of Javed in "the standard AES formulation" (section 6), as three codes, alone and in CBC.

In CBC each is called for a block by the library's own mode, with which the cores are measured.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from aesfit.building import build
from aesfit.counting.own import Called, OwnFunction
from aesfit.counting.own_image import ANY_CORE
from aesfit.counting.own_row import own_row
from aesfit.jobs.job import Job
from aesfit.platforms.platform import Platform

from .code_sizes import with_flags
from .variations import cost, source, standard_cost, standard_source

FORMULATIONS: Final[Mapping[str, str]] = {
    "v1_mask": "V1 with a mask",
    "v1_branch": "V1 with a branch",
    "v1_as_written": "V1 as FIPS 197 is written",
}
"""The codes, with their names in tables and places."""
_WRITTEN: Final = "v1_as_written"
_BRANCH: Final = "v1_branch"
_CONTEXT: Final = 4 * 60 + 32
"""Bytes of room for the longest schedule and the number of rounds."""


def block_cycles(platform: Platform, flags: tuple[str, ...], name: str) -> int:
    """Cycles of a block alone."""
    if name == _WRITTEN:
        return cost(platform, flags, {}).encrypt.cycles
    return standard_cost(platform, flags, branch=name == _BRANCH).encrypt.cycles


def text_of(name: str) -> str:
    """The C of a formulation."""
    return source({}) if name == _WRITTEN else standard_source(branch=name == _BRANCH)


def chained_cycles(
    platform: Platform, flags: tuple[str, ...], name: str, texts: Sequence[bytes]
) -> dict[int, float]:
    """Cycles of CBC over each text, by its bytes; WrongOutputError if it is not AES in CBC."""
    made = build.compile_object(with_flags(platform, flags), text_of(name))
    one = OwnFunction(
        (made,),
        Called("bytes_encrypt", ("context", "out", "in")),
        Called("bytes_expand", ("context", "key", "16")),
        _CONTEXT,
    )
    return {
        len(text): own_row(
            Job(platform, ANY_CORE, 128, "encrypt", "cbc", len(text), flags, text=text), one
        ).cycles
        for text in texts
    }
