# SPDX-License-Identifier: MIT
"""The Verilog design aes_ccm beside the C library, under Verilator and Icarus.

Its bench compares every word of output, and whether the MIC was right, with what it is told to
want, and says PASS or FAIL.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from places import ROOT

import aesfit
from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import BENCHES, SIMULATORS, SIZES, bench, key_commands, run

MICS = range(4, 17, 2)
NONCES = range(7, 14)
"""Bytes that SP 800-38C, A.1 allows."""


def words(data: bytes) -> list[str]:
    """32-bit words, the last filled up with zeros."""
    return [data[at : at + 4].ljust(4, b"\0").hex() for at in range(0, len(data), 4)]


@dataclass(frozen=True)
class Packet:
    """A packet, and which way it goes."""

    key: bytes
    nonce: bytes
    ad: bytes
    plain: bytes
    sealed: bytes
    """Ciphertext and MIC."""
    decrypt: bool
    good: bool = True
    """The MIC is right."""

    @property
    def mic_bytes(self) -> int:
        return len(self.sealed) - len(self.plain)

    @property
    def headers(self) -> bytes:
        """SP 800-38C, A.2.1 and A.2.2."""
        length = len(self.plain).to_bytes(15 - len(self.nonce))
        flags = (0x40 if self.ad else 0) | (self.mic_bytes - 2) // 2 << 3 | len(length) - 1
        data = len(self.ad).to_bytes(2) + self.ad if self.ad else b""
        return bytes([flags]) + self.nonce + length + data + bytes(-len(data) % 16)

    def commands(self) -> Iterator[str]:
        """What the bench is to want, and to offer."""
        cipher, mic = self.sealed[: len(self.plain)], self.sealed[len(self.plain) :]
        opened, sealed = words(self.plain), words(cipher) + words(mic)
        text, wanted = (sealed, opened) if self.decrypt else (opened, sealed)
        yield from (f"x 0 {word}" for word in wanted)
        yield f"o {int(self.good)} 0"
        header = words(self.headers)
        for n, word in enumerate(header):
            yield f"h {2 * self.decrypt + (n == len(header) - 1)} {word}"
        yield from (f"t 0 {word}" for word in text)


def commands(packets: list[Packet]) -> list[str]:
    """A key wherever it changes, and the packets."""
    lines: list[str] = []
    last = b""
    for packet in packets:
        lines += key_commands(packet.key) if packet.key != last else []
        lines += packet.commands()
        last = packet.key
    return lines


def packets(count: int, seed: int, most: int = 70) -> list[Packet]:
    """Of random sizes up to so many bytes, both ways; of those decrypted some have a wrong bit."""
    rng = random.Random(seed)
    made = []
    key = b""
    for n in range(count):
        key = rng.randbytes(rng.choice(SIZES)) if n % 3 == 0 else key
        nonce, ad = (rng.randbytes(rng.choice(some)) for some in (NONCES, range(40)))
        plain = rng.randbytes(rng.randint(0, most))
        sealed = aesfit.AESCCM(key, rng.choice(MICS)).encrypt(nonce, plain, ad)
        decrypt, good = rng.random() < 0.5, rng.random() < 0.7
        if decrypt and not good:
            bit = rng.randrange(8 * len(plain), 8 * len(sealed))
            wrong = int.from_bytes(sealed) ^ 1 << 8 * len(sealed) - 1 - bit
            sealed = wrong.to_bytes(len(sealed))
        made.append(Packet(key, nonce, ad, plain, sealed, decrypt, good or not decrypt))
    return made


@pytest.mark.parametrize("gaps", range(4))
def test_random_packets(tmp_path: Path, gaps: int) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    run(simulation, [f"s {gaps} 0", *commands(packets(400, gaps))], tmp_path, verdict="PASS")


@pytest.mark.parametrize("decrypt", [False, True])
def test_every_length_of_nonce_and_mic(tmp_path: Path, decrypt: bool) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    key, plain = bytes(range(16)), bytes(range(37))
    every = [
        Packet(key, nonce, b"", plain, aesfit.AESCCM(key, mic).encrypt(nonce, plain), decrypt)
        for nonce, mic in product([bytes(range(n)) for n in NONCES], MICS)
    ]
    run(simulation, commands(every), tmp_path, verdict="PASS")


def test_the_longest_packet(tmp_path: Path) -> None:
    """The counter takes all that 2 bytes of length allow."""
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    key, nonce, plain = bytes(16), bytes(13), random.Random(1).randbytes(65535)
    sealed = aesfit.AESCCM(key, 16).encrypt(nonce, plain)
    run(simulation, commands([Packet(key, nonce, b"", plain, sealed, True)]), tmp_path, "PASS")


def test_under_icarus(tmp_path: Path) -> None:
    simulation = SIMULATORS["icarus"](bench("aes_ccm_tb"))
    run(simulation, ["s 3 0", *commands(packets(12, seed=7))], tmp_path, verdict="PASS")


def test_reset_leaves_nothing(tmp_path: Path) -> None:
    """At any cycle of a packet; then all works as after power-on."""
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    rng, lines = random.Random(5), []
    for wait in range(90):
        lost, kept = packets(1, rng.getrandbits(32)), packets(2, rng.getrandbits(32))
        begun = commands(lost)
        lines += [*begun[: rng.randint(1, len(begun))], f"r {wait} 0", *commands(kept)]
    run(simulation, lines, tmp_path, verdict="PASS")


def published() -> list[Packet]:
    """SP 800-38C, C.1 and C.2: nonces of 7 and 8 bytes, MICs of 4 and 6; RFC 3610: 13 and 8."""
    made = []
    text = (ROOT / "tests" / "vectors" / "aead.txt").read_text(encoding="utf-8")
    for record in text.split("\n\n"):
        pairs = dict(line.split(" ", 1) for line in record.splitlines() if " " in line)
        if pairs.pop("mode", "") == "ccm":
            one = {name: bytes.fromhex(value) for name, value in pairs.items()}
            sealed = one["cipher"] + one["tag"]
            made.append(
                Packet(one["key"], one["nonce"], one["ad"], one["plain"], sealed, len(made) % 2 > 0)
            )
    return made[:4]


def test_the_bench_needs_no_python(tmp_path: Path) -> None:
    """The vectors beside it are published ones, in turn encrypted and decrypted."""
    vectors = (BENCHES / "aes_ccm.vectors").read_text(encoding="utf-8").splitlines()
    assert vectors == commands(published())
    run(SIMULATORS["icarus"](bench("aes_ccm_tb")), vectors, tmp_path, verdict="PASS")


def test_fusesoc_gets_every_file(tmp_path: Path) -> None:
    """The files that the cores list, and no others, make the bench."""
    listed = [RTL / "aes_ccm.core", RTL / "aes32x2.core", BENCHES / "aes_ccm_tb.core"]
    named = [
        path.parent / name
        for path in listed
        for name in re.findall(
            r"^ +- ([\w.]+\.\w+)\b", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert all(path.is_file() for path in named)
    top, vectors = (path for path in named if path.parent == BENCHES)
    sources = tuple(path for path in named if path.parent == RTL and path.suffix == ".v")
    simulation = SIMULATORS["icarus"](Bench(top.stem, top, sources=sources))
    run(simulation, vectors.read_text(encoding="utf-8").splitlines(), tmp_path, verdict="PASS")


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        # Key stream is used again.
        ("aes_ccm", "read_stream_q <= read_stream_q ^ used", "read_stream_q <= read_stream_q"),
        ("aes_ccm", "({read_stream_q, index})", "({read_stream_q, index[1], 1'b0})"),
        ("aes_ccm_feed", "if (counter_o) number_q", "if (counter_o && !number_q[0]) number_q"),
        # Key stream is taken before it is there; a third block of it is begun.
        ("aes_ccm", ".key_stream_ready_i(streams_q != 2'd0)", ".key_stream_ready_i(1'b1)"),
        ("aes_ccm", "(!reserved_q[1] &&", "("),
        # A block of the MAC is left out, or is not chained.
        ("aes_ccm_words", "if (block_ends) full_q <= 1'b1;", "if (block_ends) full_q <= headers;"),
        ("aes_ccm_feed", "chained_q <= !block_first_i && mac", "chained_q <= 1'b0"),
        ("aes_ccm_feed", "(block_first_i || chain_q || mac_begins_i)", "(1'b1)"),
        # Bytes behind the end count.
        ("aes_ccm_words", "cut_at == 2'd1, cut_at[1] != cut_at[0]", "1'b0, cut_at == 2'd2"),
        ("aes_ccm_words", "mic && mic_half_q &&", "1'b0 && mic_half_q &&"),
        # Ciphertext is authenticated; a wrong MIC is not seen.
        ("aes_ccm_words", "|| (step_q[Give] && decrypt_q)", ""),
        ("aes_ccm_words", "decrypt_q && wrong_q", "decrypt_q && wrong_q && !last_q"),
        # A word does not wait for its taker.
        ("aes_ccm_words", "(!gives_q || unverified_ready_i)", "1'b1"),
    ],
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    sources = []
    for path in modules(RTL / "aes_ccm.v"):
        text = path.read_text(encoding="utf-8")
        if path.stem == file:
            assert text.count(right) == 1
            text = text.replace(right, wrong)
        sources.append(tmp_path / path.name)
        sources[-1].write_text(text, encoding="utf-8")
    spoilt = Bench("aes_ccm_tb", BENCHES / "aes_ccm_tb.v", sources=tuple(sources))
    lines = ["s 3 0", *commands(packets(20, seed=7))]
    run(SIMULATORS["icarus"](spoilt), lines, tmp_path, verdict="FAIL")
