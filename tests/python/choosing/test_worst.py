# SPDX-License-Identifier: MIT
"""The worst case of a message, and deadlines."""

import json
import re
from pathlib import Path
from typing import Any

import fakes
import pytest
from click.testing import CliRunner, Result
from places import ROOT
from stores import own_rows

from aesfit.choosing.worst import worst_of
from aesfit.cli import app
from aesfit.jobs.job import Row
from aesfit.platforms.find import platform_named
from aesfit.platforms.memory import Interface
from aesfit.rigs.emulator.chip_evidence import evidence_of_chip
from aesfit.rigs.emulator.evidence import evidence_of
from aesfit.rigs.emulator.memory.replay import Waited, WaitingFlash, cold_told
from aesfit.rigs.emulator.trust import Trust
from aesfit.units import parse_deadline

CHIP = platform_named("rp2040")
RULES = Trust("rules", "model")
WORST_KEYS = [
    *("cycles", "placed_cycles", "cold_cycles", "setup_cycles", "error_percent", "stack_bytes"),
]
DEADLINE_KEYS = ["asked", "deadline_cycles", "most_cycles", "met", "sentence"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


def counted(window: str = "as it is", **changes: object) -> Row:
    made = fakes.row(**{"cycles": 100, "cycles_min": 95, "cycles_max": 105, **changes})
    provenance = made.provenance
    return fakes.row(
        **{"cycles": 100, "cycles_min": 95, "cycles_max": 105, "stack_bytes": 40, **changes},
        provenance=type(provenance)(**{**vars(provenance), "window": window}),
    )


@pytest.mark.parametrize("cold", [(150,), (120, 150)])
def test_the_first_call_counts_where_it_takes_more(cold: tuple[int, ...]) -> None:
    flash = WaitingFlash(Interface("cache", (), "made up"), 1, ())
    told = cold_told(flash, Waited((95, 105), cold))
    assert told
    worst = worst_of(counted(f"CCM: 64 bytes; {told}; key set-up not charged"), CHIP, RULES)
    assert worst is not None
    assert (worst.cycles, worst.placed_cycles, worst.cold_cycles) == (150, 105, 150)
    assert worst.told == "150 cycles for the first call at the worst of the measured placements"
    quick = worst_of(counted("101 to 104 cycles when cold"), CHIP, RULES)
    assert quick is not None
    assert (quick.cycles, quick.cold_cycles) == (105, None)


def test_the_error_of_what_was_published_is_added() -> None:
    f103, m33 = platform_named("stm32f103"), evidence_of("cortex_m33")
    behind = evidence_of_chip(f103)
    assert behind is not None
    assert m33 is not None
    worst = worst_of(counted(), f103, Trust("rules", "model", behind))
    assert worst is not None
    assert worst.error_percent == behind.more_percent > 5
    assert worst.cycles == -int(-105 * (1 + behind.more_percent / 100) // 1)
    core = worst_of(counted(cycles_max=1e6), CHIP, Trust("rules", "model", m33, "; its flash"))
    assert core is not None
    assert core.error_percent == m33.worst_percent
    assert core.cycles > 1_000_000


def test_a_key_is_added_and_the_stack_is_told() -> None:
    worst = worst_of(counted(), CHIP, RULES, 11.5)
    assert worst is not None
    assert (worst.cycles, worst.setup_cycles, worst.stack_bytes) == (117, 12, 40)
    assert "with a new key" in worst.told


@pytest.mark.parametrize("name", ["cortex-m3", "x86-64", "lx-st200", "hexagon"])
def test_there_is_none_of_ideal_memory_and_of_what_is_not_counted(name: str) -> None:
    assert worst_of(counted(), platform_named(name), RULES) is None


def test_one_place_in_memory_is_not_called_the_worst() -> None:
    worst = worst_of(counted(cycles_max=None), CHIP, RULES)
    assert worst is not None
    assert (worst.cycles, worst.told) == (100, "100 cycles for a call")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("192us", (192e-6, "s")),
        ("1.5 ms", (1.5e-3, "s")),
        ("20000cycles", (20000, "cycles")),
        ("9 Cycles", (9, "cycles")),
    ],
)
def test_deadlines_are_read(text: str, found: tuple[float, str]) -> None:
    value, unit = parse_deadline(text)
    assert value == pytest.approx(found[0])
    assert unit == found[1]


@pytest.mark.parametrize("text", ["", "192", "3h", "-1us", "0ms", "us", "1,5ms", "nancycles"])
def test_other_texts_are_no_deadlines(text: str) -> None:
    with pytest.raises(ValueError, match=r"give a time|is not a time, such as 192us"):
        parse_deadline(text)


