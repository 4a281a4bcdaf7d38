# SPDX-License-Identifier: MIT
"""aes32 as Yosys makes it from cells of an iCE40, simulated with Yosys' own models of them."""

from pathlib import Path

from aesfit.hardware.simulate import Bench, icarus, modules
from aesfit.hardware.tools import RTL, yosys, yosys_share
from rtl import (
    BENCHES,
    answer,
    block_commands,
    expected,
    key_commands,
    run,
)

CELLS = ("ice40", "cells_sim.v")


def netlist(folder: Path) -> Path:
    """The synthesised core as Verilog; Yosys sees no absolute path below /tmp."""
    sources = modules(RTL / "aes32.v")
    for path in (*sources, *RTL.glob("*.vh")):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"))
    read = "read_verilog " + " ".join(path.name for path in sources)
    commands = f"{read}; synth_ice40 -top aes32; write_verilog -noattr netlist.v"
    yosys().run(["-q", "-p", commands], folder)
    return folder / "netlist.v"


def test_gate_level(tmp_path: Path) -> None:
    """Key set-up in hardware, both directions, three key sizes, with stalls."""
    lines, answers = ["s 3 0"], []
    for size in (16, 24, 32):
        key = bytes(range(size, 0, -1))
        lines += key_commands(key)
        for number in range(4):
            block, decrypt = bytes([number] * 15 + [size]), number % 2 == 1
            lines += block_commands(block, decrypt)
            answers.append(expected(key, block, decrypt))
    made = netlist(tmp_path)
    assert "SB_LUT4" in made.read_text(encoding="utf-8")
    sources = (made, yosys_share().joinpath(*CELLS))
    simulation = icarus(
        Bench(
            "aes32_tb",
            BENCHES / "aes32_tb.v",
            sources=sources,
            defines=("NETLIST", "NO_ICE40_DEFAULT_ASSIGNMENTS"),
        )
    )
    assert answer(run(simulation, lines, tmp_path)).data == answers
