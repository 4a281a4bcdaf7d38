# SPDX-License-Identifier: MIT
"""GHASH multipliers in the chooser: which compete on a platform, and which one a row names."""

from dataclasses import replace

import pytest
from rows import BASE, Core, best, result

from aesfit.choosing.answer import Answer
from aesfit.choosing.multipliers import chosen_of, competing, ghash_of
from aesfit.choosing.ranking import Choice, choose
from aesfit.choosing.request import Bursts, Limits, Request, jobs, request_of
from aesfit.choosing.words import question, verdict
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

ALL = ("shift32", "mul32", "mul_low", "table4", "table8")
GCM = replace(BASE, mode="gcm", bytes=64)
MULTIPLIERS = {
    "shift32": Core(9000, flash=3000, ram=300, time="proved"),
    "mul32": Core(6000, flash=2900, ram=310, time="depends"),
    "mul_low": Core(7000, flash=2800, ram=320, time="proved"),
    "table4": Core(5000, flash=2700, ram=520),
    "table8": Core(4000, flash=2600, ram=4400),
}
"""One core under each of them."""


def chosen(request: Request) -> Choice:
    asked = jobs(request, ["transposed"])
    return choose(request, asked, [result(MULTIPLIERS[job.ghash], job) for job in asked])


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("cortex-m3", ALL),
        ("arm7tdmi", ALL),
        ("rv32im-e31", ALL),
        ("cortex-m0plus", tuple(name for name in ALL if name != "mul32")),
        ("rv32i", tuple(name for name in ALL if name != "mul32")),
        ("qingke-v2a", tuple(name for name in ALL if name != "mul32")),
    ],
)
def test_all_compete_but_products_that_are_calls(platform: str, names: tuple[str, ...]) -> None:
    assert competing(platform_named(platform)) == names


def test_the_instruction_competes_alone() -> None:
    host = platform_named("x86-64")
    if ghash_of(host, None) != "clmul":
        pytest.skip("this processor has no carry-less multiplication")
    assert competing(host) == ("clmul",)


def test_what_is_slower_by_construction_is_refused_by_name() -> None:
    m0 = platform_named("cortex-m0plus")
    with pytest.raises(ValueError, match="mul32 is slower than shift32 on cortex-m0plus by constr"):
        request_of(m0, mode="gcm", ghash="mul32")
    assert ghash_of(m0, "mul32") == "mul32"  # measuring it is allowed
    assert (chosen_of(m0, "mul_low"), chosen_of(m0, None)) == ("mul_low", None)


def test_each_is_measured_and_only_in_gcm() -> None:
    def measured(request: Request) -> list[str]:
        return list(dict.fromkeys(job.ghash for job in jobs(request, ["any"])))

    assert measured(GCM) == list(ALL)
    assert measured(replace(GCM, ghash="table4")) == ["table4"]
    assert measured(replace(GCM, bursts=Bursts(4))) == ["shift32"]
    assert measured(BASE) == ["shift32"]


@pytest.mark.parametrize(
    ("limits", "winner", "safe"),
    [
        (Limits(), "mul_low", "mul_low"),
        (Limits(timing="any"), "table8", "mul_low"),
        (Limits(timing="any", ram=600), "table4", "mul_low"),
        (Limits(timing="proved"), "mul_low", "mul_low"),
        (Limits(timing="proved", ram=310), "shift32", "shift32"),
        (Limits(timing="any", ram=310), "mul32", "shift32"),
    ],
)
def test_the_best_within_the_limits_is_named(limits: Limits, winner: str, safe: str) -> None:
    choice = chosen(replace(GCM, limits=limits))
    found = best(choice)
    assert (found.ghash, found.as_json()["ghash"]) == (winner, winner)
    assert choice.independent is not None
    assert choice.independent.ghash == safe
    told = verdict(choice, "")
    assert told.startswith(f"Take transposed with the GHASH {winner} on ")
    assert ("; independent of the key: transposed with the GHASH" in told) == (winner != safe)
    (row,) = Answer(choice, told, "").rows
    assert row["ghash"] == winner


def test_a_limit_that_all_break_names_the_nearest() -> None:
    (dropped,) = chosen(replace(GCM, limits=Limits(ram=10))).dropped
    assert dropped.candidate is not None
    assert dropped.candidate.ghash == "shift32"


def test_the_question_lists_them() -> None:
    assert "gcm (GHASH shift32, mul32, mul_low, table4 or table8)" in question(GCM)
    assert "gcm (GHASH table4)" in question(replace(GCM, ghash="table4"))


def test_other_modes_name_none() -> None:
    asked: list[Job] = jobs(BASE, ["small"])
    choice = choose(BASE, asked, [result(Core(10, 20, 30), job) for job in asked])
    assert (best(choice).ghash, best(choice).title) == (None, "small")
