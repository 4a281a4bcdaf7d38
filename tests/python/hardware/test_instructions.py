# SPDX-License-Identifier: MIT
"""Instructions for AES as a co-processor of PicoRV32, and blocks that use them."""

from pathlib import Path

import pytest
from few import slow_but
from places import ROOT

from aesfit.hardware import instructions
from aesfit.hardware.cpu import pcpi_simulation
from aesfit.hardware.instructions import INSTRUCTION_SETS, block_cycles, zkn_cycles
from aesfit.rigs.emulator.machine import MachineError
from aesfit.rigs.firing import WrongOutputError
from rtl import SIMULATORS, TABLES, bench, printed, run, with_fault


def asked(**parameters: int) -> list[list[str]]:
    """What the bench prints; it must end with PASS."""
    said = printed(SIMULATORS["icarus"](bench("pcpi_aes_tb", **parameters)))
    lines = [line.split() for line in said]
    assert lines.pop() == ["PASS", "584", "answers"]
    return lines


ZKN_FAULTS = [
    ("pcpi_zkn", "8'h1b", "8'h1d"),
    ("pcpi_zkn", "mixes ? mixed : {24'd0, s}", "mixed"),
    ("pcpi_zkn", "double(s2) & {8{inverse}}", "double(s2)"),
    ("pcpi_zkn", "double(double(s2)) & {8{inverse}}", "double(double(s2))"),
    ("pcpi_zkn", "s8 ^ s, s8 ^ s4 ^ s2}", "s8 ^ s, s8 ^ s4 ^ s}"),
    ("pcpi_zkn", "rs2_i[{place, 3'd0}+:8]", "rs2_i[7:0]"),
    ("pcpi_zkn", "{share[23:0], share[31:24]}", "{share[7:0], share[31:8]}"),
    ("pcpi_zkn", "{by_one[15:0], by_one[31:16]}", "by_one"),
    ("pcpi_zkn", "rs1_i ^ (", "("),
    ("pcpi_zkn", ".inverse_i(inverse)", ".inverse_i(mixes)"),
    ("pcpi_zkn", "7'b0110011 &&", "7'b0110011 ||"),
    ("pcpi_zkn", "&& insn_i[14:12] == 3'd0", ""),
    ("pcpi_zkn", "{insn_i[29:28], insn_i[25]} == 3'b101", "{insn_i[29], insn_i[25]} == 2'b11"),
    ("pcpi_zkn", "assign wr_o = ready_o", "assign wr_o = wait_o"),
    ("pcpi_zkn", "ours && looked_q;", "ours;"),
    ("pcpi_zkn", "ours && !looked_q;", "ours;"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), slow_but(ZKN_FAULTS[:1], ZKN_FAULTS))
def test_the_bench_of_zkn_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "pcpi_zkn_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), [], tmp_path, verdict="FAIL")


def test_zkn_answers_by_the_standard() -> None:
    """Every value of every byte in each of the four; all others are left alone."""
    assert printed(SIMULATORS["icarus"](bench("pcpi_zkn_tb")))[-1] == "PASS 4342 answers"


@pytest.mark.slow
@pytest.mark.parametrize("op", ["encrypt-block", "decrypt-block"])
def test_a_block_by_zkn(op: str) -> None:
    """On the processor's Verilog, compared with the library; the page has its cycles."""
    page = (ROOT / "docs" / "silicon.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `pcpi_zkn`, `zkn_rv32`"))
    cell = row.split("|")[2 if op == "encrypt-block" else 3]
    assert int(cell.replace(",", "")) == zkn_cycles(op)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("s.c0, s.c1, s.c2, s.c3),", "s.c0, s.c1, s.c3, s.c2),"),
        ("columns_add(columns_load(in), columns_get(k))", "columns_load(in)"),
    ],
)
def test_a_wrong_core_on_zkn_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, right: str, wrong: str
) -> None:
    """A column of ShiftRows from elsewhere; no round key before the first round."""
    text = instructions._ZKN.read_text(encoding="utf-8")
    assert right in text
    core = tmp_path / "zkn_rv32.c"
    core.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    monkeypatch.setattr(instructions, "_ZKN", core)
    with pytest.raises(WrongOutputError):
        zkn_cycles("encrypt-block")


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
