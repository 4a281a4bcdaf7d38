# SPDX-License-Identifier: MIT
"""Micro-tests of the timing model of Hazard3: every rule."""

import pytest
from test_timing_rv32imc import MANIPULATIONS, USE, case, over, plain
from timing_cases import Case, check, check_coverage

from aesfit.rigs.emulator.timing import hazard3

LOAD, PREDICTED = "wait for a load", "predicted branch"
BEHIND, HALVES = "behind a mispredicted branch", "wait for a word in a loop"
CASES = [
    *plain(1, 1, 1, 19),
    MANIPULATIONS,
    case("fence", "fence", 1),
    case("control register", "csrr x5, mstatus\ncsrci mstatus, 8\ncsrw mscratch, x6", 3),
    case(
        "dividend", "div x5, x6, x7 @ operand 72 8\ndivu x5, x6, x7 @ operand 9 8", 39, "20 and 19"
    ),
    case(LOAD, f"lw x5, 0(x10)\n{USE}", 3, "1 + 1 for the wait + 1"),
    case(LOAD, "lw x5, 0(x10)\nsw x6, 0(x5)", 3, "an address"),
    case(PREDICTED, over("bne x5, x6, 1f @ predicted"), 2, "1 + 1"),
    case(PREDICTED, "bne x5, x6, 1f @ predicted\nadd x5, x6, x7\n1: add x5, x6, x7", 4, "2 + 2"),
    case(HALVES, f"c.nop\n{over('beq x5, x6, 1f @ predicted')}", 4, "1 + 1 + 1 + 1"),
    case(BEHIND, "c.beqz x8, 1f @ predicted\nadd x5, x6, x7\n1: c.nop", 5, "2 + 1 + 1 + 1"),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.rule}-{one.note}")
def test_a_rule_gives_the_cycles_of_the_data_sheet(one: Case) -> None:
    check(hazard3.MODEL, one)


def test_every_rule_has_a_case() -> None:
    check_coverage(hazard3.MODEL, CASES)
