# SPDX-License-Identifier: MIT
"""The core of a drop-in for which none is named: the library's own default for the target."""

from ..platforms.platform import Platform

_PORTABLE = "fixslice"
_BY_ISA = {
    "armv4t": "fixslice_armv4",
    "armv6-m": "fixslice_armv6m",
    **dict.fromkeys(("armv7-m", "armv7e-m", "armv8-m.main"), "fixslice_4k_armv7m"),
    **dict.fromkeys(("rv32i", "rv32im", "rv32imb"), "fixslice_rv32"),
}
"""As lib/src/default.c names them: a test compiles it for each, and tools/default_cores.py
compares them with the atlas."""


def default_core(platform: Platform | None) -> str:
    """Its name; without a platform, and on computers, the core that runs everywhere."""
    return _PORTABLE if platform is None else _BY_ISA.get(platform.isa, _PORTABLE)
