# SPDX-License-Identifier: MIT
"""The emulator rig: rows of real cores on emulated processors."""

from dataclasses import replace
from typing import Any

import pytest
from cover_runs import QUICK, job_of
from few import slow_but

from aesfit.building.build import BuildError, build
from aesfit.building.unit import entries
from aesfit.catalog import MODES
from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.names import BLOCK_OPS
from aesfit.platforms.platform import Platform
from aesfit.rigs import rig_of
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import RUNS, timing_model
from aesfit.rigs.emulator.stalls import has_caches
from aesfit.rigs.firing import Firing, WrongOutputError

EMULATED = [platform for platform in platforms() if platform.rig == "emulator"]
NAMES = [platform.name for platform in EMULATED]
PROCESSORS = [platform for platform in EMULATED if platform.kind == "processor"]


def measured(job: Job) -> Row:
    return rig_of(job.platform).measure([job], lambda done, total: None)[0]


def test_all_of_them_are_emulated() -> None:
    assert set(NAMES) >= {
        "arm7tdmi", "arm9tdmi", "cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4",
        "cortex-m33", "cortex-m7", "hazard3", "rv32im-e31", "rv32i",
    }  # fmt: skip


PARTS_MEASURED = ("ecb", "xts", "gcm")
"""Modes with set-ups of three kinds: a key, two keys, a key and its multiplier."""


@pytest.mark.parametrize("mode", slow_but(PARTS_MEASURED, MODES))
def test_a_message_takes_what_its_parts_take(mode: str, slow: bool) -> None:
    """Once each, on a core and a platform by turns; on all of them if slow."""
    # A cold start costs more than once, and buffers hold what another part of the code left there.
    plain = [one for one in PROCESSORS if not has_caches(one)]
    cores, at = ("transposed", "fixslice"), list(MODES).index(mode)
    for platform in plain if slow else [plain[hash_of(mode) % len(plain)]]:
        for core in cores if slow else cores[at % 2 : at % 2 + 1]:
            job = Job(platform, core, MODES[mode].key_bits[-1], "message", mode, 48)
            ops = ["key-setup", "encrypt", "message"]
            if MODES[mode].verifies:
                ops += ["decrypt", "both"]
            rows = {op: measured(replace(job, op=op)) for op in ops}
            parts = rows["key-setup"].cycles + rows["encrypt"].cycles
            assert rows["message"].cycles == pytest.approx(parts, rel=0.01)
            if "both" in rows:
                assert rows["both"].code_bytes >= rows["encrypt"].code_bytes
                assert rows["both"].bytes == 96


def hash_of(text: str) -> int:
    return sum(text.encode())


@pytest.mark.slow
@pytest.mark.parametrize("platform", EMULATED, ids=NAMES)
@pytest.mark.parametrize("key_bits", [128, 192, 256])
def test_every_core_computes_aes(platform: Platform, key_bits: int) -> None:
    """Every operation of blocks; quick runs are those of test_cover.py.

    A chip may have too little RAM or flash for a core, which is said.
    """
    for core in cores_for(platform):
        for op in BLOCK_OPS:
            row = measured_if_it_fits(Job(platform, core.name, key_bits, op))
            if row is None:
                continue
            at_once = 2 if platform.timing in ("cortex_m33", "cortex_m7") else 1  # pairs
            assert row.cycles * at_once >= (row.instructions or 0) >= 8
            assert row.code_bytes > 20
            assert row.context_bytes >= row.round_key_bytes


def measured_if_it_fits(job: Job) -> Row | None:
    """None where the RAM or flash of a chip is too small for a core's tables or code."""
    try:
        return measured(job)
    except BuildError as error:
        full = [f"bytes of {memory} of {job.platform.name}" for memory in ("ram", "flash")]
        if job.platform.chip is None or not any(one in str(error) for one in full):
            raise
        return None


def test_figures_repeat() -> None:
    job = Job(platform_named("cortex-m3"), "ttable1", 128, "message", "ccm", 100)
    assert measured(job) == measured(job)


