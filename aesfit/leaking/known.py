# SPDX-License-Identifier: MIT
"""Recorded attacks: each file of known/ is what one run of `aesfit leak --json` printed."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from math import log2
from typing import Any

from ..store.files import beside
from .conditions import CONDITIONS

FILES = beside(__file__, "known/*.json")
"""Recorded attacks by file name <platform>-<core>-<condition>, which agrees with the content."""


@cache
def records() -> tuple[dict[str, Any], ...]:
    """All that is recorded."""
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in FILES)


def known_of(platform: str, core: str) -> str:
    """What attacks on a core showed, as a clause: their cost, or that its time never differed.

    Empty if nothing is recorded, or if times differed and no key was found.
    """
    mine = [one for one in records() if (one["platform"], one["core"]) == (platform, core)]
    told = sentence(attack for one in mine for attack in one["collisions"])
    alike = any(one["times"] == 1 for one in mine)
    return told or ("no difference in time found" if alike else "")


def sentence(attacks: Iterable[Mapping[str, Any]]) -> str:
    """The attack that finds the most bits, with the fewest timings, and when it works."""
    done = [one for one in attacks if one["timings"] is not None]
    if not done:
        return ""
    best = min(done, key=lambda one: (-one["bits"], one["timings"]))
    what = "key" if best["bits"] == 128 else f"{best['bits']:g} bits of the key"
    told = next(one.told for one in CONDITIONS if one.name == best["condition"])
    return f"{what} recovered from about 2^{log2(best['timings']):g} timings if {told}"
