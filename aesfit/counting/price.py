# SPDX-License-Identifier: MIT
"""Cycles of a function of any ELF file on an emulated processor, by its timing model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..jobs.job import Placement
from ..platforms.platform import Platform, counted
from ..rigs.emulator.instruction import Instruction, Kind
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.memory.replay import Prices, cold_told, flash_of, told, waited
from ..rigs.emulator.recording import Recorded
from ..rigs.emulator.rig import decoded, timing_model
from ..rigs.emulator.stalls import too_large
from ..rigs.emulator.timing.model import cycles, slack_cycles, waits_unknown
from .caller import call_cycles
from .foreign import Function

_NOUNS: Mapping[Kind, str] = {
    "divide": "division",
    "multiply": "multiplication",
    "multiply-long": "long multiplication",
}


@dataclass(frozen=True)
class Priced:
    """Cycles of some calls of a function."""

    runs: tuple[int, ...]
    """Cycles of every call."""
    memory: str
    """The assumptions behind them, in words."""
    least: int | None = None
    """Of the last call, at the placement of the code in a line of flash that is best, and with the
    shortest time of each instruction that has a range; None where there is but one figure."""
    most: int | None = None
    """The same at the worst placement, and with the longest times."""

    @property
    def placed(self) -> tuple[int, int, int]:
        """Minimum, middle and maximum of the last call; all equal if there is one figure."""
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
        slack = slack_cycles(model, profiles[-1], instructions)
        only = platform.chip is None and not slack
        ends = (None, None) if only else (runs[-1] - slack, runs[-1])
        slow = f"{wait} flash wait states; otherwise: " if wait else ""
        beyond = too_large(platform, [one.execution for one in calls])
        return Priced(runs, "; ".join(filter(None, (slow + model.assumptions, beyond))), *ends)
    prices = Prices(model, instructions)
    found = [waited(prices, [one], flash) for one in calls]
    slow = "; ".join(filter(None, (told(flash, found[-1]), cold_told(flash, found[-1]))))
    memory = f"{slow}; otherwise: {model.assumptions}"
    least = found[-1].least - slack_cycles(model, calls[-1].execution.profile, instructions)
    return Priced(tuple(one.middle for one in found), memory, least, found[-1].most)


def depends_told(platform: Platform, machine: Machine, called: Function, call: Recorded) -> str:
    """A note on executed instructions whose time depends on operands; empty without any."""
    if counted(platform).timing is None:
        return ""
    variable = timing_model(counted(platform)).variable_time
    instructions = decoded(machine, [call.execution])
    found = Counter[Kind]()
    for (address, *_), times in call.execution.profile.operands.items():
        found[instructions[address].kind] += times
    told = [
        f"{times} {_NOUNS[kind]}{'s' if times > 1 else ''}"
        for kind, times in found.items()
        if kind in variable
    ]
    if not told:
        return ""
    return (
        f"{called.name} executes {' and '.join(told)}, whose time on {platform.name} depends on "
        "the operands; other arguments can take other cycles"
    )
