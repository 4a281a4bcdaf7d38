# SPDX-License-Identifier: MIT
"""`aesfit sweep`: a table of figures over the cross product of designs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as ProgressBar
from rich.text import Text

from ..jobs.job import Progress
from ..platforms.trust import any_trusted
from ..sweep.run import Summary, sweep
from ..sweep.runners import Dask, Local, Runner
from ..sweep.spec import Spec, read_spec
from ..sweep.table import check_available
from ..units import count
from .common import check_output, console, print_json
from .console import bar_console
from .declared import Argument, Option
from .progress import progress_lines

_SHOWN = 10
"""Number of failure reasons printed; the table has all."""


class _Rate(ProgressColumn):
    """The recent rate in points per second."""

    def render(self, task: Task) -> Text:
        """The rate; empty as long as it is unknown."""
        return Text(f"{count(task.speed)}/s" if task.speed else "", style="progress.data.speed")


@contextmanager
def _bar(what: str, *, quiet: bool) -> Iterator[Progress]:
    """Show points done, rate and time left; lines where standard error is no terminal."""
    if quiet:
        yield lambda done, total: None
        return
    if not console(stderr=True).is_terminal:
        with progress_lines(what, lambda line: click.echo(line, err=True)) as told:
            yield told
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with ProgressBar(
        *columns, _Rate(), TimeRemainingColumn(), console=bar_console(), transient=True
    ) as bar:
        task = bar.add_task(what, total=None, start=False)

        def report(done: int, total: int) -> None:
            if not bar.tasks[0].started:  # kept points took no time in this run
                bar.reset(task, completed=done, total=total)
            else:
                bar.update(task, completed=done, total=total)

        yield report


@dataclass(frozen=True)
class SweepOptions:
    """The run."""

    jobs: Annotated[
        int | None,
        Option(
            "--jobs", "-j", metavar="<n>", help="Number of processes. [one per processor]", min=1
        ),
    ] = None
    dask: Annotated[
        str | None,
        Option(metavar="<address>", help="Run on the Dask cluster of this scheduler. [here]"),
    ] = None
    retry: Annotated[bool, Option("--retry", help="Evaluate failed points again.")] = False
    fresh: Annotated[bool, Option("--fresh", help="Discard the existing table.")] = False

    def runner(self) -> Runner:
        """The processes that evaluate points."""
        if self.dask is None:
            return Local(self.jobs or os.cpu_count() or 1)
        if self.jobs is not None:
            raise click.BadParameter(
                "the cluster decides the number of processes; leave it out", param_hint="--jobs"
            )
        return Dask(self.dask)


def _read(path: Path) -> Spec:
    try:
        return read_spec(path)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="SPEC") from None


def _show(summary: Summary, output: Path) -> None:
    click.echo(
        f"{output}: {count(summary.points)} points, {count(summary.kept)} kept from before, "
        f"{count(summary.evaluated)} evaluated, {count(summary.failed)} without figures."
    )
    if summary.stale:
        click.echo(
            f"{count(summary.stale)} were evaluated again, because sources, tools or platform "
            "files have changed since."
        )
    reasons = list(summary.failures.items())
    for reason, points in reasons[:_SHOWN]:
        click.echo(f"aesfit: {count(points)} points: {reason}", err=True)
    if len(reasons) > _SHOWN:
        click.echo(f"aesfit: and {len(reasons) - _SHOWN} more reasons, see 'error'", err=True)


def _json(summary: Summary, output: Path) -> dict[str, Any]:
    return {
        "output": str(output),
        "points": summary.points,
        "kept": summary.kept,
        "evaluated": summary.evaluated,
        "stale": summary.stale,
        "failed": summary.failed,
        "failures": dict(summary.failures),
    }


def command(
    spec: Annotated[
        Path, Argument(metavar="SPEC.toml", help="Sweep file: the designs to evaluate.")
    ],
    output: Annotated[
        Path, Option("-o", "--output", metavar="<file.parquet>", help="Table to write.")
    ],
    run: SweepOptions,
    json: Annotated[bool, Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate thousands of designs; a stopped sweep continues where it was."""
    check_output(output, "-o", (".parquet",))
    check_available()
    from ..sweep.evaluate import EVALUATORS  # brings NumPy, which the other verbs do without

    runner, asked = run.runner(), _read(spec)
    try:
        with _bar(f"sweeping {spec.name}", quiet=json) as progress:
            summary = sweep(
                asked.points,
                asked.platforms,
                output,
                evaluators=EVALUATORS,
                runner=runner,
                fresh=run.fresh,
                retry=run.retry,
                trusted=any_trusted(),
                progress=progress,
            )
    except KeyboardInterrupt:
        click.echo(
            "aesfit: stopped; finished points are kept, the same command continues", err=True
        )
        raise click.exceptions.Exit(1) from None
    if json:
        print_json(_json(summary, output))
    else:
        _show(summary, output)
    if summary.failed == summary.points:
        raise click.exceptions.Exit(1)
