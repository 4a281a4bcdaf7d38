# SPDX-License-Identifier: MIT
"""Claims of the cache paper: what its places name, what is only shown, what is counted once."""

import re
from collections.abc import Sequence

import pytest
from claim_places import named, place, texts

from aesfit_papers.judging.cache import LX, picks
from aesfit_papers.judging.catalog import experiment_named, experiments
from aesfit_papers.judging.contract import CODE_DIFFERS, Row, Words
from aesfit_papers.judging.maps import mapped
from aesfit_papers.judging.place import at
from aesfit_papers.judging.rebuilt import CLANG
from aesfit_papers.judging.run import Judged, judged, stored
from aesfit_papers.judging.told import asked, span, value_told
from aesfit_papers.judging.verdict import judge, pair_of


def rows(name: str, compiler: str = "") -> Sequence[Row]:
    measured = stored(experiment_named(name), compiler)
    assert measured is not None
    return measured.rows


def claim(name: str, begins: str) -> Judged:
    """The only claim of an experiment whose sentence begins so."""
    some = judged(experiment_named(name), rows(name))
    (found,) = (one for one in some if one.claim.sentence.startswith(begins))
    return found


def words(name: str) -> str:
    """Every paragraph of an experiment."""
    parts = experiment_named(name).render(rows(name))
    return "\n".join(part.text for part in parts if isinstance(part, Words))


def test_a_cache_and_a_burst_in_words() -> None:
    assert str(at(size=4096, ways=1, line=32)) == "4 KiB, 1 way, 32-byte lines"
    assert str(at(size=1 << 20, ways=16)) == "1,024 KiB, 16 ways"
    assert (str(at(calls=1)), str(at(calls=1000))) == ("1 call", "1,000 calls")


SHAPE = re.compile(
    r"[\w-]+, \d+ KiB, \d+ ways?, \d+-byte lines(, fifo|, random)?, (cold|half evicted)"
    r"(, versions that fit)?"
)


def test_validation_has_a_place_for_each_cache_and_judges_those_that_meet_the_assumptions() -> None:
    one = claim("cache_validation", "The error of the model")
    caches = {(row["place"], row["cache"], row["evicted"]) for row in rows("cache_validation")}
    within = [row for row in rows("cache_validation") if row["kind"] == "assumptions"]
    whole = [place for place in one.claim.found if "versions that fit" not in place]
    assert all(SHAPE.fullmatch(str(place)) for place in one.claim.found)
    assert len(whole) == len(caches)
    assert len(one.verdict.places) == len(within)
    errors = sorted(pair_of(one.claim.found[place]).a for place in one.verdict.places)
    assert errors == pytest.approx(sorted(float(str(row["mean"])) for row in within))
    beyond = [pair_of(one.claim.found[place]).a for place in one.claim.shown]
    assert sum(error > 0.01 for error in beyond) > len(beyond) / 2


def test_versions_that_do_not_fit_are_shown_with_those_that_do() -> None:
    shared: Row = {"place": "a", "cache": "4K:4:32", "evicted": 1}
    some: list[Row] = [
        {**shared, "kind": "assumptions", "bursts": 30, "mean": 0.001},
        {**shared, "kind": "extensions", "bursts": 10, "mean": 0.041},
        {**shared, "kind": "extensions", "bursts": 10, "mean": 0.02, "evicted": 0.5},
    ]
    (made,) = experiment_named("cache_validation").claims(some)
    cold = "a, 4 KiB, 4 ways, 32-byte lines, cold"
    half = "a, 4 KiB, 4 ways, 32-byte lines, half evicted"
    assert texts(made.found) == {
        cold: pytest.approx(0.011),
        f"{cold}, versions that fit": pytest.approx(0.001),
        half: pytest.approx(0.02),
    }
    assert set(map(str, made.shown)) == {cold, half}


