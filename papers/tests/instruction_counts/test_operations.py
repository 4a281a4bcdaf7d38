# SPDX-License-Identifier: MIT
"""Classes of instructions, and the operation-count formula against sums made by hand."""

from dataclasses import replace

import fakes
import pytest

from aesfit.platforms.find import platforms
from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.profile import NONE, Block, Execution, Profile
from aesfit_papers.instruction_counts.operation_model import (
    ADD_ROUND_KEY,
    MIX_COLUMNS,
    SHIFT_ROWS,
    ClassCosts,
    Direction,
    OperationCounts,
    published,
    repaired,
)
from aesfit_papers.instruction_counts.operations import (
    CLASSES,
    class_of,
    count,
    folds_shift,
    times,
    why_not,
)

decode_blocks = pytest.importorskip("aesfit.rigs.emulator.decode").decode_blocks
START = 0x1000

# (instruction set, bytes in memory, what they say, class, whether a shift is folded in)
ENCODINGS: list[tuple[Isa, str, str, str, bool]] = [
    ("armv4t", "031002e0", "and r1, r2, r3", "and", False),
    ("armv4t", "ff10c2e3", "bic r1, r2, #255", "and", False),
    ("armv4t", "020011e1", "tst r1, r2", "and", False),
    ("armv4t", "031482e1", "orr r1, r2, r3, lsl #8", "or", True),
    ("armv4t", "631c22e0", "eor r1, r2, r3, ror #24", "xor", True),
    ("armv4t", "321331e0", "eors r1, r1, r2, lsr r3", "xor", True),
    ("armv4t", "020031e1", "teq r1, r2", "xor", False),
    ("armv4t", "0210e0e1", "mvn r1, r2", "other", False),
    ("armv4t", "8211a0e1", "lsl r1, r2, #3", "shift", False),
    ("armv4t", "7213a0e1", "ror r1, r2, r3", "shift", False),
    ("armv4t", "6210a0e1", "rrx r1, r2", "shift", False),
    ("armv4t", "0210a0e1", "mov r1, r2", "other", False),
    ("armv4t", "431182e0", "add r1, r2, r3, asr #2", "other", True),
    ("armv4t", "920301e0", "mul r1, r2, r3", "other", False),
    ("armv4t", "040051e3", "cmp r1, #4", "other", False),
    ("armv4t", "0310d2e7", "ldrb r1, [r2, r3]", "load", False),
    ("armv4t", "031192e7", "ldr r1, [r2, r3, lsl #2]", "load", True),
    ("armv4t", "1080bde8", "pop {r4, pc}", "load", False),
    ("armv4t", "10402de9", "push {r4, lr}", "store", False),
    ("armv4t", "0110c2e4", "strb r1, [r2], #1", "store", False),
    ("armv4t", "feffff1a", "bne .", "branch", False),
    ("armv4t", "feffffeb", "bl .", "branch", False),
    ("armv4t", "1eff2fe1", "bx lr", "branch", False),
    ("armv4t", "0ef0a0e1", "mov pc, lr", "branch", False),
    ("armv6-m", "1140", "ands r1, r2", "and", False),
    ("armv6-m", "9143", "bics r1, r2", "and", False),
    ("armv6-m", "1143", "orrs r1, r2", "or", False),
    ("armv6-m", "5140", "eors r1, r2", "xor", False),
    ("armv6-m", "1101", "lsls r1, r2, #4", "shift", False),
    ("armv6-m", "d141", "rors r1, r2", "shift", False),
    ("armv6-m", "d1b2", "uxtb r1, r2", "and", False),
    ("armv6-m", "51b2", "sxtb r1, r2", "other", False),
    ("armv6-m", "11ba", "rev r1, r2", "other", False),
    ("armv6-m", "d143", "mvns r1, r2", "other", False),
    ("armv6-m", "0cc1", "stmia r1!, {r2, r3}", "store", False),
    ("armv6-m", "fed0", "beq .", "branch", False),
    ("armv7e-m", "62ea0301", "orn r1, r2, r3", "or", False),
    ("armv7e-m", "82ea3321", "eor.w r1, r2, r3, ror #8", "xor", True),
    ("armv7e-m", "c2f30721", "ubfx r1, r2, #8, #8", "shift", False),
    ("armv7e-m", "5ffaa2f1", "uxtb.w r1, r2, ror #16", "and", True),
    ("armv7e-m", "62f30f21", "bfi r1, r2, #8, #8", "other", False),
    ("armv7e-m", "51ba", "rev16 r1, r2", "other", False),
    ("armv7e-m", "d2e90001", "ldrd r0, r1, [r2]", "load", False),
    ("armv7e-m", "12f82310", "ldrb.w r1, [r2, r3, lsl #2]", "load", True),
    ("armv7e-m", "01b1", "cbz r1, .+4", "branch", False),
    ("armv7e-m", "dfe800f0", "tbb [pc, r0]", "branch", False),
    ("rv32im", "33f5c500", "and a0, a1, a2", "and", False),
    ("rv32im", "13f5f50f", "andi a0, a1, 255", "and", False),
    ("rv32im", "33e5c500", "or a0, a1, a2", "or", False),
    ("rv32im", "13e51500", "ori a0, a1, 1", "or", False),
    ("rv32im", "33c5c500", "xor a0, a1, a2", "xor", False),
    ("rv32im", "13c5b501", "xori a0, a1, 27", "xor", False),
    ("rv32im", "13c5f5ff", "not a0, a1", "other", False),
    ("rv32im", "3395c500", "sll a0, a1, a2", "shift", False),
    ("rv32im", "13958500", "slli a0, a1, 8", "shift", False),
    ("rv32im", "13d58501", "srli a0, a1, 24", "shift", False),
    ("rv32im", "13d57540", "srai a0, a1, 7", "shift", False),
    ("rv32im", "3385c500", "add a0, a1, a2", "other", False),
    ("rv32im", "2e85", "mv a0, a1", "other", False),
    ("rv32im", "33b5c500", "sltu a0, a1, a2", "other", False),
    ("rv32im", "3385c502", "mul a0, a1, a2", "other", False),
    ("rv32im", "03c50500", "lbu a0, 0(a1)", "load", False),
    ("rv32im", "1245", "lw a0, 4(sp)", "load", False),
    ("rv32im", "2380a500", "sb a0, 0(a1)", "store", False),
    ("rv32im", "6300b500", "beq a0, a1, .", "branch", False),
    ("rv32im", "ef000000", "jal ra, .", "branch", False),
    ("rv32im", "8280", "ret", "branch", False),
    ("rv32imb", "33f5c540", "andn x10, x11, x12", "and", False),
    ("rv32imb", "33c50508", "zext.h x10, x11", "and", False),
    ("rv32imb", "1395f549", "bclri x10, x11, 31", "and", False),
    ("rv32imb", "33e5c540", "orn x10, x11, x12", "or", False),
    ("rv32imb", "1395f529", "bseti x10, x11, 31", "or", False),
    ("rv32imb", "33c5c540", "xnor x10, x11, x12", "xor", False),
    ("rv32imb", "1395f569", "binvi x10, x11, 31", "xor", False),
    ("rv32imb", "13d58560", "rori x10, x11, 8", "shift", False),
    ("rv32imb", "13d5f549", "bexti x10, x11, 31", "shift", False),
    ("rv32imb", "33a5c520", "sh1add x10, x11, x12", "other", True),
    ("rv32imb", "13d58569", "rev8 x10, x11", "other", False),
    ("rv32imb", "1395c500", "slli a0, a1, 12", "shift", False),
]


