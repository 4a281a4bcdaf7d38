# SPDX-License-Identifier: MIT
"""The VLIW rig: packets, instructions and addresses of Hexagon code under QEMU."""

import re
import struct
import subprocess
from collections import Counter
from ctypes import CDLL, c_uint32
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from few import slow_but

from aesfit.building import build
from aesfit.catalog import MODES, core_named
from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring.bursts import coefficients
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named
from aesfit.platforms.names import BLOCK_OPS
from aesfit.rigs import rig_of, why_not
from aesfit.rigs.emulator.machine import MachineError
from aesfit.rigs.firing import WrongOutputError
from aesfit.rigs.hexagon import shared_object
from aesfit.rigs.hexagon.machine import HexagonMachine
from aesfit.rigs.hexagon.rig import machine_of
from aesfit.rigs.rig import RigUnavailableError

HEXAGON = platform_named("hexagon")
SNIPPET = """
    .globl snippet
snippet:                                             // r0 = address of three words
    { r1 = memw(r0 + #0); r2 = memw(r0 + #4); r3 = #7 }
    { r4 = add(r1, r2); memw(r0 + #8) = r2 }         // a store beside an addition
    { r5 = ##0x12345678; r4 = add(r4, r3) }          // with a constant extender
    { loop0(again, #5) }
again:
    { r4 = add(r4, #1); r3 = add(r3, #1) }:endloop0
    { p0 = cmp.eq(r4, #0) }
    { if (p0) r3 = memw(r0 + #0) }                   // not executed: no access
    { r0 = r4 }
    { jumpr r31 }
    .globl forever
forever:
    { jump forever }
    .globl wild
wild:
    { r0 = memw(r0 + #0) }
    { jumpr r31 }
"""
PACKETS = 4 + 5 + 4
INSTRUCTIONS = 3 + 2 + 2 + 1 + 3 * 5 + 4  # the assembler fills the loop's packet with a nop


def measured(job: Job) -> Row:
    return rig_of(job.platform).measure([job], lambda done, total: None)[0]


@pytest.fixture(scope="module")
def snippet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with the rig's driver and functions written by hand."""
    folder = tmp_path_factory.mktemp("snippet")
    (folder / "snippet.s").write_text(SNIPPET, encoding="utf-8")
    target = [*HEXAGON.compiler.target, "-O2", "-ffreestanding", "-fno-pic"]
    units = [build.FIRMWARE / "hexagon_driver.c", folder / "snippet.s"]
    link = ["-fuse-ld=lld", "-static", "-nostdlib", "-nostartfiles", "-Wl,--image-base=0x100000"]
    elf = folder / "snippet.elf"
    subprocess.run(["clang", *target, *link, *map(str, units), "-o", str(elf)], check=True)
    return elf


def records(machine: HexagonMachine) -> list[tuple[int, int, int]]:
    return list(struct.iter_unpack("<IHH", machine.records()))


# --- packets


def test_packets_are_those_written(snippet: Path) -> None:
    machine = HexagonMachine(snippet, HEXAGON)
    at = machine.reserve(12)
    machine.write(at, struct.pack("<3I", 30, 12, 0))
    done = machine.call("snippet", at, record=True)
    assert (done.packets, done.instructions) == (PACKETS, INSTRUCTIONS)
    assert (done.result, done.loads, done.stores, done.stack_bytes) == (54, 2, 1, 0)
    assert machine.read(at + 8, 4) == struct.pack("<I", 12)
    seen = records(machine)
    assert [one for one in seen if one[2]] == [(at, 4, 1), (at + 4, 4, 1), (at + 8, 4, 2)]
    start = machine.symbol("snippet")
    assert [one[0] - start for one in seen if one[2] == 0] == [
        0, 8, 16, 24, *[28] * 5, 36, 40, 44, 48,
    ]  # fmt: skip


def logged(log: Path, start: int, end: int) -> list[int]:
    """Addresses of packets in QEMU's own log of what it executes, one line for each."""
    lines = log.read_text(encoding="utf-8").splitlines()
    found = [re.search(r"\[\w+/(\w+)/", line) for line in lines if line.startswith("Trace")]
    addresses = [int(one[1], 16) for one in found if one]
    return [address for address in addresses if start <= address < end]


