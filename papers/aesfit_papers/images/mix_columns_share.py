# SPDX-License-Identifier: MIT
"""Section 5: MixColumns takes more time than all other functions of encrypt() together.

The same pages say that it and its inverse execute the most instructions (section 2), that decrypt()
takes more than encrypt(), and that InvMixColumns multiplies four times for each byte, MixColumns
twice.

Ours: cycles and instructions of each step in one block, plain and fully optimised, each step a
function of its own, on six 32-bit processors at four levels of the compiler.  Multiplications are
the reads of product tables that the core declares and the library's tests count.

What differs: processor and compiler, and how products are made: one read of six tables each, where
the paper has a function mul() too, which it does not print (see the experiment on products).
"""

from collections.abc import Mapping, Sequence

from aesfit.catalog import core_named
from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.functions import FRAME, Split, Window
from aesfit_papers.judging.cells import figure, figures, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.images import (
    CORES,
    FULL,
    LEVELS,
    PLAIN,
    PLATFORMS,
    blocks_run,
    places,
    split_of,
    times,
)
from aesfit_papers.judging.levels import place_of
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table

NUMBER = "Section 5"
TITLE = "MixColumns against all other functions together"
_DIRECTIONS: tuple[Window, ...] = ("encrypt", "decrypt")
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("code"),
    *(
        Column(f"{direction}_{what}", unit)
        for direction in _DIRECTIONS
        for what, unit in (
            ("mix", "cycles"),
            ("others", "cycles"),
            ("whole", "cycles"),
            ("mix_instructions", ""),
            ("next_instructions", ""),
            ("products_a_byte", ""),
        )
    ),
)
FAST = False
_BLOCK = 16


def _products(core: str, direction: Window) -> float:
    """Reads of tables of products in a middle round, for each byte of the state."""
    one = core_named(core)
    reads = sum(
        each.reads_middle_round
        for each in one.tables
        if each.direction == direction and each.name.startswith("mul")
    )
    return reads / _BLOCK


def _of(split: Split, core: str, direction: Window) -> dict[str, float]:
    steps = [one for one in split.functions if one.window == direction and one.name != FRAME]
    (mix,) = [one for one in steps if one.name.endswith("MixColumns")]
    others = [one for one in steps if one is not mix]
    (whole,) = [one for one in split.totals if one.window == direction]
    return {
        f"{direction}_mix": mix.cycles,
        f"{direction}_others": sum(one.cycles for one in others),
        f"{direction}_whole": whole.cycles,
        f"{direction}_mix_instructions": mix.instructions,
        f"{direction}_next_instructions": max(one.instructions for one in others),
        f"{direction}_products_a_byte": _products(core, direction),
    }


def rows(progress: Progress) -> Measured:
    """Both codes on every platform at every level."""
    made: list[Row] = []
    every = places()
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        for core in (PLAIN, FULL):
            here = split_of(name, core, level)
            made.append(
                {
                    "platform": name,
                    "flags": level,
                    "code": CORES[core],
                    **_of(here, core, "encrypt"),
                    **_of(here, core, "decrypt"),
                }
            )
    taken = blocks_run((PLAIN, FULL), LEVELS, lambda done, total: None)
    return Measured(made, lines(list(taken.values())))


