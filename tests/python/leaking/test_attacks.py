# SPDX-License-Identifier: MIT
"""The attacks on synthetic timings with known results."""

import numpy as np
import pytest

from aesfit.leaking.collisions import Collisions, hadamard, pair_scores
from aesfit.leaking.correlation import CHANCE, bits, means, ranks
from aesfit.leaking.decoding import decoded
from aesfit.leaking.lookups import ByteLookup, indices
from aesfit.leaking.schedule import inverse_sbox
from aesfit.leaking.victim import Timed
from aesfit.measuring.trace import Span

KEY = bytes(range(0x30, 0x40))
SBOX = ByteLookup(Span("sbox", 0x1000, 256), 1)
WORDS = [ByteLookup(Span(f"te{row}", 0x2000 + 1024 * row, 1024), 4) for row in range(4)]


def timed(attack: Collisions, many: int, noise: float) -> Timed:
    """Calls that cost one unit for each line looked up, and noise."""
    draw = np.random.default_rng(1)
    plain, cipher = draw.integers(256, size=(2, many, 16), dtype=np.uint8)
    used = indices(plain if attack.which == "first" else cipher, KEY, attack.which)
    columns = [one.lines(32)[used[:, at]] for at, one in enumerate(attack.lookups) if one]
    lines = np.sort(np.column_stack(columns), axis=1)
    distinct = 1 + (np.diff(lines, axis=1) != 0).sum(axis=1)
    return Timed(plain, cipher, distinct + noise * draw.standard_normal(many))


LAST = Collisions("last", (SBOX,) * 16, 32)
FIRST = Collisions("first", tuple(WORDS[at % 4] for at in range(16)), 32)


def test_the_last_round_shows_the_whole_key() -> None:
    assert LAST.bits() == 128
    assert LAST.found(timed(LAST, 4096, 1.0)) == KEY


def test_the_first_round_shows_lines_of_differences() -> None:
    assert FIRST.groups() == [tuple(range(row, 16, 4)) for row in range(4)]
    assert FIRST.bits() == 60
    guess = FIRST.found(timed(FIRST, 4096, 1.0))
    assert FIRST.right(guess, KEY)
    assert not FIRST.right(bytes([guess[0] ^ 8, *guess[1:]]), KEY)
    assert FIRST.right(bytes([guess[0] ^ 7, *guess[1:]]), KEY)


def test_noise_alone_shows_nothing() -> None:
    seen = timed(LAST, 4096, 1.0)
    shuffled = Timed(seen.plain, seen.cipher, np.roll(seen.cycles, 1))
    assert LAST.found(shuffled) != KEY
    flat = Timed(seen.plain, seen.cipher, np.ones(4096))
    assert LAST.found(flat) != KEY


@pytest.mark.parametrize("which", ["first", "last"])
def test_scores_are_sums_over_the_calls_that_collide(which: str) -> None:
    draw = np.random.default_rng(2)
    one, other = draw.integers(256, size=(2, 300))
    faster = draw.standard_normal(300)
    lines = np.arange(256) // 32 if which == "first" else inverse_sbox().astype(int) // 32
    members = (lines == np.arange(8)[:, None]).astype(float)
    spectrum = members @ hadamard()
    found = pair_scores(one, other, faster, spectrum.T @ spectrum)
    for a, b in ((0, 0), (17, 200), (255, 1)):
        meets = lines[one ^ a] == lines[other ^ b]
        assert found[a, b] == pytest.approx(faster[meets].sum(), abs=1e-3)


def test_the_search_finds_a_guess_that_few_pairs_show() -> None:
    draw = np.random.default_rng(3)
    key = {at: int(value) for at, value in enumerate(draw.integers(256, size=8))}
    scores = {(a, b): draw.standard_normal((256, 256)) for b in range(8) for a in range(b)}
    for (a, b), matrix in scores.items():
        matrix[key[a], key[b]] += 3.0
    alone = [int(one.argmax()) == 256 * key[a] + key[b] for (a, b), one in scores.items()]
    assert sum(alone) < len(alone) / 2
    assert decoded(scores, range(8), np.arange(256), fixed=False) == key


def test_correlation_ranks_the_right_byte_first_where_a_byte_shows() -> None:
    draw = np.random.default_rng(4)
    own, other = KEY, bytes(reversed(KEY))

    def seen(key: bytes) -> Timed:
        plain = draw.integers(256, size=(1 << 15, 16), dtype=np.uint8)
        slow = (plain[:, 3] ^ key[3]) % 5 == 0
        return Timed(plain, plain, 100.0 + 20 * slow + draw.standard_normal(1 << 15))

    found = ranks(means(seen(own), own), means(seen(other), bytes(16)), other)
    assert found[3] == 1
    assert found.max() > 16
    assert bits(np.array([CHANCE, 1.0, 256.0])) == pytest.approx([0, np.log2(CHANCE), 0])


def test_ranks_of_flat_means_are_chance() -> None:
    flat = np.zeros((16, 256))
    assert (ranks(flat, flat, KEY) == CHANCE).all()
