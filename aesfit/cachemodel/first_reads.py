# SPDX-License-Identifier: MIT
"""How often the t-th read of a table touches a line not read before, from real traces.

That is p(t) of the cache model for a cache that holds everything, measured from the addresses of
many keys and texts instead of assumed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..jobs.job import Progress
from ..measuring import bursts
from ..measuring.trace import Trace
from ..platforms.platform import Platform
from .equations import Floats

RECORD = np.dtype([("address", "<u4"), ("size", "<u2"), ("kind", "<u2")])
"""Records as from Machine.records()."""


def first_reads(
    platform: Platform,
    core: str,
    tables: Sequence[str],
    line: int,
    reads: int,
    secrets: Sequence[int],
    progress: Progress = lambda done, total: None,
) -> Floats:
    """Share of all tables, keys and texts at which read t = 0 .. reads - 1 loads a line.

    Reads of key set-up do not count.  ValueError if a table is not read at all.
    """
    loaded = np.zeros(reads)
    calls = _calls(platform, core, tables, reads)
    for done, secret in enumerate(secrets, 1):
        seen = bursts.trace(platform, core, calls, secret=secret)
        for name in tables:
            lines = _addresses(seen, name)[:reads] // line
            loaded[np.unique(lines, return_index=True)[1]] += 1
        progress(done, len(secrets))
    return loaded / (len(secrets) * len(tables))


def _addresses(seen: Trace, table: str) -> NDArray[np.uint32]:
    """Addresses of the reads of one table by the calls of a burst, in order."""
    region = next(one for one in seen.tables if one.name == table)
    records = np.frombuffer(seen.records, RECORD)[seen.starts[0] :]
    at: NDArray[np.uint32] = records["address"]
    inside = (at >= region.start) & (at < region.start + region.size)
    read: NDArray[np.uint32] = at[inside & (records["kind"] == bursts.LOAD)]
    return read


def _calls(platform: Platform, core: str, tables: Sequence[str], reads: int) -> int:
    """Number of calls that suffice for that many reads of each table."""
    each = bursts.coefficients(platform, core).reads
    missing = [name for name in tables if not each.get(name)]
    if missing:
        raise ValueError(f"{core} on {platform.name} never reads {', '.join(missing)}")
    return max(-(-reads // each[name]) for name in tables)
