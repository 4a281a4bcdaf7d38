# SPDX-License-Identifier: MIT
"""What scheduling answers: the Hexagon's packets met again, and the cycles of a block on the Lx."""

from dataclasses import dataclass
from functools import cache

from .block import on_hexagon, on_riscv
from .bound import lower_bound, unrolled
from .graph import Graph, graph
from .machines import HEXAGON, LOAD_LATENCIES, WIDTHS, Vliw, lx
from .schedule import Schedule, in_order, list_schedule, pressure


@dataclass(frozen=True)
class Calibration:
    """Packets of a block that the compiler made, and those that the scheduler makes of it."""

    core: str
    packets: int
    """Executed."""
    operations: int
    in_order: int
    """The compiler's order, registers and stack frame, packed anew."""
    as_allocated: int
    """Its registers and stack frame, in the scheduler's order."""
    renamed: int
    """Without them: what is done for the Lx."""


@dataclass(frozen=True)
class Scheduled:
    """A block on one Lx."""

    core: str
    width: int
    load_latency: int
    lean: bool
    operations: int
    bound: int
    """Cycles that no schedule between taken branches is below."""
    unrolled: int
    """The same if no branch were taken."""
    cycles: int
    """By the list scheduler."""
    registers: int
    """Most values that wait in registers at once."""


@cache
def calibration(core: str) -> Calibration:
    """The scheduler against the Hexagon's real packets."""
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
    """A block on every Lx: both widths, all load latencies, and each doubt either way."""
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
