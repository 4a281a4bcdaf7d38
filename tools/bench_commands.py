# SPDX-License-Identifier: MIT
"""Commands for the Verilog benches of keys and blocks, with answers of the C library.

Keys and texts are those of FIPS 197, appendix C, and pseudo-random ones.
"""

import random
from collections.abc import Iterable, Iterator

from make_tables import SBOX, double, multiply

import aesfit

ROUNDS = {16: 10, 24: 12, 32: 14}
"""By the key's bytes."""
SIZES = list(ROUNDS)
Work = tuple[bytes, bytes, bool]
"""Key, block, and whether it is decrypted."""
TEXT = bytes.fromhex("00112233445566778899aabbccddeeff")
"""FIPS 197, appendix C; the keys there count from 0."""


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
