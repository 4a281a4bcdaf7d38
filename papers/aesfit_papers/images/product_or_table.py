# SPDX-License-Identifier: MIT
"""Sections 4 and 5: products of the field come from a function mul(), which reads a table.

"A straightforward implementation of the multiplication operation in the field is MIPS-intensive",
so that a table of 6 x 256 products can replace it; MixColumns takes more time than all other
functions together "due to the mul() function"; it gains least by optimisation, 13 %, "due to the
implementation of a look-up table for the GF multiplication".

Ours: MixColumns and InvMixColumns with products from six tables, by a function mul() that adds
logarithms from two tables, and by one that shifts and adds, as loops and written out, each run on
the state of FIPS 197's example on six 32-bit processors at four levels of the compiler.  The other
functions are those of `bytewise` and `bytewise_unrolled`.  Opt1, Opt2 and OptF are sums of these
figures over the rounds that are optimised, as in `bytewise_alt1` and `bytewise_alt2`: on these
processors a call takes the same in any round.

What differs: the paper prints no mul().  Its code samples are the loops of the reference code of
Rijndael (Rijmen and Barreto), whose mul() adds logarithms; that it is the paper's too is our
reading.  Bytes with the flags of a Pentium 4 stand beside, for its table 2.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from aesfit.building.build import compiler_version
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.code_sizes import pentium_4, with_flags
from aesfit_papers.instruction_counts.products import INV_MIX, MIX, Products
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import (
    CALLS,
    FULL,
    LEVELS,
    PLAIN,
    PLATFORMS,
    SAVED,
    STEPS,
    block_optimised,
    blocks_run,
    places,
    span,
    split_of,
    step,
    times,
)
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table

NUMBER = "Sections 4 and 5, products"
TITLE = "Products of MixColumns from tables, by logarithms and by shifts"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("function"),
    Column("product"),
    Column("form"),
    Column("cycles", "cycles"),
    Column("bytes", "B"),
)
FAST = False
_PENTIUM = "pentium4"
_NAMES = {MIX: "MixColumns", INV_MIX: "InvMixColumns"}
_WAYS = {"table": "6 tables", "logs": "mul(), logarithms", "shifts": "mul(), shifts"}
_FORMS = {
    "plain": "loops",
    "inner": "inner loops written out",
    "whole": "written out",
    "inner_inlined": "inner loops written out, inlined",
    "whole_inlined": "written out, inlined",
}
_LOOPS, _INNER = _FORMS["plain"], _FORMS["inner"]
_OTHERS = tuple(name for name in STEPS if name != _NAMES[MIX])
_OVERALL = (0.12, 0.30)
"""Of the abstract."""
_BEFORE = {
    MIX: bytes.fromhex("d4bf5d30e0b452aeb84111f11e2798e5"),
    INV_MIX: bytes.fromhex("046681e5e0cb199a48f8d37a2806264c"),
}
"""FIPS 197, appendix B, round 1: the state before and after MixColumns."""
_AFTER = {MIX: _BEFORE[INV_MIX], INV_MIX: _BEFORE[MIX]}


def rows(progress: Progress) -> Measured:
    """Every form everywhere, the other functions, and sizes on a Pentium 4."""
    made: list[Row] = []
    every = places(LEVELS)
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        built = Products(with_flags(platform_named(name), (level,)))
        made += _mixed(name, level, built, run=True)
        made += _others(name, level)
    for level in LEVELS:
        made += _mixed(_PENTIUM, level, Products(pentium_4(level)), run=False)
    taken = blocks_run((PLAIN, FULL), LEVELS, lambda done, total: None)
    sizes = pentium_4(LEVELS[0])
    told = f"{_PENTIUM}: {compiler_version(sizes)}; {' '.join(sizes.compiler.target)}, sizes alone"
    return Measured(made, (*lines(list(taken.values())), told))


def _mixed(name: str, level: str, built: Products, *, run: bool) -> list[Row]:
    """Both directions in every form that there is."""
    return [
        {
            "platform": name,
            "flags": level,
            "function": _NAMES[which],
            "product": _WAYS[way],
            "form": _FORMS[form],
            "cycles": _cycles(built, way, form, which) if run else None,
            "bytes": built.sizes[f"{way}_{form}_{which}"],
        }
        for way, form, which in product(_WAYS, _FORMS, _NAMES)
        if f"{way}_{form}_{which}" in built.sizes
    ]


def _cycles(built: Products, way: str, form: str, which: str) -> int:
    cycles, left = built.run(way, form, which, _BEFORE[which])
    if left != _AFTER[which]:
        raise RuntimeError(f"{way}_{form}_{which} is not {_NAMES[which]}")
    return cycles


def _others(name: str, level: str) -> list[Row]:
    """The other functions in a block, as loops and written out."""
    made: list[Row] = []
    for core, form in ((PLAIN, _LOOPS), (FULL, _INNER)):
        here = split_of(name, core, level)
        for function in _OTHERS:
            one = step(here, "encrypt", function)
            row: dict[str, Value] = {"platform": name, "flags": level, "function": function}
            made.append({**row, "product": None, "form": form, "cycles": one.cycles,
                         "bytes": one.code_bytes})  # fmt: skip
    return made


def _both(rows: Sequence[Row], a: Sequence[Value], b: Sequence[Value]) -> dict[str, Pair]:
    """Cycles of one function, product and form against those of another, by place."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    return {
        f"{name}, {level}": Pair(
            figure(cell(name, level, *a)["cycles"]), figure(cell(name, level, *b)["cycles"])
        )
        for name, level in places(LEVELS)
    }


