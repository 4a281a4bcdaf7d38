# SPDX-License-Identifier: MIT
"""`aesfit papers flips`: verdicts that change by reading, place, level, code or compiler."""

from collections.abc import Mapping, Sequence
from typing import Any

from aesfit.cli.common import console, print_json, print_table, print_text
from aesfit.cli.options import Json

from ..judging.catalog import experiments
from ..judging.contract import Experiment
from ..judging.flips import Firmness, Flip, compilers, not_rebuilt, tries
from .again import need_extras


def command(json: Json = False) -> None:
    """Show how firm the verdicts are: which change by reading, place, level, code or compiler."""
    need_extras()
    every = experiments()
    tried = tries(every)
    built = compilers(every)
    if json:
        print_json(_as_json(tried, built))
        return
    rows = [(one.what, str(one.tried), str(one.flipped), _share(one)) for one in tried]
    print_table(console(), [("changed", "<"), ("claims", ">"), ("flip", ">"), ("share", ">")], rows)
    for one in tried:
        _print_each(one)
    _say_what_lacks(every)


def _say_what_lacks(experiments: Sequence[Experiment]) -> None:
    """Experiments without rows by clang; `aesfit papers list` shows which rows are older."""
    lacking = not_rebuilt(experiments)
    if lacking:
        told = f"no rows by clang: {', '.join(lacking)}; make them with: "
        print_text(console(), told + "aesfit papers run NAME --clang", style="dim")


def _share(one: Firmness) -> str:
    return f"{100 * one.flipped / one.tried:.1f} %" if one.tried else "-"


def _print_each(one: Firmness) -> None:
    """Print each claim once, with the first way in which it flips and the number of others."""
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
