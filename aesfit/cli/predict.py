# SPDX-License-Identifier: MIT
"""`aesfit predict`: the cache model's answer for every core and burst length."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from ..api.predict import (
    LONGEST,
    ModelledCores,
    asked_of,
    cores_of,
    policy_of,
    predicted,
    traffic_of,
)
from ..cachemodel.versions import hierarchy, modelled_cores
from ..caches.cache import Hierarchy, Replacement
from ..choosing.request import BLOCK, GivenCache
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
    usage,
    write_file,
)
from .grouped import grouped
from .options import Cores, DataCacheOptions, Json, OnePlatform

if TYPE_CHECKING:
    from ..cachemodel.predict import Prediction
    from ..cachemodel.traffic import Packets

_SHOWN = (1, 4, 16, 64, 256, 1024, 4096, 16384)
"""Burst lengths with a column of their own."""


def _platform(name: str) -> Platform:
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def parse_calls(text: str) -> tuple[int, int]:
    """Shortest and longest burst: "1:1024", or one length."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?", text, re.ASCII)
    first = int(found[1]) if found else 0
    last = int(found[2]) if found and found[2] else first
    if not 1 <= first <= last <= LONGEST:
        raise ValueError(f"'{text}' is no range of calls; give 1:1024, up to {LONGEST}")
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
        with usage("--replacement"):
            return policy_of(self.replacement)


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
        from ..cachemodel.traffic import parse_sizes  # start-up time

        sizes = () if self.packets is None else parse_sizes(self.packets)
        return traffic_of(sizes, parse_key_changes(self.key_changes), mode)


def _asked(platform: str, cores: str | None, mode: str | None, key_bits: int) -> ModelledCores:
    target = counted(_platform(platform))
    named = None if mode is None else mode_named(mode, (BLOCK,))
    able = modelled_cores(target)
    names = () if cores is None else names_given(cores, "--core", able)
    with usage("--core"):
        cores_of(target, names)
    with usage("--key-bits"):
        return asked_of(target, names, named, key_bits)


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
    what = _asked(platform, core, mode, key_bits)
    with usage():
        built = model.hierarchy(what.platform, cache.given())
        traffic = bursts.traffic(what.mode)
        lengths, evicted = parse_calls(bursts.calls), parse_share(bursts.evicted)
        with progress_bar(f"coefficients of {len(what.cores)} cores", quiet=json) as progress:
            answer = predicted(what, built, lengths, evicted, traffic, progress)
    if plot is not None:
        write_file(plot, curves.render(answer, plot.suffix, what.platform.title))
    if json:
        print_json(answer.as_json())
        return
    _print(answer, what.platform)
    if traffic:
        _print_packets(traffic, answer.cycles_per_packet)


def _print_packets(traffic: "Packets", mean: Mapping[str, float]) -> None:
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
