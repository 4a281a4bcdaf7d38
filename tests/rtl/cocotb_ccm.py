# SPDX-License-Identifier: MIT
"""aes_ccm beside official vectors and the C library: MICs, sizes, pauses, reset."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import cocotb
from packets_ccm import MICS, NONCES, Packet, published, sealed
from streams import SLOW, Bench, Dut, Sink, Source, words
from vectors import nist

import aesfit

VECTORS = Path(__file__).parents[1] / "vectors" / "aead.txt"


class Packets(Bench):
    """The streams of aes_ccm."""

    def __init__(self, dut: Dut) -> None:
        self.key = Source(dut, "key_i", "key_valid_i", "key_ready_o", "key_bits_i")
        self.header = Source(
            dut, "header_i", "header_valid_i", "header_ready_o", "header_last_i", "decrypt_i"
        )
        self.text = Source(dut, "text_i", "text_valid_i", "text_ready_o")
        self.out = Sink(dut, "unverified_o", "unverified_valid_o", "unverified_ready_i")
        super().__init__(dut, self.key, self.header, self.text, self.out)

    async def load(self, key: bytes) -> None:
        self.key.give(words(key), len(key) // 8 - 2)
        await self.run(lambda: not self.key.waiting)

    def give(self, packet: Packet, decrypt: bool) -> None:
        headers = words(packet.headers)
        for n, word in enumerate(headers):
            # Within a block header_last_i does not matter.
            last = n == len(headers) - 1 if n % 4 == 3 else self.rng.random() < 0.5
            self.header.give([word], int(last), int(decrypt) if n == 0 else self.rng.getrandbits(1))
        text = packet.cipher if decrypt else packet.plain
        filled = text + self.rng.randbytes(-len(text) % 4)  # what is over must not matter
        over = self.rng.randbytes(-packet.mic_bytes % 4)
        self.text.give(words(filled + packet.mic + over if decrypt else filled))

    def wanted(self, packet: Packet, decrypt: bool) -> list[int]:
        return words(packet.plain) if decrypt else words(packet.cipher) + words(packet.mic)

    async def work(self, packet: Packet, decrypt: bool) -> None:
        """Process a packet; check all that comes of it."""
        start, before = len(self.header.taken), len(self.out.given)
        self.give(packet, decrypt)
        await self.run(lambda: len(self.header.taken) > start)
        await self.run(lambda: self.dut.done_o.value == 1)
        ok = self.dut.ok_o.value
        wanted = self.wanted(packet, decrypt)
        await self.run(lambda: len(self.out.given) >= before + len(wanted) or not wanted)
        assert ok == int(packet.good or not decrypt)
        assert self.out.words[before:] == wanted
        assert not self.text.waiting
        assert not self.header.waiting

    async def both_ways(self, packet: Packet) -> None:
        """With the packet's key."""
        await self.load(packet.key)
        await self.work(packet, decrypt=False)
        await self.work(packet, decrypt=True)

    def packet(self, size: int, ad: int, key: bytes | None = None) -> Packet:
        make, any_of = self.rng.randbytes, self.rng.choice
        key = make(any_of([16, 24, 32])) if key is None else key
        return sealed(key, make(any_of(NONCES)), make(ad), make(size), any_of(MICS))


def nist_lengths() -> Iterator[Packet]:
    """CAVP: the tests of tag lengths and of nonce lengths."""
    for test, bits in product(("VTT", "VNT"), (128, 192, 256)):
        for vector in nist(f"ciphers/AES/CCM/{test}{bits}.rsp"):
            names = ("key", "nonce", "adata", "payload", "ct")
            yield Packet(*(bytes.fromhex(vector[name]) for name in names))


@cocotb.test
async def test_official_vectors(dut: Dut) -> None:
    bench = Packets(dut)
    await bench.reset()
    known, cavp = list(published()), list(nist_lengths())
    assert len(known) == 15
    assert {packet.mic_bytes for packet in cavp} == set(MICS)
    assert {len(packet.nonce) for packet in cavp} == set(NONCES)
    for packet in known + cavp[:: 1 if SLOW else 10]:
        await bench.both_ways(packet)


def ccmp(key: bytes, header: bytes, plain: bytes, pn: int) -> Packet:
    """A data frame's nonce and associated data as IEEE 802.11, 11.4.3.3 makes them from it."""
    control, flags = header[0] & 0x8F, header[1] & 0xC7 | 0x40
    fourth = 30 if header[1] & 3 == 3 else 24
    qos = header[fourth : fourth + 2]
    priority = qos[:1] and bytes([qos[0] & 0x0F])
    if qos:
        flags &= 0x7F
    ad = bytes([control, flags]) + header[4:22] + bytes([header[22] & 0x0F, 0])
    ad += header[24:fourth] + (priority + b"\0" if qos else b"")
    nonce = (priority or b"\0") + header[10:16] + pn.to_bytes(6)
    mpdu = aesfit.ccmp_encapsulate(key, header, plain, pn)
    return Packet(key, nonce, ad, plain, mpdu[len(header) + 8 :])


