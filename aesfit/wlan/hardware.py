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
from ..hardware.designs import BLOCK_BITS, Design, design_named
from ..hardware.exercise import message_cycles
from ..hardware.families import Family
from ..hardware.netlist import Netlist
from ..hardware.place import SEEDS, Placed, place_once, together
from ..hardware.synthesis import source_digest, synthesise
from ..hardware.tools import iverilog
from ..jobs.job import Progress
from ..jobs.secrecy import Secrecy
from ..store import closure
from ..store.contents import Facts, cached, key
from .paper import PACKET_BYTES
from .verdict import PacketRow, PlatformVerdict

DESIGN = design_named(ccmp.DESIGN)
BLOCK_BYTES = BLOCK_BITS // 8
_ENERGY = (
    "no source gives this FPGA's energy per cycle; hardware and software compare within one "
    "technology alone: aesfit silicon --energy"
)


@dataclass(frozen=True)
class HardwareRow:
    """A design on a family; fields are None if a tool is missing or cannot place it."""

    design: str
    family: str
    cycles_per_packet: float | None
    clock_hz: float | None
    """Median over seeds."""
    luts: int | None = None
    flip_flops: int | None = None
    ram_blocks: int | None = None
    ram_bits: int | None = None
    why: str | None = None
    """Why a field is None."""


def cycles_per_packet(design: Design = DESIGN) -> float:
    """From a packet's first word to its last, after which the next may begin.

    Only aes_ccm makes CCMP's packets; others encrypt the payload alone, in their own mode.
    """

    def make(target: Path) -> Facts:
        facts = (
            asdict(ccmp_cycles(PACKET_BYTES))
            if design is DESIGN
            else {"encrypt": message_cycles(design, PACKET_BYTES // BLOCK_BYTES)}
        )
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    own = closure.digest(ccmp.__name__)
    parts = (iverilog().version, source_digest(design), design.name, dict(design.parameters))
    name = key("packet", PACKET_BYTES, *parts, own)
    return float(cached(name, ".json", make)[1]["encrypt"])


def _row(
    design: Design, family: Family, progress: Callable[[], None], *, fresh: bool
) -> HardwareRow:
    """A family's row, with all figures that the installed tools can give."""
    cycles: float | None = None
    try:
        cycles = cycles_per_packet(design)
        progress()
        netlist = synthesise(design, family, fresh=fresh)
        progress()
        placed = _placed(netlist, family, progress, fresh=fresh)
    except (ToolFailedError, ToolMissingError) as error:
        return HardwareRow(design.name, family.name, cycles, None, why=str(error))
    clock = None if placed.median is None else placed.median * 1e6
    why = placed.why_not if family.device else family.unplaced
    return HardwareRow(
        design.name, family.name, cycles, clock, **asdict(netlist.counts), why=why or None
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
    design: Design = DESIGN,
    *,
    fresh: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[HardwareRow]:
    """One row for each family."""
    total = sum(2 + (SEEDS if family.device else 0) for family in families)
    steps = count(1)
    progress(0, total)

    def step() -> None:
        progress(next(steps), total)

    return [_row(design, one, step, fresh=fresh) for one in families]


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
        secrecy=Secrecy("independent"),
        why=why,
    )


def lines(families: Sequence[Family], *, fresh: bool, progress: Progress) -> list[PlatformVerdict]:
    """One for each family; the hardware's cycles do not depend on secrets."""
    entries = [entry(row) for row in hardware_rows(families, fresh=fresh, progress=progress)]
    return [PlatformVerdict(one, one if one.cycles is not None else None) for one in entries]
