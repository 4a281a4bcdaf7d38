# SPDX-License-Identifier: MIT
"""Statistics of pictures against values known by hand, from tables, and from the definitions."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aesfit.pictures import expectation, statistics
from aesfit.pictures.noise import ideal_ecb, lcg_bytes
from aesfit.pictures.statistics import Bytes
from aesfit.pictures.tails import binomial_least, binomial_most, chi_square_p

BYTES = st.binary(min_size=1, max_size=400)


def noise(*shape: int, seed: int = 1) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def ramp(edge: int = 256) -> Bytes:
    return np.tile(np.arange(edge, dtype=np.uint8), (edge, 1))


def test_constant_plane() -> None:
    plane = np.full((32, 48), 7, np.uint8)
    counts = statistics.histogram(plane)
    assert counts[7] == 32 * 48
    assert counts.sum() == 32 * 48
    assert statistics.entropy(counts) == 0.0
    assert statistics.local_entropy(plane) == 0.0
    assert statistics.chi_square(counts) == 255 * 32 * 48
    assert statistics.correlation(plane) == statistics.Correlation(None, None, None)
    assert statistics.repeated_blocks(plane) == 1.0


def test_gradient_is_flat_globally_and_not_locally() -> None:
    plane = ramp()
    counts = statistics.histogram(plane)
    assert statistics.entropy(counts) == 8.0
    assert statistics.chi_square(counts) == 0.0
    assert statistics.local_entropy(plane) == pytest.approx(4.0, abs=1e-12)
    found = statistics.correlation(plane)
    assert found.horizontal == pytest.approx(1.0, abs=1e-12)
    assert found.vertical == pytest.approx(1.0, abs=1e-12)
    assert statistics.correlation(255 - ramp().T) == statistics.correlation(ramp().T)


def test_correlation_by_hand() -> None:
    """Pairs (0,1) (1,0) (2,5) (5,3) to the right: means 2 and 9/4, by the definition."""
    plane = np.array([[0, 1, 0], [2, 5, 3]], np.uint8)
    x, y = [0, 1, 2, 5], [1, 0, 5, 3]
    covariance = sum((a - 2) * (b - 2.25) for a, b in zip(x, y, strict=True))
    spread = math.sqrt(sum((a - 2) ** 2 for a in x) * sum((b - 2.25) ** 2 for b in y))
    found = statistics.correlation(plane)
    assert found.horizontal == pytest.approx(covariance / spread)
    assert found.diagonal == pytest.approx(-1.0)
    checked = np.indices((8, 8)).sum(0).astype(np.uint8) % 2
    assert statistics.correlation(checked) == statistics.Correlation(-1.0, -1.0, 1.0)


@given(BYTES)
def test_entropy_and_chi_square_follow_their_definitions(data: bytes) -> None:
    counts = statistics.histogram(statistics.as_bytes(data))
    shares = [data.count(value) / len(data) for value in set(data)]
    assert statistics.entropy(counts) == pytest.approx(-sum(p * math.log2(p) for p in shares))
    even = len(data) / 256
    chi_square = sum((data.count(value) - even) ** 2 / even for value in range(256))
    assert statistics.chi_square(counts) == pytest.approx(chi_square)


@given(st.lists(st.sampled_from([bytes(16), b"a" * 16, bytes(15) + b"b"]), min_size=1), BYTES)
def test_repeated_blocks_count_every_occurrence(parts: list[bytes], tail: bytes) -> None:
    """Zeros at the end of a block count as any other bytes do; a part of a block does not count."""
    data = b"".join(parts) + tail[:15]
    repeated = sum(parts.count(part) > 1 for part in parts)
    assert statistics.repeated_blocks(data) == repeated / len(parts)
    assert statistics.repeated_blocks(statistics.as_bytes(data)) == repeated / len(parts)


def test_blocks_that_differ_in_their_last_byte_alone() -> None:
    assert statistics.repeated_blocks(bytes(16) + bytes(15) + b"\1") == 0.0
    with pytest.raises(ValueError, match="at least one block"):
        statistics.repeated_blocks(bytes(15))


def test_npcr_and_uaci_by_hand() -> None:
    first = np.array([[0, 0], [10, 255]], np.uint8)
    second = np.array([[255, 0], [61, 204]], np.uint8)
    assert statistics.npcr(first, second) == 75.0
    assert statistics.uaci(first, second) == pytest.approx(100 * (255 + 51 + 51) / (4 * 255))
    assert (statistics.npcr(first, first), statistics.uaci(first, first)) == (0.0, 0.0)
    with pytest.raises(ValueError, match="cannot be compared"):
        statistics.npcr(first, second[:1])
    with pytest.raises(ValueError, match="without a byte"):
        statistics.uaci(first[:0], second[:0])


def test_small_planes_leave_undefined_what_is() -> None:
    assert statistics.local_entropy(noise(15, 300)) is None
    assert statistics.correlation(noise(1, 1)) == statistics.Correlation(None, None, None)
    column = statistics.correlation(noise(9, 1))
    assert (column.horizontal, column.diagonal) == (None, None)
    assert column.vertical is not None


@pytest.mark.parametrize(
    ("degrees", "quantile", "p"),
    [
        (1, 3.841458821, 0.05),
        (2, 9.210340372, 0.01),
        (10, 18.30703805, 0.05),
        (10, 3.940299136, 0.95),
        (30, 59.70306430, 0.001),
        (100, 124.3421134, 0.05),
        (255, 293.2478350, 0.05),
        (255, 310.4573882, 0.01),
    ],
)
def test_p_value_against_tables(degrees: int, quantile: float, p: float) -> None:
    assert chi_square_p(quantile, degrees) == pytest.approx(p, rel=1e-7)


@given(st.floats(0, 2000))
def test_p_value_with_two_degrees_is_an_exponential(value: float) -> None:
    assert chi_square_p(value, 2) == pytest.approx(math.exp(-value / 2), rel=1e-10, abs=1e-300)


def test_p_value_at_the_ends() -> None:
    assert chi_square_p(0, 255) == 1.0
    assert chi_square_p(1e-9, 255) == 1.0
    assert chi_square_p(1e9, 255) == 0.0


@given(st.integers(1, 200), st.sampled_from([1 / 256, 0.1, 0.5]))
def test_binomial_tails_by_summing_up(trials: int, p: float) -> None:
    chances = [math.comb(trials, m) * p**m * (1 - p) ** (trials - m) for m in range(trials + 1)]
    most, least = binomial_most(trials, p, 1e-3), binomial_least(trials, p, 1e-3)
    assert sum(chances[most + 1 :]) <= 1e-3 * (1 + 1e-9)
    assert most == 0 or sum(chances[most:]) > 1e-3 * (1 - 1e-9)
    assert sum(chances[:least]) <= 1e-3 * (1 + 1e-9)
    assert sum(chances[: least + 1]) > 1e-3 * (1 - 1e-9)


def test_expected_shares_of_redrawn_bytes() -> None:
    """Over all pairs of bytes, and the two figures that papers print."""
    pairs = list(itertools.product(range(256), repeat=2))
    assert sum(a != b for a, b in pairs) / len(pairs) == expectation.CHANGED
    assert pytest.approx(sum(abs(a - b) for a, b in pairs) / len(pairs)) == expectation.APART
    assert round(100 * expectation.CHANGED, 4) == 99.6094
    assert round(100 * expectation.APART / 255, 4) == 33.4635


def test_entropy_of_random_bytes() -> None:
    """For 44x44 pixels the mean of Wu et al., 2013; asymptotically the formula of Miller."""
    assert expectation.entropy_moments(44 * 44)[0] == pytest.approx(7.902469317, abs=1e-9)
    n = 10**6
    mean, spread = expectation.entropy_moments(n)
    assert 8 - mean == pytest.approx(255 / (2 * n * math.log(2)), rel=1e-3)
    assert spread == pytest.approx(math.sqrt(510) / (2 * n * math.log(2)), rel=1e-3)
    assert expectation.entropy_moments(1)[0] == pytest.approx(0.0, abs=1e-12)
    assert expectation.entropy_moments(2)[0] == pytest.approx(255 / 256)


def test_ranges_hold_what_random_bytes_give() -> None:
    """400 seeded planes of 48x48 bytes: each range misses 0.04 of them on average."""
    shape = (48, 48)
    size, pairs = 48 * 48, 48 * 47
    missed = 0
    values = []
    for seed in range(400):
        plane, other = noise(*shape, seed=seed), noise(*shape, seed=1000 + seed)
        counts = statistics.histogram(plane)
        entropy = statistics.entropy(counts)
        values.append(entropy)
        held = [
            expectation.entropy(size).holds(entropy),
            expectation.local_entropy(9).holds(statistics.local_entropy(plane)),
            expectation.chi_square(size).holds(statistics.chi_square(counts)),
            expectation.correlation(pairs).holds(statistics.correlation(plane).horizontal),
            expectation.npcr(size, 0, size).holds(statistics.npcr(plane, other)),
            expectation.uaci(size, (), size).holds(statistics.uaci(plane, other)),
        ]
        assert None not in held
        missed += held.count(False)
    assert missed <= 3
    mean, spread = expectation.entropy_moments(size)
    assert np.mean(values) == pytest.approx(mean, abs=4 * spread / 20)
    assert np.std(values) == pytest.approx(spread, rel=0.15)


def test_ranges_are_no_wider_than_they_say() -> None:
    """Bytes of which one value in 50 is drawn again are caught by entropy and chi-square."""
    plane = noise(300, 300)
    plane[::50] = 0
    counts = statistics.histogram(plane)
    assert expectation.entropy(plane.size).holds(statistics.entropy(counts)) is False
    assert expectation.chi_square(plane.size).holds(statistics.chi_square(counts)) is False


def test_small_samples_have_no_range() -> None:
    for expected in (
        expectation.entropy(255),
        expectation.chi_square(1279),
        expectation.p_value(1279),
        expectation.correlation(255),
        expectation.correlation(1),
        expectation.local_entropy(0),
    ):
        assert expected.why
        assert expected.holds(1.0) is None


def test_ideal_ecb_keeps_which_blocks_are_equal() -> None:
    data = b"a" * 16 + b"b" * 16 + b"a" * 16 + b"tail"
    first, second = ideal_ecb(data, 2)
    assert len(first) == len(data)
    assert first[:16] == first[32:48] != first[16:32]
    assert first != second
    assert list(ideal_ecb(data, 2)) == [first, second]


def test_generator_follows_its_recurrence() -> None:
    state, expected = 1, []
    for _ in range(1000):
        state = (1664525 * state + 1013904223) % 2**32
        expected.append(state >> 24)
    assert lcg_bytes(1000).tolist() == expected
    assert lcg_bytes(0).tolist() == []
