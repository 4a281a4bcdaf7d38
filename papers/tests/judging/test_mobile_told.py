# SPDX-License-Identifier: MIT
"""What findings say in words of Javed's experiments, compared with their rows."""

from collections.abc import Sequence

import pytest
from claim_places import texts

from aesfit_papers.file_bench import javed
from aesfit_papers.instruction_counts.v1_formulations import FORMULATIONS
from aesfit_papers.judging import gladman
from aesfit_papers.judging.catalog import experiment_named, folder
from aesfit_papers.judging.contract import OUR_CODE, Pair, Row
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.rule import BAND
from aesfit_papers.judging.run import Judged, judged, stored
from aesfit_papers.judging.stated import statements
from aesfit_papers.mobile import program_cycles

FINDINGS = (folder() / "findings.toml").read_text(encoding="utf-8")


def rows(name: str) -> Sequence[Row]:
    measured = stored(experiment_named(name))
    assert measured is not None
    return measured.rows


def claims(name: str) -> list[Judged]:
    return judged(experiment_named(name), rows(name))


def test_the_search_is_told_as_its_rows_have_it() -> None:
    found = program_cycles.ranked(rows("mobile_program_cycles"))
    alike = [one for away, one, _ in found if away <= found[0][0] + BAND]
    assert f"Of {len(found):,} programs that its text allows {len(alike)} agree as well" in FINDINGS
    for level, block, keys in alike:
        assert level == "-Os"
        assert "_called_loops_" in block
        assert keys.startswith("rows_all_")
    best, fast = (
        min(away for away, one, _ in found if one[0] == level) for level in ("-Os", "-O2")
    )
    off = [f"{100 * (2.718281828**away - 1):.0f} %" for away in (best, fast)]
    assert f"off by {off[0]}, the nearest at -O2 by {off[1]}" in FINDINGS
    schedule = f"{found[0][2][2]:.0f} times the final implementation's"
    assert f"{schedule}, where {javed.KEY_SCHEDULE.min:.0f} is printed" in FINDINGS
    most = max(ratios[0] for _, _, ratios in found[:11])
    assert f"with the eleven nearest no file can gain more than {most:.2f} times" in FINDINGS


def test_formulations_that_are_more_than_3_times_as_slow() -> None:
    every, more, held = program_cycles.three_times(rows("mobile_program_cycles"))
    assert every == 48 * len(RELEASE)
    assert more <= held <= every
    told = f"Of {every} formulations of V1 at these levels {held} take 3 times as long or more"
    assert told in FINDINGS
    assert f"band of 2 %, and {more} without it" in FINDINGS


def test_a_block_alone_and_in_a_file_as_published() -> None:
    file, blocks = javed.CBC[javed.LARGE], javed.LARGE / 16
    final, v1 = (1000 * each / blocks for each in (file.final_min, file.v1_min))
    told = (
        f"a single block takes {javed.BLOCK.final_min} us and one of a file of 1 MiB {final:.0f} "
        f"us, in V1 {javed.BLOCK.v1_min:,} and {v1:.0f} us"
    )
    assert told in FINDINGS


@pytest.mark.parametrize("at", range(3))
def test_files_are_judged_by_v1_in_the_standard_formulation(at: int) -> None:
    one = claims("mobile_table_3")[at]
    for place in one.verdict.places:
        assert any(told in place for told in FORMULATIONS.values())
    assert {place for place in one.claim.found if OUR_CODE in place} <= set(one.verdict.swept)


def test_every_size_is_a_place() -> None:
    one = claims("mobile_table_3")[0]
    assert len(one.verdict.places) == len(FORMULATIONS) * len(javed.SIZES) * len(RELEASE)


def test_a_block_of_v1_in_cbc_takes_a_little_more_than_alone() -> None:
    """The mode's own cycles; a branch takes another time for other data."""
    alone = {row["flags"]: row for row in rows("mobile_table_1") if row["platform"] == "arm7tdmi"}
    for row in rows("mobile_table_3"):
        if row["bytes"] == 4096:
            for name in FORMULATIONS:
                each = float(str(row[name])) / 256
                block = float(str(alone[row["flags"]][name]))
                assert block < each < (1.06 if name == "v1_branch" else 1.04) * block


def test_tables_are_slower_where_a_block_finds_the_cache_empty() -> None:
    one = claims("mobile_look_up_tables")[0]
    held = {str(at) for at, word in one.verdict.places.items() if word == "holds"}
    assert held == {f"arm920t, cold, {level}" for level in RELEASE}
    assert {f"arm920t, warm, {level}" for level in RELEASE} <= set(texts(one.verdict.places))


def test_v1_is_not_judged_as_the_fastest_because_that_is_cited() -> None:
    assert not any("V1" in one.claim.sentence for one in claims("mobile_look_up_tables"))
    (cited,) = (one for one in statements().entries if one.id == "mobile-v1-fastest")
    assert cited.reason.startswith("Cited from")


def test_types_of_32_bits_are_judged_on_gladmans_code() -> None:
    (one,) = claims("mobile_gladman_types")
    cell = gladman.cell()
    for level in RELEASE:
        by_bytes, by_words = (
            float(str(cell(code, "arm7tdmi", level)["encrypt"])) for code in gladman.BYTES_2006
        )
        assert texts(one.claim.found)[f"arm7tdmi, {level}"] == Pair(by_bytes, by_words)
    assert set(texts(one.verdict.places)) == {f"arm7tdmi, {level}" for level in RELEASE}
    assert not any("32-bit types" in each.claim.sentence for each in claims("mobile_single_steps"))
