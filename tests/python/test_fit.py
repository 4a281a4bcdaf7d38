# SPDX-License-Identifier: MIT
"""The chooser on hand-made rows: limits, charging, Pareto front, words, impossible requests."""

from dataclasses import replace

import pytest
from rows import CORES, PLATFORM, Core, Refused, results

from aesfit.fit import Candidate, Choice, Limits, Request, choose, cut, jobs, pareto, setups
from aesfit.quantity import (
    count,
    parse_clock,
    parse_key_changes,
    parse_rate,
    parse_size,
    scaled,
    seconds,
)
from aesfit.rigs.rig import Row
from aesfit.verdict import FileTotal, file_cycles, file_sentence, question, verdict

BASE = Request(PLATFORM)
RULES = "timing model cortex-m3: rules only"


def ask(request: Request = BASE, cores: dict[str, Core | Refused] | None = None) -> Choice:
    known = CORES if cores is None else cores
    asked = jobs(request, known)
    return choose(request, asked, results(asked, known))


def names(choice: Choice) -> list[str]:
    return [one.name for one in choice.ranking]


def best(choice: Choice) -> Candidate:
    assert choice.winner is not None
    return choice.winner


def test_ranks_by_the_objective() -> None:
    assert names(ask()) == ["fast", "middle", "safe", "wasteful", "small"]
    by_flash = ask(replace(BASE, objective="flash"))
    assert names(by_flash) == ["small", "middle", "wasteful", "safe", "fast"]
    by_ram = ask(replace(BASE, objective="ram"))
    assert names(by_ram) == ["small", "middle", "fast", "wasteful", "safe"]
    assert [one.rank for one in by_ram.ranking] == [1, 2, 3, 4, 5]


def test_ties_fall_to_the_other_costs() -> None:
    cores: dict[str, Core | Refused] = {
        "a": Core(1504, flash=900, ram=300),
        "b": Core(1504, flash=800, ram=400),
        "c": Core(1504, flash=800, ram=300),
    }
    assert names(ask(cores=cores)) == ["c", "b", "a"]


@pytest.mark.parametrize(
    ("limits", "left", "reasons"),
    [
        (Limits(flash=6000), 5, {}),
        (
            Limits(flash=5999),
            4,
            {"fast": "6,000 bytes of flash, 1 above the limit of 5,999"},
        ),
        (
            Limits(flash=3000, ram=450),
            2,
            {
                "wasteful": "500 bytes of RAM, 50 above the limit of 450",
                "safe": "5,000 bytes of flash, 2,000 above the limit of 3,000; 900 bytes of RAM, "
                "450 above the limit of 450",
                "fast": "6,000 bytes of flash, 3,000 above the limit of 3,000",
            },
        ),
        (
            Limits(constant_time=True),
            4,
            {"fast": "not constant-time here: its time tells about the key"},
        ),
    ],
)
def test_what_breaks_a_limit_is_dropped_with_numbers(
    limits: Limits, left: int, reasons: dict[str, str]
) -> None:
    choice = ask(replace(BASE, limits=limits))
    assert {one.core: one.reason for one in choice.dropped} == reasons
    assert len(choice.ranking) == left
    assert not set(names(choice)) & set(reasons)


def test_pareto_front_is_what_nothing_beats() -> None:
    choice = ask()
    assert choice.pareto == ("fast", "middle", "small")
    beaten_by = [c for c in choice.ranking if c.name == "middle" or c.name == "wasteful"]
    assert pareto(beaten_by) == ("middle",)
    equals = [
        replace(c, row=replace(beaten_by[0].row, core=n)) for c in beaten_by[:1] for n in "ab"
    ]
    assert pareto(equals) == ("a", "b")


def test_limits_come_before_the_pareto_front() -> None:
    choice = ask(replace(BASE, limits=Limits(constant_time=True, ram=899)))
    assert set(names(choice)) == {"small", "middle", "wasteful"}
    assert choice.pareto == ("middle", "small")


