# SPDX-License-Identifier: MIT
"""aes32_parallel beside the C library: order, rate, pauses, new keys, reset."""

import cocotb
from streams import SLOW, Bench, Dut, Sink, Source, joined, words

import aesfit

CYCLES = {16: 40, 24: 48, 32: 56}
"""A core's, for a block, by the key's bytes."""


class Parallel(Bench):
    """The streams of aes32_parallel."""

    def __init__(self, dut: Dut) -> None:
        self.key = Source(dut, "key_i", "key_valid_i", "key_ready_o", "key_bits_i")
        self.data = Source(dut, "data_i", "data_valid_i", "data_ready_o", "decrypt_i")
        self.out = Sink(dut, "data_o", "data_valid_o", "data_ready_i")
        self.cores = int(dut.CORES.value)
        super().__init__(dut, self.key, self.data, self.out)

    async def load(self, key: bytes) -> None:
        self.key.give(words(key), len(key) // 8 - 2)
        await self.run(lambda: not self.key.waiting)

    def give(self, key: bytes, blocks: int) -> bytes:
        """Random blocks in random directions; what is to come out."""
        cipher, wanted = aesfit.AES(key), b""
        for _ in range(blocks):
            block, decrypt = self.rng.randbytes(16), self.rng.random() < 0.5
            self.data.give(words(block), int(decrypt))
            wanted += cipher.decrypt_block(block) if decrypt else cipher.encrypt_block(block)
        return wanted

    async def finish(self, wanted: bytes) -> None:
        """All results, and nothing more."""
        await self.run(lambda: 4 * len(self.out.given) >= len(wanted))
        assert joined(self.out.words) == wanted
        await self.rest(60)
        assert 4 * len(self.out.given) == len(wanted)

    @property
    def random_key(self) -> bytes:
        return self.rng.randbytes(self.rng.choice([16, 24, 32]))


@cocotb.test
async def test_rate(dut: Dut) -> None:
    """As many cores, as many times the rate of one; the latency stays."""
    bench = Parallel(dut)
    for size, cycles in CYCLES.items() if SLOW else [(16, 40)]:
        await bench.reset()
        key = bench.rng.randbytes(size)
        await bench.load(key)
        await bench.finish(bench.give(key, 6 * bench.cores))
        starts = bench.out.cycles[::4]
        assert starts[0] - bench.data.taken[3] == cycles + 3
        for first, later in zip(starts, starts[bench.cores :], strict=False):
            assert later - first == cycles
        whole = starts[-bench.cores] - starts[0]
        assert whole * bench.cores == cycles * (len(starts) - bench.cores)
        dut._log.info("%d cores: %g cycles a block", bench.cores, cycles / bench.cores)


@cocotb.test
@cocotb.parametrize(pauses=[0.3, 0.8])
async def test_pauses(dut: Dut, pauses: float) -> None:
    bench = Parallel(dut)
    await bench.reset()
    bench.pause(pauses)
    key = bench.random_key
    await bench.load(key)
    await bench.finish(bench.give(key, 12 * bench.cores))


@cocotb.test
async def test_output_that_nobody_takes(dut: Dut) -> None:
    """Everything halts, nothing is lost: three blocks a core are taken, and no more."""
    bench = Parallel(dut)
    await bench.reset()
    key = bench.random_key
    await bench.load(key)
    wanted = bench.give(key, 5 * bench.cores)
    bench.out.pauses = 1.0
    await bench.rest(300)
    assert len(bench.data.taken) <= 4 * 3 * bench.cores
    bench.out.pauses = 0.0
    await bench.finish(wanted)


@cocotb.test
async def test_new_keys(dut: Dut) -> None:
    """Blocks that were taken are done with the old key; none begins while a key is offered."""
    bench = Parallel(dut)
    await bench.reset()
    bench.pause(0.2)
    wanted = b""
    for blocks in range(1, 5):
        key = bench.random_key
        await bench.load(key)
        wanted += bench.give(key, blocks)
        await bench.run(lambda: not bench.data.waiting)
    await bench.finish(wanted)


@cocotb.test
async def test_key_that_waits_in_the_middle_of_data(dut: Dut) -> None:
    """The change falls between two blocks, with whichever the core had begun."""
    bench = Parallel(dut)
    await bench.reset()
    first, second = bench.rng.randbytes(16), bench.rng.randbytes(32)
    await bench.load(first)
    blocks = [bench.rng.randbytes(16) for _ in range(3 * bench.cores + 4)]
    bench.data.give(words(b"".join(blocks)), 0)
    await bench.run(lambda: bool(bench.data.taken))
    await bench.rest(bench.rng.randrange(1, 60))
    await bench.load(second)
    old = (len(bench.data.taken) + 3) // 4
    ciphers = [aesfit.AES(first)] * old + [aesfit.AES(second)] * (len(blocks) - old)
    assert 0 < old < len(blocks)
    await bench.finish(
        b"".join(one.encrypt_block(block) for one, block in zip(ciphers, blocks, strict=True))
    )


@cocotb.test
async def test_reset_in_the_middle(dut: Dut) -> None:
    bench = Parallel(dut)
    for _ in range(20 if SLOW else 4):
        await bench.reset()
        lost, kept = bench.random_key, bench.random_key
        await bench.load(lost)
        wanted = bench.give(lost, 3 * bench.cores)
        await bench.rest(bench.rng.randrange(420))
        given = joined(bench.out.words)
        assert wanted.startswith(given)
        await bench.reset()
        await bench.load(kept)
        await bench.finish(bench.give(kept, bench.cores + 1))
