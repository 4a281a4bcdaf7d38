# SPDX-License-Identifier: MIT
"""`aesfit experiment --flips`: verdicts that change under another reading or without a place."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..papers.catalog import experiments
from ..papers.flips import (
    Firmness,
    Flip,
    by_code,
    by_compiler,
    by_place,
    by_reading,
    claims_of,
    compilers,
)
from .common import console, print_json, print_table, print_text


def print_flips(json: bool) -> None:
    """From stored results alone; nothing is measured."""
    claims = claims_of(experiments())
    tried = [by_reading(claims), by_place(claims), by_code(claims), by_compiler(claims)]
    built = compilers(experiments())
    if json:
        print_json(_as_json(tried, built))
        return
    rows = [(one.what, str(one.tried), str(one.flipped), _share(one)) for one in tried]
    print_table(console(), [("changed", "<"), ("claims", ">"), ("flip", ">"), ("share", ">")], rows)
    for one in tried:
        _print_each(one)
    if not tried[-1].tried:
        print_text(console(), _why_not(built))


def _why_not(built: Mapping[str, Sequence[str]]) -> str:
    """What there is of clang instead of rows beside those of gcc."""
    alone = ", ".join(name for name, some in built.items() if list(some) == ["clang"])
    return (
        "clang beside gcc: no stored claim has places by both compilers, so none can be tried; "
        f"built by clang alone: {alone or 'none'}"
    )


def _share(one: Firmness) -> str:
    return f"{100 * one.flipped / one.tried:.1f} %" if one.tried else "-"


def _print_each(one: Firmness) -> None:
    """Each claim once, with the first way in which it flips and how many more there are."""
    out = console()
    by_claim: dict[tuple[str, str], list[Flip]] = {}
    for flip in one.flips:
        by_claim.setdefault((flip.experiment, flip.sentence), []).append(flip)
    for (experiment, sentence), some in by_claim.items():
        first = some[0]
        more = f" and {len(some) - 1} more" if len(some) > 1 else ""
        told = f"{first.was} becomes {first.becomes} {first.by}{more}"
        print_text(out, f"{experiment}: {sentence} {told}")


def _as_json(tried: Sequence[Firmness], built: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """With the stable keys."""
    return {
        "changed": [
            {
                "what": one.what,
                "claims": one.tried,
                "flipped": one.flipped,
                "flips": [vars(flip) for flip in one.flips],
            }
            for one in tried
        ],
        "compilers": {name: list(some) for name, some in built.items()},
    }