def decoded(isa: Isa, code: bytes) -> dict[int, Instruction]:
    def read(address: int, size: int) -> bytes:
        return code[address - START : address - START + size]

    found: dict[int, Instruction] = decode_blocks(read, [Block(START, len(code))], isa)
    return found


@pytest.mark.parametrize(("isa", "code", "text", "wanted", "folds"), ENCODINGS)
def test_class_of_an_encoding(isa: Isa, code: str, text: str, wanted: str, folds: bool) -> None:
    (one,) = decoded(isa, bytes.fromhex(code)).values()
    assert class_of(one) == wanted, text
    assert folds_shift(one) == folds, text


# eor r1, r2, r3, ror #24; addeq r0, r0, r1, lsl #2; popne {r4, pc}
ARM_CODE = bytes.fromhex("631c22e0 01018000 1080bd18")
AFTER = Block(START + 12, 4)


def execution(profile: Profile, instructions: int) -> Execution:
    return Execution(0, instructions, 5, 6, 0, profile, 0, 0)


def test_conditional_instructions_count_as_what_they_did() -> None:
    """Five times through: the addition held twice, the return was taken once."""
    code = decoded("armv4t", ARM_CODE + bytes.fromhex("631c22e0"))
    blocks = (Block(START, 12), Block(START, 12, frozenset({START + 4})), AFTER)
    paths = {
        (NONE, NONE, 0, 2): 2,  # it went on behind the return
        (NONE, 2, 1, 2): 2,
        (2, 2, 1, NONE): 1,
        (NONE, 0, 2, 1): 4,
    }
    profile = Profile(blocks, paths, {}, {})
    ran = times(profile, code)
    assert ran[START + 4, True] == 2
    assert ran[START + 4, False] == 3
    assert ran[START + 8, True] == 1
    assert ran[START + 8, False] == 4
    counts = count(execution(profile, 19), code)
    assert counts.classes == {
        **dict.fromkeys(CLASSES, 0),
        "xor": 9,
        "load": 1,
        "other": 9,
    }
    assert counts.instructions == 19
    assert counts.not_executed == 7
    assert counts.folded_shifts == 9 + 2
    assert (counts.loads, counts.stores) == (5, 6)