def test_a_wrong_output_stops_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Machine.read

    def lie(self: Machine, address: int, size: int) -> bytes:
        truth = read(self, address, size)
        return truth if size != 16 else truth[:15] + bytes([truth[15] ^ 1])

    monkeypatch.setattr(Machine, "read", lie)
    job = Job(platform_named("rv32i"), "compact", 128, "encrypt-block")
    with pytest.raises(WrongOutputError, match=r"compact on rv32i.*from byte 15"):
        measured(job)


def test_wait_states_slow_what_lies_in_flash() -> None:
    base = Job(platform_named("arm7tdmi"), "transposed", 128, "encrypt-block")
    fast = measured(base)
    slow = measured(replace(base, placement=Placement(flash_wait=2)))
    tables_in_ram = measured(replace(base, placement=Placement(flash_wait=2, tables="ram")))
    # Each instruction is fetched, each byte of key and text read, and 160 bytes of S-box.
    assert slow.cycles > fast.cycles + 2 * (fast.instructions or 0)
    assert slow.cycles - tables_in_ram.cycles == 2 * 160
    assert tables_in_ram.ram_bytes == fast.ram_bytes + tables_in_ram.table_bytes
    assert "2 flash wait states" in slow.provenance.memory
    assert (fast.secrecy.kind, slow.secrecy.kind) == ("here", "depends")


def test_a_model_that_cannot_price_wait_states_refuses() -> None:
    job = Job(platform_named("cortex-m3"), "compact", 128, "encrypt-block")
    with pytest.raises(ValueError, match="stands before a flash that waits; name a chip"):
        measured(replace(job, placement=Placement(flash_wait=1)))


def test_a_model_that_cannot_price_tables_in_flash_refuses() -> None:
    job = Job(platform_named("rv32im-e31"), "ttable4", 128, "encrypt-block")
    with pytest.raises(ValueError, match="does not cover tables in flash; leave them in ram"):
        measured(replace(job, placement=Placement(tables="flash")))
    in_ram = measured(replace(job, placement=Placement(tables="ram")))
    assert in_ram.cycles == measured(job).cycles


def test_the_key_knows_platform_model_and_options() -> None:
    rig = rig_of(EMULATED[0])
    job = Job(platform_named("cortex-m3"), "transposed", 128, "encrypt", "ecb", 16)
    changes: list[dict[str, Any]] = [
        {},
        {"core": "compact"}, {"key_bits": 256}, {"op": "decrypt"}, {"mode": "ctr"},
        {"bytes": 32}, {"flags": ("-Os",)}, {"placement": Placement(tables="ram")},
        {"platform": platform_named("cortex-m4")},
    ]  # fmt: skip
    assert len({rig.key(replace(job, **change)) for change in changes}) == len(changes)


# --- constant time on the target

SECRETS = 100
FEW_SECRETS = 5


def traces(job: Job, number: int) -> set[tuple[object, ...]]:
    """What may differ between secrets: instructions, addresses, operands of multiplications.

    Of every function of the image, key set-up among them.
    """
    machine = Machine(build(job).elf, job.platform)
    variable = timing_model(job.platform).variable_time
    firing = Firing(job, entries(job))
    return {
        tuple(
            (call.instruction_trace, call.address_trace, *shown(call.profile.operands, variable))
            for call in firing.fire(machine, secret)
        )
        for secret in range(number)
    }


def shown(operands: object, variable: object) -> tuple[object, ...]:
    """Operand classes count where some instruction's time depends on them."""
    assert isinstance(operands, dict)
    return (tuple(sorted(operands.items())),) if variable else ()


def claiming(platform: Platform) -> list[str]:
    return [core.name for core in cores_for(platform) if core.constant_time]


def every_job(platform: Platform) -> list[Job]:
    """All that cores which claim constant time can do; images hold their key set-up too."""
    jobs = []
    for core in claiming(platform):
        jobs += [Job(platform, core, 128, op) for op in ("encrypt-block", "decrypt-block")]
        for mode in MODES:
            ops = ("message", "decrypt") if MODES[mode].verifies else ("message",)
            jobs += [Job(platform, core, MODES[mode].key_bits[0], op, mode, 32) for op in ops]
    return jobs


