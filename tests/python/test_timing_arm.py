# SPDX-License-Identifier: MIT
"""ARM7TDMI and ARM9TDMI: every rule on its own, against sums taken from the manuals by hand."""

import shutil

import pytest
from timing_cases import Case, check, check_coverage, priced

from aesfit.rigs.timing import arm7tdmi
from aesfit.rigs.timing.model import UnknownInstructionError

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
