# SPDX-License-Identifier: MIT
"""Commands for the bench of aes_ctr_axis, with answers of the C library."""

import random
from collections.abc import Iterator

from bench_ccm_axis import LAST, blank, broken, frame, keyed
from bench_commands import SIZES, key_commands

import aesfit

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
COUNTER = bytes(range(0xF0, 0x100))
TEXT = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
"""SP 800-38A, F.5.1."""


def message(key: bytes, counter: bytes, text: bytes) -> Iterator[str]:
    """What the bench is to want, and to offer; the counter wraps in none of these."""
    made = aesfit.Cipher(key, "ctr", counter).encrypt(text)
    yield from (f"x {marks} {word}" for marks, word in blank(made))
    for part in (counter, text):
        yield from (f"d {marks} {word}" for marks, word in frame(part))


def random_messages(count: int, seed: int) -> Iterator[str]:
    """Of random sizes, with a new key for every third."""
    rng = random.Random(seed)  # noqa: S311 - repeatable
    for n in range(count):
        if n % 3 == 0:
            key = rng.randbytes(rng.choice(SIZES))
            yield from key_commands(key)
        counter = rng.randbytes(12) + rng.randrange(2**16).to_bytes(4)
        yield from message(key, counter, rng.randbytes(rng.randint(1, 90)))


def errors() -> Iterator[str]:
    """Counter blocks whose frame ends early or late; then none is taken until all is erased."""
    lines = list(message(KEY, COUNTER, TEXT[:5]))
    for at in range(4):
        yield from (*key_commands(KEY), *broken(lines, at, 4 | LAST * (at < 3)))


def messages() -> list[str]:
    """SP 800-38A, each length up to three blocks, errors, what drops one, pauses."""
    first = [*key_commands(KEY), *message(KEY, COUNTER, TEXT)]
    ends = [line for size in range(1, 50) for line in message(KEY, COUNTER, (TEXT + TEXT)[:size])]
    dropped = [
        line
        for how in ("r 50 0", "z 30 0", "y 0 00000001", "y 9 00000002", "y 300 00000003")
        for line in [*first, how, *first]
    ]
    refuse = "n 200 ffffffff"
    refused = ["z 0 0", refuse, *first[:2], refuse, *first[2:], *keyed(first)]
    pauses = ["s 3 0", *random_messages(12, 1), "s 4 0", *random_messages(3, 2), "s 0 0"]
    quick = list(random_messages(9, 3))
    return [*first, *ends, *errors(), *first, *dropped, *refused, *pauses, *quick]
