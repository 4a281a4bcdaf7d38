# SPDX-License-Identifier: MIT
"""The rig on this processor: outputs, sizes, counts and refusals; never how long things take."""

import platform as machine
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from few import slow_but

from aesfit import _native
from aesfit.catalog import MODES, cores
from aesfit.jobs.job import Job, Placement, Row
from aesfit.platforms.find import platform_named
from aesfit.platforms.names import BLOCK_OPS, MODE_OPS
from aesfit.rigs import rig_named
from aesfit.rigs.host import child as host_child
from aesfit.rigs.host import rig as host
from aesfit.rigs.host import row as host_row
from aesfit.rigs.host.child import Child, ChildError, program_of
from aesfit.rigs.host.exercise import exercise_of
from aesfit.rigs.host.pace import BatchPlan
from aesfit.rigs.host.rig import HostRig, MismatchError
from aesfit.rigs.rig import RigUnavailableError

QUICK = BatchPlan(repeats=2, least_repeats=1, attempts=2, batch=20_000)
PLATFORMS = ("i686", "x86-64")
MISSING = {
    name: reason for name in PLATFORMS if (reason := HostRig().why_not(platform_named(name)))
}

pytestmark = pytest.mark.skipif(bool(MISSING), reason="; ".join(MISSING.values()))


@pytest.fixture
def rig() -> HostRig:
    return HostRig(QUICK)


def job_of(on: str, core: str, op: str, mode: str | None = None, size: int | None = None) -> Job:
    return Job(platform_named(on), core, 128, op, mode, size)


def quickly_built(job: Job) -> Job:
    """The same for a compiler that is in a hurry."""
    compiler = replace(job.platform.compiler, optimise=("-O0",))
    return replace(job, platform=replace(job.platform, compiler=compiler))


def rows_of(rig: HostRig, jobs: Sequence[Job]) -> list[Row]:
    return rig.measure(jobs, lambda done, total: None)


def test_it_is_registered() -> None:
    assert isinstance(rig_named("host"), HostRig)


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("on", PLATFORMS)
def test_block_operations(rig: HostRig, on: str, slow: bool) -> None:
    names = [core.name for core in cores() if core.available]
    names = [
        "transposed",
        *(["ttable1_otf"] if slow else []),
        *({"aesni", "fixslice"} & set(names)),
    ]
    jobs = [job_of(on, name, op) for name in names for op in BLOCK_OPS]
    jobs = jobs if slow else [quickly_built(job) for job in jobs]
    seen: list[tuple[int, int]] = []
    rows = rig.measure(jobs, lambda *now: seen.append(now))
    assert seen == [(len(names) * n, len(jobs)) for n in (1, 2, 3, 4)]
    lanes = {core.name: core.lanes for core in cores()}
    for job, row in zip(jobs, rows, strict=True):
        assert (row.platform, row.core, row.op) == (on, job.core, job.op)
        assert row.bytes == (0 if "key-setup" in job.op else 16 * lanes[job.core])
        assert row.cycles_median is not None
        assert 0 < row.cycles <= row.cycles_median
        assert row.instructions is None
        assert row.stack_bytes is None
        assert row.code_bytes > 0
        assert row.context_bytes >= row.round_key_bytes > 0
        bare = job.core in ("aesni", "fixslice")
        assert row.secrecy.kind == ("independent" if bare else "depends")
        if row.bytes:
            assert (row.table_bytes == 0) == bare
        assert row.provenance.clock.startswith("TSC cycles, minimum of ")
        assert f"; median {row.cycles_median};" in row.provenance.clock
        assert f"in turns with {len(names) - 1} others" in row.provenance.clock
        bound = "bound at run time" if on == "x86-64" else "bound to the core at compile time"
        assert bound in row.provenance.window


def allowed_ops(mode: str) -> list[str]:
    return [op for op in MODE_OPS if MODES[mode].verifies or op not in ("decrypt", "both")]


SHAPES = [("cbc", "x86-64"), ("cmac", "x86-64"), ("xts", "x86-64"), ("gcm", "i686")]
"""Modes that differ in what the rig gives them: an IV, no output but a tag, two keys, all parts."""


