# SPDX-License-Identifier: MIT
"""Decides which operations can issue together in one cycle of a machine."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from .graph import Dependence, Graph, Node
from .machines import Requirement, Vliw


@cache
def subsets(width: int) -> tuple[frozenset[int], ...]:
    """Every non-empty set of issue slots."""
    slots = range(width)
    return tuple(frozenset(some) for n in slots for some in combinations(slots, n + 1))


def delay(machine: Vliw, graph: Graph, need: Dependence) -> int:
    """Least cycles from the issue of a predecessor to that of the node."""
    if need.why == "not before":
        return 0
    if need.why == "after":
        return 1
    return machine.delay(graph.nodes[need.node].operation.kind, need.why)


def slots_of(machine: Vliw, node: Node, requirement: Requirement) -> list[frozenset[int]]:
    """For each issue slot that the node takes, the set of possible slots."""
    found = [requirement.slots]
    constant = node.operation.kind == "constant"
    if node.operation.extended and (machine.extended_slots or constant):
        found.append(frozenset(range(machine.width)))
    return found


def units_of(machine: Vliw, node: Node, requirement: Requirement) -> dict[str, int]:
    """How many of each unit the node takes."""
    units = dict(requirement.units)
    if node.operation.extended and machine.extended_slots:
        for name, many in machine.extension.items():
            units[name] = units.get(name, 0) + many
    return units


def crowd(slots: Iterable[frozenset[int]], some: frozenset[int]) -> int:
    """How many can only issue in these slots."""
    return sum(one <= some for one in slots)


class Cycle:
    """The slots and units taken in one cycle.

    All operations get a slot if no set of slots is the only choice of more operations than it has
    slots (Hall's theorem).
    """

    def __init__(self, machine: Vliw) -> None:
        """Begin with nothing taken."""
        self._machine = machine
        self._slots: list[frozenset[int]] = []
        self._units: dict[str, int] = {}

    def take(self, node: Node, *, forwarded: bool) -> bool:
        """Issue the node here if there is room.

        `forwarded`: it stores a value produced in the same cycle.
        """
        machine = self._machine
        asked = machine.forwarding if forwarded else None
        requirement = asked or machine.needs[node.operation.kind]
        slots = self._slots + slots_of(machine, node, requirement)
        units = dict(self._units)
        for name, many in units_of(machine, node, requirement).items():
            units[name] = units.get(name, 0) + many
        if any(many > machine.units[name] for name, many in units.items()):
            return False
        if any(crowd(slots, some) > len(some) for some in subsets(machine.width)):
            return False
        self._slots, self._units = slots, units
        return True
