# SPDX-License-Identifier: MIT
"""`aesfit papers report`: the five papers beside what was measured, as one page."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import click

from aesfit.cli.common import console, print_text, progress_bar, write_file
from aesfit.cli.declared import Option
from aesfit.extras import EMULATOR, PLOTS
from aesfit.report import picture
from aesfit.rigs.rig import RigUnavailableError

from ..judging.catalog import experiments
from ..judging.contract import Figure
from ..judging.maps import every_map
from ..reporting import headline, map_picture
from ..reporting import more as papers_more
from ..reporting import page as papers
from .again import need

DEFAULT = Path("report")
PAGE = "index.html"
UNFINISHED = papers.Extra(
    "unfinished",
    "Tables and pictures",
    "<p class=missing>They are still being drawn; reload the page in a moment.</p>",
)
EPILOG = (
    "Results are read from aesfit_papers/*/results (aesfit papers run all makes them). Fronts and "
    "best cores are shown if they are stored; --measure measures the others, which takes "
    "minutes, after the papers are written."
)


def command(
    folder: Annotated[
        Path,
        Option("--output", "-o", metavar="<folder>", help="Folder to write; created if missing."),
    ] = DEFAULT,
    measure: Annotated[
        bool,
        Option(
            "--measure",
            help="Measure fronts, best cores and placed hardware if they are not stored.",
        ),
    ] = False,
) -> None:
    """Write the report on the papers: a self-contained index.html, and its pictures."""
    need("the report", (*PLOTS, *EMULATOR))
    reason = picture.why_not()
    if reason:
        raise RigUnavailableError(reason)
    _make_ready(folder)
    _write_claims(folder)
    sections = _sections()
    maps = map_picture.figures(every_map())
    page = papers.render(sections, [], maps).encode()
    made = {PAGE: page, **headline.files_of(sections, maps)}
    for name, content in made.items():
        write_file(folder / name, content)
    _tell(folder, made, [one.experiment.name for one in sections if one.measured is None])
    _add_extras(folder, sections, maps, measure=measure)


def _make_ready(folder: Path) -> None:
    """Create the folder first; a usage error if it cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise click.BadParameter(f"'{folder}' is a file; name a folder", param_hint="--output")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        told = f"the folder '{folder}' cannot be made ({error.strerror}); choose another"
        raise click.BadParameter(told, param_hint="--output") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        told = f"the folder '{folder}' cannot be written; choose another"
        raise click.BadParameter(told, param_hint="--output")


def _write_claims(folder: Path) -> None:
    """Write a page with every claim and verdict at once, to be read while the rest is drawn."""
    claims = [papers.section(one, drawn=False) for one in experiments()]
    write_file(folder / PAGE, papers.render(claims, [UNFINISHED]).encode())


def _sections() -> list[papers.Section]:
    every = experiments()
    sections = []
    with progress_bar("rendering experiments", quiet=False) as progress:
        for done, one in enumerate(every, 1):
            sections.append(papers.section(one))
            progress(done, len(every))
    return sections


def _add_extras(
    folder: Path,
    sections: Sequence[papers.Section],
    maps: Mapping[str, Figure],
    *,
    measure: bool,
) -> None:
    """Write the full page, with what is stored or, with --measure, what is measured."""
    if measure:
        with progress_bar("measuring fronts and best cores", quiet=False) as progress:
            extras = papers_more.extras(progress)
    else:
        extras = papers_more.stored_extras()
    write_file(folder / PAGE, papers.render(sections, extras, maps).encode())
    left = [one for one in extras if one.key == papers_more.UNMEASURED]
    if left:
        told = f"left out are fronts and best cores that are not stored; {papers_more.COMMAND}"
        print_text(console(), f"{told} -o {folder} adds them")


def _tell(folder: Path, made: dict[str, bytes], without: list[str]) -> None:
    out = console()
    for name, content in made.items():
        print_text(out, f"{folder / name}  {len(content) / 1e6:.2f} MB")
    if without:
        told = f"these have no results and are empty: {', '.join(without)}; measure them with: "
        print_text(out, told + "aesfit papers run all --host", style="bold yellow")
