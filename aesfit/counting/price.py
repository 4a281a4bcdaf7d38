# SPDX-License-Identifier: MIT
"""Cycles of a function of any ELF file on an emulated processor, by its timing model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..jobs.job import Placement
from ..platforms.platform import Platform
from ..rigs.emulator.instruction import Instruction
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.memory.replay import Prices, cold_told, flash_of, told, waited
from ..rigs.emulator.recording import Recorded
from ..rigs.emulator.rig import decoded, timing_model
from ..rigs.emulator.stalls import too_large
from ..rigs.emulator.timing.model import cycles, waits_unknown
from .caller import call_cycles
from .foreign import Function


@dataclass(frozen=True)
class Priced:
    """Cycles of some calls of a function."""

    runs: tuple[int, ...]
    """Cycles of every call."""
    memory: str
    """The assumptions behind them, in words."""
    least: int | None = None
    """Of the last call, at the placement of the code in a line of flash that is best; None off
    chips."""
    most: int | None = None
    """The same at the worst placement."""

    @property
    def placed(self) -> tuple[int, int, int]:
        """Minimum, median and maximum of the last call; all equal if the platform is not a chip."""
        only = self.runs[-1]
        if self.least is None or self.most is None:
            return only, only, only
        return self.least, only, self.most


def refuse_waits(platform: Platform, placement: Placement) -> None:
    """Raise ValueError if the flash has wait states whose effect on the processor is unknown."""
    model, wait = timing_model(platform), placement.flash_wait or 0
    if flash_of(platform, wait, model, ()) is None and wait and model.fetches is None:
        raise waits_unknown(model)


def price(
    platform: Platform,
    machine: Machine,
    called: Function,
    calls: Sequence[Recorded],
    placement: Placement,
    include_call: bool = False,
) -> Priced:
    """Price the calls; RuntimeError for code that the timing model does not cover.

    `include_call`: add the caller's call instruction, at its price without wait states.
    """
    try:
        instructions = decoded(machine, [one.execution for one in calls])
        priced = _priced(platform, machine, calls, instructions, placement)
        if not include_call:
            return priced
        first = instructions[called.address & ~1]
        return _longer(priced, call_cycles(timing_model(platform), platform.isa, first, placement))
    except ValueError as error:  # an error in the executed code, not in the question
        raise RuntimeError(f"{called.name} cannot be priced: {error}") from None


def _longer(priced: Priced, more: int) -> Priced:
    least, most = (None if end is None else end + more for end in (priced.least, priced.most))
    return Priced(tuple(one + more for one in priced.runs), priced.memory, least, most)


def _priced(
    platform: Platform,
    machine: Machine,
    calls: Sequence[Recorded],
    instructions: Mapping[int, Instruction],
    placement: Placement,
) -> Priced:
    model, wait = timing_model(platform), placement.flash_wait or 0
    flash = flash_of(platform, wait, model, machine.flash)
    if flash is None:
        profiles = [one.execution.profile for one in calls]
        runs = tuple(cycles(model, one, instructions, placement) for one in profiles)
        ends = (None, None) if platform.chip is None else (runs[-1], runs[-1])
        slow = f"{wait} flash wait states; otherwise: " if wait else ""
        beyond = too_large(platform, [one.execution for one in calls])
        return Priced(runs, "; ".join(filter(None, (slow + model.assumptions, beyond))), *ends)
    prices = Prices(model, instructions)
    found = [waited(prices, [one], flash) for one in calls]
    slow = "; ".join(filter(None, (told(flash, found[-1]), cold_told(flash, found[-1]))))
    memory = f"{slow}; otherwise: {model.assumptions}"
    return Priced(tuple(one.middle for one in found), memory, found[-1].least, found[-1].most)
