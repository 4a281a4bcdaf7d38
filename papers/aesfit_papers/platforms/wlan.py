# SPDX-License-Identifier: MIT
"""Conclusion: only hardware carries the 54 and 108 Mbit/s of IEEE 802.11 networks.

"Our results show that only pure hardware implementation of AES algorithm on FPGA supports the
required throughput and is suitable for hand-held devices."  The text before it finds the phone with
40 Mbit/s sufficient too, "since the sustained data rate of 54 Mbps is never achieved".

Ours: one packet of 1504 bytes in CCMP, the mode of 802.11i, with the fastest core of the library on
each chip at its highest clock, on three ARM9 at the clock of a part that carries one, on each soft
core at the clock of its file, and with `aes_ccm` on three FPGA families.  The need is 54 and 108
Mbit/s, and the goodput: what the MAC of 802.11a lets through to a lone sender at 54 Mbit/s.
The core that is the fastest with a platform's own flags is judged at three levels of the compiler.

What differs: the paper encrypts in ECB, which is half the AES calls of CCMP.  `aes_ccm` is ours,
and not the paper's core: what that carries in CCMP is judged in the experiment on width.  "Only
hardware ... and is suitable for hand-held devices" asks for both, so "no software" is held against
every chip, ARM9 and soft core, and not against a desktop; the two sentences of the text against the
published phone and all ARM9.
"""

from collections.abc import Sequence
from dataclasses import replace

from aesfit.hardware.families import FAMILIES, XC2VP
from aesfit.hardware.place import SEEDS
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named, platforms
from aesfit.wlan import hardware, software
from aesfit.wlan.paper import HARDWARE, HARDWARE_MBIT_PER_S, PACKET_BYTES, SOFTWARE, remarks
from aesfit.wlan.verdict import GOODPUT, PacketRow, PlatformVerdict, needs, ordered
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Value, Words
from aesfit_papers.judging.levels import (
    LEVELS,
    OWN_FLAGS,
    at_levels,
    job_at,
    place_of,
    with_own_flags,
)
from aesfit_papers.judging.place import ClaimPlace, told
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.platforms import ASSUMED_CLOCK, PHONE_MHZ, PHONES, clocked, theirs
from aesfit_papers.judging.provenance import lines as provenance_lines
from aesfit_papers.judging.provenance import measured
from aesfit_papers.judging.tables import number, table

NUMBER = "Conclusion"
TITLE = "Who keeps up with a wireless network"
_NEEDS = needs((54e6, 108e6))
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("kind"),
    Column("core"),
    Column("clock_mhz", "MHz"),
    Column("cycles", "cycles"),
    Column("mbit_per_s", "Mbit/s"),
    *(Column(f"mhz_for_{need.name}", "MHz") for need in _NEEDS),
    Column("goodput", "Mbit/s"),
    Column("published_as"),
    Column("published_mbit_per_s", "Mbit/s"),
)
FAST = False
_DESKTOP = "desktop PC (Pentium 4)"
_DESKTOP_ECB, _PHONE = (
    (told(name, "processor") + "published in ECB").of(published_as=name)
    for name in (_DESKTOP, "PDA (ARM9)")
)
_STANDS_FOR = {
    "vexriscv-nocache": "FPGA software, no cache",
    "vexriscv-cached": "FPGA software, cache",
    "arm920t": "PDA (ARM9)",
    XC2VP.name: HARDWARE,
}
"""Rows of ours that a published one stands beside."""
_RATES = {one.platform: one.mbit_per_s for one in SOFTWARE} | {HARDWARE: HARDWARE_MBIT_PER_S}
_GOODPUT = next(need.rate for need in _NEEDS if need.name == GOODPUT) / 1e6


