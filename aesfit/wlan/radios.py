# SPDX-License-Identifier: MIT
"""Power of a connected wireless card, from published measurements."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Radio:
    """A card that is on and neither sends nor receives, the least that a connection takes."""

    title: str
    idle_watts: float
    source: str


WAVELAN = Radio(
    "a wireless card of 2001 that is idle",
    0.8,
    "L. M. Feeney, M. Nilsson, Investigating the energy consumption of a wireless network "
    "interface in an ad hoc networking environment, INFOCOM 2001, as quoted in a lecture by "
    "T. Kunz",
)