def _gains(rows: Sequence[Row], way: str) -> dict[str, Pair]:
    """What MixColumns takes with its inner loops written out, against loops."""
    name = _NAMES[MIX]
    return _both(rows, (name, _WAYS[way], _INNER), (name, _WAYS[way], _LOOPS))


def _against_others(rows: Sequence[Row], way: str, form: str) -> dict[str, Pair]:
    """MixColumns against all other functions of a block in the same form."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    return {
        f"{name}, {level}": Pair(
            CALLS[_NAMES[MIX]] * figure(cell(name, level, _NAMES[MIX], _WAYS[way], form)["cycles"]),
            sum(figure(cell(name, level, one, None, form)["cycles"]) for one in _OTHERS),
        )
        for name, level in places(LEVELS)
    }


def _left(rows: Sequence[Row]) -> dict[str, dict[str, Pair]]:
    """What each function takes with its inner loops written out, MixColumns by mul()."""
    left = {one: _both(rows, (one, None, _INNER), (one, None, _LOOPS)) for one in _OTHERS}
    return {**left, _NAMES[MIX]: _gains(rows, "logs")}


def _whole(rows: Sequence[Row]) -> dict[str, Pair]:
    """All functions of a block with inner loops written out, against loops, MixColumns by mul()."""
    unrolled, loops = (_against_others(rows, "logs", form) for form in (_INNER, _LOOPS))
    return {at: Pair(unrolled[at].a + unrolled[at].b, loops[at].a + loops[at].b) for at in loops}


def _least_of_others(left: Mapping[str, Mapping[str, Pair]], name: str) -> dict[str, Pair]:
    """The least share of time left of all others, against that function's."""
    return {
        at: Pair(min(one[at].ratio for other, one in left.items() if other != name), pair.ratio)
        for at, pair in left[name].items()
    }


def _gain_less(left: Mapping[str, Mapping[str, Pair]], name: str) -> dict[str, float]:
    """How many of the other functions gain less than that one."""
    return {
        at: float(sum(one[at].ratio > pair.ratio for one in left.values()))
        for at, pair in left[name].items()
    }


def _by_code(rows: Sequence[Row], code: str) -> dict[str, Pair]:
    """A block with MixColumns by mul(), optimised in some rounds, against loops in all."""
    calls = _calls(rows)
    return {
        at: block_optimised(code, {name: by_place[at] for name, by_place in calls.items()})
        for at in calls[_NAMES[MIX]]
    }


def _calls(rows: Sequence[Row]) -> dict[str, dict[str, Pair]]:
    """One call of each function with inner loops written out, against loops."""
    left = _left(rows)
    for name in _OTHERS:  # whose rows are of all calls in a block
        many = CALLS[name]
        left[name] = {at: Pair(pair.a / many, pair.b / many) for at, pair in left[name].items()}
    return left


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What a computed product costs, and what mul() explains."""
    return [*_slower(rows), *_logs(rows), *_most_of_all(rows), *_overall(rows), *_gained(rows)]


def _overall(rows: Sequence[Row]) -> list[Claim]:
    """The abstract's range, and the three levels of optimisation."""
    by_code = {code: _by_code(rows, code) for code in SAVED}
    told = "; ".join(
        f"{code} {span([1 - pair.ratio for pair in one.values()])}" for code, one in by_code.items()
    )
    every = {f"{code}, {at}": pair for code, one in by_code.items() for at, pair in one.items()}
    why = (
        f"Saved are {told}, over all levels of the compiler: at -O3 it unrolls the inner loops "
        "itself, and writing them out saves little."
    )
    return [
        Claim("With mul() optimised encryption takes 12 to 30 % less time (Opt1, Opt2 and OptF).",
              "range", every, _OVERALL, "saved", "compiler or processor", why),
        *(Claim(f"With mul() {code} takes {100 * share:.0f} % less time than unoptimised code.",
                "effect", by_code[code], share, "saved", "compiler or processor", why)
          for code, share in SAVED.items()),
    ]  # fmt: skip


