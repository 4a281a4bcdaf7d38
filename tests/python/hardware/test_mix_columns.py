# SPDX-License-Identifier: MIT
"""MixColumns and InvMixColumns as combinational modules, by columns and by rows."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from aesfit.building.tools import ToolFailedError
from aesfit.hardware import combinational
from aesfit.hardware.combinational import levels
from aesfit.hardware.families import ECP5
from rtl import SIMULATORS, mix_columns_lines, mixed, run, with_fault

FORMS = ("standard", "transposed", "transposed, one column", "transposed, one row")


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


def test_every_form_multiplies_as_the_standard_says() -> None:
    """0, every bit alone and random states: the forms are linear, so the bits decide."""
    lines = mix_columns_lines()
    assert len(lines) == 2 * 258
    assert {int(state, 16) for _, state, *_ in lines} >= {1 << bit for bit in range(128)}
    for inverse, state, *given in lines:
        data = bytes.fromhex(state)
        columns = (mixed(data[at : at + 4], inverse == "1") for at in range(0, 16, 4))
        wanted = b"".join(columns).hex()
        assert dict(zip(FORMS, given, strict=True)) == dict.fromkeys(FORMS, wanted), state


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
