# SPDX-License-Identifier: MIT
"""Ways of running code and measuring it: a folder each, with a module `rig`, or one file."""

from functools import cache
from importlib import import_module

from ..extras import EMULATOR, missing
from ..platforms.platform import Platform
from .rig import Rig, RigUnavailableError

_CLASSES = {
    "emulator": ("emulator.rig", "EmulatorRig"),
    "vliw": ("hexagon.rig", "VliwRig"),
    "rtl": ("rtl.rig", "RtlRig"),
    "host": ("host.rig", "HostRig"),
    "board": ("board.rig", "BoardRig"),
    "fake": ("fake", "FakeRig"),
    "published": ("published", "PublishedRig"),
}
"""Module and class of each rig, by the name that a platform file gives."""


@cache
def rig_named(name: str) -> Rig:
    """The rig of that name; one object for the whole process.

    RigUnavailableError: Python packages are missing that it is written with.
    """
    needs = {
        "emulator": "the emulator",
        "vliw": "the VLIW rig",
        "rtl": "the RTL rig",
        "board": "the board rig",
    }
    reason = missing(needs[name], EMULATOR) if name in needs else None
    if reason:
        raise RigUnavailableError(reason)
    module, made = _CLASSES[name]
    rig: Rig = getattr(import_module(f"{__package__}.{module}"), made)()
    return rig


def rig_of(platform: Platform) -> Rig:
    """The rig that measures on a platform."""
    return rig_named(platform.rig)


def why_not(platform: Platform) -> str | None:
    """None when the platform can be measured; else a sentence with the command that would help."""
    try:
        return rig_of(platform).why_not(platform)
    except RigUnavailableError as error:
        return str(error)
