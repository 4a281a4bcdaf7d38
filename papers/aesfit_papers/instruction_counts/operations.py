# SPDX-License-Identifier: MIT
"""Executed instructions of one call by class, from a profile.

Every executed instruction falls into exactly one class, by what its manual says that it computes:

===========  =======================================================================================
and          AND, AND with a complement (`bic`, `andn`), AND for the flags alone (`tst`), clearing a
             bit (`bclr`), and the zero extensions `uxtb`, `uxth` and `zext.h`, which other
             instruction sets write as AND with FFh, FFFFh
or           OR, OR with a complement (`orn`), setting a bit (`bset`)
xor          exclusive OR, also for the flags alone (`teq`) or with a complement (`xnor`), inverting
             a bit (`binv`)
shift        shifts and rotations as instructions of their own, by immediates or registers; the
             extraction of a field (`ubfx`, `sbfx`, `bext`), which is a shift down with a mask
load, store  one instruction, however many registers it moves; `pop` into the program counter is a
             load
branch       jumps, calls, returns, and data processing that writes the program counter
other        moves, additions, compares, multiplications, complements (`mvn`, RISC-V `not`), sign
             extensions, byte reversal, field insertion, IT, conditional instructions whose
             condition failed (branches that are not taken stay branches)
===========  =======================================================================================

ARM and Thumb-2 shift an operand or an index within another instruction, as does `sh1add` of RISC-V:
such an instruction counts once, under its operation, and the shift is counted beside the classes
(`folded_shifts`), because an instruction set without them spends an instruction on it.

Complements are in no class of their own because the formula beside which they are printed
(operation_model.py) does not price them either.

Sources: ARM Architecture Reference Manual DDI 0100I, A3 (ARM state) and A6 (Thumb); ARMv6-M and
ARMv7-M Architecture Reference Manuals DDI 0419E and DDI 0403E, A4.4 to A4.6; The RISC-V Instruction
Set Manual, volume I, chapters RV32I, "M" and "B".
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from aesfit.platforms.find import platforms
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.profile import NONE, Execution, Profile

Class = Literal["and", "or", "xor", "shift", "load", "store", "branch", "other"]
CLASSES: Final[tuple[Class, ...]] = (
    *("and", "or", "xor", "shift"),
    *("load", "store", "branch", "other"),
)

_NAMES: Final[dict[Class, str]] = {
    "and": "and andi bic tst uxtb uxth andn bclr bclri zext.h",
    "or": "or ori orr orn bset bseti",
    "xor": "xor xori eor teq xnor binv binvi",
    "shift": "lsl lsr asr ror rrx ubfx sbfx sll slli srl srli sra srai rol rori bext bexti",
}
_BY_NAME: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_BY_KIND: Final[dict[Kind, Class]] = {
    "load": "load",
    "load-many": "load",
    "store": "store",
    "store-many": "store",
    "float-load": "load",
    "float-store": "store",
    "branch": "branch",
    "branch-link": "branch",
    "branch-register": "branch",
}
_SHIFTED_ADDITIONS: Final = ("sh1add", "sh2add", "sh3add")
_FOLDED: Final = re.compile(r"\b(?:lsl|lsr|asr|ror|rrx)\b")


@dataclass(frozen=True)
class ClassCounts:
    """Instructions executed by one call."""

    classes: Mapping[Class, int]
    """Count of each class; they add up to the instructions executed."""
    not_executed: int
    """Instructions of `other` whose condition failed."""
    folded_shifts: int
    """Shifts of operands and indices inside instructions of any class."""
    loads: int
    """Data accesses: each word of a multiple load counts."""
    stores: int

    @property
    def instructions(self) -> int:
        """All executed instructions."""
        return sum(self.classes.values())


def class_of(one: Instruction) -> Class:
    """The class of an instruction whose condition holds."""
    if one.kind in _BY_KIND:
        return _BY_KIND[one.kind]
    if one.writes_pc:
        return "branch"
    if one.text.split()[0] == "not":  # RISC-V: xori with -1
        return "other"
    return _BY_NAME.get(one.name, "other")


def folds_shift(one: Instruction) -> bool:
    """Whether an operand or index is shifted inside the instruction (ARM, Thumb-2, Zba)."""
    return one.name in _SHIFTED_ADDITIONS or bool(_FOLDED.search(one.text.partition(" ")[2]))


def times(profile: Profile, instructions: Mapping[int, Instruction]) -> Counter[tuple[int, bool]]:
    """How often each instruction ran: (address, its condition held) -> times.

    Branches count as holding whether taken or not; other instructions that can jump hold only if
    the next block is elsewhere.
    """
    found: Counter[tuple[int, bool]] = Counter()
    for (_, _, this, following), number in profile.paths.items():
        block = profile.blocks[this]
        address, end = block.address, block.address + block.size
        went_on = following != NONE and profile.blocks[following].address == end
        while address < end:
            one = instructions[address]
            failed = address in block.skipped
            if address + one.size == end and one.writes_pc and one.conditional:
                failed = went_on and class_of(one) != "branch"
            found[address, not failed] += number
            address += one.size
    return found


def count(execution: Execution, instructions: Mapping[int, Instruction]) -> ClassCounts:
    """Classes of an execution; `instructions` by address, as decode_blocks() gives them."""
    classes = Counter[Class](dict.fromkeys(CLASSES, 0))
    not_executed = folded = 0
    for (address, held), number in times(execution.profile, instructions).items():
        one = instructions[address]
        classes[class_of(one) if held else "other"] += number
        not_executed += 0 if held else number
        folded += number if held and folds_shift(one) else 0
    return ClassCounts(dict(classes), not_executed, folded, execution.loads, execution.stores)


def why_not(platform: Platform) -> str | None:
    """None if instruction classes are known there; otherwise the reason, and what to use."""
    if platform.rig == "emulator":
        return None
    reason = {
        "host": "runs on this computer, whose counters do not count instructions by class",
        "vliw": "is counted in packets of up to four instructions, which are not decoded",
        "published": "is known only by published figures",
    }.get(platform.rig, "reports cycles, but not by instruction")
    names = ", ".join(one.name for one in platforms() if one.rig == "emulator")
    return f"{platform.name} {reason}; take an emulated platform: {names}"
