# SPDX-License-Identifier: MIT
"""MixColumns and InvMixColumns as combinational modules, by columns and by rows."""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from places import ROOT

from aesfit.building.tools import ToolFailedError
from aesfit.hardware import combinational
from aesfit.hardware.combinational import levels
from aesfit.hardware.families import ECP5, FAMILIES
from aesfit.hardware.synthesis import read_commands
from aesfit.hardware.tools import yosys
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.steps import INV_MIX, Steps
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.run import stored
from rtl import SIMULATORS, bench, mixed, printed, run, with_fault

EXPERIMENT = experiment_named("transposed_hardware_mix_columns")
FIGURES = sys.modules[EXPERIMENT.rows.__module__]
FORMS = ("standard", "transposed", "transposed, one column", "transposed, one row")


@pytest.fixture(scope="module")
def lines() -> list[list[str]]:
    """What the bench prints: inverse or not, the state, the result of each form."""
    said = printed(SIMULATORS["icarus"](bench("mix_columns_tb")))
    assert said[-1] == "PASS 258 states"
    return [line.split()[1:] for line in said if line.startswith("mix ")]


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("aes_mix_column_standard", "8'h1b", "8'h1d"),
        ("aes_inv_mix_column_standard", "8'h1b", "8'h1d"),
        ("aes_inv_mix_columns_standard", "columns_i[32*c", "columns_i[32*(c/2)"),
        ("aes_mix_columns_transposed", "8'h1b", "8'h0b"),
        ("aes_inv_mix_row_transposed", "8'h1b", "8'h0b"),
    ],
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "mix_columns_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), [], tmp_path, verdict="FAIL")


def test_every_form_multiplies_as_the_standard_says(lines: list[list[str]]) -> None:
    """0, every bit alone and random states: the forms are linear, so the bits decide."""
    assert len(lines) == 2 * 258
    assert {int(state, 16) for _, state, *_ in lines} >= {1 << bit for bit in range(128)}
    for inverse, state, *given in lines:
        data = bytes.fromhex(state)
        columns = (mixed(data[at : at + 4], inverse == "1") for at in range(0, 16, 4))
        wanted = b"".join(columns).hex()
        assert dict(zip(FORMS, given, strict=True)) == dict.fromkeys(FORMS, wanted), state


def test_the_library_says_the_same(lines: list[list[str]]) -> None:
    """Its own MixColumns of words, row 0 in the low byte, compiled and run on an emulator."""
    steps = Steps(platform_named("rv32i"))
    for inverse, state, given, *_ in lines[::8]:
        words = [bytes.fromhex(state)[at : at + 4] for at in range(0, 16, 4)]
        ran = steps.run(
            "inv_mix_columns" if inverse == "1" else "mix_columns",
            (*(int.from_bytes(word, "little") for word in words), 0, 0, 0, 0),
        )
        assert b"".join(word.to_bytes(4, "little") for word in ran.words[:4]).hex() == given


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FIGURES.FORMS)))
def test_every_form_is_sums_of_as_many_bits_as_it_says(number: int, tmp_path: Path) -> None:
    """Nothing but XOR is in it, so what holds of every bit alone holds of every state.

    A sum of bytes is 8 XORs; a doubling adds the highest bit to three others.
    """
    form = FIGURES.FORMS[number]
    design = form.design
    for path in design.sources:
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"))
    steps = f"hierarchy -top {design.top}; proc; flatten; simplemap; opt_expr; clean"
    yosys().run(["-q", "-p", f"{read_commands(design)}{steps}; write_json made.json"], tmp_path)
    made = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))["modules"][design.top]
    kinds = Counter(cell["type"] for cell in made["cells"].values())
    del kinds["$scopeinfo"]
    doublings, sums = form.operations()
    assert kinds == {"$_XOR_": 3 * doublings + 8 * sums}


