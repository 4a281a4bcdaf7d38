# SPDX-License-Identifier: MIT
"""`aesfit wlan`: which platforms encrypt packets as fast as a wireless network carries them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from ..api.arguments import one_of
from ..cachemodel.versions import ALL
from ..catalog import cores as all_cores
from ..choosing.request import TIMING_LIMITS, TimingLimit
from ..errors import unknown
from ..hardware.families import FAMILIES, Family
from ..platforms.find import platform_named, platforms
from ..platforms.platform import Platform
from ..report import wlan_plot
from ..units import count, parse_rate, scaled
from ..wlan import hardware, software
from ..wlan.battery import DEFAULT, Battery, battery_named
from ..wlan.paper import CLOCK_MHZ, HARDWARE, HARDWARE_MBIT_PER_S, PACKET_BYTES, SOFTWARE, remarks
from ..wlan.verdict import PACKET_BITS, Need, PlatformVerdict, needs, ordered, verdict
from .common import (
    Align,
    check_picture,
    console,
    names_given,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .declared import Option
from .options import Csv, Fresh, Json
from .records import check_form, print_csv

RATES = "54Mbit/s,108Mbit/s"
_BESIDE: Mapping[TimingLimit | None, str] = {None: "any timing", "any": "independent"}
"""The last column by the limit of timing: the fastest core of all, or that is independent."""
EPILOG = (
    "Platforms are chips, soft cores and this computer (`aesfit platforms`), and "
    f"{hardware.DESIGN.name} on {', '.join(one.name for one in FAMILIES)}."
)


@dataclass(frozen=True)
class WlanRequest:
    """Where packets are encrypted."""

    software: tuple[Platform, ...]
    hardware: tuple[Family, ...]


def _names(text: str | None, option: str) -> tuple[str, ...]:
    return () if text is None else names_given(text, option)


def _asked(text: str | None) -> WlanRequest:
    """Platforms and families from a list with commas; without a list, all that have a rate."""
    if text is None:
        return WlanRequest(tuple(one for one in platforms() if software.can(one)), FAMILIES)
    families = {one.name: one for one in FAMILIES}
    names = names_given(text, "--platform")
    found = [_platform(name) for name in names if name not in families]
    return WlanRequest(tuple(found), tuple(families[name] for name in names if name in families))


def _platform(name: str) -> Platform:
    try:
        found = platform_named(name)
        if why := software.why_no_rate(found):
            raise ValueError(why)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--platform") from None
    return found


def _rate(text: str, option: str) -> float:
    try:
        return parse_rate(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


def _needs(rates: str, goodput: str | None) -> tuple[Need, ...]:
    nominal = [_rate(text, "--rate") for text in names_given(rates, "--rate")]
    return needs(nominal, None if goodput is None else _rate(goodput, "--goodput"))


def _battery(name: str) -> Battery:
    try:
        return battery_named(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--battery") from None


def _cores(text: str | None) -> tuple[str, ...]:
    names = _names(text, "--core")
    known = [*(core.name for core in all_cores()), hardware.DESIGN.name, ALL]
    for name in names:
        if name not in known:
            raise click.BadParameter(str(unknown("core", name, known)), param_hint="--core")
    return names


def _lines(
    asked: WlanRequest,
    cores: Sequence[str],
    limit: TimingLimit | None,
    *,
    fresh: bool,
    quiet: bool,
) -> list[PlatformVerdict]:
    """Rows of both kinds, measured if they are not stored."""
    found: list[PlatformVerdict] = []
    soft = [name for name in cores if name != hardware.DESIGN.name]
    if asked.software and (soft or not cores):
        with progress_bar(f"measuring packets of {PACKET_BYTES} bytes", quiet=quiet) as progress:
            found += software.lines(asked.software, soft, fresh=fresh, progress=progress)
    if asked.hardware and (not cores or hardware.DESIGN.name in cores):
        with progress_bar(
            f"simulating and placing {hardware.DESIGN.name}", quiet=quiet
        ) as progress:
            found += hardware.lines(asked.hardware, fresh=fresh, progress=progress)
    if not found:
        raise click.BadParameter(
            "these cores do not run on these platforms; "
            f"{hardware.DESIGN.name} is for {', '.join(one.name for one in FAMILIES)} alone",
            param_hint="--core",
        )
    return ordered([line.within(limit) for line in found])


def _number(value: float | None) -> str:
    return "-" if value is None else count(value) if value >= 1000 else f"{value:.3g}"


def _clock(value: float | None) -> str:
    return "-" if value is None else scaled(value, "Hz")


def _keeps(line: PlatformVerdict, need: Need) -> str:
    """The verdict, and the clock that would suffice."""
    answer = line.best.keeps_up(need)
    word = "-" if answer is None else "yes" if answer else "no"
    return f"{word}, {_clock(line.best.needed_clock_hz(need))}" if line.best.cycles else "-"


def _columns(asked: Sequence[Need], beside: str | None) -> list[tuple[str, Align]]:
    columns: list[tuple[str, Align]] = [("platform", "<"), ("core", "<"), ("clock", ">")]
    columns += [("us/packet", ">"), ("Mbit/s", ">")]
    columns += [(need.told, "<") for need in asked]
    columns += [("uJ/packet", ">"), ("hours", ">")]
    return [*columns, (beside, "<")] if beside else columns


def _cells(
    line: PlatformVerdict, asked: Sequence[Need], battery: Battery, beside: str | None
) -> list[str]:
    one = line.best
    cells = [
        *(one.platform, one.core or "-", _clock(one.clock_hz)),
        *(_number(one.us_per_packet), _number(one.mbit_per_s)),
        *(_keeps(line, need) for need in asked),
        *(_number(one.energy_per_packet_uj), _number(one.battery_hours(asked[-1], battery))),
    ]
    return [*cells, _other(line)] if beside else cells


def _other(line: PlatformVerdict) -> str:
    if line.other is None or line.other.core is None:
        return "-"
    if line.other.core == line.best.core:
        return "the same"
    return f"{line.other.core} {_number(line.other.mbit_per_s)} Mbit/s"


def _paper(asked: Sequence[Need], beside: str | None) -> list[list[str]]:
    """The paper's rows, with what follows from its milliseconds."""

    def row(platform: str, clock: float | None, rate: float) -> list[str]:
        verdicts = []
        for need in asked:
            needs_clock = f", {_clock(clock * need.rate / rate)}" if clock else ""
            verdicts.append(("yes" if rate >= need.rate else "no") + needs_clock)
        cells = [platform, "ECB", _clock(clock), _number(PACKET_BITS / rate * 1e6)]
        return [*cells, _number(rate / 1e6), *verdicts, "-", "-", *(["-"] if beside else [])]

    rows = [row(one.platform, None, one.mbit_per_s * 1e6) for one in SOFTWARE]
    return [*rows, row(HARDWARE, CLOCK_MHZ * 1e6, HARDWARE_MBIT_PER_S * 1e6)]


