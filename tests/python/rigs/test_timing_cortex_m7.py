# SPDX-License-Identifier: MIT
"""Cortex-M7: what the page of measurements, or else LLVM's model, says of a few instructions."""

import pytest
import timing_cases
from timing_cases import Case

from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.timing import cortex_m7
from aesfit.rigs.emulator.timing.model import UnknownInstructionError, cycles, slack_cycles

ISA: Isa = "armv7e-m"


def case(rule: str, assembly: str, cycles: int, note: str = "") -> Case:
    """A case of this processor."""
    return Case(rule, ISA, assembly, cycles, note)


WAIT, PAIR = "wait for a register", "issued beside the instruction before"
END, UNKNOWN = "mispredicted end of a loop", "load after a load of unknown bank"
MOVES = "mov.w r0, r1\nmov.w r2, r3\n"
ALONE = [
    case("data processing", "uxtb r0, r1\nclz r2, r3\nrev r4, r5", 3, "bit fields: one a cycle"),
    case("data processing", "ubfx r0, r1, #8, #8\neor.w r2, r3, r4, ror #8", 2, "one shifter"),
    case(
        "data processing", "eor.w r0, r1, #0x1fc0\neor.w r2, r3, r4, ror #8", 2, "that is shifted"
    ),
    case("data processing", "lsl.w r0, r1, #3\neor.w r2, r3, r4, ror #8", 2),
    case("data processing", "eor.w r2, r3, r4, ror #8\nuxtb r0, r1", 2, "never the younger one"),
    case("multiply", "mul r0, r1, r2\nmla r3, r4, r5, r6\numull r8, r9, r1, r2", 3),
    case("multiply", "mul r0, r1, r2\nstr r3, [r4]", 2, "nor beside a store"),
    case("load", "ldr r0, [r1]\nmul r2, r3, r4\nldrb r5, [r6]\nmul r7, r3, r4", 2, "1 a slot"),
    case("preload", "pld [r0]\npld [r1, #32]\npld [r2]", 3, "a slot each, of unknown banks"),
    case("load PC", "ldr pc, [r0]", 9, "1 + 8"),
    case("store", "str r0, [r1]\nstrb r2, [r3, r4]\nstr r5, [r6], #4", 3, "one a cycle"),
    case("load multiple", "ldmia r0!, {r1, r2, r3}\nldrd r6, r7, [r5]", 3, "2 + 1"),
    case("load multiple", "pop {r4, r5, pc}", 2),
    case("store multiple", "push {r4, r5, lr}\nstrd r0, r1, [r2]", 4, "2, and 1 + 1"),
    case("branch", "b.w 1f\nnop @ unreached\n1: mov r8, r8", 2),
    case("branch", "bx lr", 1),
    case("branch", "beq 1f\nudiv r0, r1, r2\n1:", 13, "not taken: a slot, and 12"),
    case("table branch", "tbb [pc, r0]", 10, "2 + 8"),
    case("no operation", "nop.w\nudiv r0, r1, r2", 13, "no NOP is eliminated"),
    case("if-then", "it eq\nudiveq r2, r3, r4", 13, "IT takes a slot"),
    case("divide", "udiv r0, r1, r2\nsdiv r3, r4, r5", 24, "12 at most"),
    case("exclusive access", "ldrex r0, [r1]\nmov r8, r8\nstrexb r2, r0, [r1]", 3),
    case("special register, barrier or hint", "mrs r0, primask\ndmb\nclrex", 9, "3 each"),
    case("unaligned access", "ldr r0, [r1] @ splits 2", 5, "1 + 4"),
]
WAITING = [
    case(WAIT, "eor r0, r1\nldr r2, [r0]", 3, "an address is made a stage earlier"),
    case(WAIT, "ubfx r0, r1, #8, #8\nldr r2, [r3, r0, lsl #2]", 3, "one extra cycle"),
    case(WAIT, "eor r0, r1\neor.w r2, r3, r0, ror #8", 3, "a shifted operand too"),
    case(WAIT, "ldr r0, [r1]\neor.w r2, r0, r3, ror #8", 3, "not where another is shifted"),
    case(WAIT, "ldr r0, [r1]\nldr r2, [r0]", 3, "a word as a base"),
    case(WAIT, "ldr r0, [r1]\nldr r2, [r3, r0]", 4, "as an index, LLVM alone"),
    case(WAIT, "ldr r0, [r1]\npld [r0]", 3, "the address of a preload"),
    case(WAIT, "ldr r0, [r1]\nmul r2, r0, r3", 3, "a word as a factor"),
    case(WAIT, "ldrb r0, [r1]\nadd r2, r0", 3, "a byte"),
    case(WAIT, "ldrb r0, [r1]\nubfx r2, r0, #0, #4", 4, "third cycle in the early ALU"),
    case(WAIT, "mul r0, r1, r2\nadd r3, r0", 3, "a product"),
    case(WAIT, "mul r0, r1, r2\nldr r3, [r0]", 5, "as an address, LLVM alone"),
    case(WAIT, "rev r0, r1\nldr r2, [r0]", 3, "a reversal as an address"),
    case(WAIT, "str r0, [r1, #4]\nldr r2, [r1, #4]", 5, "through the buffer, LLVM alone"),
]
PAIRED = [
    case(PAIR, "\n".join(["nop.w"] * 20), 10, "the page's loop"),
    case(PAIR, "uxtb r0, r1\neor.w r2, r3, r4, ror #8", 1, "as the older one"),
    case(PAIR, "eor.w r2, r3, r4, ror #8\nlsl.w r0, r1, #3", 1),
    case(PAIR, "eor.w r0, r1, #0x1b1b1b1b\neor.w r2, r3, r4, ror #8", 1, "a pattern"),
    case(PAIR, "ldr r0, [r1]\nldr r2, [r1, #4]", 1, "two banks"),
    case(PAIR, "ldr r0, [r1]\nstr r0, [r2]", 1, "a store takes any result"),
    case(PAIR, "ldr r0, [r1]\npld [r1, #36]", 1, "a preload from the other bank"),
    case(PAIR, "add.w r1, r0, r3\nadd.w r1, r1, r2", 1, "early ALU to late ALU"),
    case(PAIR, "movw r0, #1\nmovt r0, #2", 1),
    case(PAIR, "beq 1f\nmov r0, r1\n1:", 1, "a branch that is not taken"),
    case(PAIR, "mov r0, r1\nb 1f\nnop @ unreached\n1: mov r2, r3", 2, "not beside its target"),
    case(PAIR, "add.w r0, r2\neor.w r6, r0, r6, ror #22\nldr.w r4, [r14, r0]", 2, "the page's"),
]
FREE = [
    case("", "eor r0, r1\neor r2, r0", 2, "late ALU to late ALU"),
    case("", "ldr r0, [r1]\nadd r2, r0", 2, "a word"),
    case("", "ldmia r4!, {r0-r3}\nadd r5, r3", 3, "the last pair comes last"),
    case("", "ldr r0, [r1]\nldr r2, [r1, #8]", 2, "one bank"),
    case("", "ldr r0, [r1], #4\nldr r2, [r1], #4", 2, "an updated base is there next cycle"),
    case("", "mla r0, r1, r2, r3\nmla r0, r4, r5, r0", 2, "sums chain"),
    case("", "ldrb r0, [r1]\nmla r2, r3, r4, r0", 2, "a byte is added a cycle later"),
    case("", "cmp r0, r1\nit eq\nmoveq r2, #1 @ skipped\neor r3, r2", 4, "as if it were not"),
    case("", "rev r0, r1\neor r2, r0", 1, "a reversal"),
]
BODY = f"subs.w r7, #1\nmov.w r8, r9\n{MOVES}"
TURNS = "{0}bne.w 1f\nnop.w @ unreached\n1: {0}bne.w 2f\n2: eor r0, r1"
"""Two turns of a loop, one after the other in memory: the branch is taken, then not."""
LOOPS = [
    case(END, TURNS.format("mov.w r8, r9\n"), 1 + 1 + 6 + 1, "two instructions; no flags seen"),
    case(END, TURNS.format(BODY), 3 + 3 + 8, "the branch beside EOR; flags 2 cycles before"),
    case(END, TURNS.format(BODY + MOVES), 4 + 4 + 6, "flags 3 cycles before"),
]
CASES = [*ALONE, *WAITING, *PAIRED, *LOOPS]


