# SPDX-License-Identifier: MIT
"""`aesfit silicon`: what the Verilog cores cost on FPGAs, and how fast they are there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from ..hardware.designs import DESIGNS, Design, design_named
from ..hardware.families import FAMILIES, TARGET_MHZ, Family, family_named
from ..hardware.place import SEEDS
from ..hardware.published import PUBLISHED, PublishedCore
from ..hardware.rows import SiliconQuestion, SiliconRow, ratio, rows
from ..report import silicon_plot
from ..rigs import rig_named
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
from .options import Csv, Json
from .records import check_form, print_csv
from .silicon_bounds import show as show_bounds

EPILOG = "Designs: " + "; ".join(f"{one.name}: {one.what}" for one in DESIGNS) + "."
COMPARED = ("aes32", "aes32_loaded", "aes32_loaded_table", "aes32x2", "aes32x2_loaded")
COLUMNS: tuple[tuple[str, Align], ...] = (
    *(("design", "<"), ("family", "<"), ("LUTs", ">"), ("slices", ">"), ("FFs", ">")),
    *(("RAMs", ">"), ("RAM bits", ">"), ("MHz", ">"), ("best", ">"), ("cycles", ">")),
    *(("Mbit/s", ">"), ("Mbit/s/LUT", ">")),
)


def _designs(text: str | None) -> tuple[Design, ...]:
    if text is None:
        return tuple(one for one in DESIGNS if not one.by_name)
    try:
        return tuple(design_named(name) for name in names_given(text, "--design"))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--design") from None


def _families(text: str | None) -> tuple[Family, ...]:
    if text is None:
        return FAMILIES
    try:
        return tuple(family_named(name) for name in names_given(text, "--family"))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--family") from None


def _cell(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _least(slices: int | None) -> str:
    return "-" if slices is None else f">={slices}"


def _cells(row: SiliconRow) -> list[str]:
    return [
        *(row.design, row.family, str(row.luts), _least(row.least_slices)),
        *(str(row.flip_flops), str(row.ram_blocks)),
        *(str(row.ram_bits), _cell(row.fmax_mhz, 1), _cell(row.fmax_best, 1)),
        *(f"{row.cycles_per_block:g}", _cell(row.mbit_per_s, 1), _cell(row.mbit_per_s_per_lut, 3)),
    ]


def _published(one: PublishedCore) -> list[str]:
    return [
        *(one.design, one.device, "-", _cell(one.slices), _cell(one.flip_flops)),
        *(_cell(one.ram_blocks), "-", _cell(one.fmax_mhz, 1), "-", _cell(one.cycles_per_block)),
        *(_cell(one.mbit_per_s, 1), "-"),
    ]


def _comparisons(found: list[SiliconRow]) -> list[str]:
    """Ours against the paper's core: with key expansion, without, and with as little RAM."""
    by = {(row.design, row.family): row for row in found}
    told = []
    for family in dict.fromkeys(row.family for row in found):
        paper = by.get(("aes32_paper", family))
        ours = [by[name, family] for name in COMPARED if (name, family) in by]
        if paper is None or not ours:
            continue
        ratios = ", ".join(f"{row.design} {ratio(row, paper):.2f}" for row in ours)
        clocked = all(row.mbit_per_s for row in (*ours, paper))
        at = "" if clocked else " (at equal clocks, because none is known there)"
        told.append(f"Mbit/s per LUT relative to aes32_paper, {family}: {ratios}{at}.")
    return told


def _cycles_from(found: list[SiliconRow]) -> list[str]:
    """How cycles were found; names the designs if that differs."""
    ways: dict[str, dict[str, None]] = {}
    for row in found:
        ways.setdefault(row.cycles_from, {})[row.design] = None
    if len(ways) == 1:
        return [f"Cycles a block: {found[0].cycles_from}."]
    return [f"Cycles a block of {', '.join(designs)}: {way}." for way, designs in ways.items()]


