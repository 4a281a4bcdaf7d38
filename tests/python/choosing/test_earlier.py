# SPDX-License-Identifier: MIT
"""aesfit.fit over what is known: earlier answers used again, and answers that measure nothing."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import pretend
from stores import own_rows

import aesfit
from aesfit.atlas.look_up import AtlasRows, known
from aesfit.choosing import answered
from aesfit.choosing.answer import Answer
from aesfit.jobs.job import Job

PRETEND = "pretend.toml"
CORES = ("compact", "fixslice", "ttable1")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of the test's own, and a platform whose figures are a formula's."""
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    pretend(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def first() -> Answer:
    return asked()


def asked(**question: Any) -> Answer:  # noqa: ANN401 - of aesfit.fit
    return aesfit.fit(PRETEND, **{"cores": CORES, "mode": "ctr", **question})


def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many jobs are looked up from now on, question by question."""
    found: list[int] = []

    def counted(jobs: Sequence[Job]) -> AtlasRows:
        found.append(len(jobs))
        return known(jobs)

    monkeypatch.setattr(answered, "known", counted)
    return found


@pytest.mark.parametrize(
    "other",
    [
        {"max_flash_bytes": 3000},
        {"max_ram_bytes": 500, "timing": "any"},
        {"objective": "flash"},
        {"messages_per_key": 1},
        {"rate_bit_per_s": 1e6, "deadline": "9ms", "clock_hz": 8e6},
    ],
)
def test_an_earlier_answer_gives_its_rows_to_another_question(
    first: Answer, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    wanted = asked(**other)
    count = looked_up(monkeypatch)
    others = asked(mode="cbc")
    assert asked(**other, earlier=[others, first]) == wanted
    assert asked(**other, earlier=first, only_known=True) == wanted
    assert len(count) == 1, "for the other mode alone"


@pytest.mark.parametrize(
    "other",
    [
        {"mode": "cbc"},
        {"payload_bytes": 64},
        {"key_bits": 256},
        {"encrypt_only": True, "mode": "ccm"},
        {"cores": CORES[:2]},
        {"flags": "-Os"},
        {"flash_wait": 2},
        {"packets": {64: 1, 1504: 1}},
    ],
)
def test_rows_of_another_measurement_are_not_used(
    monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    first = asked(mode=other["mode"] if len(other) > 1 else "ctr")
    wanted = asked(**other)
    count = looked_up(monkeypatch)
    assert asked(**other, earlier=first) == wanted
    assert count


def test_an_answer_of_what_is_known_names_the_cores_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = asked(only_known=True)
    assert nothing.unmeasured == CORES
    assert nothing.choice.winner is None
    assert nothing.sentence.startswith("No figure of this question is in the atlas or stored")
    two = asked(cores=CORES[:2])
    monkeypatch.setattr(answered, "measure", lambda *_, **__: pytest.fail("it measures"))
    some = asked(only_known=True)
    assert some.unmeasured == (CORES[2],)
    assert some.as_json()["unmeasured"] == [CORES[2]]
    assert (some.choice, some.sentence) == (two.choice, two.sentence)


def test_an_incomplete_answer_is_not_used_for_a_whole_one() -> None:
    asked(cores=CORES[:2])
    some = asked(only_known=True)
    assert asked(earlier=some).unmeasured == ()
    assert asked(earlier=some, only_known=True).unmeasured == some.unmeasured


def test_of_a_mix_a_core_needs_every_size() -> None:
    mix = {64: 3, 1504: 1}
    asked(payload_bytes=64)
    asked(payload_bytes=1504, cores=CORES[1:])
    found = asked(packets=mix, only_known=True)
    assert found.unmeasured == CORES[:1]
    wanted = asked(packets=mix, cores=CORES[1:])
    assert replace(found.choice, request=wanted.choice.request) == wanted.choice


@pytest.mark.parametrize(
    "wrong",
    [
        {"fresh": True, "only_known": True},
        {"fresh": True, "earlier": ()},
        {"only_known": True, "hardware": True},
        {"only_known": True, "file": "pretend.toml"},
    ],
)
def test_what_would_measure_is_refused(first: Answer, wrong: dict[str, Any]) -> None:
    wrong = {**wrong, "earlier": first} if "earlier" in wrong else wrong
    with pytest.raises(ValueError, match=r"leave .* out"):
        asked(**wrong)
