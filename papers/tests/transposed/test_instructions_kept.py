# SPDX-License-Identifier: MIT
"""The experiment on instructions for AES: its rows, the processor's Verilog and the page agree."""

import pytest
from places import ROOT

from aesfit.hardware.cpu import CPU
from aesfit.hardware.families import FAMILIES
from aesfit.hardware.instructions import INSTRUCTION_SETS, WITHOUT, block_cycles
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Row
from aesfit_papers.judging.run import stored
from aesfit_papers.judging.transposed import OWN_FLAGS

EXPERIMENT = experiment_named("transposed_instructions")


@pytest.fixture
def kept() -> dict[tuple[object, ...], Row]:
    """Rows of the experiment by core, direction and instructions."""
    found = stored(EXPERIMENT)
    assert found is not None
    return {(row["core"], row["direction"], row["instructions"]): row for row in found.rows}


def test_without_them_a_block_takes_what_the_timing_rules_say(
    kept: dict[tuple[object, ...], Row],
) -> None:
    """Those of rv32i, the same processor by rules, in the results of another experiment."""
    other = stored(experiment_named("transposed_table_2"))
    assert other is not None
    own = ("rv32i", OWN_FLAGS)
    ruled = {row["core"]: row for row in other.rows if (row["platform"], row["flags"]) == own}
    for core in ("transposed", "sbox_columns"):
        for direction in ("encrypt", "decrypt"):
            assert kept[core, direction, WITHOUT.name]["cycles"] == ruled[core][direction]


def test_the_page_has_these_figures(kept: dict[tuple[object, ...], Row]) -> None:
    """docs/silicon.md: cycles by instructions, and cells."""
    page = (ROOT / "docs/silicon.md").read_text(encoding="utf-8")
    for used in INSTRUCTION_SETS:
        blocks = [
            kept[core, direction, used.name]
            for direction in ("encrypt", "decrypt")
            for core in ("transposed", "sbox_columns")
        ]
        cells = " | ".join(f"{figure(row['cycles']):,.0f}" for row in blocks)
        luts = " | ".join(f"{blocks[0][f'luts_{family.name}']}" for family in FAMILIES)
        assert f"| {used.name} | {cells} | {luts} |" in page


def test_a_block_with_both_takes_what_was_kept(kept: dict[tuple[object, ...], Row]) -> None:
    """By the processor's Verilog; the others with --slow."""
    reason = why_not(platform_named(CPU))
    if reason:
        pytest.skip(reason)
    both = INSTRUCTION_SETS[-1]
    taken = block_cycles("transposed", "encrypt-block", both)
    assert taken == kept["transposed", "encrypt", both.name]["cycles"]


@pytest.mark.slow
def test_a_block_that_uses_them_is_aes_and_faster(kept: dict[tuple[object, ...], Row]) -> None:
    """By the processor's Verilog."""
    for (core, direction, name), row in kept.items():
        used = next(one for one in INSTRUCTION_SETS if one.name == name)
        assert block_cycles(str(core), f"{direction}-block", used) == row["cycles"]
