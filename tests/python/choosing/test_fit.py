# SPDX-License-Identifier: MIT
"""The chooser on hand-made rows: limits, charging, Pareto front, JSON."""

from dataclasses import replace

import pytest
from rows import BASE, CORES, LEADING, PLATFORM, TIMES, Core, Refused, ask, best, results

from aesfit.choosing.ranking import Choice, choose, pareto
from aesfit.choosing.request import Limits, Objective, jobs
from aesfit.choosing.whole_file import setups
from aesfit.jobs.job import Row
from aesfit.platforms.platform import Platform
from aesfit.platforms.toml_file import Quantity


def clocked(mhz: float) -> Platform:
    return replace(PLATFORM, clock=Quantity(mhz, "MHz", "as asked for"))


def names(choice: Choice) -> list[str]:
    return [one.name for one in choice.ranking]


def test_ranks_by_the_objective() -> None:
    assert names(ask()) == ["fast", "middle", "safe", "wasteful", "small"]
    by_flash = ask(replace(BASE, objective="flash"))
    assert names(by_flash) == ["small", "middle", "wasteful", "safe", "fast"]
    by_ram = ask(replace(BASE, objective="ram"))
    assert names(by_ram) == ["small", "middle", "fast", "wasteful", "safe"]
    assert [one.rank for one in by_ram.ranking] == [1, 2, 3, 4, 5]


def test_proved_cores_lead_unless_the_question_limits_timing() -> None:
    led = ask(LEADING)
    assert names(led) == ["safe", "middle", "wasteful", "small", "fast"]
    assert [one.row.secrecy.place for one in led.ranking] == [0, 2, 2, 2, 3]
    assert ([one.name for one in led.rivals], led.dropped) == (["safe"], ())
    assert names(ask(replace(LEADING, limits=Limits(timing="independent")))) == ["safe"]


def test_without_a_proof_the_next_best_evidence_leads() -> None:
    cores: dict[str, Core | Refused] = {**CORES, "safe": replace(CORES["safe"], time="independent")}
    assert names(ask(LEADING, cores))[0] == "safe"
    assert ask(replace(LEADING, limits=Limits(timing="proved")), cores).winner is None
    del cores["safe"]
    assert names(ask(LEADING, cores)) == ["middle", "wasteful", "small", "fast"]


@pytest.mark.parametrize(
    ("objective", "limits", "trade"),
    [
        ("cycles", Limits(), "fast"),
        ("cycles", Limits(timing="proved"), "fast"),
        ("cycles", Limits(flash=5999), "middle"),
        ("flash", Limits(), "small"),
        ("cycles", Limits(timing="any"), None),
        ("cycles", Limits(flash=5000, ram=300), None),
    ],
)
def test_what_was_left_behind_for_its_timing_is_the_trade(
    objective: Objective, limits: Limits, trade: str | None
) -> None:
    choice = ask(replace(LEADING, objective=objective, limits=limits))
    assert (choice.trade.name if choice.trade else None) == trade
    told = choice.as_json("")["trade"]
    assert (told and told["core"]) == trade


def test_a_slower_core_is_no_trade() -> None:
    slow: dict[str, Core | Refused] = {
        "safe": CORES["safe"],
        "slow": Core(200_000, 100, 100, time="depends"),
    }
    assert ask(LEADING, slow).trade is None
    assert ask(replace(LEADING, objective="flash"), slow).trade is not None


def test_a_core_stands_with_its_strongest_variant() -> None:
    """Of two sets of flags the one with a proof, though the other is faster."""
    asked = jobs(LEADING, ["one"], [("-O2",), ("-O3",)])
    rows = results(asked, {"one": Core(1000, 900, 300, time="proved")})
    faster = [
        replace(row, cycles=10, timing=TIMES["depends"].timing, evidence=None, proved="")
        if isinstance(row, Row) and job.flags == ("-O3",)
        else row
        for job, row in zip(asked, rows, strict=True)
    ]
    assert best(choose(LEADING, asked, faster)).flags == ("-O2",)
    assert best(choose(BASE, asked, faster)).flags == ("-O3",)


def test_ties_fall_to_the_other_costs() -> None:
    cores: dict[str, Core | Refused] = {
        "a": Core(1504, flash=900, ram=300),
        "b": Core(1504, flash=800, ram=400),
        "c": Core(1504, flash=800, ram=300),
    }
    assert names(ask(cores=cores)) == ["c", "b", "a"]


UNIFORM = "independent of the key here alone, where all memory takes the same time"


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
        (Limits(), 5, {}),
        (
            Limits(timing="proved"),
            1,
            {
                "small": UNIFORM,
                "middle": UNIFORM,
                "wasteful": UNIFORM,
                "fast": "its time may depend on the key, as its addresses or branches do",
            },
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
    choice = ask(replace(BASE, limits=Limits(timing="any", ram=899, flash=5999)))
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
    rows = results(asked, {"one": Core(1000, 900, 300, time="proved")})
    leaky = rows[0]
    assert isinstance(leaky, Row)
    rows[0] = replace(leaky, timing="depends on the key", evidence=None, proved="")
    assert best(choose(BASE, asked, rows)).row.secrecy.kind == "depends"


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
    assert ask(replace(asked, platform=clocked(337.5))).keeps_up is True
    assert ask(replace(asked, platform=clocked(337.4))).keeps_up is False
    assert (ask().needed_clock_hz, ask().keeps_up) == (None, None)
    host = replace(asked, platform=replace(PLATFORM, clock=None))
    assert ask(host).needed_clock_hz == pytest.approx(337.5e6)
    assert ask(host).keeps_up is None


def test_ideal_memory_shows_only_that_a_clock_is_too_slow() -> None:
    """Its cycles are fewer than those of any chip."""
    asked = replace(BASE, rate=54e6)
    ideal = replace(PLATFORM, rig="emulator", kind="processor")
    for mhz, keeps_up in ((338.0, None), (337.0, False)):
        clock = Quantity(mhz, "MHz", "as asked for")
        assert ask(replace(asked, platform=replace(ideal, clock=clock))).keeps_up is keeps_up


def test_json_has_the_stable_keys() -> None:
    told = ask(replace(BASE, limits=Limits(flash=5000))).as_json("Take it.")
    assert list(told) == [
        "winner",
        "runner_up",
        "trade",
        "sentence",
        "ranking",
        "dropped",
        "pareto",
        "ties",
        "keeps_up",
        "needed_clock_hz",
    ]
    assert told["winner"] == told["ranking"][0]
    assert told["runner_up"] == told["ranking"][1]
    keys = set(results(jobs(BASE, ["small"]))[0].as_json())  # type: ignore[union-attr]
    for row in told["ranking"]:
        assert set(row) == keys | {"ghash", "rank", "flash_bytes", "ram_bytes"}
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


@pytest.mark.parametrize(
    ("messages", "per_key", "keys"), [(10, None, 0), (10, 1, 10), (10, 3, 4), (9, 3, 3)]
)
def test_setups(messages: int, per_key: int | None, keys: int) -> None:
    assert setups(messages, per_key) == keys
