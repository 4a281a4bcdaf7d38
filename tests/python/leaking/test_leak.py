# SPDX-License-Identifier: MIT
"""Cores attacked on emulated timings, the model's numbers, and what is recorded."""

import json
from dataclasses import fields, replace
from functools import cache
from math import log2
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

from aesfit.cachemodel.leakage import PairGuesses, score_needed, timings_needed
from aesfit.cachemodel.question import Lookup, Version
from aesfit.cachemodel.versions import versions
from aesfit.caches.cache import Cache
from aesfit.cli import app
from aesfit.leaking import cost, known
from aesfit.leaking.conditions import COLD, CONDITIONS, HALF, WARM
from aesfit.leaking.cost import LeakCost, leak_cost, provenance
from aesfit.leaking.flash import FlashClock
from aesfit.leaking.identical import distinct_traces
from aesfit.leaking.lookups import lookups
from aesfit.leaking.victim import Clock, under, victim
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import counted
from aesfit.rigs import why_not

ARM = platform_named("arm920t")
pytestmark = pytest.mark.skipif(why_not(ARM) is not None, reason=str(why_not(ARM)))
CHIPS = ("stm32f407", "stm32f103")
"""A data cache of 8 lines before the flash; a read-ahead buffer alone."""
LAST = PairGuesses(("sbox",), 16, 256, fixed=False, kept=(4096,) * 15)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["leak", *arguments])


@cache
def given_away() -> LeakCost:
    """Two keys of ttable1, found out."""
    return leak_cost(ARM, "ttable1", keys=2, limit=1 << 13, conditions=[COLD])


def test_ttable1_gives_its_key_away_after_about_as_many_timings_as_the_model_says() -> None:
    found = given_away()
    (last,) = (one for one in found.collisions if one.round == "last")
    assert last.bits == 128
    assert last.timings is not None
    assert last.predicted is not None
    assert abs(log2(last.timings / last.predicted)) <= 1
    (first,) = (one for one in found.collisions if one.round == "first")
    assert first.timings is None
    assert first.each == ()
    assert "key recovered from about 2^1" in known.sentence(found.as_json()["collisions"])


@pytest.mark.parametrize(("core", "condition"), [("ttable4", COLD), ("ttable1", HALF)])
def test_the_model_knows_how_much_timings_vary(core: str, condition: object) -> None:
    assert condition in (COLD, HALF)
    clock = Clock(victim(ARM, core, 0), COLD if condition is COLD else HALF)
    measured = clock.first(4096).cycles.var() / clock.built.penalty.of(32) ** 2
    (version,) = versions(ARM, [core])
    saved = _saved(version, clock.built.data, condition)
    assert measured == pytest.approx(saved, rel=0.2)


def _saved(version: Version, cache: Cache, condition: object) -> float:
    """The variance behind the model's number of timings."""
    from aesfit.cachemodel.leakage import misses_saved

    evicted = 1.0 if condition is COLD else 0.5
    sbox = next(one for one in version.lookups if one.table == "sbox")
    score = score_needed(LAST) / misses_saved(sbox, cache.line, evicted)
    return timings_needed(version, cache, evicted, LAST) * (7 / 64) / score**2


def test_variance_of_look_ups_is_that_of_drawn_ones() -> None:
    cache = Cache(16384, 32, 4)
    version = Version("made_up", 100.0, 0.0, (Lookup("t", 1024, 36), Lookup("sbox", 256, 16)))
    draw = np.random.default_rng(5)
    lines = [np.sort(draw.integers(k, size=(40000, n)), axis=1) for k, n in ((32, 36), (8, 16))]
    distinct = sum(1 + (np.diff(one, axis=1) != 0).sum(axis=1) for one in lines)
    assert _saved(version, cache, COLD) == pytest.approx(np.var(distinct), rel=0.05)


def test_more_positions_and_fewer_values_need_less() -> None:
    assert score_needed(LAST) < score_needed(replace(LAST, positions=8, kept=(4096,) * 7))
    assert score_needed(LAST) < score_needed(replace(LAST, kept=(16,) * 15))
    few = PairGuesses(("te0",), 4, 32, fixed=True, kept=(4096,) * 3)
    assert score_needed(few) < score_needed(replace(few, tables=("te0", "te1", "te2", "te3")))


def test_look_ups_are_found_where_they_are() -> None:
    one = under(victim(ARM, "ttable4", 0), bytes(range(16)), "look-ups")
    seen = one.accesses()
    first, last = (lookups(seen, one.key, which) for which in ("first", "last"))
    names = [[found.table.name for found in some if found] for some in (first, last)]
    assert names == [[f"te{at % 4}" for at in range(16)], ["sbox"] * 16]
    assert lookups(seen, bytes([0x80] * 16), "first") == (None,) * 16


def test_fixslice_touches_the_same_addresses_whatever_key_and_text() -> None:
    found = leak_cost(ARM, "fixslice", inputs=64)
    assert (found.inputs, found.distinct, found.collisions) == (64, 1, ())
    assert distinct_traces(ARM, "ttable1", 8) == 8


