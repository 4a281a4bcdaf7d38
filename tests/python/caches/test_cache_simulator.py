# SPDX-License-Identifier: MIT
"""The cache simulator against valgrind's cachegrind, against a plain reference, and by itself."""

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from few import slow_but
from hypothesis import given, settings
from hypothesis import strategies as st

from aesfit._native import CacheSimulator
from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

FETCH, LOAD, STORE = range(3)
HERE = Path(__file__).resolve().parent


def packed(records: list[tuple[int, int, int]]) -> bytes:
    """Records of (address, size, kind)."""
    return b"".join(struct.pack("<IHH", *record) for record in records)


def loads(*addresses: int) -> bytes:
    return packed([(address, 1, LOAD) for address in addresses])


# --- against cachegrind: least recently used, stores allocate

GEOMETRIES = [
    (256, 16, 1), (256, 16, 2), (512, 32, 4), (1024, 16, 4), (1024, 32, 1), (1024, 64, 8),
    (2048, 16, 2), (2048, 32, 64), (4096, 16, 1), (4096, 64, 64), (8192, 32, 4), (16384, 16, 4),
    (16384, 32, 64),
]  # fmt: skip
"""No way is larger than a page: which page the stack gets differs from run to run."""
LINE = re.compile(r"^(I | L| S| M) ([0-9a-f]+),(\d+)$", re.MULTILINE)
KINDS = {"I ": FETCH, " L": LOAD, " S": STORE, " M": LOAD}
"""Cachegrind counts a modification, a load and a store at once, as one load."""


@dataclass(frozen=True)
class Traced:
    program: Path
    records: bytes


@pytest.fixture(scope="module", params=slow_but(["ttable4"], ["ttable4", "transposed"]))
def traced(request: pytest.FixtureRequest) -> Traced:
    """A program that encrypts with one core, and all of its accesses by valgrind's lackey.

    The core with the most tables; another one with a single table too if slow.
    """
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed: apt-get install valgrind")
    job = Job(platform_named("i686"), request.param, 128, "encrypt-block")
    sources = [HERE / "cachegrind_burst.c", build.FIRMWARE / "memory.c"]
    program = build.compile_unit(job, sources, ["-static", "-nostdlib", "-fno-whole-program"])
    done = valgrind(program, "lackey", "--trace-mem=yes")
    records = [
        (int(address, 16), int(size), KINDS[kind]) for kind, address, size in LINE.findall(done)
    ]
    return Traced(program, packed(records))


def valgrind(program: Path, tool: str, *options: str) -> str:
    """What valgrind says; the environment is empty, so that the stack begins alike in its page."""
    command = ["valgrind", f"--tool={tool}", *options, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={})
    return done.stderr


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda one: "-".join(map(str, one)))
def test_agrees_with_cachegrind(
    traced: Traced, geometry: tuple[int, int, int], tmp_path: Path
) -> None:
    size, line, ways = geometry
    asked = f"{size},{ways},{line}"
    out = tmp_path / "out"
    valgrind(
        traced.program, "cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={out}",
        f"--D1={asked}", f"--I1={asked}", f"--LL={1 << 20},8,{line}",
    )  # fmt: skip
    summary = re.search(r"^summary: (.*)$", out.read_text(), re.MULTILINE)
    assert summary is not None
    ir, i1mr, _, dr, d1mr, _, dw, d1mw, _ = map(int, summary[1].split())
    instructions, data = CacheSimulator(size, line, ways), CacheSimulator(size, line, ways)
    fetched, unfetched, _ = instructions.run(traced.records, 1 << FETCH)
    asked_for, missed, _ = data.run(traced.records, 1 << LOAD | 1 << STORE)
    assert fetched[FETCH] == ir > 100_000
    assert (asked_for[LOAD], asked_for[STORE]) == (dr, dw)
    assert unfetched[FETCH] == i1mr
    assert (missed[LOAD], missed[STORE]) == (d1mr, d1mw)


# --- against a plain reference

SPLITMIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


