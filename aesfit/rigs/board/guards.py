# SPDX-License-Identifier: MIT
"""What firmware has set up that would disturb a measurement, switched off until the end.

Addresses: ARM DDI 0403E (Armv7-M), B3.2 to B3.5; DDI 0419C (Armv6-M), B3; DDI 0553 (Armv8-M).
"""

from typing import Protocol

from .client import StubClient

_ICTR, _ISER, _ICER = 0xE000_E004, 0xE000_E100, 0xE000_E180
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
