# SPDX-License-Identifier: MIT
"""The inverse of the cache model: hidden caches found again, and what the times do not tell."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from aesfit.cachemodel import inverse
from aesfit.cachemodel.analytic import misses, totals
from aesfit.cachemodel.burst_times import parse_times
from aesfit.cachemodel.inverse import BurstTimes, Inferred, infer
from aesfit.cachemodel.question import Lookup, Version
from aesfit.cachemodel.simulate import fills
from aesfit.cachemodel.validation.blind import FIELDS, BlindTrial, blind
from aesfit.cachemodel.versions import versions
from aesfit.caches.cache import Cache, Hierarchy, Penalty
from aesfit.cli import app
from aesfit.measuring.trace import LOAD, RECORD, Span, Trace
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

CALLS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
TRIED = tuple(
    Cache(size, line, ways)
    for size in (2048, 4096, 16384)
    for line in (16, 32, 64)
    for ways in (1, 2, 4)
)
SMALL = Version("small", 900.0, 300.0, (Lookup("s", 256, 160, 0x1000),))
LARGE = Version("large", 700.0, 400.0, (Lookup("t", 4096, 144, 0x2000),))
PENALTY = 23.0
ARM = platform_named("arm9-cached")


def by_model(hidden: Cache, code: tuple[Version, ...] = (SMALL, LARGE)) -> list[BurstTimes]:
    hierarchy = Hierarchy(hidden, Penalty(PENALTY, 0.0))
    return [
        BurstTimes(one.core, CALLS, tuple(totals(one, hierarchy, CALLS).tolist()), (0.0,) * 10)
        for one in code
    ]


@cache
def traces(one: Version) -> list[Trace]:
    """Six bursts of reads at random places of the table."""
    (table,) = one.lookups
    start = table.address or 0
    made = []
    for seed in range(6):
        at = np.random.default_rng(seed).integers(0, table.size // 4, table.reads * CALLS[-1])
        records = b"".join(RECORD.pack(start + 4 * int(word), 4, LOAD) for word in at)
        starts = tuple(range(0, len(at), table.reads))
        made.append(Trace(records, starts, (Span("t", start, table.size),), ()))
    return made


def by_simulator(hidden: Cache, one: Version) -> BurstTimes:
    """The simulator shares nothing with the model."""
    rows = []
    for trace in traces(one):
        lost = fills(trace, hidden)
        rows.append([PENALTY * lost[n] + n * one.cycles_per_call + one.overhead for n in CALLS])
    times = np.array(rows)
    errors = times.std(axis=0, ddof=1) / len(times) ** 0.5
    return BurstTimes(one.core, CALLS, tuple(times.mean(axis=0)), tuple(errors))


def holds(found: Inferred, hidden: Cache) -> list[bool]:
    low, high = found.penalty
    fields = [getattr(hidden, name) in found.values(name) for name in ("line", "size", "ways")]
    return [*fields, low <= PENALTY <= high]


@pytest.mark.parametrize("known", [False, True])
def test_the_model_inverts_itself(known: bool) -> None:
    """Times by the model: the true cache is among the best fits, with its penalty."""
    for hidden in TRIED[::5]:
        found = infer(by_model(hidden), (SMALL, LARGE), TRIED, known_cycles=known)
        assert all(holds(found, hidden)), hidden
        best = [one for one in found.fits if one.misfit < found.fits[0].misfit + 1e-6]
        assert hidden in [one.cache for one in best]
        assert best[0].penalty == pytest.approx(PENALTY, rel=1e-4)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("hidden", [Cache(16384, 32, 4), Cache(2048, 16, 2), Cache(4096, 64, 1)])
def test_blind_by_the_simulator(hidden: Cache, known: bool) -> None:
    times = [by_simulator(hidden, one) for one in (SMALL, LARGE)]
    found = infer(times, (SMALL, LARGE), TRIED, known_cycles=known)
    assert all(holds(found, hidden))
    if known and hidden.line < 64:
        assert len(found.fits) <= 6


def test_a_cache_that_holds_all_does_not_tell_its_ways() -> None:
    found = infer(by_model(Cache(16384, 32, 4)), (SMALL, LARGE), TRIED, known_cycles=True)
    assert not found.told("ways")
    assert found.values("size") == (4096, 16384)
    assert found.values("line") == (32,)
    assert list(found.by_line) == [32]
    assert found.by_line[32].penalty == found.penalty


def test_times_without_misses_tell_nothing() -> None:
    flat = [BurstTimes("large", CALLS, tuple(400.0 + 700 * n for n in CALLS), (0.0,) * 10)]
    found = infer(flat, (LARGE,), TRIED)
    assert found.penalty[0] == 0
    assert not any(found.told(name) for name in ("line", "size", "ways"))


def test_times_that_no_cache_explains_exclude_none() -> None:
    one = by_model(TRIED[0])[0]
    odd = replace(one, times=tuple(t * (1 + 0.3 * (n % 2)) for n, t in enumerate(one.times)))
    found = infer([odd], (SMALL,), TRIED)
    assert found.poor
    assert len(found.fits) == len(TRIED)


def test_a_model_of_other_lines_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: misses are computed for lines of twice the size."""

    def doubled(version: Version, cache: Cache, calls: tuple[int, ...]) -> np.ndarray:
        return misses(version, replace(cache, line=2 * cache.line), np.array(calls, float), 1.0)

    monkeypatch.setattr(inverse, "_misses", doubled)
    hidden = Cache(16384, 32, 4)
    assert not all(holds(infer(by_model(hidden), (SMALL, LARGE), TRIED), hidden))


