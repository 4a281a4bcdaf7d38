# SPDX-License-Identifier: MIT
"""MixColumns with products from tables or by mul(), beside the other functions: pairs by place.

The rows are those of images_product_or_table.
"""

from collections.abc import Mapping, Sequence

from ..instruction_counts.products import INV_MIX, MIX
from .cells import figure, found
from .contract import Pair, Row, Value
from .images import CALLS, LEVELS, STEPS, block_optimised, places, span

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


def both(rows: Sequence[Row], a: Sequence[Value], b: Sequence[Value]) -> dict[str, Pair]:
    """Cycles of one function, product and form against those of another, by place."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    return {
        f"{name}, {level}": Pair(
            figure(cell(name, level, *a)["cycles"]), figure(cell(name, level, *b)["cycles"])
        )
        for name, level in places(LEVELS)
    }


def gains(rows: Sequence[Row], way: str) -> dict[str, Pair]:
    """What MixColumns takes with its inner loops written out, against loops."""
    name = NAMES[MIX]
    return both(rows, (name, WAYS[way], INNER), (name, WAYS[way], LOOPS))


def against_others(rows: Sequence[Row], way: str, form: str) -> dict[str, Pair]:
    """MixColumns against all other functions of a block in the same form."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    return {
        f"{name}, {level}": Pair(
            CALLS[NAMES[MIX]] * figure(cell(name, level, NAMES[MIX], WAYS[way], form)["cycles"]),
            sum(figure(cell(name, level, one, None, form)["cycles"]) for one in OTHERS),
        )
        for name, level in places(LEVELS)
    }


def left(rows: Sequence[Row]) -> dict[str, dict[str, Pair]]:
    """What each function takes with its inner loops written out, MixColumns by mul()."""
    others = {one: both(rows, (one, None, INNER), (one, None, LOOPS)) for one in OTHERS}
    return {**others, NAMES[MIX]: gains(rows, "logs")}


def whole(rows: Sequence[Row]) -> dict[str, Pair]:
    """All functions of a block with inner loops written out, against loops, MixColumns by mul()."""
    unrolled, loops = (against_others(rows, "logs", form) for form in (INNER, LOOPS))
    return {at: Pair(unrolled[at].a + unrolled[at].b, loops[at].a + loops[at].b) for at in loops}


def least_of_others(every: Mapping[str, Mapping[str, Pair]], name: str) -> dict[str, Pair]:
    """The least share of time left of all others, against that function's."""
    return {
        at: Pair(min(one[at].ratio for other, one in every.items() if other != name), pair.ratio)
        for at, pair in every[name].items()
    }


def gain_less(every: Mapping[str, Mapping[str, Pair]], name: str) -> dict[str, float]:
    """How many of the other functions gain less than that one."""
    return {
        at: float(sum(one[at].ratio > pair.ratio for one in every.values()))
        for at, pair in every[name].items()
    }


def by_code(rows: Sequence[Row], code: str) -> dict[str, Pair]:
    """A block with MixColumns by mul(), optimised in some rounds, against loops in all."""
    every = calls(rows)
    return {
        at: block_optimised(code, {name: by_place[at] for name, by_place in every.items()})
        for at in every[NAMES[MIX]]
    }


def calls(rows: Sequence[Row]) -> dict[str, dict[str, Pair]]:
    """One call of each function with inner loops written out, against loops."""
    every = left(rows)
    for name in OTHERS:  # whose rows are of all calls in a block
        many = CALLS[name]
        every[name] = {at: Pair(pair.a / many, pair.b / many) for at, pair in every[name].items()}
    return every


def others_told(every: Mapping[str, Mapping[str, Pair]]) -> str:
    """Gains of every function, by range."""
    return "Gains: " + "; ".join(
        f"{name} {span([1 - pair.ratio for pair in one.values()])}" for name, one in every.items()
    )
