# SPDX-License-Identifier: MIT
"""`aesfit leak`: how many timings give the key of a core away on a platform."""

from math import log2
from typing import TYPE_CHECKING, Annotated, Any

import click

from ..leaking.conditions import CONDITIONS, Condition
from ..leaking.known import sentence
from ..platforms.platform import Platform, counted
from ..rigs import why_not
from ..rigs.rig import RigUnavailableError
from ..units import count
from .common import (
    Align,
    able_cores,
    console,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    usage,
)
from .declared import Option
from .options import Csv, Json, OnePlatform
from .records import check_form, print_csv

if TYPE_CHECKING:
    from ..leaking.cost import LeakCost

_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("attack", "<"),
    ("condition", "<"),
    ("key bits", ">"),
    ("timings", ">"),
    ("predicted", ">"),
    ("keys found", ">"),
)


def command(
    platform: OnePlatform,
    core: Annotated[str, Option(metavar="<core>", help="Core to attack.")],
    condition: Annotated[
        str | None,
        Option(metavar="<name,..>", help="Conditions of the caches before each call. [all]"),
    ] = None,
    keys: Annotated[
        int, Option(metavar="<n>", help="Random keys to attack.", min=1, max=1000)
    ] = 20,
    timings: Annotated[
        int,
        Option(metavar="<n>", help="Limit of timings for each key.", min=512, max=1 << 22),
    ] = 1 << 17,
    inputs: Annotated[
        int, Option(metavar="<n>", help="Address traces to compare.", min=2, max=1 << 16)
    ] = 1 << 12,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Attack a core through its cache misses, and count the timings that reveal the key."""
    quiet = check_form(json, csv)
    target, name = _asked(platform, core)
    from ..leaking.cost import leak_cost  # needs the emulator's packages

    with usage(), progress_bar(f"attacking {name}", quiet=quiet) as progress:
        asked = None if condition is None else _conditions(condition)
        found = leak_cost(
            target, name, keys=keys, limit=timings, inputs=inputs,
            conditions=asked, progress=progress,
        )  # fmt: skip
    if csv:
        print_csv(_records(found), ("platform", "core"))
    elif json:
        print_json(found.as_json())
    else:
        _print(found)


def _records(found: "LeakCost") -> list[dict[str, Any]]:
    """A row for each attack."""
    named = {"platform": found.platform, "core": found.core}
    return [{**named, **one} for one in found.as_json()["collisions"]]


def _asked(platform: str, core: str) -> tuple[Platform, str]:
    targets = platforms_named(platform)
    if len(targets) > 1:
        raise click.BadParameter("name one platform", param_hint="--platform")
    target = counted(targets[0])
    names = able_cores(target, names_given(core, "--core"))
    if len(names) > 1:
        raise click.BadParameter("name one core", param_hint="--core")
    reason = why_not(target)
    if reason:
        raise RigUnavailableError(reason)
    return target, names[0]


def _conditions(text: str) -> list[Condition]:
    known = {one.name: one for one in CONDITIONS}
    names = names_given(text, "--condition", tuple(known))
    for name in names:
        if name not in known:
            raise click.BadParameter(
                f"'{name}' is not a condition; choose from: {', '.join(known)}",
                param_hint="--condition",
            )
    return [known[name] for name in names]


def _power(many: float | None) -> str:
    """Format a number of timings as a power of two: "2^11"."""
    return "-" if many is None else f"2^{log2(many):.3g}"


def _print(found: "LeakCost") -> None:
    out = console()
    print_text(out, f"{found.core} on {found.platform}: {found.provenance}")
    print_text(
        out,
        f"address traces of {count(found.inputs)} random keys and texts: "
        f"{count(found.distinct)} different",
    )
    rows = [
        (
            f"{one.round}-round collisions",
            one.condition,
            count(one.bits),
            _power(one.timings),
            _power(one.predicted),
            f"{sum(map(bool, one.each))} of {found.keys}" if one.each else "not run",
        )
        for one in found.collisions
    ]
    if rows:
        print_table(out, _COLUMNS, rows)
    if found.correlation is not None:
        one = found.correlation
        saved = " ".join(f"{bits:.1f}" for bits in one.bits)
        print_text(
            out,
            f"correlation, cache {one.condition}, {_power(one.timings)} timings: "
            f"bits of each key byte {saved}",
        )
    print_text(out, _verdict(found), "bold")


def _verdict(found: "LeakCost") -> str:
    if found.distinct == 1:
        return "Addresses do not depend on key or text, so cache misses leak nothing."
    told = sentence(found.as_json()["collisions"])
    if told:
        return f"{told[0].upper()}{told[1:]}."
    return (
        f"No key found within {_power(found.limit)} timings by these attacks, which does not prove "
        "that none can be found."
    )
