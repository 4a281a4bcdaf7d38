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
processors a call takes the same in any round.  The abstract's range counts all three; each is shown
by itself.

What differs: the paper prints no mul().  Its code samples are the loops of the reference code of
Rijndael (Rijmen and Barreto), whose mul() adds logarithms; that it is the paper's too is our
reading.  Bytes with the flags of a Pentium 4 stand beside, for its table 2.
"""

from collections.abc import Sequence
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
    ResultTable,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import (
    FULL,
    LEVELS,
    PLAIN,
    PLATFORMS,
    SAVED,
    blocks_run,
    places,
    span,
    split_of,
    step,
    times,
)
from aesfit_papers.judging.mul import (
    FORMS,
    INNER,
    LOOPS,
    NAMES,
    OTHERS,
    WAYS,
    against_others,
    both,
    by_code,
    gain_less,
    gains,
    least_of_others,
    left,
    others_told,
    whole,
)
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.processors import ARM_PROCESSORS
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.told import bound, verdict_told
from aesfit_papers.judging.told import span as span_of
from aesfit_papers.judging.verdict import judge
from aesfit_papers.judging.where import holding

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
            "function": NAMES[which],
            "product": WAYS[way],
            "form": FORMS[form],
            "cycles": _cycles(built, way, form, which) if run else None,
            "bytes": built.sizes[f"{way}_{form}_{which}"],
        }
        for way, form, which in product(WAYS, FORMS, NAMES)
        if f"{way}_{form}_{which}" in built.sizes
    ]


def _cycles(built: Products, way: str, form: str, which: str) -> int:
    cycles, after = built.run(way, form, which, _BEFORE[which])
    if after != _AFTER[which]:
        raise RuntimeError(f"{way}_{form}_{which} is not {NAMES[which]}")
    return cycles


def _others(name: str, level: str) -> list[Row]:
    """The other functions in a block, as loops and written out."""
    made: list[Row] = []
    for core, form in ((PLAIN, LOOPS), (FULL, INNER)):
        here = split_of(name, core, level)
        for function in OTHERS:
            one = step(here, "encrypt", function)
            row: dict[str, Value] = {"platform": name, "flags": level, "function": function}
            made.append({**row, "product": None, "form": form, "cycles": one.cycles,
                         "bytes": one.code_bytes})  # fmt: skip
    return made


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What a computed product costs, and what mul() explains."""
    return [*_slower(rows), *_logs(rows), *_most_of_all(rows), *_overall(rows), *_gained(rows)]


def _by_code(rows: Sequence[Row]) -> dict[str, dict[ClaimPlace, Pair]]:
    """By level of optimisation and place."""
    return {code: by_code(rows, code) for code in SAVED}


def _overall(rows: Sequence[Row]) -> list[Claim]:
    """The abstract's range; each of the three by itself is of the same figures, and shown."""
    every = {code + at: pair for code, one in _by_code(rows).items()
             for at, pair in one.items()}  # fmt: skip
    why = (
        f"Saved are {_saved_told(rows, RELEASE)}: at -O3 the compiler unrolls the inner loops "
        f"itself, and writing them out saves little. At -O0, at which the program was compiled "
        f"that is nearest by its sizes (images_program_sizes): {_saved_told(rows, LEVELS[:1])}."
    )
    return [
        Claim("With mul() optimised encryption takes 12 to 30 % less time (Opt1, Opt2 and OptF).",
              "range", every, _OVERALL, "saved", "compiler or processor", why),
    ]  # fmt: skip


def _saved_told(rows: Sequence[Row], levels: Sequence[str]) -> str:
    """What each of the three saves at these levels of the compiler."""
    saved = {
        code: [1 - pair.ratio for at, pair in one.items() if at.named("level") in levels]
        for code, one in _by_code(rows).items()
    }
    return "; ".join(f"{code} {span(shares)}" for code, shares in saved.items())


def tried(rows: Sequence[Row]) -> list[Claim]:
    """Opt1, Opt2 and OptF by themselves: the abstract's range counts them, so these are shown."""
    return [
        Claim(f"With mul() {code} takes {100 * share:.0f} % less time than unoptimised code.",
              "effect", _by_code(rows)[code], share, "saved")
        for code, share in SAVED.items()
    ]  # fmt: skip


def _by_rule(rows: Sequence[Row]) -> ResultTable:
    """The rule's words on them, and those at -O0."""
    cells = []
    for claim in tried(rows):
        verdict = judge(claim, "images_product_or_table")
        unoptimised = holding(verdict.swept)
        cells.append((claim.sentence, bound(claim), span_of(claim, verdict), verdict_told(verdict),
                      f"{sum(unoptimised.values())} of {len(unoptimised)}"))  # fmt: skip
    head = ("claim", "asked", "found", "word", "places that hold at -O0")
    note = "Shown, and not counted: the same figures are judged by the abstract's range."
    return ResultTable("Opt1, Opt2 and OptF by the rule", head, tuple(cells), note)


