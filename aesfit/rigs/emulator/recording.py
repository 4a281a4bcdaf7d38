# SPDX-License-Identifier: MIT
"""A machine that remembers the accesses of each call, and what one call's record is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..profile import Execution

if TYPE_CHECKING:  # it needs the emulator's packages, which who asks for rows alone may lack
    from .machine import Machine


@dataclass(frozen=True)
class Recorded:
    """One call with all that it did, in order."""

    execution: Execution
    records: bytes
    """As Machine.records() has them."""
    order: bytes
    """As Machine.order() has it."""


class Recording:
    """A machine that records each call."""

    def __init__(self, machine: "Machine") -> None:
        """Record what `machine` is told to call from here on."""
        self._machine = machine
        self.symbol, self.reserve, self.release = machine.symbol, machine.reserve, machine.release
        self.write, self.read, self.records = machine.write, machine.read, machine.records
        self.heard: dict[str | int, Recorded] = {}
        """The last call of each function."""

    def call(self, function: str | int, *arguments: int, record: bool = True) -> Execution:
        """Call and remember."""
        done = self._machine.call(function, *arguments, record=record)
        self.heard[function] = Recorded(done, self.records(), self._machine.order())
        return done
