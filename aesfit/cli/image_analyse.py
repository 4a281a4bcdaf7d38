# SPDX-License-Identifier: MIT
"""`aesfit image analyse`: statistics of pictures, plain and encrypted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import click

from ..errors import unknown
from ..jobs.job import Progress
from ..pictures.analysis import ALL_MODES, FIXED_KEY, GENERATOR, PLAIN, AnalysedPicture, analyse
from ..pictures.figures import NAMES
from ..pictures.picture_file import MAX_PIXELS, Picture, check_available
from ..pictures.sealed import parameters
from ..pictures.spread import bit_position
from ..pictures.words import (
    HISTOGRAM,
    METRICS,
    RANGES,
    WORDS_OF_CAUTION,
    bars,
    number,
    reasons,
    verdict,
)
from ..report.image_page import SUFFIXES, Shown, look, render
from ..units import count
from .common import (
    Align,
    check_output,
    console,
    names_given,
    print_json,
    print_table,
    print_text,
    progress_bar,
)
from .declared import Argument, Option
from .image_input import MaxPixels, key_given, read, write_like
from .options import Json
from .there import check_there

_NOISE, _CHANGES = NAMES[:7], NAMES[7:]
_NEIGHBOURS = ("horizontal", "vertical", "diagonal")


def _modes(text: str | None) -> tuple[str, ...]:
    names = ALL_MODES if text is None else names_given(text.lower(), "--mode", ALL_MODES)
    for name in names:
        if name not in ALL_MODES:
            error = unknown("mode of pictures", name, ALL_MODES)
            raise click.BadParameter(str(error), param_hint="--mode")
    return names


def _range(item: AnalysedPicture, name: str) -> dict[str, Any]:
    expected = item.expected[name]
    return {
        "value": expected.value,
        "low": expected.low,
        "high": expected.high,
        "within": item.within(name),
        "why": expected.why,
    }


def as_json(item: AnalysedPicture) -> dict[str, Any]:
    """Values with the stable keys: those of the page, with `file`, `mode` and `local_entropy`."""
    expected = {name: _range(item, name) for name in NAMES if name not in _NEIGHBOURS}
    neighbours = {name: _range(item, name) for name in _NEIGHBOURS}
    return {
        "file": item.file,
        "mode": item.mode,
        "entropy": item.figures["entropy"],
        "local_entropy": item.figures["local_entropy"],
        "chi_square": item.figures["chi_square"],
        "p_value": item.figures["p_value"],
        "correlation": {name: item.figures[name] for name in _NEIGHBOURS},
        "repeated_blocks": item.figures["repeated_blocks"],
        "npcr": item.figures["npcr"],
        "uaci": item.figures["uaci"],
        "expected": {**expected, "correlation": neighbours},
    }


def _cell(item: AnalysedPicture, name: str) -> str:
    """A figure, marked if it is outside its expected range."""
    return number(name, item.figures[name]) + ("!" if item.within(name) is False else " ")


def _bound(name: str, value: float | None) -> str:
    return number(name, value) + " "


def _noise_rows(items: Sequence[AnalysedPicture]) -> Iterator[tuple[str, ...]]:
    """Rows of figures by mode; modes with the same expectation are followed by its range."""
    for _, group in groupby(items, key=lambda item: [item.expected[name] for name in _NOISE]):
        alike = list(group)
        for item in alike:
            yield (item.mode, *(_cell(item, name) for name in _NOISE))
        if alike[0].mode != PLAIN:
            expected = alike[0].expected
            yield ("  from", *(_bound(name, expected[name].low) for name in _NOISE))
            yield ("  to", *(_bound(name, expected[name].high) for name in _NOISE))


def _print_noise(items: Sequence[AnalysedPicture]) -> None:
    rows = list(_noise_rows(items))
    columns: list[tuple[str, Align]] = [("mode", "<")]
    columns += [(METRICS[name].short + " ", ">") for name in _NOISE]
    muted = {at: "dim" for at, row in enumerate(rows) if row[0].startswith(" ")}
    print_table(console(), columns, rows, styles=muted)


def _change_row(item: AnalysedPicture) -> tuple[str, ...]:
    cells = [item.mode, "-" if item.change is None else item.change.short]
    for name in _CHANGES:
        expected = item.expected[name]
        value = None if item.mode == PLAIN else expected.value
        cells += [number(name, item.figures[name]), number(name, value)]
    verdicts = [item.within(name) for name in _CHANGES]
    known = [one for one in verdicts if one is not None]
    return (*cells, verdict(all(known) if known else None))


def _print_changes(items: Sequence[AnalysedPicture]) -> None:
    columns: list[tuple[str, Align]] = [("mode", "<"), ("changes", ">")]
    for name in _CHANGES:
        columns += [(METRICS[name].short, ">"), ("expected", ">")]
    rows = [_change_row(item) for item in items]
    print_table(console(), [*columns, ("within", "<")], rows, expendable=("changes",))


def _print_histograms(shown: Shown) -> None:
    columns: list[tuple[str, Align]] = [("histogram", "<")]
    columns += [(plane, "<") for plane in shown.looks[0].planes]
    seen = zip(shown.items, shown.looks, strict=True)
    print_table(
        console(), columns, [(item.mode, *map(bars, look.histograms)) for item, look in seen]
    )


def _print(shown: Sequence[Shown]) -> None:
    out = console()
    for one in shown:
        print_text(out, one.title, style="bold")
        print_text(out, one.told)
        items = one.items
        _print_noise(items)
        print_text(out, "")
        _print_changes(items)
        print_text(out, "")
        _print_histograms(one)
        for reason in reasons(items):
            print_text(out, reason, style="dim")
        print_text(out, "")
    print_text(out, f"Histogram: {HISTOGRAM}")
    for name in NAMES:
        print_text(out, f"{METRICS[name].title}: {METRICS[name].sentence}")
    print_text(out, f"{RANGES}  An exclamation mark follows figures outside.")
    print_text(out, WORDS_OF_CAUTION, style="bold")


def _told(picture: Picture, items: Sequence[AnalysedPicture], bit: int, key: bytes) -> str:
    """A sentence on what was analysed, without the key."""
    size = f"{count(picture.width)} x {count(picture.height)} pixels, {picture.mode}"
    if items[0].mode != PLAIN:
        named = parameters(picture)
        how = f"{named.mode}, a key of {named.key_bits} bits and {named.rounds} rounds"
        return f"{size}; encrypted already by {how}, so analysed as it is."
    whose = "the fixed key of analyses" if key == FIXED_KEY else f"a key of {8 * len(key)} bits"
    return (
        f"{size}; encrypted under {whose}; changed bit: {count(bit)} of {len(picture.data) * 8:,}."
    )


def _one(
    path: Path, modes: Sequence[str], key: bytes, bit: str, limit: int, page: bool
) -> Iterator[Shown | None]:
    """Analyse one picture: yields None after each step, then the result."""
    picture = read(path, limit)
    position = bit_position(bit, len(picture.data))
    items, looks = [], []
    for item in analyse(picture, modes, key, position):
        looks.append(look(item, picture, page))
        items.append(replace(item, file=str(path), data=b""))
        yield None
    yield Shown(str(path), _told(picture, items, position, key), tuple(items), tuple(looks))


def _all(
    paths: Sequence[Path],
    steps: int,
    progress: Progress,
    one: Callable[[Path], Iterator[Shown | None]],
) -> tuple[list[Shown], list[str]]:
    """Results of the pictures that could be read, and a sentence for each of the others."""
    found: list[Shown] = []
    failed = []
    for place, path in enumerate(paths):
        try:
            for step, shown in enumerate(one(path)):
                progress(place * steps + min(step + 1, steps), steps * len(paths))
                found += [shown] if shown else []
        except OSError as error:
            failed.append(f"{path}: {error.strerror or error}")
        except ValueError as error:
            failed.append(str(error))
    return found, failed


@dataclass(frozen=True)
class AnalysisOptions:
    """Analysis."""

    mode: Annotated[
        str | None,
        Option(
            metavar="<mode,..>",
            help=f"Only these of {', '.join(ALL_MODES)} ({GENERATOR}: no cipher, to compare with). "
            "[all]",
        ),
    ] = None
    key: Annotated[
        str | None,
        Option(metavar="<hex>", help="Key in hex. [a fixed one, so that runs agree]"),
    ] = None
    key_file: Annotated[
        Path | None,
        Option(
            metavar="<file>", help="File with the key: 16, 24 or 32 bytes, raw or in hex. [none]"
        ),
    ] = None
    bit: Annotated[
        str,
        Option(
            metavar="<place>",
            help="Bit to change for NPCR and UACI: first, middle, last, or its number.",
        ),
    ] = "middle"


def _analysed(
    pictures: Sequence[Path], asked: AnalysisOptions, limit: int, *, page: bool, quiet: bool
) -> tuple[list[Shown], list[str]]:
    """Results as from _all(); usage errors come before anything is read."""
    modes, secret = _modes(asked.mode), key_given(asked.key, asked.key_file) or FIXED_KEY
    try:
        bit_position(asked.bit, 1 << 62)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bit") from None
    many = f"{len(pictures)} picture{'s' if len(pictures) > 1 else ''}"
    with progress_bar(f"analysing {many}", quiet=quiet) as progress:
        return _all(
            pictures,
            len(modes) + 1,
            progress,
            lambda path: _one(path, modes, secret, asked.bit, limit, page),
        )


def command(
    pictures: Annotated[
        list[Path],
        Argument(metavar="PICTURE...", help="Any format that Pillow reads."),
    ],
    asked: AnalysisOptions,
    max_pixels: MaxPixels = MAX_PIXELS,
    html: Annotated[
        Path | None,
        Option(metavar="<file.html>", help="Write a page with the pictures. [none]"),
    ] = None,
    json: Json = False,
) -> None:
    """Compute statistics of pictures, plain and under every mode, with expected values.

    A picture that `aesfit image encrypt` made is analysed as it is.  JSON: a list of {file, mode,
    entropy, local_entropy, chi_square, p_value, correlation: {horizontal, vertical, diagonal},
    repeated_blocks, npcr, uaci, expected}; expected has a {value, low, high, within, why} for each.
    """
    check_there(pictures)
    check_output(html, "--html", SUFFIXES)
    check_available()
    page = html is not None
    found, failed = _analysed(pictures, asked, max_pixels, page=page, quiet=json)
    if html is not None and found:
        analysed = [Path(one.title) for one in found]
        write_like(analysed, html, render(found).encode(), force=True)
    if json:
        print_json([as_json(item) for shown in found for item in shown.items])
    elif found:
        _print(found)
    for sentence in failed:
        click.echo(f"aesfit: {sentence}", err=True)
    if failed:
        raise click.exceptions.Exit(1)