def _logs(rows: Sequence[Row]) -> list[Claim]:
    """Javed, section 5.1, speaks of ARM: logarithms against doubling, both inlined as his macro."""
    form = FORMS["inner_inlined"]
    every = both(rows, (NAMES[MIX], WAYS["logs"], form), (NAMES[MIX], WAYS["shifts"], form))
    return [
        Claim("On ARM tables of logarithms are slower than doubling (MixColumns, cycles of the "
              "one against the other).", "order",
              {at: pair for at, pair in every.items() if at.named("processor") in ARM_PROCESSORS}),
    ]  # fmt: skip


def _slower(rows: Sequence[Row]) -> list[Claim]:
    return [
        Claim(f"A straightforward product takes more time than a table ({name}, cycles).", "order",
              both(rows, (name, WAYS["shifts"], LOOPS), (name, WAYS["table"], LOOPS)))
        for name in NAMES.values()
    ]  # fmt: skip


def _most_of_all(rows: Sequence[Row]) -> list[Claim]:
    return [
        Claim(f"With mul() MixColumns takes more time than all other functions together ({form}).",
              "order", against_others(rows, "logs", form))
        for form in (LOOPS, INNER)
    ]  # fmt: skip


def _gained(rows: Sequence[Row]) -> list[Claim]:
    mixed, every = {way: gains(rows, way) for way in WAYS}, left(rows)
    products = WAYS["table"], WAYS["shifts"]
    table_left = {
        at.of(product=products): Pair(pair.ratio, mixed["shifts"][at].ratio)
        for at, pair in mixed["table"].items()
    }
    told = {way: span([1 - pair.ratio for pair in one.values()]) for way, one in mixed.items()}
    why = (
        f"Writing the inner loops out gains {told['table']} with tables, {told['logs']} with "
        f"mul() by logarithms and {told['shifts']} with mul() by shifts: what is gained are the "
        "loop and its indices, and a call of mul() keeps its cost. So it is the function that "
        "makes MixColumns gain little; reading products from tables makes it gain more."
    )
    unknown = (
        "The paper does not print its look-up table: six tables of products are one reading, and "
        "mul() by logarithms, which gains little, reads tables too."
    )
    together = span([1 - pair.ratio for pair in whole(rows).values()])
    return [
        Claim("With mul() encrypt() gains 20 to 30 % (its functions together).", "range",
              whole(rows), (0.20, 0.30), "saved", "compiler or processor",
              f"All functions together gain {together}: MixColumns takes most of the time and "
              "gains least."),
        Claim("With mul() MixColumns gains 13 %.", "effect", mixed["logs"], 0.13, "saved",
              "compiler or processor", why),
        Claim("With mul() MixColumns is one of the two that gain least (how many gain less).",
              "at most", gain_less(every, NAMES[MIX]), 1, cause="compiler or processor",
              why=f"{why} {others_told(every)}"),
        Claim("With mul() ShiftRows gains most (the least share of time left of the others, "
              "against its).", "order", least_of_others(every, "ShiftRows"),
              cause="compiler or processor", why=others_told(every)),
        Claim("A look-up table makes MixColumns gain little (share of time left by six tables, "
              "against by a straightforward product).", "order", table_left,
              cause="our code differs", why=f"{unknown} {why}"),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles by product, MixColumns against the others, and sizes."""
    cell = found(rows, "platform", "flags", "function", "product", "form")
    series = [
        Bars(told, [figure(cell(name, "-O2", NAMES[MIX], told, LOOPS)["cycles"])
                    for name in PLATFORMS])
        for told in WAYS.values()
    ]  # fmt: skip
    image = bars(PLATFORMS, series, Scale("cycles of MixColumns"))
    shown = [(name, name) for name in ("platform", "flags", "function", "product", "form")]
    mixed = [row for row in rows if row["product"] is not None]
    run = [row for row in mixed if row["cycles"] is not None]
    sized = [row for row in mixed if row["platform"] == _PENTIUM]
    shares = {way: times([pair.ratio for pair in against_others(rows, way, LOOPS).values()])
              for way in WAYS}  # fmt: skip
    told = "; ".join(f"{shares[way]} with {WAYS[way]}" for way in WAYS)
    return [
        Figure("MixColumns as loops at -O2, by how products are made", image, ".svg",
               "Bars of cycles on six processors: tables take the fewest."),
        Words(f"MixColumns takes, as loops, so many times what all other functions take: {told}."),
        _by_rule(rows),
        table("Cycles of one call", run, [*shown, ("cycles", "cycles"), ("bytes", "bytes")]),
        table("Bytes with a Pentium 4's flags", sized, [*shown, ("bytes", "bytes")]),
    ]  # fmt: skip
