# SPDX-License-Identifier: MIT
"""`aesfit predict validate`: the cache model against the simulator."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ..cachemodel.validation.compare import (
    AIMS,
    CALLS,
    GEOMETRIES,
    TEXTS,
    Errors,
    Kind,
    Place,
    ValidationPoint,
    as_json,
    errors,
    grouped,
    parse_geometry,
    span,
    worst,
)
from ..caches.cache import Cache
from ..extras import EMULATOR, missing
from ..platforms.platform import counted
from ..report import scatter
from ..rigs import why_not
from ..rigs.rig import RigUnavailableError
from ..units import parse_share
from .common import (
    Align,
    able_cores,
    check_picture,
    console,
    cores_given,
    listed,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .declared import Option
from .options import Cores, Csv, Json, OnePlatform
from .records import check_form, print_csv

if TYPE_CHECKING:
    from ..cachemodel.validation.trial import Trial

_LONGEST = 4096
_MOST_TEXTS = 256
_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("points", ">"),
    ("stalls: mean", ">"),
    ("max", ">"),
    ("noise", ">"),
    ("time: mean", ">"),
    ("max", ">"),
)
_WORST = 8
_MEANING: dict[Kind, str] = {
    "assumptions": "where the paper's assumptions hold",
    "extensions": "beyond them",
}


def parse_lengths(text: str) -> tuple[int, ...]:
    """Parse burst lengths such as "1:1024", "1,8,64", or a mix of both."""
    found: list[int] = []
    for part in listed(text):
        ends = re.fullmatch(r"(\d{1,5})(?::(\d{1,5}))?", part, re.ASCII)
        first = int(ends[1]) if ends else 0
        last = int(ends[2]) if ends and ends[2] else first
        if not 1 <= first <= last <= _LONGEST:
            raise ValueError(f"'{part}' is not a range of calls; give 1:1024, up to {_LONGEST}")
        found += range(first, last + 1)
    return tuple(dict.fromkeys(found))


def _places(own: Cache, geometries: str | None, evicted: str) -> tuple[Place, ...]:
    """The data caches; the platform's own comes first, unless others are named."""
    texts = GEOMETRIES if geometries is None else names_given(geometries, "--geometries")
    caches = [replace(parse_geometry(one), write_allocate=own.write_allocate) for one in texts]
    if geometries is None:
        caches.insert(0, own)
    shares = [parse_share(one) for one in names_given(evicted, "--evicted")]
    return tuple(dict.fromkeys(Place(cache, share) for share in shares for cache in caches))


@dataclass(frozen=True)
class TrialOptions:
    """Bursts and caches."""

    geometries: Annotated[
        str | None,
        Option(
            metavar="<16K:4:32,..>",
            help="Data caches, SIZE:WAYS:LINE[:fifo|:random], SIZE and LINE in bytes. [some]",
        ),
    ] = None
    calls_per_burst: Annotated[
        str | None,
        Option(metavar="<1:1024>", help="Blocks of a burst, also 1,8,64. [some of 1:1024]"),
    ] = None
    evicted: Annotated[
        str,
        Option(metavar="<100%,..>", help="Fractions of the cache lines evicted between bursts."),
    ] = "100%,50%"
    texts: Annotated[
        int,
        Option(
            metavar="<n>",
            help="Number of simulated keys and texts.",
            min=2,
            max=_MOST_TEXTS,
        ),
    ] = TEXTS


def _asked(platform: str, core: str | None, given: TrialOptions) -> "Trial":
    from ..cachemodel.validation.trial import (  # brings NumPy, which the other verbs do without
        Trial,
        own_hierarchy,
    )

    found = platforms_named(platform)
    if len(found) > 1:
        raise click.BadParameter("name one platform", param_hint="--platform")
    target = counted(found[0])
    own = own_hierarchy(target)
    reason = why_not(target)
    if reason:
        raise RigUnavailableError(reason)
    return Trial(
        target,
        tuple(able_cores(target, cores_given(core))),
        _places(own.data, given.geometries, given.evicted),
        CALLS if given.calls_per_burst is None else parse_lengths(given.calls_per_burst),
        texts=given.texts,
    )


def command(
    platform: OnePlatform,
    bursts: TrialOptions,
    core: Cores = None,
    json: Json = False,
    csv: Csv = False,
    plot: Annotated[
        Path | None,
        Option(metavar="<file.png|svg>", help="Draw every point into this file. [none]"),
    ] = None,
) -> None:
    """Compare the cache model with simulations of keys and texts not used to fit it."""
    quiet = check_form(json, csv)
    check_picture(plot)
    if reason := missing("the emulator", EMULATOR):
        raise RigUnavailableError(reason)
    from ..cachemodel.validation.trial import own_hierarchy, trial  # start-up time

    try:
        asked = _asked(platform, core, bursts)
        with progress_bar(f"simulating {len(asked.cores)} cores", quiet=quiet) as progress:
            points = trial(asked, progress)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    target = asked.platform
    if plot is not None:
        write_file(plot, scatter.render(points, plot.suffix, target.title, asked.texts))
    if csv:
        print_csv(one.as_json() for one in points)
    elif json:
        print_json(as_json(target.name, asked.texts, own_hierarchy(target), points))
    else:
        _print(asked, points)


def _print(asked: "Trial", points: Sequence[ValidationPoint]) -> None:
    out, target = console(), asked.platform
    print_text(
        out,
        f"{target.title}: {len(points)} bursts of {len(asked.cores)} cores, the model against the "
        f"mean of {asked.texts} simulated keys and texts",
    )
    ways: tuple[tuple[str, Callable[[ValidationPoint], str]], ...] = (
        ("data cache", lambda one: str(one.place)),
        ("core", lambda one: one.core),
        ("burst", span),
    )
    for name, by in ways:
        found = grouped(points, by)
        print_table(out, ((name, "<"), *_COLUMNS), [_row(*pair) for pair in found.items()])
    print_text(
        out,
        "errors are absolute values; noise: standard error of the simulated stalls; "
        "geometries: size, ways, bytes per line",
        "dim",
    )
    for place, missed in worst(points, _WORST):
        print_text(out, f"{place}: {'; '.join(missed)}")
    for sentence in sentences(points):
        print_text(out, sentence, "bold")


def _row(name: str, found: Errors) -> tuple[str, ...]:
    shares = (
        *(found.mean_stall, found.max_stall, found.mean_standard_error),
        *(found.mean, found.max),
    )
    return name, str(found.points), *(f"{share:.2%}" for share in shares)


def sentences(points: Sequence[ValidationPoint]) -> list[str]:
    """Sentences on whether the goals are met, where the paper's assumptions hold and beyond."""
    found = []
    for kind, told in _MEANING.items():
        some = [one for one in points if one.kind == kind]
        if not some:
            continue
        seen = errors(some)
        missed = "; ".join(seen.missed(AIMS[kind]))
        found.append(
            f"{told}: stalls {seen.mean_stall:.2%} off on average and {seen.max_stall:.1%} at "
            f"most, whole time {seen.mean:.2%} and {seen.max:.1%}; "
            + (f"missed: {missed}" if missed else "all goals met")
        )
    return found
