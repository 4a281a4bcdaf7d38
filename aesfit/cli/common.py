# SPDX-License-Identifier: MIT
"""Functions that verbs share: checking names, printing, writing files."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

import click

from ..api.arguments import check_multiplier, cores_on, mode_called
from ..choosing.multipliers import ghash_of
from ..choosing.request import KEY_BITS
from ..errors import ArgumentError
from ..jobs.job import Progress
from ..platforms.boards import named
from ..platforms.platform import Platform
from ..rigs.rig import RigUnavailableError
from ..units import parse_size
from .console import Console, bar_console
from .console import console as console
from .declared import option_called
from .progress import progress_lines
from .records import head_of_verb

Align = Literal["<", ">"]
_LEAST_FOLDED = 18
"""Columns of text; text is never folded narrower than this."""
_PROVING = (
    "The files are proved too, which takes about 10 seconds a mode and key size the first time; "
    "--no-proof leaves it out."
)


def print_text(out: Console, text: str, style: str | None = None, indent: str = "") -> None:
    """Print a sentence, folded at the console's width; `indent` begins all lines but the first."""
    out.print(folded(text, out.width, indent), style=style)


def folded(text: str, width: int, indent: str = "") -> str:
    """Fold a text to lines of at most `width` characters, without cutting words."""
    lines = (
        fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
    return "\n".join(lines)


def print_table(
    out: Console,
    columns: Sequence[tuple[str, Align]],
    rows: Sequence[Sequence[str]],
    expendable: Sequence[str] = (),
    styles: Mapping[int, str] | None = None,
) -> tuple[str, ...]:
    """Print a table in plain lines; drop `expendable` columns until it fits.

    `styles`: by row number from 0.  A last column of words is folded.  Returns the headings shown.
    """
    kept = list(range(len(columns)))
    widths = [max(len(row[i]) for row in (*rows, [name for name, _ in columns])) for i in kept]
    last = columns[-1]
    folds = last[1] == "<" and last[0] not in expendable
    needed = [*widths[:-1], min(widths[-1], _LEAST_FOLDED) if folds else widths[-1]]
    for name in expendable:
        if sum(needed[i] + 2 for i in kept) - 2 <= out.width:
            break
        kept.remove([heading for heading, _ in columns].index(name))

    def line(cells: Sequence[str]) -> str:
        return "  ".join(f"{cells[i]:{columns[i][1]}{widths[i]}}" for i in kept).rstrip()

    before = sum(widths[i] + 2 for i in kept[:-1])
    words = columns[kept[-1]][1] == "<" and out.width - before >= min(
        _LEAST_FOLDED, widths[kept[-1]]
    )
    out.print(line([name for name, _ in columns]), style="bold")
    for number, row in enumerate(rows):
        style = (styles or {}).get(number)
        told = folded(line(row), out.width, " " * before) if words else line(row)
        out.print(told, style=style)
    return tuple(columns[i][0] for i in kept)


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON; a mapping begins with the head of an answer."""
    told = {**head_of_verb(), **value} if isinstance(value, dict) else value
    click.echo(json.dumps(told, indent=2))


@contextmanager
def usage(option: str | None = None) -> Iterator[None]:
    """Turn a ValueError within into a usage error, about `option` if given."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(told(error), param_hint=option) from None


def told(error: Exception) -> str:
    """Its sentence, with arguments named as options."""
    return error.told(option_called) if isinstance(error, ArgumentError) else str(error)


def mode_named(mode: str, more: Sequence[str] = ()) -> str:
    """The mode of that name; a usage error names the nearest.  `more`: other names."""
    with usage("--mode"):
        return mode_called(mode, more)


def listed(text: str) -> tuple[str, ...]:
    """Split a list at commas; each name once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def names_given(text: str, option: str, allowed: Sequence[str] = ()) -> tuple[str, ...]:
    """Split a list at commas; it must hold at least one name."""
    names = listed(text)
    if not names:
        choice = f": {', '.join(allowed)}" if allowed else ", or leave the option out"
        raise click.BadParameter(f"name at least one{choice}", param_hint=option)
    return names


def cores_given(text: str | None) -> tuple[str, ...]:
    """The names of --core; empty for those that compete unnamed."""
    return () if text is None else names_given(text, "--core")


def able_cores(platform: Platform, names: Sequence[str]) -> list[str]:
    """The named cores, or those that compete unnamed; a usage error if one cannot run."""
    with usage("--core"):
        return cores_on(platform, names)


def check_ghash(ghash: str | None, *modes: str | None) -> None:
    """Refuse a GHASH multiplier where none is used."""
    with usage("--ghash"):
        check_multiplier(ghash, modes)


def sizes_given(text: str) -> tuple[int, ...]:
    """Key sizes in bits from a list with commas; a usage error names the valid ones."""
    known = tuple(map(str, KEY_BITS))
    names = names_given(text, "--key-bits", known)
    for name in names:
        if name not in known:
            raise click.BadParameter(
                f"'{name}' is not a key size; choose: {', '.join(known)}", param_hint="--key-bits"
            )
    return tuple(map(int, names))


def platform_named(text: str) -> Platform:
    """The platform of that name; a usage error for several."""
    found = platforms_named(text)
    if len(found) > 1:
        raise click.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def platforms_named(text: str) -> list[Platform]:
    """The platforms of a list with commas; a usage error suggests the nearest name."""
    names = listed(text)
    if not names:
        raise click.BadParameter("name at least one platform", param_hint="--platform")
    with usage("--platform"):
        return [named(name) for name in names]


def ghash_named(name: str | None, platform: Platform) -> str:
    """`name` if that GHASH multiplier exists; without a name, the platform's best."""
    with usage("--ghash"):
        return ghash_of(platform, name)


def size_given(text: str | None, option: str) -> int | None:
    """Parse an option's bytes; a usage error says how to write sizes."""
    with usage(option):
        return None if text is None else parse_size(text)


def payload_size(value: str | int) -> int:
    """Bytes of a payload, from 1: `1504`, `1K`.  The parser of options called --bytes."""
    try:
        size = parse_size(str(value))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if size < 1:
        raise click.BadParameter(f"'{value}' is not a payload; give 1 byte or more")
    return size


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error (lines if it is no terminal); yields the report function."""
    out = console(stderr=True)
    if quiet:
        yield lambda done, total: None
        return
    if not out.is_terminal:
        with progress_lines(what, lambda line: click.echo(line, err=True)) as progress:
            yield progress
        return
    from rich.progress import Progress as ProgressBar  # start-up time

    with ProgressBar(console=bar_console(), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def emitting_bar(
    core: str, ghash: str | None, platform: Platform | None, *, no_proof: bool, quiet: bool
) -> Iterator[Progress]:
    """Progress of files that are emitted; says first that they are proved, or last why not."""
    from ..emitting.proved import can_be_tried, hindrance  # start-up time

    tried, why_not = not no_proof and can_be_tried(core, ghash, platform), hindrance()
    told = console(stderr=True)
    if tried and not why_not and not quiet:
        print_text(told, _PROVING)
    what = "proving and measuring" if tried and not why_not else "measuring"
    with progress_bar(what, quiet=quiet) as progress:
        yield progress
    if tried and why_not and not quiet:
        print_text(told, f"The files are not proved: {why_not}.")


def check_output(path: Path | None, option: str, suffixes: Sequence[str] = ()) -> None:
    """Refuse, before measuring, a file that could not be written afterwards."""
    if path is None:
        return
    if suffixes and path.suffix not in suffixes:
        raise click.BadParameter(
            f"'{path.name}' must end in {' or '.join(suffixes)}", param_hint=option
        )
    if path.is_dir():
        raise click.BadParameter(f"'{path}' is a folder; name a file in it", param_hint=option)
    if not path.parent.is_dir():
        raise click.BadParameter(
            f"there is no folder '{path.parent}'; make it, or choose another", param_hint=option
        )
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise click.BadParameter(
            f"the folder '{path.parent}' cannot be written; choose another", param_hint=option
        )


def check_not_input(path: Path | None, option: str, source: Path | None) -> None:
    """Refuse an output that is the input, under whatever name."""
    if path is None or source is None or not (path.exists() and source.exists()):
        return
    if path.samefile(source):
        raise click.BadParameter("that is the input; name another file", param_hint=option)


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, by renaming a temporary one; write devices directly."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.umask(mask := os.umask(0o077))  # umask can only be read by setting it
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check_picture(
    path: Path | None, option: str = "--plot", suffixes: Sequence[str] | None = None
) -> None:
    """Refuse, before measuring, a picture that could not be written or drawn."""
    if path is None:
        return
    from ..report import picture  # start-up time

    check_output(path, option, picture.SUFFIXES if suffixes is None else suffixes)
    if reason := picture.why_not():
        raise RigUnavailableError(reason)
