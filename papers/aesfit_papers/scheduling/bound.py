# SPDX-License-Identifier: MIT
"""Lower bounds on the cycles of any schedule of the superblocks.

A superblock cannot be shorter than its critical path, nor than its operations take on the slots and
units that they need.  The bound combines both: each operation has a release time (the longest path
to it) and a tail (the longest path from it).  On one resource, operations of one cycle each finish
earliest if the released one with the longest tail always goes next (Jackson's rule, 1955).  This
time is a bound for any schedule, because it ignores other resources and dependences (Rim and Jain,
"Lower-bound performance estimation for the high-level synthesis scheduling problem", 1994).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from math import ceil

from .graph import Graph
from .issue import slots_of, subsets, units_of
from .machines import Vliw
from .schedule import depths, heights

_Task = tuple[int, int]
"""Release time and tail of an operation of one cycle."""


def critical_path(graph: Graph, machine: Vliw, superblock: int) -> int:
    """Cycles of a superblock with unlimited slots and units."""
    return 1 + max(heights(graph, machine, graph.of_superblock(superblock)).values(), default=-1)


def resource_bound(graph: Graph, machine: Vliw, superblock: int) -> int:
    """Cycles of a superblock without any dependences."""
    return max(
        (ceil(len(tasks) / room) for tasks, room in _resources(graph, machine, superblock)),
        default=0,
    )


def superblock_bound(graph: Graph, machine: Vliw, superblock: int) -> int:
    """Lower bound on the cycles of a superblock, without branch penalties."""
    relaxed = (jackson(tasks, room) for tasks, room in _resources(graph, machine, superblock))
    return max((critical_path(graph, machine, superblock), *relaxed))


def lower_bound(graph: Graph, machine: Vliw) -> int:
    """The sum over all superblocks, with the cycles lost by taken branches."""
    there = [
        superblock for superblock in range(graph.superblocks) if graph.of_superblock(superblock)
    ]
    return sum(superblock_bound(graph, machine, one) + machine.taken for one in there)


def unrolled(graph: Graph) -> Graph:
    """The graph as one superblock, as if there were no taken branches."""
    return Graph(tuple(replace(node, superblock=0) for node in graph.nodes), 1)


def jackson(tasks: Sequence[_Task], room: int) -> int:
    """The least cycles of single-cycle operations, of which `room` issue per cycle."""
    waiting = sorted(tasks)
    ready: list[tuple[int, int]] = []
    now = end = at = 0
    while at < len(waiting) or ready:
        if not ready:
            now = max(now, waiting[at][0])
        while at < len(waiting) and waiting[at][0] <= now:
            heappush(ready, (-waiting[at][1], at))
            at += 1
        for _ in range(min(room, len(ready))):
            tail, _ = heappop(ready)
            end = max(end, now + 1 - tail)
        now += 1
    return end


def _resources(graph: Graph, machine: Vliw, superblock: int) -> Iterator[tuple[list[_Task], int]]:
    """The operations that share each set of slots or unit, with its capacity."""
    members = graph.of_superblock(superblock)
    deep, high = depths(graph, machine, members), heights(graph, machine, members)
    task = {at: (deep[at], high[at]) for at in members}
    slots: list[tuple[int, frozenset[int]]] = []
    units: dict[str, list[_Task]] = {name: [] for name in machine.units}
    for at in members:
        node = graph.nodes[at]
        requirement = machine.needs[node.operation.kind]
        slots += [(at, one) for one in slots_of(machine, node, requirement)]
        for name, many in units_of(machine, node, requirement).items():
            units[name] += [task[at]] * many
    for some in subsets(machine.width):
        yield [task[at] for at, one in slots if one <= some], len(some)
    yield from ((tasks, machine.units[name]) for name, tasks in units.items())
