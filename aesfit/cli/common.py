# SPDX-License-Identifier: MIT
"""What the verbs share: checked names and printing."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from ..cachemodel.versions import modelled_cores
from ..catalog import cores as all_cores
from ..choosing.request import ghash_of
from ..errors import unknown
from ..jobs import message
from ..jobs.job import Job, Progress
from ..jobs.message import MODES
from ..platforms.platform import Platform, platform_named
from ..report import picture
from ..rigs import rig_named
from ..rigs.rig import RigUnavailableError
from ..units import parse_size
from .console import console as console

if TYPE_CHECKING:
    from rich.console import Console

_LONGEST_EMULATED = 1 << 20
"""Bytes; the slowest core takes some minutes with it."""
Align = Literal["<", ">"]


def print_text(out: "Console", text: str, style: str | None = None) -> None:
    """Print a sentence, folded only where a person reads it."""
    out.print(text, style=style, markup=False, soft_wrap=not out.is_terminal)


def print_table(
    out: "Console",
    columns: Sequence[tuple[str, Align]],
    rows: Sequence[Sequence[str]],
    expendable: Sequence[str] = (),
    styles: Mapping[int, str] | None = None,
) -> None:
    """Print a table in plain lines, without its `expendable` columns as far as it is too wide.

    `styles` by row, counted from 0.
    """
    kept = list(range(len(columns)))
    widths = [max(len(row[i]) for row in (*rows, [name for name, _ in columns])) for i in kept]
    for name in expendable:
        if sum(widths[i] + 2 for i in kept) - 2 <= out.width:
            break
        kept.remove([heading for heading, _ in columns].index(name))

    def line(cells: Sequence[str]) -> str:
        return "  ".join(f"{cells[i]:{columns[i][1]}{widths[i]}}" for i in kept).rstrip()

    out.print(line([name for name, _ in columns]), style="bold", markup=False, soft_wrap=True)
    for number, row in enumerate(rows):
        style = (styles or {}).get(number)
        out.print(line(row), style=style, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON."""
    typer.echo(json.dumps(value, indent=2))


def mode_named(mode: str, more: Sequence[str] = ()) -> str:
    """Return the mode of that name, also spelt as in Python ("cbc-cs3", "cbc-pkcs7").

    `more`: other names that may stand there.  A usage error names the nearest.
    """
    allowed = (*MODES, *more)
    name = mode.lower().replace("-", "_")
    name = "pkcs7" if name == "cbc_pkcs7" else name
    if name not in allowed:
        raise typer.BadParameter(str(unknown("mode", mode, allowed)), param_hint="--mode")
    return name


def listed(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def names_given(text: str, option: str, allowed: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of a list with commas, of which there must be one."""
    names = listed(text)
    if not names:
        choice = f": {', '.join(allowed)}" if allowed else ", or leave the option out"
        raise typer.BadParameter(f"name at least one{choice}", param_hint=option)
    return names


def able_cores(platform: Platform, names: Sequence[str]) -> list[str]:
    """Those of the names, or of all cores, that a platform can run; a usage error tells why not."""
    able = modelled_cores(platform)
    needs = {core.name: core.needs for core in all_cores()}
    for name in names:
        if needs.get(name) and name not in able:
            raise typer.BadParameter(
                f"core '{name}' needs {needs[name]}, which {platform.name} lacks",
                param_hint="--core",
            )
        if name not in able:
            error = unknown("core", name, able)
            raise typer.BadParameter(f"on {platform.name} {error}", param_hint="--core")
    return list(dict.fromkeys(names)) or able


def check_message(job: Job) -> None:
    """Refuse what a mode cannot take, and what would be emulated for many minutes; ValueError."""
    if job.platform.exact and (job.bytes or 0) > _LONGEST_EMULATED:
        raise ValueError(
            f"messages of {job.bytes} bytes take too long to emulate; give {_LONGEST_EMULATED} or "
            "fewer, where cycles a byte no longer change"
        )
    message.check(job)


def count_on_host(instructions: bool) -> None:
    """Whether the rig of this computer has instructions counted, beside its cycles."""
    from ..rigs.host.rig import HostRig  # start-up time

    host = rig_named("host")
    assert isinstance(host, HostRig)  # noqa: S101 - rigs/__init__.py makes it
    host.instructions = instructions


def check_ghash(ghash: str | None, mode: str | None) -> None:
    """Refuse a GHASH multiplier where none is used."""
    if ghash is not None and mode != "gcm":
        raise typer.BadParameter("only gcm has one; give --mode gcm too", param_hint="--ghash")


def platforms_named(text: str) -> list[Platform]:
    """Return the platforms of a list with commas; a usage error names the nearest."""
    names = listed(text)
    if not names:
        raise typer.BadParameter("name at least one platform", param_hint="--platform")
    try:
        return [platform_named(name) for name in names]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--platform") from None


def ghash_named(name: str | None, platform: Platform) -> str:
    """Return `name` when such a GHASH multiplier exists; without one, what fits the platform."""
    try:
        return ghash_of(platform, name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--ghash") from None


def size_given(text: str | None, option: str) -> int | None:
    """Bytes of an option; a usage error says how sizes are written."""
    if text is None:
        return None
    try:
        return parse_size(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Progress]:
    """Show a bar on standard error where a person watches; gives the function to report to."""
    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import Progress as ProgressBar  # start-up time

    with ProgressBar(console=out, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def check_output(path: Path | None, option: str, suffixes: Sequence[str] = ()) -> None:
    """Refuse, before anything is measured, a file that could not be written in the end."""
    if path is None:
        return
    if suffixes and path.suffix not in suffixes:
        raise typer.BadParameter(
            f"'{path.name}' ends in none of {', '.join(suffixes)}", param_hint=option
        )
    if path.is_dir():
        raise typer.BadParameter(f"'{path}' is a folder; name a file in it", param_hint=option)
    if not path.parent.is_dir():
        raise typer.BadParameter(
            f"there is no folder '{path.parent}'; make it, or choose another", param_hint=option
        )
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise typer.BadParameter(
            f"the folder '{path.parent}' cannot be written; choose another", param_hint=option
        )


def check_not_input(path: Path | None, option: str, source: Path | None) -> None:
    """Refuse an output that is the input, under whatever name."""
    if path is None or source is None or not (path.exists() and source.exists()):
        return
    if path.samefile(source):
        raise typer.BadParameter("that is the input; name another file", param_hint=option)


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: beside it first, then renamed; a device is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.umask(mask := os.umask(0o077))  # there is no other way to ask for it
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check_picture(
    path: Path | None, option: str = "--plot", suffixes: Sequence[str] = picture.SUFFIXES
) -> None:
    """Refuse a picture that cannot be written or drawn, before anything is measured."""
    check_output(path, option, suffixes)
    reason = picture.why_not() if path else None
    if reason:
        raise RigUnavailableError(reason)
