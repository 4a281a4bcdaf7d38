# SPDX-License-Identifier: MIT
"""Cortex-M33: what the page of measurements says of a few instructions each."""

import pytest
import timing_cases
from timing_cases import Case

from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.decode_arm import DecodeError
from aesfit.rigs.emulator.timing import cortex_m33

ISA: Isa = "armv8-m.main"


def case(rule: str, assembly: str, cycles: int, note: str = "") -> Case:
    """A case of this processor."""
    return Case(rule, ISA, assembly, cycles, note)


WAIT, PAIR = "wait for a register", "issued beside the instruction before"
ALONE = [
    case("data processing", "add r0, r1\nubfx r2, r0, #8, #8\nbfi r3, r2, #0, #8", 3),
    case("data processing", "eor.w r0, r1, #0x1b1b1b1b\nadd r2, r0", 2, "a pattern is plain"),
    case("data processing", "add.w r0, r1, #255\nadd r2, r0", 2, "a byte is plain"),
    case("data processing", "lsl.w r0, r1, #3\nadd r2, r0", 2, "a shift by itself is plain"),
    case("shifted constant that sets flags", "adds.w r0, r1, #0x1fc0\nmov r8, r8", 3),
    case("data processing", "adds.w r0, r1, r2, lsl #3\nmov r8, r8", 2, "shifted register: 1"),
    case("multiply", "mul r0, r1, r2\nmla r3, r4, r5, r6\numull r8, r9, r1, r2", 3),
    case("narrow multiply that sets flags", "muls r0, r1, r0\nmov r8, r8", 3),
    case("load", "ldr r0, [r1]\nldrb r2, [r3, #1]\nldr r4, [r5, r6, lsl #2]", 3),
    case("load PC", "ldr pc, [r0]", 4),
    case("store", "str r0, [r1]\nstrb r2, [r3, r4]\nstr r5, [r6], #4", 3),
    case("load multiple", "ldmia r0!, {r1, r2, r3, r4}\nldrd r6, r7, [r5]", 6, "4 + 2"),
    case("load multiple with PC", "pop {r4, r5, pc}", 6, "3 + 3"),
    case("store multiple", "push {r4, r5, r6, lr}\nstrd r0, r1, [r2]", 6, "4 + 2"),
    case("branch", "b.w 1f\nnop @ unreached\n1: mov r8, r8", 3),
    case("branch", "bl 1f\nnop @ unreached\n1: mov r8, r8", 3),
    case("table branch", "tbb [pc, r0]", 4),
    case("no operation", "nop.w\nnop.w", 2),
    case("if-then", "ldr.w r0, [r1]\nit eq\nmoveq r2, #1", 3, "nothing narrow before it"),
    case("condition failed, or branch not taken", "mov.w r0, r1\nbeq 1f\n1: mov r8, r8", 3),
    case("unaligned access", "ldr r0, [r1] @ splits 2", 3),
    case("no operation", "clrex\nsev.w", 2),
    case("divide", "udiv r0, r1, r2\nsdiv r3, r4, r5", 22, "11 at most"),
    case("exclusive or ordered access", "ldaex r0, [r1]\nmov r8, r8\nstlexb r2, r0, [r1]", 5),
    case("exclusive or ordered access", "lda r0, [r1]\nstlh r2, [r3]", 4),
    case("special register or interrupt mask", "mrs r0, primask\ncpsid i\nmsr primask, r0", 6),
    case("barrier", "dmb\ndsb", 2),
    case("instruction barrier", "isb", 4),
    case("float multiply and accumulate", ".fpu fpv5-sp-d16\nvfma.f32 s0, s1, s2", 4),
    case("float arithmetic", ".fpu fpv5-sp-d16\nvadd.f32 s0, s1, s2\nvcmp.f32 s0, s1", 4),
    case("float arithmetic", ".fpu fpv5-sp-d16\nvmaxnm.f32 s0, s1, s2\nvselge.f32 s0, s1, s2", 4),
    case("float arithmetic", ".fpu fpv5-sp-d16\nvrintm.f32 s0, s1\nvcvta.s32.f32 s2, s3", 4),
    case("float divide and square root", ".fpu fpv5-sp-d16\nvdiv.f32 s0, s1, s2", 15),
    case("float move", ".fpu fpv5-sp-d16\nvmov s0, r0\nvmrs APSR_nzcv, fpscr", 4),
    case("float load or store", ".fpu fpv5-sp-d16\nvldr s0, [r0]\nvpush {s16-s19}", 7),
]
WAITING = [
    case(WAIT, "ldr.w lr, [sp]\nbx lr", 5, "a return takes a loaded LR two cycles later"),
    case(WAIT, "ldr r0, [r1]\nadd r2, r0", 3, "load to use 2"),
    case(WAIT, "ldr r0, [r1]\nstr r2, [r0]", 3, "not of an address"),
    case(WAIT, "ldr r0, [r1]\nuxtab r2, r0, r3", 3, "that of an extension does not"),
    case(WAIT, "ldmia r4!, {r0, r1}\nadd r2, r1", 4, "the last register comes a cycle late"),
    case(WAIT, "eor.w r0, r1, r2, ror #24\nadd r3, r0", 3, "a shifted operand"),
    case(WAIT, "eor r0, r1, #0x1fc0\nadd r3, r0", 3, "a shifted constant"),
    case(WAIT, "mla r0, r1, r2, r3\nmla r4, r0, r5, r6", 3, "factors do not"),
    case(WAIT, "uadd8 r0, r1, r2\nadd r3, r0", 3, "DSP"),
    case(WAIT, "pkhbt r0, r1, r2\nmla r3, r4, r5, r0", 3, "no shortcut from DSP"),
]
PAIRED = [
    case(PAIR, "subs r7, #1\nbne 1f\n1: mov r8, r8", 2, "not taken, flags or not: 0"),
    case(PAIR, "subs r7, #1\nadd r0, r1\nbne 1f\nnop @ unreached\n1: mov r8, r8", 4, "taken: 1"),
    case(PAIR, "ldmia r6!, {r0-r3}\nbne 1f\nnop @ unreached\n1: mov r8, r8", 6, "4 + 1 + 1"),
    case(PAIR, "mov r8, r8\nit eq\nmoveq r0, r1", 2, "IT"),
    case(PAIR, "mov r8, r8\nnop", 1, "NOP"),
    case(PAIR, "mov r8, r8\nnop\nnop", 2, "two, not three"),
]
FREE = [
    case("", "ldr r0, [r1]\nmov r8, r8\nadd r2, r0", 3, "hidden"),
    case("", "ldr r0, [r1]\nstr r0, [r2]", 2, "load to store 1"),
    case("", "ldr r0, [r1]\nmla r2, r3, r4, r0", 2, "an accumulator takes a load"),
    case("", "ldr r0, [r1], #4\nldr r2, [r1], #4", 2, "an updated base is plain"),
    case("", "ldmia r4!, {r0, r1}\nadd r2, r0", 3, "the first one does not"),
    case("", "eor.w r0, r1, r2, ror #24\nmla r3, r4, r5, r0", 2, "into an accumulator"),
    case("", "eor.w r0, r1, r2, ror #24\nstr r0, [r3]", 2, "stored at once"),
    case("", "mla r0, r1, r2, r3\nmla r0, r4, r5, r0", 2, "accumulations chain"),
    case("", "uxtab r0, r1, r2\nuxtab r0, r0, r3", 2, "extensions chain"),
    case("", "umlal r0, r1, r2, r3\numlal r0, r1, r4, r5", 2, "long ones too"),
    case(
        "",
        "cmp r0, #1\nit eq\neoreq.w r0, r1, r2, ror #23 @ skipped\nadd r0, r3",
        3,
        "1, IT beside it, skipped 1, 1: what is skipped has no result",
    ),
    case("", "ldr.w lr, [sp]\nmov r8, r8\nmov r8, r8\nmov r8, r8\nbx lr", 5, "the page's return"),
    case("", "ldr.w lr, [sp]\nmov r8, r8\nmov r8, r8\nbx lr", 5, "one cycle is gained"),
    case("", "subs r7, #1\nbne 1f\nnop @ unreached\n1: mov r8, r8", 4, "after flags: 2"),
    case("", "subs.w r7, #1\nbne 1f\n1: mov r8, r8", 3, "a wide one does not pair"),
    case("", "mov r8, r8\nmov r8, r8", 2, "arithmetic never pairs"),
    case("", "mov r8, r8\nldr r0, [r1]", 2, "nor with a load"),
]
"""Where no wait and no pair is."""
CASES = [*ALONE, *WAITING, *PAIRED]


@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.rule}-{one.note}")
def test_rule_gives_what_the_page_says(one: Case) -> None:
    timing_cases.check(cortex_m33.MODEL, one)


@pytest.mark.parametrize("one", FREE, ids=lambda one: one.note)
def test_nothing_is_added_where_the_page_sees_nothing(one: Case) -> None:
    assert timing_cases.priced(cortex_m33.MODEL, one) == one.cycles


def test_every_rule_has_a_case() -> None:
    timing_cases.check_coverage(cortex_m33.MODEL, CASES)


@pytest.mark.parametrize("assembly", ["wfi", "sg", "mcr p15, 0, r0, c7, c10, 5"])
def test_what_nobody_prices_is_not_decoded(assembly: str) -> None:
    with pytest.raises(DecodeError, match=assembly.split()[0]):
        timing_cases.priced(cortex_m33.MODEL, case("", assembly, 0))


def test_multiplications_take_the_same_time_for_all_operands() -> None:
    assert cortex_m33.MODEL.variable_time == {"divide"}
