# SPDX-License-Identifier: MIT
"""`aesfit papers flips` on claims whose flips are known."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import experiment_folder
import pytest
from claim_places import named, place, texts

from aesfit_papers.judging.catalog import experiments, results_path
from aesfit_papers.judging.contract import Claim, Pair
from aesfit_papers.judging.flips import (
    Standing,
    as_share,
    by_code,
    by_compiler,
    by_level,
    by_place,
    by_reading,
    not_rebuilt,
    of_other_sources,
)
from aesfit_papers.judging.rule import Ends, Form, Kind
from aesfit_papers.judging.run import Judged
from aesfit_papers.judging.verdict import judge, pair_of

EXPERIMENT = "images_made_up"


def standing(
    kind: Kind,
    found: Mapping[str, Pair | float],
    published: float | Ends | None = None,
    form: Form = "times",
) -> Standing:
    claim = Claim("Made up.", kind, named(found), published, form)
    return Standing(EXPERIMENT, Judged(claim, judge(claim, EXPERIMENT)))


def test_a_share_read_as_a_share() -> None:
    """Saved 18 % where 13 % is published: within half of the effect, and not within 25 %."""
    one = standing("effect", {"a": Pair(0.82, 1)}, 0.13, "saved")
    assert one.judged.verdict.word == "holds"
    found = by_reading([one])
    assert (found.tried, found.flipped) == (1, 1)
    assert (found.flips[0].was, found.flips[0].becomes) == ("holds", "holds nowhere")
    assert by_reading([standing("effect", {"a": Pair(0.86, 1)}, 0.13, "saved")]).flipped == 0
    assert by_reading([standing("effect", {"a": Pair(0.82, 1)}, 0.87)]).tried == 0
    assert by_reading([standing("exact", {"a": Pair(2, 2)}, 1, "of")]).tried == 0


@pytest.mark.parametrize(
    ("added", "told"), [(0.1, 0.5), (0.2, 1), (0.25, 1), (0.30, 1), (0.45, 1.5)]
)
def test_a_range_of_shares_is_held_at_its_ends(added: float, told: float) -> None:
    one = standing("range", {"a": Pair(1 + added, 1)}, (0.2, 0.3), "added")
    assert pair_of(as_share(one.judged.claim).found[place("a")]).a == pytest.approx(told)


def test_a_place_left_out() -> None:
    one = standing("order", {"a": Pair(2, 1), "b": Pair(1, 2)})
    found = by_place([one, standing("order", {"a": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert [(flip.becomes, flip.by) for flip in found.flips] == [
        ("holds nowhere", "without a"),
        ("holds", "without b"),
    ]
    firm = standing("order", {"a": Pair(2, 1), "b": Pair(3, 1)})
    assert by_place([firm]).flipped == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with experiment_folder.used(tmp_path, monkeypatch):
        experiment_folder.write(tmp_path, "cache_made_up")
        yield tmp_path


def keep(compiler: str, cycles: str, sources: str = "aesfit 0, sources 1") -> None:
    """Rows of the made-up experiment, whose places are a and b."""
    path = results_path("cache_made_up", compiler)
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = "\n".join(f"{place},{each},10" for place, each in zip("ab", cycles.split(), strict=True))
    facts = f"# rv32i: riscv64-unknown-elf-gcc (1) 12; -O2\n# {sources}"
    path.write_text(f"{facts}\ncore,cycles,published\n{rows}\n", encoding="utf-8")


def test_clang_beside_gcc(folder: Path) -> None:
    keep("", "10 11")
    (one,) = experiments()
    assert by_compiler([one]).tried == 0
    assert (not_rebuilt([one]), of_other_sources([one])) == (["cache_made_up"], [])
    keep("clang", "9 10")
    found = by_compiler([one])
    assert (found.tried, found.flipped) == (1, 1)
    assert [(flip.sentence, flip.was, flip.becomes, flip.by) for flip in found.flips] == [
        ("As fast.", "in part", "holds", "by clang")
    ]
    assert (not_rebuilt([one]), of_other_sources([one])) == ([], [])


def test_rows_by_clang_that_are_older(folder: Path) -> None:
    keep("", "10 11")
    keep("clang", "9 10", sources="aesfit 0, sources 2")
    assert of_other_sources(experiments()) == ["cache_made_up"]


def test_what_no_compiler_moves_is_not_tried(folder: Path) -> None:
    keep("", "10 11")
    keep("clang", "10 11")
    assert by_compiler(experiments()).tried == 0


def test_our_code_beside_the_papers() -> None:
    one = standing("order", {"a": Pair(2, 1), "a, our code": Pair(1, 2)})
    assert texts(one.judged.verdict.places) == {"a": "holds"}
    assert texts(one.judged.verdict.swept) == {"a, our code": "opposite"}
    found = by_code([one, standing("order", {"a": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert (found.flips[0].becomes, found.flips[0].by) == ("holds nowhere", "on our code")


def test_one_level_alone() -> None:
    """-O0 is tried too, which is not judged."""
    one = standing("order", {"a, -O0": Pair(1, 2), "a, -O2": Pair(2, 1), "a, -O3": Pair(1, 2)})
    assert one.judged.verdict.group == "in part"
    found = by_level([one, standing("order", {"a, -O2": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert [(flip.becomes, flip.by) for flip in found.flips] == [
        ("holds nowhere", "at -O0 alone"),
        ("holds", "at -O2 alone"),
        ("holds nowhere", "at -O3 alone"),
    ]
    firm = standing("order", {"a, -O0": Pair(3, 1), "a, -O2": Pair(2, 1)})
    assert by_level([firm]).flipped == 0