def test_an_s_box_that_every_round_reads_is_not_broken() -> None:
    found = leak_cost(ARM, "sbox_columns", keys=1, limit=2048, conditions=[COLD])
    assert found.distinct > 1
    assert all(one.timings is None for one in found.collisions)
    assert known.sentence(found.as_json()["collisions"]) == ""


def test_timings_repeat_and_longer_rows_go_on() -> None:
    one, again = victim(ARM, "ttable1", 3), victim(ARM, "ttable1", 3)
    clock = Clock(again, HALF)
    clock.first(2048)
    assert (Clock(one, HALF).first(4096).cycles == clock.first(4096).cycles).all()


def test_buffers_of_a_flash_show_addresses_where_they_keep_lines() -> None:
    cached, read_ahead = (victim(platform_named(one), "ttable1", 0) for one in CHIPS)
    seen = [FlashClock(one).first(64).cycles for one in (cached, read_ahead)]
    assert len(set(seen[0])) > 16
    assert len(set(seen[1])) == 1


def test_correlation_needs_a_cache_that_is_left_alone() -> None:
    soft = counted(platform_named("vexriscv-cached"))
    found = leak_cost(soft, "ttable4", keys=1, limit=2048, conditions=[WARM])
    assert found.correlation is not None
    assert len(found.correlation.ranks) == len(found.correlation.bits) == 16


@pytest.mark.parametrize("path", known.FILES, ids=lambda one: one.stem)
def test_records_are_what_the_command_prints(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert list(found) == [one.name for one in fields(LeakCost)]
    told = sorted({one["condition"] for one in found["collisions"]})
    told += [found["correlation"]["condition"]] if found["correlation"] else []
    assert path.stem == "-".join((found["platform"], found["core"], *told))
    assert found["keys"] >= 20
    platform = counted(platform_named(found["platform"]))
    assert found["provenance"] == provenance(victim(platform, found["core"], 0))


@pytest.mark.slow
@pytest.mark.parametrize("path", known.FILES, ids=lambda one: one.stem)
def test_records_are_what_comes_out_today(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    told = {one["condition"] for one in found["collisions"]}
    told |= {found["correlation"]["condition"]} if found["correlation"] else set()
    again = leak_cost(
        counted(platform_named(found["platform"])),
        found["core"],
        keys=found["keys"],
        limit=found["limit"],
        inputs=found["inputs"] if not told else 2,
        conditions=[one for one in CONDITIONS if one.name in told] or None,
    ).as_json()
    again = json.loads(json.dumps(again))
    assert {**again, "inputs": 0, "distinct": 0} == {**found, "inputs": 0, "distinct": 0}


def test_what_is_not_recorded_costs_nothing_that_is_known() -> None:
    assert known.known_of("arm920t", "fixslice") == ""
    assert known.known_of("cortex-m3", "ttable1") == ""


def test_what_is_recorded_is_told_by_its_cost_or_as_no_difference() -> None:
    assert known.known_of("stm32f407", "ttable1").startswith("key recovered from about 2^12 tim")
    assert known.known_of("stm32f103", "ttable1") == "no difference in time found"
    assert known.known_of("vexriscv-cached-emulated", "ttable4") == ""  # it leaks 28 bits, no key


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--platform", "arm920t", "--core", "ttable1,ttable4"], "name one core"),
        (["--platform", "arm920t", "--core", "ttable9"], "ttable"),
        (["--platform", "arm920t", "--core", "ttable1", "--condition", "hot"], "'hot' is no"),
        (["--platform", "cortex-m3", "--core", "ttable1"], "neither a data cache"),
        (
            ["--platform", "stm32f407", "--core", "ttable1", "--condition", "cold"],
            "cold is not a condition of stm32f407; choose from: empty-buffers",
        ),
        (["--platform", "arm920t,rv32i", "--core", "ttable1"], "name one platform"),
        (["--platform", "x86-64", "--core", "ttable1"], "emulated"),
    ],
)
def test_wrong_questions(arguments: list[str], said: str) -> None:
    answer = asked(*arguments)
    assert answer.exit_code == 2
    assert said in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_command_prints_a_table_and_json(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ("--platform", "arm920t", "--core", "ttable1", "--keys", "1", "--condition", "cold")
    found, heard = given_away(), []

    def once(*asked: object, progress: object, **options: object) -> LeakCost:
        heard.append((asked, options))
        return found

    monkeypatch.setattr(cost, "leak_cost", once)
    table = asked(*question, "--timings", "4096")
    assert table.exit_code == 0
    assert "Key recovered from about 2^1" in table.stdout
    told = json.loads(asked(*question, "--timings", "4096", "--json").stdout)
    assert list(told)[4:] == [one.name for one in fields(LeakCost)]
    options = {"keys": 1, "limit": 4096, "inputs": cost.INPUTS, "conditions": [COLD]}
    assert heard == [((ARM, "ttable1"), options)] * 2
