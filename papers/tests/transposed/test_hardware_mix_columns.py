# SPDX-License-Identifier: MIT
"""The experiment on MixColumns in hardware: its rows, the modules and the page agree."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

from aesfit.hardware.families import FAMILIES
from aesfit.hardware.synthesis import read_commands
from aesfit.hardware.tools import yosys
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.steps import INV_MIX, Steps
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.run import stored
from rtl import mix_columns_lines

EXPERIMENT = experiment_named("transposed_hardware_mix_columns")
FIGURES = sys.modules[EXPERIMENT.rows.__module__]


def test_the_library_says_the_same() -> None:
    """Its own MixColumns of words, row 0 in the low byte, compiled and run on an emulator."""
    steps = Steps(platform_named("rv32i"))
    for inverse, state, given, *_ in mix_columns_lines()[::8]:
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
