# SPDX-License-Identifier: MIT
"""The model's extensions: small caches, few ways, replacement, streams, warm starts, code, packets.

The reference is a cache of lists below that reads tables at random, as the model assumes.
"""

import random
from dataclasses import replace

import numpy as np
import pytest

from aesfit.cachemodel.analytic import misses, totals
from aesfit.cachemodel.instructions import instruction_misses
from aesfit.cachemodel.layout import crowds
from aesfit.cachemodel.question import Lookup, Region, Version
from aesfit.cachemodel.traffic import Packets, cycles_per_packet, under_same_key
from aesfit.caches.cache import Cache, Hierarchy, Penalty, Replacement
from aesfit.units import parse_packets

TABLES = tuple(Lookup(f"te{n}", 1024, 36, 1024 * n) for n in range(4))
PLAIN = Version("plain", 300, 500, TABLES)
FULL = Version(
    "full",
    300,
    500,
    (*TABLES, Lookup("sbox", 256, 16, 4096, at_once=True)),
    stream_bytes=32,
    fixed=tuple(Region(8192 + 16 * n, 16, moments=(n / 11,)) for n in range(11)),
)
CALLS = np.array([1.0, 8.0, 60.0])


def counted(version: Version, cache: Cache, calls: int, seed: int) -> int:
    """Misses of a cold cache in one burst: tables at random, keys in turn, then streams."""
    rng = random.Random(seed)
    sets: list[list[int]] = [[] for _ in range(cache.sets)]
    missed = 0

    def touch(address: int) -> None:
        nonlocal missed
        line = address // cache.line
        held = sets[line % cache.sets]
        if line in held:
            if cache.replacement == "lru":
                held.remove(line)
                held.append(line)
            return
        missed += 1
        if len(held) == cache.ways:
            held.pop(rng.randrange(cache.ways) if cache.replacement == "random" else 0)
        held.append(line)

    def read(tables: list[Lookup], share: int) -> None:
        drawn = [table for table in tables for _ in range(table.reads // share)]
        rng.shuffle(drawn)
        for table in drawn:
            touch((table.address or 0) + rng.randrange(table.size))

    if cache.replacement == "random":  # what others left
        sets = [[-1 - way for way in range(cache.ways)] for _ in sets]
    for call in range(calls):
        for turn in range(9):
            for region in version.fixed[turn : turn + 1] if turn < 8 else version.fixed[8:]:
                touch(region.address)
            read([table for table in version.lookups if not table.at_once], 9)
        read([table for table in version.lookups if table.at_once], 1)
        for stream in range(version.stream_bytes // 16):
            # from another set each burst, as nothing is known of where they lie
            touch((1 << 20) + 16 * (call + 64 * seed) + stream * ((1 << 20) + 368))
    return missed


@pytest.mark.parametrize("replacement", ["lru", "fifo", "random"])
@pytest.mark.parametrize(
    ("size", "line", "ways"),
    [(16384, 16, 4), (8192, 32, 64), (4096, 16, 4), (4096, 32, 2), (2048, 16, 1), (1024, 32, 4)],
)
@pytest.mark.parametrize("version", [PLAIN, FULL], ids=["tables", "everything"])
def test_against_counting(
    version: Version, size: int, line: int, ways: int, replacement: Replacement
) -> None:
    """Within 4 % for LRU and 10 % for the mean field on average, twice that at worst."""
    cache = Cache(size, line, ways, replacement)
    found = misses(version, cache, CALLS, 1.0)
    wanted = [
        np.mean(
            [counted(version, cache, int(calls), seed) for seed in range(max(2, int(24 // calls)))]
        )
        for calls in CALLS
    ]
    errors = np.abs(found / wanted - 1)
    bound = 0.04 if replacement == "lru" else 0.10
    assert errors.mean() < bound, errors
    assert errors.max() < 2 * bound, errors


def test_replacement_is_alike_where_all_fits() -> None:
    caches = [Cache(16384, 16, 4, by) for by in ("lru", "fifo")]
    lru, fifo = (misses(PLAIN, cache, CALLS, 1.0) for cache in caches)
    assert lru == pytest.approx(fifo)
    warm = misses(PLAIN, Cache(16384, 16, 4, "random"), CALLS, 0.0)
    assert warm == pytest.approx(0 * CALLS, abs=1e-6)
    cold = misses(PLAIN, Cache(16384, 16, 4, "random"), np.array([1e4]), 1.0)
    later = misses(PLAIN, Cache(16384, 16, 4, "random"), np.array([2e4]), 1.0)
    assert later == pytest.approx(cold, rel=1e-3)


@pytest.mark.parametrize("replacement", ["lru", "fifo", "random"])
@pytest.mark.parametrize("size", [1024, 4096, 16384])
def test_more_evicted_is_never_fewer_misses(size: int, replacement: Replacement) -> None:
    cache = Cache(size, 16, 4, replacement)
    rows = [misses(FULL, cache, CALLS, share) for share in (0, 0.25, 0.5, 0.75, 1)]
    assert (np.diff(rows, axis=0) >= -1e-6).all()


@pytest.mark.parametrize("replacement", ["lru", "random"])
def test_more_ways_or_bytes_are_never_more_misses(replacement: Replacement) -> None:
    """LRU caches include smaller ones of as many sets; more sets spread contiguous data."""
    for one in (PLAIN, FULL):
        ways = [
            misses(one, Cache(64 * 16 * n, 16, n, replacement), CALLS, 1.0) for n in (1, 2, 4, 8)
        ]
        sets = [
            misses(one, Cache(16 * 4 * n, 16, 4, replacement), CALLS, 1.0) for n in (16, 64, 256)
        ]
        assert (np.diff(ways, axis=0) <= 1e-6).all()
        assert (np.diff(sets, axis=0) <= 1e-6).all()


def test_burst_of_nothing_and_long_bursts() -> None:
    cache = Cache(1024, 32, 2)
    assert misses(FULL, cache, np.array([0.0]), 1.0) == pytest.approx([0])
    lost = misses(FULL, cache, np.array([1e4, 2e4, 3e4]), 1.0)
    assert lost[2] - lost[1] == pytest.approx(lost[1] - lost[0], rel=1e-6)


def test_lines_of_a_table_that_is_not_aligned_are_shared_out() -> None:
    table = Version("t", 1, 0, (Lookup("t", 256, 100, 8),))
    cache = Cache(1024, 16, 4)
    assert sum(crowd.sets * crowd.size for crowd in crowds(table, cache)) == 17
    whole = misses(table, cache, np.array([1.0]), 1.0)
    wanted = 15 * (1 - (15 / 16) ** 100) + 2 * (1 - (31 / 32) ** 100)
    assert whole == pytest.approx([wanted])


def test_key_setup_loads_what_it_reads() -> None:
    table = Lookup("sbox", 256, 16)
    bare = Version("v", 1, 0, (table,))
    read = replace(bare, setup=(Lookup("sbox", 256, 40),))
    cache = Cache(16384, 16, 4)
    kept = (15 / 16) ** 40
    assert misses(read, cache, np.array([0.0, 1.0]), 1.0) == pytest.approx(
        [16 * (1 - kept), 16 * (1 - kept * (15 / 16) ** 16)]
    )


def test_stores_cost_nothing_without_write_allocation() -> None:
    version = Version("v", 1, 0, (), stream_bytes=32, stored_bytes=16)
    fills, passes = (
        misses(version, Cache(4096, 16, 4, "lru", allocate), np.array([10.0]), 1.0)
        for allocate in (True, False)
    )
    assert [*fills, *passes] == pytest.approx([20, 10])


def test_streams_fill_whole_lines() -> None:
    version = Version("v", 1, 0, (), stream_bytes=32)
    found = misses(version, Cache(4096, 64, 4), np.array([1.0, 4.0, 5.0]), 1.0)
    assert found == pytest.approx([2, 2, 4], rel=1e-3)


def test_instructions() -> None:
    cache, calls = Cache(1024, 32, 2), np.array([0.0, 1.0, 5.0])
    assert instruction_misses(1000, cache, 16, calls, 1.0) == pytest.approx([0, 32, 32])
    assert instruction_misses(1000, cache, 16, calls, 0.25) == pytest.approx([0, 8, 8])
    # 40 lines in 16 sets: 8 sets have 3 lines for 2 ways
    assert instruction_misses(1280, cache, 16, calls, 1.0) == pytest.approx([0, 40, 40 + 4 * 24])
    some = instruction_misses(1280, replace(cache, replacement="random"), 16, calls, 1.0)
    assert 40 < some[2] < 40 + 4 * 24
    version = Version("v", 1, 0, (), code_bytes=1000)
    hierarchy = Hierarchy(Cache(1024, 32, 2), Penalty(10, 0.5), cache)
    assert totals(version, hierarchy, [1]) == pytest.approx([1 + 32 * 26])


def test_packets() -> None:
    hierarchy = Hierarchy(Cache(16384, 16, 4), Penalty(17, 0))
    version = replace(FULL, setup=(Lookup("sbox", 256, 40, 4096),), setup_code_bytes=64)
    packets = Packets(parse_packets("16:3, 40"), per_key=4)
    same = under_same_key(version, 200)
    assert (same.overhead, same.setup, same.setup_code_bytes) == (300, (), 0)
    wanted = sum(
        fresh * share * float(totals(one, hierarchy, [blocks])[0])
        for fresh, one in ((0.25, version), (0.75, same))
        for blocks, share in ((1, 0.75), (3, 0.25))
    )
    assert cycles_per_packet(version, 200, hierarchy, packets) == pytest.approx(wanted)
    never = cycles_per_packet(version, 200, hierarchy, replace(packets, per_key=None))
    assert never < wanted
    assert packets.mean_bytes == pytest.approx((3 * 16 + 40) / 4)


@pytest.mark.parametrize("text", ["", "x", "0", "70000", "16:0", "16:-1", "16:nan", "16,,3"])
def test_wrong_packet_sizes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"packet"):
        parse_packets(text)
