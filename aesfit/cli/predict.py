# SPDX-License-Identifier: MIT
"""`aesfit predict`: the cache model's answer for every core and burst length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..api.own_code import OwnFunctions, check_own
from ..api.predict import ModelledCores, asked_of, cores_of, predicted, predicted_own
from ..cachemodel.question import Version
from ..cachemodel.versions import modelled_cores
from ..choosing.request import BLOCK
from ..platforms.platform import Platform, counted
from ..report import curves
from ..units import count, parse_share
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
    usage,
    write_file,
)
from .grouped import grouped
from .options import Cores, Csv, DataCacheOptions, Json, KeyBits, OnePlatform
from .predict_options import ModelOptions, OwnCodeOptions, TrafficOptions, parse_calls
from .records import check_form, print_csv

if TYPE_CHECKING:
    from ..cachemodel.predict import Prediction
    from ..cachemodel.traffic import Packets

_SHOWN = (1, 4, 16, 64, 256, 1024, 4096, 16384)
"""Burst lengths that have a column in the table."""


def _platform(name: str) -> Platform:
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def _asked(target: Platform, cores: str | None, mode: str | None, key_bits: int) -> ModelledCores:
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
    own: OwnCodeOptions,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="<mode>",
            help="Mode of the messages: cbc, ctr, ccm ...; block: the cipher alone. [block]",
        ),
    ] = None,
    key_bits: KeyBits = 128,
    core: Cores = None,
    json: Json = False,
    csv: Csv = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="<file.png|svg>", help="Draw the curves. [none]")
    ] = None,
) -> None:
    """Predict the time of bursts of calls on a processor with caches, and their best core."""
    check_picture(plot)
    quiet = check_form(json, csv)
    target = counted(_platform(platform))
    behind = _Behind(target, cache, model, bursts, quiet)
    with usage():
        functions = own.functions(target)
        if functions is not None:
            new_keys = bursts.key_changes != "never"
            check_own(core or mode or key_bits != 128 or bursts.packets or new_keys)
            _tell(behind.of_functions(functions), None, target, plot, json=json, csv=csv)
            return
    _tell(*behind.of_cores(_asked(target, core, mode, key_bits)), target, plot, json=json, csv=csv)


@dataclass(frozen=True)
class _Behind:
    """The caches and bursts of the question."""

    target: Platform
    cache: DataCacheOptions
    model: ModelOptions
    bursts: TrafficOptions
    quiet: bool

    def of_cores(self, what: ModelledCores) -> "tuple[Prediction, Packets | None]":
        """The answer for cores; usage errors for what makes no sense."""
        with usage():
            built = self.model.hierarchy(self.target, self.cache.given())
            traffic = self.bursts.traffic(what.mode)
            lengths, evicted = (
                parse_calls(self.bursts.calls_per_burst),
                parse_share(self.bursts.evicted),
            )
            told = f"coefficients of {len(what.cores)} cores"
            with progress_bar(told, quiet=self.quiet) as progress:
                return predicted(what, built, lengths, evicted, traffic, progress), traffic

    def of_functions(self, what: OwnFunctions) -> "Prediction":
        """The answer for functions of an ELF file."""
        built = self.model.hierarchy(self.target, self.cache.given())
        lengths, evicted = (
            parse_calls(self.bursts.calls_per_burst),
            parse_share(self.bursts.evicted),
        )
        told = f"traces of {len(what.functions)} functions"
        with progress_bar(told, quiet=self.quiet) as progress:
            return predicted_own(what, built, lengths, evicted, progress)


def _tell(
    answer: "Prediction",
    traffic: "Packets | None",
    target: Platform,
    plot: Path | None,
    *,
    json: bool,
    csv: bool,
) -> None:
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    if plot is not None:
        write_file(plot, curves.render(answer, plot.suffix, target.title))
    if csv:
        print_csv(answer.rows)
        return
    if json:
        print_json(answer.as_json())
        return
    _print(answer, target)
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


def _row(answer: "Prediction", one: Version, shown: Sequence[int]) -> tuple[str, ...]:
    times = [count(round(answer.at(one.core, n), 1)) for n in shown]
    facts = (count(one.cycles_per_call), count(one.overhead), str(answer.lines(one)))
    return one.core, *facts, *times


_LEGEND = {
    "E": "cycles of one call without misses",
    "c": "cycles once a burst",
    "lines": "of its tables",
}


def _between(columns: Sequence[tuple[str, Align]]) -> list[str]:
    """Headings of every other burst length, to drop on terminals too narrow for all."""
    return [name for name, _ in columns[5::2]]


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
    kind = "function" if answer.provenance else "core"
    columns: list[tuple[str, Align]] = [(kind, "<"), ("E", ">"), ("c", ">"), ("lines", ">")]
    columns += [(f"{n} calls" if n > 1 else "1 call", ">") for n in shown]
    rows = [_row(answer, one, shown) for one in question.versions]
    rows.sort(key=lambda row: answer.at(row[0], shown[-1]))
    seen = print_table(out, columns, rows, expendable=("lines", "c", *_between(columns)))
    told = [f"{name}: {text}" for name, text in _LEGEND.items() if name in seen]
    print_text(out, "; ".join([*told, "then cycles per call in bursts of so many calls"]), "dim")
    for name, facts in answer.provenance.items():
        print_text(out, f"{name}: {facts.window}.")
    for change in answer.crossovers:
        print_text(
            out, f"from {change.calls} calls on {change.to} takes no longer than {change.before}"
        )
    for sentence in answer.sentences:
        print_text(out, sentence, "bold")
