# SPDX-License-Identifier: MIT
"""What firmware has set up that would disturb a measurement, switched off until the end.

Addresses: ARM DDI 0403E (Armv7-M), B3.2 to B3.5; DDI 0419C (Armv6-M), B3; DDI 0553 (Armv8-M).
"""

import sys
from collections.abc import Iterable
from typing import Protocol

from ...platforms.debugging import WatchdogFreeze
from .client import BoardError, StubClient

_ICTR, _ISER, _ICER = 0xE000_E004, 0xE000_E100, 0xE000_E180
_MPU_TYPE, _MPU_CTRL, _ENABLE = 0xE000_ED90, 0xE000_ED94, 1
_REGIONS = 0xFF << 8
_SYST_CSR, _TICKINT = 0xE000_E010, 1 << 1


class GuardedBoard(Protocol):
    """A session, as far as it is needed here."""

    client: StubClient

    def write_word(self, address: int, value: int) -> None:
        """Write, and put the old word back at the end."""

    def write_back(self, address: int, value: int) -> None:
        """Write that word at the end."""


def disable_interrupts(session: GuardedBoard, isa: str) -> None:
    """By the interrupt controller, for a server that does not show PRIMASK.

    A pending interrupt would be taken before the first instruction could mask it.
    """
    client = session.client
    words = 1 if isa == "armv6-m" else (client.word(_ICTR) & 0xF) + 1
    for at in range(0, 4 * words, 4):
        if enabled := client.word(_ISER + at):
            session.write_back(_ISER + at, enabled)
            client.write_word(_ICER + at, enabled)
    tick = client.word(_SYST_CSR)
    if tick & _TICKINT:
        session.write_word(_SYST_CSR, tick & ~_TICKINT)


def disable_mpu(session: GuardedBoard) -> bool:
    """Whether a memory protection unit was on, which forbids code in RAM in most firmware."""
    client = session.client
    try:
        there = client.word(_MPU_TYPE) & _REGIONS
        control = client.word(_MPU_CTRL) if there else 0
    except BoardError:
        return False
    if not control & _ENABLE:
        return False
    session.write_word(_MPU_CTRL, control & ~_ENABLE)
    return True


def freeze_watchdogs(session: GuardedBoard, freeze: WatchdogFreeze | None) -> bool:
    """Whether the chip's watchdogs stand still while its processor is halted."""
    if freeze is None:
        return False
    try:
        held = session.client.word(freeze.address)
        if held & freeze.bits != freeze.bits:
            session.write_word(freeze.address, held | freeze.bits)
        return session.client.word(freeze.address) & freeze.bits == freeze.bits
    except BoardError:
        return False


def stack_limits(names: Iterable[str]) -> list[str]:
    """Registers that bound the stack pointers of Armv8-M, by whatever names a server has."""
    return [name for name in names if name.startswith(("msplim", "psplim"))]


def tell(sentence: str) -> None:
    """Say what was changed for the time of a measurement."""
    sys.stderr.write(f"aesfit: {sentence}\n")
