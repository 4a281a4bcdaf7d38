# SPDX-License-Identifier: MIT
"""A masked AND: its proof and its t-test, which are written apart, agree on every observation."""

import subprocess
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("pypcode")

from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.power.study import function_power
from aesfit.power.subjects import function_subject
from aesfit.power.ttest import every_bit, t_test
from aesfit.proving.masked.proof import prove_masked
from aesfit.proving.masked.shared import shared_arguments
from aesfit.rigs import why_not

M3 = platform_named("cortex-m3")
pytestmark = pytest.mark.skipif(why_not(M3) is not None, reason=str(why_not(M3)))
SOURCE = Path(__file__).with_name("masked_and.s").read_text(encoding="utf-8")
WORDS = ("share:a", "share:a", "share:b", "share:b", "random", "out:4")
POINTERS = ("share:4:a", "share:4:a", "share:4:b", "share:4:b", "random:4", "out:4", "out:4")
CLEAR = "    and.w r6, r6, r6"
UNMASKED = """
typedef unsigned int uint32_t;
void f(const uint32_t *a0, const uint32_t *a1, const uint32_t *b0, const uint32_t *b1,
       const uint32_t *r, uint32_t *z0, uint32_t *z1)
{
    uint32_t x = *a0, y = *a1, u = *b0, v = *b1;
    *z0 = (x & u) ^ (x & v) ^ *r;
    *z1 = (y & u) ^ (y & v) ^ *r;
}
"""
BESIDE_PC = """
    .syntax unified
    .thumb
    .global masked_and
    .type masked_and, %function
masked_and:
    push {lr}
    mov r12, r0
    ldr r0, =0x12345678
    mov r12, r1
    ldr pc, [sp], #4
"""
"""A constant beside the code is loaded between two shares: its base does not clear the latch."""
FUNCTION = """
    .syntax unified
    .thumb
    .global masked_and
    .type masked_and, %function
masked_and:
"""
_STACKED = "    sub sp, #8\n    strb r0, [sp]\n{}    add sp, #8\n    movs r3, #0\n    mov r12, r3\n"
HOLES = {
    "a byte beside what nobody wrote": (
        "REGISTER",
        _STACKED.format("    ldr r12, [sp]\n    ldr r3, [sp, #4]\n    mov r12, r1\n"),
    ),
    "a word over a byte": (
        "CELL",
        _STACKED.format("    ldr r3, [sp, #4]\n    str r3, [sp, #4]\n    str r1, [sp]\n"),
    ),
    "flags that nobody uses": ("OPERAND", "    tst r0, r3\n    tst r1, r3\n"),
}
"""What was once proved falsely: the statement, and code."""
UNSET = """
    sub sp, #8
    ldr r12, [sp]
    eor.w r3, r12, r0
    and.w r3, r12, r0
    add sp, #8
    bx lr
"""
AROUND_PC = """
    push {r4, lr}
    bl 1f
    ldr r3, [r1]
    pop {r4, pc}
1:  push {lr}
    ldr r12, [r0]
    ldr pc, [sp], #4
"""
Observed = tuple[str, int, str, int]
"""Kind, address, latch, bit."""


def built(folder: Path, text: str, suffix: str, platform: Platform = M3) -> Path:
    source, made = folder / f"f{suffix}", folder / "f.o"
    source.write_text(text, encoding="utf-8")
    compiler = platform.compiler
    subprocess.run(
        [compiler.command, *compiler.target, "-O2", "-g", "-c", str(source), "-o", str(made)],
        check=True,
    )
    return made


def refuted(
    made: Path, name: str, words: Sequence[str], platform: Platform = M3
) -> set[Observed]:  # fmt: skip
    proof = prove_masked(platform, [made], name, words)
    assert proof.detail == ""
    assert {one.outcome for one in proof.findings} <= {"refuted"}
    return {
        (one.statement, one.address, one.place if one.statement == "OPERAND" else "", bit)
        for one in proof.findings
        for bit in one.bits
    }


def failing(
    made: Path, name: str, words: Sequence[str], platform: Platform = M3
) -> set[Observed]:  # fmt: skip
    """Over each value of the two secret bits: what depends on them differs from the mean at one."""
    found: set[Observed] = set()
    with function_subject(platform, [made], name, shared_arguments(words)) as subject:
        points = subject.machine.layout.points
        for a, b in product((0, 0xFF), repeat=2):
            subject.fixed = {"a": bytes([a]) * 4, "b": bytes([b]) * 4}
            test = t_test(subject, 2000, 0.0, weigh=every_bit)
            fails = np.abs(test.t.reshape(len(points), 32)) > test.threshold
            for at, bit in np.argwhere(fails).tolist():
                place = points[at].place if points[at].kind == "OPERAND" else ""
                found.add((points[at].kind, points[at].address, place, bit))
    return found


FIRST, RANDOM = "    and.w r4, r0, r3\n", "    eor.w r4, r4, r12       @ a0 b1 + r"
SUM = "    eor.w r5, r5, r4 "
MUTANTS = {
    "no random word": (RANDOM, "    eor.w r4, r4, r6  @"),
    "a latch is not cleared": (CLEAR, "    nop  @"),
    "shares meet in a register": ("    mov r0, r5", "    mov r0, r1\n    mov r0, r5"),
    "registers swapped": ("    and.w r12, r1, r3", "    and.w r12, r0, r3"),
    "random word after the sum": (SUM, "    eor.w r4, r4, r12\n    eor.w r5, r5, r4\n@"),
    "products first": (FIRST, FIRST + "    and.w r5, r0, r2\n"),
}


