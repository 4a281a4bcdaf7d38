# SPDX-License-Identifier: MIT
"""Building by clang in the place of gcc, and rows of experiments that were built so."""

import os
import shutil
import subprocess
import sys

import pytest

from aesfit.building.build import build, compiler_version
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.catalog import experiment_named, folder
from aesfit_papers.judging.rebuilt import CLANG, built_by_clang, rebuildable
from aesfit_papers.judging.run import judged, stored

KEPT = sorted(f"{path.parts[-3]}_{path.stem}" for path in folder().glob("*/results_clang/*.csv"))


@pytest.mark.parametrize("name", ["cortex-m3", "arm9tdmi", "rv32i"])
def test_images_are_compiled_by_clang_and_then_by_gcc_again(name: str) -> None:
    job = Job(platform_named(name), "transposed", 128, "encrypt-block")
    path = os.environ["PATH"]
    with built_by_clang():
        assert "clang" in compiler_version(job.platform)
        image = build(job)
        assert "clang" in image.compiler
    assert os.environ["PATH"] == path
    assert "clang" not in compiler_version(job.platform)
    other = build(job)
    assert "clang" not in other.compiler
    assert other.elf.read_bytes() != image.elf.read_bytes()
    assert other.sources_sha256 == image.sources_sha256


def test_without_clang_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == CLANG else found(name))
    with pytest.raises(RuntimeError, match="sudo apt-get install clang"), built_by_clang():
        pass


def test_some_rows_are_kept() -> None:
    assert KEPT


@pytest.mark.parametrize("name", KEPT)
def test_rows_by_clang_answer_the_same_claims(name: str) -> None:
    one = experiment_named(name)
    assert rebuildable(one)
    by_gcc, by_clang = stored(one), stored(one, CLANG)
    assert by_gcc is not None
    assert by_clang is not None
    assert any(": Debian clang" in line or ": clang" in line for line in by_clang.provenance)
    assert not any("-gcc (" in line for line in by_clang.provenance)
    places = [set(each.claim.found) for each in judged(one, by_gcc.rows)]
    assert [set(each.claim.found) for each in judged(one, by_clang.rows)] == places


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_rows_by_clang_follow_from_the_code(name: str) -> None:
    """In a process of its own: this one may have figures by gcc in its memory."""
    again = (sys.executable, "-m", "aesfit", "papers", "check", name, "--clang")
    done = subprocess.run(again, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
