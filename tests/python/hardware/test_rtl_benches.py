# SPDX-License-Identifier: MIT
"""The benches of tests/rtl, which need no Python: each finds its core right, and faults wrong.

What they are told is made by tools/make_bench_vectors.py; for aes_ccm see test_rtl_ccm.py.
"""

import re
from pathlib import Path

import pytest
from few import slow_but

from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import (
    BENCHES,
    COMMANDS,
    SIMULATORS,
    bench,
    listed,
    preloaded,
    random_works,
    run,
    with_fault,
)

VECTORS = {
    "aes32_paper": "aes32_paper",
    "aes128_paper": "aes32_paper",
    "aes32": "blocks",
    "aes32x2": "blocks",
    "aes32_parallel": "blocks",
    "aes_ctr": "aes_ctr",
    "aes_ccm": "aes_ccm",
    "aes32_axil": "aes32_axil",
}
"""Of each core that a user may instantiate."""
Case = tuple[str, dict[str, int | str]]
PLAIN: list[Case] = [(top, {}) for top in VECTORS]
VARIANTS: list[Case] = [
    ("aes32_parallel", {"CORES": 3}),
    ("aes_ctr", {"CORES": 2}),
    ("aes_ctr", {"PAIRED": 1}),
]
CASES = [*PLAIN, ("aes32", {"SBOX": "composite"}), *VARIANTS]


def vectors(top: str) -> list[str]:
    path = BENCHES / f"{VECTORS[top]}.vectors"
    return path.read_text(encoding="utf-8").splitlines()


def verdict(simulation: Tool, *arguments: str) -> str:
    """The last line that a bench prints."""
    said = simulation.run(arguments).splitlines()
    return next(line for line in reversed(said) if line.startswith(("PASS", "FAIL")))


def test_vectors_are_what_their_tool_makes() -> None:
    for name, lines in COMMANDS.render().items():
        assert (BENCHES / name).read_text(encoding="utf-8").splitlines() == lines, name


@pytest.mark.parametrize(
    ("top", "parameters"), slow_but(PLAIN, CASES), ids=lambda value: str(value)
)
def test_passes(tmp_path: Path, top: str, parameters: dict[str, int | str]) -> None:
    run(SIMULATORS["icarus"](bench(f"{top}_tb", **parameters)), vectors(top), tmp_path, "PASS")


@pytest.mark.parametrize(
    ("top", "parameters"), slow_but(VARIANTS, CASES), ids=lambda value: str(value)
)
def test_passes_under_verilator(tmp_path: Path, top: str, parameters: dict[str, int | str]) -> None:
    simulation = SIMULATORS["verilator"](bench(f"{top}_tb", **parameters))
    run(simulation, vectors(top), tmp_path, "PASS")


@pytest.mark.parametrize("top", VECTORS)
def test_nothing_to_compare_is_a_failure(tmp_path: Path, top: str) -> None:
    simulation = SIMULATORS["icarus"](bench(f"{top}_tb"))
    empty = tmp_path / "empty"
    empty.touch()
    assert "no +commands" in verdict(simulation)
    assert "cannot open" in verdict(simulation, f"+commands={tmp_path}/none")
    assert "nothing to compare" in verdict(simulation, f"+commands={empty}")
    empty.write_text("q 0 0 0\n")
    assert "a command that is none" in verdict(simulation, f"+commands={empty}")


