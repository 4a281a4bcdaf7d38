# SPDX-License-Identifier: MIT
"""Abstract: hardware "supports the required throughput and consumes less power".

So a charged PDA is to stay connected for longer.  The paper measures neither power nor energy; it
is a claim without figures.

Ours: the rebuilt core, our own core, and a processor (PicoRV32) that runs the library's code become
gates of one 180 nm cell library, work on random blocks, and OpenSTA prices what each gate did, all
at 50 MHz.  Programs are compiled at three levels too.  The battery is that of the phone in
`aesfit wlan`.

What differs: this is a proxy before layout, without RAM, wires and clock buffers; it compares these
designs with each other and tells nothing of an FPGA or a phone.  The paper speaks of power at the
throughput that a network asks for, so power is held at equal throughput, for each core against the
best of the two programs; power at equal clock is shown.  The two were chosen with the processor's
own flags: at -O2 and -O3 `ttable_diffused` takes fewer cycles than either, and is not priced.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.hardware.cpu import CPU
from aesfit.hardware.energy import PACKET_BYTES, SOFTWARE, TECHNOLOGY, EnergyRow
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit.wlan.battery import DEFAULT, Battery, battery_named
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.energy import priced, tools_told
from aesfit_papers.judging.levels import LEVELS, OWN_FLAGS, job_at, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, at, in_row, told
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import number, table

NUMBER = "Abstract"
TITLE = "Power and energy of hardware and of software"
COLUMNS = (
    Column("design"),
    Column("kind"),
    Column("flags"),
    Column("cells"),
    Column("cycles_per_block", "cycles"),
    Column("changes_per_cycle"),
    Column("milliwatts", "mW"),
    Column("mbit_per_s", "Mbit/s"),
    Column("pj_per_bit", "pJ/bit"),
    Column("uj_per_packet", "uJ"),
    Column("million_packets", "of a battery"),
)
FAST = False
_DESIGNS = ("aes32_paper", "aes32")


def rows(progress: Progress) -> Measured:
    """Two cores, and a processor with two programs at every level."""
    battery, found = battery_named(DEFAULT), priced(_DESIGNS, progress)
    made = [_row(one, OWN_FLAGS, battery) for one in found.cores]
    made += [_row(one, level, battery) for level, some in found.programs.items() for one in some]
    jobs = [
        job_at(Job(platform_named(CPU), core, 128, "encrypt-block"), level)
        for level, core in product(LEVELS, SOFTWARE)
    ]
    capacity = f"{battery.capacity.value:g} mAh, {battery.voltage.value:g} V"
    return Measured(
        made,
        (TECHNOLOGY, tools_told(found.cores[0]), f"battery: {battery.title}, {capacity}",
         *lines(measured(jobs, progress))),
    )  # fmt: skip


def _row(one: EnergyRow, level: str | None, battery: Battery) -> Row:
    return {
        "design": one.design,
        "kind": one.kind,
        "flags": level,
        "cells": one.cells,
        "cycles_per_block": one.cycles_per_block,
        "changes_per_cycle": one.changes_per_cycle,
        "milliwatts": one.watts * 1e3,
        "mbit_per_s": one.watts / (one.pj_per_bit * 1e-12) / 1e6,
        "pj_per_bit": one.pj_per_bit,
        "uj_per_packet": one.uj_per_packet,
        "million_packets": battery.joules / one.uj_per_packet,
    }


def _both(rows: Sequence[Row], column: str, level: str | None) -> dict[ClaimPlace, Pair]:
    """By core: the best program at that level, against it."""
    programs = [row for row in rows if row["kind"] == "software" and row["flags"] == level]
    best = min(programs, key=lambda row: figure(row[column]))
    return {
        in_row(row, "design").beside(best, "design", "flags"): Pair(
            figure(best[column]), figure(row[column])
        )
        for row in rows
        if row["kind"] == "hardware"
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Power at equal throughput, which is energy for a bit."""
    power = {
        design + told(level, "level"): Pair(pair.a / 1e3, pair.b / 1e3)
        for level in RELEASE
        for design, pair in _both(rows, "pj_per_bit", level).items()
    }
    return [
        Claim("Hardware consumes less power than software at equal throughput (mW for each "
              "Mbit/s).", "order", power),
    ]  # fmt: skip


def _at_one_clock(rows: Sequence[Row]) -> Words:
    """Power at equal clock, which the paper does not speak of."""
    core = found(rows, "design")("aes32")
    best = min(
        (row for row in rows if row["kind"] == "software"),
        key=lambda row: figure(row["cycles_per_block"]),
    )
    times = figure(best["cycles_per_block"]) / figure(core["cycles_per_block"])
    power = _both(rows, "milliwatts", OWN_FLAGS)[at(design="aes32")]
    return Words(
        f"At equal clock aes32 draws {power.b:.1f} mW and the best program {power.a:.1f}: a gate "
        f"of aes32 changes {figure(core['changes_per_cycle']):.2f} times a cycle, one of the "
        f"processor {figure(best['changes_per_cycle']):.2f} times. For its power aes32 encrypts "
        f"{times:.0f} times as fast."
    )


def _each(rows: Sequence[Row], column: str) -> str:
    """Rounded, in the order of the bars."""
    return ", ".join(f"{figure(row[column]):.0f}" for row in rows)


def render(rows: Sequence[Row]) -> list[Part]:
    """Table and bars."""
    rows = with_own_flags(rows)
    columns = (
        *(("design", "design"), ("cells", "cells"), ("cycles", "cycles_per_block")),
        *(
            ("changes", "changes_per_cycle"),
            ("mW", "milliwatts"),
            ("Mbit/s", "mbit_per_s"),
        ),
        *(("uJ", "uj_per_packet"), ("million packets", "million_packets")),
    )
    note = (
        f"At 50 MHz. Cycles: of a block; changes: of a gate in a cycle; uJ: for {PACKET_BYTES} "
        "bytes in ECB; million packets: of a full phone battery that does nothing else. Memories, "
        "wires and clock buffers are left out, for hardware and software alike."
    )
    names = [str(row["design"]) for row in rows]
    power = [Bars("mW at 50 MHz", [figure(row["milliwatts"]) for row in rows])]
    energy = [Bars("uJ for a packet", [figure(row["uj_per_packet"]) for row in rows])]
    best = {
        kind: min(figure(row["pj_per_bit"]) for row in rows if row["kind"] == kind)
        for kind in ("hardware", "software")
    }
    told = (
        f"Software takes {number(best['software'] / best['hardware'])} times the energy of "
        "hardware for a bit. What this means for a phone depends on what its radio and display "
        "draw, which nothing here measures."
    )
    return [
        table("One 180 nm library, gates alone", rows, columns, note=note),
        Figure("Power at the same clock", bars(names, power, Scale("mW")), ".svg",
               f"Bars: two cores and a processor with two programs, {_each(rows, 'milliwatts')} "
               "mW."),
        Figure("Energy for a packet", bars(names, energy, Scale("uJ", log=True)), ".svg",
               f"Bars: two cores and a processor with two programs, {_each(rows, 'uj_per_packet')} "
               "uJ."),
        _at_one_clock(rows),
        Words(told),
    ]  # fmt: skip
