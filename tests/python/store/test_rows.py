# SPDX-License-Identifier: MIT
"""The store of measurements."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from fakes import job, row

from aesfit.jobs.job import Job, Progress, Row
from aesfit.measuring.measure import measure
from aesfit.rigs import rig_named
from aesfit.rigs.fake import FakeRig
from aesfit.store.contents import CacheError, cache_folder
from aesfit.store.rows import RowStore, row_from_json, row_to_json


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "results.sqlite"


def unexpected(sentence: str) -> None:
    raise AssertionError(sentence)


def test_what_is_put_is_found(path: Path) -> None:
    store = RowStore(path, unexpected)
    store.put([("a", row()), ("b", row(cycles=1.5, cycles_median=2.5, stack_bytes=None))])
    store.put([("a", row(cycles=7))])
    again = RowStore(path, unexpected)
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


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def another_table(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("DROP TABLE row_2")
        base.execute("CREATE TABLE row_2 (other)")
    base.close()


@pytest.mark.parametrize("damage", [damage_everything, damage_the_middle, cut, another_table])
def test_a_damaged_store_is_set_aside(path: Path, damage: object) -> None:
    assert callable(damage)
    RowStore(path, unexpected).put([("a", row())])
    damage(path)
    said: list[str] = []
    store = RowStore(path, said.append)
    assert store.find(["a"]) == {}
    assert len(said) == 1
    assert "damaged" in said[0]
    assert path.with_suffix(".damaged").exists()
    store.put([("a", row())])
    assert RowStore(path, unexpected).find(["a"]) == {"a": row()}


NESTED = "[" * 20_000 + "]" * 20_000
EDITS: dict[str, Callable[[str], str | bytes]] = {
    "negative cycles": lambda text: text.replace('"cycles": ', '"cycles": -'),
    "another shape": lambda text: '{"platform": 3}',
    "no JSON": lambda text: "[1",
    "nested deeply": lambda text: NESTED,
    "oversized": lambda text: text + " " * (1 << 22),
    "nothing": lambda text: "",
    "not text": lambda text: b"\xff\xfe",
}


def edit(path: Path, change: Callable[[str], str | bytes], *, sealed: bool) -> None:
    """Change row `a`; `sealed` makes its digest anew, as who knows how may."""
    with closing(sqlite3.connect(path)) as base, base:
        ((text,),) = base.execute("SELECT row FROM row_2 WHERE key = 'a'").fetchall()
        row = change(text)
        base.execute("UPDATE row_2 SET row = CAST(? AS TEXT) WHERE key = 'a'", (row,))
        if sealed and isinstance(row, str):
            seal = sha256(f"a\n{row}".encode()).hexdigest()
            base.execute("UPDATE row_2 SET sha256 = ? WHERE key = 'a'", (seal,))


@pytest.mark.parametrize(
    ("name", "sealed"),
    [(name, False) for name in EDITS]
    + [(name, True) for name in EDITS if name != "negative cycles"],
    ids=str,
)
def test_an_edited_row_is_not_served(path: Path, name: str, sealed: bool) -> None:
    """Where row and digest were edited to agree, what is no row is not served either."""
    RowStore(path, unexpected).put([("a", row()), ("b", row(cycles=7))])
    edit(path, EDITS[name], sealed=sealed)
    said: list[str] = []
    store = RowStore(path, said.append)
    assert store.find(["a", "b"]) == {"b": row(cycles=7)}
    assert said == [f"the store {path} held 1 row that was changed or damaged, so measured again"]
    store.put([("a", row())])
    assert RowStore(path, unexpected).find(["a"]) == {"a": row()}


def test_an_edited_row_is_measured_again(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [job(), job(core="compact")]
    rows = measure(jobs, store=RowStore(path))
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE row_2 SET row = replace(row, '\"cycles\": ', '\"cycles\": -')")
    assert measure(jobs, store=RowStore(path)) == rows
    assert capsys.readouterr().err == (
        f"aesfit: the store {path} held 2 rows that were changed or damaged, so measured again\n"
    )
    assert measure(jobs, store=RowStore(path, unexpected)) == rows


def test_a_row_counts_under_its_own_key_alone(path: Path) -> None:
    RowStore(path, unexpected).put([("a", row()), ("b", row(cycles=7))])
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE row_2 SET key = 'c' WHERE key = 'a'")
    said: list[str] = []
    assert RowStore(path, said.append).find(["c"]) == {}
    assert len(said) == 1


def test_rows_of_versions_before_are_dropped(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE row_1 (key TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT")
        base.execute("INSERT INTO row_1 VALUES ('a', ?)", (row_to_json(row()),))
    assert RowStore(path, unexpected).find(["a"]) == {}
    with closing(sqlite3.connect(path)) as base:
        tables = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [("row_2",)]


def last_used(path: Path) -> int:
    with closing(sqlite3.connect(path)) as base:
        return int(base.execute("SELECT used FROM row_2").fetchone()[0])


def set_used(path: Path, used: float) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE row_2 SET used = ?", (int(used),))


def test_the_last_use_is_recorded_once_an_hour(path: Path) -> None:
    store = RowStore(path, unexpected)
    store.put([("a", row())])
    put = last_used(path)
    for ago, renewed in ((0, False), (600, False), (7200, True), (-7200, True)):
        set_used(path, put - ago)
        assert store.find(["a"]) == {"a": row()}
        assert (last_used(path) >= put) == (renewed or ago == 0)
        assert last_used(path) <= put + 3600


def test_rows_that_are_not_used_are_pruned(path: Path) -> None:
    store = RowStore(path, unexpected)
    store.put([("a", row())])
    set_used(path, 1000)
    store.put([("b", row())])
    assert store.prune(1000) == 0
    assert store.prune(1001) == 1
    assert store.count() == 1
    assert store.find(["a", "b"]) == {"b": row()}


def test_an_oversized_row_can_be_pruned(path: Path) -> None:
    store = RowStore(path, unexpected)
    store.put([("a", row()), ("b", row())])
    edit(path, EDITS["oversized"], sealed=False)
    assert store.prune(float("inf")) == 2
    assert store.count() == 0


def as_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def without_journal(path: Path) -> None:
    """Where the journal would be is a folder; this stops root too, unlike permissions."""
    path.with_name(path.name + "-journal").mkdir()


@pytest.mark.parametrize("spoil", [as_a_folder, without_journal])
def test_what_cannot_be_used_is_told_once_and_done_without(path: Path, spoil: object) -> None:
    assert callable(spoil)
    RowStore(path, unexpected).put([("a", row())])
    spoil(path)
    said: list[str] = []
    store = RowStore(path, said.append)
    store.put([("b", row())])
    store.put([("c", row())])
    assert store.find(["b", "c"]) == {}
    assert len(said) == 1
    assert said[0].endswith("so nothing is kept; choose another folder: export AESFIT_CACHE=FOLDER")


def test_a_locked_store_loses_no_measurement(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aesfit.store.rows._PATIENCE_SECONDS", 0.01)
    RowStore(path, unexpected).put([("a", row())])
    said: list[str] = []
    with closing(sqlite3.connect(path)) as base:
        base.execute("BEGIN EXCLUSIVE")
        assert measure([job()], store=RowStore(path, said.append)) == [row()]
    assert len(said) == 1
    assert "database is locked" in said[0]


def test_a_cache_that_cannot_be_made_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="choose another: export AESFIT_CACHE=FOLDER"):
        RowStore()


def test_a_relative_cache_is_where_the_user_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AESFIT_CACHE", "here")
    assert cache_folder() == tmp_path / "here"


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
    first = measure(jobs, store=RowStore(path), progress=lambda *at: seen.append(at))
    assert [r.core for r in first if isinstance(r, Row)] == ["transposed", "fixslice", "compact"]
    assert seen[-1] == (3, 3)
    assert len(asked) == 3
    assert measure(jobs, store=RowStore(path)) == first
    assert len(asked) == 3
    assert measure(jobs, store=RowStore(path), fresh=True) == first
    assert len(asked) == 6


def test_each_fact_of_a_job_is_in_its_key() -> None:
    rig = rig_named("fake")
    jobs = [job(), job(core="compact"), job(bytes=16), job(flags=("-Os",)), job(op="encrypt")]
    assert len({rig.key(one) for one in jobs}) == len(jobs)
