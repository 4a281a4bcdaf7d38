# SPDX-License-Identifier: MIT
"""Schedules by a list scheduler, and in the compiler's order.

Each superblock is scheduled alone, from its first cycle on, and waits for late values of the
previous one.  In every cycle the list scheduler issues ready operations in the order of their
heights (the longest path of latencies to the end) as long as there is room.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .graph import Graph
from .issue import Cycle, delay
from .machines import Vliw


@dataclass(frozen=True)
class Schedule:
    """When each node issues."""

    issue: tuple[int, ...]
    """Cycle of each node, from the start of the call."""
    cycles: int
    """Cycles of the whole call."""


class _Filling:
    """A schedule under construction."""

    def __init__(self, graph: Graph, machine: Vliw) -> None:
        self._graph, self._machine = graph, machine
        self.issue: dict[int, int] = {}
        self.now = 0
        self._cycle = Cycle(machine)

    def next_cycle(self, cycles: int = 1) -> None:
        """Begin a cycle with nothing in it."""
        self.now += cycles
        self._cycle = Cycle(self._machine)

    def earliest(self, at: int) -> int | None:
        """The first cycle with all inputs of the node ready; None if one is not scheduled yet."""
        needs = self._graph.nodes[at].needs
        if any(need.node not in self.issue for need in needs):
            return None
        there = (self.issue[one.node] + delay(self._machine, self._graph, one) for one in needs)
        return max(there, default=0)

    def take(self, at: int) -> bool:
        """Issue the node now if there is room."""
        node = self._graph.nodes[at]
        forwarded = any(n.why == "stored" and self.issue[n.node] == self.now for n in node.needs)
        if not self._cycle.take(node, forwarded=forwarded):
            return False
        self.issue[at] = self.now
        return True

    def fill(self, waiting: list[int]) -> bool:
        """Issue ready nodes; True if these may have made others ready in the same cycle."""
        issued = []
        for at in waiting:
            earliest = self.earliest(at)
            if earliest is not None and earliest <= self.now and self.take(at):
                issued.append(at)
        waiting[:] = [at for at in waiting if at not in self.issue]
        return bool(issued)

    def done(self) -> Schedule:
        """The schedule."""
        issue = tuple(self.issue[at] for at in range(len(self._graph.nodes)))
        return Schedule(issue, self.now)


def list_schedule(graph: Graph, machine: Vliw) -> Schedule:
    """Schedule every superblock with the list scheduler."""
    made = _Filling(graph, machine)
    for superblock in range(graph.superblocks):
        members = graph.of_superblock(superblock)
        high = heights(graph, machine, members)
        waiting = sorted(members, key=lambda at: (-high[at], at))
        while waiting:
            while made.fill(waiting):
                pass
            made.next_cycle()
        if members:
            made.next_cycle(machine.taken)
    return made.done()


def in_order(graph: Graph, machine: Vliw) -> Schedule:
    """Keep the order of the code: each operation issues no earlier than the one before it."""
    made = _Filling(graph, machine)
    for superblock in range(graph.superblocks):
        members = graph.of_superblock(superblock)
        for at in members:
            earliest = made.earliest(at) or 0
            if earliest > made.now:
                made.next_cycle(earliest - made.now)
            if not made.take(at):
                made.next_cycle()
                made.take(at)
        if members:
            made.next_cycle(1 + machine.taken)
    return made.done()


def heights(graph: Graph, machine: Vliw, members: Sequence[int]) -> dict[int, int]:
    """Longest path of latencies from each node to the end of its superblock."""
    high = dict.fromkeys(members, 0)
    for at in reversed(members):
        for need in graph.nodes[at].needs:
            if need.node in high:
                high[need.node] = max(high[need.node], high[at] + delay(machine, graph, need))
    return high


def depths(graph: Graph, machine: Vliw, members: Sequence[int]) -> dict[int, int]:
    """Longest path of latencies from the beginning of its superblock to each node."""
    deep = dict.fromkeys(members, 0)
    for at in members:
        for need in graph.nodes[at].needs:
            if need.node in deep:
                deep[at] = max(deep[at], deep[need.node] + delay(machine, graph, need))
    return deep


def pressure(graph: Graph, times: Schedule) -> int:
    """Largest number of values live in registers at once, without branch registers."""
    until: dict[int, int] = {}
    for at, node in enumerate(graph.nodes):
        for need in node.needs:
            if need.why in ("value", "stored", "link"):
                until[need.node] = max(until.get(need.node, 0), times.issue[at])
    change = [0] * (times.cycles + 2)
    for producer, last in until.items():
        change[times.issue[producer] + 1] += 1
        change[last + 1] -= 1
    most = live = 0
    for step in change:
        live += step
        most = max(most, live)
    return most
