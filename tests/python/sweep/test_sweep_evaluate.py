# SPDX-License-Identifier: MIT
"""The figures of sweeps are those of measure, of the model and of the simulator."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("pyarrow")
pytest.importorskip("numpy")

from aesfit.building.build import why_not
from aesfit.cachemodel.analytic import Analytic
from aesfit.cachemodel.question import Burst
from aesfit.cachemodel.versions import hierarchy, versions
from aesfit.caches.cache import Cache, Penalty
from aesfit.cli import app
from aesfit.jobs.job import Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named
from aesfit.sweep.evaluate import EVALUATORS
from aesfit.sweep.point import SweepPoint

LX = platform_named("lx-st200")
ARM = platform_named("arm9-cached")
POINT = SweepPoint(
    *("model", "arm9-cached", "ttable1", 128, "encrypt-block"),
    flags="-O2",
    cache=Cache(2048, 16, 2),
    penalty=Penalty(20.0, 0.0),
    calls=16,
    evicted=0.5,
)
needs_compiler = pytest.mark.skipif(why_not(ARM) is not None, reason=str(why_not(ARM)))


def test_the_model_s_figures_are_the_model_s() -> None:
    points = [
        replace(POINT, platform="lx-st200", flags=None, cache=Cache(16384, line, 4), calls=calls)
        for line in (16, 32)
        for calls in (1, 1024)
    ]
    found = EVALUATORS["model"](LX, points)
    (version,) = versions(LX, ["ttable1"])
    for point, figures in zip(points, found, strict=True):
        assert point.cache is not None
        memory = hierarchy(LX, line=point.cache.line, penalty=20)
        (time,) = Analytic().times(version, memory, [Burst(point.calls or 0, 0.5)])
        assert figures["burst_cycles"] == time.total
        assert figures["stall_cycles"] == time.stalls
        assert figures["cycles"] == time.per_call
        assert "flash" not in figures


@needs_compiler
def test_sizes_are_those_that_measure_finds() -> None:
    (row,) = measure([POINT.job(ARM)])
    assert isinstance(row, Row)
    for method in ("model", "simulated"):
        (figures,) = EVALUATORS[method](ARM, [replace(POINT, method=method)])
        assert (figures["flash"], figures["ram"]) == (row.flash_bytes, row.ram_bytes)
    (measured,) = EVALUATORS["measured"](ARM, [POINT])
    assert (measured["cycles"], measured["flash"]) == (row.cycles, row.flash_bytes)


@needs_compiler
def test_flags_change_figures() -> None:
    points = [replace(POINT, flags=flags) for flags in ("-O2", "-Os")]
    fast, small = (EVALUATORS["model"](ARM, [point])[0] for point in points)
    assert fast["cycles"] < small["cycles"]
    assert fast["flash"] != small["flash"]


@needs_compiler
def test_a_simulated_point_hangs_on_no_other() -> None:
    points = [replace(POINT, method="simulated", calls=calls) for calls in (4, 16, 1024, 1500)]
    together = EVALUATORS["simulated"](ARM, points)
    assert [EVALUATORS["simulated"](ARM, [point])[0] for point in points] == together


@needs_compiler
def test_a_cache_that_cannot_be_fails_alone() -> None:
    points = [POINT, replace(POINT, cache=Cache(2048, 24, 2)), replace(POINT, calls=32)]
    for method in ("model", "simulated"):
        found = EVALUATORS[method](ARM, [replace(one, method=method) for one in points])
        assert [("error" in one) for one in found] == [False, True, False]
        assert "24" in found[1]["error"]


def test_the_command_fills_a_table_and_goes_on(tmp_path: Path) -> None:
    spec, output = tmp_path / "spec.toml", tmp_path / "out.parquet"
    spec.write_text(
        '[[sweep]]\nmethod = "model"\nplatforms = ["lx-st200"]\nkey_bits = [128, 192]\n'
        "calls = [1, 64]\n",
        encoding="utf-8",
    )
    arguments = ["sweep", str(spec), "-o", str(output), "--jobs", "1", "--json"]
    for kept, evaluated in ((0, 16), (16, 0)):
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, done.output
        summary = json.loads(done.stdout)
        assert (summary["points"], summary["failed"]) == (16, 8)
        assert (summary["kept"], summary["evaluated"]) == (kept, evaluated)
        (reason,) = summary["failures"]
        assert "128 bits alone" in reason
