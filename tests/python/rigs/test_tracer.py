# SPDX-License-Identifier: MIT
"""The tracer and the machine: what was executed, counted exactly on every emulated processor."""

import struct
from collections import Counter
from itertools import product

import pytest
from tracer_machines import PLATFORMS, executed, load, skipped
from tracer_reference import ENGINES, Reference

from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.profile import NONE, Operand

# --- the same said by Unicorn's own Python hooks

WITH_IT = ("cortex-m3", "cortex-m4", "cortex-m33")


@pytest.mark.parametrize("name", list(ENGINES))
@pytest.mark.parametrize("function", ["short_blocks", "calls", "conditions", "copies"])
def test_counts_are_those_of_hooks_on_every_instruction(name: str, function: str) -> None:
    machine = load(name)
    at = machine.reserve(256)
    arguments = [at, 37, 0x1234_5678]
    expected = Reference(machine, function, arguments)
    got = machine.call(function, *arguments, record=True)
    records = list(struct.iter_unpack("<IHH", machine.records()))
    # Unicorn calls no hook at an instruction that IT skips.
    times, under_it = executed(machine, got), skipped(got) if name in WITH_IT else Counter()
    assert times - under_it == expected.executed
    assert got.instructions == times.total()
    assert got.result == expected.result
    assert got.loads == sum(not store for store, _, _ in expected.accesses)
    assert got.stores == sum(store for store, _, _ in expected.accesses)
    accesses = [(kind == 2, address, size) for address, size, kind in records if kind in (1, 2)]
    assert accesses == expected.accesses
    assert Counter(a for a, _, kind in records if kind in (0, 3)) == times
    assert sum(got.profile.accesses.values()) == len(accesses)


# --- the profile


@pytest.mark.parametrize("name", PLATFORMS)
def test_paths_chain(name: str) -> None:
    machine = load(name)
    got = machine.call("short_blocks", machine.reserve(256), 50, 1)
    paths = got.profile.paths
    entered: Counter[tuple[int, int, int]] = Counter()
    left: Counter[tuple[int, int, int]] = Counter()
    for (a, b, c, d), times in paths.items():
        left[a, b, c] += times
        entered[b, c, d] += times
    begin = [triple for triple in left if triple[0] == triple[1] == NONE]
    end = [triple for triple in entered if triple[2] == NONE]
    assert [left[triple] for triple in begin] == [1]
    assert [entered[triple] for triple in end] == [1]
    assert left - entered == Counter(begin)
    assert entered - left == Counter(end)
    assert all(this != NONE for _, _, this, _ in paths)
    assert {block for path in paths for block in path} - {NONE} == set(
        range(len(got.profile.blocks))
    )


@pytest.mark.parametrize("name", PLATFORMS)
def test_memory_tracing_changes_nothing_else(name: str) -> None:
    machine = load(name)
    at = machine.reserve(256)
    bare = machine.call("short_blocks", at, 20, 1, memory=False)
    machine.write(at, bytes(256))
    full = machine.call("short_blocks", at, 20, 1)
    assert (bare.loads, bare.stores, bare.profile.accesses) == (0, 0, {})
    assert full.loads > 0 < full.stores
    assert bare.instruction_trace == full.instruction_trace
    assert bare.profile.blocks == full.profile.blocks
    assert bare.profile.paths == full.profile.paths
    assert (bare.stack_bytes, bare.instructions) == (full.stack_bytes, full.instructions)


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m3"])
def test_every_condition_under_all_flags(name: str) -> None:
    """Bit n of the result: the n-th conditional instruction, an OR, was executed."""
    machine = load(name)
    for flags in range(16):
        got = machine.call("all_conditions", flags << 28)
        failed = skipped(got)
        addresses = sorted(executed(machine, got))
        decoded = decode_blocks(machine.code, got.profile.blocks, machine.platform.isa)
        ors = [a for a in addresses if decoded[a].conditional and decoded[a].name == "orr"]
        assert len(ors) == 14
        assert got.result == sum(1 << n for n, a in enumerate(ors) if a not in failed)
        assert set(failed) <= set(ors)


def test_it_block_of_four() -> None:
    machine = load("cortex-m3")
    traces = set()
    for value, (result, failures) in {5: (3, 2), 6: (12, 2)}.items():
        got = machine.call("it_block", value)
        assert (got.result, skipped(got).total()) == (result, failures)
        assert got.instructions == 8
        traces.add(got.instruction_trace)
    assert len(traces) == 2


@pytest.mark.parametrize("value", [5, 6])
def test_access_under_it_leaves_the_next_instructions_alone(value: int) -> None:
    got = load("cortex-m3").call("access_under_it", value)
    assert got.result == 9
    assert skipped(got).total() == 1


