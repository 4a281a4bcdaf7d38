# SPDX-License-Identifier: MIT
"""Instructions per second of the emulator rig's tracer, with and without memory tracing.

Real cores are built as the rig builds them and encrypt many blocks in one call: byte-wise code
with short blocks at -Os, and unrolled code.  The first call of each, which translates, is left out;
of the others the fastest counts.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.machine import Machine

CASES = (
    ("cortex-m0plus", "bytewise", "-Os"),
    ("cortex-m0plus", "ttable4", "-O2"),
    ("arm7tdmi", "bytewise", "-Os"),
    ("arm7tdmi", "transposed", "-O2"),
    ("cortex-m3", "bytewise", "-Os"),
    ("cortex-m3", "fixslice", "-O2"),
    ("rv32i", "bytewise", "-Os"),
)
BLOCKS = 512
REPEATS = 5


@dataclass(frozen=True)
class Row:
    """One core on one platform; speeds in million instructions per second."""

    platform: str
    core: str
    flags: str
    instructions: int
    instructions_per_block: float
    """Instructions per block of a profile; short blocks are the slowest."""
    without_memory: float
    with_memory: float
    microseconds_per_call: float
    """Microseconds of a call that encrypts nothing: the overhead of a call."""


def _fastest(machine: Machine, function: str, arguments: list[int], memory: bool) -> float:
    """Seconds."""
    times = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        machine.call(function, *arguments, memory=memory)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def measure(platform: str, core: str, flags: str) -> Row:
    """Build, load and time one case."""
    job = Job(platform_named(platform), core, 128, "encrypt-block", flags=(flags,))
    machine = Machine(build.build(job).elf, job.platform)
    setup, block = build.entries(job)
    words = int.from_bytes(machine.read(machine.symbol("rig_context_bytes"), 4), "little")
    context, key, data = (machine.reserve(size) for size in (words, 16, 16 * BLOCKS))
    machine.call(setup, context, key)
    arguments = [context, data, data, BLOCKS]
    execution = machine.call(block, *arguments)
    bare, traced = (_fastest(machine, block, arguments, memory) for memory in (False, True))
    empty = _fastest(machine, block, [context, data, data, 0], memory=True)
    return Row(
        platform,
        core,
        flags,
        execution.instructions,
        execution.instructions / sum(execution.profile.paths.values()),
        execution.instructions / bare / 1e6,
        execution.instructions / traced / 1e6,
        empty * 1e6,
    )


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description="Speed of the tracer.")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    as_json = parser.parse_args().json
    rows = [measure(*case) for case in CASES]
    if as_json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    print("Tracer: million instructions per second, in one call over 512 blocks")
    print(f"{'platform':14} {'core':12} {'flags':6} insn/block   bare  with memory   us/call")
    for row in rows:
        print(
            f"{row.platform:14} {row.core:12} {row.flags:6} {row.instructions_per_block:10.1f}"
            f" {row.without_memory:6.1f} {row.with_memory:12.1f} {row.microseconds_per_call:9.1f}"
        )


if __name__ == "__main__":
    main()
