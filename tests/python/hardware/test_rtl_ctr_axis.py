# SPDX-License-Identifier: MIT
"""The Verilog design aes_ctr_axis: messages of any length, by its bench and the C library."""

from pathlib import Path

import pytest
from few import slow_but

from rtl import SIMULATORS, bench, run, shipped, with_fault

CORES = [{"CORES": 3}, {"PAIRED": 1}, {"SBOX": "composite"}]


@pytest.mark.parametrize("parameters", slow_but(CORES[1:2], CORES), ids=str)
def test_over_every_core(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_ctr_axis_tb", **parameters))
    run(simulation, shipped("aes_ctr_axis"), tmp_path, verdict="PASS")


FAULTS = [
    ("behind_q <= pads;", "1'b0;"),
    ("behind_q == pads + One", "behind_q == One"),
    ("keep_q | {4{!last}}", "keep_q"),
    ("keep_q | {4{!last}}", "4'hf"),
    ("{8{m_axis_tkeep[1]}}", "8'hff"),
    ("(drops || m_axis_tready);", "m_axis_tready;"),
    ("s_axis_tlast != fourth", "s_axis_tlast && !fourth"),
    ("s_axis_tlast != fourth", "!s_axis_tlast && fourth"),
    ("keyed_q && key_left_q == 3'd0 &&", "key_left_q == 3'd0 &&"),
    ("keyed_q && key_left_q == 3'd0 &&", "keyed_q &&"),
    ("key_ready && !s_axis_key_tvalid", "key_ready"),
    ("      keyed_q  <= 1'b0;\n", ""),
    ("clear = !aresetn || erase", "clear = !aresetn"),
]


@pytest.mark.parametrize(("right", "wrong"), slow_but(FAULTS[:2], FAULTS))
def test_the_bench_finds_faults(tmp_path: Path, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "aes_ctr_axis_tb", ("aes_ctr_axis", right, wrong))
    run(SIMULATORS["icarus"](faulty), shipped("aes_ctr_axis"), tmp_path, verdict="FAIL")
