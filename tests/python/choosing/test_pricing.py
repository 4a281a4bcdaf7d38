# SPDX-License-Identifier: MIT
"""`aesfit fit` on processors with caches: expected misses in the cycles, and their arithmetic."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import fakes
import numpy as np
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

from aesfit.cachemodel.analytic import misses, stalls
from aesfit.cachemodel.question import Lookup, Region, Version
from aesfit.caches.cache import Cache, Hierarchy, Penalty
from aesfit.choosing.explanation import crossover, parts
from aesfit.choosing.pricing import Costs, Modelled, with_misses
from aesfit.choosing.ranking import Candidate
from aesfit.choosing.request import Bursts, Request, calls_of
from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

HIERARCHY = Hierarchy(Cache(1024, 32, 2), Penalty(10, 0.5))
SMALL = Version(
    "small", 400, 50, (Lookup("s", 256, 160, 0),), fixed=(Region(4096, 300),), stream_bytes=32
)
LARGE = replace(SMALL, core="large", cycles_per_call=300, lookups=(Lookup("t", 1024, 144, 0),))
emulated = pytest.mark.skipif(
    why_not(platform_named("arm920t")) is not None, reason=str(why_not(platform_named("arm920t")))
)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Rows of this module, so that its tests measure a question once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AESFIT_CACHE", own_rows(tmp_path_factory.mktemp("pricing")))
        yield


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["fit", *arguments])


def told(*arguments: str) -> dict[str, Any]:
    result = asked("--platform", "arm9-cached", "--mode", "ctr", "--bytes", "256",
                   "--core", "transposed,ttable1", "--json", *arguments)  # fmt: skip
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_expected_misses_take_the_place_of_measured_ones() -> None:
    bursts = Bursts(8, 0.5)
    row = fakes.row(cycles=5000, stall_cycles=700, bytes=100)
    found = with_misses(row, Modelled(SMALL, HIERARCHY), bursts)
    expected = float(stalls(SMALL, HIERARCHY, [8], 0.5)[0]) / 8 * 7
    assert calls_of(100) == 7
    assert found.stall_cycles == round(expected)
    assert found.cycles == 4300 + round(expected)
    assert found.cycles_per_byte == found.cycles / 100
    setup = with_misses(replace(row, op="key-setup", bytes=0), Modelled(SMALL, HIERARCHY), bursts)
    assert (setup.cycles, setup.stall_cycles) == (4300, 0)


@pytest.mark.parametrize("version", [SMALL, LARGE])
def test_parts_add_up(version: Version) -> None:
    found = parts(Modelled(version, HIERARCHY), Bursts(20))
    whole = float(misses(version, HIERARCHY.data, np.array([20.0]), 1.0)[0])
    assert sum(one.misses for one in found) == pytest.approx(whole)
    table = found[0]
    assert (table.name, table.lines) == (version.lookups[0].table, version.lookups[0].size // 32)
    assert table.misses == pytest.approx(table.lines, rel=0.01)  # all are read in 20 calls


def test_crossover_is_where_the_curves_cross() -> None:
    roomy = replace(HIERARCHY, data=Cache(16384, 32, 4))

    def candidate(version: Version) -> Candidate:
        row = fakes.row(core=version.core, cycles=10 * version.cycles_per_call, stall_cycles=0)
        return Candidate(row, Costs(row.cycles, 0.0, Modelled(version, roomy)))

    def per_call(version: Version, calls: int) -> float:
        return version.cycles_per_call + float(stalls(version, roomy, [calls])[0]) / calls

    request = Request(fakes.PLATFORM, "ctr", 160, bursts=Bursts(1))
    text = crossover(request, candidate(SMALL), candidate(LARGE))
    found = re.fullmatch(
        r"the faster of these two: small in bursts of 1 to (\d+) calls, large in bursts of (\d+) "
        r"calls and more",
        text,
    )
    assert found
    last, first = map(int, found.groups())
    assert first == last + 1
    assert per_call(SMALL, last) < per_call(LARGE, last)
    assert per_call(LARGE, first) <= per_call(SMALL, first)


@emulated
def test_longer_bursts_cost_less_and_may_choose_another_core() -> None:
    short, long = (told("--calls-per-burst", str(n)) for n in (1, 4096))
    assert short["winner"]["core"] == "transposed"
    assert long["winner"]["core"] == "ttable1"
    for one in short["ranking"]:
        other = next(row for row in long["ranking"] if row["core"] == one["core"])
        assert one["cycles"] - one["stall_cycles"] == other["cycles"] - other["stall_cycles"]
        assert one["stall_cycles"] > other["stall_cycles"] > 0
    assert "cycles are expected cache misses in bursts of 1 call of 16 bytes" in short["sentence"]
    assert "explained" not in short
    warm = told("--calls-per-burst", "1", "--evicted", "10%")
    assert warm["winner"]["stall_cycles"] < short["winner"]["stall_cycles"]


@emulated
def test_explain_shows_the_arithmetic() -> None:
    found = told("--explain")
    text = "\n".join(found["explained"])
    for row in found["ranking"]:
        assert re.search(rf"^{row['core']}: E = [\d,.]+ cycles a call, c = [\d,]+ once", text, re.M)
        lost = f"{row['stall_cycles']:,}"
        assert f"without misses + {lost} = {row['cycles']:,}" in text
    assert "the faster of these two: " in found["explained"][-1]
    assert "te (32 lines, 144 reads a call)" in text
    assert "bursts of 16 calls" in found["sentence"]  # a message by default
