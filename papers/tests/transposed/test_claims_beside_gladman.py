# SPDX-License-Identifier: MIT
"""The comparison with Gladman's code, and what findings say of it in words."""

from collections.abc import Sequence

import pytest
from claim_places import place

from aesfit_papers.judging import gladman
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.contract import Pair, Row
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.rebuilt import CLANG
from aesfit_papers.judging.run import Judged, judged, stored
from aesfit_papers.judging.stated import statements
from aesfit_papers.judging.transposed import ARMS, STAND_INS


def rows(name: str, compiler: str = "") -> Sequence[Row]:
    measured = stored(experiment_named(name), compiler)
    assert measured is not None
    return measured.rows


def claim(name: str, begins: str, compiler: str = "") -> Judged:
    every = judged(experiment_named(name), rows(name, compiler))
    (one,) = (each for each in every if each.claim.sentence.startswith(begins))
    return one


@pytest.mark.parametrize(
    "begins", ["In decryption", "In encryption the two", "What decryption gains"]
)
def test_a_block_is_judged_on_gladmans_code_and_on_columns_of_the_stand_ins(begins: str) -> None:
    one = claim("transposed_gladman", begins)
    places = {place(f"{name}, {level}") for name in (*ARMS, *STAND_INS) for level in RELEASE}
    assert set(one.verdict.places) == places


def test_the_headline_of_the_paper_is_on_gladmans_code() -> None:
    leading = statements().leading["transposed"]
    one = claim(leading.experiment, leading.claim)
    for arm in ARMS:
        for level in RELEASE:
            theirs = gladman.cell()(gladman.COLUMNS_2001, arm, level)["decrypt"]
            found = one.claim.found[place(f"{arm}, {level}")]
            assert isinstance(found, Pair)
            assert found.a == theirs
    failing = [str(at) for at, word in one.verdict.places.items() if word != "holds"]
    assert failing == ["arm7tdmi, -Os"]


def test_what_is_computed_ahead_is_most_of_what_os_costs() -> None:
    """Nearer to -O2 than to -Os without code hoisting, and then faster than Gladman's."""
    cell = {(row["platform"], row["flags"]): row for row in rows("transposed_gladman")
            if row["operation"] == "decrypt"}  # fmt: skip
    for arm in ARMS:
        small, fast = cell[arm, "-Os"], cell[arm, "-O2"]["transposed"]
        apart, whole = small["transposed_unhoisted"], small["transposed"]
        assert float(str(whole)) - float(str(apart)) > float(str(apart)) - float(str(fast))
        assert float(str(apart)) < float(str(small["gladman"]))


def test_encryption_is_comparable_where_the_finding_says_so() -> None:
    one = claim("transposed_gladman", "In encryption the two")
    held = {str(at) for at, word in one.verdict.places.items() if word == "holds"}
    assert held == {f"{name}, {level}" for name in ("arm9tdmi", "cortex-m0plus")
                    for level in ("-O2", "-O3")}  # fmt: skip


def test_no_claim_removes_the_temporaries_of_columns() -> None:
    """The paper says that the transposed form eliminates them."""
    experiment = experiment_named("transposed_ablation_temporaries")
    (one,) = judged(experiment, rows(experiment.name))
    assert one.claim.sentence.startswith("The four temporaries cost")
    assert one.verdict.group == "by construction"


def test_published_decryption_by_columns_lies_between_registers_and_memory_at_o2() -> None:
    some = [row for row in rows("transposed_ablation_temporaries")
            if row["flags"] in ("-O2", "-O3") and row["platform"] in ARMS]  # fmt: skip
    assert len(some) == 2 * len(ARMS)
    for row in some:
        least, told, most = (
            float(str(row[name])) for name in ("columns", "published_columns", "in_memory")
        )
        assert least < told < most


def test_free_rotations_take_half_of_the_advantage_by_gcc_and_not_everywhere_by_clang() -> None:
    found = {
        compiler: claim(
            "transposed_ablation_rotation", "With it the advantage", compiler
        ).verdict.group
        for compiler in ("", CLANG)
    }
    assert found == {"": "holds", CLANG: "in part"}
