# SPDX-License-Identifier: MIT
"""What Cortex-M7 asks of an instruction's operands, and what it has in store for others.

Stages matter: EX1 makes addresses and has the early ALU and a shifter, EX2 has the late ALU and the
data of word loads, EX3 the data of other loads, and products are there after it.  A use names the
place that takes a register, a result the place that provides it; DELAY has the cycles from the
issue of the one to the earliest issue of the other.  `Instruction` does not say which register is
shifted and which offset an address has, so both are read from the text of the disassembler.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from ..decode_arm import REGISTERS
from ..instruction import Instruction

EXTEND_AND_ADD = frozenset(["sxtab", "sxtab16", "sxtah", "uxtab", "uxtab16", "uxtah"])
LANES = frozenset(
    sign + operation
    for sign in ("s", "u", "q", "uq", "sh", "uh")
    for operation in ("add8", "add16", "sub8", "sub16", "asx", "sax")
)
_EARLY = frozenset(["rbit", "rev", "rev16", "revsh", "sbfx", "ubfx"])
"""Bit-field instructions of which every operand goes through EX1."""
_REVERSALS = frozenset(["rbit", "rev", "rev16", "revsh"])
_PACKS = frozenset(["pkhbt", "pkhtb"])
_SATURATIONS = frozenset(
    [
        *("qadd", "qdadd", "qdsub", "qsub", "ssat", "ssat16", "usad8", "usada8", "usat", "usat16"),
        *(one for one in LANES if one.startswith(("q", "uq"))),
    ]
)
_SHIFTED_SATURATIONS = frozenset(["qdadd", "qdsub", "ssat", "usat"])
SHIFTING = _EARLY | _PACKS | EXTEND_AND_ADD | _SHIFTED_SATURATIONS | {"bfc", "bfi"}
"""Bit-field and DSP instructions that use the shifter in EX1."""
BIT_FIELD = (
    SHIFTING | _SATURATIONS | LANES | {"clz", "sel", "sxtb", "sxtb16", "sxth", "uxtb", "uxtb16"}
).union(["uxth"])
SHIFTS = frozenset(["asr", "lsl", "lsr", "ror"])
_SUMS = frozenset(["add", "mov", "sub"])
_READS_FLAGS = frozenset(["adc", "rrx", "rsc", "sbc", "sel"])
FLAGS = "flags"
_REGISTER = re.compile(r"\b(r\d+|s[bl]|fp|ip|sp|lr|pc)\b")
_PLACE = re.compile(r"\[(\w+)(?:, (?:#(-?)(\w+)|(\w+)))?[^\]]*\](!?)(?:, (\S+))?")


class Use(IntEnum):
    """What takes a register."""

    SHIFTER = 0
    """EX1: a shifted operand, or one of a bit field."""
    EARLY = 1
    """The early ALU, which an instruction that can do without does not wait for."""
    LATE = 2
    """The late ALU."""
    MIXED = 3
    """The late ALU, in an instruction that has another operand shifted."""
    FACTOR = 4
    ADDED = 5
    """What a product is added to."""
    STORED = 6
    BASE = 7
    INDEX = 8


class Result(IntEnum):
    """What provides a register."""

    EARLY = 0
    """The early ALU."""
    LATE = 1
    """The late ALU."""
    REVERSED = 2
    UPDATED = 3
    """The base of an access that updates it."""
    WORD = 4
    """A word that was loaded."""
    PART = 5
    """A byte or half-word that was loaded."""
    PRODUCT = 6
    SATURATED = 7


DELAY = (
    (1, 1, 0, 0, 0, 0, 0, 1, 1),
    (2, 2, 1, 1, 1, 0, 0, 2, 2),
    (2, 1, 0, 0, 0, 0, 0, 2, 2),
    (1, 2, 0, 0, 0, 0, 0, 1, 1),
    (2, 2, 1, 2, 2, 1, 0, 2, 3),
    (3, 3, 2, 2, 2, 1, 0, 3, 3),
    (3, 3, 2, 2, 2, 1, 1, 4, 4),
    (3, 3, 2, 2, 2, 1, 0, 3, 3),
)
"""By result and use.  Measured by jnk0le but for four that LLVM alone has: saturations, an index
that was loaded, an address that was multiplied, a loaded word that is added to a product."""


@dataclass(frozen=True, slots=True)
class Operands:
    """Registers of an instruction."""

    uses: tuple[tuple[str, Use], ...]
    result: Result
    can_be_early: bool
    """The early ALU can do it, if its operands are there."""


@lru_cache(maxsize=1 << 14)
def operands(one: Instruction) -> Operands:
    """Of that instruction."""
    uses = [(register, _use(one, register)) for register in sorted(one.reads - {"r15"})]
    if one.conditional or one.name in _READS_FLAGS:
        uses.append((FLAGS, Use.LATE))
    plain = one.name in _SUMS or one.name in SHIFTS
    early = plain and not one.shifted and not one.conditional and one.kind == "alu"
    return Operands(tuple(uses), _result(one), early)


def _use(one: Instruction, register: str) -> Use:
    if register in one.address_registers:
        return Use.INDEX if one.indexed and register == _last(one) else Use.BASE
    if one.kind in ("store", "store-many", "store-exclusive"):
        return Use.STORED
    if one.kind in ("multiply", "multiply-long", "divide"):
        return Use.ADDED if register in one.accumulates else Use.FACTOR
    if one.name in _EARLY | _SHIFTED_SATURATIONS | {"pkhtb", "rrx"}:
        return Use.SHIFTER
    if one.name in EXTEND_AND_ADD | {"pkhbt", "bfi"} or one.shifted == "register":
        return Use.SHIFTER if register == _last(one) else Use.MIXED
    return Use.LATE


def _last(one: Instruction) -> str:
    """The register that the text names last, which is the one that is shifted, or an index."""
    return REGISTERS[_REGISTER.findall(one.text)[-1]]


def _result(one: Instruction) -> Result:
    if one.kind in ("load", "load-many", "load-exclusive"):
        return Result.WORD if one.access_bytes == 4 else Result.PART
    if one.kind in ("multiply", "multiply-long"):
        return Result.PRODUCT
    if one.name in _REVERSALS:
        return Result.REVERSED
    return Result.SATURATED if one.name in _SATURATIONS else Result.LATE


@lru_cache(maxsize=1 << 14)
def place(one: Instruction) -> tuple[str, int] | None:
    """Base register and offset in bytes of an access; None where they do not say its address."""
    found = _PLACE.search(one.text)
    if (
        one.kind not in ("load", "store", "preload")
        or found is None
        or found[4]
        or found[1] == "pc"
    ):
        return None
    offset = int(found[3], 0) if found[3] else 0
    return REGISTERS[found[1]], -offset if found[2] else offset
