# SPDX-License-Identifier: MIT
"""What to say of a name that is not known: names that it may stand for, or all that there are.

It stands apart from find.py, because it takes part in no measurement.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from ..errors import unknown
from .find import platforms
from .platform import Platform

_XTENSA = (
    "the processor of {} is an Xtensa, for which there are no published cycles of instructions and "
    "no compiler here; no platform is near it"
)
_WAITS = (
    "the wait states of {} are in no document of its maker that could be read, so a figure would "
    "rest on guesses; the nearest platform is {}"
)
_RULES = (
    "there are no timing rules for the {} core of {}, which are not the ARM9TDMI's; the nearest "
    "platform is arm920t"
)
_LEFT_OUT = {
    "arm926ej-s": _RULES.format("ARM9EJ-S", "arm926ej-s"),
    "arm946e-s": _RULES.format("ARM9E-S", "arm946e-s"),
    "esp32-c3": "no cycles of its instructions are published for the processor of ESP32-C3 "
    "(Technical Reference Manual, chapter 1), so a figure would rest on guesses; the nearest "
    "platform is fe310",
    **{name.lower(): _XTENSA.format(name) for name in ("ESP32", "ESP32-S2", "ESP32-S3", "ESP8266")},
    "nrf52832": _WAITS.format("nRF52832", "nrf52840"),
    "nrf54l15": _WAITS.format("nRF54L15", "nrf5340"),
}
"""Platforms that one might look for, and why there are none."""
_NEAR = 0.55
"""Similarity, 0 to 1, below which a name is no suggestion (difflib.SequenceMatcher.ratio)."""
_LEAST_PART = 4
"""Characters of a name that count as a part of another."""
_SHOWN = 8
_LONGEST = 200
"""Characters of a name that are compared."""


def unlisted(kind: str, name: str, known: Sequence[str]) -> ValueError:
    """The error of errors.unknown, with all names where none is near."""
    error = unknown(kind, name, known)
    if max((_alike(name, one) for one in known), default=1.0) >= _NEAR:
        return error
    sentence = str(error).partition(";")[0]
    return type(error)(f"{sentence}; choose from {', '.join(known)}")


def unknown_platform(name: str) -> ValueError:
    """Why there is none, or platforms whose names, titles or part numbers are near that name."""
    labels = {one.name: (one.name, one.title, *_parts(one)) for one in platforms()}
    wanted = _plain(name)
    for chip, why in _LEFT_OUT.items():
        if wanted == _plain(chip):
            return ValueError(why)
    found = [one for one, texts in labels.items() if any(_within(wanted, text) for text in texts)]
    if not found:
        found = _near(name, labels)
    if not found:
        return unlisted("platform", name, list(labels))
    first, *others = sorted(found, key=lambda one: -_alike(name, one))
    more = f"; also {', '.join(others[:_SHOWN])}" if others else ""
    return ValueError(f"{unknown('platform', name, [first])!s}{more}")


def _parts(platform: Platform) -> tuple[str, ...]:
    return tuple(part.name for part in platform.chip.parts) if platform.chip else ()


def _plain(text: str) -> str:
    """Letters and digits, as find.py compares names: "Cortex-M0+" is "cortexm0plus"."""
    return "".join(one for one in text.lower().replace("+", "plus") if one.isalnum())


def _near(name: str, labels: Mapping[str, Sequence[str]]) -> list[str]:
    """The platform with the most similar label; none where no label is near."""
    best = {one: max(_alike(name, text) for text in texts) for one, texts in labels.items()}
    nearest = max(best, key=lambda one: best[one])
    return [nearest] if best[nearest] >= _NEAR else []


def _within(wanted: str, label: str) -> bool:
    """Whether one is a part of the other, however they are written; a word may be short."""
    text = _plain(label)
    if wanted in map(_plain, re.split(r"[^A-Za-z0-9+]", label)):
        return bool(wanted)
    short = min(wanted, text, key=len)
    return len(short) >= _LEAST_PART and (wanted in text or text in wanted)


def _alike(name: str, other: str) -> float:
    return SequenceMatcher(None, _plain(name[:_LONGEST]), _plain(other)).ratio()