def same_code(platform: Platform) -> list[str]:
    """Platforms that run the very instructions of this one: compiler, flags and model are alike."""

    def made(one: Platform) -> tuple[object, ...]:
        how = one.compiler
        return one.isa, how.command, how.target, how.optimise, timing_model(one).variable_time

    return [one.name for one in EMULATED if made(one) == made(platform)]


def some_jobs(platform: Platform) -> list[Job]:
    """Messages of the same cores, by turns to one of the platforms that run the same code."""
    runs = [run for run in QUICK if run.platform == platform.name]
    jobs = [job_of(run) for run in runs if run.deal.core in claiming(platform)]
    alike = same_code(platform)
    return jobs[alike.index(platform.name) :: len(alike)]


@pytest.mark.parametrize("platform", EMULATED, ids=NAMES)
def test_constant_time_cores_look_alike_for_every_secret(platform: Platform, slow: bool) -> None:
    for job in every_job(platform) if slow else some_jobs(platform):
        assert len(traces(job, SECRETS if slow else FEW_SECRETS)) == 1, (job.core, job.mode, job.op)


def test_some_jobs_of_each_core_that_claims_constant_time_are_seen() -> None:
    for platform in EMULATED:
        alike = same_code(platform)
        seen = {job.core for name in alike for job in some_jobs(platform_named(name))}
        assert seen == {*claiming(platform)}


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("platform", EMULATED, ids=NAMES)
def test_a_table_core_looks_different(platform: Platform) -> None:
    (job, *_) = (
        job_of(run) for run in QUICK if (run.platform, run.deal.core) == (platform.name, "ttable1")
    )
    assert len(traces(job, RUNS)) == RUNS


UNIFORM_CHIPS = ("at91sam7s256", "ch32v003", "fe310")
"""No buffer and no cache stands in front of the memory that holds their tables."""


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("platform", EMULATED, ids=NAMES)
def test_the_column_follows(platform: Platform) -> None:
    fixed = measured(Job(platform, "fixslice", 128, "encrypt-block"))
    table = measured(Job(platform, "ttable1", 128, "encrypt-block"))
    assert fixed.secrecy.kind == "independent"
    leaks = platform.data_cache or (platform.chip and platform.name not in UNIFORM_CHIPS)
    assert table.secrecy.kind == ("depends" if leaks else "here")


def test_multiplied_secrets_are_not_constant_time_where_multiplication_varies() -> None:
    job = Job(platform_named("cortex-m3"), "fixslice", 128, "message", "gcm", 32)
    assert measured(replace(job, ghash="shift32")).secrecy.kind == "independent"
    assert measured(replace(job, ghash="mul32")).secrecy.kind == "depends"
    steady = replace(job, ghash="mul32", platform=platform_named("cortex-m4"))
    assert measured(steady).secrecy.kind == "independent"


# --- how good the cores must be, cycles (bytes: cycles per byte)

BOUNDS = [
    ("arm7tdmi", "transposed", "encrypt-block", 1500),
    ("arm7tdmi", "transposed", "decrypt-block", 1700),
    ("arm7tdmi", "transposed", "key-setup-encrypt", 520),
    ("arm7tdmi", "transposed_otf", "encrypt-block", 1900),
    ("arm7tdmi", "transposed_otf", "decrypt-block", 2150),
    ("arm7tdmi", "sbox_columns", "encrypt-block", 1600),
    ("arm7tdmi", "sbox_columns", "decrypt-block", 2300),
    ("arm9tdmi", "transposed", "encrypt-block", 1050),
    ("arm9tdmi", "transposed", "decrypt-block", 1300),
    ("arm9tdmi", "transposed", "key-setup-encrypt", 370),
    ("arm9tdmi", "ttable4", "encrypt-block", 700),
    ("cortex-m3", "ttable1", "encrypt-block", 750),
    ("cortex-m3", "fixslice", "encrypt-block", 130 * 32),
    ("cortex-m3", "fixslice", "decrypt-block", 170 * 32),
]


@pytest.mark.parametrize(("platform", "core", "op", "cycles"), BOUNDS)
def test_cores_are_as_fast_as_we_say(platform: str, core: str, op: str, cycles: int) -> None:
    assert measured(Job(platform_named(platform), core, 128, op)).cycles < cycles
