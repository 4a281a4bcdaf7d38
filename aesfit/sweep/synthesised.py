# SPDX-License-Identifier: MIT
"""Hardware cores and soft CPUs on FPGA families: cycles of a packet, and cells.

Both encrypt the same CCMP packet, so their cycles and cells can be compared on one family.  Cells
of a soft CPU exclude its program memory, and hard multipliers if the family has them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from ..hardware.designs import Design, design_named
from ..hardware.families import Family, family_named
from ..hardware.netlist import CellCounts
from ..hardware.place import SEEDS
from ..hardware.synthesis import source_digest, synthesise
from ..hardware.tools import yosys
from ..measuring.measure import Refusal, measure
from ..platforms.names import family_of, processors, vendored
from ..platforms.parts import Compiler
from ..platforms.platform import Isa, Platform
from ..rigs.rtl.soc.resized import verilog_of
from ..store import closure
from ..store.contents import key
from ..wlan.hardware import DESIGN, hardware_rows
from ..wlan.paper import PACKET_BYTES as PACKET_BYTES
from .point import Figures, SweepPoint

CCMP_DESIGN = DESIGN.name
"""The one that makes the packets that software makes."""
OP, MODE = "encrypt", "ccmp"
_RAM_BITS = {"xc2vp": 18432, "ecp5": 18432, "ice40": 4096}
"""Of a RAM block, parity included: RAMB16 (Xilinx DS083), DP16KD (Lattice FPGA-DS-02012),
SB_RAM40_4K (Lattice FPGA-DS-02029)."""
_MULTIPLIERS = frozenset({"MULT18X18", "MULT18X18S", "MULT18X18D", "ALU54B"})
"""Hard multipliers of the Virtex-II Pro and of the ECP5; those of the iCE40 are look-up tables."""
_TOPS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "picorv32": ("picorv32", {"BARREL_SHIFTER": 1}),
    "vexriscv": ("VexRiscv", {}),
}
"""Top module and parameters by folder of third_party/, as the simulated systems have them."""


@dataclass(frozen=True, eq=False)
class _Processor(Design):
    """A soft CPU as a design to synthesise, from the Verilog that is also simulated."""

    @property
    def sources(self) -> list[Path]:
        """Its only source file."""
        return [verilog_of(self.name)]


def mode_of(design: str) -> str:
    """The mode in which a design encrypts a payload of PACKET_BYTES."""
    made = design_named(design)
    if made.bench == "gcm_bench":
        return "gcm"
    return MODE if design == CCMP_DESIGN else "ctr" if made.counter else "ecb"


def is_soft(platform: Platform) -> bool:
    """Whether it is a processor whose Verilog is available and readable by Yosys."""
    return platform.cpu in vendored()


def is_family(platform: Platform) -> bool:
    """Whether it stands for an FPGA family."""
    return platform.rig == "synthesis"


def family_platform(name: str) -> Platform:
    """An FPGA family as a platform, on which only designs run."""
    family = family_named(name)
    return Platform(
        name=name,
        title=family.title,
        isa=cast(Isa, "none"),
        rig="synthesis",
        timing=None,
        compiler=Compiler("", "", (), (), "nothing is compiled"),
        clock=None,
        memories=(),
        caches=(),
        energy=None,
        data_cache=False,
        variable_multiply=False,
        constant_time_source="cycles of the design are the same for all secrets",
        published=(),
        sha256=key("family", name, family.synthesis, family.device and family.device.options),
        path=Path(name),
    )


def _processor(cpu: str) -> _Processor:
    top, parameters = _TOPS[family_of(cpu)]
    return _Processor(cpu, "a soft CPU", top, "", parameters)


@lru_cache
def _cpu_counts(cpu: str, family: str) -> CellCounts:
    """Cells of a soft CPU."""
    given = family_named(family)
    return synthesise(_processor(cpu), replace(given, free=given.free | _MULTIPLIERS)).counts


def inputs(point: SweepPoint) -> str:
    """Digest of what cells and clocks depend on, beyond the inputs of a soft CPU's cycles."""
    assert point.family is not None  # noqa: S101 - as all points here
    made = sorted((path.stem, path.read_text()) for path in processors().values())
    family: Family = family_named(point.family)
    depends = yosys().version, SEEDS, closure.digest(__name__)
    design = design_named(point.core) if point.platform == point.family else DESIGN
    return key(source_digest(design), made, family.synthesis, depends)


def synthesised(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """Designs simulated, synthesised and placed; soft CPUs measured and synthesised."""
    return [_figures(platform, point) for point in points]


def _figures(platform: Platform, point: SweepPoint) -> Figures:
    family = point.family or ""
    if is_family(platform):
        return _design(family, design_named(point.core))
    return _soft(platform, point, family)


def _cells(family: str, luts: int, flip_flops: int, ram_blocks: int) -> dict[str, Any]:
    bits = ram_blocks * _RAM_BITS[family]
    return {"luts": luts, "flip_flops": flip_flops, "block_ram_bits": bits}


def _design(family: str, design: Design) -> Figures:
    (row,) = hardware_rows([family_named(family)], design)
    if row.cycles_per_packet is None or row.luts is None:
        return {"error": row.why or "nothing was synthesised"}
    clock = None if row.clock_hz is None else row.clock_hz / 1e6
    return {
        "cycles": row.cycles_per_packet,
        "cycles_per_byte": row.cycles_per_packet / PACKET_BYTES,
        "timing": "independent",
        "clock": clock,
        "max_clock": clock,
        "time": None if clock is None else row.cycles_per_packet / clock,
        **_cells(family, row.luts, row.flip_flops or 0, row.ram_blocks or 0),
    }


def _soft(platform: Platform, point: SweepPoint, family: str) -> Figures:
    """Figures of a soft CPU; its clock is unknown, as no whole system was placed and routed."""
    (result,) = measure([point.job(platform)])
    if isinstance(result, Refusal):
        return {"error": result.reason}
    counts = _cpu_counts(str(platform.cpu), family)
    return {
        "cycles": result.cycles,
        "cycles_per_byte": result.cycles_per_byte,
        "instructions": result.instructions,
        "timing": result.timing,
        "evidence": result.evidence,
        "clock": None,
        "time": None,
        "energy": None,
        **_cells(family, counts.luts, counts.flip_flops, counts.ram_blocks),
    }
