# SPDX-License-Identifier: MIT
"""`aesfit predict validate`: statistics by hand, what is compared, and whether the aims hold."""

import json
import statistics
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

from aesfit.cachemodel.predict import BurstQuestion, predict, stretches
from aesfit.cachemodel.question import Lookup, Version
from aesfit.cachemodel.simulate import INSTRUCTIONS, fills
from aesfit.cachemodel.validation.compare import (
    AIMS,
    CALIBRATION,
    CALLS,
    GEOMETRIES,
    Place,
    ValidationPoint,
    compare,
    errors,
    grouped,
    kind_of,
    lengths,
    parse_geometry,
    span,
    worst,
)
from aesfit.cachemodel.validation.samples import Behind, SampledBursts, sample
from aesfit.cachemodel.validation.trial import Trial, trial
from aesfit.cachemodel.versions import hierarchy, versions
from aesfit.caches.cache import Cache
from aesfit.cli import app
from aesfit.cli.predict_validate import parse_lengths
from aesfit.measuring import bursts
from aesfit.measuring.trace import Trace
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not

PLACE = Place(Cache(16384, 32, 4))
VERSION = Version("made_up", 100.0, 50.0, (Lookup("t", 1024, 144),), fixed_bytes=200)
emulated = pytest.mark.skipif(
    why_not(platform_named("arm920t")) is not None, reason=str(why_not(platform_named("arm920t")))
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["predict", "validate", *arguments])


def made_up(calls: int, model: float, simulated: float, core: str = "made_up") -> ValidationPoint:
    """A point whose stalls are as given and whose ideal time is 1000 cycles in both."""
    return ValidationPoint(
        core, PLACE, "assumptions", calls, 1000 + model, 1000 + simulated, model, simulated, 2.0
    )


def test_points_compare_with_the_mean_over_texts() -> None:
    stalls = np.array([[10.0, 40.0], [14.0, 44.0], [18.0, 36.0]])
    points = compare(
        VERSION, PLACE, (3, 7), np.array([15.0, 39.0]), stalls, np.array([360.0, 740.0])
    )
    assert [one.calls for one in points] == [3, 7]
    assert [one.model for one in points] == [3 * 100 + 50 + 15, 7 * 100 + 50 + 39]
    assert [one.simulated for one in points] == [360 + 14, 740 + 40]
    for one, column in zip(points, stalls.T, strict=True):
        assert one.standard_error == pytest.approx(statistics.stdev(column) / 3**0.5)
        assert one.error == pytest.approx((one.model - one.simulated) / one.simulated)
    assert points[0].stall_error == pytest.approx(1 / 14)
    with pytest.raises(ValueError, match="2 keys and texts"):
        compare(VERSION, PLACE, (3, 7), stalls[0], stalls[:1], stalls[0])


def test_errors_are_means_and_maxima_without_signs() -> None:
    points = [made_up(1, 90, 100), made_up(2, 130, 100), made_up(3, 0, 0)]
    found = errors(points)
    assert found.points == 3
    assert found.mean == pytest.approx((10 / 1100 + 30 / 1100 + 0) / 3)
    assert found.max == pytest.approx(30 / 1100)
    assert found.mean_stall == pytest.approx(0.2)  # where nothing stalls there is no share
    assert found.max_stall == pytest.approx(0.3)
    assert found.mean_standard_error == pytest.approx(0.02)
    assert len(found.missed(AIMS["assumptions"])) == 3
    assert errors([made_up(1, 101, 100)]).missed(AIMS["assumptions"]) == []


def test_groups_hold_each_point_once() -> None:
    points = [made_up(n, 100 + n, 100, core) for n in (1, 5, 40, 300) for core in ("a", "b")]
    for by in (lambda one: one.core, span):
        assert sum(one.points for one in grouped(points, by).values()) == len(points)
    assert list(grouped(points, span)) == [
        "1 to 4 calls",
        "5 to 32 calls",
        "33 to 256 calls",
        "257 to 1023 calls",
    ]
    told = worst([made_up(1, 102, 100, "near"), made_up(1, 200, 100, "far")], 5)
    assert [name for name, _ in told] == ["far in 16K:4:32"]
    assert told[0][1][0] == "mean of stalls 100.0%, aim 3%"


def test_calibration_is_left_out() -> None:
    assert not set(CALLS) & set(CALIBRATION)
    found = lengths(range(1025))
    assert found == tuple(n for n in range(1025) if n not in (0, 512, 1024))


@pytest.mark.parametrize(
    ("cache", "evicted", "kind"),
    [
        (Cache(16384, 32, 4), 1.0, "assumptions"),
        (Cache(2048, 32, 4), 1.0, "assumptions"),
        (Cache(1024, 32, 4), 1.0, "extensions"),
        (Cache(16384, 32, 2), 1.0, "extensions"),
        (Cache(16384, 32, 4), 0.5, "extensions"),
        (Cache(16384, 32, 4, "random"), 1.0, "extensions"),
    ],
)
def test_kinds(cache: Cache, evicted: float, kind: str) -> None:
    assert kind_of(VERSION, Place(cache, evicted)) == kind


def test_geometries_are_read_back() -> None:
    for text in GEOMETRIES:
        assert str(Place(parse_geometry(text))) == text
    assert parse_geometry("8K:2:16:fifo") == Cache(8192, 16, 2, "fifo")
    assert parse_lengths("1:3,8") == (1, 2, 3, 8)