def _notes(found: list[SiliconRow], seeds: int) -> list[str]:
    reasons: dict[str, None] = {}
    for row in found:
        for reason in row.why.values():
            reasons[f"{row.family}: {reason}." if "place and" in reason else
                    f"{row.design}: {reason}."] = None  # fmt: skip
    devices = ", ".join(
        f"{family.name} {family.device.title}"
        for family in FAMILIES
        if family.device and any(row.family == family.name for row in found)
    )
    placed = [
        f"MHz is the median of {seeds} seeds of nextpnr (asked for {TARGET_MHZ} MHz), best the "
        f"best of them; {devices}."
    ]
    return [
        *(placed if devices else []),
        "RAM bits are those that the RAM blocks hold: words that a port addresses times the bits "
        "of a word that something reads; a table stored twice counts twice.",
        *_cycles_from(found),
        *reasons,
        "Published rows are below ours: slices are not LUTs, and their clocks hold for other "
        "devices and tools, so they have no Mbit/s/LUT.  Our slices are those full of "
        "look-up tables or flip-flops, whichever are more.",
    ]


def _print(found: list[SiliconRow], seeds: int) -> None:
    cells = [*map(_cells, found), *map(_published, PUBLISHED)]
    styles = dict.fromkeys(range(len(found), len(cells)), "dim")
    out = console()
    print_table(out, COLUMNS, cells, ("slices", "best", "RAM bits"), styles)
    for sentence in (*_comparisons(found), *_notes(found, seeds)):
        print_text(out, sentence)


def _leave_out(given: Mapping[str, object], why: str) -> None:
    """A usage error for the first of these options that is given."""
    for option, value in given.items():
        if value is not None:
            raise click.BadParameter(f"{why}; leave {option} out")


@dataclass(frozen=True)
class DesignOptions:
    """Designs, and where they are placed."""

    design: Annotated[
        str | None, Option(metavar="<design,..>", help="Only these designs. [all]")
    ] = None
    family: Annotated[
        str | None, Option(metavar="xc2vp|ecp5|ice40", help="Only these FPGA families. [all]")
    ] = None
    seeds: Annotated[
        int | None,
        Option(metavar="<n>", help=f"Number of place-and-route runs. [{SEEDS}]", min=1, max=100),
    ] = None

    def question(self, *, fresh: bool) -> SiliconQuestion:
        """What is asked for; a usage error names what there is not."""
        seeds = self.seeds or SEEDS
        return SiliconQuestion(_designs(self.design), _families(self.family), seeds, fresh)


def command(
    asked: DesignOptions,
    energy: Annotated[
        bool,
        Option("--energy", help="Compare energy with a soft processor's, estimated at 180 nm."),
    ] = False,
    bounds: Annotated[
        bool,
        Option("--bounds", help="Show the goals of three designs, and whether they are met."),
    ] = False,
    plot: Annotated[
        Path | None,
        Option(metavar="<file.svg|png>", help="Draw look-up tables and Mbit/s. [none]"),
    ] = None,
    json: Json = False,
    csv: Csv = False,
    fresh: Annotated[bool, Option("--fresh", help="Run the tools again.")] = False,
) -> None:
    """Synthesise the Verilog cores, place and route them, and compare them."""
    given = {"--family": asked.family, "--seeds": asked.seeds, "--plot": plot}
    if bounds:
        given |= {"--design": asked.design, "--energy": energy or None}
        _leave_out(given, "--bounds has designs of its own")
        show_bounds(json=json, csv=csv, fresh=fresh)
    elif energy:
        _leave_out(given, "--energy uses a cell library")
        rig_named("rtl")  # or reports missing packages
        from .silicon_energy import show  # needs the packages of that rig

        show(_designs(asked.design), json=json, csv=csv, fresh=fresh)
    else:
        _table(asked.question(fresh=fresh), plot, json=json, csv=csv)


def _table(question: SiliconQuestion, plot: Path | None, *, json: bool, csv: bool) -> None:
    """Measure, draw and print."""
    check_picture(plot)
    with progress_bar("running Yosys and nextpnr", quiet=json or csv) as progress:
        found = rows(question, progress)
    if plot is not None:
        write_file(plot, silicon_plot.render(found, plot.suffix))
    if check_form(json, csv):
        (print_csv if csv else print_json)([row.json() for row in found])
        return
    _print(found, question.seeds)
