# SPDX-License-Identifier: MIT
"""Schedules worked out by hand, and what holds for any graph."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from small_machine import BRANCH, SMALL, add, compare, load, ran, store

from aesfit_papers.scheduling.bound import (
    critical_path,
    jackson,
    lower_bound,
    resource_bound,
    superblock_bound,
    unrolled,
)
from aesfit_papers.scheduling.graph import Graph, graph
from aesfit_papers.scheduling.issue import Cycle, delay
from aesfit_papers.scheduling.machines import Vliw
from aesfit_papers.scheduling.operation import Operation
from aesfit_papers.scheduling.schedule import Schedule, in_order, list_schedule, pressure

UNIT = replace(SMALL, latency={}, bypass={})
"""Every result can be read in the next cycle."""


def test_two_loads_share_the_memory_unit() -> None:
    found = graph(ran([load("r1", 0), load("r2", 4), add("r3", "r1", "r2"), store("r3", 8)]))
    made = list_schedule(found, SMALL)
    assert made == Schedule((0, 1, 4, 5), 6)
    assert critical_path(found, SMALL, 0) == 5
    assert resource_bound(found, SMALL, 0) == 3
    assert lower_bound(found, SMALL) == 6


def test_the_longest_path_issues_first() -> None:
    found = graph(ran([add("r1"), add("r2"), add("r3"), load("r4", 0), add("r5", "r4")]))
    made = list_schedule(found, SMALL)
    assert made.issue[3] == 0
    assert made.cycles == lower_bound(found, SMALL) == 4
    assert in_order(found, SMALL) == Schedule((0, 0, 1, 1, 4), 5)


def test_a_taken_branch_is_last_and_costs_what_the_machine_says() -> None:
    code = [compare("r1"), BRANCH, add("r2"), add("r3"), add("r4"), add("r5"), BRANCH]
    found = graph(ran(code, [add("r6")]))
    made = list_schedule(found, SMALL)
    assert made == Schedule((0, 2, 0, 1, 1, 2, 3, 4), 5)
    slow = replace(SMALL, taken=2)
    assert list_schedule(found, slow).cycles == 5 + 2 * 2
    assert lower_bound(found, slow) == lower_bound(found, SMALL) + 2 * 2


def test_a_value_that_was_made_late_is_waited_for_behind_a_branch() -> None:
    found = graph(ran([load("r1", 0), Operation("jump", "branch")], [add("r2", "r1")]))
    assert list_schedule(found, SMALL).issue == (0, 0, 3)
    assert lower_bound(found, SMALL) == 2
    assert lower_bound(unrolled(found), SMALL) == 4


def test_a_register_is_written_again_behind_its_writer_and_beside_its_readers() -> None:
    behind = graph(ran([load("r1", 0), add("r1")]), as_allocated=True)
    assert list_schedule(behind, SMALL).issue == (0, 1)
    beside = graph(ran([add("r2"), add("r3", "r2"), add("r2")]), as_allocated=True)
    assert list_schedule(beside, SMALL).issue == (0, 1, 1)


def test_long_immediates_take_a_slot_where_the_machine_says_so() -> None:
    long = replace(add("r1"), extended=True)
    found = graph(ran([long, add("r2"), add("r3")]))
    assert list_schedule(found, SMALL).cycles == 2
    assert list_schedule(found, replace(SMALL, extended_slots=False)).cycles == 2
    four = graph(ran([long, long, add("r2"), add("r3")]))
    assert list_schedule(four, SMALL).cycles == 3
    assert list_schedule(four, replace(SMALL, extended_slots=False)).cycles == 2


def test_registers_hold_what_is_read_later() -> None:
    code = [add("r1"), add("r2"), add("r3", "r1"), add("r4", "r2", "r3")]
    found = graph(ran(code))
    made = list_schedule(found, SMALL)
    assert made.issue == (0, 0, 1, 2)
    assert pressure(found, made) == 2


def test_jackson_takes_the_longest_tail_first() -> None:
    assert jackson([], 1) == 0
    assert jackson([(0, 0), (0, 5)], 1) == 6
    assert jackson([(0, 3), (0, 3), (0, 3)], 1) == 6
    assert jackson([(0, 3), (0, 3), (0, 3)], 2) == 5
    assert jackson([(7, 1)], 4) == 9


def some_graph(seed: int, size: int) -> Graph:
    """Operations that read what was made before them, in one or two superblocks."""
    random = Random(seed)
    code: list[Operation] = []
    for at in range(size):
        made = [f"r{n}" for n in range(at) if random.random() < 0.3]
        kind = random.choice(("alu", "alu", "load", "store"))
        if kind == "load":
            code.append(replace(load(f"r{at}", 8 * at), reads=add("", *made).reads))
        elif kind == "store":
            code.append(store(made[0] if made else "r99", 8 * random.randrange(3)))
        else:
            code.append(add(f"r{at}", *made))
    cut = random.randrange(1, size)
    return graph(ran(code[:cut], code[cut:]) if random.random() < 0.5 else ran(code))


def keeps_the_rules(found: Graph, machine: Vliw, made: Schedule) -> bool:
    """Whether dependences and room are kept."""
    cycles: dict[int, Cycle] = {}
    for at in sorted(range(len(found.nodes)), key=made.issue.__getitem__):
        node = found.nodes[at]
        for one in node.needs:
            if made.issue[one.node] + delay(machine, found, one) > made.issue[at]:
                return False
        cycle = cycles.setdefault(made.issue[at], Cycle(machine))
        if not cycle.take(node, forwarded=False):
            return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_no_schedule_is_below_its_bounds_or_breaks_a_rule(seed: int) -> None:
    found = some_graph(seed, 25)
    for machine in (SMALL, UNIT):
        made, ordered = list_schedule(found, machine), in_order(found, machine)
        assert keeps_the_rules(found, machine, made)
        assert keeps_the_rules(found, machine, ordered)
        for superblock in range(found.superblocks):
            alone = superblock_bound(found, machine, superblock)
            assert alone >= critical_path(found, machine, superblock)
            assert alone >= resource_bound(found, machine, superblock)
        assert lower_bound(found, machine) <= min(made.cycles, ordered.cycles)
        assert lower_bound(unrolled(found), machine) <= made.cycles
    most = max(Counter(list_schedule(found, SMALL).issue).values())
    assert most <= SMALL.width


@pytest.mark.parametrize("seed", range(40))
def test_without_latencies_an_operation_takes_a_cycle_at_most(seed: int) -> None:
    found = some_graph(seed, 25)
    assert list_schedule(found, UNIT).cycles <= len(found.nodes)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_schedule_lies_between_bound_and_list(seed: int) -> None:
    found = some_graph(seed, 5)
    if found.superblocks > 1:
        found = unrolled(found)
    made = list_schedule(found, SMALL)
    cycles = next(
        last + 1
        for last in range(made.cycles)
        if any(
            keeps_the_rules(found, SMALL, Schedule(issue, last + 1))
            for issue in product(range(last + 1), repeat=len(found.nodes))
        )
    )
    assert lower_bound(found, SMALL) <= cycles <= made.cycles
