# SPDX-License-Identifier: MIT
"""Which cores nothing needs, and the hand-kept list of those that stay."""

import re
from pathlib import Path

import pytest
import small_atlas
from places import ROOT
from scripts import loaded

import aesfit
from aesfit.atlas.lines import SIZES
from aesfit.cachemodel.versions import OUTDONE
from aesfit.choosing.request import jobs
from aesfit.choosing.usual import MODES, usual_request
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platforms

needless_cores = loaded(ROOT / "tools" / "needless_cores.py")
Standing = needless_cores.Standing
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
SECTION = PAGE.split("### Cores that stay\n", 1)[1].split("\n### ", 1)[0]


def test_of_two_equal_cores_the_one_that_wins_less_goes() -> None:
    same = Standing((100, 50, 20), 2)
    asked = [{"a": same, "b": same}, {"b": same, "a": same}, {"b": same, "a": same}]
    assert needless_cores.needless(asked) == {"a": {"b": 3}}


@pytest.mark.parametrize(
    ("other", "goes"),
    [
        (Standing((105, 52.5, 21), 2), True),
        (Standing((106, 50, 20), 2), False),
        (Standing((100, 53, 20), 2), False),
        (Standing((100, 50, 22), 2), False),
        (Standing((10, 5, 2), 1), False),
    ],
)
def test_as_good_is_within_5_percent_and_as_safe(other: object, goes: bool) -> None:
    """The core asked about is better in the first question, and alone in no question."""
    asked = [{"asked": Standing((100, 50, 20), 2), "other": other}]
    assert (needless_cores.covers("asked", asked, {"asked", "other"}) is not None) == goes


def test_a_core_that_one_question_needs_stays() -> None:
    same, worse = Standing((100, 50, 20), 2), Standing((200, 50, 20), 2)
    asked = [{"a": same, "b": same}, {"a": same, "b": worse}, {"b": same, "c": worse}]
    assert needless_cores.needless(asked) == {"c": {"b": 1}}


def test_figures_are_read_from_the_atlas_whatever_their_keys(tmp_path: Path) -> None:
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    found = [one for one in needless_cores.questions(path) if one]
    assert len(found) == 3
    assert found[0] == dict.fromkeys(small_atlas.CORES, Standing((1000, 1924, 280), 0))


def test_the_list_names_each_core_of_the_product() -> None:
    (listed,) = re.findall(r"The product has these cores: (.*)\.\n", SECTION)
    product = [core.name for core in aesfit.cores() if not core.study]
    assert re.findall(r"`(\w+)`", listed) == product


@pytest.mark.slow  # seconds, for rows of the whole atlas
def test_each_core_that_nothing_needs_has_a_reason_to_stay() -> None:
    reasons = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", SECTION, re.MULTILINE))
    gone = needless_cores.needless([*needless_cores.questions()])
    assert set(gone) == set(reasons)


PAIRS = [(isa, better, one) for isa, (better, some) in OUTDONE.items() for one in sorted(some)]


@pytest.mark.slow  # seconds of the emulator each
@pytest.mark.parametrize(("isa", "better", "outdone"), PAIRS)
@pytest.mark.parametrize("mode", MODES)
def test_a_core_is_outdone(isa: str, better: str, outdone: str, mode: str) -> None:
    """On every processor of the instruction set, measured with the payloads of the atlas."""
    for one in platforms():
        if one.kind == "processor" and one.isa == isa:
            for size in SIZES:
                request = usual_request(one, mode, size)
                asked = jobs(request, [better, outdone])
                found = needless_cores.standings(request, asked, measure(asked))
                assert found[better].replaces(found[outdone]), (one.name, size)
