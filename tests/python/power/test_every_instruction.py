# SPDX-License-Identifier: MIT
"""Random code: what the proof says that each instruction shows is what the traces show of it.

Each observation of the proof is worked out for the values of a call, and compared with the point of
the trace.  Constants may differ, since addresses do; what depends on the arguments may not.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pypcode")

from test_masked_and import built

from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.power.subjects import FunctionSubject, function_subject
from aesfit.proving.masked.proof import watched
from aesfit.proving.masked.shared import shared_arguments
from aesfit.proving.masked.sharing import Sharing
from aesfit.proving.masked.watched import Seen
from aesfit.rigs import why_not

M3 = platform_named("cortex-m3")
pytestmark = pytest.mark.skipif(why_not(M3) is not None, reason=str(why_not(M3)))
Key = tuple[str, int, str]
"""Kind, address and place."""
CALLS = 4

ARGUMENTS = ("share:a", "share:a", "random", "inout:" + "00" * 128, "share:128:b", "share:128:b")


@dataclass(frozen=True)
class Dialect:
    """How random code of an instruction set is written."""

    head: str
    tail: str
    free: tuple[str, ...]
    """Registers that code may change,"""
    low: tuple[str, ...]
    """and those of them that 16-bit instructions have."""
    templates: str


_THUMB_HEAD = """
    .syntax unified
    .thumb
    .global f
    .type f, %function
