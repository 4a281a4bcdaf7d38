# SPDX-License-Identifier: MIT
"""The winner run once more: its cycles by class, and its instructions beside its own sources."""

import json
import shutil
from pathlib import Path

import fakes
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

from aesfit.cli import app


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


def fit(platform: str, *options: str) -> Result:
    words = ["fit", "--platform", platform, "--bytes", "16", "--core", "compact", *options]
    return CliRunner().invoke(app, words)


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no compiler for Arm")
def test_the_cycles_of_the_winner_are_listed_beside_its_sources() -> None:
    done = fit("stm32f103", "--why", "--annotate", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    why, listed = told["why"], told["annotated"]
    assert why["cycles"] == told["winner"]["cycles"]
    assert why["waits"] > 0
    assert sum(one["cycles"] for one in listed) + why["waits"] == why["cycles"]
    assert any((one["file"] or "").startswith("lib/src/") for one in listed)
    assert why["classes"]["loads from flash"]["executed"] > 0


@pytest.mark.parametrize("option", ["--why", "--annotate"])
def test_a_platform_that_is_not_emulated_is_refused(tmp_path: Path, option: str) -> None:
    done = fit(fakes.pretend(tmp_path), option)
    assert done.exit_code == 2
    assert "known on emulated platforms alone" in " ".join(done.stderr.split())
    assert option in done.stderr