def _share(row: Row, direction: Window) -> Pair:
    return Pair(figure(row[f"{direction}_mix"]), figure(row[f"{direction}_others"]))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Time, instructions, directions, multiplications."""
    made: list[Claim] = []
    for core in (PLAIN, FULL):
        here = {
            place_of(row).of(code=row["code"]): row for row in rows if row["code"] == CORES[core]
        }
        code = "plain" if core == PLAIN else "fully optimised"
        made += [_time(code, here), _instructions(code, here), _slower_decryption(code, here)]
    return [*made, *_multiplications(rows)]


def _time(code: str, here: Mapping[ClaimPlace, Row]) -> Claim:
    share = {at: _share(row, "encrypt") for at, row in here.items()}
    inverse = times([_share(row, "decrypt").ratio for row in here.values()])
    told = times([pair.ratio for pair in share.values()])
    why = (
        f"In {code} code MixColumns takes {told} times what the other three take together: its two "
        "products for each byte are table reads, which cost what those of SubBytes cost. "
        f"InvMixColumns, with four products, takes {inverse} times. The paper's products come from "
        "a function mul(): what MixColumns takes with one that adds logarithms, as the reference "
        "code of Rijndael does, images_product_or_table measures."
    )
    sentence = f"In {code} code MixColumns takes more time than all other functions together."
    return Claim(sentence, "order", share, cause="our code differs", why=why)


def _instructions(code: str, here: Mapping[ClaimPlace, Row]) -> Claim:
    ahead = {
        direction + at: Pair(
            figure(row[f"{direction}_mix_instructions"]),
            figure(row[f"{direction}_next_instructions"]),
        )
        for direction in _DIRECTIONS
        for at, row in here.items()
    }
    sentence = (
        f"In {code} code MixColumns and InvMixColumns execute more instructions than any other "
        "function."
    )
    return Claim(sentence, "order of counts", ahead)


def _slower_decryption(code: str, here: Mapping[ClaimPlace, Row]) -> Claim:
    more = {
        at: Pair(figure(row["decrypt_whole"]), figure(row["encrypt_whole"]))
        for at, row in here.items()
    }
    sentence = f"In {code} code decrypt() takes more time than encrypt() (cycles)."
    why = _why_not_slower(here, more)
    return Claim(sentence, "order", more, cause="compiler or processor" if why else "", why=why)


def _why_not_slower(here: Mapping[ClaimPlace, Row], more: Mapping[ClaimPlace, Pair]) -> str:
    """What is known of the places where decryption is no slower."""
    told = [
        f"on {at} InvMixColumns takes {figure(here[at]['decrypt_mix']):,.0f} cycles for "
        f"{figure(here[at]['decrypt_mix_instructions']):,.0f} instructions, MixColumns "
        f"{figure(here[at]['encrypt_mix']):,.0f} for "
        f"{figure(here[at]['encrypt_mix_instructions']):,.0f}"
        for at, pair in more.items()
        if pair.a <= 1.02 * pair.b
    ]
    return f"The compiler's code decides: {'; '.join(told)}." if told else ""


_BUILT = "The core was written with the paper's tables, one read for each product."


def _multiplications(rows: Sequence[Row]) -> list[Claim]:
    made = []
    for direction, name, many in (("encrypt", "MixColumns", 2), ("decrypt", "InvMixColumns", 4)):
        products = figures(
            rows, f"{direction}_products_a_byte", ("code",), platform=PLATFORMS[0], flags=LEVELS[0]
        )
        sentence = f"{name} performs {many} multiplications for each byte."
        made.append(Claim(sentence, "exact", products, many, by_construction=_BUILT))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Shares as bars for each code, and the cycles."""
    cell = found(rows, "platform", "flags", "code")
    parts: list[Part] = []
    names = list(dict.fromkeys(str(row["platform"]) for row in rows))
    for core in (PLAIN, FULL):
        series = [
            Bars(level, [_share(cell(name, level, CORES[core]), "encrypt").ratio for name in names])
            for level in LEVELS
        ]
        image = bars(names, series, Scale("cycles of MixColumns over those of the other three"),
                     write=lambda value: f"{value:.2f}")  # fmt: skip
        title = f"MixColumns against the others, {CORES[core]} code; the paper says above 1"
        parts.append(Figure(title, image, ".svg", f"Bars: {title}."))
    shown = [(name, name) for name in ("platform", "flags", "code")]
    for direction, mix in (("encrypt", "MixColumns"), ("decrypt", "InvMixColumns")):
        shown += [(mix, f"{direction}_mix"), ("other three", f"{direction}_others"),
                  (f"{direction}()", f"{direction}_whole")]  # fmt: skip
    parts.append(table("Cycles of one block, steps apart", rows, shown))
    parts.append(
        Words(
            "The paper reads products from a table to defeat timing attacks. A table defeats "
            "none: which entries are read depends on the key, and where there is a cache the time "
            "can show it. The experiment on timing measures that."
        )
    )
    return parts
