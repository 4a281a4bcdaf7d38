# SPDX-License-Identifier: MIT
"""Write what the Verilog benches are told and must answer: bench_vectors.py [DIRECTORY].

The default directory is build/vectors of this checkout.  Answers are the C library's; the head of
each bench says what the lines mean.
"""

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import bench_ccm as ccm
import bench_ccm_axis as ccm_axis
import bench_ctr_axis as ctr_axis
import bench_gcm as gcm
from bench_axil import published as axil
from bench_commands import (
    SIZES,
    block_commands,
    expanded,
    expected,
    inverse_schedule,
    key_commands,
    published_works,
    random_works,
    schedule,
    wanted_commands,
    words,
)

import aesfit

FOLDER = Path(__file__).resolve().parent.parent / "build" / "vectors"
STALLS, LATE = "s 3 0", "s 4 0"
RESET, ERASE = "r", "z"

Make = Callable[[int, int], Iterable[str]]
"""Commands from a seed and a number of blocks or messages."""


def around(make: Make) -> Iterator[str]:
    """Commands of which some are lost by a reset or by erasing.

    What follows is offered at once, or so late that all is seen to be quiet before.
    """
    for seed, (how, wait) in enumerate(product((RESET, ERASE), (0, 140))):
        yield from make(10 + seed, 3)
        yield f"{how} {25 + 40 * seed} 0"
        yield f"w {wait} 0"
        yield from make(20 + seed, 3)


def beside(make: Make, *offered: int) -> Iterator[str]:
    """Commands that end anywhere, and are lost by erasing, beside which a word is offered.

    Its lowest bits say on which streams (1 key, 2 data, 4 counter).  Before data a block has begun;
    after a long wait all is done and the core idle.
    """
    rng = random.Random(30)  # noqa: S311
    for seed, (streams, wait) in enumerate(product(offered, (*range(8), 300, 301))):
        begun = list(make(30 + seed, 1))
        end = len(begun) - rng.randint(1, 3) if streams & 2 else rng.randint(1, len(begun))
        yield from begun[: len(begun) if wait >= 300 else end]
        yield f"y {wait} {rng.getrandbits(32) & ~7 | streams:08x}"
    yield from make(29, 2)


def blocks() -> list[str]:
    """For a core of keys and blocks: without pauses, with pauses, and around what drops blocks."""

    def some(seed: int, count: int) -> Iterator[str]:
        return expanded(random_works(count, seed, 2))

    lines = [*expanded(published_works()), *expanded(random_works(20, 1, 6))]
    lines += [STALLS, *expanded(random_works(20, 2, 6)), *around(some)]
    return [*lines, LATE, *some(5, 4), "s 0 0", *beside(some, 1, 2, 3)]


