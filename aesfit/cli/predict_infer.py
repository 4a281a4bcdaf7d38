# SPDX-License-Identifier: MIT
"""`aesfit predict infer`: the cache of an unknown machine, from the times of bursts on it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ..cachemodel.versions import modelled_cores, versions
from ..errors import unknown
from ..platforms.platform import Platform, counted
from .common import console, platform_named, print_json, print_table, print_text, progress_bar
from .declared import Argument, Option
from .options import Json, OnePlatform

if TYPE_CHECKING:
    from ..cachemodel.inverse import CacheFit, Inferred

_FIELDS = ("line", "size", "ways", "replacement", "write_allocate")
_NAMES = {"line": "lines", "size": "size", "ways": "ways", "replacement": "replacement"}


def _read(path: Path, target: Platform, known: bool, *, quiet: bool) -> "Inferred":
    """The answer; a usage error for a file that is none."""
    from ..cachemodel.burst_times import parse_times  # brings NumPy
    from ..cachemodel.inverse import infer  # the same

    try:
        bursts = parse_times(path.read_text(encoding="utf-8-sig"), str(path))
        cores = modelled_cores(target)
        for one in bursts:
            if one.core not in cores:
                raise unknown("core that is modelled", one.core, cores)
        with progress_bar("inferring", quiet=quiet) as progress:
            named = versions(target, [one.core for one in bursts])
            return infer(bursts, named, known_cycles=known, progress=progress)
    except UnicodeDecodeError:
        raise click.BadParameter(f"{path} is no text in UTF-8", param_hint="TIMES.csv") from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="TIMES.csv") from None


def as_json(found: "Inferred", platform: str) -> dict[str, Any]:
    """Values with the stable keys; a field that the times do not tell has all that were tried."""
    return {
        "platform": platform,
        "known_cycles": found.known_cycles,
        "misfit": found.misfit,
        "poor": found.poor,
        "tried": len(found.tried),
        "accepted": len(found.fits),
        "miss_penalty": list(found.penalty),
        **{name: {"values": found.values(name), "told": found.told(name)} for name in _FIELDS},
        "by_line": [
            {"line": line, "miss_penalty": list(some.penalty)}
            for line, some in found.by_line.items()
        ],
        "best": _fit_as_json(found.fits[0]),
    }


def _fit_as_json(fit: "CacheFit") -> dict[str, Any]:
    cache = fit.cache
    told = {name: getattr(cache, name) for name in _FIELDS}
    return {**told, "miss_penalty": fit.penalty, "error": fit.error}


def accepted(found: "Inferred", name: str) -> str:
    """Accepted values; the largest of sizes and ways stands for all that are larger."""
    values = found.values(name)
    told = [f"{int(value) // 1024}K" if name == "size" else str(value) for value in values]
    top = max(getattr(one, name) for one in found.tried)
    if name in ("size", "ways") and values[-1] == top:
        told[-1] += "+"
    return ", ".join(told)


def sentences(found: "Inferred") -> list[str]:
    """What the times say, and what they do not."""
    if found.poor:
        return [
            "no cache that was tried explains these times (squares of errors are "
            f"{found.misfit:.3g} times what is tolerated), so nothing follows from them"
        ]
    low, high = found.penalty
    told = [f"a miss costs {low:.4g} to {high:.4g}, in the unit of the times"]
    if low == 0:
        told = [f"a miss costs {high:.4g} at most; these times do not show that any line is missed"]
    hidden = [text for name, text in _NAMES.items() if not found.told(name)]
    if hidden:
        told.append(f"these times do not tell: {', '.join(hidden)}")
    return told


def _print(found: "Inferred", target: Platform) -> None:
    out = console()
    known = "E of its model" if found.known_cycles else "E unknown"
    print_text(
        out,
        f"code of {target.title}, {known}: {len(found.fits)} of {len(found.tried)} caches explain "
        "the times",
    )
    rows = []
    for line, some in found.by_line.items():
        low, high = some.penalty
        cells = [accepted(some, name) for name in ("size", "ways", "replacement")]
        rows.append((str(line), *cells, f"{low:.4g} to {high:.4g}"))
    columns = ("line", "size", "ways", "replacement", "miss penalty")
    print_table(out, tuple((name, "<") for name in columns), rows)
    for sentence in sentences(found):
        print_text(out, sentence, "bold")


def command(
    times: Annotated[
        Path,
        Argument(
            metavar="TIMES.csv",
            exists=True,
            dir_okay=False,
            help="Columns core, calls and time; repeats in rows of their own.",
        ),
    ],
    platform: OnePlatform,
    known_cycles: Annotated[
        bool,
        Option(
            "--known-cycles",
            help="The machine has the platform's processor, so that its cycles per call hold.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Infer cache size, line, ways and miss penalty of a machine from the times of bursts.

    Each burst starts with a cold cache.  --platform names where the same code runs in a model: it
    gives tables, reads and addresses.
    """
    target = counted(platform_named(platform))
    found = _read(times, target, known_cycles, quiet=json)
    if json:
        print_json(as_json(found, target.name))
    else:
        _print(found, target)
