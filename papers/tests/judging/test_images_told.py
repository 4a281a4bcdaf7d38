# SPDX-License-Identifier: MIT
"""What findings say in words of Doomun's experiments, compared with their rows."""

from collections.abc import Sequence
from math import exp

from claim_places import place

from aesfit_papers.images import product_or_table, program_times
from aesfit_papers.images.program_sizes import _AS_GOOD
from aesfit_papers.judging.catalog import experiment_named, folder
from aesfit_papers.judging.contract import CODE_DIFFERS, Pair, Row
from aesfit_papers.judging.images import SAVED, span
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.program import AFTER, BEFORE, LEVELS, ranked
from aesfit_papers.judging.run import Judged, judged, stored
from aesfit_papers.judging.stated import statements
from aesfit_papers.judging.verdict import pair_of

FINDINGS = (folder() / "findings.toml").read_text(encoding="utf-8")
PRODUCTS = "images_product_or_table"


def rows(name: str) -> Sequence[Row]:
    measured = stored(experiment_named(name))
    assert measured is not None
    return measured.rows


def claim(name: str, begins: str) -> Judged:
    every = judged(experiment_named(name), rows(name))
    (one,) = (each for each in every if each.claim.sentence.startswith(begins))
    return one


def test_the_search_is_told_as_its_rows_have_it() -> None:
    found = ranked(rows("images_program_sizes"))
    alike = [one for away, one in found if away <= _AS_GOOD * found[0][0]]
    told = f"Of {len(found):,} programs written after its text {len(alike)} agree equally well"
    assert told in FINDINGS
    for level, shapes in alike:
        assert level == "-O0"
        assert "_mul_" in shapes[BEFORE, "MixColumns"]
        assert all(shape.endswith(("_whole", "keys_written")) for at, shape in shapes.items()
                   if at[0] == AFTER)  # fmt: skip
    nearest = {
        level: 100 * (exp(min(away for away, one in found if one[0] == level)) - 1)
        for level in LEVELS
    }
    other = min(off for level, off in nearest.items() if level != "-O0")
    off = f"off by {nearest['-O0']:.0f} % on average, the nearest of any other level by {other:.0f}"
    assert off in FINDINGS


def test_all_gains_of_the_nearest_eleven_are_larger_than_printed() -> None:
    some = [one for one in program_times.tried(rows("images_program_times")) if one.form == "saved"]
    assert len(some) == 8
    for one in some:
        printed = one.published[1] if isinstance(one.published, tuple) else one.published
        assert printed is not None
        assert all(1 - pair_of(pair).ratio > printed for pair in one.found.values())


def test_the_thirteen_sizes_of_the_nearest_program() -> None:
    some = rows("images_program_sizes")
    level, shapes = ranked(some)[0][1]
    size = {(row["flags"], row["form"], row["function"], row["shape"]): row for row in some}
    forms: dict[str, list[str]] = {BEFORE: [], AFTER: []}
    grown = {BEFORE: 0.0, AFTER: 0.0}
    for (form, function), shape in shapes.items():
        row = size[level, form, function, shape]
        forms[form].append(f"{function} {row['bytes']:,} ({row['published']:,})")
        if not function.startswith("Inv"):
            grown[form] += float(str(row["bytes"]))
    assert f"{', '.join(forms[BEFORE])}; optimised {', '.join(forms[AFTER])}" in FINDINGS
    told = f"from {grown[BEFORE]:,.0f} to {grown[AFTER]:,.0f} bytes of encryption"
    assert f"{told}, {grown[AFTER] / grown[BEFORE]:.2f} times" in FINDINGS


def test_equal_bytes_by_rounds() -> None:
    shares = {(row["picture"], row["rounds"]): 100 * float(str(row["equal_bytes"]))
              for row in rows("images_figure_5") if row["mode"] == "ecb"}  # fmt: skip
    *some, last = (
        f"{share:.1f} % ({name})" for (name, rounds), share in shares.items() if rounds == 2
    )
    assert f"After 2 rounds {', '.join(some)} and {last} of their bytes are equal" in FINDINGS
    later = [share for (_, rounds), share in shares.items() if int(str(rounds)) > 2]
    told = f"from 3 rounds on {min(later):.2f} to {max(later):.2f} %"
    assert f"{told}, where {100 / 256:.2f} % are chance" in FINDINGS


def test_the_abstracts_range_counts_opt1_opt2_and_optf_once() -> None:
    every = [one.claim.sentence for one in judged(experiment_named(PRODUCTS), rows(PRODUCTS))]
    shown = [one.sentence for one in product_or_table.tried(rows(PRODUCTS))]
    assert len(shown) == len(SAVED)
    assert not set(shown) & set(every)


def test_the_abstracts_range_by_level() -> None:
    one = claim(PRODUCTS, "With mul() optimised encryption")
    words = {**one.verdict.places, **one.verdict.swept}
    held = {
        level: [at for at, word in words.items() if level in at and word == "holds"]
        for level in ("-O0", *RELEASE)
    }
    assert f"within it in {len(held['-Os']) + len(held['-O2'])} of 36 places" in FINDINGS
    assert held["-O3"] == []
    assert {str(at).partition(",")[0] for at in held["-O0"]} == {"Opt1", "Opt2"}
    assert len(held["-O0"]) == 12
    for code in SAVED:
        shares = [1 - pair_of(pair).ratio for at, pair in one.claim.found.items()
                  if code in at and "-O0" in at]  # fmt: skip
        assert f"{code} {span(shares)}" in FINDINGS or f"{code} saves {span(shares)}" in FINDINGS


def test_the_formula_at_o0() -> None:
    told = []
    for core in ("bytewise", "compact"):
        begins = f"The formula as published gives the operations of {core}, encrypt"
        one = claim("images_operations", begins)
        shares = [pair_of(pair).ratio for at, pair in one.claim.found.items()
                  if "-O0" in at]  # fmt: skip
        told.append(f"{min(shares):.2f} to {max(shares):.2f}")
    assert f"at -O0 it is {told[0]} and {told[1]}" in FINDINGS


def test_which_table_makes_mix_columns_gain_little_is_not_known() -> None:
    one = claim(PRODUCTS, "A look-up table makes MixColumns gain little")
    assert one.cause == CODE_DIFFERS
    assert one.verdict.group == "not judged on their code"
    assert isinstance(one.claim.found[place("arm7tdmi, -O2")], Pair)


def test_the_abstract_and_the_levels_name_the_experiment() -> None:
    entries = {one.id: one for one in statements().entries}
    for name in ("images-faster-and-larger", "images-levels"):
        assert PRODUCTS in entries[name].experiments