def key_stream(key: bytes, counter: bytes, blocks: int, bits: int = 32) -> bytes:
    """The lowest bits of the counter block count, and the others stay."""
    cipher, first, turn = aesfit.AES(key), int.from_bytes(counter), 1 << bits
    counters = (first // turn * turn + (first + n) % turn for n in range(blocks))
    return b"".join(cipher.encrypt_block(one.to_bytes(16)) for one in counters)


def message(key: bytes, counter: bytes, text: bytes, bits: int = 32) -> Iterator[str]:
    """A counter block and whole blocks of text, with what they become."""
    stream = key_stream(key, counter, len(text) // 16, bits)
    yield from (f"c 0 {word}" for word in words(counter))
    yield from wanted_commands(bytes(a ^ b for a, b in zip(stream, text, strict=True)))
    yield from block_commands(text, decrypt=False)


def messages(seed: int, count: int, bits: int = 32) -> Iterator[str]:
    """Random messages, with a new key for every other one."""
    rng = random.Random(seed)  # noqa: S311
    for number in range(count):
        if number % 2 == 0:
            key = rng.randbytes(rng.choice(SIZES))
            yield from key_commands(key)
        counter = rng.randbytes(12) + rng.randrange(2**16).to_bytes(4)
        yield from message(key, counter, rng.randbytes(16 * rng.randint(1, 6)), bits)


def wraps(bits: int = 32) -> Iterator[str]:
    """Counters whose 16, 31, 32, 64, 96 or 128 lowest bits are all ones after a block, and no more.

    The bits above are 10 in turn, so that a carry that is lost or goes too far shows; `bits` count.
    """
    rng = random.Random(8)  # noqa: S311
    key = rng.randbytes(16)
    yield from key_commands(key)
    for full in (16, 31, 32, 64, 96, 128):
        above = int("a" * 32, 16) >> full << full
        ones = above & ~(1 << full) | (1 << full) - 1
        yield from message(key, (ones - 1).to_bytes(16), rng.randbytes(48), bits)


def uncounted() -> Iterator[str]:
    """Data is offered before there is a counter, for longer than erasing and a key take."""
    rng = random.Random(6)  # noqa: S311
    for how in (RESET, ERASE):
        lines = list(messages(7, 1))
        counters = [at for at, line in enumerate(lines) if line.startswith("c")]
        for at in (counters[0], counters[-1]):
            yield f"{how} 0 0"
            yield from lines[:at]
            yield f"n 300 {rng.getrandbits(32):08x}"
            yield from lines[at:]


def counter() -> list[str]:
    """For aes_ctr: SP 800-38A, F.5.1, counters that wrap, then as blocks() does."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    first = bytes(range(0xF0, 0x100))
    text = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    lines = [*key_commands(key), *message(key, first, text), *wraps(), *messages(3, 4)]
    lines += [STALLS, *messages(4, 4), *around(messages)]
    return [*lines, LATE, *messages(5, 2), "s 0 0", *uncounted(), *beside(messages, 1, 3, 6, 4)]


def all_ones_but_one(bits: int) -> Iterator[str]:
    """Counters whose lowest 96 bits are all ones but one, which stops the carry."""
    rng = random.Random(9)  # noqa: S311
    key = rng.randbytes(16)
    yield from key_commands(key)
    for one in range(96):
        counter = 0xAAAAAAAA << 96 | (1 << 96) - 1 & ~(1 << one)
        yield from message(key, counter.to_bytes(16), rng.randbytes(32), bits)


def wide_counter(bits: int) -> list[str]:
    """For aes_ctr with COUNTER_BITS 64 or 128: carries, without and with pauses."""
    lines = [*wraps(bits), *all_ones_but_one(bits), STALLS, *wraps(bits)]
    return [*lines, LATE, *messages(3, 4, bits)]


def paper_keys(key: bytes) -> list[str]:
    """Round keys for both directions, as software writes them for aes32_paper."""
    both = enumerate((schedule(key), inverse_schedule(key)))
    return [f"k {64 * way + at} {word.hex()}" for way, one in both for at, word in enumerate(one)]


def packet(key: bytes, texts: list[bytes], decrypt: bool) -> list[str]:
    """Fill the packet of aes32_paper or aes128_paper, start, and compare it."""
    filled = [f"p {at} {word}" for at, word in enumerate(words(b"".join(texts)))]
    answers = b"".join(expected(key, text, decrypt) for text in texts)
    wanted = [f"x {at} {word}" for at, word in enumerate(words(answers))]
    return [*filled, *wanted, f"{'d' if decrypt else 'e'} {len(texts)} 0"]


def packets() -> list[str]:
    """For aes32_paper and aes128_paper: FIPS 197, C.1, random packets, and around a reset."""
    key, rng = bytes(range(16)), random.Random(5)  # noqa: S311
    lines = paper_keys(key)
    for one, text, decrypt in published_works()[:2]:
        lines += packet(one, [text], decrypt)
    lines.append(STALLS)
    for number in range(6):
        if number % 2 == 0:
            key = rng.randbytes(16)
            lines += paper_keys(key)
        lines += packet(key, [rng.randbytes(16) for _ in range(1 + number)], number % 2 == 1)
    return [*lines, "r 40 0", *packet(key, [rng.randbytes(16)], decrypt=True)]


MADE: dict[str, Callable[[], list[str]]] = {
    "blocks": blocks,
    "aes32_paper": packets,
    "aes_ctr": counter,
    "aes_ctr_64": partial(wide_counter, 64),
    "aes_ctr_128": partial(wide_counter, 128),
    "aes_ccm": ccm.packets,
    "aes_ccm_longest": ccm.longest,
    "aes_ctr_axis": ctr_axis.messages,
    "aes_ccm_axis": ccm_axis.packets,
    "aes_gcm": gcm.packets,
    "aes32_axil": axil,
}
"""Lines of each file by its name, without the ending `.vectors`."""


def main() -> None:
    """Write the vectors."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    if folder == FOLDER:
        FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in MADE.items():
        path = folder / f"{name}.vectors"
        try:
            path.write_text("\n".join(make()) + "\n", encoding="utf-8")
        except OSError as error:
            sys.exit(f"{path}: {error.strerror}")


if __name__ == "__main__":
    main()