def rows(progress: Progress) -> Measured:
    """Chips, ARM9 and soft cores with their best cores, families, and the published desktop."""
    asked = [one for one in platforms() if software.can(one) and one.rig != "host"]
    asked += [clocked(name) for name in PHONES]
    programs = software.lines(asked, (), fresh=False, progress=progress)
    lines = [*programs, *_placed(progress)]
    made = [_row(line.best) for line in ordered(lines)]
    at_levels = _at_levels([one.best for one in programs if one.best.core], progress)
    made += [_row(row, level) for row, level in at_levels]
    empty: dict[str, Value] = dict.fromkeys(column.name for column in COLUMNS)
    made.append({**empty, "platform": _DESKTOP, "kind": "published", "goodput": _GOODPUT,
                 "published_as": _DESKTOP, "published_mbit_per_s": _RATES[_DESKTOP]})  # fmt: skip
    shown = [line.best for line in programs if line.best.cycles is not None]
    return Measured(made, _provenance(shown))


def _at_levels(fastest: Sequence[PacketRow], progress: Progress) -> list[tuple[PacketRow, str]]:
    """The fastest core of each platform, compiled at each level."""
    asked = [(one, level) for one in fastest for level in RELEASE]
    jobs = [_job(one, level) for one, level in asked]
    taken = measured(jobs, progress)
    return [
        (replace(one, cycles=row.cycles), level)
        for (one, level), row in zip(asked, taken, strict=True)
    ]


def _job(one: PacketRow, level: str | None) -> Job:
    """The packet of a row with its core, at a level."""
    return job_at(software.job(platform_named(one.platform), str(one.core)), level)


def _placed(progress: Progress) -> list[PlatformVerdict]:
    """Those of hardware; RuntimeError where a family that can be placed has no clock."""
    lines = hardware.lines(FAMILIES, fresh=False, progress=progress)
    for family, line in zip(FAMILIES, lines, strict=True):
        if family.device and line.best.clock_hz is None:
            raise RuntimeError(f"{family.title} has no clock: {line.best.why['clock_hz']}")
    return lines


def _row(one: PacketRow, level: str | None = OWN_FLAGS) -> Row:
    title = _STANDS_FOR.get(one.platform) if level is OWN_FLAGS else None
    row: dict[str, Value] = {"platform": one.platform, "flags": level}
    row |= {"kind": one.kind, "core": one.core}
    row["clock_mhz"] = None if one.clock_hz is None else one.clock_hz / 1e6
    row |= {"cycles": one.cycles, "mbit_per_s": one.mbit_per_s}
    for need in _NEEDS:
        hertz = one.needed_clock_hz(need)
        row[f"mhz_for_{need.name}"] = None if hertz is None else hertz / 1e6
    row |= {"goodput": _GOODPUT, "published_as": title}
    return {**row, "published_mbit_per_s": None if title is None else _RATES[title]}


def _provenance(every: Sequence[PacketRow]) -> tuple[str, ...]:
    """What was measured for the packets shown; the store has those rows."""
    jobs = [_job(one, level) for one in every for level in LEVELS]
    return (
        f"packets of {PACKET_BYTES} bytes in CCMP, keys expanded before, caches empty; chips run "
        f"at their highest clock, ARM9 at {PHONE_MHZ:g} MHz, soft cores at the clock of their "
        f"file, FPGA families at the median of {SEEDS} seeds of nextpnr",
        *provenance_lines(measured(jobs)),
    )


