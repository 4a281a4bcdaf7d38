# SPDX-License-Identifier: MIT
"""The test of independence on reads that are drawn here, and lines with counted shares."""

from collections.abc import Callable

import numpy as np
import pytest

from aesfit.cachemodel.analytic import misses, stalls
from aesfit.cachemodel.layout import WeighedLookup, crowds, lines_in
from aesfit.cachemodel.question import Lookup, Region, Version
from aesfit.cachemodel.traced.independence import TableLines, check
from aesfit.cachemodel.traced.names import NamedBytes, Names
from aesfit.cachemodel.traced.sampling import Integers
from aesfit.cachemodel.traced.tables import Reads, TracedTable
from aesfit.caches.cache import Cache, Hierarchy, Penalty

AT, ENTRY, CALLS, EACH = 0x1000, 4, 256, 36
SITE = 0x8000 * 64
NAMES = Names(lambda address: f"code at {address:#x}", (NamedBytes("t", AT, 1024),), ())
CACHE = Cache(16384, 32, 4)
Draw = Callable[[np.random.Generator], Integers]


def table(draw: Draw, seed: int = 0, entry: int = ENTRY, at: int = AT) -> TracedTable:
    """A table of words whose indices a function draws for each call."""
    generator, reads = np.random.default_rng(seed), []
    for _ in range(CALLS):
        first = at + entry * draw(generator)
        reads.append(Reads(first, first + entry - 1, np.full(len(first), SITE)))
    return TracedTable(at, 256 * entry, tuple(reads))


def evenly(generator: np.random.Generator) -> Integers:
    return generator.integers(256, size=EACH)


def unevenly(generator: np.random.Generator) -> Integers:
    """Small indices come often, but independently."""
    return np.minimum(generator.geometric(0.03, size=EACH) - 1, 255)


def sticky(generator: np.random.Generator) -> Integers:
    """One read in eight stays where the one before was."""
    found = evenly(generator)
    for n in range(1, EACH):
        if generator.random() < 0.125:
            found[n] = found[n - 1]
    return found


def spread(generator: np.random.Generator) -> Integers:
    """Each line is read once, as in a permutation."""
    return 8 * generator.permutation(32)


def alternating(generator: np.random.Generator) -> Integers:
    """Halves of the table take turns."""
    return generator.integers(128, size=EACH) + 128 * (np.arange(EACH) % 2)


def again(generator: np.random.Generator) -> Integers:
    """The second half of a call reads what the first one read, at a lag beyond the tested ones."""
    return np.tile(generator.integers(256, size=EACH // 2), 2)


@pytest.mark.parametrize("draw", [evenly, unevenly])
def test_independent_reads_pass(draw: Draw) -> None:
    for seed in range(40):
        check([table(draw, seed)], 32, NAMES)


@pytest.mark.parametrize(
    ("draw", "lag"), [(sticky, "1"), (alternating, r"\d+")], ids=["sticky", "alternating"]
)
def test_dependent_reads_are_refused_with_instruction_and_lag(draw: Draw, lag: str) -> None:
    for seed in range(10):
        with pytest.raises(RuntimeError, match=f"table t .* at lag {lag} have .*code at 0x8000"):
            check([table(draw, seed)], 32, NAMES)


def test_reads_that_avoid_each_other_are_refused() -> None:
    """Two reads of such a call have no line in common."""
    with pytest.raises(RuntimeError, match=r"at lag \d+ have 0 lines in common where 0.0"):
        check([table(spread)], 32, NAMES)


def test_repeats_at_longer_lags_show_in_the_distinct_lines() -> None:
    with pytest.raises(
        RuntimeError, match=r"3[26] reads of a call touch 1\d.* distinct lines where 2"
    ):
        check([table(again)], 32, NAMES)


def test_shares_are_those_of_the_reads() -> None:
    """An entry that lies across two lines counts for both."""
    even = np.array(TableLines(table(evenly), 32).shares())
    assert even == pytest.approx(np.full(32, 1 / 32), rel=0.25)
    assert even.sum() == pytest.approx(1)
    across = np.array(TableLines(table(evenly, entry=16, at=AT + 24), 32).shares())
    assert len(across) == 129
    assert across.sum() == pytest.approx(1.5, rel=0.02)


def version(*lookups: Lookup, fixed: tuple[Region, ...] = ()) -> Version:
    return Version("v", 100.0, 0.0, lookups, fixed=fixed)


def weighed(address: int, shares: tuple[float, ...], reads: int = EACH) -> WeighedLookup:
    return WeighedLookup("t", 32 * len(shares), reads, address, line=32, shares=shares)


def test_even_shares_are_a_plain_table() -> None:
    calls = np.array([1.0, 2, 8, 64, 1000])
    plain = version(Lookup("t", 1024, EACH, AT))
    counted = version(weighed(AT, (1 / 32,) * 32))
    small = Cache(512, 32, 4)
    for cache in (CACHE, small):
        ours = stalls(counted, Hierarchy(cache, Penalty(10, 0)), calls)
        assert ours == pytest.approx(stalls(plain, Hierarchy(cache, Penalty(10, 0)), calls))


def test_tables_that_meet_in_a_line_use_it_together() -> None:
    """Two tables of 1.5 lines: three lines, of which each holds half of the second one."""
    share = 2 / 3, 1 / 3
    both = version(weighed(AT, share, 1), weighed(AT + 48, share[::-1], 1))
    assert lines_in(both.lookups, 32) == 3
    assert sum(one.size * one.sets for one in crowds(both, CACHE)) == 3
    found = misses(both, CACHE, np.array([1.0, 1000.0]), 1.0)
    assert found == pytest.approx([2 * (2 / 3) + 1 - (2 / 3) ** 2, 3])


def test_a_line_with_fixed_data_is_there_from_the_first_call_on() -> None:
    fixed = (Region(AT + 16, 16, moments=(0.5,)),)
    one = version(weighed(AT, (0.25, 0.75), 1), fixed=fixed)
    assert misses(one, CACHE, np.array([1.0]), 1.0) == pytest.approx([1.75])


def test_a_line_that_was_never_read_is_left_out() -> None:
    one = version(weighed(AT, (0.5, 0.0, 0.5)))
    assert misses(one, CACHE, np.array([1000.0]), 1.0) == pytest.approx([2])


def test_shares_are_of_lines_of_one_length() -> None:
    with pytest.raises(ValueError, match="are of lines of 32 bytes, not 16"):
        crowds(version(weighed(AT, (1.0,))), Cache(16384, 16, 4))
