# SPDX-License-Identifier: MIT
"""Sweeps: no row lost or doubled when stopped in any way; failures recorded in their rows."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

import sweep_fakes
from places import ROOT
from sweep_fakes import CORES, PLATFORMS, deadly, designs, formula, logged, read_log

from aesfit.platforms.platform import Platform
from aesfit.sweep import run
from aesfit.sweep.columns import COLUMNS, NAMES
from aesfit.sweep.point import Chunk, Evaluator, Figures, SweepPoint
from aesfit.sweep.run import Summary, sweep
from aesfit.sweep.runners import Dask, Local, Runner
from aesfit.sweep.store import SweepStore
from aesfit.sweep.table import read

DOCS = ROOT / "docs" / "sweep.md"


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run, "_CHUNK", {"model": 3})
    monkeypatch.setenv("AESFIT_TEST_LOG", str(tmp_path / "log"))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FileIO]:
    """A pipe: each byte written to it lets the evaluator `logged` do one chunk."""
    os.mkfifo(tmp_path / "gate")
    monkeypatch.setenv("AESFIT_TEST_GATE", str(tmp_path / "gate"))
    with FileIO(tmp_path / "gate", "r+") as pipe:
        yield pipe


def swept(
    points: Sequence[SweepPoint],
    output: Path,
    evaluator: Evaluator,
    runner: Runner | None = None,
    **options: Any,  # noqa: ANN401 - of sweep()
) -> Summary:
    return sweep(
        points,
        PLATFORMS,
        output,
        evaluators={"model": evaluator},
        runner=runner or Local(1),
        **options,
    )


def rows_of(output: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read(output).to_pylist()
    return rows


def check_whole(points: Sequence[SweepPoint], output: Path) -> None:
    """A row for each point, in order, with its figure; nothing left beside the table."""
    rows = rows_of(output)
    assert [row["key"] for row in rows] == [point.key for point in points]
    assert [row["cycles"] for row in rows] == [one["cycles"] for one in formula(points)]
    assert {row["error"] for row in rows} == {None}
    assert sorted(path.name for path in output.parent.iterdir() if path.suffix) == [output.name]


class Stopping:
    """Evaluates chunks up to a number of them, then is interrupted; keeps count."""

    def __init__(self) -> None:
        self.left = 0
        self.seen: Counter[str] = Counter()

    def __call__(self, platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        self.seen.update(point.key for point in points)
        return formula(points)


DAMAGE = ("none", "scrap", "again", "torn")


def damage(how: str, store: SweepStore) -> int:
    """What a kill or a fault may leave behind; returns the points that it lost."""
    parts = sorted(store.parts.glob("*.parquet"))
    if how == "scrap":
        store.parts.mkdir(exist_ok=True)
        (store.parts / ".part.parquet.x").write_bytes(b"PAR1")
    if how == "again" and parts:  # the same rows once more under another name
        (store.parts / "copy.parquet").write_bytes(parts[0].read_bytes())
    if how == "torn" and parts:
        elsewhere = {row["key"] for path in parts[:-1] for row in rows_of(path)}
        lost = {row["key"] for row in rows_of(parts[-1])} - elsewhere
        parts[-1].write_bytes(parts[-1].read_bytes()[:-9])
        return len(lost)
    return 0


@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(stops=st.lists(st.tuples(st.integers(0, 6), st.sampled_from(DAMAGE)), max_size=4))
def test_interrupted_sweeps_lose_and_double_nothing(
    stops: list[tuple[int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    output = tmp_path_factory.mktemp("sweep") / "out.parquet"
    points, evaluator, lost = designs(4), Stopping(), 0
    for chunks, how in stops:
        evaluator.left = chunks
        try:
            swept(points, output, evaluator)
        except KeyboardInterrupt:
            lost += damage(how, SweepStore(output))
    evaluator.left = -1
    summary = swept(points, output, evaluator)
    assert summary.kept + summary.evaluated == summary.points == len(points)
    check_whole(points, output)
    assert sum(evaluator.seen.values()) == len(points) + lost


def test_parts_left_by_a_kill_after_the_end_change_nothing(tmp_path: Path) -> None:
    output, points, evaluator = tmp_path / "out.parquet", designs(2), Stopping()
    evaluator.left = -1
    swept(points, output, evaluator)
    store = SweepStore(output)
    store.parts.mkdir()
    (store.parts / "left.parquet").write_bytes(output.read_bytes())
    assert swept(points, output, evaluator).evaluated == 0
    check_whole(points, output)


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    output, points, evaluator = tmp_path / "out.parquet", designs(3), Stopping()
    evaluator.left = -1
    assert swept(points[:6], output, evaluator).evaluated == 6
    summary = swept(points, output, evaluator)  # the spec grew
    assert (summary.kept, summary.evaluated) == (6, 6)
    assert set(evaluator.seen.values()) == {1}
    check_whole(points, output)
    assert swept(points, output, evaluator, fresh=True).evaluated == 12


def test_other_inputs_are_evaluated_again(tmp_path: Path) -> None:
    output, points = tmp_path / "out.parquet", designs(2)
    swept(points, output, lambda platform, points: [{"cycles": -1.0} for _ in points])
    changed = {"fake": replace(PLATFORMS["fake"], sha256="1" * 64)}
    summary = sweep(
        points,
        changed,
        output,
        evaluators={"model": lambda platform, points: formula(points)},
        runner=Local(1),
    )
    assert (summary.kept, summary.evaluated, summary.stale) == (0, len(points), len(points))
    check_whole(points, output)


def test_an_output_of_other_designs_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "out.parquet"
    swept(designs(3), output, lambda platform, points: formula(points))
    before = output.read_bytes()
    with pytest.raises(ValueError, match=r"holds 4 designs that are not asked for.*--fresh"):
        swept(designs(2), output, logged)
    assert output.read_bytes() == before


def test_two_sweeps_do_not_write_one_output(tmp_path: Path) -> None:
    store = SweepStore(tmp_path / "out.parquet")
    with store.locked(), pytest.raises(OSError, match="another sweep is writing"):
        swept(designs(1), store.output, logged)


def test_failures_are_recorded_and_stop_nothing(tmp_path: Path) -> None:
    def picky(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
        if points[0].core == "ttable1":
            raise ValueError("no ttable1 today")
        if points[0].core == "ttable4":
            raise ZeroDivisionError
        return [
            {"error": "an odd one"} if (point.calls or 0) % 2 else {"cycles": 1.0}
            for point in points
        ]

    output, points = tmp_path / "out.parquet", designs(4)
    summary = swept(points, output, picky)
    assert summary.failures == {
        "an odd one": 4,
        "no ttable1 today": 4,
        "ZeroDivisionError: ": 4,
    }
    rows = rows_of(output)
    assert all((row["error"] is None) != (row["cycles"] is None) for row in rows)
    assert swept(points, output, picky).evaluated == 0
    retried = swept(points, output, lambda platform, points: formula(points), retry=True)
    assert (retried.evaluated, retried.failed) == (12, 0)


def test_a_process_that_dies_costs_its_design_alone(tmp_path: Path) -> None:
    output, points = tmp_path / "out.parquet", designs(4)
    summary = swept(points, output, deadly, Local(2))
    assert summary.failures == {"the process that evaluated it died": 1}
    rows = rows_of(output)
    dead = [(row["core"], row["calls"]) for row in rows if row["error"]]
    assert dead == [("ttable1", 3)]
    assert [row["key"] for row in rows] == [point.key for point in points]


def test_a_killed_sweep_goes_on_where_it_was(gate: FileIO, tmp_path: Path) -> None:
    """Four chunks of two are let through; it is killed while its processes wait for more."""
    output, points = tmp_path / "out.parquet", designs(10)
    command = [sys.executable, sweep_fakes.__file__, str(output)]
    helpers = {**os.environ, "PYTHONPATH": str(ROOT / "tests" / "python")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=helpers) as process:
        assert process.stdout is not None
        gate.write(bytes(4))
        assert "8\n" in process.stdout
        process.kill()
        # Its processes hold its output, which ends only when the last of them has.
        assert process.stdout.read() == ""
    before = [key for key, _ in read_log()]
    assert len(before) == len(set(before)) == 8
    assert read_parts(output) == set(before)
    gate.write(bytes(len(points)))
    subprocess.run(command, check=True, env=helpers)
    check_whole(points, output)
    times = Counter(key for key, _ in read_log())
    assert times == dict.fromkeys((point.key for point in points), 1)


def read_parts(output: Path) -> set[str]:
    keys: set[str] = set()
    for path in SweepStore(output).parts.glob("*.parquet"):
        keys.update(row["key"] for row in rows_of(path))
    return keys


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_loses_and_doubles_nothing(
    gate: FileIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("aesfit.sweep.runners._PATIENCE_SECONDS", 1e6)
    output, points = tmp_path / "out.parquet", designs(30)
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:

        def kill(done: int, total: int) -> None:
            """When all that was let through is done: a process that did some of it."""
            if done == total // 4:
                killed.append(int(read_log()[0][1]))
                os.kill(killed[0], signal.SIGKILL)
                gate.write(bytes(total))

        gate.write(bytes(len(points) // 4 // 3))
        summary = swept(points, output, logged, Dask(cluster.scheduler_address), progress=kill)
    assert len(killed) == 1
    assert summary.evaluated == len(points)
    check_whole(points, output)
    assert {int(process) for _, process in read_log()} > set(killed)


def test_a_cluster_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("aesfit.sweep.runners._PATIENCE_SECONDS", 0.2)
    with pytest.raises(
        OSError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .*start one"
    ):
        swept(designs(1), tmp_path / "out.parquet", formula_of, Dask("tcp://127.0.0.1:9"))


def test_what_is_no_address_is_told(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(OSError, match=r"'x y' is no address .*such as tcp://127.0.0.1:8786"):
        swept(designs(1), tmp_path / "out.parquet", formula_of, Dask("x y"))


def formula_of(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    return formula(points)


def test_another_aesfit_on_a_worker_stops_the_sweep() -> None:
    chunk = Chunk(PLATFORMS["fake"], tuple(designs(1)[:1]), "")
    with pytest.raises(run.CodeDiffersError, match="another version of aesfit"):
        run.evaluate(chunk, evaluators={"model": formula_of}, code="other")


def test_keys_tell_designs_apart() -> None:
    points = designs(5)
    assert len({point.key for point in points}) == len(points) == 5 * len(CORES)
    assert (
        points[0].key == designs(5)[0].key == "a38a3f287119dac3d42e885b89f71cbf"
    )  # stored tables depend on it


def test_keys_cover_the_columns_of_a_design() -> None:
    point = replace(designs(1)[0], mode="gcm", bytes=16, ghash="shift32", family="ecp5")
    assert set(point.columns()) == set(NAMES[1 : NAMES.index("family") + 1])
    assert None not in point.columns().values()


def test_columns_are_documented_as_they_are() -> None:
    lines = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    documented = {name.strip("`"): (unit, meaning) for name, unit, meaning in cells}
    assert documented == {column.name: (column.unit, column.meaning) for column in COLUMNS}
    assert list(documented) == list(NAMES)


@pytest.mark.parametrize(
    "arguments",
    [
        ["sweep", "spec.toml", "-o", "out.parquet"],
        ["sweep", "front", "out.parquet", "--x", "cycles", "--y", "flash"],
    ],
    ids=" ".join,
)
def test_without_the_extra_one_sentence_says_how_to_get_it(
    arguments: list[str], tmp_path: Path
) -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('pyarrow', 'distributed', 'dask')))\n"
        "from aesfit.cli import main; main()"
    )
    for name in ("spec.toml", "out.parquet"):
        (tmp_path / name).touch()
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    needs = "aesfit: a sweep's table needs the Python package pyarrow; install with: "
    assert done.stderr.startswith(needs)
    assert done.stderr.endswith("pip install 'aesfit[sweep]'\n")


def test_a_cluster_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(OSError, match=r"a Dask cluster needs .*pip install 'aesfit\[sweep\]'"):
        swept(designs(1), tmp_path / "out.parquet", formula_of, Dask("tcp://127.0.0.1:9"))