def _rates(rows: Sequence[Row], *kinds: str) -> dict[ClaimPlace, float]:
    return {
        place_of(row): figure(row["mbit_per_s"])
        for row in at_levels(rows)
        if row["kind"] in kinds and row["mbit_per_s"] is not None
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Who else supports the rates, and what the text says against the conclusion."""
    programs = _rates(rows, "emulated", "soft CPU")
    programs[_DESKTOP_ECB] = _RATES[_DESKTOP]
    phone = theirs("PDA").mbit_per_s
    phones = {place: rate for place, rate in programs.items() if place.named("processor") in PHONES}
    unclocked = dict.fromkeys(phones, ASSUMED_CLOCK)
    unfit = {**unclocked, _DESKTOP_ECB: "a desktop is no hand-held device"}
    ecb = (
        "Published is ECB; ours is CCMP, which takes twice the AES calls, on a part of 180 MHz. "
        f"The nearest would need {_least(rows):.0f} MHz."
    )
    return [
        *(Claim(f"No software that suits hand-held devices supports {rate} Mbit/s.", "at most",
                programs, rate, untestable=unfit) for rate in (54, 108)),
        Claim("No software that suits hand-held devices supports what the MAC lets through, "
              f"{_GOODPUT:.1f} Mbit/s.", "at most", {**programs, _PHONE: phone}, _GOODPUT,
              untestable=unfit, cause="the paper's own figures disagree",
              why=f"Its phone's {phone:.1f} Mbit/s suffice in ECB, as its text says, against its "
              "conclusion; in CCMP about half of them are left."),
        Claim("54 Mbit/s of payload are never achieved on the air.", "at most",
              {told("802.11a, a lone sender of full packets"): _GOODPUT}, 54),
        Claim("An ARM9 phone supports the required throughput, the goodput.", "at least",
              {**phones, _PHONE: phone}, _GOODPUT,
              untestable={**unclocked, _PHONE: "the paper's own figure"},
              why=ecb),
        Claim("No software on the FPGA supports more than 10 Mbit/s, whatever core it runs (CCMP).",
              "at most", _rates(rows, "soft CPU"), 10),
    ]  # fmt: skip


def _least(rows: Sequence[Row]) -> float:
    """The lowest clock, in MHz, at which an ARM9 carries the goodput."""
    return min(
        figure(row[f"mhz_for_{GOODPUT}"]) for row in at_levels(rows) if row["platform"] in PHONES
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Rates, needed clocks and the contradictions."""
    rows = with_own_flags(rows)
    short = {need.name: "goodput" if need.name == GOODPUT else f"{need.rate / 1e6:g}"
             for need in _NEEDS}  # fmt: skip
    columns = (
        *(("platform", "platform"), ("core", "core"), ("MHz", "clock_mhz")),
        *(("Mbit/s, CCMP", "mbit_per_s"), ("published, ECB", "published_mbit_per_s")),
        *((f"MHz: {short[need.name]}", f"mhz_for_{need.name}") for need in _NEEDS),
    )
    note = (
        "Ours in CCMP with the fastest core; published is ECB without a MIC, which takes half the "
        "AES calls. The last columns: the clock at "
        f"which 54 and 108 Mbit/s and the goodput of {_GOODPUT:.1f} are carried, which is what "
        "802.11a at 54 Mbit/s lets through to a lone sender. Published rates stand beside "
        "vexriscv-nocache and -cached for FPGA software, arm920t for the PDA, xc2vp for hardware. "
        "No open tool tells a clock of the xc2vp."
    )
    return [
        table("A packet of 1504 bytes", rows, columns, note=note),
        _figure(rows),
        Words(" ".join(remarks())),
    ]  # fmt: skip


def _figure(rows: Sequence[Row]) -> Figure:
    """Every platform by its speed, with the rates that are needed."""
    shown = sorted(
        (row for row in rows if row["mbit_per_s"] or row["published_mbit_per_s"]),
        key=_speed,
        reverse=True,
    )
    drawn = Bars("ours, CCMP", [_or_none(row["mbit_per_s"]) for row in shown],
                 [_or_none(row["published_mbit_per_s"]) for row in shown])  # fmt: skip
    image = bars(
        [str(row["platform"]) for row in shown],
        [drawn],
        Scale("Mbit/s", log=True),
        write=number,
        published="published, ECB",
        marks=[(54, "54"), (108, "108")],
    )
    alt = (
        "Bars by speed, with lines at 54 and 108 Mbit/s: in CCMP only the Verilog core passes 30 "
        "Mbit/s; of the published rates, which are ECB, all do but those of FPGA software."
    )
    return Figure(
        "Rates of one packet after another", image, ".svg", alt,
        f"Lines: the 54 and 108 Mbit/s that are needed; the goodput is {_GOODPUT:.1f}.",
    )  # fmt: skip


def _speed(row: Row) -> float:
    """Ours, and where there is none the published one."""
    return figure(row["mbit_per_s"] or row["published_mbit_per_s"])


def _or_none(value: Value) -> float | None:
    return None if value is None else figure(value)
