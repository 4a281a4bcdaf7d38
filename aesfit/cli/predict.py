# SPDX-License-Identifier: MIT
"""`aesfit predict`: the cache model's answer for every core and burst length."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from ..cachemodel.question import Version
from ..cachemodel.versions import hierarchy, key_setup_cycles, modelled_cores, versions
from ..caches.cache import Hierarchy, Replacement
from ..choosing.request import BLOCK, KEY_BITS, GivenCache
from ..errors import unknown
from ..jobs.job import Progress
from ..platforms.platform import Platform, counted
from ..report import curves
from ..units import count, parse_key_changes, parse_share
from .common import (
    Align,
    check_picture,
    console,
    mode_named,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    size_given,
    write_file,
)
from .grouped import grouped
from .options import Cores, DataCacheOptions, Json, OnePlatform

if TYPE_CHECKING:
    from ..cachemodel.predict import Prediction
    from ..cachemodel.traffic import Packets

_LONGEST = 65536
"""Calls of a burst."""
_SHOWN = (1, 4, 16, 64, 256, 1024, 4096, 16384)
"""Burst lengths with a column of their own."""


def _platform(name: str) -> Platform:
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return counted(found[0])


def parse_calls(text: str) -> tuple[int, int]:
    """Shortest and longest burst: "1:1024", or one length."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?", text, re.ASCII)
    first = int(found[1]) if found else 0
    last = int(found[2]) if found and found[2] else first
    if not 1 <= first <= last <= _LONGEST:
        raise ValueError(f"'{text}' is no range of calls; give 1:1024, up to {_LONGEST}")
    return first, last


@dataclass(frozen=True)
class ModelOptions:
    """Cache model.  Without an option the platform's own value holds."""

    replacement: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(get_args(Replacement)), help="Which line goes; the platform's or lru."
        ),
    ] = None
    critical_word_first: Annotated[
        bool, typer.Option("--critical-word-first", help="The word that missed comes first.")
    ] = False
    icache: Annotated[
        str | None, typer.Option(metavar="<16K>", help="Bytes of the instruction cache.")
    ] = None

    def hierarchy(self, platform: Platform, cache: GivenCache) -> Hierarchy:
        """The caches that bursts meet; ValueError for what is missing or makes no sense."""
        return hierarchy(
            platform,
            line=cache.line,
            penalty=cache.penalty,
            ways=cache.ways,
            size=cache.size,
            replacement=self._policy(),
            critical_word_first=self.critical_word_first,
            icache=size_given(self.icache, "--icache"),
        )

    def _policy(self) -> Replacement | None:
        name = self.replacement
        if name is None:
            return None
        if name not in get_args(Replacement):
            error = unknown("replacement", name, get_args(Replacement))
            raise typer.BadParameter(str(error), param_hint="--replacement")
        return cast(Replacement, name)


@dataclass(frozen=True)
class TrafficOptions:
    """Bursts and packets."""

    calls: Annotated[
        str, typer.Option(metavar="<1:1024>", help="Burst lengths, in calls or blocks.")
    ] = "1:1024"
    evicted: Annotated[
        str, typer.Option(metavar="<100%>", help="Of the caches, by others between bursts.")
    ] = "100%"
    packets: Annotated[
        str | None,
        typer.Option(metavar="<64:7,1504:1>", help="Sizes and shares of packets, with --mode."),
    ] = None
    key_changes: Annotated[
        str, typer.Option(metavar="<n>|never", help="Packets between new keys.")
    ] = "1"

    def traffic(self, mode: str | None) -> "Packets | None":
        """The packets, where some are asked for; ValueError for what makes no sense."""
        from ..cachemodel.traffic import Packets, parse_sizes  # start-up time

        per_key = parse_key_changes(self.key_changes)
        if self.packets is None:
            if per_key != 1:
                raise ValueError("keys change between packets; give --packets too")
            return None
        if mode is None:
            raise ValueError("packets need a mode; give --mode too")
        return Packets(parse_sizes(self.packets), per_key)


def _cores(platform: Platform, names: str | None) -> list[str]:
    able = modelled_cores(platform)
    if names is None:
        return able
    given = names_given(names, "--core", able)
    if platform.rig == "published":
        return list(given)  # versions() says what is not published
    for name in given:
        if name not in able:
            error = unknown("core", name, able)
            raise typer.BadParameter(f"on {platform.name} {error}", param_hint="--core")
    return list(given)


@dataclass(frozen=True)
class _What:
    """Whose time is predicted."""

    platform: Platform
    cores: tuple[str, ...]
    mode: str | None
    """None: the block cipher alone."""
    key_bits: int

    def versions(self, progress: Progress) -> tuple[Version, ...]:
        """Coefficients, measured where they are not stored."""
        return versions(
            self.platform, self.cores, mode=self.mode, key_bits=self.key_bits, progress=progress
        )


