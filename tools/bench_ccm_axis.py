# SPDX-License-Identifier: MIT
"""Commands for the bench of aes_ccm_axis, with answers of the C library."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product

from bench_ccm import JUNK, KEY, NONCE, forgeries, random_packets, with_wrong_bit, words
from bench_commands import key_commands
from packets_ccm import MICS, NONCES, Packet, published, sealed

Work = tuple[Packet, bool]
"""A packet, and whether it is decrypted."""
LAST, BAD = 8, 32


def frame(data: bytes) -> list[tuple[int, str]]:
    """Marks and words of a frame; what is behind the end must not count."""
    made = words(data, JUNK)
    ends = [(min(4, len(data) - 4 * n) | LAST * (n == len(made) - 1)) for n in range(len(made))]
    return list(zip(ends, made, strict=True))


def sizes(packet: Packet, decrypt: bool) -> bytes:
    """The first frame; what is behind the nonce must not count."""
    both = len(packet.plain).to_bytes(2, "little") + len(packet.ad).to_bytes(2, "little")
    rest = bytes([len(packet.nonce), packet.mic_bytes, int(decrypt), 0])
    return both + rest + (packet.nonce + b"\xff" * 16)[:16]


def frames(packet: Packet, decrypt: bool) -> list[list[tuple[int, str]]]:
    """What a packet is offered as; a part without bytes has no frame."""
    text = packet.cipher if decrypt else packet.plain
    parts = [sizes(packet, decrypt), packet.ad, text, packet.mic if decrypt else b""]
    return [frame(part) for part in parts if part]


def packet_commands(packet: Packet, decrypt: bool) -> Iterator[str]:
    """What the bench is to want, and to offer."""
    wanted = [packet.plain] if decrypt else [packet.cipher, packet.mic]
    for part in wanted:
        yield from (f"x {marks} {word}" for marks, word in blank(part))
    yield f"o {int(packet.good or not decrypt)} 0"
    for one in frames(packet, decrypt):
        yield from (f"d {marks} {word}" for marks, word in one)


def blank(data: bytes) -> list[tuple[int, str]]:
    """A frame of output: what is behind the end is zero."""
    return [(marks, word) for (marks, _), word in zip(frame(data), words(data), strict=True)]


def commands(works: Iterable[Work]) -> list[str]:
    """A key wherever it changes, and the packets."""
    lines: list[str] = []
    last = b""
    for packet, decrypt in works:
        lines += key_commands(packet.key) if packet.key != last else []
        lines += packet_commands(packet, decrypt)
        last = packet.key
    return lines


def every_end() -> Iterator[Work]:
    """Each length of the last block of data, of text and of both; and none of either."""
    for size in range(19):
        for ad, text in ((size, 0), (0, size), (size, 18 - size)):
            packet = sealed(KEY, NONCE, bytes(range(ad)), bytes(range(100, 100 + text)), 8)
            yield packet, size % 2 > 0


def every_size() -> Iterator[Work]:
    """Each nonce with each MIC; the last byte of the nonce counts, and the one behind does not."""
    for n, (nonce, mic) in enumerate(product(NONCES, MICS)):
        yield sealed(KEY, bytes(range(1, nonce + 1)), b"ad", b"plain", mic), n % 2 > 0


def bad_sizes() -> Iterator[bytes]:
    """First frames with one size that CCM has not: beside each limit, and each single bit."""
    right = sizes(sealed(KEY, NONCE, b"", b"text", 8), decrypt=False)
    wrong = {
        3: (0xFF,),
        4: (0, 6, 14, 15, 16 + 13, 32 + 13, 64 + 13, 128 + 13),
        5: (0, 2, 3, 5, 17, 18, 20, 24, 32 + 8, 64 + 8, 128 + 8),
        6: (2, 4, 8, 16, 32, 64, 128),
        7: (1, 2, 4, 8, 16, 32, 64, 128),
    }
    for at, values in wrong.items():
        yield from (right[:at] + bytes([value]) + right[at + 1 :] for value in values)


def broken(lines: list[str], at: int, marks: int) -> list[str]:
    """These words up to one, whose marks are wrong; then none is taken until all is erased."""
    words_at = [n for n, line in enumerate(lines) if line.startswith("d")]
    last = words_at[at]
    word = lines[last].split()[2]
    return [*lines[:last], f"d {marks | BAD} {word}", f"n 120 {word}", "z 0 0"]


def errors() -> Iterator[str]:
    """Sizes that are none, frames that end early or late, and bytes that are too many or few."""
    key, packet = key_commands(KEY), sealed(KEY, NONCE, bytes(10), bytes(range(22)), 6)
    for wrong in bad_sizes():
        begun = [f"d 4 {word}" for word in words(wrong)]
        yield from broken([*key, *begun], 0 if wrong[3] == 0xFF else 1, 4)
    for decrypt in (False, True):
        lines = list(packet_commands(packet, decrypt))
        offered = [int(line.split()[1]) for line in lines if line[0] == "d"]
        for at, marks in enumerate(offered):
            wrong_ends = [marks ^ LAST]
            if marks & LAST and at > 5:  # of the sizes tkeep is not read
                wrong_ends += [kept | LAST for kept in range(5) if kept != marks & 7]
            for one in wrong_ends:
                yield from (*key, *broken(lines, at, one))
    yield from commands([(packet, False)])


def beginnings() -> Iterator[str]:
    """Of packets with each length that has one bit: two blocks of text, and then they are dropped.

    The core ends before that if it is told too short a length.
    """
    for bit in range(6, 16):
        packet = sealed(KEY, NONCE, b"", bytes(1 << bit), 8)
        begun = [f"x 4 {word}" for word in words(packet.cipher[:32])]
        text = [f"d 4 {word}" for word in words(bytes(32))]
        first = [f"d {marks} {word}" for marks, word in frame(sizes(packet, decrypt=False))]
        yield from (*key_commands(KEY), *begun, *first, *text, "w 8 0", "z 0 0")


def keyed(lines: list[str]) -> Iterator[str]:
    """A packet after each of whose words a key is offered, and must wait."""
    for line in lines:
        yield line
        yield from ["m 9 ffffffff"] * line.startswith("d")


def packets() -> list[str]:
    """Published packets both ways, forgeries, all sizes and ends, errors, and what drops one."""
    both = [(packet, way) for packet in islice(published(), 4) for way in (False, True)]
    first = commands(both[:1])
    dropped = [
        line
        for how in ("r 200 0", "z 60 0", "y 0 00000001", "y 9 00000002", "y 400 00000003")
        for line in [*first, how, *first]
    ]
    wide = sealed(KEY, NONCE, bytes(range(256)) * 2 + b"a", bytes(range(256)) + b"t", 16)
    ways = [(wide, False), (wide, True), (with_wrong_bit(wide, 0), True)]
    made = [*commands(both), *errors(), *beginnings()]
    made += [*commands(every_end()), *commands(every_size())]
    late = replace(wide, ad=wide.ad[:-1] + b"b", good=False), True
    pauses = ["s 3 0", *commands(both), "s 4 0", *first, *commands(random_packets(6, 1)), "s 0 0"]
    ends = commands([*ways, late])
    return [*made, *commands(forgeries()), *ends, *dropped, *keyed(first), *pauses]
