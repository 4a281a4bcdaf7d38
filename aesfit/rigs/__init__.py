# SPDX-License-Identifier: MIT
"""Ways of running code and measuring it, one file each."""

from functools import cache
from importlib import import_module
from pathlib import Path

from ..extras import EMULATOR, missing
from ..platforms import Platform
from .rig import Rig, RigUnavailableError

_CLASSES = {
    "emulator": "EmulatorRig",
    "vliw": "VliwRig",
    "rtl": "RtlRig",
    "host": "HostRig",
    "fake": "FakeRig",
    "published": "PublishedRig",
}


@cache
def rig_named(name: str) -> Rig:
    """The rig of that name; one object for the whole process.

    RigUnavailableError: Python packages are missing that it is written with.
    """
    needs = {"emulator": "the emulator", "vliw": "the VLIW rig", "rtl": "the RTL rig"}
    reason = missing(needs[name], EMULATOR) if name in needs else None
    if reason:
        raise RigUnavailableError(reason)
    module = import_module(f"{__package__}.{name}")
    rig: Rig = getattr(module, _CLASSES[name])()
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


def timing_models() -> tuple[str, ...]:
    """Names of the timing models, one for each module of timing/ that holds a MODEL."""
    helpers = {"__init__", "model"}
    stems = (path.stem for path in (Path(__file__).parent / "timing").glob("*.py"))
    return tuple(sorted(stem for stem in stems if stem not in helpers and stem[0] != "_"))