def test_where_instructions_are_told_apart() -> None:
    for platform in platforms():
        reason = why_not(platform)
        assert (reason is None) == (platform.rig == "emulator")
        if reason:
            assert reason.startswith(platform.name)
            assert "take an emulated platform: " in reason
            assert "arm7tdmi" in reason
    other = why_not(replace(fakes.PLATFORM, rig="unheard-of"))
    assert other is not None
    assert "cycles" in other


# --- the formula; sums by hand for Nb = 4


@pytest.mark.parametrize(
    ("direction", "rounds", "wanted"),
    [
        ("encrypt", 10, (1720, 1268, 3180)),
        ("encrypt", 12, (2088, 1540, 3884)),
        ("encrypt", 14, (2456, 1812, 4588)),
        ("decrypt", 10, (1720 + 9 * 384, 1268 + 9 * 288, 3180 - 9 * 128)),
        ("decrypt", 12, (2088 + 11 * 384, 1540 + 11 * 288, 3884 - 11 * 128)),
        ("decrypt", 14, (2456 + 13 * 384, 1812 + 13 * 288, 4588 - 13 * 128)),
    ],
)
def test_published(direction: Direction, rounds: int, wanted: tuple[int, int, int]) -> None:
    one = published(direction, rounds)
    assert (one.and_, one.or_, one.shift, one.xor) == (*wanted, 0)


@pytest.mark.parametrize(
    ("direction", "rounds", "wanted"),
    [
        ("encrypt", 10, (1840, 1348, 2424)),
        ("encrypt", 12, (2232, 1636, 2960)),
        ("encrypt", 14, (2624, 1924, 3496)),
        ("decrypt", 10, (1840 + 3456, 1348 + 2592, 2424 - 1152)),
    ],
)
def test_repaired(direction: Direction, rounds: int, wanted: tuple[int, int, int]) -> None:
    one = repaired(direction, rounds).expanded()
    assert (one.and_, one.or_, one.shift) == wanted


@pytest.mark.parametrize("rounds", range(1, 15))
def test_the_closed_forms_of_the_derivation(rounds: int) -> None:
    one = repaired("encrypt", rounds).expanded()
    assert one.and_ == 49 * 4 * rounds - 30 * 4
    assert one.or_ == 36 * 4 * rounds - 23 * 4
    assert one.shift == 67 * 4 * rounds - 64 * 4


@pytest.mark.parametrize("rounds", range(1, 15))
def test_the_published_sum_is_without_subbytes_and_with_96_shifts(rounds: int) -> None:
    stated = ADD_ROUND_KEY * (rounds + 1) + MIX_COLUMNS * (rounds - 1) + SHIFT_ROWS * rounds
    odd = OperationCounts(shift=96 - SHIFT_ROWS.shift) * (rounds - 1)
    assert (stated + odd).expanded() == published("encrypt", rounds)


def test_xor_is_priced_as_two_ands_and_an_or() -> None:
    assert OperationCounts(1, 2, 10, 4).expanded() == OperationCounts(21, 12, 0, 4)
    assert OperationCounts(1, 2, 10, 4).time(ClassCosts(1, 10, 100)) == 21 + 120 + 400
    assert published("encrypt", 10).time(ClassCosts()) == 6168
    assert repaired("encrypt", 10).time(ClassCosts()) == 5612
    assert published("decrypt", 10).time(ClassCosts()) == 11064