def _print_table(
    lines: Sequence[PlatformVerdict], asked: Sequence[Need], carried: Battery, beside: str | None
) -> tuple[str, ...]:
    """Print our rows and the paper's below; returns the headings that fitted."""
    cells = [_cells(line, asked, carried, beside) for line in lines]
    paper = _paper(asked, beside)
    styles = dict.fromkeys(range(len(cells), len(cells) + len(paper)), "dim")
    columns = _columns(asked, beside)
    further = [need.told for need in reversed(asked[1:])]
    expendable = ("hours", "uJ/packet", "us/packet", "clock", *filter(None, [beside]), *further)
    return print_table(console(), columns, [*cells, *paper], expendable, styles)


def _print_words(
    lines: Sequence[PlatformVerdict], asked: Sequence[Need], notes: Sequence[str]
) -> None:
    out = console()
    for note in notes:
        print_text(out, note, style="dim")
    for sentence in verdict(lines, asked):
        print_text(out, sentence, style="bold")


_BESIDE_TOLD = {
    "independent": "independent: the fastest core without any branch, address or instruction of "
    "variable time that depends on the key (--json gives the evidence). Of the others addresses "
    "depend on the key, which a data cache or a flash buffer can show in the time.",
    "any timing": "core: the fastest without any branch, address or instruction of variable time "
    "that depends on the key, where there is one (--json gives the evidence); any timing: the "
    "fastest of all, for devices that nobody can time.",
}
_GOODPUT = (
    "what a single sender of such packets achieves on 802.11a/g at 54 Mbit/s, after waiting, "
    "preambles and acknowledgements"
)


