# SPDX-License-Identifier: MIT
"""`aesfit fit --clock sweep`: the answer over the clocks of a chip."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ..api.fit import fit
from ..choosing.answer import Answer
from ..choosing.clock_sweep import ClockSweep, chip_of, clock_sweep, rows_of
from ..choosing.request import Request
from ..choosing.words import question
from ..platforms.platform import Platform
from .common import (
    Align,
    console,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .declared import Asked
from .fit_options import ResultOptions
from .records import print_csv

_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("MHz", ">"),
    ("wait states", ">"),
    ("core", "<"),
    ("cycles", ">"),
    ("Mbit/s", ">"),
    ("uJ", ">"),
)


def check_alone(result: ResultOptions, more: Mapping[str, object]) -> None:
    """Refuse options that need one clock; `more`: others, by option."""
    alone = {"--html": result.html_file, "--emit": result.emit, **more}
    for option, value in alone.items():
        if value is not None:
            raise click.BadParameter(f"name one clock with {option}", param_hint="--clock")


def show_sweep(
    platform: Platform, asked: Asked, plot_file: Path | None, *, json: bool, csv: bool
) -> None:
    """Ask at every clock; print the answers, and draw them if a file is named."""
    chip_of(platform)
    with progress_bar("measuring at each wait state", quiet=json or csv) as progress:
        asked_at = partial(fit, platform, **asked, progress=progress)
        highest = asked_at()
        waits = highest.choice.request.platform.memories

        def ask(request: Request) -> Answer:
            same = request.platform.memories == waits
            return highest if same else asked_at(clock_hz=request.clock)

        found = clock_sweep(highest.choice.request, ask)
    if plot_file is not None:
        from ..report import clock_plot  # start-up time

        write_file(plot_file, clock_plot.render(found, plot_file.suffix))
    if csv:
        print_csv(asdict(one) for one in found.points)
    elif json:
        print_json(found.as_json())
    else:
        _print(found)


def _print(found: ClockSweep) -> None:
    out, request = console(), found.request
    print_text(out, f"{request.platform.title} over its clock: {question(request)}")
    print_table(out, _COLUMNS, rows_of(found.ends))
    print_text(
        out,
        "cycles, uJ: of one message; both ends of each stretch of clocks with the same wait states "
        "(--json has more clocks); uJ: by the currents of the data sheet",
        style="dim",
    )
    for origin in found.origins:
        print_text(out, f"at some clocks {origin.told}", style="dim")
    print_text(out, found.sentence, style="bold")
