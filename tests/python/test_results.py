# SPDX-License-Identifier: MIT
"""The store of measurements."""

import sqlite3
from pathlib import Path

import pytest
from fakes import job, row

from aesfit.measure import measure
from aesfit.results import Store, row_from_json, row_to_json
from aesfit.rigs import rig_named
from aesfit.rigs.fake import FakeRig
from aesfit.rigs.rig import Job, Progress, Row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "results.sqlite"


def unexpected(sentence: str) -> None:
    raise AssertionError(sentence)


def test_what_is_put_is_found(path: Path) -> None:
    store = Store(path, unexpected)
    store.put([("a", row()), ("b", row(cycles=1.5, cycles_median=2.5, stack_bytes=None))])
    store.put([("a", row(cycles=7))])
    again = Store(path, unexpected)
    assert again.find(["b", "c", "a"]) == {
        "a": row(cycles=7),
        "b": row(cycles=1.5, cycles_median=2.5, stack_bytes=None),
    }


def damage_everything(path: Path) -> None:
    path.write_bytes(b"no data base at all" * 100)


def damage_the_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)


def damage_a_row(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("UPDATE row_1 SET row = '{\"platform\": 3}'")
    base.close()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def retype(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("UPDATE row_1 SET row = '[1'")
    base.close()


@pytest.mark.parametrize(
    "damage", [damage_everything, damage_the_middle, damage_a_row, cut, retype]
)
def test_a_damaged_store_is_set_aside(path: Path, damage: object) -> None:
    assert callable(damage)
    Store(path, unexpected).put([("a", row())])
    damage(path)
    said: list[str] = []
    store = Store(path, said.append)
    assert store.find(["a"]) == {}
    assert len(said) == 1
    assert "damaged" in said[0]
    assert path.with_suffix(".damaged").exists()
    store.put([("a", row())])
    assert Store(path, unexpected).find(["a"]) == {"a": row()}


def test_a_folder_in_its_place_is_told(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(OSError, match="cannot be used"):
        Store(path).find(["a"])


def test_rows_survive_json() -> None:

    assert row_from_json(row_to_json(row())) == row()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Jobs that the fake rig is asked to run from now on."""
    asked: list[Job] = []
    run = FakeRig.measure

    def count(self: FakeRig, jobs: list[Job], progress: Progress) -> list[Row]:
        asked.extend(jobs)
        return run(self, jobs, progress)

    monkeypatch.setattr(FakeRig, "measure", count)
    return asked


def test_a_second_run_is_taken_from_the_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = counted(monkeypatch)
    jobs = [job(core=core) for core in ("transposed", "fixslice", "compact")]
    seen: list[tuple[int, int]] = []
    first = measure(jobs, store=Store(path), progress=lambda *at: seen.append(at))
    assert [r.core for r in first if isinstance(r, Row)] == ["transposed", "fixslice", "compact"]
    assert seen[-1] == (3, 3)
    assert len(asked) == 3
    assert measure(jobs, store=Store(path)) == first
    assert len(asked) == 3
    assert measure(jobs, store=Store(path), fresh=True) == first
    assert len(asked) == 6


def test_each_fact_of_a_job_is_in_its_key() -> None:
    rig = rig_named("fake")
    jobs = [job(), job(core="compact"), job(bytes=16), job(flags=("-Os",)), job(op="encrypt")]
    assert len({rig.key(one) for one in jobs}) == len(jobs)