f:
    push {r4-r7, lr}
    mov r4, r0
    mov r5, r1
    mov r7, r3
    ldr r0, [sp, #20]
    ldr r1, [sp, #24]
    sub sp, #64
    mov r12, r7
"""
_THUMB_TAIL = "    add sp, #64;    pop {r4-r7, pc}\n"
V7M = Dialect(
    _THUMB_HEAD.replace("r4-r7", "r4-r11").replace("#20", "#36").replace("#24", "#40")
    + "".join(f"    mov r{n}, r7\n" for n in range(9, 13)),
    _THUMB_TAIL.replace("r4-r7", "r4-r11"),
    ("r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12"),
    ("r2", "r3", "r4", "r5", "r6"),
    """
    eor.w {d}, {n}, {m}
    eors {l}, {k}
    and.w {d}, {n}, {m}, lsl #{i}
    orr.w {d}, {n}, {m}, ror #{i}
    bic.w {d}, {n}, #0xff00
    mov {d}, {m}
    mov.w {d}, {m}, ror #{i}
    mvn.w {d}, {m}
    rev {d}, {m}
    rev16 {d}, {m}
    rbit {d}, {m}
    uxtb {d}, {m}
    sxth.w {d}, {m}, ror #8
    ubfx {d}, {n}, #{i}, #1
    bfi {d}, {n}, #{i}, #1
    bfc {d}, #{i}, #1
    movw {d}, #0x1234
    movt {d}, #0x5678
    movs {l}, #{i}
    lsls {l}, {k}, #{i}
    lsr.w {d}, {n}, #{i}
    asr.w {d}, {n}, #{i}
    add.w {d}, {n}, #16
    adds {l}, #0
    orn {d}, {n}, {m}
    tst {l}, {k}
    cmp {n}, #0
    ldr.w {d}, [r7, #{o}]
    str.w {d}, [r7, #{o}]
    ldrb.w {d}, [r7, #{o}]
    strb.w {d}, [r7, #{o}]
    ldrsb.w {d}, [r7, #{o}]
    ldrh.w {d}, [r7, #{o}]
    strh.w {d}, [r7, #{o}]
    ldrsh.w {d}, [r7, #{o}]
    ldr {d}, [sp, #{o}]
    str {d}, [sp, #{o}]
    strb.w {d}, [sp, #{o}]
    strh.w {d}, [sp, #{o}]
    ldrd {a}, {b}, [r7, #{o}]
    strd {a}, {b}, [r7, #{o}]
    ldrd {a}, {b}, [sp, #{o}]
    strd {a}, {b}, [sp, #{o}]
    stmdb sp!, {{{a}, {b}}}; ldmia sp!, {{{b}, {c}}}
    push {{{a}}}; pop {{{b}}}
    push {{{a}, {b}}}; pop {{{a}, {c}}}
    ldm r7, {{{a}, {b}, {c}}}
    stm r7, {{{a}, {b}, {c}}}
    str {d}, [r7], #4; sub r7, #4
    ldr {d}, [r7, #4]!; sub r7, #4
    mov {a}, #8; ldr {d}, [r7, {a}, lsl #1]
    mov {a}, #8; str {d}, [r7, {a}]
    mov {a}, #5; strb {d}, [r7, {a}]
    cmp sp, #0; ite ne; movne {d}, {m}; moveq {d}, {n}
    cmp sp, #0; itt eq; ldreq {d}, [r7]; eoreq {n}, {m}
    cmp sp, #0; adc {d}, {n}, #0
    ldr {d}, =0x12345678
    mov {a}, #3; lsl.w {d}, {n}, {a}
    b.n 1f; nop; 1:
    bl 2f; b.n 3f; 2: push {{{a}, lr}}; pop {{{b}, pc}}; 3:
    bl 2f; b.n 3f; 2: push {{lr}}; ldr pc, [sp], #4; 3:
    ldr.w {d}, [r0, #{o}]
    ldr.w {d}, [r1, #{o}]
    """,
)
V6M = Dialect(
    _THUMB_HEAD, _THUMB_TAIL, ("r2", "r3", "r4", "r5", "r6"), ("r2", "r3", "r4", "r5", "r6"),
    """
    eors {l}, {k}
    ands {l}, {k}
    orrs {l}, {k}
    bics {l}, {k}
    mvns {l}, {k}
    mov {l}, {k}
    movs {l}, {k}
    mov r12, {l}
    mov {l}, r12
    add {l}, r12
    lsls {l}, {k}, #{i}
    lsrs {l}, {k}, #{i}
    asrs {l}, {k}, #{i}
    movs {a}, #3; rors {l}, {a}
    rev {l}, {k}
    rev16 {l}, {k}
    sxtb {l}, {k}
    uxth {l}, {k}
    movs {l}, #{i}
    adds {l}, {k}, #0
    tst {l}, {k}
    ldr {l}, [r7, #{o}]
    str {l}, [r7, #{o}]
    ldrb {l}, [r7, #5]
    strb {l}, [r7, #9]
    ldrh {l}, [r7, #6]
    strh {l}, [r7, #{o}]
    ldr {l}, [sp, #{o}]
    str {l}, [sp, #{o}]
    movs {a}, #8; ldr {l}, [r7, {a}]
    movs {a}, #8; str {l}, [r7, {a}]
    movs {a}, #5; ldrsb {l}, [r7, {a}]
    push {{{a}, {b}}}; pop {{{a}, {c}}}
    stm r7!, {{{a}, {b}}}; subs r7, #8
    ldm r7!, {{{a}, {b}}}; subs r7, #8
    bl 2f; b.n 3f; 2: push {{{a}, lr}}; pop {{{b}, pc}}; 3:
    ldr {l}, [r0, #{o}]
    ldr {l}, [r1, #{o}]
    """,
)  # fmt: skip
RV32 = Dialect(
    """
    .global f
    .type f, @function
f:
    addi sp, sp, -80
    sw ra, 64(sp)
    sw s0, 68(sp)
    mv s0, a3
"""
    + "".join(f"    mv {name}, s0\n" for name in ("a6", "a7", "t0", "t1", "t2", "t3")),
    "    lw ra, 64(sp);    lw s0, 68(sp);    addi sp, sp, 80;    ret\n",
    ("a0", "a1", "a2", "a3", "a6", "a7", "t0", "t1", "t2", "t3"), ("a0", "a1", "a2", "a3"),
    """
    xor {d}, {n}, {m}
    and {d}, {n}, {m}
    or {d}, {n}, {m}
    xor {d}, {d}, {m}
    and {d}, {n}, {n}
    add {d}, {n}, zero
    sub {d}, zero, zero
    mv {d}, {m}
    not {d}, {m}
    xori {d}, {n}, 1
    andi {d}, {n}, 255
    slli {d}, {n}, {i}
    srli {d}, {n}, {i}
    srai {d}, {n}, {i}
    li {a}, 3; sll {d}, {n}, {a}
    lui {d}, 0x12345
    auipc {d}, 1
    li {d}, {i}
    nop
    xor zero, {n}, {m}
    lw {d}, {o}(s0)
    sw {d}, {o}(s0)
    lb {d}, {o}(s0)
    lbu {d}, {o}(s0)
    sb {d}, {o}(s0)
    lh {d}, {o}(s0)
    lhu {d}, {o}(s0)
    sh {d}, {o}(s0)
    lw {d}, {o}(sp)
    sw {d}, {o}(sp)
    sb {d}, {o}(sp)
    sh {d}, {o}(sp)
    sw zero, {o}(s0)
    lw zero, {o}(s0)
    j 1f; nop; 1:
    jal 1f; 1:
    beqz sp, 1f; 1:
    lw {d}, {o}(a4)
    lw {d}, {o}(a5)
    """,
)  # fmt: skip
V7EM = replace(
    V7M,
    templates=V7M.templates
    + """
    uadd8 {d}, {n}, {m}
    sel {d}, {n}, {m}
    pkhbt {d}, {n}, {m}
    uxtab {d}, {n}, {m}
    """,
)
DIALECTS = {
    "cortex-m3": V7M, "cortex-m4": V7EM, "cortex-m33": V7M, "cortex-m0plus": V6M,
    "rv32im-e31": RV32,
}  # fmt: skip


def written(dialect: Dialect, draw: random.Random, instructions: int) -> str:
    """A function over two words, a random word, memory that it may write, and shares to load."""
    templates = dialect.templates.strip().splitlines()
    lines = []
    for _ in range(instructions):
        places = sorted(draw.sample(range(len(dialect.free)), 3))
        lines.append(
            draw.choice(templates).format(
                **{name: draw.choice(dialect.free) for name in "dnm"},
                **{name: draw.choice(dialect.low) for name in "lk"},
                **{name: dialect.free[at] for name, at in zip("abc", places, strict=True)},
                i=draw.randrange(1, 31),
                o=4 * draw.randrange(12),
            )
        )
    return dialect.head + "\n".join(lines) + "\n" + dialect.tail


def shown(domain: Sharing, seen: Seen, given: dict[int, int | None]) -> tuple[int, int]:
    """What an observation is for values of the variables, and which of its bits are known."""
    word = known = 0
    for at, form in enumerate(domain.bits(domain.xor(seen.old, seen.new, 32), 32)):
        bit = value(domain, form & ~domain.constants, given)
        if bit is not None:
            word |= bit << at
            known |= 1 << at
    return word, known


def value(domain: Sharing, form: int, given: dict[int, int | None]) -> int | None:
    """A form; None where it is made of more than sums and products of variables."""
    found, rest = form & 1, form & ~1
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        at = lowest.bit_length() - 1
        if at not in given:
            factors = domain.atoms.factors.get(at, ())
            bits = [value(domain, one, given) for one in factors]
            given[at] = int(all(bits)) if bits and None not in bits else None
        bit = given[at]
        if bit is None:
            return None
        found ^= bit
    return found


def begins(domain: Sharing, seen: Seen) -> bool:
    """A register is written that nobody had set: it holds what the call before left there."""
    old = domain.bits(seen.old, 32)
    return (
        seen.kind == "REGISTER" and max(old) > 1 and not any(one & ~domain.constants for one in old)
    )


def variables(domain: Sharing, subject: FunctionSubject) -> dict[int, int | None]:
    """Values of the variables in the call that was made last."""
    content = b""
    for at, one in enumerate(subject._arguments):
        if one.role != "public":
            word = subject._values[at]
            place = subject._places.get(at)
            content += (
                word.to_bytes(4, "little")
                if place is None
                else subject.machine.read(place, one.size)
            )
    return {at: content[n // 8] >> n % 8 & 1 for n, at in enumerate(domain.variables)}


def differing(platform: Platform, made: Path, words: Sequence[str]) -> list[str]:
    """Observations that the proof and the traces do not agree on."""
    domain, executor, why = watched(platform, [made], "f", words)
    assert why == ""
    proved: dict[Key, list[list[tuple[int, int]]]] = defaultdict(list)
    traced: dict[Key, list[list[int]]] = defaultdict(list)
    with function_subject(platform, [made], "f", shared_arguments(words)) as subject:
        draw, known = np.random.default_rng(1), subject.machine.layout
        rows, given = [], []
        for _ in range(CALLS):
            rows.append(known.seen(subject.run(draw, fixed=False)[None])[0])
            given.append(variables(domain, subject))
        for one, seen in zip(known.points, np.array(rows).T.tolist(), strict=True):
            traced[one.kind, one.address, one.place].append(seen)
        for item in executor.seen:
            key = item.kind, item.address, item.place
            if begins(domain, item):
                del traced[key]
            else:
                proved[key].append([shown(domain, item, values) for values in given])
        return [
            f"{key} {subject.machine.instructions[key[1]].text}"
            for key in sorted(proved.keys() | traced.keys())
            if not agree(proved[key], traced[key])
        ]


def agree(proved: list[list[tuple[int, int]]], traced: list[list[int]]) -> bool:
    """In order, each is the same but for a constant; what one of them lacks is a constant."""
    left = list(traced)
    for words in proved:
        alike = [word & known for word, known in words]
        if left and not _varying(
            a ^ b & one[1] for a, b, one in zip(alike, left[0], words, strict=True)
        ):
            left.pop(0)
        elif _varying(alike):
            return False
    return not any(map(_varying, left))


def _varying(words: Iterable[int]) -> int:
    """Bits that are not the same in all calls."""
    first, *others = words
    found = 0
    for one in others:
        found |= one ^ first
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", DIALECTS)
def test_both_see_the_same_of_random_code(name: str, seed: int, tmp_path: Path) -> None:
    platform = platform_named(name)
    text = written(DIALECTS[name], random.Random(seed), 100)
    made = built(tmp_path, text, ".s", platform)
    assert differing(platform, made, ARGUMENTS) == []
