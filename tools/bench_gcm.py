# SPDX-License-Identifier: MIT
"""Commands for the bench of aes_gcm, with answers of the C library."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bench_ccm import JUNK, words
from bench_commands import SIZES, key_commands
from packets_ccm import VECTORS, Packet

import aesfit

Work = tuple[Packet, bool]
"""A packet, and whether it is decrypted."""
KEY, IV = bytes(range(1, 17)), bytes(range(0xA0, 0xAC))
TAG = 16
LAST, DECRYPT = 8, 16


def gcm(key: bytes, iv: bytes, ad: bytes, plain: bytes) -> Packet:
    """A packet as the C library seals it."""
    return Packet(key, iv, ad, plain, aesfit.AESGCM(key).encrypt(iv, plain, ad))


def part(data: bytes, behind: bytes = bytes(3)) -> Iterator[tuple[int, str]]:
    """Marks and words of associated data or text, whose last word may have no byte."""
    made = words(data, behind) or ["00000000"]
    for n, word in enumerate(made):
        last = n == len(made) - 1
        yield (len(data) - 4 * n | LAST if last else 4), word


def packet_commands(packet: Packet, decrypt: bool) -> Iterator[str]:
    """What the bench is to want, and to offer; marks that must not count are high at random words.

    decrypt_i is high with every other word behind the first, and a word of the IV or tag is marked
    as a last one.
    """
    text, output = (packet.cipher, packet.plain) if decrypt else (packet.plain, packet.cipher)
    yield from (f"x {marks} {word}" for marks, word in part(output))
    if not decrypt:
        yield from (f"x {4 | LAST * (n == 3)} {w}" for n, w in enumerate(words(packet.mic)))
    yield f"o {int(packet.good or not decrypt)} 0"
    offered = [(n % 2 * LAST | 1, word) for n, word in enumerate(words(packet.nonce))]
    offered += [*part(packet.ad, JUNK), *part(text, JUNK)]
    offered += [(LAST, word) for word in words(packet.mic)] if decrypt else []
    for n, (marks, word) in enumerate(offered):
        yield f"d {marks | DECRYPT * (n % 2 > 0 if n else decrypt)} {word}"


def commands(works: Iterable[Work]) -> list[str]:
    """A key wherever it changes, and the packets."""
    lines: list[str] = []
    last = b""
    for packet, decrypt in works:
        lines += key_commands(packet.key) if packet.key != last else []
        lines += packet_commands(packet, decrypt)
        last = packet.key
    return lines


def random_packets(count: int, seed: int) -> Iterator[Work]:
    """Of random sizes, both ways; of those decrypted some have a wrong bit."""
    rng = random.Random(seed)  # noqa: S311
    key = b""
    for n in range(count):
        key = rng.randbytes(rng.choice(SIZES)) if n % 3 == 0 else key
        iv, ad, plain = (rng.randbytes(size) for size in (12, rng.randrange(70), rng.randrange(99)))
        packet, decrypt = gcm(key, iv, ad, plain), rng.random() < 0.5
        forged = decrypt and rng.random() < 0.3
        yield (wrong_bit(packet, rng.randrange(8 * TAG)) if forged else packet), decrypt


def wrong_bit(packet: Packet, bit: int) -> Packet:
    """The packet with a wrong bit in its tag; bit 0 is the last byte's lowest."""
    wrong = int.from_bytes(packet.sealed) ^ 1 << bit
    return replace(packet, sealed=wrong.to_bytes(len(packet.sealed)), good=False)


def every_end() -> Iterator[Work]:
    """Each length of the last block of data, of text, and of both; data without text, neither."""
    for size in range(18):
        for ad, text in ((size, 0), (0, size), (size, size)):
            packet = gcm(KEY, IV, bytes(range(ad)), bytes(range(100, 100 + text)))
            yield packet, size % 2 > 0


def forgeries() -> Iterator[Work]:
    """Every bit of the tag wrong; then a tag for other text, other data and another IV."""
    right = gcm(KEY, IV, b"header", bytes(range(20)))
    for bit in range(8 * TAG):
        yield wrong_bit(right, bit), True
    flipped = bytes([right.sealed[0] ^ 0x80]) + right.sealed[1:]
    plain = bytes([right.plain[0] ^ 0x80]) + right.plain[1:]
    yield replace(right, sealed=flipped, plain=plain, good=False), True
    yield replace(right, ad=b"headed", good=False), True
    yield replace(right, ad=b"header\0", good=False), True
    other = gcm(KEY, IV[::-1], b"header", right.plain)
    yield replace(other, sealed=other.cipher + right.mic, good=False), True
    yield right, True


def of_the_standard() -> list[Packet]:
    """Those of McGrew and Viega with IVs of 96 bits."""
    text = VECTORS.read_text(encoding="utf-8")
    found = []
    for record in text.split("\n\n"):
        pairs = dict(line.split(" ", 1) for line in record.splitlines() if " " in line)
        if pairs.pop("mode", "") == "gcm" and len(pairs["nonce"]) == 24:
            key, nonce, ad, plain, cipher, tag = (
                bytes.fromhex(pairs.get(name, ""))
                for name in ("key", "nonce", "ad", "plain", "cipher", "tag")
            )
            found.append(Packet(key, nonce, ad, plain, cipher + tag))
    return found


def packets() -> list[str]:
    """Published packets both ways, forgeries, ends of blocks, what drops one, keys in a row."""
    both = [(packet, decrypt) for packet in of_the_standard() for decrypt in (False, True)]
    first = commands([(gcm(KEY, IV, bytes(20), bytes(range(90))), False)])
    dropped = [
        line
        for how in ("r 200 0", "z 60 0", "y 0 00000001", "y 9 00000002", "y 900 00000003")
        for line in [*first, how, *first]
    ]
    keys = [line for n in range(6) for line in (*key_commands(bytes(15) + bytes([n])), "w 170 0")]
    long = commands([(gcm(KEY, IV, bytes(range(200)) * 3, bytes(range(256)) * 20), False)])
    pauses = ["s 3 0", *commands(both), "s 4 0", *first, "s 0 0"]
    made = [*commands(both), *commands(forgeries()), *commands(every_end())]
    return [*made, *dropped, *pauses, *keys, *first, *long]
