# SPDX-License-Identifier: MIT
"""Instructions for AES on PicoRV32: blocks of the library's cores with and without them.

The cores are the library's sources, bound as for the rig; pcpi_aes.h puts functions that use the
instructions in the place of its steps.  What the compiler makes of them runs on the processor's
Verilog with its co-processor (cpu_bench.v), and every output is compared with the library's.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..building import build
from ..building.unit import entries, unit_source
from ..counting.foreign import function_in
from ..jobs.job import Job
from ..platforms.find import platform_named
from ..platforms.names import processors
from ..rigs.firing import firing_of
from ..rigs.rtl.rig import timed
from ..store.files import beside
from .cpu import CO_PROCESSOR, CPU, PARAMETERS, GateMachine, pcpi_simulation
from .designs import Design
from .families import Family
from .netlist import CellCounts
from .simulate import Parameters
from .synthesis import synthesise

(_STEPS,) = beside(__file__, "pcpi_aes.h")
_CONTRACT = '#include "core.h"\n'
_ROOT = "instructions_root"
RUNS = 2
"""Runs with different keys and texts; a core without secret-dependent time takes the same each."""


@dataclass(frozen=True)
class InstructionSet:
    """Which of the instructions there are, and are used."""

    name: str
    double: bool = False
    sub: bool = False

    @property
    def parameters(self) -> Parameters:
        """Of the co-processor."""
        return {"DOUBLE": int(self.double), "SUB": int(self.sub)}


WITHOUT = InstructionSet("without")
INSTRUCTION_SETS = (
    WITHOUT,
    InstructionSet("doubling", double=True),
    InstructionSet("S-box word", sub=True),
    InstructionSet("both", double=True, sub=True),
)


def unit_with(job: Job, used: InstructionSet) -> str:
    """The job's translation unit, its steps on these instructions."""
    given = [("PCPI_DOUBLE", used.double), ("PCPI_SUB", used.sub)]
    defined = "".join(f"#define {name}\n" for name, there in given if there)
    before, contract, after = unit_source(job).partition(_CONTRACT)
    named = ", ".join(f"(void *)&{name}" for name in (*entries(job), "rig_context_bytes"))
    root = f"RIG_SEEN void *{_ROOT}(int n)\n{{ void *all[] = {{{named}}}; return all[n]; }}\n"
    return f"{before}{contract}{defined}{_STEPS.read_text(encoding='utf-8')}{after}{root}"


def block_job(core: str, op: str) -> Job:
    """A block of AES-128 on the processor."""
    return Job(platform_named(CPU), core, 128, op)


def block_cycles(core: str, op: str, used: InstructionSet) -> int:
    """Cycles of a block by the processor's Verilog; WrongOutputError where it is not AES."""
    job = block_job(core, op)
    firing = firing_of(job)
    unit = build.compile_object(job.platform, unit_with(job, used))
    simulation = pcpi_simulation(double=used.double, sub=used.sub)
    with (
        function_in(job.platform, [unit], _ROOT) as found,
        tempfile.TemporaryDirectory(prefix="aesfit-") as folder,
    ):
        machine = GateMachine(found.image, job.platform, simulation, Path(folder) / "dump.vcd")
        runs = [timed(firing.fire(machine, number)) for number in range(RUNS)]
    (cycles,) = {sum(call.cycles for call in run) for run in runs}
    return cycles


# --- what it costs


def co_processor(given: InstructionSet, family: Family, *, fresh: bool = False) -> CellCounts:
    """Cells of the co-processor with these instructions."""
    design = Design(CO_PROCESSOR, given.name, CO_PROCESSOR, "", given.parameters)
    return synthesise(design, family, fresh=fresh).counts


class ProcessorDesign(Design):
    """The processor itself, which is not a module of rtl/."""

    @property
    def sources(self) -> list[Path]:
        """Its one file."""
        return [processors()[CPU]]


def processor(family: Family, *, pcpi: bool, fresh: bool = False) -> CellCounts:
    """Cells of the processor, with or without the ports of a co-processor."""
    given = {**PARAMETERS, "ENABLE_PCPI": int(pcpi)}
    return synthesise(ProcessorDesign(CPU, CPU, CPU, "", given), family, fresh=fresh).counts
