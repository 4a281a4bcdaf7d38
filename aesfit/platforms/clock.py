# SPDX-License-Identifier: MIT
"""What a chip's clock decides: the wait states of its flash, and the energy of a cycle."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .toml_file import Quantity, TomlTable


@dataclass(frozen=True)
class Waits:
    """Wait states of the flash up to a clock."""

    up_to: Quantity
    """In MHz."""
    cycles: int


@dataclass(frozen=True)
class Current:
    """What the chip draws when it runs from flash at a clock, peripherals off."""

    at: Quantity
    """In MHz."""
    drawn: Quantity
    """In mA."""


@dataclass(frozen=True)
class Energy:
    """The currents of a data sheet; empty where none is known."""

    volts: float
    currents: tuple[Current, ...]
    """By rising clock."""
    none: str = ""
    """Why there are none."""

    def per_cycle(self, mhz: float) -> Quantity | None:
        """Picojoules of a cycle at that clock, between two currents in a straight line."""
        for one in self.currents:
            if one.at.value == mhz:
                return self._quantity(one.drawn.value, mhz, one.drawn.source)
        for low, high in pairwise(self.currents):
            if low.at.value < mhz < high.at.value:
                share = (mhz - low.at.value) / (high.at.value - low.at.value)
                drawn = low.drawn.value + share * (high.drawn.value - low.drawn.value)
                told = f"{low.drawn.source}; between {low.at.value:g} and {high.at.value:g} MHz"
                return self._quantity(drawn, mhz, told)
        return None

    def _quantity(self, milliamperes: float, mhz: float, source: str) -> Quantity:
        told = f"{source}: {milliamperes:.4g} mA x {self.volts:g} V / {mhz:g} MHz"
        return Quantity(1000 * milliamperes * self.volts / mhz, "pJ", told)

    def why_not(self, mhz: float) -> str:
        """Why there is no figure at that clock."""
        if self.none:
            return self.none
        clocks = ", ".join(f"{one.at.value:g}" for one in self.currents)
        return f"the data sheet gives currents at {clocks} MHz, and {mhz:g} MHz is not among them"


def read_waits(root: TomlTable, maximum: Quantity) -> tuple[Waits, ...]:
    """[[wait_states]] by rising clock, up to the maximum."""
    found: list[Waits] = []
    for table in root.tables("wait_states"):
        table.only(("up_to", "cycles"))
        one = Waits(table.quantity("up_to", ("MHz",), positive=True), table.whole("cycles"))
        if found and (one.up_to.value <= found[-1].up_to.value or one.cycles < found[-1].cycles):
            table.wrong("clocks must rise from one [[wait_states]] to the next, and cycles too")
        found.append(one)
    if not found or found[-1].up_to.value < maximum.value:
        root.wrong(
            f"[[wait_states]] must reach the highest clock, {maximum.value:g} MHz", "wait_states"
        )
    return tuple(found)


def waits_at(waits: Sequence[Waits], mhz: float) -> Quantity:
    """Wait states at a clock that is not above the last."""
    for one in waits:
        if mhz <= one.up_to.value:
            return Quantity(one.cycles, "cycles", one.up_to.source, one.up_to.unconfirmed)
    raise ValueError(f"{mhz:g} MHz is above {waits[-1].up_to.value:g} MHz")


def read_energy(root: TomlTable) -> Energy:
    """Currents at some clocks, or the reason why there are none; one of them must be given."""
    table = root.table("energy")
    table.only(("volts", "current", "none"))
    if table.has("none") == table.has("current"):
        table.wrong(
            "[energy] needs either [[energy.current]] and 'volts', or 'none', the reason why the "
            "current is not known"
        )
    if table.has("none"):
        return Energy(0, (), table.text("none"))
    currents = tuple(_current(one) for one in table.tables("current"))
    if any(low.at.value >= high.at.value for low, high in pairwise(currents)):
        table.wrong("clocks must rise from one [[energy.current]] to the next")
    return Energy(table.quantity("volts", ("V",), positive=True).value, currents)


def _current(table: TomlTable) -> Current:
    table.only(("at", "drawn"))
    at = table.quantity("at", ("MHz",), positive=True)
    return Current(at, table.quantity("drawn", ("mA",), positive=True))
