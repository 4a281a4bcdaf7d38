# SPDX-License-Identifier: MIT
"""RV32IM with Zba: decoded, interpreted, and turned into operations of the Lx."""

import pytest

from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.scheduling import block, riscv, riscv_machine
from aesfit_papers.scheduling.operation import Access, Operation, Read
from aesfit_papers.scheduling.program import program, why_not
from aesfit_papers.scheduling.riscv_decode import ARITHMETIC, Instruction32, decode, signed
from aesfit_papers.scheduling.riscv_machine import Interpreted, RiscvMachine

needs_clang = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
WORDS = [
    (0xFD010113, Instruction32("add", "I", 2, 2, 0, -48)),
    (0x0286A583, Instruction32("lw", "I", 11, 13, 0, 40)),
    (0x01E58323, Instruction32("sb", "S", 0, 11, 30, 6)),
    (0x2119C9B3, Instruction32("sh2add", "R", 19, 19, 17, 0)),
    (0x20C5A533, Instruction32("sh1add", "R", 10, 11, 12, 0)),
    (0x20C5E533, Instruction32("sh3add", "R", 10, 11, 12, 0)),
    (0x40E787B3, Instruction32("sub", "R", 15, 15, 14, 0)),
    (0x40355513, Instruction32("sra", "I", 10, 10, 0, 3)),
    (0x000108B7, Instruction32("lui", "U", 17, 0, 0, 0x10000)),
    (0x56068E63, Instruction32("beq", "B", 0, 13, 0, 0x57C)),
    (0xC00F0CE3, Instruction32("beq", "B", 0, 30, 0, -0x3E8)),
    (0xD75FF06F, Instruction32("jal", "J", 0, 0, 0, -0x28C)),
    (0x00008067, Instruction32("jalr", "I", 0, 1, 0, 0)),
]
"""As clang assembled them."""


@pytest.mark.parametrize(("word", "wanted"), WORDS)
def test_words_are_decoded(word: int, wanted: Instruction32) -> None:
    assert decode(word) == wanted


@pytest.mark.parametrize("word", [0x02C5C533, 0x00000000, 0x0000000F])
def test_what_is_not_interpreted_is_refused(word: int) -> None:
    """A division, nothing, and a fence."""
    with pytest.raises(ValueError, match=f"{word:#010x} is not interpreted"):
        decode(word)


def test_arithmetic_of_signed_and_unsigned_words() -> None:
    minus = 0xFFFF_FFFF
    assert ARITHMETIC["sra"](0x8000_0000, 33) == -0x4000_0000
    assert ARITHMETIC["srl"](0x8000_0000, 33) == 0x4000_0000
    assert ARITHMETIC["slt"](minus, 0) == 1
    assert ARITHMETIC["sltu"](minus, 0) == 0
    assert ARITHMETIC["mulh"](minus, minus) == 0
    assert ARITHMETIC["mulhu"](minus, minus) == 0xFFFF_FFFE
    assert ARITHMETIC["mulhsu"](minus, minus) == -1
    assert ARITHMETIC["sh3add"](2, 5) == 21
    assert signed(0xFF, 8) == -1


def steps(*instructions: Instruction32, taken: bool = False) -> list[Interpreted]:
    made = []
    for at, one in enumerate(instructions):
        last = at + 1 == len(instructions)
        following = 0x400 if taken and last else 4 * at + 4
        access = Access(0x8000, 4) if one.name in ("lw", "sw") else None
        made.append(Interpreted(4 * at, one, following, access))
    return made


def operations(*instructions: Instruction32) -> list[Operation]:
    (superblock,) = riscv.executed(steps(*instructions, taken=True), (0, 1)).superblocks
    return [one for packet in superblock.packets for one in packet]


def test_a_branch_is_a_comparison_and_a_branch() -> None:
    first, second = operations(Instruction32("bne", "B", 0, 5, 6, 8))
    assert (first.kind, first.reads) == ("compare", (Read("x5"), Read("x6")))
    assert (second.kind, second.reads) == ("branch", (Read("condition", "condition"),))


def test_two_instructions_that_make_a_constant_are_one_operation() -> None:
    upper = Instruction32("lui", "U", 7, 0, 0, 0x1000)
    (one,) = operations(upper, Instruction32("add", "I", 7, 7, 0, 5))
    assert (one.kind, one.writes, one.extended) == ("constant", ("x7",), True)
    assert len(operations(upper, Instruction32("add", "I", 8, 7, 0, 5))) == 2


@pytest.mark.parametrize(
    ("value", "long"), [(-257, True), (-256, False), (255, False), (256, True)]
)
def test_the_lx_has_immediates_of_nine_bits(value: int, long: bool) -> None:
    (one,) = operations(Instruction32("and", "I", 7, 6, 0, value))
    assert one.extended is long


def test_kinds_of_operations() -> None:
    load, store, copy, frame, back = operations(
        Instruction32("lw", "I", 7, 6, 0, 4),
        Instruction32("sw", "S", 0, 6, 7, 4),
        Instruction32("add", "I", 7, 6, 0, 0),
        Instruction32("add", "I", 2, 2, 0, -16),
        Instruction32("jalr", "I", 0, 1, 0, 0),
    )
    assert (load.kind, load.writes, load.access) == ("load", ("x7",), Access(0x8000, 4))
    assert (store.kind, store.stored) == ("store", ("x7",))
    assert copy.copy
    assert frame.frame
    assert (back.kind, back.reads) == ("return", (Read("x1", "link"),))


def test_superblocks_end_with_what_was_not_the_next_address() -> None:
    straight = Instruction32("add", "R", 7, 6, 5, 0)
    made = steps(straight, straight, taken=True) + steps(straight, taken=True)
    found = riscv.executed(made, (0, 1))
    assert [len(one.packets) for one in found.superblocks] == [2, 1]


@needs_clang
def test_code_that_computes_no_aes_is_not_scheduled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ARITHMETIC, "xor", lambda a, b: a ^ b ^ 1)
    with pytest.raises(WrongOutputError, match="ttable4"):
        block.on_riscv("ttable4")


@needs_clang
def test_a_call_that_leaves_memory_or_never_ends_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = RiscvMachine(program(block.job_of("ttable4")))
    with pytest.raises(ValueError, match="no 4 bytes of memory at 0xfff00000"):
        machine.read(0xFFF0_0000, 4)
    here = machine.symbol("rig_encrypt_block")
    machine.write(here, (0x0000006F).to_bytes(4, "little"))
    monkeypatch.setattr(riscv_machine, "_LIMIT", 1000)
    with pytest.raises(ValueError, match="rig_encrypt_block did not return within 1000 instr"):
        machine.call("rig_encrypt_block")
