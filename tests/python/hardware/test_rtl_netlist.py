# SPDX-License-Identifier: MIT
"""aes32 and aes32x2 as Yosys makes them from cells of an iCE40, simulated with Yosys' models."""

from pathlib import Path

import pytest

from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, Parameters, icarus, modules
from aesfit.hardware.synthesis import set_parameters
from aesfit.hardware.tools import RTL, yosys, yosys_share
from rtl import (
    BENCHES,
    SIZES,
    Work,
    answer,
    expanded,
    judged,
    preloaded,
    run,
)

pytestmark = pytest.mark.slow
CELLS = ("ice40", "cells_sim.v")


def netlist(folder: Path, top: str, parameters: Parameters) -> Path:
    """The synthesised core as Verilog; Yosys sees no absolute path below /tmp."""
    sources = sorted({RTL / f"{top}.v", *modules(RTL / f"{top}.v")})
    for path in (*sources, *RTL.glob("*.vh")):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"))
    read = "read_verilog " + " ".join(path.name for path in sources)
    made = [f"synth_ice40 -top {top}", "write_verilog -noattr netlist.v"]
    commands = [read, *set_parameters(top, parameters), *made]
    yosys().run(["-q", "-p", "; ".join(commands)], folder)
    return folder / "netlist.v"


def gates(folder: Path, top: str, **parameters: int) -> Tool:
    """The bench of a core over its gates, both with these parameters."""
    made = netlist(folder, top, parameters)
    assert "SB_LUT4" in made.read_text(encoding="utf-8")
    sources = (made, BENCHES / "stream_driver.v", yosys_share().joinpath(*CELLS))
    defines = ("NETLIST", "NO_ICE40_DEFAULT_ASSIGNMENTS")
    file = BENCHES / f"{top}_tb.v"
    return icarus(Bench(file.stem, file, parameters, sources=sources, defines=defines))


@pytest.fixture
def blocks(slow: bool) -> int:
    """Of each key."""
    return 4 if slow else 2


@pytest.fixture
def works(blocks: int) -> list[Work]:
    """Three key sizes, both directions."""
    return [
        (bytes(range(size, 0, -1)), bytes([number] * 15 + [size]), number % 2 == 1)
        for size in SIZES
        for number in range(blocks)
    ]


def test_gate_level(works: list[Work], tmp_path: Path) -> None:
    """Key set-up in hardware, with stalls."""
    lines = ["s 3 0", *expanded(works)]
    said = run(gates(tmp_path, "aes32"), lines, tmp_path, verdict="PASS")
    assert answer(said).data == judged(works)


@pytest.mark.parametrize("expansion", [0, 1])
def test_gate_level_of_two_blocks(works: list[Work], tmp_path: Path, expansion: int) -> None:
    """Both ways of key set-up, with stalls, and after erasing again."""
    lines = [*(expanded(works) if expansion else preloaded(works))]
    lines = ["s 3 0", *lines, "w 200 0", "z 0 0", *lines]
    simulation = gates(tmp_path, "aes32x2", KEY_EXPANSION=expansion)
    said = run(simulation, lines, tmp_path, verdict="PASS")
    assert answer(said).data == 2 * judged(works)
