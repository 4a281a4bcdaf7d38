# SPDX-License-Identifier: MIT
"""Energy of hardware and of software in one technology: 180 nm gates before layout.

A design, and a soft processor that runs the library's own code, become gates of one library, work
on random blocks in a zero-delay simulation, and OpenSTA prices what their nets did.

In: gates, flip-flops (the processor's registers too), their leakage.  Out: synchronous RAM (round
keys and blocks of a core, program and data of the processor), wires, the clock's buffers, glitches,
key set-up.  A ROM is logic here.  So figures compare designs with each other, and nothing else.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..building import build
from ..building.tools import ToolMissingError
from ..jobs.job import Job, Progress
from ..platforms.find import platform_named
from ..rigs.firing import firing_of
from ..rigs.rtl.rig import timed
from ..rigs.rtl.soc.simulator import HERE as SOC
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .activity import toggles
from .cpu import CPU, GateMachine, cpu_gates, cpu_simulation
from .designs import BLOCK_BITS, Design
from .exercise import STEADY, bench_of, exercise, window
from .gates import BLACK_BOXES, MHZ, Gates, gates_of, library, models
from .pool import Pool
from .power import activity_per_cycle, power
from .simulate import icarus
from .tools import RTL, iverilog, sta, vvp, yosys

PACKET_BYTES = 1504
BLOCKS = STEADY + 1 + 8
"""Simulated for a design."""
SOFTWARE = ("ttable4_wide", "transposed")
"""Cores of the library that the processor runs: its fastest, and its fastest with one S-box."""
_RAMS = tuple(RTL / f"{name}.v" for name in BLACK_BOXES)
TECHNOLOGY = f"osu018, 180 nm, 1.8 V, typical, {MHZ} MHz, before layout"


@dataclass(frozen=True)
class EnergyRow:
    """What a design, or a processor with a program, draws."""

    design: str
    kind: str
    """hardware or software."""
    cells: int
    ram_bits_left_out: int | None
    """None: memory of the processor."""
    cycles_per_block: float
    changes_per_cycle: float
    """Of a cell's output, in the mean."""
    watts: float
    leakage_watts: float
    mhz_possible: float
    """By the slowest path, before layout."""
    tool_versions: dict[str, str]

    @property
    def joules_per_block(self) -> float:
        """At the clock at which power was taken."""
        return self.watts * self.cycles_per_block / (MHZ * 1e6)

    @property
    def pj_per_bit(self) -> float:
        """Picojoules for a bit encrypted."""
        return self.joules_per_block / BLOCK_BITS * 1e12

    @property
    def uj_per_packet(self) -> float:
        """Microjoules for the blocks of a packet of PACKET_BYTES."""
        return self.joules_per_block * PACKET_BYTES / 16 * 1e6

    def json(self) -> dict[str, Any]:
        """The row with the names that stay."""
        reached = {"pj_per_bit": self.pj_per_bit, "uj_per_packet": self.uj_per_packet}
        return {**asdict(self), **reached, "technology": TECHNOLOGY}


def _row(name: str, kind: str, gates: Gates, dump: Path, window: tuple[int, int]) -> Facts:
    cycles, blocks = window
    with dump.open(encoding="utf-8") as lines:
        changes = toggles(lines, gates.module["netnames"])
    drawn = power(gates, changes, cycles)
    row = EnergyRow(
        design=name,
        kind=kind,
        cells=gates.cells,
        ram_bits_left_out=gates.memory_bits if kind == "hardware" else None,
        cycles_per_block=cycles / blocks,
        changes_per_cycle=activity_per_cycle(gates, changes, cycles),
        watts=drawn.watts,
        leakage_watts=drawn.leakage_watts,
        mhz_possible=1000 / (1000 / MHZ - drawn.slack_ns),
        tool_versions={tool.name: tool.version for tool in (yosys(), iverilog(), sta())},
    )
    return asdict(row)


def _design(design: Design, gates: Gates) -> Facts:
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        netlist = folder / "netlist.v"
        netlist.write_text(gates.verilog, encoding="utf-8")
        cells = folder / "cells.v"
        cells.write_text(models(), encoding="utf-8")
        simulation = icarus(bench_of(design, netlist, [cells, *_RAMS]))
        dump = folder / "dump.vcd"
        seen = exercise(design, simulation, BLOCKS, dump)
        return _row(design.name, "hardware", gates, dump, window(design, seen))


def _job(core: str, flags: tuple[str, ...] | None) -> Job:
    return Job(platform_named(CPU), core, 128, "encrypt-block", flags=flags)


def _software(job: Job, gates: Gates) -> Facts:
    firing = firing_of(job)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        machine = GateMachine(
            build.build(job).elf, job.platform, cpu_simulation(gates, folder), folder / "dump.vcd"
        )
        cycles = sum(call.cycles for call in timed(firing.fire(machine, 0)))
        return _row(f"{job.core} on {CPU}", "software", gates, folder / "dump.vcd", (cycles, 1))


def _kept(parts: Sequence[object], make: Callable[[], Facts], *, fresh: bool) -> EnergyRow:
    """A row from the cache, or made; `parts` are what it depends on."""
    own = closure.digest(__name__, also=(SOC / "caller.v", *_RAMS))
    name = key("energy", own, iverilog().version, sta().version, parts)
    if fresh:
        forget(name, ".energy")

    def write(target: Path) -> Facts:
        facts = make()
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    return EnergyRow(**cached(name, ".energy", write)[1])


def check_tools() -> None:
    """ToolMissingError where a tool is not there; RigUnavailableError for the compiler."""
    for tool in (yosys, iverilog, vvp, sta):
        tool()
    library(".lib")
    reason = build.why_not(platform_named(CPU))
    if reason:
        raise ToolMissingError(reason)


def hardware(design: Design, *, fresh: bool = False) -> EnergyRow:
    """A design, encrypting random blocks."""
    made = gates_of(design, fresh=fresh)
    return _kept([made.sha256, design.name, BLOCKS], lambda: _design(design, made), fresh=fresh)


def software(core: str, *, flags: tuple[str, ...] | None = None, fresh: bool = False) -> EnergyRow:
    """The processor, running a core of the library on a block.

    `flags`: of optimisation; None: those of the processor's platform file.
    """
    made, job = cpu_gates(fresh=fresh), _job(core, flags)
    parts = [made.sha256, core, sha256(build.build(job).elf.read_bytes()).hexdigest()]
    return _kept(parts, lambda: _software(job, made), fresh=fresh)


def energy_rows(
    designs: Sequence[Design], progress: Progress, *, fresh: bool = False
) -> list[EnergyRow]:
    """Designs, then the processor with each of SOFTWARE."""
    check_tools()
    pool = Pool(len(designs) + len(SOFTWARE), progress)
    drawn = pool.map(lambda design: hardware(design, fresh=fresh), designs)
    return [*drawn, *pool.map(lambda core: software(core, fresh=fresh), SOFTWARE)]