class Reference:
    """The same cache, in the plainest way: a list of lines for each set, newest first."""

    def __init__(self, size: int, line: int, ways: int, replacement: str, seed: int) -> None:
        self.line, self.ways, self.replacement, self.state = line, ways, replacement, seed
        self.sets: list[list[int]] = [[] for _ in range(size // line // ways)]

    def below(self, bound: int) -> int:
        self.state = (self.state + SPLITMIX[0]) % 2**64
        mixed = (self.state ^ self.state >> 30) * SPLITMIX[1] % 2**64
        mixed = (mixed ^ mixed >> 27) * SPLITMIX[2] % 2**64
        return ((mixed ^ mixed >> 31) >> 32) * bound >> 32

    def has(self, line: int) -> bool:
        lines = self.sets[line % len(self.sets)]
        hit = line in lines
        if self.replacement == "random":
            if not hit and len(lines) < self.ways:
                lines.append(line)
            elif not hit:
                lines[self.below(self.ways)] = line
        elif not hit or self.replacement == "lru":
            lines[:] = [line, *(one for one in lines if one != line)][: self.ways]
        return hit

    def misses(self, address: int, size: int) -> int:
        """Lines of the access that were absent."""
        last = (address + max(1, size) - 1) // self.line
        return sum(not self.has(line) for line in range(address // self.line, last + 1))


records_of = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from([0, 1, 2, 4, 8, 40]), st.integers(0, 3)),
    max_size=300,
)


@settings(max_examples=150)
@given(
    records=records_of,
    line=st.sampled_from([4, 16, 32]),
    ways=st.sampled_from([1, 2, 3, 4]),
    sets=st.sampled_from([1, 2, 8]),
    replacement=st.sampled_from(["lru", "fifo", "random"]),
    seed=st.integers(0, 2**64 - 1),
    cut=st.integers(0, 300),
)
def test_agrees_with_the_reference(
    records: list[tuple[int, int, int]],
    line: int, ways: int, sets: int, replacement: str, seed: int, cut: int,
) -> None:  # fmt: skip
    cut = min(cut, len(records))
    cache = CacheSimulator(line * ways * sets, line, ways, replacement, seed)
    plain = Reference(line * ways * sets, line, ways, replacement, seed)
    accesses, misses, chunks = cache.run(packed(records), 0b1111, [cut])
    filled = [plain.misses(address, size) for address, size, _ in records]
    assert chunks == (sum(filled[:cut]), sum(filled[cut:]))
    for kind in range(4):
        mine = [one for one, record in zip(filled, records, strict=True) if record[2] == kind]
        assert accesses[kind] == len(mine)
        assert misses[kind] == sum(one > 0 for one in mine)
    held = sorted(one * line for lines in plain.sets for one in lines)
    assert cache.contents() == held


# --- by itself


def test_larger_caches_of_the_same_sets_never_miss_more() -> None:
    """The inclusion of least recently used, way by way."""
    drawn = Reference(64, 16, 4, "random", 3)
    records = loads(*(drawn.below(8192) for _ in range(5000)))
    found = [
        CacheSimulator(16 * 16 * ways, 16, ways).run(records)[1][LOAD] for ways in (1, 2, 4, 8, 16)
    ]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


def test_the_other_kinds_are_skipped() -> None:
    cache = CacheSimulator(256, 16, 4)
    records = packed([(0, 4, FETCH), (64, 4, LOAD), (128, 4, STORE), (192, 4, 3)])
    assert cache.run(records, 0b0100) == ((0, 0, 1, 0), (0, 0, 1, 0), (1,))
    assert cache.contents() == [128]


def test_a_store_allocates_unless_told_otherwise() -> None:
    records = packed([(0, 4, STORE), (0, 4, STORE), (0, 4, LOAD), (0, 4, STORE)])
    assert CacheSimulator(64, 16, 4).run(records)[1:] == ((0, 0, 1, 0), (1,))
    past = CacheSimulator(64, 16, 4, write_allocate=False)
    assert past.run(records)[1:] == ((0, 1, 2, 0), (1,))


def test_evicted_lines_are_the_newest() -> None:
    cache = CacheSimulator(64, 16, 4)
    cache.run(loads(0, 16, 32, 48))
    cache.evict(0.5, 1)
    kept = cache.contents()
    assert len(kept) == 2
    cache.run(loads(*(address for address in (0, 16, 32, 48) if address not in kept)))
    assert not set(kept) & set(cache.contents())


@pytest.mark.parametrize("replacement", ["lru", "fifo", "random"])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_the_share_is_met_exactly(replacement: str, share: float) -> None:
    cache = CacheSimulator(4096, 16, 4, replacement, 5)
    cache.run(loads(*range(0, 4096, 16)))
    cache.evict(share, 9)
    assert len(cache.contents()) == round(256 * (1 - share))


def test_disowned_lines_take_room_and_help_nobody() -> None:
    cache = CacheSimulator(64, 16, 4)
    cache.run(loads(0, 16, 32, 48))
    cache.disown(20, 20)
    assert cache.contents() == [0, 48]
    assert cache.run(loads(16, 0))[1][LOAD] == 2
    cache.flush()
    assert cache.contents() == []


def test_the_last_address_of_all_is_one_like_others() -> None:
    cache = CacheSimulator(64, 16, 1)
    assert cache.run(packed([(0xFFFF_FFFF, 1, LOAD), (0xFFFF_FFF0, 16, LOAD)]))[2] == (1,)
    assert cache.contents() == [0xFFFF_FFF0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((100, 24, 1), "line is 24 bytes; it must be a power of two"),
        ((96, 16, 2), "96 bytes in 2 ways of 16-byte lines do not make a power of two of sets"),
        ((16, 16, 2), "do not make a power of two of sets"),
        ((64, 16, 4, "mru"), "mru"),
    ],
)
def test_what_is_no_cache_is_refused(arguments: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        CacheSimulator(*arguments)


def test_what_is_no_trace_is_refused() -> None:
    cache = CacheSimulator(64, 16, 4)
    with pytest.raises(ValueError, match="records are 7 bytes; each takes 8"):
        cache.run(bytes(7))
    with pytest.raises(ValueError, match="starts"):
        cache.run(bytes(16), 15, [2, 1])
    with pytest.raises(ValueError, match="share must lie within 0 and 1"):
        cache.evict(float("nan"))
