# SPDX-License-Identifier: MIT
"""Instructions for AES as a co-processor of PicoRV32, and blocks that use them."""

from pathlib import Path

import pytest

from aesfit.hardware import instructions
from aesfit.hardware.cpu import pcpi_simulation
from aesfit.hardware.instructions import INSTRUCTION_SETS, block_cycles
from aesfit.rigs.emulator.machine import MachineError
from aesfit.rigs.firing import WrongOutputError
from rtl import SIMULATORS, TABLES, bench, printed, run, with_fault


def asked(**parameters: int) -> list[list[str]]:
    """What the bench prints; it must end with PASS."""
    said = printed(SIMULATORS["icarus"](bench("pcpi_aes_tb", **parameters)))
    lines = [line.split() for line in said]
    assert lines.pop() == ["PASS", "584", "answers"]
    return lines


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("pcpi_aes", "8'h1b", "8'h1d"),
        ("pcpi_aes", "} ^ rs2_i", "}"),
        ("pcpi_aes", "rs2_i[31:16], rs1_i[15:0]", "rs1_i"),
        ("pcpi_aes", "{joined[7:0], joined[31:8]}", "{joined[23:0], joined[31:24]}"),
        ("pcpi_aes", ".inverse_i(insn_i[13])", ".inverse_i(1'b0)"),
        ("pcpi_aes", "== 7'b0101011", "!= 7'b0110011"),
        ("pcpi_aes", "assign wr_o = ready_o", "assign wr_o = wait_o"),
        ("pcpi_aes", "doubles || (looks && looked_q)", "doubles || looks"),
    ],
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "pcpi_aes_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), [], tmp_path, verdict="FAIL")


def doubled(low: int, high: int) -> int:
    """2 rs1 + rs2, byte by byte."""
    each = (TABLES.double(byte) for byte in low.to_bytes(4, "big"))
    return int.from_bytes(bytes(each), "big") ^ high


def substituted(low: int, high: int, by: int, inverse: bool) -> int:
    """The S-box word of the upper half of rs2 over the lower half of rs1, rotated right."""
    joined = (high & 0xFFFF0000 | low & 0xFFFF).to_bytes(4, "little")
    table = TABLES.INV_SBOX if inverse else TABLES.SBOX
    rotated = joined[by:] + joined[:by]
    return int.from_bytes(bytes(table[byte] for byte in rotated), "little")


def test_each_instruction_on_words() -> None:
    """Every byte in some lane; a doubling at once, a look-up in the next cycle."""
    seen = [line[1:] for line in asked() if line[0] == "pcpi"]
    assert len(seen) == 64 * 9
    for kind, by, *given, cycles in seen:
        rs1, rs2, rd = (int(word, 16) for word in given)
        if kind == "0":
            assert (rd, cycles) == (doubled(rs1, rs2), "1"), given
        else:
            wanted = substituted(rs1, rs2, int(by), inverse=kind == "2")
            assert (rd, cycles) == (wanted, "2"), (kind, by, given)


@pytest.mark.parametrize(("double", "sub"), [(0, 1), (1, 0), (1, 1)])
def test_what_it_leaves_alone(double: int, sub: int) -> None:
    """Instructions that are left out, other functions of its opcode, another opcode."""
    lines = asked(DOUBLE=double, SUB=sub)
    answered = {line[1] for line in lines if line[0] == "pcpi"}
    assert answered == ({"0"} if double else set()) | ({"1", "2"} if sub else set())
    left = {(line[1], line[2]) for line in lines if line[0] == "left"}
    wanted = {(str(kind), "0101011") for kind in range(8) if str(kind) not in answered}
    assert left == wanted | {(str(kind), "0001011") for kind in range(3)}


@pytest.mark.slow
def test_an_instruction_that_is_not_there_traps(monkeypatch: pytest.MonkeyPatch) -> None:
    without = pcpi_simulation(double=False, sub=False)
    monkeypatch.setattr(instructions, "pcpi_simulation", lambda **_: without)
    with pytest.raises(MachineError, match="did not return"):
        block_cycles("transposed", "encrypt-block", INSTRUCTION_SETS[-1])


@pytest.mark.slow
def test_a_wrong_step_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A doubling that adds to itself."""
    steps = tmp_path / "steps.h"
    text = instructions._STEPS.read_text(encoding="utf-8")
    steps.write_text(text.replace('"r"(x), "r"(y)', '"r"(x), "r"(x)'), encoding="utf-8")
    monkeypatch.setattr(instructions, "_STEPS", steps)
    with pytest.raises(WrongOutputError):
        block_cycles("transposed", "encrypt-block", INSTRUCTION_SETS[-1])
