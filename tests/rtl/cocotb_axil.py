# SPDX-License-Identifier: MIT
"""aes32_axil as software sees it: identity, blocks, status, errors, slow masters, reset."""

import cocotb
from streams import SLOW, Bench, Dut, Sink, Source, joined, words

import aesfit

ID, VERSION, CONTROL, STATUS, KEY, DATA, RESULT = range(0, 0x1C, 4)
OKAY, SLAVE_ERROR, DECODE_ERROR = 0, 2, 3
KEY_READY, DATA_READY, RESULT_VALID = 1, 2, 4


class Master(Bench):
    """A master of AXI4-Lite: five streams."""

    def __init__(self, dut: Dut) -> None:
        self.aw = Source(dut, "awaddr_i", "awvalid_i", "awready_o")
        self.w = Source(dut, "wdata_i", "wvalid_i", "wready_o", "wstrb_i")
        self.b = Sink(dut, "bresp_o", "bvalid_o", "bready_i")
        self.ar = Source(dut, "araddr_i", "arvalid_i", "arready_o")
        self.r = Sink(dut, "rdata_o", "rvalid_o", "rready_i", "rresp_o")
        super().__init__(dut, self.aw, self.w, self.b, self.ar, self.r)

    async def write(self, address: int, word: int, strobes: int = 0xF) -> int:
        """The answer."""
        count = len(self.b.given) + 1
        self.aw.give([address])
        self.w.give([word], strobes)
        await self.run(lambda: len(self.b.given) == count)
        return self.b.words[-1]

    async def read(self, address: int) -> tuple[int, int]:
        """The word and the answer."""
        count = len(self.r.given) + 1
        self.ar.give([address])
        await self.run(lambda: len(self.r.given) == count)
        word, answer = self.r.given[-1]
        return word, answer

    async def value(self, address: int) -> int:
        """A word that must be there."""
        word, answer = await self.read(address)
        assert answer == OKAY
        return word

    async def wait(self, status: int) -> None:
        """Ask until all these bits are set."""
        for _ in range(2000):
            if await self.value(STATUS) & status == status:
                return
        raise AssertionError("the status does not change")

    async def load(self, key: bytes, decrypt: bool) -> None:
        assert await self.write(CONTROL, (len(key) // 8 - 2) << 1 | decrypt) == OKAY
        for word in words(key):
            await self.wait(KEY_READY)
            assert await self.write(KEY, word) == OKAY
        await self.wait(DATA_READY)

    async def send(self, block: bytes) -> None:
        for word in words(block):
            await self.wait(DATA_READY)
            assert await self.write(DATA, word) == OKAY

    async def receive(self) -> bytes:
        got = []
        for _ in range(4):
            await self.wait(RESULT_VALID)
            got.append(await self.value(RESULT))
        return joined(got)


@cocotb.test
async def test_identity(dut: Dut) -> None:
    bench = Master(dut)
    await bench.reset()
    assert (await bench.value(ID)).to_bytes(4) == b"AES3"
    assert await bench.value(VERSION) == 0x0001_0000
    assert await bench.value(CONTROL) == 0
    assert await bench.value(STATUS) == KEY_READY


@cocotb.test
async def test_cycles(dut: Dut) -> None:
    """A master that never waits: one transfer in three cycles."""
    bench = Master(dut)
    await bench.reset()
    for n in range(5):
        bench.aw.give([CONTROL])
        bench.w.give([n], 0xF)
        bench.ar.give([CONTROL])
    await bench.run(lambda: len(bench.b.given) == len(bench.r.given) == 5)
    for stream in (bench.b, bench.r):
        assert [b - a for a, b in zip(stream.cycles, stream.cycles[1:], strict=False)] == [3] * 4


@cocotb.test
@cocotb.parametrize(pauses=[0.0, 0.5])
async def test_blocks(dut: Dut, pauses: float) -> None:
    """Every key size, both directions, a block sent before the last was fetched."""
    bench = Master(dut)
    await bench.reset()
    bench.pause(pauses)
    for size in (16, 24, 32):
        key = bench.rng.randbytes(size)
        cipher = aesfit.AES(key)
        for decrypt in (False, True):
            await bench.load(key, decrypt)
            assert await bench.value(CONTROL) == (size // 8 - 2) << 1 | decrypt
            blocks = [bench.rng.randbytes(16) for _ in range(6 if SLOW else 2)]
            for block in blocks[:2]:
                await bench.send(block)
            for n, block in enumerate(blocks):
                wanted = cipher.decrypt_block(block) if decrypt else cipher.encrypt_block(block)
                assert await bench.receive() == wanted
                if n + 2 < len(blocks):
                    await bench.send(blocks[n + 2])


@cocotb.test
async def test_wrong_addresses(dut: Dut) -> None:
    """Beyond the last register and between registers; nothing changes."""
    bench = Master(dut)
    await bench.reset()
    bench.pause(0.3)
    for address in [*range(0x1C, 0x100, 1 if SLOW else 12), *range(0x11), 0x19, 0xFF]:
        if address < 0x1C and address % 4 == 0:
            continue
        assert await bench.write(address, 0xFFFF_FFFF) == DECODE_ERROR
        assert await bench.read(address) == (0, DECODE_ERROR)
    assert await bench.value(CONTROL) == 0
    assert await bench.value(STATUS) == KEY_READY


@cocotb.test
async def test_what_cannot_be_done(dut: Dut) -> None:
    """The bus answers at once, and the core is not disturbed."""
    bench = Master(dut)
    await bench.reset()
    key, block = bench.rng.randbytes(16), bench.rng.randbytes(16)
    for address in (ID, VERSION, STATUS, RESULT):
        assert await bench.write(address, 0xFFFF_FFFF) == SLAVE_ERROR
    for address in (KEY, DATA, RESULT):
        assert await bench.read(address) == (0, SLAVE_ERROR)
    assert await bench.write(DATA, 1) == SLAVE_ERROR, "there is no key"
    for strobes in range(0xF):
        for address in (CONTROL, KEY):
            assert await bench.write(address, 0xFFFF_FFFF, strobes) == SLAVE_ERROR
    for no_size in (6, 7):
        assert await bench.write(CONTROL, no_size) == SLAVE_ERROR, "no key is that long"
    assert await bench.value(CONTROL) == 0
    await bench.load(key, decrypt=False)
    await bench.send(block)
    assert await bench.write(KEY, 2) == SLAVE_ERROR, "a block is in work"
    assert await bench.read(RESULT) == (0, SLAVE_ERROR), "and not done"
    assert await bench.receive() == aesfit.AES(key).encrypt_block(block)
    await bench.send(block)
    await bench.send(block)
    assert await bench.write(DATA, 3) == SLAVE_ERROR, "nobody fetches"
    for _ in range(2):
        assert await bench.receive() == aesfit.AES(key).encrypt_block(block)


@cocotb.test
async def test_reset_in_the_middle(dut: Dut) -> None:
    bench = Master(dut)
    for _ in range(20 if SLOW else 4):
        await bench.reset()
        key, block = bench.rng.randbytes(16), bench.rng.randbytes(16)
        bench.aw.give([KEY] * 4 + [DATA] * 4)
        for word in words(key + block):
            bench.w.give([word], 0xF)
        bench.ar.give([STATUS] * 50)
        await bench.rest(bench.rng.randrange(5, 60))
        await bench.reset()
        assert await bench.value(STATUS) == KEY_READY
        await bench.load(key, decrypt=False)
        await bench.send(block)
        assert await bench.receive() == aesfit.AES(key).encrypt_block(block)
