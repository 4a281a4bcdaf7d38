# SPDX-License-Identifier: MIT
"""The parts of the Verilog cores: S-boxes, columns, state, and the constants they are made from."""

import pytest

from aesfit.hardware.tools import RTL
from rtl import SIMULATORS, TABLES, bench, mixed, printed, script


def lines_of(top: str) -> list[list[str]]:
    """What a bench without commands prints; complaints raise."""
    lines = [line.split() for line in printed(SIMULATORS["icarus"](bench(top)))]
    assert [line for line in lines if line[0] == "error"] == []
    return lines


def substituted(word: str, inverse: bool) -> str:
    table = TABLES.INV_SBOX if inverse else TABLES.SBOX
    return bytes(table[x] for x in bytes.fromhex(word)).hex()


def test_constants_are_what_their_tool_computes() -> None:
    made: dict[str, str] = script("make_verilog_tables").render()
    assert made == {
        path.name: path.read_text(encoding="utf-8") for path in RTL.glob("aes32_sbox*.vh")
    }


def test_every_sbox_gives_every_byte() -> None:
    """Three modules, four lanes, both directions."""
    lines = lines_of("sbox_tb")
    for _, module, inverse, word, given in lines:
        assert given == substituted(word, inverse == "1"), (module, inverse, word)
    for lane in range(4):
        seen = {(m, i, word[2 * lane : 2 * lane + 2]) for _, m, i, word, _ in lines}
        assert len(seen) == 3 * 2 * 256


def test_mix_column() -> None:
    lines = [line for line in lines_of("column_tb") if line[0] == "mix"]
    assert len(lines) == 400
    for _, inverse, word, given in lines:
        assert given == mixed(bytes.fromhex(word), inverse == "1").hex()


def test_columns_of_every_kind_agree() -> None:
    lines = [line for line in lines_of("column_tb") if line[0] == "column"]
    assert {line[1] for line in lines} == {"0", "1", "2", "3"}
    for _, module, inverse, unmixed, word, given in lines:
        wanted = bytes.fromhex(substituted(word, inverse == "1"))
        if unmixed == "0":
            wanted = mixed(wanted, inverse == "1")
        assert given == wanted.hex(), (module, inverse, unmixed)


@pytest.mark.parametrize("inverse", ["0", "1"])
def test_shift_rows(inverse: str) -> None:
    """While a state's last column enters, and the three after it, its rows leave shifted."""
    lines = [line for line in lines_of("state_tb") if line[:2] == ["rows", inverse]]
    entering = [bytes.fromhex(line[2]) for line in lines]
    leaving = [line[3] for line in lines]
    assert len(lines) == 400
    way = -1 if inverse == "1" else 1
    for start in range(0, 396, 4):
        for column in range(4):
            wanted = bytes(entering[start + (column + way * row) % 4][row] for row in range(4))
            assert leaving[start + 3 + column] == wanted.hex()


def test_every_module_explains_itself() -> None:
    """In 5 to 25 lines under the licence; one module in each file, of its name."""
    for path in RTL.glob("*.v"):
        lines = path.read_text(encoding="utf-8").splitlines()
        head = [line for line in lines if line.startswith("//")]
        assert lines[1 : len(head)] == head[1:], path.name
        assert 5 <= len(head) - 1 <= 25, path.name
        for label in ("Cycles", "Cost:"):
            assert any(line.startswith(f"// {label}") for line in head), f"{path.name}: {label}"
        modules = [line for line in lines if line.startswith("module ")]
        assert [line.split()[1] for line in modules] == [path.stem], path.name
