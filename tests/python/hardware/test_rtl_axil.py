# SPDX-License-Identifier: MIT
"""The registers of aes32_axil over AXI4-Lite, driven by a bench in Verilog that compares."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from axil import (
    ALL_STALLS,
    AT,
    LANES,
    MASK,
    counts,
    erased,
    exchange,
    half_a_key,
    identity,
    in_work,
    interrupts,
    key_behind_a_word,
    refusals,
    results_pile_up,
    write,
)
from few import slow_but

from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import BENCHES, SIMULATORS, bench, random_works, run, shipped


def passes(lines: Sequence[str], folder: Path, simulator: str, **parameters: int) -> None:
    """The bench says PASS."""
    run(SIMULATORS[simulator](bench("aes32_axil_tb", **parameters)), lines, folder, "PASS")


def everything(count: int) -> list[str]:
    """All that bench_axil.py has, and random blocks with and without waits."""
    no_register = [n for n in range(0x100) if n % 4 or n > max(AT.values())]
    first = [*identity(), *refusals(no_register), *counts()]
    lines = [
        *first,
        *in_work(),
        *key_behind_a_word(),
        write("status", MASK["status.refused"]),
        *results_pile_up(),
    ]
    lines += [*half_a_key(), *interrupts()]
    for at in (0, 20, 85, 130, 200):
        lines += erased(at)
    for stalls in (0, *LANES.values(), ALL_STALLS):
        works = random_works(count, seed=stalls, blocks_a_key=5)
        lines += [f"s {stalls:x} 0 0", *exchange(works), "s 0 0 0"]
    return lines


@pytest.mark.parametrize("simulator", slow_but(["icarus"], ["icarus", "verilator"]))
@pytest.mark.parametrize("in_luts", [0, 1])
def test_all_that_software_can_do(tmp_path: Path, simulator: str, slow: bool, in_luts: int) -> None:
    passes(everything(100 if slow else 6), tmp_path, simulator, STATE_IN_LUTS=in_luts)


def test_what_the_bench_is_told_in_every_run(tmp_path: Path) -> None:
    shown = shipped("aes32_axil")
    passes(shown, tmp_path, "icarus")
    compared = sum(line[0] in "wrel" for line in shown)
    assert f"`PASS {compared} answers`" in (RTL / "README.md").read_text(encoding="utf-8")


FAULTS = [
    ("aes32_axil", "wire erase = write_control && s_axi_wdata[ControlErase]", "wire erase = 1'b0"),
    ("aes32_axil", "&& s_axi_wstrb == 4'hf", ""),
    ("aes32_axil", "s_axi_wdata[ControlKeySize+:2] == 2'd3", "1'b0"),
    ("aes32_axil", "interrupts_q && result_words", "result_words"),
    ("aes32_axil", "result_words[CountBits-1:2] != 0", "result_words != 0"),
    ("aes32_axil", "(refused_q && !absolve)", "refused_q"),
    ("aes32_axil", "s_axi_bvalid && !s_axi_bready);", "1'b0);"),
    ("aes32_axil", "s_axi_rvalid && !s_axi_rready);", "1'b0);"),
    ("aes32_axil", "else if (s_axi_rready) begin", "else if (1'b0) begin"),
    ("aes32_axil", ".data_ready_i(!result_full)", ".data_ready_i(1'b1)"),
    ("aes32_axil", "(waiting[32])", "(decrypt_q)"),
    ("aes32_axil", "&& waiting_words == 0", ""),
    ("aes32_axil", "(!keyed_q || full)", "full"),
    ("aes32_axil", "{key_size_q + 2'd1, 1'b1}", "3'd3"),
    ("aes32_axil", "if (clear) {begun_q, keyed_q} <= 2'b00;", ""),
    ("aes32_fifo", "data_i & {WIDTH{!erasing_q}}", "data_i"),
    ("aes32_fifo", "write_i || erasing_q),", "write_i),"),
    ("aes32_fifo", "valid_q <= left != 0", "valid_q <= words_q != 0"),
    ("aes32_fifo", "leaves || erasing_q}", "leaves}"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "right", "wrong"), FAULTS)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    sources = []
    for path in modules(RTL / "aes32_axil.v"):
        text = path.read_text(encoding="utf-8")
        if path.stem == file:
            assert text.count(right) == 1
            text = text.replace(right, wrong)
        sources.append(tmp_path / path.name)
        sources[-1].write_text(text, encoding="utf-8")
    sources.append(RTL / "aes32_axil.v")
    spoilt = Bench(
        "aes32_axil_tb",
        BENCHES / "aes32_axil_tb.v",
        sources=tuple({path.name: path for path in reversed(sources)}.values()),
    )
    run(SIMULATORS["icarus"](spoilt), everything(6), tmp_path, "FAIL")