@pytest.mark.parametrize(("mode", "on"), slow_but(SHAPES, [*product(MODES, PLATFORMS)]))
def test_every_operation_of_every_mode(rig: HostRig, mode: str, on: str) -> None:
    """Every output is checked by the rig; a wrong one would raise.

    In quick runs test_cover.py encrypts and decrypts in each mode.
    """
    jobs = [quickly_built(job_of(on, "compact", op, mode, 48)) for op in allowed_ops(mode)]
    rows = dict(zip(allowed_ops(mode), rows_of(rig, jobs), strict=True))
    assert rows["key-setup"].bytes == 0
    assert rows["encrypt"].bytes == rows["message"].bytes == 48
    assert rows["encrypt"].cycles_per_byte == pytest.approx(rows["encrypt"].cycles / 48, abs=1e-3)
    assert "argument checks" in rows["encrypt"].provenance.window
    if "both" in rows:
        assert rows["both"].bytes == 96
        assert rows["both"].code_bytes >= rows["encrypt"].code_bytes


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("on", PLATFORMS)
@pytest.mark.parametrize(("core", "mode"), [("fixslice", "gcm"), ("mobile", "xts")])
def test_other_keys_and_cores(rig: HostRig, core: str, mode: str, on: str) -> None:
    jobs = [quickly_built(job_of(on, core, op, mode, 100)) for op in MODE_OPS]
    jobs = [replace(job, key_bits=256) for job in jobs]
    for row in rows_of(rig, jobs):
        assert row.key_bits == 256
        assert row.secrecy.kind == ("independent" if core == "fixslice" else "depends")


@pytest.mark.parametrize("on", PLATFORMS)
@pytest.mark.parametrize("op", ["key-setup-decrypt", "encrypt-block"])
def test_a_wrong_output_is_told(
    rig: HostRig, monkeypatch: pytest.MonkeyPatch, op: str, on: str
) -> None:
    job = quickly_built(job_of(on, "transposed", op))
    exercise = exercise_of(job)
    wrong = replace(exercise, first=replace(exercise.first, out=bytes(16)))
    monkeypatch.setattr(host, "exercise_of", lambda job: wrong)
    with pytest.raises(MismatchError, match=f"transposed gives a wrong result for {op}"):
        rows_of(rig, [job])


def test_i686_is_32_bit_code() -> None:
    programs = {on: program_of(job_of(on, "transposed", "encrypt-block")) for on in PLATFORMS}
    assert programs["i686"].read_bytes()[:5] == b"\x7fELF\x01"
    assert programs["x86-64"].read_bytes()[:5] == b"\x7fELF\x02"


@pytest.mark.few(one_in=2)
@pytest.mark.skipif(shutil.which("valgrind") is None, reason=host_child.VALGRIND_HELP)
@pytest.mark.parametrize("on", PLATFORMS)
def test_callgrind_counts_the_same_in_every_run(on: str, slow: bool) -> None:
    """Of a block and of a message; of all of them if slow."""
    rig = HostRig(QUICK, instructions=True)
    jobs = [job_of(on, "transposed", op) for op in ("key-setup-encrypt", "encrypt-block")]
    jobs += [
        job_of(on, "transposed", op, "cbc", 16 * n) for op in ("encrypt", "both") for n in (1, 2)
    ]
    again = slice(None) if slow else slice(1, 3)
    first, second = (
        [row.instructions for row in rows_of(rig, jobs)],
        [row.instructions for row in rows_of(HostRig(QUICK, instructions=True), jobs[again])],
    )
    assert first[again] == second
    key, block, cbc1, cbc2, both1, both2 = (count or 0 for count in first)
    assert 160 < key < block  # 160 stores of S-box values at least; a block reads 160 of them
    assert block < cbc1
    assert block - 100 < cbc2 - cbc1 < block + 100
    assert both1 > 2 * block
    assert both2 - both1 > 2 * block


@pytest.mark.skipif(shutil.which("valgrind") is None, reason=host_child.VALGRIND_HELP)
def test_what_valgrind_cannot_run_is_said(rig: HostRig) -> None:
    if not any(core.name == "aesni" and core.available for core in cores()):
        pytest.skip("this processor has no AES instructions")
    job = quickly_built(job_of("i686", "aesni", "encrypt-block"))
    (row,) = rows_of(HostRig(QUICK, instructions=True), [job])
    assert row.instructions is None
    assert "valgrind cannot run AES instructions in 32-bit code" in row.provenance.clock


