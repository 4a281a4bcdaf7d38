# SPDX-License-Identifier: MIT
"""Bursts on the emulator: their addresses, their coefficients."""

from collections import Counter

import pytest
from few import slow_but

from aesfit.catalog import core_named, cores
from aesfit.jobs.job import Job
from aesfit.measuring import bursts
from aesfit.measuring.measure import cores_for
from aesfit.measuring.trace import Trace
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs import rig_of

ARM9 = platform_named("arm9tdmi")
RISCV = platform_named("rv32i")


def declared(core: str, direction: str, key_bits: int) -> dict[str, int]:
    tables = core_named(core).tables
    asked = (table for table in tables if table.direction == direction)
    return {table.name: table.reads_per_block(key_bits) for table in asked}


RUNS = [(one, core.name) for one in (ARM9, RISCV) for core in cores_for(one)]


CASES = [(*run, op) for run in RUNS for op in bursts.BURST_OPS]


def is_quick(platform: Platform, core: str, op: str) -> bool:
    """Every other core on one platform in one direction, by turns.

    The C test test_reads counts what the sources read, for each core, direction and size of keys.
    """
    at = [one.name for one in cores()].index(core)
    able = [one for one in (ARM9, RISCV) if (one, core) in RUNS]
    turn = able[at // 2 % len(able)], bursts.BURST_OPS[at // 4 % 2]
    return at % 2 == 0 and (platform, op) == turn


@pytest.mark.parametrize(
    ("platform", "core", "op"),
    slow_but([case for case in CASES if is_quick(*case)], CASES),
    ids=lambda one: getattr(one, "name", one),
)
def test_each_call_reads_the_tables_as_often_as_the_core_declares(
    platform: Platform, core: str, op: str
) -> None:
    seen = bursts.trace(platform, core, 5, op=op, secret=7)
    wanted = declared(core, op.removesuffix("-block"), 128)
    for call in range(seen.calls):
        reads = Counter(
            table.name
            for address, _, kind in seen.of_call(call)
            for table in seen.tables
            if kind == bursts.LOAD and address in table
        )
        reads.pop("rcon", None)  # read at the same addresses by every call
        assert reads == wanted


def test_transposed_reads_its_s_box_160_times_a_block() -> None:
    assert bursts.coefficients(ARM9, "transposed").reads == {"sbox": 160}


def test_traces_repeat_and_secrets_change_them() -> None:
    first = bursts.trace(ARM9, "ttable1", 3)
    assert first == bursts.trace(ARM9, "ttable1", 3)
    other = bursts.trace(ARM9, "ttable1", 3, secret=1)
    assert first.records != other.records
    assert first.starts == other.starts


def test_calls_take_the_next_block() -> None:
    seen = bursts.trace(ARM9, "sbox_columns", 4)
    source, target = seen.streams
    for call in range(4):
        touched = {kind: set[int]() for kind in range(4)}
        for address, size, kind in seen.of_call(call):
            touched[kind].update(range(address, address + size))
        block = range(16 * call, 16 * call + 16)
        assert {at for at in touched[bursts.LOAD] if at in source} == {
            source.start + n for n in block
        }
        assert {at for at in touched[bursts.STORE] if at in target} == {
            target.start + n for n in block
        }


@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr", "ccm"])
def test_a_message_is_cut_at_its_blocks(mode: str) -> None:
    seen = bursts.trace(ARM9, "ttable1", 20, op="encrypt", mode=mode)
    assert seen.calls == 20
    sizes = {b - a for a, b in zip(seen.starts[2:-1], seen.starts[3:], strict=True)}
    assert max(sizes) < 1.1 * min(sizes)


def test_coefficients_are_the_cost_of_a_call_and_of_the_key() -> None:
    found = bursts.coefficients(ARM9, "transposed")
    rig = rig_of(ARM9)
    block, setup = rig.measure(
        [Job(ARM9, "transposed", 128, op) for op in ("encrypt-block", "key-setup-encrypt")],
        lambda done, total: None,
    )
    loop = found.E - block.cycles
    assert 0 < loop < 20
    assert 0 < found.c - setup.cycles < 40
    assert found == bursts.coefficients(ARM9, "transposed")


def test_coefficients_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bursts.coefficients(ARM9, "ttable1")
    monkeypatch.setattr(bursts, "_measured", lambda job: pytest.fail("measured again"))
    bursts.coefficients(ARM9, "ttable1")


def test_what_cannot_be_traced_is_refused() -> None:
    with pytest.raises(ValueError, match="x86-64 is none"):
        bursts.trace(platform_named("x86-64"), "ttable1", 1)
    with pytest.raises(ValueError, match="0 to 4096 calls, not 5000"):
        bursts.trace(ARM9, "ttable1", 5000)
    with pytest.raises(ValueError, match="not of 'key-setup-encrypt'"):
        bursts.coefficients(ARM9, "ttable1", op="key-setup-encrypt")


def banks_read(core: str, op: str, secret: int) -> list[int]:
    """Bank of RP2040's striped RAM that each look-up of a table meets, in order."""
    seen = bursts.trace(platform_named("rp2040"), core, 2, op=op, secret=secret)
    words = (address // 4 for call in range(2) for address in loads_of_tables(seen, call))
    return [word % 4 for word in words]


def loads_of_tables(seen: Trace, call: int) -> list[int]:
    found = seen.of_call(call)
    loads = (address for address, _, kind in found if kind == bursts.LOAD)
    return [address for address in loads if any(address in table for table in seen.tables)]


@pytest.mark.parametrize("op", bursts.BURST_OPS)
def test_which_bank_is_read_tells_of_no_secret_only_where_an_index_has_its_row_in_one(
    op: str,
) -> None:
    for core, alike in (("ttable_diffused", True), ("ttable4", False), ("ttable1", False)):
        assert (banks_read(core, op, 7) == banks_read(core, op, 8)) is alike
