# SPDX-License-Identifier: MIT
"""The verdict in short lines."""

from dataclasses import replace
from pathlib import Path

import pytest
from platform_texts import CHIP
from rows import BASE, CORES, LEADING, RULES, Core, Refused, ask

from aesfit.choosing.brief import brief
from aesfit.choosing.request import Limits, Objective, Request
from aesfit.choosing.unproved import unproved
from aesfit.choosing.words import verdict
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import at
from aesfit.rigs.emulator.evidence import Evidence
from aesfit.rigs.emulator.trust import Trust, trust

TRUST = Trust("timing model cortex-m3", "cortex-m3")


def told(request: Request = BASE, cores: dict[str, Core | Refused] | None = None) -> list[str]:
    return list(brief(ask(request, cores or CORES), TRUST))


def test_a_leaky_winner_has_five_lines() -> None:
    assert told(replace(BASE, rate=54e6)) == [
        "Take fast: 75,200 cycles, 6,000 bytes of flash, 450 of RAM.",
        "  middle takes 2.00 times the cycles, safe 2.39 times.",
        "Its addresses depend on the key. Independent of the key: safe (proved), 2.39 times the "
        "cycles.",
        "At 72 MHz it reaches 11.5 Mbit/s (957.4 messages a second) and does not keep up with "
        "54 Mbit/s, which needs 338 MHz.",
        f"Basis: {RULES}.",
    ]


@pytest.mark.parametrize(
    ("objective", "ratio"),
    [
        ("flash", "  middle takes 2.00 times the flash, wasteful 3.00 times."),
        ("ram", "  middle takes 2.00 times the RAM, fast 2.25 times."),
    ],
)
def test_ratios_are_those_of_the_objective(objective: Objective, ratio: str) -> None:
    assert told(replace(BASE, objective=objective))[1] == ratio


def test_a_proof_needs_no_way_out() -> None:
    lines = told(replace(BASE, limits=Limits(timing="proved")))
    assert lines[1] == "Its timing is independent of the key: proved for 1,504 bytes."
    assert not any("Independent" in line for line in lines)


def test_what_the_proof_did_not_run_is_said() -> None:
    winner = ask(LEADING, CORES).winner
    assert winner is not None
    more = replace(winner.row, evidence="4 runs", proved="", unproved="it executes more")
    assert unproved(LEADING, more, None) == (
        "not proved, independent of the key in 4 runs with different secrets; it executes more"
    )


def test_the_proved_core_leads_and_the_trade_is_one_line() -> None:
    assert told(LEADING)[:3] == [
        "Take safe: 180,000 cycles, 5,000 bytes of flash, 900 of RAM.",
        "Its timing is independent of the key: proved for 1,504 bytes.",
        "Nobody can time you? fast takes 58 % less (--timing any).",
    ]
    small = told(replace(LEADING, objective="flash"))
    assert "Nobody can time you? small takes 80 % less flash (--timing any)." in small
    assert not any("Nobody" in line for line in told())


def test_where_nothing_is_proved_that_is_said_and_the_question_is_answered() -> None:
    runs: dict[str, Core | Refused] = {**CORES, "safe": replace(CORES["safe"], time="independent")}
    assert told(LEADING, runs)[0].startswith("Take safe: ")
    assert told(LEADING, runs)[1] == (
        "Nothing that fits is proved here. Its timing is independent of the key in 4 runs with "
        "different secrets, which is not a proof."
    )
    asked = replace(LEADING, limits=Limits(timing="independent"))
    assert not told(asked, runs)[1].startswith("Nothing")
    unproved = {**CORES, "quick": Core(170_000, 5000, 900, time="independent")}
    assert "No proof needed? quick takes 6 % less (--timing independent)." in told(
        replace(LEADING, limits=Limits(ram=900, flash=5999)),
        {k: v for k, v in unproved.items() if k != "middle"},
    )


def test_memory_that_is_uniform_is_named() -> None:
    uniform = Limits(timing="any", flash=5999)
    safe = "Independent of the key: safe (proved), 1.20 times the cycles."
    here = "Its timing is independent of the key with this memory (4 runs)."
    assert told(replace(BASE, limits=uniform))[2] == f"{here} {safe}"
    alone = replace(BASE, limits=uniform, platform=platform_named("cortex-m3"))
    assert (
        "with ideal memory (4 runs); with caches or flash buffers it may not be. "
        in (told(alone)[2])
    )


def test_runs_are_no_proof() -> None:
    choice = ask(cores={"fixslice": replace(CORES["safe"], time="independent")})
    (line,) = (one for one in brief(choice, TRUST) if "Its timing" in one)
    assert line == (
        "Its timing is independent of the key in 4 runs with different secrets, which is not a "
        "proof."
    )
    provable = replace(choice, request=replace(BASE, platform=platform_named("cortex-m3")))
    (line,) = (one for one in brief(provable, TRUST) if "Its timing" in one)
    assert line.endswith("aesfit prove --platform cortex-m3 --core fixslice --mode ccm.")


def test_the_way_out_of_a_leak_is_an_option(tmp_path: Path) -> None:
    chip = CHIP.read(tmp_path)
    on_chip = replace(BASE, platform=chip)
    way_out = "With --tables ram every access takes the same time. "
    assert told(on_chip)[2].startswith(f"Its addresses depend on the key. {way_out}")
    assert way_out not in told(replace(on_chip, platform=at(chip, 24)))[2]


def test_nothing_left_is_said_as_in_the_sentence() -> None:
    choice = ask(replace(BASE, limits=Limits(flash=10)))
    assert brief(choice, TRUST) == (verdict(choice, RULES),)


def test_the_basis_is_the_comparison() -> None:
    found = trust(platform_named("cortex-m3"))
    assert isinstance(found.found, Evidence)
    told = brief(ask(), found)[-1]
    assert told.startswith("Model error: mean ")
    assert found.checked_against in told
    assert f", on the {found.found.blind} that were not used to make the model (" in told