@pytest.mark.parametrize(
    ("messages_per_key", "cycles", "op"),
    [(None, 1000, "encrypt"), (1, 1500, "message"), (4, 1125, "encrypt"), (3, 1166.67, "encrypt")],
)
def test_key_setup_is_charged_as_asked(
    messages_per_key: int | None, cycles: float, op: str
) -> None:
    request = replace(BASE, messages_per_key=messages_per_key)
    row = best(ask(request, {"one": Core(1000, 900, 300, setup=500)})).row
    assert row.cycles == cycles
    assert row.cycles_per_byte == pytest.approx(cycles / 1504)
    assert row.op == op
    assert isinstance(row.instructions, int)


def test_charging_decides_the_winner() -> None:
    cores: dict[str, Core | Refused] = {
        "slow_keys": Core(1000, 900, 300, setup=5000),
        "quick_keys": Core(1100, 900, 300, setup=100),
    }
    assert best(ask(BASE, cores)).name == "slow_keys"
    assert best(ask(replace(BASE, messages_per_key=1), cores)).name == "quick_keys"
    assert best(ask(replace(BASE, messages_per_key=1000), cores)).name == "slow_keys"


def test_sizes_are_those_of_the_whole_firmware() -> None:
    for encrypt_only, op in ((False, "both"), (True, "message")):
        request = replace(BASE, encrypt_only=encrypt_only)
        assert {job.op for job in jobs(request, ["x"])} == {"key-setup", "encrypt", op}
        row = best(ask(request)).row
        assert (row.flash_bytes, row.ram_bytes, row.stack_bytes) == (6000, 450, 60)


def test_the_worst_timing_of_its_operations_counts() -> None:
    asked = jobs(BASE, ["one"])
    rows = results(asked, {"one": Core(1000, 900, 300, time="always")})
    leaky = rows[0]
    assert isinstance(leaky, Row)
    rows[0] = replace(leaky, constant_time="no")
    assert best(choose(BASE, asked, rows)).row.constant_time == "no"


def test_what_cannot_be_measured_is_dropped_with_its_reason() -> None:
    cores: dict[str, Core | Refused] = {**CORES, "odd": Refused("it has no compiler")}
    choice = ask(cores=cores)
    assert len(choice.ranking) == 5
    (dropped,) = choice.dropped
    assert (dropped.core, dropped.reason, dropped.candidate) == ("odd", "it has no compiler", None)


def test_each_core_takes_its_best_flags_within_the_limits() -> None:
    request = replace(BASE, limits=Limits(flash=1500))
    flags = (("-Os",), ("-O3",), ("-O2",))
    asked = jobs(request, ["one", "two"], flags)
    costs: dict[tuple[str, ...], Core] = {
        ("-Os",): Core(3000, flash=800, ram=100),
        ("-O3",): Core(1000, flash=2000, ram=100),
        ("-O2",): Core(2000, flash=1400, ram=100),
    }
    found: list[Row | Refused] = []
    for job in asked:
        assert job.flags is not None
        cost = costs[job.flags]
        if job.core == "two":
            cost = replace(cost, flash=cost.flash + 1000)
        found += results([job], {job.core: cost})
    choice = choose(request, asked, found)
    assert best(choice).flags == ("-O2",)
    assert best(choice).row.provenance.flags == "-O2"
    assert [(one.core, one.reason) for one in choice.dropped] == [
        ("two", "1,800 bytes of flash, 300 above the limit of 1,500")
    ]


def test_rate_and_clock() -> None:
    # fast: 75200 cycles for 1504 bytes are 50 a byte, 6.25 a bit.
    asked = replace(BASE, rate=54e6)
    choice = ask(asked)
    assert choice.needed_clock_hz == pytest.approx(54e6 * 6.25)
    assert choice.keeps_up is False
    assert ask(replace(asked, clock_hz=337.5e6)).keeps_up is True
    assert ask(replace(asked, clock_hz=337.4e6)).keeps_up is False
    assert (ask().needed_clock_hz, ask().keeps_up) == (None, None)
    host = replace(asked, platform=replace(PLATFORM, clock=None))
    assert ask(host).needed_clock_hz == pytest.approx(337.5e6)
    assert ask(host).keeps_up is None