def fit(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["fit", "--mode", "ccm", "--bytes", "64", *arguments])


def asked(*arguments: str) -> dict[str, Any]:
    done = fit(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_the_answer_turns_at_the_worst_case(tmp_path: Path) -> None:
    pretend = fakes.pretend(tmp_path)
    plain = asked("--platform", pretend)
    assert "deadline" not in plain
    assert list(plain["worst"]) == WORST_KEYS
    most = plain["worst"]["cycles"]
    usual = round(plain["winner"]["cycles"])
    assert usual < most
    for cycles, met in ((most, True), (most - 1, None), (usual, None), (usual - 1, False)):
        told = asked("--platform", pretend, "--deadline", f"{cycles}cycles")
        assert list(told["deadline"]) == DEADLINE_KEYS
        assert (told["deadline"]["met"], told["deadline"]["most_cycles"]) == (met, most)
        assert told["verdict"][-1] == told["deadline"]["sentence"]
        assert told["question"]["deadline"] == f"{cycles}cycles"
    micro = most / 72  # at 72 MHz
    assert asked("--platform", pretend, "--deadline", f"{micro + 1:.3f}us")["deadline"]["met"]
    late = asked("--platform", pretend, "--deadline", f"{(usual + most) / 144:.4f}us")["deadline"]
    assert late["met"] is None
    known = r"may miss .* cycles at 72 MHz\) in the worst case known; it usually takes"
    assert re.search(known, late["sentence"])
    assert "This rests on: " in late["sentence"]
    assert late["sentence"].endswith("no interrupt in between.")


def test_of_the_messages_under_a_key_the_first_counts(tmp_path: Path) -> None:
    pretend = (*("--platform", fakes.pretend(tmp_path), "--core", "ttable1"), "--key-changes")
    never, each, tenth = (asked(*pretend, every)["worst"] for every in ("never", "1", "10"))
    assert (never["setup_cycles"], each["setup_cycles"]) == (0, 0)
    assert tenth["setup_cycles"] > 0
    assert abs(tenth["cycles"] - each["cycles"]) <= 1 < each["cycles"] - never["cycles"]


def test_ideal_memory_can_only_show_that_it_is_too_slow() -> None:
    core = ("--platform", "cortex-m3", "--core", "ttable1")
    late = asked(*core, "--deadline", "10cycles")["deadline"]
    assert late["met"] is False
    assert "misses 10cycles" in late["sentence"]
    open_ = asked(*core, "--deadline", "1ms", "--clock", "1000MHz")["deadline"]
    assert open_["met"] is None
    assert "name a chip" in open_["sentence"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--platform", "cortex-m3", "--deadline", "192us"], "has no clock of its own"),
        (["--platform", "x86-64", "--deadline", "1ms"], "there is no worst case of x86-64"),
        (
            ["--platform", "stm32f103", "--deadline", "1ms", "--clock", "sweep"],
            "name one clock with --deadline",
        ),
        (["--platform", "stm32f103", "--deadline", "soon"], "'soon' is not a time"),
        (
            ["--platform", "arm920t", "--deadline", "9cycles", "--calls-per-burst", "4"],
            "leave --calls-per-burst, --evicted and --explain out",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused_with_2(arguments: list[str], sentence: str) -> None:
    done = fit(*arguments)
    assert done.exit_code == 2
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.output


def test_a_mix_of_packets_has_no_deadline() -> None:
    mixed = ["fit", "--platform", "stm32f103", "--packets", "64:1,128:1", "--deadline", "1ms"]
    done = CliRunner().invoke(app, mixed)
    assert done.exit_code == 2
    assert "is of one message; give --bytes, not --packets" in " ".join(done.stderr.split())


_DISABLES = re.compile(
    r"\b(cpsid|primask|basepri|faultmask|mstatus|__disable_irq|noInterrupts|csrci|cli)\b"
)
"""What disables interrupts on the processors of the library."""


def test_no_code_of_the_library_disables_interrupts() -> None:
    """It is what `worst_told` says of it."""
    sources = [
        path for path in (ROOT / "lib").rglob("*") if path.suffix in (".c", ".h") and path.is_file()
    ]
    assert len(sources) > 100
    found = [path for path in sources if _DISABLES.search(path.read_text(encoding="utf-8"))]
    assert found == []
    assert _DISABLES.search('asm volatile("cpsid i");')


def test_the_line_of_every_answer_names_stack_and_interrupts(tmp_path: Path) -> None:
    told = " ".join(fit("--platform", fakes.pretend(tmp_path)).stdout.split())
    assert re.search(
        r"worst case known [\d,]+ cycles .*; stack of at most [\d,]+ bytes; interrupts are never",
        told,
    )