def _what(platform: str, cores: str | None, mode: str | None, key_bits: int) -> _What:
    target = _platform(platform)
    named = None if mode is None else mode_named(mode, (BLOCK,))
    if key_bits not in KEY_BITS:
        raise typer.BadParameter(
            f"'{key_bits}' is no key size; choose from {', '.join(map(str, KEY_BITS))}",
            param_hint="--key-bits",
        )
    return _What(target, tuple(_cores(target, cores)), None if named == BLOCK else named, key_bits)


def _ask(
    what: _What, built: Hierarchy, calls: tuple[int, int], evicted: float, *, quiet: bool
) -> "Prediction":
    from ..cachemodel.predict import (  # brings NumPy, which the other verbs do without
        BurstQuestion,
        predict,
    )

    with progress_bar(f"coefficients of {len(what.cores)} cores", quiet=quiet) as progress:
        found = what.versions(progress)
    return predict(BurstQuestion(what.platform.name, built, found, *calls, evicted))


@grouped
def command(
    platform: OnePlatform,
    cache: DataCacheOptions,
    model: ModelOptions,
    bursts: TrafficOptions,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="<mode>",
            help="Messages of so many blocks: cbc, ctr, ccm ...; block: the cipher alone.",
        ),
    ] = None,
    key_bits: Annotated[int, typer.Option(metavar="<n>", help="128, 192 or 256.")] = 128,
    core: Cores = None,
    json: Json = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="<file.png|svg>", help="Draw the curves.")
    ] = None,
) -> None:
    """Predict the time of bursts of calls on a processor with caches, and the best core of each."""
    check_picture(plot)
    what = _what(platform, core, mode, key_bits)
    try:
        built = model.hierarchy(what.platform, cache.given())
        traffic = bursts.traffic(what.mode)
        lengths, evicted = parse_calls(bursts.calls), parse_share(bursts.evicted)
        answer = _ask(what, built, lengths, evicted, quiet=json)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if plot is not None:
        write_file(plot, curves.render(answer, plot.suffix, what.platform.title))
    _show(answer, what, traffic, json=json)


def _show(answer: "Prediction", what: _What, traffic: "Packets | None", *, json: bool) -> None:
    mean = _packet_times(what, answer, traffic)
    if json:
        print_json({**answer.as_json(), **({"cycles_per_packet": mean} if mean else {})})
        return
    _print(answer, what.platform)
    if traffic and mean:
        _print_packets(traffic, mean)


def _packet_times(what: _What, answer: "Prediction", traffic: "Packets | None") -> dict[str, float]:
    """Mean cycles of a packet by core, the fastest first; empty where none was asked."""
    from ..cachemodel.traffic import cycles_per_packet  # start-up time

    if traffic is None:
        return {}
    question = answer.question
    names = [one.core for one in question.versions]
    keys = key_setup_cycles(what.platform, names, mode=what.mode, key_bits=what.key_bits)
    mean = {
        one.core: cycles_per_packet(
            one, keys[one.core], question.hierarchy, traffic, question.evicted
        )
        for one in question.versions
    }
    return dict(sorted(mean.items(), key=lambda item: item[1]))


def _print_packets(traffic: "Packets", mean: dict[str, float]) -> None:
    out = console()
    size = traffic.mean_bytes
    every = "never" if traffic.per_key is None else f"every {traffic.per_key}"
    rows = [(core, count(round(time)), f"{time / size:.1f}") for core, time in mean.items()]
    print_text(out, f"packets of {size:g} bytes on average, a new key {every}:")
    print_table(out, (("core", "<"), ("cycles a packet", ">"), ("c/B", ">")), rows)
    print_text(out, f"packets: {next(iter(mean))}", "bold")


def _print(answer: "Prediction", target: Platform) -> None:
    out, question = console(), answer.question
    data, line = question.hierarchy.data, question.hierarchy.data.line
    print_text(
        out,
        f"{target.title}: data cache of {data.size} bytes, {data.ways} ways, lines of {line} "
        f"bytes, {data.replacement}, {question.hierarchy.penalty.of(line):g} cycles a miss; "
        f"{question.evicted:.0%} evicted between bursts",
    )
    shown = [n for n in _SHOWN if question.first <= n <= question.last] or [question.first]
    columns: list[tuple[str, Align]] = [("core", "<"), ("E", ">"), ("c", ">"), ("lines", ">")]
    columns += [(f"{n} calls" if n > 1 else "1 call", ">") for n in shown]
    rows = []
    for one in question.versions:
        lines = sum(-(-table.size // line) for table in one.lookups)
        times = [count(round(answer.at(one.core, n), 1)) for n in shown]
        rows.append((one.core, count(one.cycles_per_call), count(one.overhead), str(lines), *times))
    rows.sort(key=lambda row: answer.at(row[0], shown[-1]))
    print_table(out, columns, rows)
    print_text(
        out,
        "E: cycles of one call without misses; c: cycles once a burst; lines: of its tables; "
        "then cycles per call in bursts of so many calls",
        "dim",
    )
    for change in answer.crossovers:
        print_text(
            out, f"from {change.calls} calls on {change.to} takes no longer than {change.before}"
        )
    for sentence in answer.sentences:
        print_text(out, sentence, "bold")
