# SPDX-License-Identifier: MIT
"""The benches of tests/rtl: each finds its core right, and faults wrong.

What they are told is made by tools/bench_vectors.py.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from few import slow_but

from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import (
    BENCHES,
    COMMANDS,
    SIMULATORS,
    TOOLS,
    VECTORS,
    bench,
    listed,
    preloaded,
    random_works,
    run,
    shipped,
    vectors,
    with_fault,
)

Case = tuple[str, dict[str, int | str]]
PLAIN: list[Case] = [(top, {}) for top in VECTORS]
VARIANTS: list[Case] = [
    ("aes32_parallel", {"CORES": 3}),
    ("aes_ctr", {"CORES": 2}),
    ("aes_ctr", {"PAIRED": 1}),
]
CASES = [*PLAIN, ("aes32", {"SBOX": "composite"}), *VARIANTS]


def verdict(simulation: Tool, *arguments: str) -> str:
    """The last line that a bench prints."""
    said = simulation.run(arguments).splitlines()
    return next(line for line in reversed(said) if line.startswith(("PASS", "FAIL")))


def test_the_files_of_all_benches(tmp_path: Path) -> None:
    """FuseSoC calls the script so; what stands in its files is what the tests run."""
    command = [sys.executable, str(TOOLS / "bench_vectors.py"), str(tmp_path)]
    subprocess.run(command, check=True)
    written = {one.stem: tuple(one.read_text().splitlines()) for one in tmp_path.iterdir()}
    assert written == {name: vectors(name) for name in COMMANDS.MADE}
    assert {*VECTORS.values()} <= {*written}


@pytest.mark.parametrize(
    ("top", "parameters"), slow_but(PLAIN, CASES), ids=lambda value: str(value)
)
def test_passes(tmp_path: Path, top: str, parameters: dict[str, int | str]) -> None:
    run(SIMULATORS["icarus"](bench(f"{top}_tb", **parameters)), shipped(top), tmp_path, "PASS")


@pytest.mark.parametrize(
    ("top", "parameters"), slow_but(VARIANTS, CASES), ids=lambda value: str(value)
)
def test_passes_under_verilator(tmp_path: Path, top: str, parameters: dict[str, int | str]) -> None:
    simulation = SIMULATORS["verilator"](bench(f"{top}_tb", **parameters))
    run(simulation, shipped(top), tmp_path, "PASS")


@pytest.mark.parametrize("top", VECTORS)
def test_nothing_to_compare_is_a_failure(tmp_path: Path, top: str) -> None:
    simulation = SIMULATORS["icarus"](bench(f"{top}_tb"))
    empty = tmp_path / "empty"
    empty.touch()
    assert "no +commands" in verdict(simulation)
    assert "cannot open" in verdict(simulation, f"+commands={tmp_path}/none")
    assert "nothing to compare" in verdict(simulation, f"+commands={empty}")
    empty.write_text("q 0 0 0\n")
    assert "a command that is none" in verdict(simulation, f"+commands={empty}")


def test_erasing_leaves_no_expanded_key_either(tmp_path: Path) -> None:
    """Where software expands keys; the bench finds a key that is left."""
    works = random_works(3, 5, 2)
    lines = [*preloaded(works), "z 9 0", *preloaded(works)]
    run(SIMULATORS["icarus"](bench("aes32_tb", KEY_EXPANSION=0)), lines, tmp_path, "PASS")
    fault = ("aes32_key_load", "    if (erasing_o) write_data_o <= 32'd0;", "")
    faulty = with_fault(tmp_path, "aes32_tb", fault, KEY_EXPANSION=0)
    run(SIMULATORS["icarus"](faulty), lines, tmp_path, "FAIL")


@pytest.mark.parametrize("top", VECTORS)
def test_fusesoc_gets_every_file(tmp_path: Path, top: str) -> None:
    """The files that the cores list are enough for the bench, headers included."""
    files = listed(f"{top}_tb")
    assert all(path.is_file() for path in files)
    file = BENCHES / f"{top}_tb.v"
    assert files >= {file, *modules(file)}
    headers = {path for path in RTL.glob("*.vh") if path in files}
    named = {
        RTL / name
        for path in files
        for name in re.findall(r'`include "(.*)"', path.read_text(encoding="utf-8"))
    }
    assert headers == named
    sources = tuple(
        sorted((path for path in files - {file} if path.suffix == ".v"), key=lambda one: one.stem)
    )
    simulation = SIMULATORS["icarus"](Bench(file.stem, file, sources=sources))
    run(simulation, shipped(top), tmp_path, verdict="PASS")


@pytest.mark.parametrize(
    "path", [*RTL.glob("*.core"), *BENCHES.glob("*.core")], ids=lambda p: p.name
)
def test_a_core_is_what_fusesoc_reads(path: Path) -> None:
    """No colon in a description; and no default, which FuseSoC would hand to every top above."""
    text = path.read_text(encoding="utf-8")
    said = re.findall(r"^ *description: (.*)", text, re.MULTILINE)
    assert said
    assert not any(": " in one for one in said)
    verilog = [
        part for part in re.split(r"^  (?=\w)", text, flags=re.MULTILINE) if "vlogparam" in part
    ]
    assert not any("default:" in part for part in verilog)
