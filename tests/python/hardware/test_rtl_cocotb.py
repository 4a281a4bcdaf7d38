# SPDX-License-Identifier: MIT
"""The designs around the Verilog core, driven from Python by cocotb with random pauses.

The tests of a design stand in tests/rtl/cocotb_*.py and run inside the simulator, Icarus Verilog
and Verilator, with --slow; the benches in Verilog are the quick tests.
"""

import os
from pathlib import Path

import pytest

from aesfit.building.tools import verilator
from aesfit.hardware.tools import RTL
from rtl import BENCHES, TOOLS

pytestmark = pytest.mark.slow
DESIGNS = {"aes_ccm": "cocotb_ccm"}
MANY_CORES = {"aes32_parallel": "cocotb_parallel", "aes_ctr": "cocotb_ctr"}


@pytest.fixture(params=["icarus", "verilator"])
def simulator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A simulator that the runner finds, and the folders of the modules that it will import."""
    name = str(request.param)
    if name == "verilator":
        tool = verilator()
        monkeypatch.setenv("PATH", f"{Path(tool.command[0]).parent}:{os.environ['PATH']}")
        for variable, value in tool.environment.items():
            monkeypatch.setenv(variable, value)
    for folder in (TOOLS, BENCHES):
        monkeypatch.syspath_prepend(str(folder))
    return name


def simulate(folder: Path, simulator: str, top: str, slow: bool, **parameters: int) -> None:
    """Build a design and run its tests; any that fails ends in SystemExit."""
    from cocotb_tools.runner import get_runner  # installed for slow tests alone

    runner = get_runner(simulator)
    runner.build(
        sources=sorted(RTL.glob("*.v")),
        includes=[RTL],
        hdl_toplevel=top,
        parameters=parameters,
        build_dir=folder,
        build_args=["-g2005"] if simulator == "icarus" else ["-Wno-fatal", "-Wno-lint"],
        timescale=("1ns", "1ps"),
    )
    runner.test(
        test_module=(DESIGNS | MANY_CORES)[top],
        hdl_toplevel=top,
        build_dir=folder,
        test_dir=folder,
        seed=1,
        extra_env={"AESFIT_SLOW": "1" if slow else ""},
    )


@pytest.mark.parametrize("top", DESIGNS)
def test_around_one_core(tmp_path: Path, simulator: str, slow: bool, top: str) -> None:
    simulate(tmp_path, simulator, top, slow)


@pytest.mark.parametrize("top", MANY_CORES)
@pytest.mark.parametrize("cores", [1, 2, 4])
def test_many_cores(tmp_path: Path, simulator: str, slow: bool, top: str, cores: int) -> None:
    simulate(tmp_path, simulator, top, slow, CORES=cores)


def test_counter_mode_over_two_blocks_on_one_path(
    tmp_path: Path, simulator: str, slow: bool
) -> None:
    simulate(tmp_path, simulator, "aes_ctr", slow, PAIRED=1)
