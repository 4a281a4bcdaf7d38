# SPDX-License-Identifier: MIT
"""What the model observes on each processor, and where each part of it comes from."""

from typing import Final

from ..platforms.platform import Platform
from .points import PointKind

NAME: Final = "aesfit transition model 1"
LIMITS: Final = (
    "In this named model, for this image, no single observed bit or transition depends on a "
    "secret, if masks are uniform and independent."
)
"""The most that a proof or a test can say here."""

OBSERVED: Final[dict[PointKind, str]] = {
    "VALUE": "Hamming weight of each register that is written, and of what is stored",
    "REGISTER": "Hamming distance of the old and the new value of a register",
    "OPERAND": "Hamming distance on the first and on the second operand latch",
    "BUS": "Hamming distance of successive transfers on the data bus",
    "CELL": "Hamming distance of the old and the new value of stored memory",
}

_ELMO = "McCann, Oswald, Whitnall, ELMO (USENIX Security 2017): operands and their transitions"
_ROSITA = "Shelton and others, Rosita (NDSS 2021): register, bus and memory transitions"
_SOURCES: Final = {
    "armv6-m": f"{_ELMO}, on Cortex-M0; {_ROSITA}, on Cortex-M0",
    "armv7-m": f"{_ELMO}, on Cortex-M0, and carried over to Cortex-M3",
    "armv7e-m": "Papagiannopoulos and Veshchikov, Mind the Gap (COSADE 2017), found such "
    "transitions on an AVR; carried over to Cortex-M4",
}
_GENERIC = "carried over from Cortex-M0; no measurement of this processor was looked at"


def source(platform: Platform) -> str:
    """Where the model of a processor comes from."""
    return _SOURCES.get(platform.isa, _GENERIC)
