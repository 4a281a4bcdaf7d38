# SPDX-License-Identifier: MIT
"""The map of a claim: judged places, and those that only an assumption keeps from judging."""

from collections.abc import Mapping

from claim_places import named

from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.contract import Assumed, Claim
from aesfit_papers.judging.maps import ClaimMap, claim_map, mapped
from aesfit_papers.judging.run import Judged
from aesfit_papers.judging.verdict import judge

WAITS = {f"{wait} wait states, -O2": 2.0 if 4 <= wait <= 8 else 0.5 for wait in (0, 4, 8, 16)}
SWEPT = {"4 wait states, -O0": 0.5}
NAME = "platforms_made_up"


def map_of(found: Mapping[str, float], untestable: Mapping[str, str],
           by_clang: Mapping[str, float] | None = None) -> ClaimMap:  # fmt: skip
    one = claim(found, untestable)
    other = None if by_clang is None else claim(by_clang, dict.fromkeys(by_clang, CHOSEN))
    return claim_map(NAME, Judged(one, judge(one, NAME)), other)


def claim(found: Mapping[str, float], untestable: Mapping[str, str]) -> Claim:
    return Claim("Fast.", "at least", named(found), 1.0, untestable=named(untestable))


CHOSEN = Assumed("we chose the memory")


def test_places_of_an_assumed_memory_are_mapped_and_not_judged() -> None:
    found = {**WAITS, **SWEPT}
    made = map_of(found, dict.fromkeys(found, CHOSEN))
    one = claim(found, dict.fromkeys(found, CHOSEN))
    assert judge(one, NAME).group == "not testable here"
    assert made.supposed
    assert made.where == "would hold only on 4 to 8 wait states (assumed, not judged)"
    assert made.turned == (
        "would stop holding with -O0 instead of -O2 (4 wait states); "
        "would begin to hold with 8 wait states instead of 16 wait states (-O2)"
    )
    assert made.tried == {"level": 1, "memory": 6}
    assert made.tried_sizes == 6


def test_other_reasons_leave_the_map_empty() -> None:
    made = map_of(WAITS, dict.fromkeys(WAITS, "another program"))
    assert (made.where, made.turned) == ("no place can test it", "no change was tried")
    assert not made.supposed


def test_assumed_places_beside_judged_ones_are_told_apart_and_turn_nothing() -> None:
    found = {"rv32i, -O2": 2.0, "rv32i, -O3": 2.0, "arm9tdmi, -O2": 0.5}
    made = map_of(found, {"arm9tdmi, -O2": CHOSEN})
    assert made.where == (
        "holds in all 2 places; of places that are assumed, not judged, it would fail in the only "
        "place"
    )
    assert made.turned == "not by the only change tried"


def test_clang_is_a_change_of_an_assumed_place_too() -> None:
    found = {"4 wait states, -O2": 2.0}
    made = map_of(found, dict.fromkeys(found, CHOSEN), {"4 wait states, -O2": 0.5})
    assert made.turned == "would stop holding with clang instead of gcc (4 wait states, -O2)"


def test_what_caches_gain_says_with_which_memory_the_published_ratios_would_be_met() -> None:
    """Table 1 of the platforms' paper: key expansion, encryption and decryption."""
    some = mapped(experiment_named("platforms_table_1_caches"))
    for one in (some[0], some[2], some[4]):
        assert one.one.verdict.group == "not testable here"
        assert "would hold only on 1" in one.map.where
        assert " to 20 wait states at -Os" in one.map.where
        assert "wait states instead of" in one.map.turned


def test_a_claim_on_an_assumed_clock_is_mapped() -> None:
    some = mapped(experiment_named("platforms_table_1"))
    (phone,) = (one for one in some if one.one.claim.sentence.startswith("An ARM9 phone sustains"))
    assert phone.map.supposed
