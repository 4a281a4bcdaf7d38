# SPDX-License-Identifier: MIT
"""`aesfit papers files` on this computer and on the emulator; never how long things take."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from stores import own_rows

from aesfit.building import build
from aesfit.cli import app
from aesfit.jobs.job import Job
from aesfit.jobs.message import made_up
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import LIMIT, Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import firing_of
from aesfit.rigs.host.child import CallTimes, Child, ChildError, program_of
from aesfit.rigs.host.exercise import exercise_of
from aesfit.rigs.profile import Execution
from aesfit_papers.file_bench import emulated as file_emulated
from aesfit_papers.file_bench import host as file_host
from aesfit_papers.file_bench.question import FileBench, FileSource

HOST = "x86-64"
needs_host = pytest.mark.skipif(
    why_not(platform_named(HOST)) is not None, reason=str(why_not(platform_named(HOST)))
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


def bench(platform: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["papers", "files", "--platform", platform, *arguments])


# --- on this computer


@needs_host
def test_rows_of_this_computer(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(made_up("bench", 5000))
    result = bench(
        HOST, "--sizes", "16,4K", "--flags", "-O0,-O2", "--repeats", "3", "--json", str(path)
    )
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert len(found["rows"]) == 2 * 2 * 2 * 2
    for row in found["rows"]:
        assert (row["unit"], row["extrapolated"]) == ("ns", False)
        assert 0 < row["min"] <= row["avg"]
    readings = [(row["bytes"], row["reading"]) for row in found["rows"][:4]]
    assert readings == [(16, "excluded"), (16, "included"), (4096, "excluded"), (4096, "included")]
    assert found["reading_is_null"] == {}
    assert len(found["operations"]) == 2 * 2 * 2
    assert 0 < found["provenance"][0]["processor_share"] <= 1
    assert "window with nothing in it takes" in found["provenance"][0]["clock"]


@needs_host
@pytest.mark.parametrize("core", ["mobile", "compact"])
def test_reading_reads_the_file(core: str, tmp_path: Path) -> None:
    """The output of calls that read is the encrypted file, regardless of memory contents."""
    path = tmp_path / "file"
    path.write_bytes(b"A" * 64)
    job = Job(platform_named(HOST), core, 128, "encrypt", "cbc", 48, ("-O0",), text=b"B" * 48)
    from_file = exercise_of(replace(job, text=b"A" * 48)).result
    with Child(program_of(job), exercise_of(job), path) as child:
        assert len(child.time(7).calls) == 7
        assert child.output() == exercise_of(job).result
        assert len(child.time(2, load=True).calls) == 2
        assert child.output() == from_file


@pytest.mark.parametrize(("had", "share"), [(60, 1.0), (100, 1.0), (25, 0.5)])
def test_time_that_others_took_shows(had: int, share: float) -> None:
    assert file_host.share([CallTimes(1, (10, 20), had), CallTimes(1, (30,), 5)]) == pytest.approx(
        share
    )


@needs_host
def test_a_file_that_shrinks_or_vanishes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"A" * 32)
    job = Job(platform_named(HOST), "compact", 128, "encrypt", "cbc", 48, ("-O0",))
    with (
        Child(program_of(job), exercise_of(job), path) as child,
        pytest.raises(ChildError, match="the file ended early"),
    ):
        child.time(1, load=True)
    path.unlink()
    with (
        Child(program_of(job), exercise_of(job), path) as child,
        pytest.raises(ChildError, match="the file cannot be opened"),
    ):
        child.time(1, load=True)


@needs_host
def test_a_wrong_result_on_this_computer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[[Job], Any] = exercise_of
    monkeypatch.setattr(
        file_host,
        "exercise_of",
        lambda job: replace(e := real(job), first=replace(e.first, out=bytes(len(e.first.out)))),
    )
    result = bench(HOST, "--sizes", "16", "--flags", "-O0", "--repeats", "1")
    with pytest.raises(RuntimeError, match="gives a wrong result for key-setup-encrypt"):
        raise result.exception or AssertionError


# --- on the emulator


class Unwatched(Machine):
    """Data accesses are not watched: fifteen times as fast, and enough where none has to wait."""

    def call(
        self,
        function: str | int,
        *arguments: int,
        memory: bool = False,
        record: bool = False,
        limit: int = LIMIT,
    ) -> Execution:
        return super().call(function, *arguments, memory=memory, record=record, limit=limit)


def whole(job: Job) -> int:
    """Cycles of a message that is run from its beginning to its end, its output checked."""
    machine = Unwatched(build.build(job).elf, job.platform)
    (run,) = firing_of(job).fire(machine, 0)
    model = timing_model(job.platform)
    instructions = decode_blocks(machine.code, run.profile.blocks, job.platform.isa)
    return cycles(model, run.profile, instructions, job.placed)


def test_the_extrapolation_is_what_a_whole_run_takes(
    slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """8 MiB in `make check-slow`; 16 KiB from sizes up to 1 KiB otherwise."""
    if not slow:
        monkeypatch.setattr(file_emulated, "LARGEST_RUN", 1 << 10)
    size = (8 << 20) if slow else 16 << 10
    platform = platform_named("arm7tdmi")
    if reason := why_not(platform):
        pytest.skip(reason)
    data = made_up("whole", size)
    asked = FileBench((platform,), ("mobile",), (("-O2",),), (1 << 10, size))
    found = file_emulated.run(
        platform, asked, FileSource(Path("none"), data, made=True), lambda done, total: None
    )
    small, large = found.rows
    assert (small.extrapolated, large.extrapolated) == (False, True)
    job = partial(asked.cbc, platform, "mobile", ("-O2",))
    assert whole(job(data[: 1 << 10])) == small.min
    assert whole(job(data)) == large.min