@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.rule}-{one.note}")
def test_rule_gives_what_the_page_says(one: Case) -> None:
    timing_cases.check(cortex_m7.MODEL, one)


@pytest.mark.parametrize("one", FREE, ids=lambda one: one.note)
def test_nothing_is_added_where_the_page_sees_nothing(one: Case) -> None:
    assert timing_cases.priced(cortex_m7.MODEL, one) == one.cycles


def test_another_branch_is_no_end_of_a_loop() -> None:
    other = TURNS.format(BODY).replace("mov.w r8, r9", "mov.w r8, r6", 1)
    assert timing_cases.priced(cortex_m7.MODEL, case("", other, 0)) == 3 + 3


@pytest.mark.parametrize(
    ("assembly", "most", "least"),
    [
        ("ldr r0, [r1]\nldr r2, [r3]", 2, 1),
        ("ldr r0, [r1, r2]\nldrb r4, [r3]", 2, 1),
        ("ldr r0, [r1]\nldr r2, [r1, #8]", 2, 2),
        ("ldr r0, [r1]\nldr r2, [r0]", 3, 3),
        ("push {r0, r1}", 2, 1),
        (TURNS.format(BODY), 14, 5),
        ("b 1f\nnop @ unreached\n1: mov r2, r3", 2, 1),
        ("mov r0, r1\nb 1f\nnop @ unreached\n1: mov r2, r3", 2, 2),
    ],
)
def test_what_addresses_decide_is_a_range(assembly: str, most: int, least: int) -> None:
    profile, instructions = timing_cases.profile_of(case(UNKNOWN, assembly, most))
    assert cycles(cortex_m7.MODEL, profile, instructions) == most
    assert most - slack_cycles(cortex_m7.MODEL, profile, instructions) == least


def test_every_rule_has_a_case() -> None:
    timing_cases.check_coverage(cortex_m7.MODEL, [*CASES, case(UNKNOWN, "", 0)])


@pytest.mark.parametrize("assembly", ["vadd.f32 s0, s1, s2", "vldr s0, [r0]", "vmov r0, s0"])
def test_floating_point_is_refused(assembly: str) -> None:
    with pytest.raises(UnknownInstructionError, match=assembly.split()[0]):
        timing_cases.priced(cortex_m7.MODEL, case("", assembly, 0))


def test_long_code_pairs_the_same_in_every_window() -> None:
    """Longer than the window of the model: each step sees others before, and the same pairs."""
    turn = "uxtb r0, r1\neor.w r2, r3, r4, ror #8\nldr r5, [r6]\nadd r7, r8\n"
    assert timing_cases.priced(cortex_m7.MODEL, case("", turn * 100, 0)) == 200


def test_multiplications_take_the_same_time_for_all_operands() -> None:
    assert cortex_m7.MODEL.variable_time == {"divide"}
