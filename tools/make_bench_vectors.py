# SPDX-License-Identifier: MIT
"""Write what the Verilog benches are told and must answer: make_bench_vectors.py [DIRECTORY].

The default directory is tests/rtl of this checkout.  Answers are the C library's; keys and texts
are those of FIPS 197, appendix C, and pseudo-random ones.  tests/rtl/stream_driver.v says what the
lines mean.
The vectors are checked in; a test makes them anew and compares.
"""

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

from make_tables import SBOX, double, multiply

import aesfit

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "rtl"
ROUNDS = {16: 10, 24: 12, 32: 14}
"""By the key's bytes."""
SIZES = list(ROUNDS)
Work = tuple[bytes, bytes, bool]
"""Key, block, and whether it is decrypted."""
TEXT = bytes.fromhex("00112233445566778899aabbccddeeff")
"""FIPS 197, appendix C; the keys there count from 0."""
STALLS = "s 3 0"
RESET, ERASE = "r", "z"


def words(data: bytes) -> list[str]:
    """32-bit words as the benches take them."""
    return [data[at : at + 4].hex() for at in range(0, len(data), 4)]


def key_commands(key: bytes) -> list[str]:
    """Offer a key."""
    return [f"k {len(key) // 8 - 2} {word}" for word in words(key)]


def block_commands(block: bytes, decrypt: bool) -> list[str]:
    """Offer a block."""
    return [f"{'d' if decrypt else 'e'} 0 {word}" for word in words(block)]


def wanted_commands(block: bytes) -> list[str]:
    """Tell a bench what must come out."""
    return [f"x 0 {word}" for word in words(block)]


def expected(key: bytes, block: bytes, decrypt: bool) -> bytes:
    """What the C library makes of a block."""
    cipher = aesfit.AES(key)
    return cipher.decrypt_block(block) if decrypt else cipher.encrypt_block(block)


def schedule(key: bytes) -> list[bytes]:
    """Words of the key schedule for encryption (FIPS 197, 5.2)."""
    made = [key[at : at + 4] for at in range(0, len(key), 4)]
    size, rcon = len(made), 1
    while len(made) < 4 * (ROUNDS[len(key)] + 1):
        word = made[-1]
        if len(made) % size == 0:
            word = bytes(SBOX[x] for x in word[1:] + word[:1])
            word, rcon = bytes([word[0] ^ rcon, *word[1:]]), double(rcon)
        elif size == 8 and len(made) % size == 4:
            word = bytes(SBOX[x] for x in word)
        made.append(bytes(a ^ b for a, b in zip(made[-size], word, strict=True)))
    return made


def mixed(column: bytes, inverse: bool) -> bytes:
    """MixColumns of one column, or its inverse (FIPS 197, 5.1.3 and 5.3.3)."""
    factors = (14, 11, 13, 9) if inverse else (2, 3, 1, 1)
    products = [[multiply(x, factor) for factor in factors] for x in column]
    return bytes(
        products[0][-row % 4]
        ^ products[1][(1 - row) % 4]
        ^ products[2][(2 - row) % 4]
        ^ products[3][(3 - row) % 4]
        for row in range(4)
    )


def inverse_schedule(key: bytes) -> list[bytes]:
    """Words for the equivalent inverse cipher, in the order of use (FIPS 197, 5.3.5)."""
    forward = schedule(key)
    rounds = [forward[at : at + 4] for at in range(0, len(forward), 4)][::-1]
    middle = [[mixed(word, inverse=True) for word in one] for one in rounds[1:-1]]
    return [word for one in (rounds[0], *middle, rounds[-1]) for word in one]


def random_works(count: int, seed: int, blocks_a_key: int) -> list[Work]:
    """Blocks in random directions; keys of random sizes last for up to so many."""
    rng = random.Random(seed)  # noqa: S311
    works: list[Work] = []
    while len(works) < count:
        key = rng.randbytes(rng.choice(SIZES))
        for _ in range(rng.randint(1, blocks_a_key)):
            works.append((key, rng.randbytes(16), rng.random() < 0.5))
    return works[:count]


