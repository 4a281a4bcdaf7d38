# SPDX-License-Identifier: MIT
"""Expected statistics of random bytes, and their ranges.

A value of random bytes is outside its range with probability OUTSIDE, so with a hundred figures of
good ciphers one is outside in about one of a hundred runs.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from .statistics import TILE, Floats
from .tails import binomial_least, binomial_most

OUTSIDE = 1e-4
"""Probability of random values outside a range, on both sides together."""
_SIGMAS = 3.8906
"""Standard deviations beyond which a normal variable lies with probability OUTSIDE."""
LEAST_BYTES = 256
"""Least bytes of a plane for a range of entropy and correlation, which is odd below."""
LEAST_FOR_CHI_SQUARE = 5 * 256
"""Least bytes of a plane for chi-square: 5 of each value (Cochran, Biometrics 10, 1954)."""
_COUNTED = 1 << 16
"""Successes up to which a binomial distribution is summed instead of taken as normal."""
CHANGED = 255 / 256
"""Share of bytes that differ when a byte is drawn anew: all but one of 256 values; 99.6094 %."""
APART = (256**2 - 1) / (3 * 256)
"""Mean of |a - b| of two random bytes: sum over d of d 2(256 - d) / 256^2 = (n^2 - 1) / (3 n) with
n = 256.  Divided by 255 it is the 33.4635 % of UACI."""
_APART_SQUARED = (256**2 - 1) / 6
"""Mean of (a - b)^2: twice the variance (n^2 - 1) / 12 of a random byte."""


@dataclass(frozen=True)
class Range:
    """An expected value and its range; None if unknown."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str | None = None
    """Why there is no value, no range, or no verdict."""

    def holds(self, measured: float | None) -> bool | None:
        """Whether a figure lies within; None without a range or without a figure."""
        if self.low is None or self.high is None or measured is None:
            return None
        slack = 1e-9 * max(abs(self.low), abs(self.high))
        return self.low - slack <= measured <= self.high + slack


def exactly(value: float) -> Range:
    """The only possible value."""
    return Range(value, value, value)


def around(value: float, spread: float, least: float = -math.inf, most: float = math.inf) -> Range:
    """A normal distribution of that standard deviation within bounds."""
    low, high = value - _SIGMAS * spread, value + _SIGMAS * spread
    return Range(value, max(low, least), min(high, most))


@cache
def entropy_moments(n: int) -> tuple[float, float]:
    """Mean and standard deviation of the entropy of n random bytes, in bits a byte.

    With c of the bytes at a value, H = 8 - sum over values of (c/n) log2(256 c/n).  The sum of the
    c is n, so c/n - 1/256 may be subtracted within the sum, which leaves terms g(c) >= 0 that
    nearly vanish at n/256; their moments are summed over the binomial distribution of c.  For
    large n the mean is 8 - 255 / (2 n ln 2) (G. A. Miller, 1955) and the deviation
    sqrt(510) / (2 n ln 2).  The c of two values are slightly correlated, only through their fixed
    sum; this gives 256/255 of the variance of independent terms, exact for large n.
    """
    c, probability = _binomial(n)
    share = c / n
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(c > 0, share * np.log2(256 * share), 0.0)
    terms -= (share - 1 / 256) / math.log(2)
    mean = float(probability @ terms)
    variance = float(probability @ (terms - mean) ** 2)
    return 8 - 256 * mean, math.sqrt(256 * variance * 256 / 255)


def _binomial(n: int) -> tuple[Floats, Floats]:
    """Likely counts of one value among n random bytes, and their probability."""
    mean = n / 256
    reach = 12 * math.sqrt(mean) + 40
    c = np.arange(max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach)) + 1)
    ratios = (n - c[:-1]) / (c[1:] * 255.0)
    logs = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
    weights = np.exp(logs - logs.max())
    return c.astype(np.float64), weights / weights.sum()


def entropy(n: int, planes: int = 1) -> Range:
    """Expected mean over planes of n random bytes each."""
    mean, spread = entropy_moments(n)
    if n < LEAST_BYTES:
        return Range(mean, why=_too_small(LEAST_BYTES))
    return around(mean, spread / math.sqrt(planes), 0.0, 8.0)


def local_entropy(tiles: int) -> Range:
    """Expected mean over that many tiles of random bytes."""
    if not tiles:
        return Range(None, why=f"no tile of {TILE}x{TILE} pixels fits into the picture")
    mean, spread = entropy_moments(TILE * TILE)
    return around(mean, spread / math.sqrt(tiles), 0.0, 8.0)


def chi_square(n: int, planes: int = 1) -> Range:
    """Expected sum over planes of n random bytes each: 255 degrees of freedom a plane.

    The mean is 255 and the variance 510 (1 - 1/n) a plane; the range is that of E. B. Wilson and
    M. M. Hilferty, 1931: the cube root of chi-square over its degrees is nearly normal.
    """
    degrees = 255 * planes
    if n < LEAST_FOR_CHI_SQUARE:
        return Range(degrees, why=_too_small(LEAST_FOR_CHI_SQUARE))
    part = 2 / (9 * degrees)
    low, high = (degrees * (1 - part + side * _SIGMAS * math.sqrt(part)) ** 3 for side in (-1, 1))
    return Range(degrees, low, high)


def p_value(n: int) -> Range:
    """Expected p-value of chi-square: uniform from 0 to 1."""
    if n < LEAST_FOR_CHI_SQUARE:
        return Range(None, why=_too_small(LEAST_FOR_CHI_SQUARE))
    return Range(0.5, OUTSIDE / 2, 1 - OUTSIDE / 2)


def correlation(pairs: int, planes: int = 1) -> Range:
    """Expected mean over planes with so many pairs each: 0, standard deviation 1/sqrt(pairs)."""
    if pairs < 2:
        return Range(None, why="two pairs of neighbours at least are needed")
    if pairs < LEAST_BYTES:
        return Range(0.0, why=_too_small(LEAST_BYTES, "pairs of neighbours"))
    return around(0.0, 1 / math.sqrt(pairs * planes), -1.0, 1.0)


def npcr(redrawn: int, flipped: int, size: int) -> Range:
    """Expected percentage of differing bytes, if some are redrawn and some flip one bit."""
    part = 100 / size
    if not redrawn:
        return exactly(flipped * part)
    value = (redrawn * CHANGED + flipped) * part
    if redrawn > _COUNTED:
        spread = math.sqrt(redrawn * CHANGED * (1 - CHANGED)) * part
        return around(value, spread, 0.0, 100.0)
    equal = binomial_least(redrawn, 1 - CHANGED, OUTSIDE / 2)
    most = binomial_most(redrawn, 1 - CHANGED, OUTSIDE / 2)
    changed = redrawn + flipped
    return Range(value, (changed - most) * part, (changed - equal) * part)


def uaci(redrawn: int, flips: tuple[int, ...], size: int) -> Range:
    """Expected mean difference of `size` bytes, in percent of full scale.

    `flips` are the values of the bits that flip, 1 to 128: a flipped bit moves its byte by just
    that much, whatever the rest of the byte.
    """
    part = 100 / (255 * size)
    fixed = sum(flips)
    if not redrawn:
        return exactly(fixed * part)
    spread = math.sqrt(redrawn * (_APART_SQUARED - APART**2))
    most = (255 * redrawn + fixed) * part
    return around((redrawn * APART + fixed) * part, spread * part, fixed * part, most)


def _too_small(least: int, what: str = "pixels") -> str:
    return f"fewer than {least} {what} are too few for it"