def test_return_under_it() -> None:
    machine = load("cortex-m3")
    returned, went_on = (machine.call("return_if", value) for value in (1, 0))
    assert (returned.result, returned.instructions, skipped(returned).total()) == (1, 3, 0)
    assert (went_on.result, went_on.instructions, skipped(went_on).total()) == (9, 5, 1)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("arm7tdmi", "branch_on"),
        ("cortex-m0plus", "branch_on"),
        ("cortex-m3", "branch_on_wide"),
        ("rv32i", "branch_on"),
        ("rv32im-e31", "branch_on_short"),
    ],
)
def test_branch_to_the_next_instruction(name: str, function: str) -> None:
    machine = load(name)
    not_taken, taken = (machine.call(function, value) for value in (0, 1))
    assert not_taken.instructions == taken.instructions
    assert executed(machine, not_taken) == executed(machine, taken)
    assert skipped(not_taken).total() == 1
    assert skipped(taken).total() == 0
    assert not_taken.instruction_trace != taken.instruction_trace


def least(value: int, *, signed: bool) -> int:
    if signed and value >> 31:
        value ^= 0xFFFF_FFFF
    return max(1, (value.bit_length() + 7) // 8)


VALUES = (0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000, 0x7FFF_FFFF)


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m0plus", "cortex-m3", "rv32im-e31"])
def test_operands_of_multiplies(name: str) -> None:
    machine = load(name)
    for value in (*VALUES, *(0xFFFF_FFFF - value for value in VALUES)):
        got = machine.call("multiply", 3, value)
        assert got.result == 3 * value % 2**32
        ((_, unsigned, signed),) = got.profile.operands
        assert unsigned == least(value, signed=False)
        assert signed == least(value, signed=True)


def told(value: int, *, signed: bool) -> Operand:
    number = value - (value >> 31 << 32) if signed else value
    power = number < 0 and (-number).bit_count() == 1
    return Operand(number.bit_length(), number < 0, power)


@pytest.mark.parametrize("name", ["cortex-m3", "cortex-m33", "rv32im-e31"])
def test_operands_of_divisions(name: str) -> None:
    machine = load(name)
    every = (*VALUES, *(0xFFFF_FFFF - value for value in VALUES), 0x8000_0001)
    for function, signed in (("divide", False), ("divide_signed", True)):
        for dividend, divisor in product(every, every):
            ((_, *codes),) = machine.call(function, dividend, divisor).profile.operands
            operands = [told(one, signed=signed) for one in (dividend, divisor)]
            assert [one.code for one in operands] == codes
            assert [Operand.decoded(code) for code in codes] == operands


def test_division_that_was_not_executed_is_not_counted() -> None:
    machine = load("cortex-m4")
    assert len(machine.call("divide_if", 1, 5).profile.operands) == 1
    assert not machine.call("divide_if", 2, 5).profile.operands


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m3"])
def test_multiply_that_was_not_executed_is_not_counted(name: str) -> None:
    machine = load(name)
    assert sum(machine.call("multiply_if", 1, 5).profile.operands.values()) == 2
    assert sum(machine.call("multiply_if", 0, 5).profile.operands.values()) == 1


@pytest.mark.parametrize("name", PLATFORMS)
def test_accesses_by_instruction_and_region(name: str) -> None:
    machine = load(name)
    got = machine.call("copies", machine.reserve(64), 8, 0)
    regions: Counter[tuple[str, str]] = Counter()
    for (address, kind, region), times in got.profile.accesses.items():
        regions[kind, region] += times
        assert address in executed(machine, got)
    assert regions["load", "flash"] >= 8
    assert regions["store", "ram"] >= 8
    assert regions["store", "flash"] == 0
    assert regions["load", "flash"] + regions["load", "ram"] == got.loads


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m0plus", "cortex-m3"])
def test_a_multiple_load_counts_each_word(name: str) -> None:
    machine = load(name)
    at = machine.reserve(64)
    got = machine.call("load_many", at)
    assert (got.loads, got.stores) == (4, 4)
    assert set(got.profile.accesses.values()) == {4}


def test_double_words_count_twice() -> None:
    machine = load("cortex-m3")
    got = machine.call("load_double", machine.reserve(16))
    assert (got.loads, got.stores) == (2, 2)


def test_swap_loads_and_stores() -> None:
    machine = load("arm7tdmi")
    at = machine.reserve(4)
    machine.write(at, b"\1\2\3\4")
    got = machine.call("swap", at, 7)
    assert (got.result, got.loads, got.stores) == (0x0403_0201, 1, 1)
    assert machine.read(at, 4) == b"\7\0\0\0"


# --- digests


@pytest.mark.parametrize("name", PLATFORMS)
def test_digests_tell_runs_apart(name: str) -> None:
    machine = load(name)
    one, other = machine.reserve(256), machine.reserve(256)
    first, again, elsewhere, longer = (
        machine.call("copies", at, count, 0)
        for at, count in ((one, 8), (one, 8), (other, 8), (one, 9))
    )
    assert (first.instruction_trace, first.address_trace) == (
        again.instruction_trace,
        again.address_trace,
    )
    assert first.profile == again.profile
    assert elsewhere.instruction_trace == first.instruction_trace
    assert elsewhere.address_trace != first.address_trace
    assert longer.instruction_trace != first.instruction_trace
    fresh = load(name)
    fresh.call("short_blocks", fresh.reserve(256), 3, 1)
    fresh.release()
    assert fresh.call("copies", fresh.reserve(256), 8, 0) == first
