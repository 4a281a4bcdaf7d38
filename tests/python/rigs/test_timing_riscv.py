# SPDX-License-Identifier: MIT
"""Micro-tests of the RISC-V timing models: every rule, and what they refuse."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from aesfit.jobs.job import Placement
from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.emulator.timing import picorv32, sifive_e31, vexriscv
from aesfit.rigs.emulator.timing.model import TimingModel, UnknownInstructionError, cycles
from aesfit.rigs.profile import NONE, Block, Profile

E31, PICO, VEX = sifive_e31.MODEL, picorv32.MODEL, vexriscv.MODEL


def _make(name: str, kind: Kind, writes: str = "", reads: str = "") -> Instruction:
    width = {"b": 1, "h": 2, "w": 4}[name[1]] if kind in ("load", "store") else 0
    jumps = kind.startswith("branch")
    return Instruction(
        address=0,
        size=4,
        text=name,
        name=name,
        kind=kind,
        reads=frozenset(reads.split()),
        writes=frozenset(writes.split()),
        access_bytes=width,
        writes_pc=jumps,
        conditional=kind == "branch" and name != "jal",
    )


def alu(writes: str = "x9", reads: str = "", name: str = "add") -> Instruction:
    return _make(name, "alu", writes, reads)


def load(name: str, writes: str, reads: str = "x2") -> Instruction:
    return _make(name, "load", writes, reads)


def branch(distance: int) -> Instruction:
    return replace(_make("bne", "branch", "", "x10"), immediate=distance)


STORE = _make("sw", "store", "", "x2 x8")
MUL = _make("mul", "multiply", "x5", "x6 x7")
MULHU = _make("mulhu", "multiply-long", "x8", "x6 x7")
NOP = _make("addi", "nop")
JUMP = _make("jal", "branch")
CALL = _make("jal", "branch-link", "x1")
RETURN = _make("jalr", "branch-register", "", "x1")
INDIRECT = _make("jalr", "branch-register", "x1", "x15")
USE = alu("x9", "x5")
OTHER = alu("x9", "x6")
CSR = _make("csrrs", "status", "x5")
READ = _make("csrr", "status", "x5")
FENCE = _make("fence", "barrier")
DIV = _make("divu", "divide", "x5", "x6 x7")


def _cycles(model: TimingModel, *runs: Sequence[Instruction]) -> int:
    """Cycles of runs of instructions; a run that is not the last one jumps to the next."""
    placed, blocks, address = {}, [], 0
    for run in runs:
        start = address
        for one in run:
            placed[address] = replace(one, address=address)
            address += one.size
        blocks.append(Block(start, address - start))
        address += 0x100
    chain = [NONE, NONE, *range(len(runs)), NONE]
    paths = {(chain[at], chain[at + 1], chain[at + 2], chain[at + 3]): 1 for at in range(len(runs))}
    return cycles(model, Profile(tuple(blocks), paths, {}, {}), placed)


E31_CASES: list[tuple[str, list[Instruction], int]] = [
    ("independent instructions", [alu(), alu("x10"), NOP, STORE], 4),
    ("result of data processing is bypassed", [alu("x5"), USE], 2),
    ("word load, next uses", [load("lw", "x5"), USE], 3),
    ("word load, next but one uses", [load("lw", "x5"), OTHER, USE], 3),
    ("byte load, next uses", [load("lbu", "x5"), USE], 4),
    ("byte load, next but one uses", [load("lbu", "x5"), OTHER, USE], 4),
    ("byte load, third uses", [load("lb", "x5"), OTHER, OTHER, USE], 4),
    ("half-word load, next uses", [load("lhu", "x5"), USE], 4),
    ("load as an address", [load("lw", "x5"), load("lw", "x6", "x5")], 3),
    ("load stored", [load("lw", "x8"), STORE], 3),
    ("load overwritten", [load("lw", "x9"), OTHER], 3),
    # The first use waits 1 cycle; by then the second byte is there.
    (
        "two byte loads, two uses",
        [load("lbu", "x5"), load("lbu", "x6"), USE, alu("x10", "x6")],
        5,
    ),
    # The stack of bytes: each load waits for the one before, and no cycle is counted twice.
    (
        "chain of byte loads",
        [load("lbu", "x5"), load("lbu", "x5", "x5"), load("lbu", "x5", "x5"), USE],
        10,
    ),
    ("multiply, next uses", [MUL, USE], 6),
    ("multiply, fifth uses", [MUL, *[OTHER] * 4, USE], 6),
    ("multiply, third uses", [MUL, OTHER, OTHER, USE], 6),
    ("multiplier is busy", [MUL, MULHU], 6),
    ("multiplier is free again", [MUL, *[OTHER] * 4, MULHU], 6),
    ("divide", [DIV, USE], 34),
    ("control register read, next uses", [READ, USE], 4),
    ("control register read, third uses", [READ, OTHER, OTHER, USE], 4),
    ("control register written", [CSR, OTHER], 7),
    ("control register written, next uses what was read", [CSR, USE], 7),
    ("call", [CALL], 1),
    ("return", [RETURN], 1),
    ("return of a helper", [replace(RETURN, reads=frozenset({"x5"}))], 1),
    ("indirect jump", [INDIRECT], 4),
    ("backward branch not taken", [branch(-8), NOP], 5),
    ("forward branch not taken", [branch(8), NOP], 2),
]


@pytest.mark.parametrize(
    ("run", "expected"), [case[1:] for case in E31_CASES], ids=[case[0] for case in E31_CASES]
)
def test_e31(run: list[Instruction], expected: int) -> None:
    assert _cycles(E31, run) == expected


@pytest.mark.parametrize(
    ("last", "expected"), [(branch(8), 5), (branch(-8), 2), (JUMP, 2), (CALL, 2), (RETURN, 2)]
)
def test_e31_taken_branches_and_jumps(last: Instruction, expected: int) -> None:
    assert _cycles(E31, [last], [alu()]) == expected


def test_e31_waits_reach_over_blocks_and_end_in_a_refill() -> None:
    byte = load("lbu", "x5")
    assert _cycles(E31, [byte, JUMP], [USE]) == 4
    assert _cycles(E31, [byte, branch(8)], [USE]) == 6


PICO_CASES: list[tuple[Instruction, int]] = [
    (alu(), 3),
    (alu(name="lui"), 3),
    (alu(name="slli"), 3),
    (alu(name="sra"), 3),
    (NOP, 3),
    *((load(name, "x5"), 5) for name in ("lb", "lbu", "lh", "lhu", "lw")),
    *((_make(name, "store", "", "x2 x8"), 5) for name in ("sb", "sh", "sw")),
    (JUMP, 3),
    (CALL, 3),
    (RETURN, 6),
    (INDIRECT, 6),
    (FENCE, 3),
]


@pytest.mark.parametrize(("one", "expected"), PICO_CASES)
def test_picorv32(one: Instruction, expected: int) -> None:
    assert _cycles(PICO, [one]) == expected


def test_picorv32_branches() -> None:
    assert _cycles(PICO, [branch(8), NOP]) == 3 + 3
    assert _cycles(PICO, [branch(8)], [NOP]) == 5 + 3


def test_picorv32_does_not_overlap_instructions() -> None:
    assert _cycles(PICO, [load("lbu", "x5"), USE, branch(-8)], [alu("x6"), RETURN]) == 22


def at(one: Instruction, base: str, offset: int) -> Instruction:
    return replace(one, address_registers=frozenset({base}), immediate=offset)


SHIFT = alu("x5", name="slli")
STORED = at(_make("sw", "store", "", "x2 x8"), "x2", 8)
AGAIN = at(load("lw", "x6"), "x2", 8)

VEX_CASES: list[tuple[str, list[Instruction], int]] = [
    ("independent instructions", [alu(), alu("x10"), NOP, STORE], 4),
    ("result of data processing is bypassed", [alu("x5"), USE], 2),
    ("shift, next uses", [SHIFT, USE], 3),
    ("shift, next but one uses", [SHIFT, OTHER, USE], 3),
    ("load, next uses", [load("lw", "x5"), USE], 4),
    ("byte load, next but one uses", [load("lbu", "x5"), OTHER, USE], 4),
    ("load, third uses", [load("lw", "x5"), OTHER, OTHER, USE], 4),
    ("load stored", [load("lw", "x8"), STORE], 4),
    ("load overwritten", [load("lw", "x9"), OTHER], 2),
    ("two loads, two uses", [load("lw", "x5"), load("lw", "x6"), USE, alu("x10", "x6")], 5),
    ("chain of loads", [load("lw", "x5"), *[load("lw", "x5", "x5")] * 2, USE], 10),
    ("multiply, next uses", [MUL, USE], 4),
    ("multiplier takes one each cycle", [MUL, MULHU], 2),
    ("divide", [DIV, OTHER], 35),
    ("divide, next uses", [DIV, USE], 36),
    ("return", [RETURN], 4),
    ("indirect jump", [INDIRECT], 4),
    ("backward branch not taken", [branch(-8), NOP], 5),
    ("forward branch not taken", [branch(8), NOP], 2),
    ("load of what was stored", [STORED, AGAIN], 7),
    ("the same, one between", [STORED, NOP, AGAIN], 8),
    ("the same, two between", [STORED, NOP, NOP, AGAIN], 4),
    ("load beside what was stored", [STORED, at(AGAIN, "x2", 12)], 2),
    ("byte of what was stored", [STORED, at(load("lbu", "x6"), "x2", 11)], 7),
    ("byte after what was stored", [STORED, at(load("lbu", "x6"), "x2", 12)], 2),
    ("load by a base that changed", [STORED, alu("x2"), AGAIN], 3),
    ("what was stored waits for registers", [STORED, load("lw", "x5"), USE, AGAIN], 6),
]


@pytest.mark.parametrize(
    ("run", "expected"), [case[1:] for case in VEX_CASES], ids=[case[0] for case in VEX_CASES]
)
def test_vexriscv(run: list[Instruction], expected: int) -> None:
    assert _cycles(VEX, run) == expected


@pytest.mark.parametrize(
    ("last", "expected"), [(branch(8), 5), (branch(-8), 3), (JUMP, 3), (CALL, 3), (RETURN, 5)]
)
def test_vexriscv_taken_branches_and_jumps(last: Instruction, expected: int) -> None:
    assert _cycles(VEX, [last], [alu()]) == expected


def test_vexriscv_waits_reach_over_a_jump() -> None:
    assert _cycles(VEX, [load("lw", "x5"), JUMP], [USE]) == 4
    assert _cycles(VEX, [load("lw", "x5"), branch(8)], [USE]) == 6


@pytest.mark.parametrize(
    ("model", "one"),
    [
        (VEX, CSR),
        (VEX, FENCE),
        (VEX, replace(alu(), size=2)),
        (E31, FENCE),
        (PICO, CSR),
        (PICO, DIV),
        (PICO, MUL),
        (PICO, MULHU),
    ],
)
def test_an_instruction_without_a_rule_is_refused_by_name(
    model: TimingModel, one: Instruction
) -> None:
    with pytest.raises(UnknownInstructionError, match=one.name):
        _cycles(model, [one])


def test_picorv32_refuses_compressed_instructions() -> None:
    with pytest.raises(UnknownInstructionError):
        _cycles(PICO, [replace(alu(), size=2)])


@pytest.mark.parametrize("model", [E31, PICO, VEX])
def test_models_are_complete(model: TimingModel) -> None:
    names = [rule.name for rule in model.rules()]
    assert len(set(names)) == len(names)
    assert all(rule.source for rule in model.rules())
    assert model.assumptions
    with pytest.raises(ValueError, match="flash that waits"):
        cycles(model, Profile((), {}, {}, {}), {}, Placement(flash_wait=1))
