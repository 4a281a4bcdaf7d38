# SPDX-License-Identifier: MIT
"""Code sizes of the functions of Doomun et al. in shapes that their text allows (shapes*.c)."""

from collections.abc import Mapping
from typing import Final

from aesfit.building import build
from aesfit.platforms.platform import Platform
from aesfit.store.files import beside

from .code_sizes import symbol_sizes

SOURCES: Final = {path.stem: path for path in beside(__file__, "shapes*.c")}
WAYS: Final = ("mul", "table", "logs")
"""How a product is made: by a function that is called, by one of six tables, by logarithms."""
_MIXED: Final = ("sampled", "four_sampled", "turned")
PLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    "KeyExpansion": ("keys_working", "keys_standard"),
    "AddRoundKey": ("add_sampled", "add_four", "add_bytes"),
    "SubBytes": ("sub_sampled", "sub_four", "sub_bytes"),
    "ShiftRows": ("shift_sampled", "shift_both", "shift_branched", "shift_stepped"),
    "MixColumns": tuple(f"mix_{way}_{shape}" for way in WAYS for shape in _MIXED),
    "InvMixColumns": tuple(f"inv_mix_{way}_{shape}" for way in WAYS for shape in _MIXED),
}
"""Shapes before optimisation, by function."""
OPTIMISED: Final[Mapping[str, tuple[str, ...]]] = {
    "KeyExpansion": ("keys_written",),
    "AddRoundKey": ("add_written", "add_whole"),
    "SubBytes": ("sub_written", "sub_whole"),
    "ShiftRows": ("shift_written", "shift_whole"),
    "InvShiftRows": ("shift_inv_written", "shift_inv_whole"),
    "MixColumns": tuple(f"mix_{way}_{form}" for way in WAYS for form in ("written", "whole")),
    "InvMixColumns": tuple(
        f"inv_mix_{way}_{form}" for way in WAYS for form in ("written", "whole")
    ),
}
"""Shapes after it."""


def sizes(platform: Platform) -> dict[str, int]:
    """Bytes of each shape, by the platform's compiler and flags."""
    order = ("shapes", "shapes_mix", "shapes_keys")
    text = "\n".join(SOURCES[name].read_text(encoding="utf-8") for name in order)
    return symbol_sizes(build.compile_object(platform, text))
