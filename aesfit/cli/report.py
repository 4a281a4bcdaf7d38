# SPDX-License-Identifier: MIT
"""`aesfit report`: the five papers beside what was measured, as one page."""

from pathlib import Path
from typing import Annotated

import typer

from ..papers import headline
from ..papers import report as papers
from ..papers import report_more as papers_more
from ..papers.catalog import experiments
from ..report import picture
from ..rigs.rig import RigUnavailableError
from .common import console, print_text, progress_bar, write_file

DEFAULT = Path("report")
EPILOG = (
    "Results are read from experiments/*/results (aesfit experiment all makes them); fronts and "
    "best cores are measured where they are not stored."
)


def command(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="<folder>", help="Made if it is not there.")
    ] = DEFAULT,
) -> None:
    """Write the report: index.html, which needs nothing else, and pictures for a page."""
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"'{folder}' is a file; name a folder", param_hint="--output")
    reason = picture.why_not()
    if reason:
        raise RigUnavailableError(reason)
    every = experiments()
    with progress_bar("rendering experiments", quiet=False) as progress:
        sections = []
        for done, one in enumerate(every, 1):
            sections.append(papers.section(one))
            progress(done, len(every))
    with progress_bar("finding what no other beats", quiet=False) as progress:
        extras = papers_more.extras(progress)
    folder.mkdir(parents=True, exist_ok=True)
    made = {"index.html": papers.render(sections, extras).encode(), **headline.files_of(sections)}
    for name, content in made.items():
        write_file(folder / name, content)
    _tell(folder, made, [one.experiment.name for one in sections if one.measured is None])


def _tell(folder: Path, made: dict[str, bytes], without: list[str]) -> None:
    out = console()
    for name, content in made.items():
        print_text(out, f"{folder / name}  {len(content) / 1e6:.2f} MB")
    if without:
        told = f"without results, and so left empty: {', '.join(without)}; measure them with: "
        print_text(out, told + "aesfit experiment all --host", style="bold yellow")