@pytest.mark.parametrize("core", ["transposed", "ttable4"])
def test_packets_are_those_that_qemu_logs(
    core: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(HEXAGON, core, 128, "encrypt-block")
    elf, log = build.build(job).elf, tmp_path / "log"
    monkeypatch.setenv("QEMU_SINGLESTEP", "1")
    monkeypatch.setenv("QEMU_LOG", "exec,nochain")
    monkeypatch.setenv("QEMU_LOG_FILENAME", str(log))
    machine = HexagonMachine(elf, HEXAGON)
    context, text = machine.reserve(256), machine.reserve(16)
    machine.call("rig_key_setup_encrypt", context, text)
    done = machine.call("rig_encrypt_block", context, text, text, 1, record=True)
    seen = [address for address, _, kind in records(machine) if kind == 0]
    machine.close()
    every = logged(log, 0, 1 << 32)
    first = len(every) - 1 - every[::-1].index(machine.symbol("rig_call_enter"))
    last = every.index(machine.symbol("rig_call_leave"), first)
    assert seen == every[first + 1 : last]
    assert len(seen) == done.packets > 100


# --- AES


FIPS_KEY = bytes(range(32))
FIPS_TEXT = bytes.fromhex("00112233445566778899aabbccddeeff")
FIPS_CIPHER = {
    128: "69c4e0d86a7b0430d8cdb78070b4c55a",
    192: "dda97ca4864cdfe06eaf70a0ec0d7191",
    256: "8ea2b7ca516745bfeafc49904b496089",
}


FIPS_CORES = ["transposed", "ttable1", "compact"]


@pytest.mark.parametrize(
    ("key_bits", "core"),
    slow_but(zip(FIPS_CIPHER, FIPS_CORES, strict=True), [*product(FIPS_CIPHER, FIPS_CORES)]),
)
def test_the_examples_of_fips_197(core: str, key_bits: int) -> None:
    machine = machine_of(Job(HEXAGON, core, key_bits, "encrypt-block"))
    context, key, text = machine.reserve(512), machine.reserve(32), machine.reserve(16)
    machine.write(key, FIPS_KEY)
    machine.write(text, FIPS_TEXT)
    machine.call("rig_key_setup_encrypt", context, key)
    machine.call("rig_encrypt_block", context, text, text, 1)
    assert machine.read(text, 16).hex() == FIPS_CIPHER[key_bits]


KEYS_AND_CORES = [(key_bits, core.name) for key_bits in FIPS_CIPHER for core in cores_for(HEXAGON)]


@pytest.mark.parametrize(("key_bits", "core"), slow_but([(192, "mobile")], KEYS_AND_CORES))
def test_every_core_computes_aes(key_bits: int, core: str) -> None:
    """The rig compares each output with the host's; quick runs are those of test_cover.py."""
    for op in BLOCK_OPS:
        row = measured(Job(HEXAGON, core, key_bits, op))
        assert row.instructions is not None
        assert 0 < row.cycles <= row.instructions <= 8 * row.cycles
        assert row.code_bytes > 50


PARTS_MEASURED = ("xts", "gcm")
"""Modes with set-ups of two kinds that no block has: two keys, a key and its multiplier."""


@pytest.mark.parametrize("mode", slow_but(PARTS_MEASURED, MODES))
def test_a_message_takes_what_its_parts_take(mode: str, slow: bool) -> None:
    cores = [core.name for core in cores_for(HEXAGON)] if slow else ["transposed"]
    shape = MODES[mode]
    for core in cores:
        job = Job(HEXAGON, core, shape.key_bits[-1], "message", mode, 48)
        whole, setup, work = (
            measured(replace(job, op=op)).cycles for op in ("message", "key-setup", "encrypt")
        )
        assert whole == pytest.approx(setup + work, rel=0.01)
        last = replace(job, op="both") if shape.verifies else job
        assert measured(last).bytes == (96 if shape.verifies else 48)


def test_a_wrong_output_stops_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    read = HexagonMachine.read

    def lie(self: HexagonMachine, address: int, size: int) -> bytes:
        truth = read(self, address, size)
        return truth if size != 16 else truth[:15] + bytes([truth[15] ^ 1])

    monkeypatch.setattr(HexagonMachine, "read", lie)
    with pytest.raises(WrongOutputError, match=r"ttable1 on hexagon.*from byte 15"):
        measured(Job(HEXAGON, "ttable1", 128, "encrypt-block"))


@pytest.mark.parametrize("core", ["transposed", "ttable1", "ttable4", "ttable8", "bytewise"])
def test_tables_are_read_as_often_as_declared(core: str) -> None:
    found = coefficients(HEXAGON, core)
    declared = Counter[str]()
    for table in core_named(core).tables:
        if table.direction == "encrypt":
            declared[table.name] += table.reads_per_block(128)
    assert found.reads == dict(declared)
    once = measured(Job(HEXAGON, core, 128, "encrypt-block")).cycles
    assert once <= found.E <= once + 4  # the loop
    assert found.c > measured(Job(HEXAGON, core, 128, "key-setup-encrypt")).cycles


def test_the_column_of_constant_time() -> None:
    columns = {
        core: measured(Job(HEXAGON, core, 128, "encrypt-block")).secrecy.kind
        for core in ("fixslice", "ttable1")
    }
    assert columns == {"fixslice": "independent", "ttable1": "depends"}
    message = Job(HEXAGON, "fixslice", 128, "message", "gcm", 32)
    assert measured(message).secrecy.kind == "independent"


def test_figures_repeat_and_the_key_knows_the_job() -> None:
    job = Job(HEXAGON, "transposed", 128, "encrypt", "ecb", 16)
    assert measured(job) == measured(job)
    rig = rig_of(HEXAGON)
    changes: list[dict[str, Any]] = [
        {},
        {"core": "ttable1"},
        {"op": "decrypt"},
        {"bytes": 32},
        {"flags": ("-Os",)},
    ]
    assert len({rig.key(replace(job, **change)) for change in changes}) == len(changes)


def test_the_row_says_what_its_cycles_are() -> None:
    row = measured(Job(HEXAGON, "transposed", 128, "encrypt-block"))
    assert row.provenance.memory.startswith("cycles are packets: no interlocks, no caches")
    assert "qemu-hexagon version" in row.provenance.rig


def test_division_is_right(tmp_path: Path) -> None:
    """As plain C: which images divide depends on the compiler."""
    library = tmp_path / "division.so"
    source = build.FIRMWARE / "hexagon_division.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    divide = CDLL(str(library)).__hexagon_udivsi3
    divide.argtypes, divide.restype = [c_uint32, c_uint32], c_uint32
    draw = Random("division")
    pairs = [(draw.getrandbits(32), draw.getrandbits(draw.randrange(1, 33))) for _ in range(100)]
    for dividend, divisor in [*pairs, (0, 1), (2**32 - 1, 1), (2**32 - 1, 2**31), (6, 7)]:
        divisor = divisor or 1
        assert divide(dividend, divisor) == dividend // divisor


# --- refusals


def test_what_is_missing_is_said_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why_not(HEXAGON) is None
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert why_not(HEXAGON) == (
            "the VLIW rig needs clang, ld.lld, qemu-hexagon: "
            "sudo apt-get install clang lld qemu-user"
        )
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    shared_object.build.cache_clear()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(RigUnavailableError, match="no 'no-such-compiler'; install one with: sudo"):
        shared_object.build()
    assert why_not(HEXAGON) is not None
    monkeypatch.delenv("CC")
    assert tmp_path / "cache" in shared_object.build().parents


def test_packets_wait_for_no_memory() -> None:
    job = Job(HEXAGON, "transposed", 128, "encrypt-block", placement=Placement(flash_wait=1))
    with pytest.raises(ValueError, match="counts packets, which wait for no memory; leave"):
        measured(job)


def test_calls_that_do_not_return_are_told(snippet: Path) -> None:
    machine = HexagonMachine(snippet, HEXAGON)
    with pytest.raises(MachineError, match="did not return within 1000 packets"):
        machine.call("forever", limit=1000)
    machine = HexagonMachine(snippet, HEXAGON)
    with pytest.raises(MachineError, match="qemu-hexagon ended with"):
        machine.call("wild", 16)
    with pytest.raises(ValueError, match="no symbol 'nothing'"):
        HexagonMachine(snippet, HEXAGON).call("nothing")
    with pytest.raises(ValueError, match="up to 6 arguments, not 7"):
        HexagonMachine(snippet, HEXAGON).call("snippet", *range(7))
    with pytest.raises(ValueError, match="not a program for cortex-m3"):
        HexagonMachine(snippet, platform_named("cortex-m3"))


def test_tables_can_lie_in_ram() -> None:
    job = Job(HEXAGON, "ttable1", 128, "encrypt-block", placement=Placement(tables="ram"))
    row = measured(job)
    assert row.cycles == measured(replace(job, placement=Placement())).cycles
    assert row.tables_in == "ram"


def test_the_sources_have_no_warnings() -> None:
    """In the project; a newer compiler must not stop who installs it."""
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]
    common = ["-std=c11", "-fsyntax-only", *strict]
    subprocess.run(["gcc", *common, str(shared_object.HERE / "plugin.c")], check=True)
    for name in ("hexagon_driver.c", "hexagon_division.c"):
        path = str(build.FIRMWARE / name)
        subprocess.run(["clang", *HEXAGON.compiler.target, "-O2", *common, path], check=True)
