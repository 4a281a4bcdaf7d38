# SPDX-License-Identifier: MIT
"""Claims judged on code as printed, with ours beside: what a reason adds, and the table of both."""

import pytest
from claim_places import place

from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import Claim, Pair
from aesfit_papers.judging.verdict import judge, only

EXPERIMENT = "transposed_made_up"
PRINTED, OURS = place("arm7tdmi"), place("arm7tdmi, our code")


def claim(printed: Pair, ours: Pair) -> Claim:
    found = {PRINTED: printed, OURS: ours}
    return Claim("Faster.", "order", found, cause="compiler or processor", why="Slow.")


FASTER, SLOWER = Pair(2, 1), Pair(1, 2)


def test_only_the_code_as_printed_is_judged() -> None:
    verdict = judge(claim(SLOWER, FASTER), EXPERIMENT)
    assert (verdict.word, verdict.swept) == ("opposite", {OURS: "holds"})
    assert judge(only(claim(SLOWER, FASTER), "our code"), EXPERIMENT).word == "holds"


@pytest.mark.parametrize(
    ("printed", "ours", "why"),
    [
        (SLOWER, FASTER, "Slow. On our code: holds. Fewer."),
        (FASTER, SLOWER, "On our code: opposite. Fewer."),
        (SLOWER, SLOWER, "Slow."),
        (FASTER, FASTER, ""),
    ],
)
def test_a_reason_says_where_our_code_differs(printed: Pair, ours: Pair, why: str) -> None:
    assert with_difference(claim(printed, ours), EXPERIMENT, "Fewer.").why == why


def test_a_claim_without_our_code_keeps_its_reason() -> None:
    alone = Claim("Faster.", "order", {PRINTED: SLOWER}, cause="our code differs", why="Slow.")
    assert with_difference(alone, EXPERIMENT, "Fewer.") == alone
    assert both_codes([alone], EXPERIMENT).lines == ()


def test_the_table_marks_verdicts_that_differ() -> None:
    some = [claim(SLOWER, FASTER), claim(FASTER, FASTER)]
    assert both_codes(some, EXPERIMENT).lines == (
        ("Faster.", "opposite", "holds", "differs"),
        ("Faster.", "holds", "holds", ""),
    )
