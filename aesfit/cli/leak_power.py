# SPDX-License-Identifier: MIT
"""`aesfit leak power`: what the power that an image takes in a named model gives away."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ..errors import ArgumentError
from ..platforms.platform import Platform
from ..report import power_plot
from ..report.picture import SUFFIXES
from ..rigs import why_not
from ..rigs.rig import RigUnavailableError
from ..units import count
from .common import (
    Align,
    able_cores,
    check_output,
    console,
    names_given,
    platform_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    usage,
    write_file,
)
from .declared import Asked, Option
from .options import Json, OnePlatform

if TYPE_CHECKING:
    from ..power.study import PowerFound

_WAYS = ("ttest", "cpa")
_SHOWN = 12
"""Failing instructions that are printed; --json has all."""
_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("|t|", ">"),
    ("points", "<"),
    ("place", "<"),
    ("instruction", "<"),
)
_ARGUMENTS = (
    "An argument, in order: share:16:key points to one share of the secret bytes `key`, share:key "
    "is a word; random:16 and random are fresh in every call, secret:16 and secret are not masked; "
    "others are those of aesfit count. [none]"
)


@dataclass(frozen=True)
class PowerOfFunction:
    """A function of yours, instead of --core."""

    elf: Annotated[
        list[Path] | None,
        Option(
            metavar="<file>",
            help="Your ELF file, objects or archives; repeatable. [none]",
            show_default=False,
        ),
    ] = None
    function: Annotated[
        str | None, Option(metavar="<name>", help="The function in them to trace. [none]")
    ] = None
    arguments: Annotated[
        list[str] | None,
        Option("--arg", metavar="<arg>", help=_ARGUMENTS, show_default=False),
    ] = None  # fmt: skip


@dataclass(frozen=True)
class TraceOptions:
    """Traces."""

    traces: Annotated[int, Option(metavar="<n>", help="Traces.", min=20, max=1_000_000)] = 2000
    noise: Annotated[
        float,
        Option(metavar="<bits>", help="Standard deviation of the noise on each point, in bits.",
               min=0.0, max=1000.0),
    ] = 0.0  # fmt: skip

    bits: Annotated[
        bool, Option("--bits", help="Test every bit of each point, and not its weight.")
    ] = False

    def asked(self) -> Asked:
        """Arguments; a usage error for what is no number."""
        if isnan(self.noise):
            raise click.BadParameter("give bits from 0 to 1000", param_hint="--noise")
        return asdict(self)


def command(
    platform: OnePlatform,
    own: PowerOfFunction,
    options: TraceOptions,
    core: Annotated[
        str | None, Option(metavar="<core>", help="Core whose block function is traced. [none]")
    ] = None,
    attack: Annotated[
        str,
        Option(metavar="ttest|cpa", help="Fixed against random t-test, or search of the key; both "
               "with a comma."),
    ] = "ttest",
    plot: Annotated[
        Path | None, Option(metavar="<file.svg|png>", help="Draw trace and results. [none]")
    ] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Trace a core or function in a model of power, and test or attack the traces."""
    check_output(plot, "--plot", SUFFIXES)
    ways, target = names_given(attack, "--attack", _WAYS), platform_named(platform)
    _check(ways, core, own)
    target = _traceable(target)
    with usage(), progress_bar("tracing", quiet=json) as progress:
        found = _found(target, core, own, ways, {**options.asked(), "progress": progress})
    if plot is not None:
        write_file(plot, power_plot.render(found, plot.suffix))
    if json:
        print_json(found.as_json())
    else:
        _print(found)


def _found(
    target: Platform, core: str | None, own: PowerOfFunction, ways: Sequence[str], options: Asked
) -> "PowerFound":  # fmt: skip
    from ..power.study import core_power, function_power  # needs the emulator's packages

    if core is None:
        files, name = own.elf or [], own.function or ""
        return function_power(target, files, name, own.arguments or [], **options)
    (named,) = able_cores(target, [core])
    return core_power(target, named, ways, **options)


def _check(ways: Sequence[str], core: str | None, own: PowerOfFunction) -> None:
    """Usage errors of options that do not fit each other."""
    for way in ways:
        if way not in _WAYS:
            raise click.BadParameter(
                f"'{way}' is no attack; choose ttest or cpa", param_hint="--attack"
            )
    if core is not None and own != PowerOfFunction():
        raise click.UsageError("--elf, --function and --arg go without --core; leave one out")
    if core is None and (not own.elf or own.function is None):
        raise click.UsageError("give --core, or --elf with --function and --arg")
    if core is None and "cpa" in ways:
        raise click.UsageError("--attack cpa searches an AES key; of --function, give ttest")


def _traceable(target: Platform) -> Platform:
    """The platform with its rig ready."""
    if target.rig != "emulator":
        raise ArgumentError(
            "traces are made on emulated platforms, and {} is none; see: aesfit platforms",
            target.name,
        )
    if reason := why_not(target):
        raise RigUnavailableError(reason)
    return target


def _print(found: "PowerFound") -> None:
    from ..power import model  # needs the emulator's packages

    out = console()
    points = ", ".join(f"{count(many)} {kind}" for kind, many in found.points.items())
    print_text(
        out,
        f"{found.name} on {found.platform}, {model.NAME}: {count(found.instructions)} "
        f"instructions, points: {points}; noise {found.noise:g} bits",
    )
    if found.threshold is not None:
        _print_test(found)
    if found.attack is not None:
        _print_attack(found)
    print_text(
        out,
        "These are traces of a model, not of a chip: nothing is said of electromagnetic emission, "
        "second order, or the number of traces that a chip needs.",
    )


def _print_test(found: "PowerFound") -> None:
    out = console()
    rows = [
        (
            "inf" if one.highest == float("inf") else f"{one.highest:.1f}",
            ", ".join(one.points),
            f"{one.file}:{one.line}" if one.line else one.function or hex(one.address),
            one.instruction,
        )
        for one in found.failing[:_SHOWN]
    ]
    if rows:
        print_table(out, _COLUMNS, rows)
    more = len(found.failing) - len(rows)
    if more > 0:
        print_text(out, f"and {count(more)} instructions more; --json has all")
    total, fails = sum(found.points.values()), found.failing_points or 0
    told = (
        f"t-test over {count(found.traces)} traces, fixed is {found.fixed}: {count(fails)} of "
        f"{count(total)} points above |t| = {found.threshold:.2f}"
    )
    told += f", the first within {count(found.failed_at)} traces." if found.failed_at else "."
    print_text(out, told, "bold")


def _print_attack(found: "PowerFound") -> None:
    one = found.attack
    assert one is not None  # noqa: S101 - the caller looked
    needed = f"{count(one.needed)} traces" if one.needed else f"not with {count(one.traces)} traces"
    print_text(
        console(),
        f"CPA on {one.model} of the first S-boxes: the whole key {needed}, at a signal-to-noise "
        f"ratio of {one.snr:.2g}.",
        "bold",
    )
