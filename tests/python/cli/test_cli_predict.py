# SPDX-License-Identifier: MIT
"""`aesfit predict`: the published crossovers, the stable JSON, the picture, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["predict", *arguments])


def answer(*arguments: str) -> dict[str, Any]:
    result = asked("--platform", "lx-st200", "--json", *arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(("line", "penalty", "at"), [(16, 17, (45, 680)), (32, 21, (28, 420))])
def test_published_crossovers(line: int, penalty: int, at: tuple[int, int]) -> None:
    found = answer("--line", str(line))
    assert found["miss_penalty"] == penalty
    assert found["crossovers"] == [
        {"calls": at[0], "from": "transposed", "to": "ttable4"},
        {"calls": at[1], "from": "ttable4", "to": "ttable8"},
    ]
    assert found["best"] == [
        {"from": 1, "to": at[0] - 1, "core": "transposed"},
        {"from": at[0], "to": at[1] - 1, "core": "ttable4"},
        {"from": at[1], "to": 1024, "core": "ttable8"},
    ]


def test_json_has_the_stable_keys() -> None:
    found = answer("--calls-per-burst", "3:4")
    assert list(found)[4:] == [
        "platform",
        "line",
        "miss_penalty",
        "ways",
        "cache_bytes",
        "cores",
        "curve",
        "best",
        "crossovers",
    ]
    assert (found["platform"], found["ways"], found["cache_bytes"]) == ("lx-st200", 4, 16384)
    assert list(found["cores"]) == ["transposed", "ttable1", "ttable4", "ttable8"]
    assert found["cores"]["transposed"] == {
        "E": 416,
        "c": 1000,
        "tables": [{"name": "sbox", "bytes": 256, "lines": 16, "reads": 160}],
    }
    assert [(row["calls"], row["core"]) for row in found["curve"][:3]] == [
        (3, "transposed"),
        (4, "transposed"),
        (3, "ttable1"),
    ]
    assert found["curve"][0]["cycles_per_call"] == pytest.approx(416 + (1000 + 16 * 17) / 3)


def test_text_names_the_best_and_the_crossovers() -> None:
    result = asked("--platform", "lx-st200")
    assert result.exit_code == 0
    assert "from 45 calls on ttable4 takes no longer than transposed" in result.stdout
    assert "bursts of 680 to 1024 calls: ttable8" in result.stdout
    one = asked("--platform", "lx-st200", "--calls-per-burst", "1", "--core", "ttable1")
    assert "bursts of 1 call: ttable1" in one.stdout


def test_ccm_calls_the_cipher_twice() -> None:
    single, double = (
        answer("--calls-per-burst", "9"),
        answer("--calls-per-burst", "9", "--mode", "ccm"),
    )
    for core, facts in single["cores"].items():
        assert double["cores"][core]["E"] == 2 * facts["E"]
        for one, other in zip(facts["tables"], double["cores"][core]["tables"], strict=True):
            assert other["reads"] == 2 * one["reads"]


def test_packets_with_changing_keys() -> None:
    options = ("--mode", "ecb", "--packets", "16:3,48:1", "--calls-per-burst", "1:2")
    fresh = answer(*options, "--key-changes", "1")["cycles_per_packet"]
    seldom = answer(*options, "--key-changes", "10")["cycles_per_packet"]
    assert list(fresh.values()) == sorted(fresh.values())
    tables = 16 * 17  # one call reads all lines of the S-box but for a thousandth of one
    assert fresh["transposed"] == pytest.approx(1.5 * 416 + 1000 + tables, rel=1e-4)
    assert seldom["transposed"] == pytest.approx(1.5 * 416 + 100 + tables, rel=1e-4)
    text = asked("--platform", "lx-st200", *options, "--key-changes", "never").stdout
    assert "packets of 24 bytes on average, a new key never:" in text
    assert "packets: transposed" in text


def test_a_platform_is_measured_and_gives_its_own_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path))
    arguments = (
        "--platform",
        "arm920t",
        "--core",
        "ttable1,transposed",
        "--calls-per-burst",
        "1:2",
    )
    result = asked(*arguments, "--json")
    if result.exit_code == 1:  # no compiler or emulator here
        assert "install" in str(result.exception)
        return
    found = json.loads(result.stdout)
    assert (found["line"], found["ways"], found["cache_bytes"]) == (32, 64, 16384)
    tables = {one["name"]: one["reads"] for one in found["cores"]["ttable1"]["tables"]}
    assert tables == {"te": 144, "sbox": 16}
    assert found["cores"]["transposed"]["E"] > 500
    assert ", random, " in asked(*arguments).stdout
    assert ", fifo, " in asked(*arguments, "--replacement", "fifo").stdout


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_picture(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"curves{suffix}"
    assert asked("--platform", "lx-st200", "--plot", str(path)).exit_code == 0
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")
    if suffix == ".svg":
        for word in (b"transposed", b"ttable8", b">45<", b">680<"):
            assert word in content
    again = tmp_path / f"again{suffix}"
    asked("--platform", "lx-st200", "--plot", str(again))
    assert again.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--line", "24"), "a line of 24 bytes is no power of two"),
        (("--ways", "3"), "3 ways of lines of 16 bytes do not divide 16384 bytes"),
        (("--cache", "32"), "smaller than one set of 4 lines of 16 bytes"),
        (("--cache", "24K"), "384 sets cannot be indexed by address bits"),
        (("--cache", "0"), "a cache of 0 bytes is smaller than one set"),
        (("--icache", "3"), "a cache of 3 bytes is smaller than one set"),
        (("--miss-penalty", "-1"), "range x>=0"),
        (("--miss-penalty", "inf"), "a miss costs from 0 to 1,000,000 cycles, not inf"),
        (("--core", "fixslice"), "no E of core 'fixslice' is published for lx-st200"),
        (("--core", "nonesuch"), "there is no core 'nonesuch'"),
        (("--mode", "gcm"), "says nothing of GCM"),
        (("--calls-per-burst", "0:3"), "'0:3' is not a range of calls"),
        (("--calls-per-burst", "9:3"), "'9:3' is not a range of calls"),
        (("--evicted", "150%"), "'150%' is no share"),
        (("--replacement", "lfu"), "the nearest is 'lru'"),
        (("--miss-penalty", "3", "--critical-word-first"), "leave critical word first out"),
        (("--icache", "some"), "'some' is not a size"),
        (("--packets", "64"), "packets need a mode"),
        (("--mode", "cbc", "--packets", "64:x"), "'64:x' is not a packet size"),
        (("--key-changes", "4"), "give --packets too"),
        (("--key-changes", "some"), "neither 'never' nor a number"),
        (("--plot", "x.gif"), "must end in .png or .svg"),
    ],
)
def test_nonsense_is_refused(arguments: tuple[str, ...], said: str) -> None:
    result = asked("--platform", "lx-st200", *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "aesfit.cachemodel.versions.why_not", lambda _: "no compiler; install with: apt x"
    )
    result = asked("--platform", "arm920t", "--core", "ttable1")
    assert result.exit_code == 1
    assert str(result.exception) == "no compiler; install with: apt x"


def test_a_platform_without_a_cache_asks_for_one() -> None:
    result = asked("--platform", "cortex-m3")
    assert result.exit_code == 2
    told = " ".join(result.output.split())
    assert "give --cache, --line, --ways, --miss-penalty" in told


def test_keys_of_other_sizes() -> None:
    """More rounds take longer; what is published says nothing of them."""
    if (reason := why_not(platform_named("arm920t"))) is not None:
        pytest.skip(reason)

    def times(bits: int) -> float:
        words = ("--platform", "arm920t", "--core", "ttable1", "--calls-per-burst", "64", "--json")
        result = asked(*words, "--key-bits", str(bits))
        assert result.exit_code == 0, result.output
        return float(json.loads(result.stdout)["curve"][0]["cycles_per_call"])

    assert 1.2 < times(256) / times(128) < 1.5
    for platform, bits, told in (
        ("arm920t", "100", "'100' is not a key size"),
        ("lx-st200", "256", "keys of 128 bits alone"),
    ):
        result = asked("--platform", platform, "--key-bits", bits)
        assert result.exit_code == 2
        assert told in result.stderr


def test_block_names_the_block_cipher() -> None:
    named, plain = answer("--mode", "block"), answer()
    assert {**named, "question": None} == {**plain, "question": None}
