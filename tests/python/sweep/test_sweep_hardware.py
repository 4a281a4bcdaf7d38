# SPDX-License-Identifier: MIT
"""Hardware and soft CPUs in the table of a sweep, and on one front with software."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("pyarrow")

from fakes import PLATFORM
from places import ROOT

from aesfit.cli import app
from aesfit.hardware.netlist import CellCounts
from aesfit.platforms.toml_file import Quantity
from aesfit.sweep import synthesised
from aesfit.sweep.evaluate import EVALUATORS
from aesfit.sweep.front import complete, fronts
from aesfit.sweep.point import SweepPoint
from aesfit.sweep.run import _priced, sweep
from aesfit.sweep.runners import Local
from aesfit.sweep.spec import read_spec
from aesfit.sweep.synthesised import family_platform
from aesfit.sweep.table import Arrow, read
from aesfit.wlan.hardware import HardwareRow

HARDWARE = HardwareRow("aes_ccm", "ecp5", 7520.0, 80e6, 1000, 400, 9)


@pytest.fixture(autouse=True)
def no_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(synthesised, "hardware_rows", lambda families, design: [HARDWARE])
    monkeypatch.setattr(synthesised, "_cpu_counts", lambda cpu, family: CellCounts(3000, 1800, 10))
    monkeypatch.setattr("aesfit.sweep.run.synthesis_inputs", lambda point: "inputs")


def swept(tmp_path: Path) -> Arrow:
    """A design, and one core on a made-up platform, plain and as a soft CPU of the family."""
    packet: Any = {"mode": "ccmp", "bytes": 1504}
    points = [
        SweepPoint("synthesised", "ecp5", "aes_ccm", 128, "encrypt", **packet, family="ecp5"),
        SweepPoint("measured", "fake", "ttable1", 128, "encrypt", **packet),
        SweepPoint("synthesised", "fake", "ttable1", 128, "encrypt", **packet, family="ecp5"),
    ]
    platforms = {"ecp5": family_platform("ecp5"), "fake": PLATFORM}
    output = tmp_path / "out.parquet"
    done = sweep(points, platforms, output, evaluators=EVALUATORS, runner=Local(1))
    assert not done.failures
    return read(output)


def test_hardware_and_software_in_one_table(tmp_path: Path) -> None:
    hard, soft, on_family = swept(tmp_path).to_pylist()
    assert (hard["platform"], hard["family"], hard["core"]) == ("ecp5", "ecp5", "aes_ccm")
    assert hard["cycles"] == 7520
    assert hard["time"] == pytest.approx(94)
    assert hard["clock"] == hard["max_clock"] == 80
    assert (hard["luts"], hard["flip_flops"], hard["block_ram_bits"]) == (1000, 400, 9 * 18432)
    assert hard["flash"] is None
    assert soft["time"] == pytest.approx(soft["cycles"] / 100)
    assert soft["luts"] is None
    assert on_family["cycles"] == soft["cycles"]
    assert on_family["luts"] == 3000
    assert on_family["time"] is None
    assert len({row["key"] for row in (hard, soft, on_family)}) == 3


def test_a_front_compares_what_has_both_figures(tmp_path: Path) -> None:
    table = swept(tmp_path)
    (cells,) = fronts(complete(table, ["cycles", "luts"]), ["cycles", "luts"], ["family"])
    assert cells.points == 2
    assert [row["core"] for row in cells.rows] == ["aes_ccm"]
    result = CliRunner().invoke(
        app, ["sweep", "front", str(tmp_path / "out.parquet"), "--x", "time", "--y", "luts"]
    )
    assert "1 of 1 designs" in result.stdout
    assert "2 more have no figures there" in result.stdout


def test_energy_is_cycles_by_the_price_of_one() -> None:
    priced = replace(PLATFORM, energy=Quantity(2000, "pJ", "made up"))
    assert _priced(priced, {"cycles": 500.0})["energy"] == pytest.approx(1.0)
    assert _priced(PLATFORM, {"cycles": 500.0}) == {"clock": 100, "time": 5.0}
    assert _priced(PLATFORM, {"error": "no"}) == {}


def test_the_example_is_read() -> None:
    spec = read_spec(ROOT / "sweeps" / "wlan.toml")
    made = [point for point in spec.points if point.method == "synthesised"]
    designs = [point for point in made if point.core == "aes_ccm"]
    assert [point.platform for point in designs] == ["xc2vp", "ecp5", "ice40"]
    assert {point.family for point in made} == {"xc2vp", "ecp5", "ice40"}
    assert all((point.mode, point.bytes, point.op) == ("ccmp", 1504, "encrypt") for point in made)


def test_cores_of_blocks_and_of_counter_mode(tmp_path: Path) -> None:
    """Each in its own mode, so that nobody takes them for the packets of aes_ccm."""
    path = tmp_path / "spec.toml"
    names = ["aes32_paper", "aes32x2", "aes_ctr_paired", "aes_gcm", "aes_ccm"]
    text = f'[[sweep]]\nmethod = "synthesised"\nfamilies = ["ecp5"]\ndesigns = {names}\n'
    path.write_text(text, encoding="utf-8")
    points = read_spec(path).points
    assert [point.core for point in points] == names
    assert [point.mode for point in points] == ["ecb", "ecb", "ctr", "gcm", "ccmp"]
    assert {point.bytes for point in points} == {1504}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('families = ["ecp6"]', "ecp5"),
        ('designs = ["aes_gcn"]', "aes_gcm"),
        ('platforms = ["cortex-m3"]', "no Verilog"),
        ('modes = ["ecb"]', "not for synthesised"),
        ("luts = 3", "luts"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(f'[[sweep]]\nmethod = "synthesised"\n{line}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=sentence) as caught:
        read_spec(path)
    assert "spec.toml:3" in str(caught.value)


def test_families_are_for_this_method_alone(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    text = '[[sweep]]\nmethod = "measured"\nplatforms = ["cortex-m3"]\nfamilies = ["ecp5"]\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="synthesised points alone"):
        read_spec(path)
