# SPDX-License-Identifier: MIT
"""aesfit silicon --plot: fronts of the Verilog cores, and the picture."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from aesfit.cli import app
from aesfit.hardware.rows import SiliconRow
from aesfit.report import picture, silicon_plot
from aesfit.report.silicon_plot import SiliconMark, front, staircase

SMALL = SiliconMark("small", 200, 300, 9000)
FAST = SiliconMark("fast", 900, 800, 9000)
WORSE = SiliconMark("worse", 950, 700, 9500)
LEAN = SiliconMark("lean", 950, 290, 100)
DRAWN = pytest.mark.skipif(picture.why_not() is not None, reason=str(picture.why_not()))


def row(design: str, family: str, luts: int, mhz: float | None) -> SiliconRow:
    return SiliconRow(design, family, luts, 0, 1, 4096, mhz, None, 40, {}, {}, "made up")


ROWS = [
    row("aes32_paper", "ecp5", 350, 60.0),
    row("aes32x2", "ecp5", 300, 110.0),
    row("aes32x2", "xc2vp", 300, None),
]


def test_the_front_counts_ram_too() -> None:
    assert front([SMALL, FAST, WORSE, LEAN]) == [SMALL, FAST, LEAN]
    assert front([SMALL, SMALL]) == [SMALL, SMALL]


def test_the_line_is_of_rate_and_look_up_tables() -> None:
    assert staircase([WORSE, LEAN, FAST, SMALL]) == [(200, 300), (900, 300), (900, 800)]


@DRAWN
def test_families_with_clocks_and_published_cores() -> None:
    text = silicon_plot.render(ROWS, ".svg").decode()
    assert text == silicon_plot.render(ROWS, ".svg").decode()
    for told in ("aes32x2", "aes32_paper", "LFE5U-45F", "Parikh and Patel, XC2VP30", "far below:"):
        assert told in text
    assert "iCE40" not in text
    assert "Virtex" not in text


@DRAWN
def test_the_verb_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aesfit.cli.silicon.rows", lambda question, progress: ROWS)
    file = tmp_path / "silicon.svg"
    done = CliRunner().invoke(app, ["silicon", "--plot", str(file), "--json"])
    assert done.exit_code == 0, done.output
    assert file.read_bytes() == silicon_plot.render(ROWS, ".svg")


def test_without_a_rate_nothing_is_drawn() -> None:
    with pytest.raises(ValueError, match="choose ecp5 or ice40 with --family"):
        silicon_plot.render(ROWS[2:], ".svg")
