# SPDX-License-Identifier: MIT
"""Packets in hardware: aes_ccm of rtl/, its cycles simulated, its clock placed and routed."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from ..building.tools import ToolFailedError, ToolMissingError
from ..hardware import ccmp
from ..hardware.ccmp import ccmp_cycles
from ..hardware.designs import design_named
from ..hardware.families import Family
from ..hardware.place import SEEDS, Placed, place_once, together
from ..hardware.synthesis import Netlist, source_digest, synthesise
from ..hardware.tools import iverilog
from ..jobs.job import Progress
from ..store import closure
from ..store.contents import Facts, cached, key
from .paper import PACKET_BYTES
from .verdict import PacketRow, PlatformVerdict

DESIGN = design_named(ccmp.DESIGN)
_ENERGY = (
    "no source gives this FPGA's energy per cycle; hardware and software compare within one "
    "technology alone: aesfit silicon --energy"
)


@dataclass(frozen=True)
class HardwareRow:
    """A design on a family; None where a tool is missing, or where nothing can be placed."""

    design: str
    family: str
    cycles_per_packet: float | None
    clock_hz: float | None
    """Median over seeds."""
    luts: int | None = None
    flip_flops: int | None = None
    ram_blocks: int | None = None
    why: str | None = None
    """Why something is None."""


def cycles_per_packet() -> float:
    """From a packet's first word to its MIC, after which the next may begin."""

    def make(target: Path) -> Facts:
        facts = asdict(ccmp_cycles(PACKET_BYTES))
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    own = closure.digest(ccmp.__name__)
    name = key("packet", PACKET_BYTES, iverilog().version, source_digest(DESIGN), own)
    return float(cached(name, ".json", make)[1]["encrypt"])


def _row(family: Family, progress: Callable[[], None], *, fresh: bool) -> HardwareRow:
    """A family's row; what can be had without a missing tool is had."""
    cycles: float | None = None
    try:
        cycles = cycles_per_packet()
        progress()
        netlist = synthesise(DESIGN, family, fresh=fresh)
        progress()
        placed = _placed(netlist, family, progress, fresh=fresh)
    except (ToolFailedError, ToolMissingError) as error:
        return HardwareRow(DESIGN.name, family.name, cycles, None, why=str(error))
    clock = None if placed.median is None else placed.median * 1e6
    why = placed.why_not if family.device else family.unplaced
    return HardwareRow(
        DESIGN.name, family.name, cycles, clock, **asdict(netlist.counts), why=why or None
    )


def _placed(
    netlist: Netlist, family: Family, progress: Callable[[], None], *, fresh: bool
) -> Placed:
    """The clocks of all seeds, where there is open place and route for the family."""
    if family.device is None:
        return Placed(())
    found = []
    for seed in range(1, SEEDS + 1):
        found.append(place_once(netlist, family.device, seed, fresh=fresh))
        progress()
    return together(found)


def hardware_rows(
    families: Sequence[Family],
    *,
    fresh: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[HardwareRow]:
    """One row for each family."""
    total = sum(2 + (SEEDS if family.device else 0) for family in families)
    steps = count(1)
    progress(0, total)
    return [_row(one, lambda: progress(next(steps), total), fresh=fresh) for one in families]


def entry(row: HardwareRow) -> PacketRow:
    """The row beside those of software."""
    why = {"energy_per_packet_uj": _ENERGY}
    if row.why:
        why |= dict.fromkeys(("clock_hz", "us_per_packet", "mbit_per_s", "keeps_up"), row.why)
        if row.cycles_per_packet is None:
            why["needed_clock_hz"] = row.why
    return PacketRow(
        platform=row.family,
        kind="hardware",
        core=row.design,
        cycles=row.cycles_per_packet,
        clock_hz=row.clock_hz,
        constant_time="always",
        why=why,
    )


def lines(families: Sequence[Family], *, fresh: bool, progress: Progress) -> list[PlatformVerdict]:
    """One for each family; hardware takes the same cycles whatever the secrets are."""
    entries = [entry(row) for row in hardware_rows(families, fresh=fresh, progress=progress)]
    return [PlatformVerdict(one, one if one.cycles is not None else None) for one in entries]
