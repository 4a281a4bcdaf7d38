# SPDX-License-Identifier: MIT
"""Places of made-up claims by their texts, and the texts of places."""

from collections.abc import Mapping
from typing import TypeVar

from aesfit_papers.judging.place import ClaimPlace, at, told
from aesfit_papers.judging.processors import PLATFORMS

Found = TypeVar("Found")
_PROCESSORS = (*PLATFORMS, "hexagon", "arm920t")
_NUMBERED = {"wait": "wait_states", "call": "calls", "way": "ways"}
"""Columns by how the word behind a number begins."""


def place(text: str) -> ClaimPlace:
    """Parts joined by commas: levels, _PROCESSORS, numbers of one of _NUMBERED, and words."""
    made = told("")
    for part in text.split(", "):
        made += _part(part)
    return made


def _part(text: str) -> ClaimPlace:
    if text.startswith("-O"):
        return at(flags=text)
    if text in _PROCESSORS:
        return at(platform=text)
    number, _, word = text.partition(" ")
    columns = [column for begin, column in _NUMBERED.items() if word.startswith(begin)]
    return at(**{columns[0]: int(number.replace(",", ""))}) if columns else told(text)


def named(found: Mapping[str, Found]) -> dict[ClaimPlace, Found]:
    """The same by place."""
    return {place(text): one for text, one in found.items()}


def texts(found: Mapping[ClaimPlace, Found]) -> dict[str, Found]:
    """The same by the text of the place."""
    return {str(at): one for at, one in found.items()}
