# SPDX-License-Identifier: MIT
"""Functions that are not followed: `--stub` says what a call of one gives and writes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

FORM = "name, name=5, name,1:32 or name=0,1:32"
_PATTERN = re.compile(r"([^=,\s]+)(?:=(-?\w+))?((?:,[0-9]:[0-9]{1,7})*)")


@dataclass(frozen=True)
class Stub:
    """What is assumed of a function."""

    name: str
    result: int | None = None
    """None: it is unknown, and counts as secret."""
    writes: tuple[tuple[int, int], ...] = ()
    """Arguments, from 1, that point to memory it writes, and the bytes, which count as secret."""

    @property
    def told(self) -> str:
        """The assumption as a sentence."""
        gives = "a secret" if self.result is None else str(self.result)
        writes = [f"{size} secret bytes to argument {at}" for at, size in self.writes]
        return f"{self.name} returns {gives} and writes {' and '.join(writes) or 'nothing'}"


def stubs_of(texts: Sequence[str]) -> tuple[Stub, ...]:
    """Parse several; ValueError says what is wrong."""
    return tuple(map(_stub, texts))


def _stub(text: str) -> Stub:
    found = _PATTERN.fullmatch(text)
    try:
        result = None if found is None or found[2] is None else int(found[2], 0)
    except ValueError:
        found = None
    if found is None:
        raise ValueError(f"'{text[:60]}' is no stub; give {FORM}")
    pairs = [one.split(":") for one in found[3].split(",") if one]
    writes = tuple((int(at), int(size)) for at, size in pairs)
    if any(not 1 <= at <= 4 for at, _ in writes):
        raise ValueError(f"'{text[:60]}': a stub writes through its arguments 1 to 4 alone")
    return Stub(found[1], None if result is None else result & 0xFFFF_FFFF, writes)
