# SPDX-License-Identifier: MIT
"""Instructions for AES as a co-processor of PicoRV32, and blocks that use them."""

from pathlib import Path

import pytest
from places import ROOT

from aesfit.hardware import instructions
from aesfit.hardware.cpu import CPU, pcpi_simulation
from aesfit.hardware.families import FAMILIES
from aesfit.hardware.instructions import INSTRUCTION_SETS, WITHOUT, block_cycles
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit.rigs.emulator.machine import MachineError
from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Row
from aesfit_papers.judging.run import stored
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


EXPERIMENT = experiment_named("transposed_instructions")


@pytest.fixture
def kept() -> dict[tuple[object, ...], Row]:
    """Rows of the experiment by core, direction and instructions."""
    found = stored(EXPERIMENT)
    assert found is not None
    return {(row["core"], row["direction"], row["instructions"]): row for row in found.rows}


def test_without_them_a_block_takes_what_the_timing_rules_say(
    kept: dict[tuple[object, ...], Row],
) -> None:
    """Those of rv32i, the same processor by rules, in the results of another experiment."""
    other = stored(experiment_named("transposed_table_2"))
    assert other is not None
    ruled = {row["core"]: row for row in other.rows if row["platform"] == "rv32i"}
    for core in ("transposed", "sbox_columns"):
        for direction in ("encrypt", "decrypt"):
            assert kept[core, direction, WITHOUT.name]["cycles"] == ruled[core][direction]


def test_the_page_has_these_figures(kept: dict[tuple[object, ...], Row]) -> None:
    """docs/silicon.md: cycles by instructions, and cells."""
    page = (ROOT / "docs/silicon.md").read_text(encoding="utf-8")
    for used in INSTRUCTION_SETS:
        blocks = [
            kept[core, direction, used.name]
            for direction in ("encrypt", "decrypt")
            for core in ("transposed", "sbox_columns")
        ]
        cells = " | ".join(f"{figure(row['cycles']):,.0f}" for row in blocks)
        luts = " | ".join(f"{blocks[0][f'luts_{family.name}']}" for family in FAMILIES)
        assert f"| {used.name} | {cells} | {luts} |" in page


def test_a_block_with_both_takes_what_was_kept(kept: dict[tuple[object, ...], Row]) -> None:
    """By the processor's Verilog; the others with --slow."""
    reason = why_not(platform_named(CPU))
    if reason:
        pytest.skip(reason)
    both = INSTRUCTION_SETS[-1]
    taken = block_cycles("transposed", "encrypt-block", both)
    assert taken == kept["transposed", "encrypt", both.name]["cycles"]


@pytest.mark.slow
def test_a_block_that_uses_them_is_aes_and_faster(kept: dict[tuple[object, ...], Row]) -> None:
    """By the processor's Verilog."""
    for (core, direction, name), row in kept.items():
        used = next(one for one in INSTRUCTION_SETS if one.name == name)
        assert block_cycles(str(core), f"{direction}-block", used) == row["cycles"]


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