def test_json_has_the_stable_keys() -> None:
    told = ask(replace(BASE, limits=Limits(flash=5000))).as_json("Take it.")
    assert list(told) == [
        "winner",
        "runner_up",
        "sentence",
        "ranking",
        "dropped",
        "pareto",
        "keeps_up",
        "needed_clock_hz",
    ]
    assert told["winner"] == told["ranking"][0]
    assert told["runner_up"] == told["ranking"][1]
    keys = set(results(jobs(BASE, ["small"]))[0].as_json())  # type: ignore[union-attr]
    for row in told["ranking"]:
        assert set(row) == keys | {"rank", "flash_bytes", "ram_bytes"}
        assert row["flash_bytes"] == row["code_bytes"] + row["table_bytes"]
        assert row["ram_bytes"] == row["context_bytes"] + row["stack_bytes"]
    assert all(list(one) == ["core", "reason"] for one in told["dropped"])


def test_json_when_nothing_is_left() -> None:
    told = ask(replace(BASE, limits=Limits(flash=10))).as_json("None.")
    assert (told["winner"], told["runner_up"], told["ranking"], told["pareto"]) == (
        None,
        None,
        [],
        [],
    )
    assert len(told["dropped"]) == len(CORES)


def test_sentence_for_a_leaky_winner_names_a_safe_one() -> None:
    assert verdict(ask(replace(BASE, rate=54e6)), RULES) == (
        "Take fast on Arm Cortex-M3: the fewest cycles of the 5 cores that run, 75,200 cycles for "
        "a 1504-byte ccm message (50 a byte), with 6,000 bytes of flash and 450 of RAM; middle is "
        "next with 2.00 times the cycles; its time tells about the key: where it can be observed, "
        "take middle (2.00 times the cycles); at 72 MHz it reaches 11.5 Mbit/s (957.4 messages a "
        "second) and does not keep up with 54 Mbit/s, which needs 338 MHz; code and tables in "
        "flash, stack in RAM, no wait states; timing model cortex-m3: rules only."
    )


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (replace(BASE, limits=Limits(constant_time=True)), "does not show in time here"),
        (replace(BASE, limits=Limits(ram=200)), "(the only core left)"),
        (replace(BASE, rate=1e6), "keeps up with 1 Mbit/s at 9% load; 6.25 MHz would do"),
        (replace(BASE, clock_hz=16e6), "at 16 MHz it reaches 2.56 Mbit/s"),
        (replace(BASE, objective="flash"), "the least flash of the 5 cores that run"),
        (replace(BASE, objective="ram"), "middle is next with 2.00 times the RAM"),
    ],
)
def test_sentences(request_: Request, said: str) -> None:
    sentence = verdict(ask(request_), RULES)
    assert said in sentence
    assert sentence.endswith(f"{RULES}.")


def test_sentence_when_none_is_safe() -> None:
    leaky: dict[str, Core | Refused] = {n: replace(c, time="no") for n, c in CORES.items()}
    assert "so does that of every core that is left" in verdict(ask(cores=leaky), RULES)
    always: dict[str, Core | Refused] = {"one": Core(1000, 900, 300, time="always")}
    assert "; it is constant-time;" in verdict(ask(cores=always), RULES)


@pytest.mark.parametrize(
    ("limits", "needs"),
    [
        (Limits(flash=200), "the nearest, small, needs 1,000 bytes of flash."),
        (Limits(ram=100), "the nearest, small, needs 200 bytes of RAM."),
        (Limits(flash=200, ram=190), "needs 1,000 bytes of flash and needs 200 bytes of RAM."),
        # middle is a third above its limit of RAM, small a hundredth above its limit of flash.
        (Limits(flash=990, ram=300), "the nearest, small, needs 1,000 bytes of flash."),
        (Limits(flash=900, constant_time=True), "the nearest, small, needs 1,000 bytes of flash."),
    ],
)
def test_impossible_requests_name_the_nearest(limits: Limits, needs: str) -> None:
    sentence = verdict(ask(replace(BASE, limits=limits)), RULES)
    assert sentence.startswith("No core on Arm Cortex-M3 is ")
    assert needs in sentence