def test_results_have_the_operations_of_every_head() -> None:
    """And in 128 bits those that the paper counts, a word being four bytes."""
    kept, counts = stored(EXPERIMENT), stored(experiment_named("transposed_operation_counts"))
    assert kept is not None
    assert counts is not None
    found = {(row["module"], row["bits"]): (row["doublings"], row["sums"]) for row in kept.rows}
    assert found == {(form.top, form.bits): form.operations() for form in FIGURES.FORMS}
    printed = [row for row in counts.rows if row["published_sums"] is not None]
    assert printed
    for row in printed:
        top = f"aes_{'inv_' if row['step'] == INV_MIX else ''}mix_columns_"
        top += "transposed" if row["form"] == "transposed" else "standard"
        words = (row["published_doublings"], row["published_sums"])
        assert found[top, 128] == tuple(4 * int(str(each)) for each in words)


def test_the_page_has_these_figures() -> None:
    """docs/silicon.md, its table of forms."""
    kept = stored(EXPERIMENT)
    assert kept is not None
    page = (ROOT / "docs/silicon.md").read_text(encoding="utf-8")
    for row in kept.rows:
        if row["form"] in ("standard", "transposed"):
            luts = " | ".join(str(row[f"luts_{family.name}"]) for family in FAMILIES)
            area, delay = figure(row["smallest_area_um2"]), figure(row["smallest_delay_ns"])
            line = rf"\| {row['step']} \| {row['bits']} \|.*"
            cells = re.escape(f"| {luts} | {area:,.0f} | {delay:.2f} |")
            assert re.search(line + cells, page), row


def test_levels_of_a_netlist() -> None:
    """A chain of two tables, the second reading an input too; a table beside it; a wire."""

    def table(*inputs: int, output: int) -> dict[str, Any]:
        directions = {"A": "input", "Z": "output"}
        connections = {"A": list(inputs), "Z": [output]}
        return {"type": "LUT4", "port_directions": directions, "connections": connections}

    cells = {"a": table(1, 2, output=3), "b": table(3, 1, output=4), "c": table(2, output=5)}
    ports = {"i": {"direction": "input", "bits": [1, 2]}}
    whole = {"cells": cells, "ports": ports | {"o": {"direction": "output", "bits": [4, 5, 1]}}}
    beside = {"cells": cells, "ports": ports | {"o": {"direction": "output", "bits": [5]}}}
    wires = {"cells": {}, "ports": {"o": {"direction": "output", "bits": ["0"]}}}
    assert [levels(one, ECP5) for one in (whole, beside, wires)] == [2, 1, 0]


LIBRARY = """
library (made_up) {
cell (INVX1) {
  cell_footprint : "inv";
  area : 16;
  pin (A) { capacitance : 0.1; area_not_this : 9; }
}
cell (XOR2X1) {
  area : 56.5;
}
}
"""
"""Two cells as a library of gates describes them."""


def test_areas_are_those_of_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made_up.lib").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.setattr(combinational, "library", lambda suffix: tmp_path / f"made_up{suffix}")
    assert combinational._areas.__wrapped__() == {"INVX1": 16.0, "XOR2X1": 56.5}


def slowest(said: str, patch: pytest.MonkeyPatch) -> float:
    """The delay that is read from what OpenSTA says."""
    patch.setattr(combinational, "sta", lambda: SimpleNamespace(run=lambda *_: said))
    patch.setattr(combinational, "library", lambda suffix: Path(__file__))
    made = SimpleNamespace(top="made_up", verilog="")
    return combinational._slowest(made)  # type: ignore[arg-type]


@pytest.mark.parametrize(("slack", "delay"), [("999.1697", 0.8303), ("998", 2.0), ("0.5", 999.5)])
def test_a_delay_is_what_the_clock_leaves(
    slack: str, delay: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slowest(f"OpenSTA 2.0\nworst slack {slack}\n", monkeypatch) == delay


@pytest.mark.parametrize("said", ["worst slack INF", "worst slack -0.1", "Error: no library"])
def test_no_delay_is_a_failure(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path, one beyond the longest clock, or no answer."""
    with pytest.raises(ToolFailedError, match="OpenSTA reported no delay"):
        slowest(said, monkeypatch)
