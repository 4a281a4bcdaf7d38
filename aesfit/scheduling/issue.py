# SPDX-License-Identifier: MIT
"""What issues together in one cycle of a machine."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from .graph import Dependence, Graph, Node
from .machines import Requirement, Vliw


@cache
def subsets(width: int) -> tuple[frozenset[int], ...]:
    """Every set of issue slots but the empty one."""
    slots = range(width)
    return tuple(frozenset(some) for n in slots for some in combinations(slots, n + 1))


def delay(machine: Vliw, graph: Graph, need: Dependence) -> int:
    """Cycles from the issue of what is needed to that of the node that needs it, at least."""
    if need.why == "not before":
        return 0
    if need.why == "after":
        return 1
    return machine.delay(graph.nodes[need.node].operation.kind, need.why)


def slots_of(machine: Vliw, node: Node, requirement: Requirement) -> list[frozenset[int]]:
    """Each issue slot that the node takes, as those that would do."""
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
    """How many can issue nowhere but in these slots."""
    return sum(one <= some for one in slots)


class Cycle:
    """What is taken in one cycle.

    Operations have a slot each if no set of slots is the only place for more operations than it
    has slots (Hall's theorem).
    """

    def __init__(self, machine: Vliw) -> None:
        """Begin with nothing taken."""
        self._machine = machine
        self._slots: list[frozenset[int]] = []
        self._units: dict[str, int] = {}

    def take(self, node: Node, *, forwarded: bool) -> bool:
        """Issue the node here if there is room.

        `forwarded`: it stores what is made in this very cycle.
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
