# SPDX-License-Identifier: MIT
"""`aesfit predict`: the cache model's answer for every core and burst length."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..api.predict import predict
from ..cachemodel.question import Version
from ..cachemodel.versions import modelled_cores
from ..choosing.request import PacketSizes, mean_of
from ..platforms.platform import Platform, counted
from ..report import curves
from ..units import count
from .common import (
    Align,
    check_picture,
    console,
    names_given,
    platform_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .declared import Option
from .options import Cores, Csv, DataCacheOptions, Json, KeyBits, OnePlatform
from .predict_options import ModelOptions, OwnCodeOptions, TrafficOptions
from .records import check_form, print_csv

if TYPE_CHECKING:
    from ..cachemodel.predict import Prediction

_SHOWN = (1, 4, 16, 64, 256, 1024, 4096, 16384)
"""Burst lengths that have a column in the table."""


def command(  # long: half of it declares options
    platform: OnePlatform,
    cache: DataCacheOptions,
    model: ModelOptions,
    bursts: TrafficOptions,
    own: OwnCodeOptions,
    mode: Annotated[
        str | None,
        Option(
            metavar="<mode>",
            help="Mode of the messages: cbc, ctr, ccm ...; block: the cipher alone. [block]",
        ),
    ] = None,
    key_bits: KeyBits = 128,
    cores: Cores = None,
    json: Json = False,
    csv: Csv = False,
    plot: Annotated[
        Path | None, Option(metavar="<file.png|svg>", help="Draw the curves. [none]")
    ] = None,
) -> None:
    """Predict the time of bursts of calls on a processor with caches, and their best core."""
    check_picture(plot)
    quiet = check_form(json, csv)
    target = counted(platform_named(platform))
    with progress_bar("predicting", quiet=quiet) as progress:
        answer = predict(
            target,
            cores=None if cores is None else names_given(cores, "--core", modelled_cores(target)),
            mode=mode,
            key_bits=key_bits,
            **cache.asked(),
            **model.asked(),
            **bursts.asked(),
            **own.asked(),
            progress=progress,
        )
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    if plot is not None:
        write_file(plot, curves.render(answer, plot.suffix, target.title))
    _tell(answer, target, bursts, json=json, csv=csv)


def _tell(
    answer: "Prediction", target: Platform, bursts: TrafficOptions, *, json: bool, csv: bool
) -> None:
    if csv:
        print_csv(answer.rows)
    elif json:
        print_json(answer.as_json())
    else:
        _print(answer, target)
        _print_packets(bursts.sizes(), bursts.messages_per_key, answer.cycles_per_packet)


def _print_packets(sizes: PacketSizes, key_changes: str, mean: Mapping[str, float]) -> None:
    if not sizes:
        return
    out, size = console(), mean_of(sizes, float)
    every = "never" if key_changes == "never" else f"every {key_changes}"
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