def test_missing_tools_are_told_with_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = platform_named("i686")
    odd = replace(narrow, compiler=replace(narrow.compiler, target=("-m32", "-march=none")))
    reason = HostRig().why_not(odd)
    assert reason
    assert reason.endswith(f": sudo apt-get install {narrow.compiler.package}")
    job = replace(job_of("i686", "transposed", "encrypt-block"), platform=odd)
    with pytest.raises(RigUnavailableError, match="apt-get install"):
        rows_of(HostRig(QUICK), [job])
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "valgrind" else f"/{name}")
    assert HostRig().why_not(narrow) is None
    reason = HostRig(instructions=True).why_not(narrow)
    assert reason
    assert reason.endswith("apt-get install valgrind")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "apt-get install" in (HostRig().why_not(narrow) or "")
    monkeypatch.setattr(machine, "machine", lambda: "aarch64")
    assert "aarch64" in (HostRig().why_not(narrow) or "")


def test_what_it_cannot_measure_is_refused(rig: HostRig) -> None:
    job = job_of("x86-64", "transposed", "encrypt-block")
    with pytest.raises(ValueError, match="flags would not matter"):
        rows_of(rig, [replace(job, flags=("-Os",))])
    with pytest.raises(ValueError, match="memory cannot be placed"):
        rows_of(rig, [replace(job, placement=Placement(tables="ram"))])
    with pytest.raises(ValueError, match="no operation 'encrypt' of a core"):
        rows_of(rig, [replace(job, op="encrypt")])
    with pytest.raises(ValueError, match="in steps of 16"):
        rows_of(rig, [replace(job, op="encrypt", mode="cbc", bytes=20)])


def test_flags_matter_on_i686(rig: HostRig) -> None:
    job = job_of("i686", "transposed", "encrypt-block")
    jobs = [replace(job, flags=(flag,)) for flag in ("-Os", "-O3")]
    small, large = rows_of(rig, jobs)
    assert small.code_bytes < large.code_bytes
    assert "-Os" in small.provenance.flags


def test_keys_tell_processor_clock_and_job(rig: HostRig, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of("i686", "transposed", "encrypt-block")
    others = [
        replace(job, op="decrypt-block"),
        replace(job, core="ttable4"),
        replace(job, flags=("-O3",)),
        replace(job, op="encrypt", mode="cbc", bytes=16),
        replace(job, op="encrypt", mode="cbc", bytes=32),
        replace(job, platform=platform_named("x86-64")),
    ]
    keys = {rig.key(one) for one in (job, *others)}
    keys.add(HostRig(QUICK, instructions=True).key(job))
    assert len(keys) == len(others) + 2
    assert rig.key(job) in keys
    monkeypatch.setattr(host, "processor_name", lambda: "another")
    assert rig.key(job) not in keys
    monkeypatch.undo()
    monkeypatch.setattr(host, "clock_kind", lambda: "a sundial")
    assert rig.key(job) not in keys


def test_a_program_that_fails_says_why() -> None:
    job = job_of("i686", "transposed", "encrypt-block")
    exercise = exercise_of(job)
    with (
        pytest.raises(ChildError, match="no such operation"),
        Child(program_of(job), replace(exercise, op="compress")) as child,
    ):
        child.output()
    short = replace(exercise.first, key=b"")
    truth = host_child.request_of(exercise)
    assert truth.startswith(b"0 0 16 16 0 0 16 0 0\n")
    assert len(truth) == len(host_child.request_of(replace(exercise, first=short))) + 17


def test_a_message_that_is_refused_says_so() -> None:
    job = job_of("i686", "transposed", "decrypt", "ccm", 32)
    exercise = exercise_of(job)
    forged = replace(exercise, first=replace(exercise.first, tag=bytes(8)))
    with Child(program_of(job), forged) as child, pytest.raises(ChildError, match="status -12"):
        child.output()


def test_the_clock_says_whether_counters_are_there() -> None:
    assert host.clock_kind().startswith("TSC cycles; ")
    assert host_row.processor_name()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"op": "message"}, "no operation 'message'"),
        ({"mode": "ctr"}, "no operation 'encrypt-block'"),
        ({"mode": "ctr", "op": "encrypt"}, "nonce is 0 bytes"),
        ({"mode": "cmac", "op": "decrypt", "tag_bytes": 16, "data": b""}, "less than its tag"),
        ({"core": "transpose"}, "transposed"),
        ({"key": bytes(5)}, "key"),
    ],
)
def test_the_stopwatch_refuses_nonsense(change: dict[str, object], sentence: str) -> None:
    given: dict[str, object] = {
        "op": "encrypt-block",
        "mode": None,
        "core": "transposed",
        "ghash": None,
        "key": bytes(16),
        "nonce": b"",
        "ad": b"",
        "data": bytes(16),
        "tag_bytes": 0,
    }
    with pytest.raises(ValueError, match=sentence):
        _native.Stopwatch(**{**given, **change})  # type: ignore[arg-type]