def test_impossible_constant_time() -> None:
    leaky: dict[str, Core | Refused] = {n: replace(c, time="no") for n, c in CORES.items()}
    sentence = verdict(ask(replace(BASE, limits=Limits(constant_time=True)), leaky), RULES)
    assert sentence.startswith("No core on Arm Cortex-M3 is constant-time: ")


def test_impossible_because_nothing_was_measured() -> None:
    refused: dict[str, Core | Refused] = {"one": Refused("no rule for 'smmla'")}
    sentence = verdict(ask(cores=refused), RULES)
    assert sentence == "No core could be measured on Arm Cortex-M3: no rule for 'smmla'"


def test_question_says_everything_asked() -> None:
    request = replace(BASE, limits=Limits(4096, 1024, True), encrypt_only=True, messages_per_key=10)
    assert question(request) == (
        "AES-128 in ccm, messages of 1504 bytes, encryption only, key set-up charged once in 10 "
        "messages, within 4,096 bytes of flash, within 1,024 bytes of RAM, constant-time"
    )


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
    ("messages", "per_key", "keys"), [(10, None, 0), (10, 1, 10), (10, 3, 4), (9, 3, 3)]
)
def test_setups(messages: int, per_key: int | None, keys: int) -> None:
    assert setups(messages, per_key) == keys


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("4K", 4096),
        ("4k", 4096),
        ("4KiB", 4096),
        ("4 KiB", 4096),
        ("1.5K", 1536),
        ("1M", 1 << 20),
        ("0", 0),
        ("200B", 200),
    ],
)
def test_sizes(text: str, value: int) -> None:
    assert parse_size(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("72MHz", 72e6), ("72 MHz", 72e6), ("16000000", 16e6), ("1.2GHz", 1.2e9), ("32kHz", 32e3)],
)
def test_clocks(text: str, value: float) -> None:
    assert parse_clock(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("54Mbit/s", 54e6), ("1.5Mbit/s", 1.5e6), ("250kbit/s", 250e3), ("9600bit/s", 9600)],
)
def test_rates(text: str, value: float) -> None:
    assert parse_rate(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "K", "-4K", "4Q", "4K4", "1e3", "٤K", "4,096", "0.3", "nan"])
def test_wrong_sizes_say_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"a size in bytes, such as|give whole bytes"):
        parse_size(text)


@pytest.mark.parametrize("text", ["0", "0MHz", "fast", "72MB", "-1MHz", "inf"])
def test_wrong_clocks_and_rates(text: str) -> None:
    with pytest.raises(ValueError, match="a clock, such as"):
        parse_clock(text)
    with pytest.raises(ValueError, match="a rate, such as"):
        parse_rate(text)


def test_key_changes() -> None:
    assert parse_key_changes("never") is None
    assert parse_key_changes("12") == 12
    for text in ("0", "-1", "often", "1.5", ""):
        with pytest.raises(ValueError, match="neither 'never' nor a number"):
            parse_key_changes(text)


def test_numbers_in_words() -> None:
    assert [count(v) for v in (78312, 12.5, 3.14159, 1234.5, 7)] == [
        "78,312",
        "12.5",
        "3.14",
        "1,234",
        "7",
    ]
    assert [scaled(v, "Hz") for v in (72e6, 1.2345e9, 32768, 999, 364_123_456)] == [
        "72 MHz",
        "1.23 GHz",
        "32.8 kHz",
        "999 Hz",
        "364 MHz",
    ]
    assert [seconds(v) for v in (0.0402, 2, 3.5e-6, 1e-8)] == ["40.2 ms", "2 s", "3.5 us", "10 ns"]
