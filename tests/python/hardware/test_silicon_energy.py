# SPDX-License-Identifier: MIT
"""aesfit silicon --energy: changes of nets, their power, and software beside hardware."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import aesfit.hardware.energy as module
from aesfit.building.tools import ToolMissingError
from aesfit.cli import app
from aesfit.hardware import tools
from aesfit.hardware.activity import toggles
from aesfit.hardware.cpu import CPU
from aesfit.hardware.designs import design_named
from aesfit.hardware.energy import EnergyRow, energy_rows, software
from aesfit.hardware.gates import MHZ, Circuit, Gates, gates, library, models
from aesfit.hardware.power import activity_per_cycle, power
from aesfit.hardware.tools import RTL
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named


def lacking() -> str | None:
    """What is not there."""
    try:
        for tool in (tools.yosys, tools.iverilog, tools.vvp, tools.sta):
            tool()
        library(".lib")
    except ToolMissingError as missing:
        return str(missing)
    return None


SYNTHESIS = pytest.mark.skipif(lacking() is not None, reason=str(lacking()))
"""Of slow tests alone: requirements/slow.txt has the tools."""
COUNTER = """
module counter (input clk_i, input rst_ni, output reg [3:0] value_o);
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) value_o <= 4'd0; else value_o <= value_o + 4'd1;
endmodule
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Gates:
    file = tmp_path_factory.mktemp("gates") / "counter.v"
    file.write_text(COUNTER)
    return gates(Circuit("counter", (file,), {}))


def bits(made: Gates, name: str) -> list[object]:
    found = made.module["netnames"][name]["bits"]
    assert isinstance(found, list)
    return found


def test_changes_are_counted_bit_by_bit_until_the_dump_ends() -> None:
    nets = {"a": {"bits": [2]}, "b": {"bits": [3, 4]}, "other": {"bits": [2]}}
    dump = """$var wire 1 ! a $end
$var wire 2 " b [1:0] $end
$var wire 1 # elsewhere $end
$dumpvars
x!
b0 "
1#
$end
#5
0!
b10 "
#10
1!
b1 "
0#
#15
0!
bx "
$dumpoff
1!
b11 "
"""
    counted = toggles(dump.splitlines(), nets)
    assert counted == {2: 2, 3: 1, 4: 2}


def test_flip_flops_of_the_models_begin_as_zero() -> None:
    """And each is defined once, beside all other cells of the library."""
    text = models()
    assert [text.count(f"module {name} ") for name in ("DFFPOSX1", "DFFSR", "NAND2X1")] == [1, 1, 1]
    assert text.count("initial Q = 1'b0;") == 2


