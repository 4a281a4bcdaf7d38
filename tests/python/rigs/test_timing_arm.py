# SPDX-License-Identifier: MIT
"""ARM7TDMI and ARM9TDMI: every rule on its own, against sums taken from the manuals by hand."""

import shutil

import pytest
from timing_cases import Case, check, check_coverage, priced

from aesfit.rigs.emulator.timing import arm7tdmi, arm9tdmi
from aesfit.rigs.emulator.timing.model import UnknownInstructionError

pytestmark = pytest.mark.skipif(
    not shutil.which("arm-none-eabi-as"), reason="no ARM assembler: make setup"
)


def case(rule: str, assembly: str, cycles: int, note: str = "", flash_wait: int = 0) -> Case:
    return Case(rule, "armv4t", assembly, cycles, note, flash_wait)


JUMP_TABLE = """
    addls pc, pc, r0, lsl #2
    nop                     @ unreached
    nop                     @ unreached
    mov r0, r0
"""
ARM7 = [
    case("condition failed", "addeq r0, r0, r1 @ skipped", 1, "1S whatever it is"),
    case("condition failed", "ldmeq r0!, {r1-r8} @ skipped", 1),
    case("condition failed", "bne 1f\n mov r0, r0\n 1: nop", 1 + 1 + 1, "not taken, then two"),
    case("data processing", "add r0, r1, r2, lsl #7\n cmp r0, #1", 2, "immediate shifts are free"),
    case("data processing", "mvn r0, r1\n rsc r0, r1, r2\n teq r0, r1\n rrx r0, r0", 4),
    case("data processing to PC", JUMP_TABLE, 3 + 1, "2S+1N and the target"),
    case("data processing to PC", "mov pc, lr", 3),
    case("data processing, shift by register", "add r0, r1, r2, lsl r3", 2, "1S+1I"),
    case("data processing, shift by register", "lsl r0, r1, r2", 2, "a move with such a shift"),
    case("data processing, shift by register, to PC", "add pc, pc, r0, lsl r1", 4, "2S+1N+1I"),
    case("status register", "mrs r0, cpsr\n msr cpsr_f, r0", 2),
    case("multiply", "mul r0, r1, r2 @ operand 2 2", 1 + 2, "1S and m = 2"),
    case("multiplier", "mul r0, r1, r2 @ operand 4 1", 1 + 1, "FFFF_FF00h: upper bytes all one"),
    case("multiplier", "umull r0, r1, r2, r3 @ operand 4 1", 2 + 4, "unsigned: zeros alone stop"),
    case("multiplier", "smlal r0, r1, r2, r3 @ operand 4 1", 3 + 1),
    case("multiply and accumulate", "mla r0, r1, r2, r3 @ operand 3 3", 2 + 3, "1S+(m+1)I"),
    case("multiply long", "umull r0, r1, r2, r3 @ operand 1 1", 2 + 1, "1S+(m+1)I"),
    case("multiply long", "smull r0, r1, r2, r3 @ operand 4 3", 2 + 3),
    case("multiply long and accumulate", "umlal r0, r1, r2, r3 @ operand 2 2", 3 + 2),
    case("load", "ldr r0, [r1, r2, lsl #2]\n add r0, r0, r0", 3 + 1, "1S+1N+1I; no interlock"),
    case("load", "ldrb r0, [r1], #1\n ldrsh r2, [r3]", 3 + 3),
    case("load", "pop {r4}", 3, "encoded as LDR"),
    case("load to PC", "ldr pc, [r0, r1, lsl #2]", 5, "2S+2N+1I"),
    case("store", "str r0, [r1]\n strb r0, [r1], #1\n strh r0, [r1]", 6, "2N each"),
    case("store", "push {r4}", 2, "encoded as STR"),
    case("load multiple", "ldm r0!, {r1-r4}", 4 + 2, "nS+1N+1I"),
    case("load multiple to PC", "pop {r4-r11, pc}", 10 + 2 + 1, "(n+1)S+2N+1I for n = 9"),
    case("store multiple", "push {r4-r11, lr}", 8 + 2, "(n-1)S+2N for n = 9"),
    case("swap", "swp r0, r1, [r2]", 4, "1S+2N+1I"),
    case("branch", "b 1f\n nop @ unreached\n 1: nop", 3 + 1, "2S+1N"),
    case("branch", "bl 1f\n nop @ unreached\n 1: bx lr", 3 + 3),
    case("branch", "b 1f\n nop @ unreached\n 1: nop", 3 + 1 + 4, "a wait for each of 3 and 1", 1),
    case("load to PC", "ldr pc, [r0]", 5 + 2 * 3, "3 fetches wait 2 cycles each", 2),
]


