# SPDX-License-Identifier: MIT
"""Micro-tests of the timing models of Ibex and CV32E40P: every rule."""

import pytest
from timing_cases import Case, check, check_coverage

from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.timing import (
    cv32e40p,
    ibex_maxperf,
    ibex_maxperf_b,
    ibex_small,
    ibex_small_b,
)
from aesfit.rigs.emulator.timing.model import TimingModel

USE = "add x6, x5, x7"
NOT_TAKEN = "bne x5, x6, 1f\nadd x5, x6, x7\n1: add x5, x6, x7"
LOAD = "wait for a load"
HAZARD = "wait for a load, or of a register jump for its register"


def over(jump: str) -> str:
    """A jump over one full instruction to another; behind a compressed one it lies in two words."""
    return f"{jump}\nadd x5, x6, x7 @ unreached\n1: add x5, x6, x7"


def case(rule: str, assembly: str, cycles: int, note: str = "", isa: Isa = "rv32im") -> Case:
    return Case(rule, isa, assembly, cycles, note)


def plain(access: int, multiply: int, high: int, divide: int) -> list[Case]:
    """Of the rules that all three have."""
    return [
        case("data processing", "add x5, x6, x7", 1),
        case("load", "lw x5, 0(x10)", access),
        case("store", "sw x5, 0(x10)", access),
        case("multiply", "mul x5, x6, x7", multiply),
        case("multiply, upper word", "mulhu x5, x6, x7", high),
        case("divide", "divu x5, x6, x7", divide),
        case("branch", NOT_TAKEN, 3, "1 each"),
        case("jump, call or return", over("jal x0, 1f"), 3, "2 + 1"),
        case("target across words", over("c.j 1f"), 4, "2 + 1 for the second word + 1"),
    ]


UNLESS_ZERO = [
    case("divisor", "divu x5, x6, x7 @ operand 32 1\nrem x5, x6, x7 @ operand 0 224", 74, "37 each")
]
SHIFTED = [
    case("divide", "divu x5, x6, x7 @ operand 1 32\ndiv x5, x6, x7 @ operand 1 224", 6, "none"),
    case(
        "divisor", "divu x5, x6, x7 @ operand 9 8\ndiv x5, x6, x7 @ operand 9 72", 53, "24 and 23"
    ),
    case("divisor", "rem x5, x6, x7 @ operand 9 201", 3 + 23, "-256 has 8 bits beside its sign"),
]
IBEX_SYSTEM = [
    case("fence", "fence\nfence", 2),
    case("control register", "csrr x5, mstatus\ncsrci mstatus, 8\ncsrw mscratch, x6", 3),
    case("control register with a flush", "csrw mstatus, x6\ncsrsi mie, 8", 6),
]
WAIT = case(LOAD, f"lw x5, 0(x10)\n{USE}", 3, "1 + 1 for the wait + 1")
ROTATIONS = case("rotate", "rol x5, x6, x7\nror x5, x6, x7\nrori x5, x6, 8", 6, "2 each", "rv32imb")
MANIPULATIONS = case(
    "data processing",
    "andn x5, x6, x7\nrev8 x5, x6\nsh2add x5, x6, x7\nbexti x5, x6, 31",
    4,
    "1 each",
    "rv32imb",
)

CASES: list[tuple[TimingModel, list[Case]]] = [
    (ibex_small.MODEL, [*plain(2, 3, 4, 2), *UNLESS_ZERO, *IBEX_SYSTEM]),
    (ibex_maxperf.MODEL, [*plain(1, 1, 2, 2), *UNLESS_ZERO, *IBEX_SYSTEM, WAIT]),
    (
        ibex_small_b.MODEL,
        [*plain(2, 3, 4, 2), *UNLESS_ZERO, *IBEX_SYSTEM, ROTATIONS, MANIPULATIONS],
    ),
    (
        ibex_maxperf_b.MODEL,
        [*plain(1, 1, 2, 2), *UNLESS_ZERO, *IBEX_SYSTEM, WAIT, ROTATIONS, MANIPULATIONS],
    ),
    (
        cv32e40p.MODEL,
        [
            *plain(1, 1, 5, 3),
            *SHIFTED,
            case("fence", "fence\nfence", 8),
            case("control register", "csrr x5, mie\ncsrw mscratch, x6", 2),
            case("control register with a flush", "csrr x5, mstatus\ncsrci mstatus, 8", 8),
            case("behind a fence across words", "c.nop\nfence\nadd x5, x6, x7", 7, "1 + 4 + 2"),
            case("control register with a flush", over("csrr x5, mepc\njal x0, 1f"), 7, "4 + 3"),
            case(HAZARD, f"lw x5, 0(x10)\n{USE}", 3, "1 + 1 for the wait + 1"),
            case(HAZARD, "lw x5, 0(x10)\nadd x5, x6, x7", 3, "it may not overtake the load"),
            case(HAZARD, "addi x5, x6, 4\njalr x0, 0(x5)", 4, "1 + 1 for the wait + 2"),
            case(HAZARD, "lw x5, 0(x10)\nadd x6, x7, x8\njalr x0, 0(x5)", 5, "1 + 1 + 1 + 2"),
            case(
                "jump beside what still executes",
                over("mulh x5, x6, x7\njal x0, 1f"),
                7,
                "5 + 1 + 1",
            ),
        ],
    ),
]


@pytest.mark.parametrize(
    ("model", "one"), [(model, one) for model, cases in CASES for one in cases]
)
def test_a_rule_gives_the_cycles_of_the_manual(model: TimingModel, one: Case) -> None:
    check(model, one)


@pytest.mark.parametrize(("model", "cases"), CASES, ids=[model.name for model, _ in CASES])
def test_every_rule_has_a_case(model: TimingModel, cases: list[Case]) -> None:
    check_coverage(model, cases)
