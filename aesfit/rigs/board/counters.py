# SPDX-License-Identifier: MIT
"""Counters of cycles that processors have, and how each is set up and read."""

from dataclasses import dataclass

from ...platforms.debugging import CycleTimer, NamedRegister
from ...platforms.platform import Platform
from .client import BoardError, StubClient


@dataclass(frozen=True)
class CycleCounter:
    """What counts cycles, as a call of code on the board reads it."""

    title: str
    address: int | None
    """Of the word to load; None: the CSR mcycle."""
    bits: int
    down: bool = False
    set_bits: tuple[tuple[int, int], ...] = ()
    """(address, bits): set once, after which it counts."""
    words: tuple[tuple[int, int], ...] = ()
    """(address, word): written before each call."""
    wrapped: tuple[int, int] | None = None
    """(address, bits): set after a call in which it has passed its end."""
    cycles_per_tick: int = 1

    def elapsed(self, first: int, last: int) -> int:
        """Cycles between two readings."""
        ticks = (first - last if self.down else last - first) % (1 << self.bits)
        return ticks * self.cycles_per_tick


DWT = CycleCounter(
    "CYCCNT of the DWT",
    0xE000_1004,
    32,
    set_bits=((0xE000_EDFC, 1 << 24), (0xE000_1000, 1)),
)
"""Armv7-M: DEMCR.TRCENA, DWT_CTRL.CYCCNTENA, DWT_CYCCNT (ARM DDI 0403E, C1.6.5 and C1.8)."""
_NO_CYCCNT = (0xE000_1000, 1 << 25)
"""DWT_CTRL.NOCYCCNT (DDI 0403E, C1.8.7)."""
SYSTICK = CycleCounter(
    "SysTick, 24 bits",
    0xE000_E018,
    24,
    down=True,
    words=((0xE000_E014, 0xFF_FFFF), (0xE000_E010, 5), (0xE000_E018, 0)),
    wrapped=(0xE000_E010, 1 << 16),
)
"""SYST_RVR, SYST_CSR (the processor's clock, no interrupt), SYST_CVR (DDI 0403E, DDI 0419C: B3.3).
COUNTFLAG says that it has passed 0."""
MCYCLE = CycleCounter("mcycle", None, 32)
"""The lower word (RISC-V privileged architecture 1.12, 3.1.10)."""
COUNTERS = {"dwt": DWT, "systick": SYSTICK, "mcycle": MCYCLE}
"""By the name that `aesfit board add --counter` takes."""
_BY_ISA = {
    **dict.fromkeys(("armv7-m", "armv7e-m", "armv8-m.main"), DWT),
    "armv6-m": SYSTICK,
    **dict.fromkeys(("rv32i", "rv32im", "rv32imb"), MCYCLE),
}


def timer_of(timer: CycleTimer) -> CycleCounter:
    """The timer that a chip's file of debugging names."""
    return CycleCounter(
        timer.title,
        timer.address,
        timer.bits,
        words=timer.words,
        wrapped=timer.wrapped,
        cycles_per_tick=timer.cycles_per_tick,
    )


def counter_of(
    platform: Platform, asked: str | None, timer: CycleTimer | None, client: StubClient
) -> CycleCounter | str:
    """What counts there, or a sentence why nothing does.

    `asked`: a name of COUNTERS, "none", or None for what the processor has.
    """
    if asked == "none":
        return "it was added with --counter none"
    if asked is not None:
        return COUNTERS[asked]
    if client.is_qemu:
        return "QEMU emulates it, and QEMU's clocks count no cycles of a processor"
    if timer is not None:
        return timer_of(timer)
    found = _BY_ISA.get(platform.isa)
    if found is None:
        return f"no counter of {platform.isa} is known; name one with --counter"
    if found is DWT and client.word(_NO_CYCCNT[0]) & _NO_CYCCNT[1]:
        return SYSTICK
    return found


def held(client: StubClient, registers: tuple[NamedRegister, ...]) -> dict[str, int]:
    """What the registers hold now, those that can be read."""
    found = {}
    for one in registers:
        try:
            found[one.name] = client.word(one.address)
        except BoardError:
            continue
    return found