@pytest.mark.parametrize(
    ("name", "number", "before", "after"),
    [
        ("cache_validation", 1, "16 KiB", "4 KiB"),
        ("cache_small_caches", 1, "16 KiB", "8 KiB"),
        ("cache_figure_4", 2, "1 to 1,000 calls", r"\d+ calls?"),
        ("cache_figure_3", 1, "1 call", r"\d+ calls"),
        ("cache_figure_3", 2, "1,024 calls", r"\d+ calls"),
    ],
)
def test_the_map_names_the_cache_or_the_burst_that_turns_a_claim(
    name: str, number: int, before: str, after: str
) -> None:
    one = mapped(experiment_named(name))[number - 1]
    assert one.one.verdict.group == "holds"
    first = one.map.turns[0]
    assert (first.holds, first.before.text) == (True, before)
    assert re.fullmatch(after, first.after.text)


@pytest.mark.parametrize(("name", "many"), [("cache_figure_4", 52), ("cache_small_caches", 64)])
def test_the_pick_is_counted_over_every_burst(name: str, many: int) -> None:
    one = claim(name, "The model picks the best")
    assert len(one.verdict.places) == many
    assert span(one.claim, one.verdict) == f"{many} of {many}"
    assert "is 0 % at most" in one.claim.why


def test_a_wrong_pick_is_counted_and_its_regret_is_told() -> None:
    made = picks("Made up.", named({"a": 0.0, "b": 0.0, "c": 0.25}))
    verdict = judge(made, "cache_made_up")
    assert (verdict.group, span(made, verdict), asked(made)) == (
        "in part",
        "2 of 3",
        "all, held where equal",
    )
    assert value_told(made, made.found[place("c")]) == "0 of 1"
    assert "25 %" in made.why


@pytest.mark.parametrize(
    ("name", "of", "begins"),
    [
        ("cache_crossovers", 6, "Without misses AES6 takes fewer cycles a call than AES4"),
        ("cache_figure_3", 6, "Without misses AES6 takes fewer cycles a call than AES4"),
        ("cache_versions", 1, "A call of AES2 takes 0.96 times the cycles of AEST"),
    ],
)
def test_what_follows_from_a_claim_names_it_and_is_not_counted_again(
    name: str, of: int, begins: str
) -> None:
    told = f"follows from the claim `cache_coefficients:{of}` and is not counted again"
    assert told in words(name)
    first = experiment_named("cache_coefficients").claims(rows("cache_coefficients"))[of - 1]
    assert first.sentence.startswith(begins)
    version = "Version 2" if name == "cache_versions" else "AES6"
    made = experiment_named(name).claims(rows(name))
    assert not any(re.search(f"{version}.* best|{version} is better", one.sentence) for one in made)


@pytest.mark.parametrize("compiler", ["", CLANG])
def test_aes6_never_takes_over_because_it_takes_no_fewer_cycles(compiler: str) -> None:
    some = [
        row
        for row in rows("cache_crossovers", compiler)
        if row["to"] == "AES6" and row["place"] != LX
    ]
    assert some
    assert all(row["calls"] is None and float(str(row["cycles_gained"])) <= 0 for row in some)
    long = [row for row in rows("cache_figure_3", compiler) if row["calls"] == 1024]
    assert {row["best"] for row in long if row["place"] != LX} == {"AES2"} | {"AES4"}


def test_sizes_of_e_have_one_rule_on_the_lx_and_elsewhere() -> None:
    """Those of our code are no failure of the paper, wherever it runs."""
    sized = re.compile(
        r"A call of AES\d takes|With lines of \d+ bytes AES4 is better|Without misses a call of"
    )
    seen = set()
    for experiment in (one for one in experiments() if one.paper.key == "cache"):
        for one in judged(experiment, rows(experiment.name)):
            if sized.match(one.claim.sentence):
                seen.add(experiment.name)
                assert one.claim.cause == CODE_DIFFERS, one.claim.sentence
                assert one.verdict.group in ("holds", "not judged on their code")
    assert seen == {"cache_coefficients", "cache_crossovers", "cache_lx_bounds"}
