# SPDX-License-Identifier: MIT
"""Runs and counts single steps of a block on an emulated platform (steps.c).

The cost of a step is that of its function minus that of one that only loads and stores the same
words.  Its operations follow from the executed instructions: only doublings contain a subtraction,
one each.  The other instructions of a doubling are known from four doublings run alone (compilers
write some of its XORs as an AND with a complement, so both are counted together).  The remaining
ANDs and XORs are sums, the remaining shifts are rotations.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from aesfit.building import build
from aesfit.building.sources import core_file, library_folder
from aesfit.counting.foreign import function_in
from aesfit.jobs.job import Placement
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.profile import Execution

from .operations import class_of, folds_shift, times, why_not

SOURCE: Final = Path(__file__).with_name("steps.c")
NONE, NONE_OF_EIGHT = "none", "none_of_eight"
_ROOT = "step_named"
_WORDS: Final = 64
"""Words of the longest schedule, enough for the others."""
_FOUR: Final = 4
"""Number of doublings or rotations in the functions that hold nothing else."""
_MINUS: Final = ("sub", "subs", "rsb", "rsbs")
MIX, INV_MIX = "MixColumns", "InvMixColumns"
_DECLARED: Final = re.compile(
    rf"({INV_MIX}|{MIX}) (\d+) XOR, (\d+) doublings(?:, (\d+) rotations)?"
)


class StepError(RuntimeError):
    """The instructions of a step do not add up to whole operations."""


@dataclass(frozen=True)
class _Executed:
    """Instructions by the classes that distinguish operations."""

    minus: int
    """Subtractions, except those of the stack pointer."""
    sums: int
    """AND and XOR."""
    shifts: int
    """Shifts, including folded ones."""

    def __sub__(self, other: "_Executed") -> "_Executed":
        return _Executed(
            self.minus - other.minus, self.sums - other.sums, self.shifts - other.shifts
        )


@dataclass(frozen=True)
class Ran:
    """One call of a step."""

    cycles: int
    executed: _Executed
    words: tuple[int, ...]
    """The words after the call."""


@dataclass(frozen=True)
class WordOperations:
    """Operations of a step, on whole words."""

    sums: int
    doublings: int
    rotations: int


def _executed(seen: Execution, instructions: Mapping[int, Instruction]) -> _Executed:
    kinds, folded = Counter[str](), 0
    for (address, held), number in times(seen.profile, instructions).items():
        one = instructions[address]
        minus = one.name in _MINUS and "sp" not in one.text
        kinds["minus" if minus else class_of(one)] += number if held else 0
        folded += number if held and folds_shift(one) else 0
    return _Executed(kinds["minus"], kinds["and"] + kinds["xor"], kinds["shift"] + folded)


class Steps:
    """The steps, compiled with the platform's compiler and flags."""

    def __init__(self, platform: Platform) -> None:
        """Compile and load them; ValueError if instruction classes are not known."""
        reason = why_not(platform)
        if reason:
            raise ValueError(reason)
        self.platform = platform
        unit = build.compile_object(platform, SOURCE.read_text(encoding="utf-8"))
        with function_in(platform, [unit], _ROOT) as found:
            self._machine = Machine(found.image, platform)
        self._at = self._machine.reserve(4 * _WORDS)

    def run(self, step: str, words: tuple[int, ...], *arguments: int) -> Ran:
        """One call on words that it works on in place."""
        data = b"".join(word.to_bytes(4, "little") for word in words)
        self._machine.write(self._at, data)
        seen = self._machine.call(f"step_{step}", self._at, *arguments)
        left = self._machine.read(self._at, len(data))
        after = tuple(int.from_bytes(left[at : at + 4], "little") for at in range(0, len(left), 4))
        return self._told(seen, after)

    def _told(self, seen: Execution, after: tuple[int, ...]) -> Ran:
        isa = self.platform.isa
        instructions = decode_blocks(self._machine.code, seen.profile.blocks, isa)
        priced = cycles(timing_model(self.platform), seen.profile, instructions, Placement(0))
        return Ran(priced, _executed(seen, instructions), after)

    def cycles(self, step: str, without: str = NONE) -> int:
        """The cost of the step beyond loading and storing its words."""
        words = tuple(range(8))
        return self.run(step, words).cycles - self.run(without, words).cycles

    def _beyond(self, step: str, without: str = NONE) -> _Executed:
        words = tuple(range(8))
        return self.run(step, words).executed - self.run(without, words).executed

    @cached_property
    def _doublings(self) -> _Executed:
        """Four doublings."""
        return self._beyond("doublings")

    @cached_property
    def _rotations(self) -> _Executed:
        """Four rotations: 4 shifts, or 8 where there is no instruction for one."""
        return self._beyond("rotations")

    def operations(self, step: str, without: str = NONE) -> WordOperations:
        """Sums, doublings and rotations; StepError if the counts do not add up."""
        found, four = self._beyond(step, without), self._doublings
        doublings = found.minus * _FOUR / four.minus
        sums = found.sums - doublings * four.sums / _FOUR
        rotations = (
            (found.shifts - doublings * four.shifts / _FOUR) * _FOUR / self._rotations.shifts
        )
        every = (sums, doublings, rotations)
        if any(number < 0 or number != int(number) for number in every):
            raise StepError(
                f"{step} on {self.platform.name}: {found} is no whole number of operations"
            )
        return WordOperations(*(int(number) for number in every))


def declared(core: str) -> Mapping[str, WordOperations]:
    """The operations of MixColumns and InvMixColumns stated at the head of a core's source."""
    text = (library_folder() / "src" / core_file(core)).read_text(encoding="utf-8")
    head = " ".join(line.removeprefix(" *").strip() for line in text.splitlines())
    found = {
        name: WordOperations(int(sums), int(doublings), int(rotations or 0))
        for name, sums, doublings, rotations in _DECLARED.findall(head)
    }
    if set(found) != {MIX, INV_MIX}:
        raise ValueError(f"the head of {core}.c does not say what MixColumns costs both ways")
    return found
