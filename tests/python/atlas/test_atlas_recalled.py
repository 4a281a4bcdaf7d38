# SPDX-License-Identifier: MIT
"""Recipes are kept between runs, and made again as soon as any source has changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import small_atlas

from aesfit.atlas import keys, lines, look_up
from aesfit.atlas.keys import Recipe
from aesfit.building.sources import library_folder
from aesfit.store import closure, files, stamp, use


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files that were only just written count as settled."""
    monkeypatch.setattr(stamp, "_SETTLED_SECONDS", -60)
    stamp.stamp_of.cache_clear()
    yield
    stamp.stamp_of.cache_clear()


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    use.leave()


def test_the_stamp_covers_what_recipes_are_made_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every file that is read for a recipe lies below the paths that are stamped."""
    seen: set[Path] = set()
    contents = files.contents

    def noted(path: str | Path) -> files.Contents:
        seen.add(Path(path).resolve())
        return contents(path)

    monkeypatch.setattr(files, "contents", noted)
    closure.forget()
    look_up.forget()
    keys.recipe_of(small_atlas.asked_jobs(cores=["ttable1"]))
    folders = closure.PACKAGE, library_folder()
    assert len(seen) > 60
    assert [one for one in seen if not any(one.is_relative_to(path) for path in folders)] == []


def test_known_rows_need_no_source_the_second_time(
    cache_folder: Path, later: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    monkeypatch.setattr(look_up, "others", lambda *_: False)
    jobs = small_atlas.asked_jobs(cores=["ttable1"])
    monkeypatch.setattr(stamp, "_doubted", [])
    monkeypatch.setattr(look_up, "_recipes", {})
    before = look_up.known(jobs)
    assert None not in before.rows

    def unread(*_: object) -> Recipe:
        raise AssertionError("a source was read")

    monkeypatch.setattr(look_up, "recipe_of", unread)
    look_up._recipes.clear()
    assert look_up.known(jobs) == before