@cocotb.test
async def test_frames_of_802_11(dut: Dut) -> None:
    """The standard's own vector, and frames with four addresses and quality of service."""
    bench = Packets(dut)
    await bench.reset()
    record = VECTORS.read_text(encoding="utf-8").split("mode ccmp\n")[1]
    one = {line.split()[0]: bytes.fromhex(line.split()[1]) for line in record.splitlines()}
    packet = ccmp(one["key"], one["ad"], one["plain"], int.from_bytes(one["nonce"]))
    assert packet.sealed == one["cipher"][8:] + one["tag"]
    await bench.both_ways(packet)
    for control, size in (("0801", 24), ("0803", 30), ("8801", 26), ("8843", 32), ("88c3", 36)):
        header = bytes.fromhex(control) + bench.rng.randbytes(size - 2)
        made = ccmp(bench.rng.randbytes(16), header, bench.rng.randbytes(33), 1 + size)
        assert len(made.ad) in range(22, 31)
        await bench.both_ways(made)


@cocotb.test
@cocotb.parametrize(pauses=[0.0, 0.3, 0.8])
async def test_sizes_and_pauses(dut: Dut, pauses: float) -> None:
    bench = Packets(dut)
    await bench.reset()
    bench.pause(pauses)
    sizes = [*range(0, 18), 31, 32, 33, 47, 48, 49, 64, 65, 1504]
    for size in sizes if SLOW else bench.rng.sample(sizes[:-1], 6):
        ad = bench.rng.choice([0, 1, 13, 14, 15, 22, 30, 31, 46, 60])
        await bench.both_ways(bench.packet(size, ad))


@cocotb.test
@cocotb.parametrize(which=["header", "text", "out"])
async def test_a_stream_that_halts(dut: Dut, which: str) -> None:
    """All that can be worked ahead is done meanwhile, and none of it is lost."""
    bench = Packets(dut)
    await bench.reset()
    packet = bench.packet(80, 30)
    await bench.load(packet.key)
    for decrypt in (False, True):
        stream = getattr(bench, which)
        before = len(bench.out.given)
        bench.give(packet, decrypt)
        for _ in range(2):
            stream.pauses = 1.0
            await bench.rest(150)
            stream.pauses = 0.0
            await bench.rest(bench.rng.randrange(60, 160))
        await bench.run(lambda: not (bench.text.waiting or bench.header.waiting))
        await bench.run(lambda: dut.done_o.value == 1)
        assert bench.out.words[before:] == bench.wanted(packet, decrypt)
        assert dut.ok_o.value == 1


@cocotb.test
async def test_wrong_packets(dut: Dut) -> None:
    """Any bit of MIC, text, header or nonce; and the packet after it is judged by itself."""
    bench = Packets(dut)
    await bench.reset()
    good = bench.packet(21, 22)
    await bench.load(good.key)
    bits = range(8 * len(good.sealed))
    for bit in [*(bits if SLOW else bench.rng.sample(bits, 5)), 8 * 21, bits[-1]]:
        broken = bytearray(good.sealed)
        broken[bit // 8] ^= 1 << bit % 8
        plain = bytearray(good.plain)
        if bit < 8 * 21:
            plain[bit // 8] ^= 1 << bit % 8  # counter mode alone does not notice
        bad = replace(good, plain=bytes(plain), sealed=bytes(broken), good=False)
        await bench.work(bad, decrypt=True)
    await bench.work(replace(good, ad=good.ad[:-1] + b"?", good=False), decrypt=True)
    await bench.work(good, decrypt=True)


@cocotb.test
async def test_a_key_waits_for_the_packet(dut: Dut) -> None:
    """Offered in the middle of a packet, it is taken after it."""
    bench = Packets(dut)
    await bench.reset()
    first, second = bench.packet(40, 22), bench.packet(20, 24)
    await bench.load(first.key)
    bench.give(first, decrypt=False)
    await bench.run(lambda: len(bench.header.taken) > 5)
    await bench.load(second.key)
    assert dut.done_o.value == 1
    assert bench.out.words == bench.wanted(first, decrypt=False)
    await bench.work(second, decrypt=True)


@cocotb.test
async def test_reset_in_the_middle(dut: Dut) -> None:
    bench = Packets(dut)
    for _ in range(40 if SLOW else 4):
        await bench.reset()
        packet = bench.packet(50, 22, bench.rng.randbytes(16))
        await bench.load(packet.key)
        bench.give(packet, decrypt=bench.rng.random() < 0.5)
        await bench.rest(80 + bench.rng.randrange(450))
        await bench.reset()
        await bench.both_ways(bench.packet(30, 22))