@SYNTHESIS
@pytest.mark.slow
def test_power_follows_changes(counter: Gates) -> None:
    clock, value = bits(counter, "clk_i")[0], bits(counter, "value_o")
    cycles = 16
    still = power(counter, {}, cycles)
    busy = power(counter, dict.fromkeys(value, cycles), cycles)
    half = power(counter, dict.fromkeys(value, cycles // 2), cycles)
    assert still.leakage_watts == busy.leakage_watts > 0
    assert half.watts - still.watts == pytest.approx((busy.watts - still.watts) / 2, rel=0.01)
    # Flip-flops draw from their clock alone.
    assert 0.1 < still.watts / busy.watts < 0.9
    assert power(counter, {clock: 2 * cycles}, cycles) == still
    assert 0 < still.slack_ns < 1000 / MHZ


TREE = """
module tree (input clk_i, input [31:0] data_i, input [1:0] at_i, output reg odd_o);
  wire [31:0] word;
  {source}
  always @(posedge clk_i) odd_o <= ^word ^ (word[7:0] == word[15:8]);
endmodule
"""
RAM = """aes32_word_ram #(.ADDRESS_BITS(2)) u_ram (
      .clk_i(clk_i), .write_i(at_i[0]), .write_address_i(at_i), .data_i(data_i),
      .read_i(1'b1), .read_address_i(at_i), .data_o(word)
  );"""
REGISTER = "reg [31:0] word_q; always @(posedge clk_i) word_q <= data_i; assign word = word_q;"


def logic_watts(folder: Path, source: str) -> float:
    """What gates draw, not flip-flops, when each changes in every cycle."""
    file = folder / "tree.v"
    file.write_text(TREE.format(source=source))
    made = gates(Circuit("tree", (file,), {}, (RTL / "aes32_word_ram.v",)))
    driven = [
        cell["connections"]["Y"][0]
        for cell in made.module["cells"].values()
        if "Y" in cell["connections"]
    ]
    assert len(driven) > 32
    return power(made, dict.fromkeys(driven, 1), 1).watts - power(made, {}, 1).watts


@SYNTHESIS
@pytest.mark.slow
def test_gates_behind_a_ram_cost_what_they_cost_behind_a_register(tmp_path: Path) -> None:
    """Without a driver their inputs would have no slope, and they would cost next to nothing."""
    behind_ram, behind_register = (logic_watts(tmp_path, one) for one in (RAM, REGISTER))
    assert behind_ram == pytest.approx(behind_register, rel=0.02)


@SYNTHESIS
@pytest.mark.slow
def test_bits_of_rams_left_out_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "tree.v"
    file.write_text(TREE.format(source=RAM))
    made = gates(Circuit("tree", (file,), {}, (RTL / "aes32_word_ram.v",)))
    assert made.memory_bits == 4 * 32


@SYNTHESIS
@pytest.mark.slow
def test_activity_is_the_mean_over_outputs(counter: Gates) -> None:
    everything = {
        net: 8
        for cell in counter.module["cells"].values()
        for connected in cell["connections"].values()
        for net in connected
    }
    assert activity_per_cycle(counter, everything, 16) == 0.5
    assert activity_per_cycle(counter, {}, 16) == 0


def row(name: str, kind: str, watts: float, cycles: int) -> EnergyRow:
    return EnergyRow(name, kind, 100, None, cycles, 0.1, watts, 1e-9, 200.0, {})


def test_joules_are_power_times_time() -> None:
    one = row("made up", "hardware", 0.05, 64)
    assert one.pj_per_bit == pytest.approx(0.05 * 64 / (MHZ * 1e6) / 128 * 1e12)
    assert one.uj_per_packet == pytest.approx(one.pj_per_bit * 1504 * 8 * 1e-6)
    assert {"pj_per_bit", "uj_per_packet", "technology"} <= set(one.json())


def test_the_table_compares_and_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [row("aes32", "hardware", 0.04, 40), row("bytewise", "software", 0.02, 4000)]
    monkeypatch.setattr("aesfit.cli.silicon_energy.energy_rows", lambda *_, **__: found)
    words = CliRunner().invoke(app, ["silicon", "--energy"]).stdout
    assert "bytewise takes 50 times the energy of aes32." in words
    assert "180 nm" in words
    assert "Out: synchronous RAM" in words
    given = CliRunner().invoke(app, ["silicon", "--energy", "--json"]).stdout
    assert [one["kind"] for one in json.loads(given)] == ["hardware", "software"]


@SYNTHESIS
@pytest.mark.slow
def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("aesfit.hardware.gates._LIBRARY", tmp_path)
    with pytest.raises(ToolMissingError, match="apt-get install qflow-tech-osu018"):
        module.check_tools()


@SYNTHESIS
@pytest.mark.slow
def test_hardware_and_software_in_one_technology() -> None:
    """Gates of a processor, simulated for minutes."""
    found = energy_rows([design_named("aes32_paper")], lambda done, total: None)
    paper, *software = found
    assert paper.cycles_per_block == 87
    # The processor as gates takes the cycles that its Verilog and its timing rules say.
    assert [one.cycles_per_block for one in software] == [3739, 4503]
    assert all(one.pj_per_bit > 10 * paper.pj_per_bit for one in software)
    assert 100 < paper.pj_per_bit < 1000


@SYNTHESIS
@pytest.mark.slow
def test_software_at_a_level_takes_the_cycles_of_the_verilog() -> None:
    """Gates of a processor, simulated for a minute."""
    flags = ("-O2",)
    job = Job(platform_named(CPU), "ttable4_wide", 128, "encrypt-block", flags=flags)
    (counted,) = measure([job])
    assert isinstance(counted, Row)
    found = software(job.core, flags=flags)
    assert found.cycles_per_block == counted.cycles
    assert found.cycles_per_block != software(job.core).cycles_per_block
