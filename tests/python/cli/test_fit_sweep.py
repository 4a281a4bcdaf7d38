# SPDX-License-Identifier: MIT
"""`aesfit fit --clock sweep`: table, JSON and picture, and what belongs to one clock."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app

ASK = ("fit", "--platform", "stm32f103", "--core", "transposed", "--bytes", "16", "--mode", "ctr")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*ASK, "--clock", "sweep", *words])


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no cross-compiler")
def test_it_prints_tells_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "clock.svg"
    text = run("--plot", str(picture))
    assert text.exit_code == 0, text.output
    assert text.stdout.startswith("STM32F103 over its clock: AES-128 in ctr")
    assert "fastest at 72 MHz" in text.stdout
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    points = json.loads(run("--json").stdout)["points"]
    assert [one["wait_states"] for one in points] == sorted(one["wait_states"] for one in points)
    assert {one["wait_states"] for one in points} == {0, 1, 2}
    cycles = [one["cycles"] for one in points]
    assert cycles == sorted(cycles), "the loss never falls when wait states rise"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--platform", "cortex-m3"), "cortex-m3 has no wait states by clock; name a chip"),
        (("--emit", "here"), "name one clock with --emit"),
        (("--html", "page.html"), "name one clock with --html"),
    ],
)
def test_what_belongs_to_one_clock_is_refused(words: tuple[str, ...], told: str) -> None:
    found = run(*words)
    assert found.exit_code == 2
    assert told in " ".join(found.stderr.replace("│", " ").split())