def changed(mutant: str) -> str:
    before, after = MUTANTS[mutant]
    assert SOURCE.count(before) == 1
    return SOURCE.replace(before, after)


def test_the_masked_and_is_proved_and_its_t_test_shows_nothing(tmp_path: Path) -> None:
    made = built(tmp_path, SOURCE, ".s")
    proof = prove_masked(M3, [made], "masked_and", WORDS)
    assert proof.proved
    assert proof.findings == ()
    assert min(proof.observed.values()) >= 5
    assert failing(made, "masked_and", WORDS) == set()


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_is_noticed_by_both_in_the_same_bits(mutant: str, tmp_path: Path) -> None:
    made = built(tmp_path, changed(mutant), ".s")
    found = refuted(made, "masked_and", WORDS)
    assert found
    assert found == failing(made, "masked_and", WORDS)


@pytest.mark.parametrize("name", ["cortex-m3", "cortex-m0plus", "rv32im-e31"])
def test_the_compiler_undoes_masking_in_c_and_both_notice_it(name: str, tmp_path: Path) -> None:
    platform = platform_named(name)
    made = built(tmp_path, UNMASKED, ".c", platform)
    found = refuted(made, "f", POINTERS, platform)
    assert {kind for kind, *_ in found} >= {"VALUE", "REGISTER", "OPERAND"}
    assert found == failing(made, "f", POINTERS, platform)
    told = prove_masked(platform, [made], "f", POINTERS).findings
    shown = function_power(platform, [made], "f", POINTERS, traces=100).failing
    assert {one.file for one in told} == {one.file for one in shown}
    assert any(one.statement == "VALUE" and "xor" in one.instruction.replace("eor", "xor")
               for one in told)  # fmt: skip


@pytest.mark.parametrize("hole", HOLES)
def test_what_lies_beside_shares_hides_no_transition(hole: str, tmp_path: Path) -> None:
    made = built(tmp_path, FUNCTION + HOLES[hole][1] + "    bx lr\n", ".s")
    found = refuted(made, "masked_and", WORDS)
    assert {kind for kind, *_ in found} == {HOLES[hole][0]}
    assert found == failing(made, "masked_and", WORDS)


def test_what_nobody_wrote_is_no_secret_and_no_mask(tmp_path: Path) -> None:
    """Beside a share it is a constant; a product with it is not followed."""
    made = built(tmp_path, FUNCTION + UNSET, ".s")
    proof = prove_masked(M3, [made], "masked_and", WORDS)
    assert proof.outcomes["VALUE"] == "open"
    values = [one for one in proof.findings if one.statement == "VALUE"]
    assert [one.instruction.split()[0] for one in values] == ["and.w"]


def test_a_double_word_is_two_words_on_the_bus(tmp_path: Path) -> None:
    """The high word of one share is followed by that of the other."""
    m7 = platform_named("cortex-m7")
    text = FUNCTION.replace(".thumb", ".thumb\n    .fpu fpv5-d16", 1)
    text += "    vldr d0, [r0]\n    ldr r2, [r1, #4]\n    bx lr\n"
    made = built(tmp_path, text, ".s", m7)
    proof = prove_masked(m7, [made], "masked_and", ["share:8:a", "share:8:a"])
    assert proof.observed["BUS"] == 3
    assert proof.outcomes["BUS"] == "refuted"


def test_both_follow_loads_beside_and_into_the_program_counter(tmp_path: Path) -> None:
    made = built(tmp_path, BESIDE_PC, ".s")
    found = refuted(made, "masked_and", WORDS)
    assert {kind for kind, *_ in found} == {"REGISTER", "OPERAND"}
    assert found == failing(made, "masked_and", WORDS)


def test_both_see_the_bus_of_a_load_into_the_program_counter(tmp_path: Path) -> None:
    """The return address is transferred between two shares; without it they would meet."""
    made = built(tmp_path, FUNCTION + AROUND_PC, ".s")
    assert refuted(made, "masked_and", POINTERS) == set()
    assert failing(made, "masked_and", POINTERS) == set()


def test_the_command_prints_the_statements_and_fails_for_a_mutant(tmp_path: Path) -> None:
    words = [part for word in WORDS for part in ("--arg", word)]
    asked = ["prove", "--masked", "--platform", "cortex-m3", "--function", "masked_and", *words]
    good = CliRunner().invoke(app, [*asked, "--elf", str(built(tmp_path, SOURCE, ".s"))])
    assert good.exit_code == 0, good.output
    assert "no single observed bit or transition" in " ".join(good.stdout.split())
    bad = CliRunner().invoke(
        app, [*asked, "--elf", str(built(tmp_path, changed("no random word"), ".s"))]
    )
    assert bad.exit_code == 1
    assert "Not proved." in bad.stdout
    wrong = CliRunner().invoke(app, [*asked[:-2], "--elf", str(tmp_path / "f.o"), "--why"])
    assert wrong.exit_code == 2
    assert "--masked goes with" in " ".join(wrong.stderr.split())
