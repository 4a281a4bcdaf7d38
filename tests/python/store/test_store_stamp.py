# SPDX-License-Identifier: MIT
"""The stamp of sources changes as soon as any of them does."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aesfit.store import closure, stamp, use
from aesfit.store.contents import Facts


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were only just written count as settled."""
    monkeypatch.setattr(stamp, "_SETTLED_SECONDS", -60)


def _stamp(folder: Path) -> str | None:
    stamp.stamp_of.cache_clear()
    return stamp.stamp_of(folder)


def _same_size_and_time(folder: Path) -> None:
    path = folder / "core.c"
    stat = path.stat()
    path.write_text("int b;")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "longer": lambda folder: (folder / "core.c").write_text("int a, b;"),
    "of the same size and time": _same_size_and_time,
    "new": lambda folder: (folder / "inner" / "new.h").write_text(""),
    "renamed": lambda folder: (folder / "core.c").rename(folder / "mode.c"),
    "removed": lambda folder: (folder / "inner" / "core.h").unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_changes_the_stamp(change: str, later: None, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "core.h").write_text("")
    (tmp_path / "core.c").write_text("int a;")
    before = _stamp(tmp_path)
    assert before == _stamp(tmp_path)
    CHANGES[change](tmp_path)
    assert None not in (before, _stamp(tmp_path))
    assert _stamp(tmp_path) != before


def test_bytecode_leaves_the_stamp_as_it_is(later: None, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("")
    before = _stamp(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "module.pyc").write_bytes(b"\0")
    assert _stamp(tmp_path) == before


def test_what_has_only_just_changed_has_no_stamp(tmp_path: Path) -> None:
    """It could change again within the same tick of the clock."""
    changed = tmp_path / "core.c"
    changed.write_text("")
    now = changed.stat().st_ctime
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: now + 0.5)
        assert _stamp(tmp_path) is None
        patch.setattr(time, "time", lambda: now + 1.5)
        assert _stamp(tmp_path) is not None


def test_what_cannot_be_looked_at_has_no_stamp(later: None, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("")
    assert _stamp(tmp_path) is not None
    (tmp_path / ".#module.py").symlink_to("user@host.1")  # as Emacs locks a file
    assert _stamp(tmp_path) is None
    assert _stamp(tmp_path / "removed.c") is None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(stamp, "_doubted", [])
    yield tmp_path / "cache"
    use.leave()


def test_facts_are_made_once_for_a_stamp(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make() -> Facts:
        made.append("")
        return {"fact": 1}

    for now, times in (("1", 1), ("1", 1), ("2", 2), (None, 3), (None, 4)):
        monkeypatch.setattr(stamp, "of_sources", lambda now=now: now)
        assert stamp.kept("recipes", ["question"], make) == {"fact": 1}
        assert len(made) == times
    monkeypatch.setattr(stamp, "of_sources", lambda: "1")
    stamp.kept("recipes", ["another question"], make)
    assert len(made) == 5


def test_a_cache_that_cannot_be_written_is_done_without(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("no folder")
    monkeypatch.setattr(stamp, "of_sources", lambda: "1")
    assert stamp.kept("recipes", ["question"], lambda: {"fact": 1}) == {"fact": 1}


def test_a_closure_is_followed_once(
    folder: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp.stamp_of.cache_clear()
    closure.digest.cache_clear()
    before = closure.digest("aesfit.units")

    def followed(*_: str) -> closure.Closure:
        raise AssertionError("a source was read")

    monkeypatch.setattr(closure, "closure", followed)
    closure.digest.cache_clear()
    assert closure.digest("aesfit.units") == before
    closure.forget()
    with pytest.raises(AssertionError, match="was read"):
        closure.digest("aesfit.units")
    stamp.stamp_of.cache_clear()


def test_another_version_of_a_package_is_another_digest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "aesfit.rigs.emulator.decode"
    before = closure.digest(name)
    closure.digest.cache_clear()
    monkeypatch.setattr(closure, "package_version", lambda _: "another")
    assert closure.digest(name) != before
    closure.digest.cache_clear()
