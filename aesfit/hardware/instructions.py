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
from ..building.sources import OwnCore
from ..building.tools import Tool
from ..building.unit import entries, unit_source
from ..counting.foreign import function_in
from ..jobs.job import Job
from ..platforms.find import platform_named
from ..platforms.names import processors
from ..rigs.firing import firing_of
from ..rigs.rtl.rig import timed
from ..store.files import beside
from .cpu import (
    CO_PROCESSOR,
    CPU,
    PARAMETERS,
    ZKN_CO_PROCESSOR,
    GateMachine,
    pcpi_simulation,
    zkn_simulation,
)
from .designs import Design
from .families import Family
from .netlist import CellCounts
from .simulate import Parameters
from .synthesis import synthesise

(_STEPS,) = beside(__file__, "pcpi_aes.h")
(_ZKN,) = beside(__file__, "zkn_rv32.c")
ZKN_CORE = _ZKN.stem
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
    steps = _STEPS.read_text(encoding="utf-8")
    return _with_root(job, f"{before}{contract}{defined}{steps}{after}")


def _with_root(job: Job, source: str) -> str:
    """A function more, from which all that is called is reached."""
    named = ", ".join(f"(void *)&{name}" for name in (*entries(job), "rig_context_bytes"))
    root = f"RIG_SEEN void *{_ROOT}(int n)\n{{ void *all[] = {{{named}}}; return all[n]; }}\n"
    return f"{source}{root}"


def block_job(core: str, op: str) -> Job:
    """A block of AES-128 on the processor."""
    return Job(platform_named(CPU), core, 128, op)


def block_cycles(core: str, op: str, used: InstructionSet) -> int:
    """Cycles of a block by the processor's Verilog; WrongOutputError where it is not AES."""
    job = block_job(core, op)
    simulation = pcpi_simulation(double=used.double, sub=used.sub)
    return _cycles(job, unit_with(job, used), simulation)


def zkn_cycles(op: str) -> int:
    """The same of zkn_rv32.c, a core on the instructions of Zkne and Zknd."""
    job = block_job("sbox_columns", op)  # whose place it takes
    own = OwnCore(ZKN_CORE, _ZKN.read_text(encoding="utf-8"), 2 * 4 * 11)
    return _cycles(job, _with_root(job, unit_source(job, own)), zkn_simulation())


def _cycles(job: Job, source: str, simulation: Tool) -> int:
    firing = firing_of(job)
    unit = build.compile_object(job.platform, source)
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


def zkn_co_processor(family: Family, *, fresh: bool = False) -> CellCounts:
    """Cells of the co-processor with Zkne and Zknd."""
    design = Design(ZKN_CO_PROCESSOR, "Zkne and Zknd", ZKN_CO_PROCESSOR, "")
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
