# SPDX-License-Identifier: MIT
"""AES engines beside the best core."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fakes
import pytest
from click.testing import CliRunner
from stores import own_rows

import aesfit
from aesfit.choosing import engines
from aesfit.choosing.engines import crossings_told, faster_from
from aesfit.cli import app
from aesfit.platforms.engines import AesEngine, EngineChip, EngineFigure, EngineMessage
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

ROW_KEYS = [
    *("chip", "engine", "mode", "key_bits", "includes", "bytes", "engine_cycles", "core"),
    *("software_cycles", "faster", "engine_from_bytes", "source"),
]


@pytest.mark.parametrize(
    ("engine", "software", "start"),
    [
        ({16: 10, 64: 10}, {16: 11, 64: 30}, 16),  # at every length
        ({16: 40, 64: 40}, {16: 10, 64: 58}, 48),  # 10, 26, 42, 58: from the third block
        ({16: 42, 64: 42}, {16: 10, 64: 58}, 64),  # 42 at 48 bytes too: not faster there
        ({16: 40, 64: 40}, {16: 10, 64: 39}, None),
        ({16: 40, 64: 40}, {16: 10, 64: 40}, None),  # as many cycles are not fewer
        ({16: 5, 64: 90, 128: 20}, {16: 10, 64: 20, 128: 90}, 112),  # 55 and 55 at 96 bytes
        ({64: 1}, {64: 2}, 64),
        ({64: 2}, {64: 1}, None),
        ({64: 1}, {}, None),
        ({20: 9, 50: 9}, {20: 8, 50: 38}, 32),  # whole blocks between lengths that are none
    ],
)
def test_the_length_from_which_an_engine_is_faster(
    engine: Mapping[int, float], software: Mapping[int, float], start: int | None
) -> None:
    assert faster_from(engine, software) == start


CHIP = EngineChip(
    "X1",
    ("pretend",),
    "made up",
    (
        AesEngine(
            "AES",
            "ECB",
            "no CBC",
            "made up",
            (
                EngineFigure("ecb", 128, "engine", "", 1.0, (), "the manual"),
                EngineFigure("ccm", 128, "driver", "mine", None, (EngineMessage(64, 1e9),), "me"),
            ),
        ),
    ),
)


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A platform whose figures follow from a formula, with an engine."""
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))

    def chips(_platform: Platform) -> tuple[EngineChip, ...]:
        return (CHIP,)

    monkeypatch.setattr(engines, "engine_chips", chips)
    return fakes.pretend(tmp_path)


def fit(platform: str, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["fit", "--platform", platform, *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_rows_have_the_stable_keys_and_say_who_is_faster(pretend: str) -> None:
    told: dict[str, Any] = json.loads(fit(pretend, "--bytes", "64", "--hardware", "--json"))
    rows = told["hardware"]
    assert all(list(row) == ROW_KEYS for row in rows)
    assert [(row["mode"], row["bytes"]) for row in rows] == [
        *(("ecb", size) for size in engines.LENGTHS),
        ("ccm", 64),
    ]
    assert {row["core"] for row in rows} == {told["winner"]["core"]}
    assert [row["faster"] for row in rows] == ["engine", "engine", "engine", "core"]
    assert [row["engine_from_bytes"] for row in rows] == [16, 16, 16, None]
    assert [row["includes"] for row in rows] == ["engine"] * 3 + ["mine"]
    assert rows[-1]["software_cycles"] == told["winner"]["cycles"]  # the same message


def test_without_the_option_one_line_says_what_can_be_compared(pretend: str) -> None:
    plain = " ".join(fit(pretend, "--bytes", "64").split())
    assert "AES engines with published cycles: X1 (made up); --hardware compares them" in plain
    assert "hardware" not in json.loads(fit(pretend, "--bytes", "64", "--json"))


def test_a_sentence_says_where_an_engine_overtakes_the_core(pretend: str) -> None:
    answer = aesfit.fit(pretend, payload_bytes=64, hardware=True)
    alone, driven, limits = crossings_told(answer.hardware, answer.choice.request.platform)
    core = answer.hardware[0].core
    assert alone == (
        f"AES of X1 alone, without a driver, AES-128 in ecb: faster than {core} at each of 3 "
        "lengths from 16 bytes"
    )
    assert f"times those of {core} at 64 bytes, the one length that was published" in driven
    assert limits == "X1, AES: ECB; limits: no CBC (made up)"
    told = " ".join(fit(pretend, "--bytes", "64", "--hardware").split())
    assert alone in told
    assert limits in told


def test_an_engine_without_published_cycles_is_named() -> None:
    told = engines.engines_told(platform_named("samd51"))
    assert told == "AES engines of which no cycles are known: SAMD51 (the chip itself)"
    assert engines.engines_told(platform_named("stm32f103")) == ""


def test_where_no_engine_is_known_the_answer_stands_and_says_so(
    pretend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "engine_chips", lambda platform: ())
    plain = " ".join(fit(pretend, "--bytes", "64", "--hardware").split())
    assert "no cycles of an AES engine are known for pretend, so none is compared" in plain
    found = json.loads(fit(pretend, "--bytes", "64", "--hardware", "--json"))
    assert found["hardware"] == []
    assert found["winner"]


def test_an_engine_that_is_known_without_cycles_is_named() -> None:
    told = engines.none_compared(platform_named("samd51"))
    assert told.endswith("(AES engines of which no cycles are known: SAMD51 (the chip itself))")
    assert engines.none_compared(platform_named("nrf52840")) == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--platform", "nrf52840", "--hardware", "--clock", "sweep"], "name one clock with"),
        (
            ["--platform", "nrf52840", "--hardware", "--also", "a.o:f:key,in,out"],
            "compares a core of the library; leave --also out",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    arguments: list[str], sentence: str
) -> None:
    done = CliRunner().invoke(app, ["fit", *arguments])
    assert done.exit_code == 2
    assert sentence in " ".join(done.stderr.split())
