# SPDX-License-Identifier: MIT
"""Micro-tests of timing models: a snippet of assembly, and the cycles that the manual gives it.

A snippet has one instruction a line.  All of its lines run once, in order, but for what a note
after the instruction says; notes are separated by commas:

    ldr r0, [r1]      @ unreached     lies between a jump and its target
    addne r0, r0, #1  @ skipped       its condition failed (branches: not taken is the default)
    bnez x5, 1b       @ predicted     a branch predictor expects it to jump
    mul r0, r1, r2    @ operand 2 1   bytes that hold the multiplier, unsigned and signed
    udiv r0, r1, r2   @ operand 32 4  bits of dividend and divisor: Operand.code of each
    ldr r0, [r1]      @ flash         the memory that it accesses, "ram" if nothing is said
    ldr r0, [r1]      @ splits 2      aligned accesses beyond the first that it is made as

A branch is taken when the instruction that runs next does not follow it in memory, or when nothing
follows it.  Labels and directives (`.balign` is refused: it inserts) take lines of their own.
"""

import re
import subprocess
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from aesfit.jobs.job import Placement
from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.emulator.timing.model import TimingModel, UnknownInstructionError, cycles
from aesfit.rigs.profile import NONE, Block, Profile

START = 0x1000
ASSEMBLERS: dict[str, list[str]] = {
    "armv4t": ["arm-none-eabi-as", "-mcpu=arm9tdmi"],
    "armv6-m": ["arm-none-eabi-as", "-mcpu=cortex-m0plus", "-mthumb"],
    "armv7-m": ["arm-none-eabi-as", "-mcpu=cortex-m3", "-mthumb"],
    "armv7e-m": ["arm-none-eabi-as", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mthumb"],
    "armv8-m.main": ["arm-none-eabi-as", "-mcpu=cortex-m33", "-mthumb"],
    "rv32i": ["riscv64-unknown-elf-as", "-march=rv32i", "-mabi=ilp32"],
    "rv32im": ["riscv64-unknown-elf-as", "-march=rv32imac_zicsr", "-mabi=ilp32"],
    "rv32imb": ["riscv64-unknown-elf-as", "-march=rv32imac_zicsr_zba_zbb_zbs", "-mabi=ilp32"],
    "rv32ec": ["riscv64-unknown-elf-as", "-march=rv32ec", "-mabi=ilp32e"],
}
PROLOGUES = {"arm": ".syntax unified\n", "ris": ".option norelax\n"}
NUMBERED = re.compile(r"^(operand \d+ \d+|splits \d)$")
LINE = re.compile(r"^\s*(?:[\w.$]+:)?\s*(?P<code>[^@]*?)\s*(?:@\s*(?P<notes>.*))?$")


@dataclass(frozen=True)
class Case:
    """What one rule of a manual says of a few instructions."""

    rule: str
    """Name of the rule that it is about."""
    isa: Isa
    assembly: str
    cycles: int
    """Of all that runs, summed by hand from the manual."""
    note: str = ""
    """The sum: "2 for the load, 1 for its use"."""
    flash_wait: int = 0
    """Wait states of instruction fetches."""


@dataclass(frozen=True)
class Line:
    """An instruction of a snippet with its notes."""

    reached: bool
    skipped: bool
    predicted: bool
    operand: tuple[int, int] | None
    memory: str
    splits: int


def _lines(assembly: str) -> list[Line]:
    found = []
    for text in assembly.splitlines():
        matched = LINE.match(text)
        assert matched, text
        if not matched["code"] or matched["code"].startswith("."):
            assert ".balign" not in text
            continue
        notes = [note.strip() for note in (matched["notes"] or "").split(",")]
        known = {"", "unreached", "skipped", "predicted", "flash"}
        assert all(note in known or NUMBERED.match(note) for note in notes), text
        operand, splits = (_numbers(notes, name) for name in ("operand", "splits"))
        found.append(
            Line(
                reached="unreached" not in notes,
                skipped="skipped" in notes,
                predicted="predicted" in notes,
                operand=(operand[0], operand[1]) if operand else None,
                memory="flash" if "flash" in notes else "ram",
                splits=splits[0] if splits else 0,
            )
        )
    return found


def _numbers(notes: list[str], name: str) -> list[int]:
    """What follows the name in the note that begins with it."""
    return [int(one) for note in notes if note.startswith(name) for one in note.split()[1:]]


@cache
def assemble(isa: Isa, assembly: str) -> bytes:
    """Machine code of a snippet."""
    source = PROLOGUES[ASSEMBLERS[isa][0][:3]] + re.sub("@.*", "", assembly)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "snippet.o"
        command = [*ASSEMBLERS[isa], "-o", str(target), "-"]
        done = subprocess.run(
            command, input=source + "\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        with target.open("rb") as stream:
            section = ELFFile(stream).get_section_by_name(".text")
            assert section is not None
            return bytes(section.data())


def _instructions(isa: Isa, code: bytes) -> list[Instruction]:
    def read(address: int, size: int) -> bytes:
        return code[address - START : address - START + size]

    found = decode_blocks(read, [Block(START, len(code))], isa)
    return [found[address] for address in sorted(found)]


def _blocks(
    run: list[Instruction], skipped: frozenset[int], predicted: frozenset[int]
) -> list[Block]:
    """Cut after every instruction that may jump, and wherever memory is not contiguous."""
    parts: list[list[Instruction]] = []
    for one in run:
        last = parts[-1][-1] if parts else None
        if last is None or last.writes_pc or last.address + last.size != one.address:
            parts.append([])
        parts[-1].append(one)
    return [
        Block(
            part[0].address,
            sum(one.size for one in part),
            frozenset(one.address for one in part) & skipped,
            part[-1].address in predicted,
        )
        for part in parts
    ]


def profile_of(case: Case) -> tuple[Profile, dict[int, Instruction]]:
    """The execution that the notes of the snippet describe, and its instructions."""
    code = _instructions(case.isa, assemble(case.isa, case.assembly))
    lines = _lines(case.assembly)
    assert len(code) == len(lines), [one.text for one in code]
    pairs = list(zip(code, lines, strict=True))
    run = [one for one, line in pairs if line.reached]
    skipped, predicted = (
        frozenset(one.address for one, line in pairs if getattr(line, name))
        for name in ("skipped", "predicted")
    )
    blocks = _blocks(run, skipped, predicted)
    numbers = [NONE, NONE, *range(len(blocks)), NONE]
    paths = Counter(zip(numbers, numbers[1:], numbers[2:], numbers[3:], strict=False))
    operands = {(one.address, *line.operand): 1 for one, line in pairs if line.operand}
    accesses = {
        (one.address, "load", line.memory): 1
        for one, line in pairs
        if line.reached and not line.skipped and one.access_bytes
    }
    unaligned = {(one.address, line.splits): 1 for one, line in pairs if line.splits}
    profile = Profile(tuple(blocks), paths, operands, accesses, unaligned)
    return profile, {one.address: one for one in code}


def priced(model: TimingModel, case: Case) -> int:
    """Cycles of the snippet by the model."""
    profile, instructions = profile_of(case)
    return cycles(model, profile, instructions, Placement(flash_wait=case.flash_wait))


def check(model: TimingModel, case: Case) -> None:
    """The model gives the manual's cycles, and would not without the rule."""
    assert priced(model, case) == case.cycles, f"{case.assembly}\n{case.note}"
    names = [rule.name for rule in model.rules()]
    assert case.rule in names, case.rule
    without = replace(
        model,
        base=tuple(rule for rule in model.base if rule.name != case.rule),
        neighbours=tuple(rule for rule in model.neighbours if rule.name != case.rule),
        operands=tuple(rule for rule in model.operands if rule.name != case.rule),
        splits=None if model.splits and model.splits.name == case.rule else model.splits,
    )
    with suppress(UnknownInstructionError):
        assert priced(without, case) != case.cycles, f"the case does not need '{case.rule}'"


def check_coverage(model: TimingModel, cases: list[Case]) -> None:
    """Names of rules are unique, each has a source and at least one case."""
    rules = model.rules()
    names = [rule.name for rule in rules]
    assert len(names) == len(set(names))
    assert all(rule.source for rule in rules)
    assert set(names) == {case.rule for case in cases}