def _logs(rows: Sequence[Row]) -> list[Claim]:
    """Javed, section 5.1, speaks of ARM: logarithms against doubling, both inlined as his macro."""
    form = _FORMS["inner_inlined"]
    every = _both(rows, (_NAMES[MIX], _WAYS["logs"], form), (_NAMES[MIX], _WAYS["shifts"], form))
    return [
        Claim("On ARM tables of logarithms are slower than doubling (MixColumns, cycles of the "
              "one against the other).", "order",
              {at: pair for at, pair in every.items() if not at.startswith("rv")}),
    ]  # fmt: skip


def _slower(rows: Sequence[Row]) -> list[Claim]:
    return [
        Claim(f"A straightforward product takes more time than a table ({name}, cycles).", "order",
              _both(rows, (name, _WAYS["shifts"], _LOOPS), (name, _WAYS["table"], _LOOPS)))
        for name in _NAMES.values()
    ]  # fmt: skip


def _most_of_all(rows: Sequence[Row]) -> list[Claim]:
    return [
        Claim(f"With mul() MixColumns takes more time than all other functions together ({form}).",
              "order", _against_others(rows, "logs", form))
        for form in (_LOOPS, _INNER)
    ]  # fmt: skip


def _gained(rows: Sequence[Row]) -> list[Claim]:
    mixed, left = {way: _gains(rows, way) for way in _WAYS}, _left(rows)
    table_left = {
        at: Pair(pair.ratio, mixed["shifts"][at].ratio) for at, pair in mixed["table"].items()
    }
    told = {way: span([1 - pair.ratio for pair in one.values()]) for way, one in mixed.items()}
    why = (
        f"Writing the inner loops out gains {told['table']} with tables, {told['logs']} with "
        f"mul() by logarithms and {told['shifts']} with mul() by shifts: what is gained are the "
        "loop and its indices, and a call of mul() keeps its cost. So it is the function that "
        "makes MixColumns gain little; reading products from tables makes it gain more."
    )
    whole = span([1 - pair.ratio for pair in _whole(rows).values()])
    return [
        Claim("With mul() encrypt() gains 20 to 30 % (its functions together).", "range",
              _whole(rows), (0.20, 0.30), "saved", "compiler or processor",
              f"All functions together gain {whole}: MixColumns takes most of the time and gains "
              "least."),
        Claim("With mul() MixColumns gains 13 %.", "effect", mixed["logs"], 0.13, "saved",
              "compiler or processor", why),
        Claim("With mul() MixColumns is one of the two that gain least (how many gain less).",
              "at most", _gain_less(left, _NAMES[MIX]), 1, cause="compiler or processor",
              why=f"{why} {_others_told(left)}"),
        Claim("With mul() ShiftRows gains most (the least share of time left of the others, "
              "against its).", "order", _least_of_others(left, "ShiftRows"),
              cause="compiler or processor", why=_others_told(left)),
        Claim("A look-up table makes MixColumns gain little (share of time left by a table, "
              "against by a straightforward product).", "order", table_left,
              cause="the claim itself", why=why),
    ]  # fmt: skip


def _others_told(left: Mapping[str, Mapping[str, Pair]]) -> str:
    """Gains of every function, by range."""
    return "Gains: " + "; ".join(
        f"{name} {span([1 - pair.ratio for pair in one.values()])}" for name, one in left.items()
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles by product, MixColumns against the others, and sizes."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    series = [
        Bars(told, [figure(cell(name, "-O2", _NAMES[MIX], told, _LOOPS)["cycles"])
                    for name in PLATFORMS])
        for told in _WAYS.values()
    ]  # fmt: skip
    image = bars(PLATFORMS, series, Scale("cycles of MixColumns"))
    shown = [(name, name) for name in ("platform", "flags", "function", "product", "form")]
    mixed = [row for row in rows if row["product"] is not None]
    run = [row for row in mixed if row["cycles"] is not None]
    sized = [row for row in mixed if row["platform"] == _PENTIUM]
    shares = {way: times([pair.ratio for pair in _against_others(rows, way, _LOOPS).values()])
              for way in _WAYS}  # fmt: skip
    told = "; ".join(f"{shares[way]} with {_WAYS[way]}" for way in _WAYS)
    return [
        Figure("MixColumns as loops at -O2, by how products are made", image, ".svg",
               "Bars of cycles on six processors: tables take the fewest."),
        Words(f"MixColumns takes, as loops, so many times what all other functions take: {told}."),
        table("Cycles of one call", run, [*shown, ("cycles", "cycles"), ("bytes", "bytes")]),
        table("Bytes with a Pentium 4's flags", sized, [*shown, ("bytes", "bytes")]),
    ]  # fmt: skip
