# SPDX-License-Identifier: MIT
"""The Lx: the sources of its machines, and relations between its answers."""

from itertools import product

import pytest
from small_machine import BRANCH, add, compare, load, ran

from aesfit_papers.scheduling import program
from aesfit_papers.scheduling.answers import on_lx
from aesfit_papers.scheduling.bound import lower_bound
from aesfit_papers.scheduling.graph import graph
from aesfit_papers.scheduling.machines import HEXAGON, LOAD_LATENCIES, REGISTERS, WIDTHS, lx
from aesfit_papers.scheduling.schedule import list_schedule

EVERY = [
    lx(*place, lean=lean) for place in product(WIDTHS, LOAD_LATENCIES) for lean in (True, False)
]


@pytest.mark.parametrize("machine", [*EVERY, HEXAGON], ids=lambda one: one.name)
def test_each_fact_has_a_source(machine: object) -> None:
    assert machine in (*EVERY, HEXAGON)
    for one in lx(4, 3, lean=True).facts if machine is not HEXAGON else HEXAGON.facts:
        assert one.what
        assert one.source


def test_what_is_assumed_of_the_lx_is_said() -> None:
    assumed = [one.what for one in lx(4, 3, lean=True).facts if one.assumed]
    assert len(assumed) == 3
    assert any("issue width 3" in one for one in assumed)
    assert any("load latency 4" in one for one in assumed)
    assert any("taken branch" in one for one in assumed)


@pytest.mark.parametrize("load_latency", LOAD_LATENCIES)
def test_a_load_takes_its_latency_and_the_one_memory_unit(load_latency: int) -> None:
    found = graph(ran([load("r1", 0), load("r2", 4), add("r3", "r1", "r2")]))
    machine = lx(4, load_latency, lean=True)
    assert list_schedule(found, machine).issue == (0, 1, 1 + load_latency)
    assert lower_bound(found, machine) == 2 + load_latency


def test_a_branch_waits_for_its_comparison() -> None:
    found = graph(ran([compare("r1"), BRANCH]))
    assert list_schedule(found, HEXAGON).issue == (0, 0)
    after = [list_schedule(found, lx(4, latency, lean=True)).issue[1] for latency in LOAD_LATENCIES]
    assert after == [2, 3, 3]


@pytest.mark.parametrize("width", WIDTHS)
def test_its_width_issues_together(width: int) -> None:
    found = graph(ran([add(f"r{at}") for at in range(12)]))
    assert list_schedule(found, lx(width, 3, lean=True)).cycles == 12 / width


@pytest.mark.skipif(program.why_not() is not None, reason=str(program.why_not()))
def test_a_block_of_a_real_core() -> None:
    found = on_lx("ttable8")
    assert len(found) == len(EVERY)
    by_place = {(one.width, one.load_latency, one.lean): one for one in found}
    for (width, latency, lean), one in by_place.items():
        assert one.unrolled <= one.bound <= one.cycles
        assert one.bound * width >= one.operations
        assert one.registers <= REGISTERS
        assert by_place[3, latency, lean].bound >= by_place[4, latency, lean].bound
        assert by_place[width, latency, False].bound >= by_place[width, latency, True].bound
        assert by_place[width, 4, lean].bound >= by_place[width, 2, lean].bound
