# SPDX-License-Identifier: MIT
"""The registers of aes32_axil over AXI4-Lite, driven by a bench in Verilog that compares."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axil import (
    ALL_STALLS,
    AT,
    DECODE_ERROR,
    LANES,
    MAP,
    MASK,
    NOTHING_LEFT,
    SLAVE_ERROR,
    control,
    exchange,
    identity,
    load,
    read,
    receive,
    send,
    status,
    until_none,
    words,
    write,
)
from few import slow_but

from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import BENCHES, SIMULATORS, bench, expected, random_works, run

KEY, BLOCK = bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")
FULL = MAP.constants[0].value


def passes(lines: list[str], folder: Path, simulator: str, **parameters: int) -> None:
    """The bench says PASS."""
    run(SIMULATORS[simulator](bench("aes32_axil_tb", **parameters)), lines, folder, "PASS")


def counts() -> Iterator[str]:
    """STATUS while a key and blocks come and go; the queues hold two blocks each."""
    yield write("control", control(bytes(32), False))
    for word in range(8):
        yield read("status", status(key_ready=1))
        yield write("key", word)
    yield write("data", 0)
    yield read("status", status(keyed=1, data_space=FULL - 1))
    for _ in range(FULL - 1):  # nothing leaves while the key is in expansion
        yield write("data", 0)
    yield write("data", 0, SLAVE_ERROR)
    yield read("status", status(keyed=1, refused=1))
    yield "x 0 0 0"
    yield until_none(MASK["status.erasing"])


def refusals() -> Iterator[str]:
    """What cannot be done is answered at once, and changes nothing."""
    for name in ("id", "version", "result"):
        yield write(name, 0xFFFF_FFFF, SLAVE_ERROR)
    for name in ("key", "data", "result"):
        yield read(name, 0, SLAVE_ERROR)
    yield write("data", 1, SLAVE_ERROR)  # there is no key
    for strobes in range(0xF):
        for name in ("control", "key", "status"):
            yield f"b {strobes:x} 0 0"
            yield write(name, 0xFFFF_FFF9, SLAVE_ERROR)
    for no_size in (6, 7, 0xE):
        yield write("control", no_size, SLAVE_ERROR)
    for address in [n for n in range(0x100) if n % 4 or n > max(AT.values())]:
        yield f"w {address:x} ffffffff {DECODE_ERROR}"
        yield f"r {address:x} 0 {DECODE_ERROR}"
    yield read("control", 0)
    yield read("status", status(key_ready=1, refused=1))
    yield write("status", 0xFFFF_FFFF & ~MASK["status.refused"])
    yield read("status", status(key_ready=1, refused=1))
    yield write("status", MASK["status.refused"])
    yield read("status", status(key_ready=1))


def in_work() -> Iterator[str]:
    """A key is refused while a block is in work, and a result that is not there."""
    yield from load(KEY)
    yield from send(BLOCK)
    yield write("key", 2, SLAVE_ERROR)
    yield read("result", 0, SLAVE_ERROR)
    yield write("control", control(KEY, True))  # too late for this block
    yield from receive(expected(KEY, BLOCK, False))
    yield from send(expected(KEY, BLOCK, False))
    yield from receive(BLOCK)
    yield read("result", 0, SLAVE_ERROR)


def key_behind_a_word() -> Iterator[str]:
    """A key is refused while a word waits, in whatever cycle of the core's it comes."""
    for cycles in range(8):
        yield from load(KEY)
        yield f"i {100 + cycles:x} 0 0"
        yield write("data", words(BLOCK)[0])
        yield write("key", 2, SLAVE_ERROR)
        yield from (write("data", word) for word in words(BLOCK)[1:])
        yield from receive(expected(KEY, BLOCK, False))


def results_pile_up() -> Iterator[str]:
    """Nobody reads: two blocks wait as results, two in the core, two before it."""
    yield from load(KEY)
    for _ in range(6):
        yield from send(BLOCK)
    yield "i 400 0 0"
    yield read("status", status(keyed=1, result_words=FULL))
    yield write("data", 0, SLAVE_ERROR)
    yield "i 10 0 0"
    for _ in range(6):
        yield from receive(expected(KEY, BLOCK, False))
    yield write("status", MASK["status.refused"])


def erased(at: int) -> Iterator[str]:
    """Erase `at` cycles after blocks were sent; nothing is left, and all works as before."""
    yield from load(bytes(range(1, 33)))
    for _ in range(2 + at % 3):
        yield from send(BLOCK)
    yield f"i {at + 1:x} 0 0"
    yield write("control", MASK["control.erase"] | control(bytes(24), True))
    yield write("key", 3, SLAVE_ERROR)
    yield read("result", 0, SLAVE_ERROR)
    yield write("data", 3, SLAVE_ERROR)
    yield read("status", status(erasing=1, refused=1))
    yield until_none(MASK["status.erasing"])
    yield from NOTHING_LEFT
    yield read("control", control(bytes(24), True))
    yield write("status", MASK["status.refused"])
    yield read("status", status(key_ready=1))
    yield from exchange([(KEY, BLOCK, False), (KEY, BLOCK, True)])


def half_a_key() -> Iterator[str]:
    """Erasing and a reset drop the part of a key that was written."""
    for ending in (["x 0 0 0"], [write("control", MASK["control.erase"])]):
        yield from list(load(bytes(32)))[:-1]
        yield write("data", 1, SLAVE_ERROR)
        yield read("status", status(key_ready=1, refused=1))
        yield from ending
        yield until_none(MASK["status.erasing"])
        yield from NOTHING_LEFT
        yield write("status", MASK["status.refused"])
        yield from exchange([(KEY, BLOCK, False)])


def everything(count: int) -> list[str]:
    """All of the above, and random blocks with and without waits."""
    first = [*identity(), *refusals(), *counts()]
    lines = [
        *first,
        *in_work(),
        *key_behind_a_word(),
        write("status", MASK["status.refused"]),
        *results_pile_up(),
    ]
    lines += half_a_key()
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


def test_the_bench_needs_no_python(tmp_path: Path) -> None:
    shown = (BENCHES / "aes32_axil.vectors").read_text(encoding="utf-8").splitlines()
    passes(shown, tmp_path, "icarus")
    compared = sum(line[0] in "wre" for line in shown)
    assert f"`PASS {compared} answers`" in (RTL / "README.md").read_text(encoding="utf-8")


FAULTS = [
    ("aes32_axil", "wire erase = write_control && wdata_i[ControlErase]", "wire erase = 1'b0"),
    ("aes32_axil", "&& wstrb_i == 4'hf", ""),
    ("aes32_axil", "wdata_i[ControlKeySize+:2] == 2'd3", "1'b0"),
    ("aes32_axil", "(refused_q && !absolve)", "refused_q"),
    ("aes32_axil", "bvalid_o && !bready_i);", "1'b0);"),
    ("aes32_axil", "rvalid_o && !rready_i);", "1'b0);"),
    ("aes32_axil", "else if (rready_i) begin", "else if (1'b0) begin"),
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