FAULTS = {
    "A wrong word.": [
        ("aes32_paper", "aes32_mix_column", "8'h1b", "8'h1d"),
        ("aes32_paper", "aes32_paper", "decrypt_q ? state_q[23:16] : state_q[87:80]", "8'd0"),
        ("aes32", "aes32_shift_rows", "{bypass_i, far}", "{bypass_i, begins}"),
        ("aes32", "aes32", "before_last = busy_q && ", "before_last = "),
        ("aes32_parallel", "aes32_column_table", "s8 ^ s2 ^ s}", "s8 ^ s4 ^ s}"),
        ("aes_ctr", "aes_ctr", "fed_q == 2'd3", "fed_q == 2'd2"),
    ],
    "A wrong number of cycles.": [
        ("aes32_paper", "aes32_paper", "last ? 3'd6 : 3'd7", "3'd7"),
    ],
    "A word that is lost, or comes twice, where one side waits.": [
        ("aes32", "aes32", "data_valid_o && !data_ready_i);\n", "1'b0);\n"),
        ("aes32", "aes32", "!full && (begun", "(begun"),
        ("aes32_parallel", "aes32_parallel", "data_ready_i && out_turn_q[g]", "out_turn_q[g]"),
        ("aes32_parallel", "aes32_parallel", "if (in_word_q == 2'd3)", "if (in_word_q[0])"),
        ("aes_ctr", "aes_ctr", "leaves = data_valid_o && data_ready_i", "leaves = data_valid_o"),
        ("aes_ctr", "aes_ctr", "if (fed) write_q", "if (fed && !fed_q[0]) write_q"),
    ],
    "A word that changes before it is taken; one that waits for its taker, who waits for it.": [
        ("aes_ctr", "aes_ctr", "stream ^ waited", "stream ^ waited ^ {32{!data_ready_i}}"),
        ("aes32", "aes32", "if (busy_q && last_q && step) data_o", "if (data_ready_i) data_o"),
        ("aes32_parallel", "aes32_parallel", "data_valid_o = |", "data_valid_o = data_ready_i & |"),
    ],
    "What reset or erasing leaves.": [
        ("aes32", "aes32_key_expand", "    if (erasing_o) word_q <= 32'd0;", ""),
        ("aes32", "aes32_key_expand", "keyed_q <= !erasing_o;", "keyed_q <= 1'b1;"),
        ("aes32", "aes32_key_expand", "2'd1, 1'b0} | {4{erasing_o}}", "2'd1, 1'b0}"),
        ("aes32", "aes32", "load_q || erasing)", "load_q)"),
        ("aes32", "aes32", "    if (erasing) data_o <= 32'd0;", ""),
        ("aes32", "aes32", "if (clear) filled_q <= 3'd0;", "if (1'b0) filled_q <= 3'd0;"),
        ("aes32_parallel", "aes32_parallel", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
        ("aes_ctr", "aes_ctr", "      loaded_q <= 2'd0;", ""),
        ("aes_ctr", "aes_ctr", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
        ("aes_ctr", "aes_ctr", "(counted_q && !(counter", "(!(counter"),
        ("aes_ctr", "aes_ctr", "      counted_q <= 1'b0;", ""),
    ],
    "What is taken in the cycle of erasing.": [
        ("aes32", "aes32", "if (clear) filled_q", "if (clear && !fill) filled_q"),
        ("aes32", "aes32_key_expand", "if (clear_i) begin", "if (clear_i && !key_valid_i) begin"),
        ("aes32x2", "aes32x2_key_expand", "accepting_q <= 1'b0;", "accepting_q <= begins;"),
        ("aes_ctr", "aes_ctr", "clear) begin\n      loaded", "clear && !load) begin\n      loaded"),
        ("aes_ctr", "aes_ctr", "clear) begin\n      write", "clear && !fed) begin\n      write"),
        ("aes32_paper", "aes32_paper", "phase_q <= Idle;", ""),
    ],
}  # fmt: skip
"""By what they do: top, file, what is right, what is wrong."""
FIRST_OF_A_KIND = [kind[0] for kind in FAULTS.values()]


@pytest.mark.parametrize(
    ("top", "file", "right", "wrong"),
    slow_but(FIRST_OF_A_KIND, [fault for kind in FAULTS.values() for fault in kind]),
)
def test_finds_faults(tmp_path: Path, top: str, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, f"{top}_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), vectors(top), tmp_path, verdict="FAIL")


def test_erasing_leaves_no_expanded_key_either(tmp_path: Path) -> None:
    """Where software expands keys; the bench finds a key that is left."""
    works = random_works(3, 5, 2)
    lines = [*preloaded(works), "z 9 0", *preloaded(works)]
    run(SIMULATORS["icarus"](bench("aes32_tb", KEY_EXPANSION=0)), lines, tmp_path, "PASS")
    fault = ("aes32_key_load", "    if (erasing_o) write_data_o <= 32'd0;", "")
    faulty = with_fault(tmp_path, "aes32_tb", fault, KEY_EXPANSION=0)
    run(SIMULATORS["icarus"](faulty), lines, tmp_path, "FAIL")


@pytest.mark.parametrize("top", VECTORS)
def test_fusesoc_gets_every_file(tmp_path: Path, top: str) -> None:
    """The files that the cores list are enough for the bench, headers and vectors included."""
    files = listed(f"{top}_tb")
    assert all(path.is_file() for path in files)
    file = BENCHES / f"{top}_tb.v"
    assert files >= {file, *modules(file), BENCHES / f"{VECTORS[top]}.vectors"}
    headers = {path for path in RTL.glob("*.vh") if path in files}
    named = {
        RTL / name
        for path in files
        for name in re.findall(r'`include "(.*)"', path.read_text(encoding="utf-8"))
    }
    assert headers == named
    sources = tuple(
        sorted((path for path in files - {file} if path.suffix == ".v"), key=lambda one: one.stem)
    )
    simulation = SIMULATORS["icarus"](Bench(file.stem, file, sources=sources))
    run(simulation, vectors(top), tmp_path, verdict="PASS")


@pytest.mark.parametrize(
    "path", [*RTL.glob("*.core"), *BENCHES.glob("*.core")], ids=lambda p: p.name
)
def test_a_core_is_what_fusesoc_reads(path: Path) -> None:
    """No colon in a description; and no default, which FuseSoC would hand to every top above."""
    text = path.read_text(encoding="utf-8")
    said = re.findall(r"^ *description: (.*)", text, re.MULTILINE)
    assert said
    assert not any(": " in one for one in said)
    verilog = [
        part for part in re.split(r"^  (?=\w)", text, flags=re.MULTILINE) if "vlogparam" in part
    ]
    assert not any("default:" in part for part in verilog)
