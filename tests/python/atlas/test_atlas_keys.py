# SPDX-License-Identifier: MIT
"""A line holds only for the sources that it was measured with: any change makes it unusable."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas
from places import ROOT

from aesfit.atlas import keys, look_up
from aesfit.atlas.lines import asked_of
from aesfit.jobs.job import Job, Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import at
from aesfit.store import closure, files

KINDS = {
    "a core": "lib/src/cores/ttable1.c",
    "what cores share": "lib/src/core.h",
    "a mode": "lib/src/modes/ctr.c",
    "the harness": "aesfit/building/firmware/harness.c",
    "the linker script": "aesfit/building/firmware/link.ld",
    "the build": "aesfit/building/toolchain.py",
    "the timing model": "aesfit/rigs/emulator/timing/cortex_m3.py",
    "the rig": "aesfit/rigs/emulator/rig.py",
    "the tracer": "aesfit/rigs/emulator/tracer/tracer.c",
    "the model of the flash": "aesfit/rigs/emulator/memory/read_ahead.c",
    "its parameters": "aesfit/rigs/emulator/memory/memory.h",
    "its register": "aesfit/rigs/emulator/memory/interfaces.def",
    "its binding": "aesfit/native/memory.cpp",
    "the model of caches": "aesfit/native/cache.cpp",
    "the reader of platforms": "aesfit/platforms/reading.py",
}
UNRELATED = (
    "lib/src/cores/fixslice.c",
    "lib/src/modes/gcm.c",
    "aesfit/rigs/emulator/timing/cortex_m4.py",
    "aesfit/cli/fit.py",
    "aesfit/choosing/ranking.py",
)


class Changer:
    """Takes the place of files.content(), and changes one file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.changed: Path | None = None
        self._content = files.content
        monkeypatch.setattr(files, "content", self)

    def __call__(self, path: Path) -> bytes:
        data = self._content(path)
        return data + b"\n" if path.resolve() == self.changed else data

    def key(self, changed: str | None = None, **other: object) -> str:
        self.changed = ROOT / changed if changed else None
        assert self.changed is None or self.changed.is_file()
        closure.forget()
        look_up.forget()
        return keys.recipe_of([replace(job, **other) for job in _jobs()]).key  # type: ignore[arg-type]


def _jobs() -> list[Job]:
    return small_atlas.asked_jobs(cores=["ttable1"])


@pytest.fixture
def changer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Changer]:
    yield Changer(monkeypatch)
    closure.forget()
    look_up.forget()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_source_is_in_the_key(kind: str, changer: Changer) -> None:
    assert changer.key(KINDS[kind]) != changer.key()


def test_what_figures_do_not_depend_on_is_not_in_the_key(changer: Changer) -> None:
    before = changer.key()
    assert [name for name in UNRELATED if changer.key(name) != before] == []


def test_the_key_covers_the_closure_of_stored_rows(changer: Changer) -> None:
    """Every file whose change gives the store another key gives the atlas another one too."""
    platform = platform_named(small_atlas.CHIP)
    stored = closure.closure(
        "aesfit.rigs.emulator.rig", f"aesfit.rigs.emulator.timing.{platform.timing}"
    )
    assert len(stored.files) > 60
    seen: set[Path] = set()
    contents = files.contents

    def noted(path: str | Path) -> files.Contents:
        seen.add(Path(path))
        return contents(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "contents", noted)
        changer.key()
    assert stored.files <= seen


def test_a_changed_chip_file_is_in_the_key(changer: Changer, tmp_path: Path) -> None:
    source = ROOT / "platforms" / "chips" / f"{small_atlas.CHIP}.toml"
    copy = tmp_path / source.name
    copy.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert changer.key(platform=platform_named(str(copy))) != changer.key()


def test_wait_states_and_placement_are_in_the_key_and_the_clock_is_not(changer: Changer) -> None:
    before, chip = changer.key(), platform_named(small_atlas.CHIP)
    assert changer.key(platform=at(chip, 71)) == before
    assert changer.key(platform=at(chip, 24)) != before
    assert changer.key(platform=at(chip, setting="reset")) != before
    assert changer.key(placement=Placement(tables="ram")) != before


def test_without_the_simulators_sources_nothing_is_known(
    changer: Changer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    changer.key()
    monkeypatch.setattr(keys, "_NATIVE", (tmp_path,))
    look_up.forget()
    with pytest.raises(keys.UnknownSourcesError, match=r"memory\.cpp"):
        keys.recipe_of(_jobs())
    job = _jobs()[0]
    assert look_up.recipe(asked_of(job, "both"), job) is None
