# SPDX-License-Identifier: MIT
"""The chooser's words: verdicts, impossible requests, and what a file costs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from platform_texts import CHIP
from rows import BASE, CORES, PLATFORM, RULES, Core, Refused, ask, best

from aesfit.choosing import words
from aesfit.choosing.request import Limits, Request
from aesfit.choosing.unproved import prove_command
from aesfit.choosing.whole_file import FileTotal, cut, file_cycles, file_sentence
from aesfit.choosing.words import place, question, verdict
from aesfit.jobs.job import Job, Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.interfaces import described
from aesfit.platforms.platform import Platform, at


def test_sentence_for_a_leaky_winner_names_a_safe_one() -> None:
    assert verdict(ask(replace(BASE, rate=54e6)), RULES) == (
        "Take fast on Arm Cortex-M3: the fewest cycles of the 5 cores that run, 75,200 cycles for "
        "a 1504-byte ccm message (50 a byte), with 6,000 bytes of flash and 450 of RAM; middle is "
        "next with 2.00 times the cycles; its addresses depend on the key; independent of the key: "
        "safe (proved), 2.39 times the cycles; at 72 MHz it reaches 11.5 Mbit/s (957.4 messages a "
        "second) and does not keep up with 54 Mbit/s, which needs 338 MHz; code and tables in "
        "flash, stack in RAM, no wait states; timing model cortex-m3: rules only."
    )


def test_a_leak_says_what_it_costs_where_that_was_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "known_of", lambda platform, core: f"{core} falls on {platform}")
    told = "its addresses depend on the key; fast falls on cortex-m3; independent of the key: safe"
    assert told in verdict(ask(BASE), RULES)
    assert "falls" not in verdict(ask(replace(BASE, key_bits=256)), RULES)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            replace(BASE, limits=Limits(timing="any", flash=5999)),
            "its table addresses depend on secrets, and every access takes the same time here; "
            "independent of the key: safe (proved), 1.20 times the cycles",
        ),
        (
            replace(BASE, limits=Limits(timing="proved")),
            "its timing is independent of the key: proved for 1,504 bytes;",
        ),
        (replace(BASE, limits=Limits(ram=200)), "(the only core left)"),
        (replace(BASE, rate=1e6), "keeps up with 1 Mbit/s at 9% load; 6.25 MHz would do"),
        (replace(BASE, platform=at(PLATFORM, 16)), "at 16 MHz it reaches 2.56 Mbit/s"),
        (replace(BASE, objective="flash"), "the least flash of the 5 cores that run"),
        (replace(BASE, objective="ram"), "middle is next with 2.00 times the RAM"),
    ],
)
def test_sentences(request_: Request, said: str) -> None:
    sentence = verdict(ask(request_), RULES)
    assert said in sentence
    assert sentence.endswith(f"{RULES}.")


def test_sentence_when_none_is_safe() -> None:
    leaky: dict[str, Core | Refused] = {n: replace(c, time="depends") for n, c in CORES.items()}
    told = "its addresses depend on the key; no remaining core is independent of the key;"
    assert told in verdict(ask(cores=leaky), RULES)
    always: dict[str, Core | Refused] = {"one": Core(1000, 900, 300, time="proved")}
    sampled = {"one": replace(CORES["safe"], time="independent")}
    told = verdict(ask(cores=sampled), RULES)
    assert "; its timing is not proved, independent of the key in 4 runs with different sec" in told
    assert "; its timing is independent of the key: proved for " in verdict(
        ask(cores=always), RULES
    )


@pytest.mark.parametrize(
    ("limits", "needs"),
    [
        (Limits(flash=200), "the nearest, small, needs 1,000 bytes of flash."),
        (Limits(ram=100), "the nearest, small, needs 200 bytes of RAM."),
        (Limits(flash=200, ram=190), "needs 1,000 bytes of flash and needs 200 bytes of RAM."),
        # middle is a third above its limit of RAM, small a hundredth above its limit of flash.
        (Limits(flash=990, ram=300), "the nearest, small, needs 1,000 bytes of flash."),
        (
            Limits(flash=900, timing="any"),
            "the nearest, small, needs 1,000 bytes of flash.",
        ),
        (
            Limits(flash=900, timing="proved"),
            "the nearest, safe, needs 5,000 bytes of flash.",
        ),
    ],
)
def test_impossible_requests_name_the_nearest(limits: Limits, needs: str) -> None:
    sentence = verdict(ask(replace(BASE, limits=limits)), RULES)
    assert sentence.startswith("No core on Arm Cortex-M3 is ")
    assert needs in sentence


def test_impossible_constant_time() -> None:
    leaky: dict[str, Core | Refused] = {n: replace(c, time="depends") for n, c in CORES.items()}
    sentence = verdict(ask(replace(BASE, limits=Limits(timing="proved")), leaky), RULES)
    assert sentence.startswith("No core on Arm Cortex-M3 is proved independent of the key: ")


def test_impossible_because_nothing_was_measured() -> None:
    refused: dict[str, Core | Refused] = {"one": Refused("no rule for 'smmla'")}
    sentence = verdict(ask(cores=refused), RULES)
    assert sentence == "No core could be measured on Arm Cortex-M3: no rule for 'smmla'"


def test_question_says_everything_asked() -> None:
    request = replace(
        BASE, limits=Limits(4096, 1024, "proved"), encrypt_only=True, messages_per_key=10
    )
    assert question(request) == (
        "AES-128 in ccm, messages of 1504 bytes, encryption only, key set-up charged once in 10 "
        "messages, within 4,096 bytes of flash, within 1,024 bytes of RAM, proved "
        "independent of the key"
    )
    weaker = replace(request, limits=Limits(timing="independent"))
    assert question(weaker).endswith("messages, independent of the key")


@pytest.fixture
def chip(tmp_path: Path) -> Platform:
    return CHIP.read(tmp_path)


def on(platform: Platform, **changes: object) -> Request:
    return replace(BASE, platform=platform, **changes)  # type: ignore[arg-type]


def test_the_place_says_which_memory_it_is_about(chip: Platform) -> None:
    """Of a chip with its clock, wait states and buffers; of a processor that memory is ideal."""
    buffers = described("read_ahead").title
    assert place(on(chip)) == f"Our chip at 72 MHz, flash with 2 wait states behind {buffers}"
    assert place(on(at(chip, 30, "reset"))) == (
        "Our chip at 30 MHz, flash with 1 wait state as after reset"
    )
    assert place(on(at(chip, 24))) == "Our chip at 24 MHz, flash with no wait states"
    waiting = on(at(chip, 24), placement=Placement(flash_wait=1))
    assert place(waiting) == f"Our chip at 24 MHz, flash with 1 wait state behind {buffers}"
    assert place(on(platform_named("cortex-m3"))) == (
        "Cortex-M3 with ideal memory (name a chip for cycles with its flash)"
    )
    assert place(on(platform_named("arm920t"))) == platform_named("arm920t").title


def test_the_place_names_what_is_not_confirmed(tmp_path: Path) -> None:
    unsure = CHIP.read(tmp_path, ('source = "line" }', 'source = "line", unconfirmed = true }'))
    assert place(on(unsure)).endswith("not confirmed in its maker's documents: flash buffers")


def test_a_leak_has_its_reason_and_the_way_out(chip: Platform) -> None:
    said = verdict(ask(on(chip)), RULES)
    buffers = described("read_ahead").title
    assert (
        "its addresses depend on the key, which can show in the time, because its flash has 2 "
        f"wait states behind {buffers} (with --tables ram every access takes the same time); "
        "independent of the key: safe (proved), 2.39 times the cycles"
    ) in said
    assert "; its addresses depend on the key; independent" in verdict(ask(on(at(chip, 24))), RULES)


@pytest.mark.parametrize(
    ("mhz", "told"),
    [
        (None, "54 Mbit/s needs a clock of at least 338 MHz;"),
        (
            400,
            "at 400 MHz it reaches at most 64 Mbit/s (5,319 messages a second) (ideal memory: an "
            "upper bound); 54 Mbit/s needs at least 338 MHz, and more where the flash waits: name "
            "a chip",
        ),
        (
            72,
            "at 72 MHz it reaches at most 11.5 Mbit/s (957.4 messages a second) (ideal memory: an "
            "upper bound) and does not keep up with 54 Mbit/s, which needs 338 MHz",
        ),
    ],
)
def test_a_processor_alone_gives_bounds(mhz: float | None, told: str) -> None:
    asked = on(at(platform_named("cortex-m3"), mhz), rate=54e6)
    assert told in verdict(ask(asked), RULES)


def test_ideal_memory_is_uniform_and_that_is_said() -> None:
    asked = on(platform_named("cortex-m3"), limits=Limits(timing="any", flash=5999))
    assert (
        "every access takes the same time here, because the memory is ideal; on a chip with caches "
        "or flash buffers it may leak; independent of the key: safe"
    ) in verdict(ask(asked), RULES)


@pytest.mark.parametrize(
    ("size", "message", "multiple", "least", "parts"),
    [
        (40920, 1504, 1, 0, (27, 312, 0)),
        (3008, 1504, 1, 0, (2, 0, 0)),
        (100, 1504, 1, 0, (0, 100, 0)),
        (1519, 1504, 16, 0, (1, 0, 15)),
        (1540, 1504, 16, 0, (1, 32, 4)),
        (1514, 1504, 1, 16, (1, 0, 10)),
        (0, 1504, 1, 0, (0, 0, 0)),
    ],
)
def test_a_file_is_cut_into_messages(
    size: int, message: int, multiple: int, least: int, parts: tuple[int, int, int]
) -> None:
    assert cut(size, message, multiple, least) == parts
    assert parts[0] * message + parts[1] + parts[2] == size


@pytest.mark.parametrize(
    ("messages_per_key", "cycles"),
    [(None, 27_000 + 300), (1, 27_000 + 300 + 28 * 500), (10, 27_000 + 300 + 3 * 500)],
)
def test_a_file_is_charged_whole_key_setups(messages_per_key: int | None, cycles: int) -> None:
    request = replace(BASE, messages_per_key=messages_per_key)
    winner = best(ask(request, {"one": Core(1000, 900, 300, setup=500)}))
    last = replace(winner.row, cycles=300)
    assert file_cycles(winner, 27, last, messages_per_key) == pytest.approx(cycles)


def test_file_sentences() -> None:
    total = FileTotal("README.md", 1504, 27, 312, 0, 2_912_345)
    assert file_sentence(total, 72e6) == (
        "README.md: 27 messages of 1504 bytes and one of 312: 2,912,345 cycles, 40.4 ms at 72 MHz."
    )
    short = FileTotal("a", 1504, 1, 0, 1, 1000)
    assert file_sentence(short, None) == (
        "a: 1 message of 1504 bytes: 1,000 cycles; the last 1 byte left out."
    )


@pytest.mark.parametrize(
    ("changes", "command"),
    [
        ({}, "aesfit prove --platform cortex-m3 --core fixslice --mode ccm"),
        (
            {"mode": "gcm", "ghash": "mul32", "key_bits": 256},
            "aesfit prove --platform cortex-m3 --core fixslice --mode gcm --key-bits 256 "
            "--ghash mul32",
        ),
        ({"platform": platform_named("hexagon")}, None),
        ({"platform": platform_named("x86-64")}, None),
        ({"flags": ("-O3",)}, None),
        (
            {"platform": platform_named("vexriscv-cached")},
            "aesfit prove --platform vexriscv-cached-emulated",
        ),
    ],
)
def test_the_command_that_would_prove_an_image(
    changes: dict[str, Any], command: str | None
) -> None:
    job = Job(platform_named("cortex-m3"), "fixslice", 128, "both", mode="ccm", bytes=64)
    found = prove_command(replace(job, **changes))
    assert found is None if command is None else (found or "").startswith(command)


def test_a_sampled_core_is_dropped_with_the_command_that_may_prove_it() -> None:
    sampled = {"one": replace(CORES["safe"], time="independent")}
    strict = ask(replace(BASE, limits=Limits(timing="proved")), sampled)
    assert strict.winner is None
    (dropped,) = strict.dropped
    assert dropped.reason.startswith("not proved, independent of the key in 4 runs with different")
    assert (
        "the nearest, one, is independent of the key in 4 runs with different secrets."
        in verdict(strict, RULES)
    )
    kept = ask(replace(BASE, limits=Limits(timing="independent")), sampled)
    assert best(kept).name == "one"