@emulated
def test_other_keys_and_texts_than_gave_the_coefficients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "alone"))  # samples are kept among builds
    drawn: list[int] = []
    real = bursts.trace

    def watched(platform: Platform, core: str, calls: int, *, secret: int) -> Trace:
        drawn.append(secret)
        return real(platform, core, calls, secret=secret)

    monkeypatch.setattr(bursts, "trace", watched)
    target = platform_named("arm920t")
    question = Trial(target, ("transposed",), (PLACE,), (1, 4), 3)
    first = trial(question)
    assert drawn == [1, 2, 3]
    assert trial(question) == first
    assert drawn == [1, 2, 3]  # kept
    texts = [real(target, "transposed", 4, secret=secret).records for secret in (0, *drawn)]
    assert len(set(texts)) == 4


@emulated
def test_samples_are_those_of_the_simulator() -> None:
    target = platform_named("arm920t")
    behind = (Behind(Cache(1024, 16, 2), 0.5), Behind(Cache(4096, 32, 4), instructions=True))
    found = sample(SampledBursts(target, "ttable1", behind, (2, 5, 9), (1, 2)))
    for row, secret in enumerate((1, 2)):
        seen = bursts.trace(target, "ttable1", 9, secret=secret)
        assert tuple(found.fills[behind[0]][row]) == fills(
            seen, behind[0].cache, evicted=0.5, seed=secret
        )
        assert tuple(found.fills[behind[1]][row]) == fills(
            seen, behind[1].cache, INSTRUCTIONS, seed=secret
        )
    assert list(found.ideal) == [
        bursts.ideal_cycles(target, "ttable1", calls, secret=1) for calls in (2, 5, 9)
    ]


@emulated
def test_aims_hold_on_three_cores() -> None:
    target = platform_named("arm920t")
    caches = [
        replace(parse_geometry(text), write_allocate=False) for text in ("16K:4:32", "4K:2:32")
    ]
    places = tuple(map(Place, caches))
    cores = ("transposed", "ttable1", "ttable4")
    points = trial(Trial(target, cores, places, (1, 2, 4, 16, 64, 300), 8))
    assert len(points) == 3 * 2 * 6
    kinds = grouped(points, lambda one: one.kind)
    assert set(kinds) == {"assumptions", "extensions"}
    assert kinds["assumptions"].missed(AIMS["assumptions"]) == []
    assert kinds["extensions"].missed(AIMS["extensions"]) == []
    assert all(one.simulated > one.simulated_stalls > 0 for one in points)


@emulated
def test_json_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "validate.svg"
    arguments = (
        "--platform", "arm9-cached", "--core", "transposed", "--geometries", "8K:4:32,2K:1:16",
        "--calls-per-burst", "1:8,512", "--evicted", "100%,25%", "--texts", "2",
    )  # fmt: skip
    result = asked(*arguments, "--json", "--plot", str(picture))
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    keys = {"points", "mean_error", "max_error", "mean_stall_error", "max_stall_error"}
    assert keys <= set(found)
    assert len(found["points"]) == 2 * 2 * 8  # 512 gave the coefficients
    shares = [abs(one["stall_error"]) for one in found["points"]]
    assert found["mean_stall_error"] == pytest.approx(statistics.fmean(shares))
    assert found["max_stall_error"] == max(shares)
    whole = [abs(one["error"]) for one in found["points"]]
    assert found["mean_error"] == pytest.approx(statistics.fmean(whole))
    assert found["max_error"] == max(whole)
    assert {one["evicted"] for one in found["points"]} == {1.0, 0.25}
    assert picture.read_bytes().startswith(b"<?xml")
    text = asked(*arguments)
    assert "where the paper's assumptions hold: stalls" in text.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--platform", "cortex-m3"), "cortex-m3 has no data cache"),
        (("--platform", "lx-st200"), "nothing runs on lx-st200"),
        (("--platform", "arm920t", "--geometries", "16K"), "SIZE:WAYS:LINE"),
        (("--platform", "arm920t", "--geometries", "16K:4:32:lfu"), "lfu"),
        (("--platform", "arm920t", "--geometries", "16K:3:32"), "do not divide"),
        (("--platform", "arm920t", "--calls-per-burst", "0:5"), "not a range of calls"),
        (("--platform", "arm920t", "--calls-per-burst", "512"), "gave the coefficients"),
        (("--platform", "arm920t", "--evicted", "101%"), "no share"),
        (("--platform", "arm920t", "--core", "nonsense"), "nonsense"),
    ],
)
def test_refusals(arguments: tuple[str, ...], told: str) -> None:
    result = asked(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.skipif(
    why_not(platform_named("hexagon")) is not None, reason=str(why_not(platform_named("hexagon")))
)
@pytest.mark.parametrize("line", [16, 32])
def test_crossovers_of_the_vliw_are_simulated_where_they_are_predicted(line: int) -> None:
    target = platform_named("hexagon")
    here = hierarchy(target, line=line)
    found = versions(target, ("transposed", "ttable1", "ttable4", "ttable8"))
    calls = np.arange(1, 451, dtype=np.float64)
    predicted = predict(BurstQuestion("hexagon", here, found, 1, 450)).best
    simulated = {}
    for one in found:
        question = SampledBursts(target, one.core, (Behind(here.data),), (1, 16, 450), (1, 2, 3, 4))
        samples = sample(question)
        lost = samples.fills[Behind(here.data)][:, 1:].mean(axis=0) * here.penalty.of(line)
        ideal = np.interp(calls, question.calls, samples.ideal)
        simulated[one.core] = (ideal + lost) / calls
    best = stretches(calls, simulated)
    assert len(best) > 2
    assert [one.core for one in best] == [one.core for one in predicted]
    for stretch, other in zip(best, predicted, strict=True):
        assert stretch.first == pytest.approx(other.first, abs=1)
