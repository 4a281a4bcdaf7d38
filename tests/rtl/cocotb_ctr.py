# SPDX-License-Identifier: MIT
"""aes_ctr beside NIST's vectors and the C library: counters, order, rate, pauses, reset."""

from pathlib import Path

import cocotb
from streams import SLOW, Bench, Dut, Sink, Source, joined, words

import aesfit

VECTORS = Path(__file__).parents[1] / "vectors" / "modes.txt"


class Counting(Bench):
    """The streams of aes_ctr."""

    def __init__(self, dut: Dut) -> None:
        self.key = Source(dut, "key_i", "key_valid_i", "key_ready_o", "key_bits_i")
        self.counter = Source(dut, "counter_i", "counter_valid_i", "counter_ready_o")
        self.data = Source(dut, "data_i", "data_valid_i", "data_ready_o")
        self.out = Sink(dut, "data_o", "data_valid_o", "data_ready_i")
        paired = bool(int(dut.PAIRED.value))
        self.cores = 2 if paired else int(dut.CORES.value)
        self.period = 88 if paired else 40
        super().__init__(dut, self.key, self.counter, self.data, self.out)

    async def load(self, key: bytes) -> None:
        self.key.give(words(key), len(key) // 8 - 2)
        await self.run(lambda: not self.key.waiting)

    async def start(self, counter: bytes) -> None:
        """Load a counter, after all data that was given."""
        await self.run(lambda: not self.data.waiting)
        self.counter.give(words(counter))
        await self.run(lambda: not self.counter.waiting)

    async def finish(self, wanted: bytes) -> None:
        """All results, and nothing more."""
        await self.run(lambda: 4 * len(self.out.given) >= len(wanted))
        assert joined(self.out.words) == wanted
        await self.rest(60)
        assert 4 * len(self.out.given) == len(wanted)


def vectors() -> list[dict[str, bytes]]:
    """Those of SP 800-38A that encrypt in counter mode."""
    records = VECTORS.read_text(encoding="utf-8").split("\n\n")
    fields = [
        dict(line.split(" ", 1) for line in record.splitlines() if " " in line)
        for record in records
        if record.startswith("mode ctr\n")
    ]
    return [
        {name: bytes.fromhex(text) for name, text in one.items() if name != "mode"}
        for one in fields
    ]


def ctr(key: bytes, counter: bytes, data: bytes) -> bytes:
    return aesfit.Cipher(key, "ctr", counter).encrypt(data)


@cocotb.test
async def test_official_vectors(dut: Dut) -> None:
    bench = Counting(dut)
    known = vectors()
    assert {len(one["key"]) for one in known} == {16, 24, 32}
    for one in known:
        await bench.reset()
        await bench.load(one["key"])
        await bench.start(one["iv"])
        blocks = len(one["plain"]) // -16 * -1
        bench.data.give(words(one["plain"].ljust(16 * blocks, b"\0")))
        await bench.run(lambda blocks=blocks: len(bench.out.given) == 4 * blocks)  # type: ignore[misc]
        assert joined(bench.out.words)[: len(one["plain"])] == one["cipher"]


@cocotb.test
async def test_rate(dut: Dut) -> None:
    """The counter and the data that waits cost no cycle."""
    bench = Counting(dut)
    await bench.reset()
    key, counter = bench.rng.randbytes(16), bench.rng.randbytes(12) + bytes(4)
    data = bench.rng.randbytes(16 * 6 * bench.cores)
    await bench.load(key)
    await bench.start(counter)
    bench.data.give(words(data))
    await bench.finish(ctr(key, counter, data))
    starts = bench.out.cycles[::4]
    assert all(b - a == bench.period for a, b in zip(starts, starts[bench.cores :], strict=False))


@cocotb.test
@cocotb.parametrize(pauses=[0.3, 0.8])
async def test_pauses_and_new_counters(dut: Dut, pauses: float) -> None:
    """A new counter overtakes no block that was taken under the old one."""
    bench = Counting(dut)
    await bench.reset()
    bench.pause(pauses)
    key, wanted = bench.rng.randbytes(24), b""
    await bench.load(key)
    for blocks in [1, 2, 3 * bench.cores, 4 * bench.cores] * (4 if SLOW else 1):
        counter, data = bench.rng.randbytes(12) + bytes(4), bench.rng.randbytes(16 * blocks)
        await bench.start(counter)
        bench.data.give(words(data))
        wanted += ctr(key, counter, data)
    await bench.finish(wanted)


@cocotb.test
async def test_counter_that_waits_in_the_middle_of_data(dut: Dut) -> None:
    """The change falls between two blocks, with whichever had begun."""
    bench = Counting(dut)
    key = bench.rng.randbytes(16)
    for wait in range(16 if SLOW else 6):
        await bench.reset()
        await bench.load(key)
        before, after = (bench.rng.randbytes(12) + bytes(4) for _ in range(2))
        await bench.start(before)
        data = bench.rng.randbytes(16 * (2 * bench.cores + 2))
        bench.data.give(words(data))
        bench.counter.pauses = 0.7
        await bench.run(lambda: bool(bench.data.taken))
        await bench.rest(1 + wait)
        bench.counter.give(words(after))
        await bench.run(lambda: not bench.counter.waiting)
        old = len(bench.data.taken)
        assert old % 4 == 0
        assert 0 < 4 * old < len(data)
        await bench.finish(ctr(key, before, data[: 4 * old]) + ctr(key, after, data[4 * old :]))


@cocotb.test
async def test_the_last_word_counts(dut: Dut) -> None:
    """After ff..ff come zeros, and the words before stay."""
    bench = Counting(dut)
    await bench.reset()
    key, nonce = bench.rng.randbytes(16), bytes(11) + b"\xff"
    await bench.load(key)
    await bench.start(nonce + b"\xff" * 4)
    data = bench.rng.randbytes(32)
    bench.data.give(words(data))
    await bench.finish(
        ctr(key, nonce + b"\xff" * 4, data[:16]) + ctr(key, nonce + bytes(4), data[16:])
    )


@cocotb.test
async def test_reset_in_the_middle(dut: Dut) -> None:
    bench = Counting(dut)
    counter = bench.rng.randbytes(12) + bytes(4)
    for _ in range(20 if SLOW else 4):
        await bench.reset()
        key = bench.rng.randbytes(16)
        await bench.load(key)
        await bench.start(bytes(16))
        bench.data.give(words(bench.rng.randbytes(48 * bench.cores)))
        await bench.rest(100 + bench.rng.randrange(100))
        await bench.reset()
        await bench.load(key)
        await bench.start(counter)
        data = bench.rng.randbytes(16 * (bench.cores + 1))
        bench.data.give(words(data))
        await bench.finish(ctr(key, counter, data))
