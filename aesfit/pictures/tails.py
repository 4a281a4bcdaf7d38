# SPDX-License-Identifier: MIT
"""Tail probabilities of chi-square and binomial distributions, with the math module only."""

import math

_STEPS = 100_000
_SMALL = 1e-300
_PRECISE = 1e-15


def chi_square_p(value: float, degrees: int) -> float:
    """Probability that chi-square with so many degrees of freedom is `value` or more, 0 to 1.

    Q(degrees / 2, value / 2), the regularised upper incomplete gamma function: 1 - P by the series
    of DLMF 8.7.1 below a + 1, else the continued fraction of DLMF 8.9.2 by Lentz's method.
    """
    a, x = degrees / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if scale == 0.0:
        return 1.0 if x < a else 0.0
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """Sum of x^n / (a (a+1) .. (a+n))."""
    term = total = 1 / a
    for n in range(1, _STEPS):
        term *= x / (a + n)
        total += term
        if term < total * _PRECISE:
            return total
    raise ArithmeticError(f"the series of P({a}, {x}) does not converge")


def _fraction(a: float, x: float) -> float:
    """1 / (x+1-a - 1(1-a) / (x+3-a - 2(2-a) / (x+5-a - ...)))."""
    b = x + 1 - a
    c, d = 1 / _SMALL, 1 / b
    result = d
    for n in range(1, _STEPS):
        factor = -n * (n - a)
        b += 2
        d = factor * d + b
        d = 1 / (d if abs(d) > _SMALL else _SMALL)
        c = b + factor / c
        c = c if abs(c) > _SMALL else _SMALL
        result *= c * d
        if abs(c * d - 1) < _PRECISE:
            return result
    raise ArithmeticError(f"the fraction of Q({a}, {x}) does not converge")


def binomial_most(trials: int, p: float, tail: float) -> int:
    """The least m such that P(more than m of the trials succeed) is `tail` or less.

    It sums the probabilities of 0, 1, 2 ... successes, which suits small means.
    """
    below = 0.0
    for m in range(trials):
        below += math.exp(_log_binomial(trials, m, p))
        if 1 - below <= tail:
            return m
    return trials


def binomial_least(trials: int, p: float, tail: float) -> int:
    """The greatest m such that P(fewer than m of the trials succeed) is `tail` or less."""
    below = 0.0
    for m in range(trials + 1):
        below += math.exp(_log_binomial(trials, m, p))
        if below > tail:
            return m
    return trials


def _log_binomial(n: int, m: int, p: float) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1)
    return ways + m * math.log(p) + (n - m) * math.log1p(-p)
