# SPDX-License-Identifier: MIT
"""The sweep file: its meaning, and mistakes reported with file and line."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT

from aesfit.cachemodel.versions import ranked_cores
from aesfit.caches.cache import Cache, Penalty
from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.sweep.point import SweepPoint
from aesfit.sweep.spec import Spec, read_spec

SWEEPS = ROOT / "sweeps"
MEASURED = '[[sweep]]\nmethod = "measured"\nplatforms = ["arm9tdmi"]\n'
MODEL = '[[sweep]]\nmethod = "model"\nplatforms = ["lx-st200"]\ncalls = [1, 64]\n'
NO_CACHE = '[[sweep]]\nmethod = "model"\nplatforms = ["arm9tdmi"]\ncalls = [1]\n'
GEOMETRY = "cache_sizes = [4096]\ncache_lines = [16]\ncache_ways = [1]\n"


@pytest.fixture
def spec_of(tmp_path: Path) -> "SpecOf":
    return SpecOf(tmp_path / "spec.toml")


class SpecOf:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, text: str) -> Spec:
        self.path.write_text(text, encoding="utf-8")
        return read_spec(self.path)


def test_measured_points_are_the_cross_product(spec_of: SpecOf) -> None:
    more = 'cores = ["mobile", "compact"]\nkey_bits = [128, 256]\nflags = ["-Os", "-O2 -g"]\n'
    points = spec_of(MEASURED + more + 'modes = ["ccm", "gcm"]\nbytes = [16, 64]\n').points
    assert len(points) == len({point.key for point in points}) == 2 * 2 * 2 * 2 * 2
    gcm = [point for point in points if point.mode == "gcm"]
    assert {point.ghash for point in gcm} == {"shift32"}
    assert points[0] == SweepPoint(
        "measured", "arm9tdmi", "mobile", 128, "encrypt", "ccm", 16, "-Os", None
    )


def test_what_is_left_out_is_the_platform_s(spec_of: SpecOf) -> None:
    platform = platform_named("arm9tdmi")
    points = spec_of(MEASURED).points
    assert [point.core for point in points] == ranked_cores(platform)
    assert {point.flags for point in points} == {" ".join(platform.compiler.optimise)}
    modelled = spec_of(MODEL).points
    assert {point.core for point in modelled} == {"transposed", "ttable1", "ttable4", "ttable8"}
    assert {point.cache for point in modelled} == {Cache(16384, 16, 4)}
    assert {point.penalty for point in modelled} == {Penalty(13.0, 0.25)}
    assert {point.calls for point in modelled} == {1, 64}
    assert {point.flags for point in modelled} == {None}
    assert {point.evicted for point in modelled} == {1.0}


def test_a_cache_keeps_what_the_platform_says_of_it(spec_of: SpecOf) -> None:
    arm920t = MODEL.replace("lx-st200", "arm920t") + 'cache_sizes = ["4K"]\n'
    assert {one.cache for one in spec_of(arm920t).points} == {
        Cache(4096, 32, 64, "random", write_allocate=False)
    }


def test_caches_and_bursts_are_the_cross_product(spec_of: SpecOf) -> None:
    points = spec_of(
        NO_CACHE.replace("[1]", '["1:3", 8]')
        + 'cache_sizes = ["4K", 8192]\ncache_lines = [16, 32]\ncache_ways = [1, 2, 4]\n'
        + 'replacements = ["lru", "fifo"]\nevicted = [0, 0.5, 1]\ncores = ["ttable1"]\n'
        + "penalties = [{ base = 10, per_byte = 0 }, { base = 6, per_byte = 0.5, "
        + "critical_word_first = true }]\n"
    ).points
    assert len(points) == 4 * 2 * 2 * 3 * 2 * 3 * 2
    assert {point.calls for point in points} == {1, 2, 3, 8}
    assert {point.penalty for point in points} == {Penalty(10.0, 0.0), Penalty(6.0, 0.5, True)}


def test_designs_that_come_twice_count_once(spec_of: SpecOf) -> None:
    assert len(spec_of(MODEL + MODEL.replace("[1, 64]", "[64, 65]")).points) == 3 * 4


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "there is no [[sweep]]"),
        ("sweeps = 1\n", 1, "the nearest is 'sweep'"),
        ("[[sweep]\n", 1, "not TOML"),
        ("[[sweep]]\n", 1, "lacks the key 'method'"),
        (MEASURED.replace("measured", "guessed"), 2, "measured, model, simulated"),
        ('[[sweep]]\nmethod = "model"\n', 1, "lacks the key 'platforms'"),
        (MEASURED.replace("arm9tdmi", "arm9tdmj"), 3, "the nearest is 'arm9tdmi'"),
        (MEASURED.replace('["arm9tdmi"]', '"arm9tdmi"'), 3, "must be a list of texts"),
        (MODEL.replace("64", '"1:9999999999"'), 4, "more than 5000000 numbers"),
        (MODEL.replace("64", "10000000000"), 4, "from 1 to 1000000000"),
        (MEASURED + "platform = 1\n", 4, "the nearest is 'platforms'"),
        (MEASURED + 'cores = ["ttable2"]\n', 4, "the nearest is 'ttable"),
        (MEASURED + "cores = []\n", 4, "must be a list"),
        (MEASURED + "key_bits = [129]\n", 4, "128, 192, 256"),
        (MEASURED + "key_bits = [true]\n", 4, "128, 192, 256"),
        (MEASURED + 'ops = ["encrypt"]\n', 4, "encrypt-block"),
        (MEASURED + 'modes = ["ccmm"]\n', 4, "the nearest is 'ccm'"),
        (MEASURED + 'modes = ["ccm"]\nbytes = [-1]\n', 5, "from 0 to 1000000000"),
        (MEASURED + "bytes = [16]\n", 4, "needs a mode"),
        (MEASURED + "flags = [2]\n", 4, "is no text"),
        (MEASURED + "calls = [1]\n", 4, "not for measured points"),
        (MODEL + 'modes = ["ccm"]\nbytes = [64]\n', 6, "'calls' are the blocks"),
        (MODEL + 'ops = ["key-setup-encrypt"]\n', 5, "encrypt-block"),
        (MODEL + 'cache_sizes = ["4Q"]\n', 5, "'4Q' is not a size"),
        (MODEL + "cache_sizes = [0]\n", 5, "is no size"),
        (MODEL + "cache_lines = [0]\n", 5, "from 1 to 1000000000"),
        (MODEL + 'replacements = ["plru"]\n', 5, "lru"),
        (MODEL + "evicted = [1.5]\n", 5, "numbers from 0 to 1"),
        (MODEL + "penalties = [17]\n", 5, "[[penalties]]"),
        (MODEL + "penalties = [{ base = 17 }]\n", 5, "{ base = cycles, per_byte = cycles }"),
        (MODEL + "penalties = [{ base = -1, per_byte = 0 }]\n", 5, "numbers from 0"),
        (MODEL.replace("[1, 64]", "[0]"), 4, "from 1 to 1000000000"),
        (MODEL.replace("[1, 64]", '["9:1"]'), 4, "'9:1'"),
        (MODEL.replace("calls = [1, 64]\n", ""), 1, "lacks the key 'calls'"),
        (NO_CACHE, 1, "arm9tdmi has no data cache of its own"),
        (NO_CACHE + GEOMETRY, 1, "the cost of a miss on arm9tdmi is not known"),
        (MODEL.replace("[1, 64]", '["1:9999999"]'), 4, "more than 5000000 numbers"),
    ],
)
def test_mistakes_are_told_with_file_and_line(
    spec_of: SpecOf, text: str, line: int, words: str
) -> None:
    with pytest.raises(ValueError, match=r"^\S+spec\.toml:\d+: ") as error:
        spec_of(text)
    assert str(error.value).startswith(f"{spec_of.path}:{line}: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_wrong_file_is_a_usage_error(spec_of: SpecOf) -> None:
    spec_of.path.write_text(MEASURED + "speed = 1\n", encoding="utf-8")
    output = spec_of.path.with_name("out.parquet")
    done = CliRunner().invoke(app, ["sweep", str(spec_of.path), "-o", str(output)])
    assert done.exit_code == 2
    assert "spec.toml:4: " in done.stderr.replace("\n", "").replace("│", "").replace(" " * 2, "")
    assert not output.exists()


@pytest.mark.parametrize("path", sorted(SWEEPS.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_right(path: Path) -> None:
    assert read_spec(path).points


def test_the_example_is_as_large_as_it_says() -> None:
    points = read_spec(SWEEPS / "example.toml").points
    assert sum(point.method == "model" for point in points) >= 10_000
    assert sum(point.method == "simulated" for point in points) >= 500
