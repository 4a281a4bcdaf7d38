# SPDX-License-Identifier: MIT
"""The published equations of the cache model, as repaired.

Source: Bertoni et al., "About the Performances of the Advanced Encryption Standard in Embedded
Systems with Cache Memory", section 4.  Reads of a table fall on its k lines with equal probability
and independently; a line once loaded stays.  The sum of equation 1 runs over t = 0 .. n - 1 here,
with n reads, so that it tends to k; docs/cache-model.md tells why.

`k` is a number of cache lines (it may be 1), `t` and `n` are numbers of reads of one table, and
`loaded` is x(0), the expected lines that are there at the start.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _kept(k: float, reads: ArrayLike) -> Floats:
    """((k - 1) / k) ** reads: the chance that these reads all passed one line by."""
    return np.power((k - 1.0) / k, np.asarray(reads, dtype=np.float64))


def blocks_loaded(k: float, t: ArrayLike, loaded: float = 0.0) -> Floats:
    """x(t), the solution of equation 4: expected lines of the table in the cache before read t."""
    return k - (k - loaded) * _kept(k, t)


def miss_probability(k: float, t: ArrayLike, loaded: float = 0.0) -> Floats:
    """p(t), equation 2: the chance that read t, counted from 0, misses."""
    return (k - loaded) / k * _kept(k, t)


def expected_misses(k: float, n: ArrayLike, loaded: float = 0.0) -> Floats:
    """f, the sum of p(t) over t = 0 .. n - 1 in closed form; it tends to k - loaded."""
    return (k - loaded) * (1.0 - _kept(k, n))


def cycles_per_call(total_512: float, total_1024: float) -> float:
    """E, equation 5: the slope of the time of a burst between 512 and 1024 calls."""
    return (total_1024 - total_512) / 512
