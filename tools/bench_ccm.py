# SPDX-License-Identifier: MIT
"""Commands for the bench of aes_ccm, with answers of the C library."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from bench_commands import SIZES, key_commands
from packets_ccm import MICS, NONCES, Packet, published, sealed

import aesfit

Work = tuple[Packet, bool]
"""A packet, and whether it is decrypted."""
JUNK = b"\xa5\x5a\xc3"
"""What is offered behind the end, and must not count."""
KEY, NONCE = bytes(range(1, 17)), bytes(range(0xA0, 0xAD))


def words(data: bytes, behind: bytes = bytes(3)) -> list[str]:
    """32-bit words; what is behind the end fills up the last."""
    return [(data[at : at + 4] + behind)[:4].hex() for at in range(0, len(data), 4)]


def header_commands(packet: Packet, decrypt: bool) -> Iterator[str]:
    """Of all words but the first decrypt_i is high at every other one, whatever is done."""
    header = words(packet.headers)
    for n, word in enumerate(header):
        high = n % 2 > 0 if n else decrypt
        yield f"h {2 * high + (n == len(header) - 1)} {word}"


def packet_commands(packet: Packet, decrypt: bool) -> Iterator[str]:
    """What the bench is to want, and to offer."""
    opened, closed = (packet.plain,), (packet.cipher, packet.mic)
    text, wanted = (closed, opened) if decrypt else (opened, closed)
    yield from (f"x 0 {word}" for part in wanted for word in words(part))
    yield f"o {int(packet.good or not decrypt)} 0"
    yield from header_commands(packet, decrypt)
    yield from (f"t 0 {word}" for part in text for word in words(part, JUNK))


def commands(works: Iterable[Work]) -> list[str]:
    """A key wherever it changes, and the packets."""
    lines: list[str] = []
    last = b""
    for packet, decrypt in works:
        lines += key_commands(packet.key) if packet.key != last else []
        lines += packet_commands(packet, decrypt)
        last = packet.key
    return lines


def with_wrong_bit(packet: Packet, bit: int) -> Packet:
    """The packet with a wrong bit in its MIC; bit 0 is the last byte's lowest."""
    wrong = int.from_bytes(packet.sealed) ^ 1 << bit
    return replace(packet, sealed=wrong.to_bytes(len(packet.sealed)), good=False)


def spoilt(packet: Packet, rng: random.Random) -> Packet:
    """The packet with any wrong bit in its MIC."""
    return with_wrong_bit(packet, rng.randrange(8 * packet.mic_bytes))


def random_packets(count: int, seed: int) -> Iterator[Work]:
    """Of random sizes, both ways; of those decrypted some have a wrong bit."""
    rng = random.Random(seed)  # noqa: S311 - repeatable
    key = b""
    for n in range(count):
        key = rng.randbytes(rng.choice(SIZES)) if n % 3 == 0 else key
        sizes = [rng.choice(some) for some in (NONCES, range(40), range(71))]
        nonce, ad, plain = (rng.randbytes(size) for size in sizes)
        packet = sealed(key, nonce, ad, plain, rng.choice(MICS))
        decrypt = rng.random() < 0.5
        yield spoilt(packet, rng) if decrypt and rng.random() < 0.3 else packet, decrypt


def forgeries() -> Iterator[Work]:
    """Wrong MICs of every length: the first and last bit of each byte of 16, one bit of the others.

    Then MICs that are right, but for another text, other associated data and another nonce.
    """
    right = sealed(KEY, NONCE, b"", b"", 16)
    for byte in range(right.mic_bytes):
        for bit in (8 * byte + 7, 8 * byte):
            yield with_wrong_bit(right, bit), True
    yield right, True
    for mic in MICS:
        packet = sealed(KEY, NONCE, b"header", b"a", mic)
        yield from ((packet, False), (packet, True), (with_wrong_bit(packet, 0), True))
    packet = sealed(KEY, NONCE, b"header", bytes(range(20)), 8)
    first = bytes([packet.sealed[0] ^ 0x80]) + packet.sealed[1:]
    flipped = bytes([packet.plain[0] ^ 0x80]) + packet.plain[1:]
    yield replace(packet, sealed=first, plain=flipped, good=False), True
    yield replace(packet, ad=b"headed", good=False), True
    other = sealed(KEY, NONCE[:-1] + b"\0", b"header", packet.plain, 8)
    yield replace(packet, sealed=other.cipher + packet.mic, nonce=other.nonce, good=False), True


def beginnings() -> Iterator[str]:
    """Of packets with each length that has one bit: two blocks of text, and then they are dropped.

    Whoever loses the bit of the length ends before that, or has another key stream.
    """
    plain = random.Random(1).randbytes(0x8000)  # noqa: S311 - repeatable
    for bit in range(6, 16):
        packet = sealed(KEY, NONCE, b"", plain[: 1 << bit], 8)
        begun = [f"x 0 {word}" for word in words(packet.cipher[:32])]
        text = [f"t 0 {word}" for word in words(plain[:32])]
        key = key_commands(KEY)
        yield from (*key, *begun, *header_commands(packet, False), *text, "w 8 0", "z 0 0")


def repeated(length: int) -> Iterator[str]:
    """A packet whose ciphertext repeats a word; the MIC shows whether its plaintext is right.

    The length is odd, so the last word is partial.
    """
    word = bytes.fromhex("00ff55aa")
    cipher = (word * (length // 4 + 1))[:length]
    last_counter = bytes([1]) + NONCE + bytes(2)
    blank = aesfit.Cipher(KEY, "ctr", last_counter).encrypt(bytes(16 + length))
    plain = bytes(a ^ b for a, b in zip(cipher, blank[16:], strict=True))
    packet = sealed(KEY, NONCE, b"", plain, 16)
    assert packet.cipher == cipher  # noqa: S101 - as computed above
    yield from (f"u {-(-length // 4)} 0", "o 1 0", *header_commands(packet, True))
    yield f"t {-(-length // 4) - 1} {word.hex()}"
    yield from (f"t 0 {one}" for one in words(packet.mic))


def paced() -> Iterator[str]:
    """A packet with many headers; in each block of text the last word is a cycle later.

    From one of them on, key stream is used up in the cycle in which more comes.
    """
    packet = sealed(KEY, NONCE, bytes(60), bytes(range(256)), 8)
    texts = 0
    for line in packet_commands(packet, decrypt=False):
        texts += line.startswith("t")
        if line.startswith("t") and texts % 4 == 0:
            yield f"w {43 + texts // 4} 0"
        yield line


def packets() -> list[str]:
    """SP 800-38C, C.1 to C.3, and the first of RFC 3610: in turn encrypted and decrypted.

    Then what a forger sends, lengths of all bits, the first packet around what drops it, the
    published ones once more with pauses, and a counter of more than 8 bits.
    """
    lines = commands((packet, n % 2 > 0) for n, packet in enumerate(islice(published(), 4)))
    first = commands([(next(published()), False)])
    dropped = [
        line
        for how in ("r 200 0", "z 60 0", "y 0 00000001", "y 9 00000006", "y 400 00000007")
        for line in [*first, how, *first]
    ]
    key = key_commands(KEY)
    made = [*commands(forgeries()), *beginnings(), *key, *paced()]
    pauses = ["s 3 0", *lines, "s 4 0", *first, "s 0 0"]
    return [*lines, *made, *dropped, *pauses, *key, *repeated(4113)]


def longest() -> list[str]:
    """The longest packet: every bit of the counter, and of the lengths that are counted down."""
    return [*key_commands(KEY), *repeated(65535)]