def _notes(
    lines: Sequence[PlatformVerdict],
    asked: WlanRequest,
    goodput: Need,
    battery: Battery,
    shown: Collection[str],
    *,
    given: bool,
) -> list[str]:
    """Notes on the figures in the columns shown."""
    notes = [
        f"A packet: {PACKET_BYTES} bytes of payload encrypted by CCMP with its 24-byte header and "
        "MIC. The key is expanded before, and caches are empty when it begins, except those of a "
        "chip's flash, which hold what an equal packet left.",
        "yes, no: whether the clock suffices, and which clock is needed.",
    ]
    if goodput.told in shown:
        notes.append(f"goodput: {goodput.short} Mbit/s, {'as given' if given else _GOODPUT}.")
    if "uJ/packet" in shown:
        notes.append(
            "uJ/packet: cycles times the energy of one, from the data sheet's current at that "
            "clock."
        )
    if "hours" in shown:
        notes[-1] += (
            f" hours: of a full {battery.title} ({battery.capacity.value:g} mAh, "
            f"{battery.voltage.value:g} V), which carries nothing but the encryption of "
            f"{goodput.short} Mbit/s, or of as much as is managed."
        )
    if any(line.other and line.other.core != line.best.core for line in lines):
        notes += [told for name, told in _BESIDE_TOLD.items() if name in shown]
    paper = "Below our rows: Parikh and Patel, in ECB without a MIC, with half the AES calls."
    return [*notes, *_whys(lines, asked), " ".join((paper, *remarks()))]


def _whys(lines: Sequence[PlatformVerdict], asked: WlanRequest) -> list[str]:
    """Notes on missing rates and assumed memories, grouped by platforms with the same note."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if "mbit_per_s" in line.best.why:
            found.setdefault(line.best.why["mbit_per_s"], []).append(line.best.platform)
    shown = {line.best.platform for line in lines if line.best.cycles is not None}
    for one in asked.software:
        waits = [memory.wait_states for memory in one.memories if memory.name == "flash"]
        if one.name in shown and waits and waits[0].source.startswith("assumption"):
            told = f"{waits[0].value:g} wait states, {waits[0].source}"
            found.setdefault(told, []).append(one.name)
    return [f"{', '.join(names)}: {why.rstrip('.')}." for why, names in found.items()]


@dataclass(frozen=True)
class NetworkOptions:
    """Network and battery."""

    rate: Annotated[
        str, Option(metavar="<54Mbit/s,..>", help="Nominal bits per second of the network.")
    ] = RATES
    goodput: Annotated[
        str | None,
        Option(metavar="<30Mbit/s>", help="Payload bits per second. [that of 802.11a/g]"),
    ] = None
    battery: Annotated[
        str | None, Option(metavar="<b>", help=f"Battery by name or TOML file. [{DEFAULT}]")
    ] = None


@dataclass(frozen=True)
class EncryptingOptions:
    """Platforms and cores."""

    platform: Annotated[
        str | None,
        Option(metavar="<p,..>", help="Chips and FPGA families. [all]"),
    ] = None
    core: Annotated[
        str | None, Option(metavar="<core,..>", help="Choose only among these cores. [all]")
    ] = None
    timing: Annotated[
        str | None,
        Option(
            metavar="|".join(TIMING_LIMITS),
            help="Only cores proved independent of the key; independent: without a proof too; "
            "any: the fastest. [independent first]",
        ),
    ] = None

    @property
    def limit(self) -> TimingLimit | None:
        """Which cores compete; None: all, and those lead that are independent."""
        return None if self.timing is None else one_of("timing", self.timing, TIMING_LIMITS)


def command(
    network: NetworkOptions,
    encrypting: EncryptingOptions,
    plot: Annotated[
        Path | None,
        Option(metavar="<file.svg|png>", help="Draw the rates of the platforms. [none]"),
    ] = None,
    fresh: Fresh = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Show which platforms keep up with a wireless network, at which clock and energy."""
    check_picture(plot)
    needed = _needs(network.rate, network.goodput)
    carried = _battery(DEFAULT if network.battery is None else network.battery)
    asked, cores = _asked(encrypting.platform), _cores(encrypting.core)
    limit = encrypting.limit
    beside = _BESIDE.get(limit)
    lines = _lines(asked, cores, limit, fresh=fresh, quiet=json or csv)
    if plot is not None:
        write_file(plot, wlan_plot.render(lines, needed, plot.suffix, fastest=limit == "any"))
    if check_form(json, csv):
        own = None if network.battery is None else carried
        (print_csv if csv else print_json)([line.best.as_json(needed, own) for line in lines])
    else:
        shown = _print_table(lines, needed, carried, beside)
        given = network.goodput is not None
        notes = _notes(lines, asked, needed[-1], carried, shown, given=given)
        left = [name for name, _ in _columns(needed, beside) if name not in shown]
        notes += [f"Not shown at this width: {', '.join(left)}; --csv has all."] if left else []
        _print_words(lines, needed, notes)
    if all(line.best.cycles is None for line in lines):
        raise click.exceptions.Exit(1)