def test_a_wrong_cycle_count_is_not_explained_by_misses() -> None:
    """Planted: E of both cores is 5 % below that of the machine."""
    times = by_model(Cache(4096, 32, 2))
    wrong = tuple(
        replace(one, cycles_per_call=0.95 * one.cycles_per_call) for one in (SMALL, LARGE)
    )
    assert infer(times, wrong, TRIED, known_cycles=True).poor
    assert not infer(times, wrong, TRIED).poor


def test_trials_count_what_is_not_contained() -> None:
    """Planted: another line, another penalty.  More ways than were tried count as the most."""
    hidden = Cache(4096, 32, 2)
    found = infer(by_model(hidden), (SMALL, LARGE), TRIED, known_cycles=True)
    trial = BlindTrial("none", hidden, PENALTY, found)
    assert all(map(trial.inside, FIELDS))
    assert not replace(trial, penalty=1.5 * PENALTY).inside("penalty")
    assert not replace(trial, cache=replace(hidden, line=64)).inside("line")
    most = replace(found, fits=(replace(found.fits[0], cache=Cache(4096, 32, 8)),))
    assert replace(trial, cache=Cache(4096, 32, 64), found=most).inside("ways")


@pytest.mark.skipif(why_not(ARM) is not None, reason=str(why_not(ARM)))
def test_a_platform_s_own_cache_is_found() -> None:
    """Times of emulated bursts, from 2 keys and texts of 2 cores."""
    tried = [
        Cache(size, line, ways) for size in (4096, 8192) for line in (16, 32) for ways in (1, 4)
    ]
    cores = ("transposed", "ttable1")
    (trial,) = blind(ARM, (), cores=cores, texts=2, tried=tried, known_cycles=True)
    assert trial.cache.size == 8192
    assert not trial.found.poor
    assert all(map(trial.inside, FIELDS))
    assert len(trial.found.fits) < len(tried)


def test_too_few_lengths_are_refused() -> None:
    short = BurstTimes("small", (1, 10, 100), (1.0, 2.0, 3.0), (0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="small has 3 lengths of bursts; nothing follows"):
        infer([short], (SMALL,), TRIED)


def test_repeats_become_means_and_errors() -> None:
    text = "time,core,calls,note\n10,a,2,x\n14,a,2,\n7,a,1,\n"
    assert parse_times(text, "t.csv") == [BurstTimes("a", (1, 2), (7.0, 12.0), (0.0, 2.0))]


def run(path: Path, *more: str) -> Result:
    arguments = ["predict", "infer", str(path), "--platform", "lx-st200", *more]
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column core, calls, time"),
        ("core,calls\nttable1,1\n", "no column time"),
        ("core,calls,time\n", "no rows of bursts"),
        ("core,calls,time\nttable1,0,5\n", "row 1: '0' is no number of calls"),
        ("core,calls,time\nttable1,1,nan\n", "row 1: 'nan' is no time"),
        ("core,calls,time\nttable1,1,-3\n", "row 1: '-3' is no time"),
        ("core,calls,time\nttable1,1,1e300\n", "row 1: '1e300' is no time"),
        (f"core,calls,time\n{'x' * 200_000},1,5\n", "is no CSV file"),
        ("core,calls,time\nnone,1,5\n", "none"),
        ("core,calls,time\nttable1,94,5\n", "1 length of bursts; nothing follows"),
    ],
)
def test_bad_tables_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    done = run(path)
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.split())
    assert done.stderr.count("Error:") == 1
    path.write_bytes(b"\xff\xfe\x00")
    assert run(path).exit_code == 2


def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The published coefficients of the Lx, with its penalty of 21 cycles for lines of 32 bytes."""
    monkeypatch.setattr(inverse, "shapes", lambda: TRIED)
    named = versions(platform_named("lx-st200"), ["transposed", "ttable4"])
    times = by_model(Cache(16384, 32, 4), tuple(named))
    rows = [f"{b.core},{n},{t}" for b in times for n, t in zip(b.calls, b.times, strict=True)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["core,calls,time", *rows]))
    done = run(path, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert {
        *("platform", "known_cycles", "misfit", "poor", "tried", "accepted", "miss_penalty"),
        *("line", "size", "ways", "replacement", "write_allocate", "by_line", "best"),
    } <= set(found)
    assert 32 in found["line"]["values"]
    low, high = found["miss_penalty"]
    assert low < PENALTY < high
    told = run(path)
    assert told.exit_code == 0
    assert "these times do not tell: ways" in " ".join(told.stdout.split())
    assert "16K+" in told.stdout
