# SPDX-License-Identifier: MIT
"""MixColumns with products from tables or by mul(), beside the other functions: pairs by place.

The rows are those of images_product_or_table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple

from ..instruction_counts.products import INV_MIX, MIX
from .cells import pairs
from .contract import Pair, Row, Value
from .images import CALLS, STEPS, block_optimised, span
from .place import ClaimPlace

NAMES = {MIX: "MixColumns", INV_MIX: "InvMixColumns"}
WAYS = {"table": "6 tables", "logs": "mul(), logarithms", "shifts": "mul(), shifts"}
FORMS = {
    "plain": "loops",
    "inner": "inner loops written out",
    "whole": "written out",
    "inner_inlined": "inner loops written out, inlined",
    "whole_inlined": "written out, inlined",
}
LOOPS, INNER = FORMS["plain"], FORMS["inner"]
OTHERS = tuple(name for name in STEPS if name != NAMES[MIX])


_Function = tuple[Value, Value, Value]
"""Its name, product and form."""


def both(rows: Sequence[Row], a: _Function, b: _Function) -> dict[ClaimPlace, Pair]:
    """Cycles of one function, product and form against those of another, by place."""
    functions, products, forms = zip(a, b, strict=True)
    run = [row for row in rows if row["cycles"] is not None]
    return pairs(run, "cycles", function=functions, product=products, form=forms)


def gains(rows: Sequence[Row], way: str) -> dict[ClaimPlace, Pair]:
    """What MixColumns takes with its inner loops written out, against loops."""
    name = NAMES[MIX]
    return both(rows, (name, WAYS[way], INNER), (name, WAYS[way], LOOPS))


def against_others(rows: Sequence[Row], way: str, form: str) -> dict[ClaimPlace, Pair]:
    """MixColumns against all other functions of a block in the same form."""
    name, made = NAMES[MIX], {}
    each = [both(rows, (name, WAYS[way], form), (other, None, form)) for other in OTHERS]
    cells = {"function": (name, *OTHERS), "product": (WAYS[way], None)}
    for place, mix in each[0].items():
        made[place.of(**cells)] = Pair(CALLS[name] * mix.a, sum(one[place].b for one in each))
    return made


def left(rows: Sequence[Row]) -> dict[str, dict[ClaimPlace, Pair]]:
    """What each function takes with its inner loops written out, MixColumns by mul()."""
    others = {one: both(rows, (one, None, INNER), (one, None, LOOPS)) for one in OTHERS}
    every = {**others, NAMES[MIX]: gains(rows, "logs")}
    products = None, WAYS["logs"]
    return {
        name: {place.of(product=products): pair for place, pair in one.items()}
        for name, one in every.items()
    }


def whole(rows: Sequence[Row]) -> dict[ClaimPlace, Pair]:
    """All functions of a block with inner loops written out, against loops, MixColumns by mul()."""
    unrolled, loops = (against_others(rows, "logs", form) for form in (INNER, LOOPS))
    return {
        at.of(form=(INNER, LOOPS)): Pair(sum(astuple(unrolled[at])), sum(astuple(pair)))
        for at, pair in loops.items()
    }


def least_of_others(
    every: Mapping[str, Mapping[ClaimPlace, Pair]], name: str
) -> dict[ClaimPlace, Pair]:
    """The least share of time left of all others, against that function's."""
    return {
        at.of(function=tuple(every)): Pair(
            min(one[at].ratio for other, one in every.items() if other != name), pair.ratio
        )
        for at, pair in every[name].items()
    }


def gain_less(every: Mapping[str, Mapping[ClaimPlace, Pair]], name: str) -> dict[ClaimPlace, float]:
    """How many of the other functions gain less than that one."""
    return {
        at.of(function=tuple(every)): float(
            sum(one[at].ratio > pair.ratio for one in every.values())
        )
        for at, pair in every[name].items()
    }


def by_code(rows: Sequence[Row], code: str) -> dict[ClaimPlace, Pair]:
    """A block with MixColumns by mul(), optimised in some rounds, against loops in all."""
    every = calls(rows)
    return {
        at.of(function=tuple(every)): block_optimised(
            code, {name: by_place[at] for name, by_place in every.items()}
        )
        for at in every[NAMES[MIX]]
    }


def calls(rows: Sequence[Row]) -> dict[str, dict[ClaimPlace, Pair]]:
    """One call of each function with inner loops written out, against loops."""
    every = left(rows)
    for name in OTHERS:  # whose rows are of all calls in a block
        many = CALLS[name]
        every[name] = {at: Pair(pair.a / many, pair.b / many) for at, pair in every[name].items()}
    return every


def others_told(every: Mapping[str, Mapping[ClaimPlace, Pair]]) -> str:
    """Gains of every function, by range."""
    return "Gains: " + "; ".join(
        f"{name} {span([1 - pair.ratio for pair in one.values()])}" for name, one in every.items()
    )