ARM9 = [
    case("condition failed", "addeq r0, r0, r1 @ skipped", 1),
    case("condition failed", "ldreq r0, [r1] @ skipped\n add r0, r0, r0", 2, "nothing loaded"),
    case("data processing", "add r0, r1, r2, lsl #7\n add r0, r0, r0", 2, "results are forwarded"),
    case("data processing to PC", "mov pc, lr", 3),
    case("data processing, shift by register", "eor r0, r1, r2, ror r3", 2),
    case("data processing, shift by register, to PC", "add pc, pc, r0, lsl r1", 4),
    case("status register read", "mrs r0, cpsr", 1),
    case("multiply", "mul r0, r1, r2 @ operand 2 2\n mla r0, r1, r2, r3 @ operand 1 1", 4 + 3),
    case("multiply long", "umull r0, r1, r2, r3 @ operand 4 1", 3 + 4),
    case("multiplier", "smlal r0, r1, r2, r3 @ operand 4 1", 3 + 1),
    case("load to PC", "ldr pc, [r0]", 5),
    case("load", "ldr r0, [r1]\n ldr r2, [r3]\n ldrb r4, [r5]", 3, "nothing waits"),
    case("store", "str r0, [r1]\n strh r0, [r1], #2\n push {r4}", 3),
    case("load multiple to PC", "pop {r4-r6, pc}", 4 + 4),
    case("load multiple", "ldm r0, {r1-r4}\n add r0, r1, r3", 4 + 1, "all but the last are there"),
    case("load multiple", "ldm r0, {r1}\n add r0, r1, r1", 2 + 1, "2 cycles for one register"),
    case("store multiple", "stm r0, {r1}\n stm r0, {r1-r3}", 2 + 3),
    case("swap", "swp r0, r1, [r2]\n mov r3, r0", 2 + 1),
    case("branch", "bl 1f\n nop @ unreached\n 1: bx lr", 3 + 3),
    case("loaded word used next", "ldr r0, [r1]\n add r2, r0, r1", 1 + 2, "example 1"),
    case("loaded word used next", "ldr r0, [r1]\n str r0, [r2]", 1 + 2, "store data"),
    case(
        "loaded word used next",
        "ldr r0, [r1]\n ldr r0, [r0]\n mov r3, r4",
        1 + 2 + 1,
        "as an address",
    ),
    case("loaded word used next", "pop {r4}\n add r2, r4, r1", 1 + 2, "encoded as LDR"),
    case("loaded word used next", "ldr r0, [r1], #4\n add r2, r1, r0", 1 + 2, "by r0, not by r1"),
    case("loaded byte or half-word used next", "ldrb r0, [r1, #1]\n add r2, r0, r1", 1 + 3),
    case(
        "loaded byte or half-word used next",
        "ldrsh r0, [r1]\n add r2, r0, r1\n add r3, r0, r1",
        1 + 3 + 1,
        "what the first waited for has come for the second",
    ),
    case(
        "loaded byte or half-word used next but one",
        "ldrb r0, [r1, #1]\n mov r3, r4\n add r2, r0, r1",
        1 + 1 + 2,
    ),
    case(
        "loaded byte or half-word used next but one",
        "ldrb r0, [r1]\n ldrb r2, [r1]\n add r3, r0, r0\n add r3, r2, r2",
        1 + 1 + 2 + 1,
        "the stall of the third covers the fourth",
    ),
    case(
        "last register of a load multiple used next",
        "ldm r12, {r1-r3}\n add r4, r3, r1",
        3 + 2,
        "example 4",
    ),
    case("swapped byte used next", "swpb r0, r1, [r2]\n add r0, r0, r0", 2 + 2),
]
NO_INTERLOCK = [
    ("ldr r0, [r1], #4\n add r2, r1, r3", 2, "the updated base is there at once"),
    ("ldr r0, [r1]\n mov r2, r3\n add r0, r0, r0", 3, "one apart"),
    ("ldrb r0, [r1]\n mul r6, r7, r8 @ operand 1 1\n add r4, r0, r5", 1 + 3 + 1, "a long one"),
    ("ldrb r0, [r1]\n mov r0, r3\n add r4, r0, r5", 3, "overwritten"),
    ("ldrb r0, [r1]\n ldr r2, [r3]\n add r4, r0, r2", 1 + 1 + 2, "one cycle serves for both"),
    ("ldrb r2, [r1, r2]!\n add r4, r1, r1", 2, "base updated, index loaded"),
    ("ldrb r0, [r1]\n b 1f\n nop @ unreached\n 1: add r0, r0, r0", 1 + 3 + 1, "a jump between"),
]


@pytest.mark.parametrize("one", ARM7, ids=lambda one: f"{one.rule}: {one.assembly}")
def test_arm7tdmi(one: Case) -> None:
    check(arm7tdmi.MODEL, one)


def test_every_rule_of_arm7tdmi_has_a_case() -> None:
    check_coverage(arm7tdmi.MODEL, ARM7)


@pytest.mark.parametrize(
    "assembly", ["clz r0, r1", "ldrd r0, r1, [r2]", "blx r0", "qadd r0, r1, r2"]
)
def test_later_architectures_are_refused(assembly: str) -> None:
    with pytest.raises(UnknownInstructionError, match=assembly.split()[0]):
        priced(arm7tdmi.MODEL, Case("", "armv4t", ".cpu arm946e-s\n" + assembly, 0))


@pytest.mark.parametrize("one", ARM9, ids=lambda one: f"{one.rule}: {one.assembly}")
def test_arm9tdmi(one: Case) -> None:
    check(arm9tdmi.MODEL, one)


def test_every_rule_of_arm9tdmi_has_a_case() -> None:
    check_coverage(arm9tdmi.MODEL, ARM9)


@pytest.mark.parametrize(("assembly", "cycles", "note"), NO_INTERLOCK)
def test_what_does_not_interlock_on_arm9tdmi(assembly: str, cycles: int, note: str) -> None:
    assert priced(arm9tdmi.MODEL, case("", assembly, cycles)) == cycles, note
