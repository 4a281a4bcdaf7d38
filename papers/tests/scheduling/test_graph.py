# SPDX-License-Identifier: MIT
"""From executed operations to dependences: renaming, spills, copies, packets, branches."""

import pytest
from small_machine import BRANCH, STACK, add, compare, load, move, ran, store

from aesfit_papers.scheduling.graph import Dependence, Graph, graph
from aesfit_papers.scheduling.operation import Executed, Operation, Read, Superblock


def needs(found: Graph, node: int) -> set[Dependence]:
    return set(found.nodes[node].needs)


def value(node: int) -> Dependence:
    return Dependence(node, "value")


def test_a_value_depends_on_who_made_it() -> None:
    found = graph(ran([add("r1"), add("r2"), add("r3", "r1", "r2")]))
    assert needs(found, 2) == {value(0), value(1)}
    assert needs(found, 0) == needs(found, 1) == set()


def test_a_register_that_is_used_again_forces_no_order_once_it_is_renamed() -> None:
    twice = ran([add("r1"), add("r2", "r1"), add("r1"), add("r3", "r1")])
    assert needs(graph(twice), 2) == set()
    allocated = graph(twice, as_allocated=True)
    assert needs(allocated, 2) == {Dependence(0, "after"), Dependence(1, "not before")}
    assert needs(allocated, 3) == needs(graph(twice), 3) == {value(2)}


def test_a_spilled_register_stays_where_it_is() -> None:
    spilled = ran([add("r1"), store("r1", 0x8010), add("r1"), load("r4", 0x8010), add("r5", "r4")])
    found = graph(spilled)
    assert [node.operation.kind for node in found.nodes] == ["alu", "alu", "alu"]
    assert needs(found, 2) == {value(0)}
    allocated = graph(spilled, as_allocated=True)
    assert Dependence(1, "after") in needs(allocated, 3)
    assert len(allocated.nodes) == 5


def test_the_last_of_two_spills_into_one_slot_is_loaded() -> None:
    reused = [add("r1"), store("r1", 0x8010), add("r2"), store("r2", 0x8010)]
    found = graph(ran([*reused, load("r4", 0x8010), add("r5", "r4")]))
    assert needs(found, 2) == {value(1)}


def test_an_address_outside_the_frame_is_no_spill() -> None:
    found = graph(ran([add("r1"), store("r1", STACK[1]), load("r4", STACK[1])]))
    assert needs(found, 2) == {Dependence(1, "after")}


def test_a_slot_that_was_written_in_part_holds_no_spill() -> None:
    code = [add("r1"), store("r1", 0x8010), store("r2", 0x8011, size=1), load("r4", 0x8010)]
    with pytest.raises(ValueError, match="more than spilled registers"):
        graph(ran(code))


@pytest.mark.parametrize("read", [load("r4", 0x8011, size=1), load("r4", 0x8020)])
def test_a_frame_that_holds_more_than_spills_is_refused(read: Operation) -> None:
    with pytest.raises(ValueError, match="more than spilled registers"):
        graph(ran([add("r1"), store("r1", 0x8010), read]))


def test_copies_vanish_or_are_kept() -> None:
    moved = ran([add("r1"), move("r2", "r1"), add("r3", "r2")])
    assert needs(graph(moved), 1) == {value(0)}
    assert needs(graph(moved, copies=True), 2) == {value(1)}


def test_only_accesses_to_the_same_bytes_keep_their_order() -> None:
    found = graph(ran([store("r1", 0x100), load("r2", 0x103, size=1), load("r3", 0x104)]))
    assert needs(found, 1) == {Dependence(0, "after")}
    assert needs(found, 2) == set()
    found = graph(ran([load("r2", 0x100), load("r3", 0x100), store("r1", 0x102, size=2)]))
    assert needs(found, 1) == set()
    assert needs(found, 2) == {Dependence(0, "not before"), Dependence(1, "not before")}


def test_a_packet_reads_before_it_writes() -> None:
    swap = Superblock(((add("r1"), add("r2")), (add("r1", "r2"), add("r2", "r1"))))
    found = graph(Executed((swap,), STACK))
    assert needs(found, 2) == {value(1)}
    assert needs(found, 3) == {value(0)}


def test_what_is_read_as_new_was_made_in_the_same_packet() -> None:
    new = Operation("store r1.new", "store", (Read("r1", "stored", new=True),))
    found = graph(Executed((Superblock(((new, add("r1")),)),), STACK))
    assert [node.operation.kind for node in found.nodes] == ["alu", "store"]
    assert needs(found, 1) == {Dependence(0, "stored")}


def test_the_last_branch_ends_its_superblock_and_others_hold_stores_back() -> None:
    code = [compare("r1"), BRANCH, store("r2", 0x100), load("r3", 0x200), BRANCH]
    found = graph(ran(code, [add("r4")]))
    assert needs(found, 2) == {Dependence(1, "after")}
    assert needs(found, 3) == set()
    ends = {Dependence(at, "not before") for at in range(4)}
    assert needs(found, 4) == {*ends, Dependence(0, "condition")}
    assert needs(found, 5) == set()
    assert [found.of_superblock(at) for at in range(found.superblocks)] == [[0, 1, 2, 3, 4], [5]]
