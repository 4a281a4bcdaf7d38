# SPDX-License-Identifier: MIT
"""`aesfit cores selftest`: known answers of every core, and NIST's files of vectors."""

from json import dumps
from pathlib import Path
from typing import Annotated

import click

from .. import _native
from ..acvp.run import AcvpReport, read, run
from ..catalog import cores
from ..errors import SelfTestError
from ..units import count
from .common import check_not_input, check_output, print_json, usage, write_file
from .declared import Option
from .options import Json

_SHOWN = 10
"""Number of wrong answers printed; --json has all."""


def command(
    acvp: Annotated[
        list[Path] | None,
        Option(
            "--acvp",
            metavar="<file>",
            exists=True,
            help="Run this JSON file of NIST's ACVP. [known answers]",
        ),
    ] = None,
    expected: Annotated[
        Path | None,
        Option(
            metavar="<file>",
            exists=True,
            help="Expected answers, if the vector file has none. [none]",
        ),
    ] = None,
    responses: Annotated[
        Path | None,
        Option("-o", "--output", metavar="<file>", help="Write our answers as JSON. [none]"),
    ] = None,
    core: Annotated[
        str | None,
        Option(metavar="<core>", help="Core to test with the file. [the library's choice]"),
    ] = None,
    json: Json = False,
) -> None:
    """Check every core that this processor can run against known answers."""
    if acvp:
        _acvp(acvp, expected, responses, core, json)
        return
    for option, value in (("--expected", expected), ("--output", responses), ("--core", core)):
        if value is not None:
            raise click.BadParameter("it goes with --acvp", param_hint=option)
    _known_answers()


def _known_answers() -> None:
    try:
        _native.self_test()
    except SelfTestError as error:
        click.echo(f"aesfit: {error}", err=True)
        raise click.exceptions.Exit(1) from None
    run = [core.name for core in cores() if core.available]
    click.echo(f"{len(run)} cores give the known answers: {' '.join(run)}")
    for core in cores():
        if not core.available:
            click.echo(f"not run: {core.name}, which needs {core.needs}")


def _acvp(
    files: list[Path],
    expected: Path | None,
    responses: Path | None,
    core: str | None,
    json: bool,
) -> None:
    """Run files; exits with 1 if an answer differs from the expected one."""
    if len(files) > 1 and (expected or responses):
        raise click.BadParameter("it takes one file; run the files one by one", param_hint="--acvp")
    check_output(responses, "--output")
    check_not_input(responses, "--output", files[0])
    with usage("--core"):
        if core is not None:
            _native.AES(bytes(16), core)
    with usage("--expected"):
        answers = None if expected is None else read(expected)
    reports = []
    for path in files:
        with usage("--acvp"):
            report = run(read(path), answers, core)
        reports.append(report)
        if responses is not None:
            write_file(responses, dumps(report.responses, indent=2).encode() + b"\n")
        if not json:
            _tell(path, report, responses)
    if json:
        print_json(
            [{"file": str(path), **one.as_json()} for path, one in zip(files, reports, strict=True)]
        )
    if any(report.wrong for report in reports):
        raise click.exceptions.Exit(1)


def _tell(path: Path, report: AcvpReport, responses: Path | None) -> None:
    told = [f"{count(report.right)} right", f"{count(len(report.wrong))} wrong"]
    if report.unanswered:
        told.append(f"{count(report.unanswered)} with no answer to compare with")
    click.echo(f"{path}: {report.algorithm}: {', '.join(told)}")
    for why, many in report.left.items():
        click.echo(f"  {count(many)} not run: {why}")
    for sentence in report.wrong[:_SHOWN]:
        click.echo(f"aesfit: {sentence}", err=True)
    if len(report.wrong) > _SHOWN:
        click.echo(f"aesfit: and {count(len(report.wrong) - _SHOWN)} more", err=True)
    if report.unanswered and responses is None:
        click.echo("aesfit: give expected answers with --expected, or write ours with -o", err=True)