def published_works() -> list[Work]:
    """FIPS 197, appendix C: each key's block there and back."""
    keys = [bytes(range(size)) for size in SIZES]
    forth = [(key, TEXT, False) for key in keys]
    back = [(key, expected(key, TEXT, decrypt=False), True) for key in keys]
    return [work for pair in zip(forth, back, strict=True) for work in pair]


def expanded(works: Iterable[Work]) -> Iterator[str]:
    """The key wherever it changes, for a core that expands it, and blocks with what they become."""
    last = b""
    for key, block, decrypt in works:
        if key != last:
            yield from key_commands(key)
        yield from wanted_commands(expected(key, block, decrypt))
        yield from block_commands(block, decrypt)
        last = key


def preloaded(works: Iterable[Work], decryption: bool = True) -> Iterator[str]:
    """The same with the round keys in place of the key."""
    last = b""
    for key, block, decrypt in works:
        if key != last:
            keys = [*schedule(key), *(inverse_schedule(key) if decryption else [])]
            yield from (f"k {len(key) // 8 - 2} {word.hex()}" for word in keys)
        yield from wanted_commands(expected(key, block, decrypt))
        yield from block_commands(block, decrypt)
        last = key


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


def blocks() -> list[str]:
    """For a core of keys and blocks: without pauses, with pauses, and around what drops blocks."""
    lines = [*expanded(published_works()), *expanded(random_works(20, 1, 6))]
    lines += [STALLS, *expanded(random_works(20, 2, 6))]
    return [*lines, *around(lambda seed, count: expanded(random_works(count, seed, 2)))]


def message(key: bytes, counter: bytes, text: bytes) -> Iterator[str]:
    """A counter block and whole blocks of text, with what they become."""
    wanted = aesfit.Cipher(key, "ctr", counter).encrypt(text)
    yield from (f"c 0 {word}" for word in words(counter))
    yield from wanted_commands(wanted)
    yield from block_commands(text, decrypt=False)


def messages(seed: int, count: int) -> Iterator[str]:
    """Random messages, with a new key for every other one."""
    rng = random.Random(seed)  # noqa: S311
    for number in range(count):
        if number % 2 == 0:
            key = rng.randbytes(rng.choice(SIZES))
            yield from key_commands(key)
        counter = rng.randbytes(12) + rng.randrange(2**16).to_bytes(4)
        yield from message(key, counter, rng.randbytes(16 * rng.randint(1, 6)))


def counter() -> list[str]:
    """For aes_ctr: SP 800-38A, F.5.1, then as blocks() does."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    first = bytes(range(0xF0, 0x100))
    text = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    lines = [*key_commands(key), *message(key, first, text), *messages(3, 4)]
    return [*lines, STALLS, *messages(4, 4), *around(messages)]


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


def packets(*pauses: str) -> list[str]:
    """For aes32_paper and aes128_paper: FIPS 197, C.1, random packets, and around a reset."""
    key, rng = bytes(range(16)), random.Random(5)  # noqa: S311
    lines = paper_keys(key)
    for one, text, decrypt in published_works()[:2]:
        lines += packet(one, [text], decrypt)
    lines += pauses
    for number in range(6):
        if number % 2 == 0:
            key = rng.randbytes(16)
            lines += paper_keys(key)
        lines += packet(key, [rng.randbytes(16) for _ in range(1 + number)], number % 2 == 1)
    return [*lines, "r 40 0", *packet(key, [rng.randbytes(16)], decrypt=True)]


def render() -> dict[str, list[str]]:
    """File name to lines."""
    return {
        "blocks.vectors": blocks(),
        "aes32_paper.vectors": packets(STALLS),
        "aes128_paper.vectors": packets(),
        "aes_ctr.vectors": counter(),
    }


def main() -> None:
    """Write the vectors."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, lines in render().items():
        try:
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            sys.exit(f"{folder / name}: {error.strerror}")


if __name__ == "__main__":
    main()
