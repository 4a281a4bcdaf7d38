# SPDX-License-Identifier: MIT
"""Answers: Hexagon packets reproduced by the scheduler, and cycles of a block on the Lx."""

from dataclasses import dataclass
from functools import cache

from .block import on_hexagon, on_riscv
from .bound import lower_bound, unrolled
from .graph import Graph, graph
from .machines import HEXAGON, LOAD_LATENCIES, WIDTHS, Vliw, lx
from .schedule import Schedule, in_order, list_schedule, pressure


@dataclass(frozen=True)
class Calibration:
    """Number of packets of a block by the compiler, and by the scheduler."""

    core: str
    packets: int
    """Executed packets of the compiler."""
    operations: int
    in_order: int
    """Packed again in the compiler's order, with its registers and stack frame."""
    as_allocated: int
    """In the scheduler's order, with the compiler's registers and stack frame."""
    renamed: int
    """With registers renamed and without spills, as is done for the Lx."""


@dataclass(frozen=True)
class Scheduled:
    """A block on one variant of the Lx."""

    core: str
    width: int
    load_latency: int
    lean: bool
    operations: int
    bound: int
    """Lower bound on cycles of any schedule between taken branches."""
    unrolled: int
    """The same if no branch were taken."""
    cycles: int
    """Cycles by the list scheduler."""
    registers: int
    """Largest number of values live in registers at once."""


@cache
def calibration(core: str) -> Calibration:
    """Compare the scheduler with the Hexagon's real packets."""
    ran = on_hexagon(core)
    allocated = graph(ran, as_allocated=True, copies=True)
    return Calibration(
        core=core,
        packets=ran.packets,
        operations=ran.operations,
        in_order=in_order(allocated, HEXAGON).cycles,
        as_allocated=list_schedule(allocated, HEXAGON).cycles,
        renamed=list_schedule(graph(ran), HEXAGON).cycles,
    )


@cache
def on_lx(core: str) -> tuple[Scheduled, ...]:
    """A block on every Lx: both widths, all load latencies, each doubt decided both ways."""
    ran = on_riscv(core)
    found = []
    for lean in (True, False):
        needs = graph(ran, copies=not lean)
        for width in WIDTHS:
            for load_latency in LOAD_LATENCIES:
                machine = lx(width, load_latency, lean=lean)
                found.append(_scheduled(core, needs, machine, (width, load_latency, lean)))
    return tuple(found)


def _scheduled(core: str, needs: Graph, machine: Vliw, place: tuple[int, int, bool]) -> Scheduled:
    made: Schedule = list_schedule(needs, machine)
    width, load_latency, lean = place
    return Scheduled(
        core=core,
        width=width,
        load_latency=load_latency,
        lean=lean,
        operations=len(needs.nodes),
        bound=lower_bound(needs, machine),
        unrolled=lower_bound(unrolled(needs), machine),
        cycles=made.cycles,
        registers=pressure(needs, made),
    )
