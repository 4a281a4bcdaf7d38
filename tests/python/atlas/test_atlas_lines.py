# SPDX-License-Identifier: MIT
"""The file of the atlas: what is written is read again, and what was edited is refused."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas

from aesfit.atlas import lines
from aesfit.atlas.cells import UnfitRowError, abridged, image_cell, row_from, run_cell
from aesfit.atlas.lines import DamagedAtlasError

JOB = next(job for job in small_atlas.asked_jobs() if job.op == "encrypt")
DIGEST = "0123456789abcdef" * 4
PACKED = "ASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8"
"""The same in base64."""
RUNS = (
    "1000:900:100:u",
    "1000~10:900:100:n",
    "1000~11:900:100:n",
    "1000~0:900:0:s",
    "1000^8:900:100:n:980-1020w",
    "1000~10:900:100:n:990-1010s;1200c",
    "1000~10:900:100:n:1200-1210c:; more than the cache holds",
    "1000~10:900:100:n::; more than the cache holds",
    "1000~10::100:n",
)


@pytest.mark.parametrize("run", RUNS)
def test_a_row_comes_back_as_the_cells_it_came_from(run: str) -> None:
    image = f"{PACKED if ':s' in run else DIGEST[:8]}:300:1024:180"
    row = row_from(JOB, image, run, "3f" * 32, small_atlas.SETTING)
    assert (image_cell(row), run_cell(JOB, row, small_atlas.SETTING.memory)) == (image, run)


def test_what_cells_say() -> None:
    row = row_from(
        JOB, f"{DIGEST[:8]}:300:1024:180", "1000~11:900:100:n:990-1010s;1200c", "3f" * 32,
        small_atlas.SETTING,
    )  # fmt: skip
    assert (row.cycles, row.cycles_min, row.cycles_max) == (1000, 994, 1005)
    assert (row.instructions, row.stack_bytes, row.context_bytes) == (900, 100, 180)
    assert (row.flash_bytes, row.ram_bytes, row.secrecy.kind) == (1324, 280, "depends")
    assert row.cycles_per_byte == 1000 / 64
    told = "; 990 to 1010 cycles over 4 secrets; 1200 cycles when cold"
    assert row.provenance.window.endswith(told)
    assert row.provenance.image_sha256 == DIGEST[:8]


@pytest.mark.parametrize("op", ["key-setup", "encrypt", "both"])
def test_what_no_answer_shows_is_left_out(op: str) -> None:
    job = replace(JOB, op=op)
    run = "1000~10:900:100:n:1200-1210c:; more than the cache holds"
    row = row_from(job, f"{PACKED}:1:2:3", run, "", small_atlas.SETTING)
    kept = abridged(job, row, small_atlas.SETTING.memory)
    assert kept.provenance.image_sha256 == DIGEST[:8]
    words = "when cold" in kept.provenance.window, "more than" in kept.provenance.memory
    assert words == ((True, True) if op == "encrypt" else (False, False))
    assert (kept.instructions, kept.cycles_min) == ((None, None) if op == "both" else (900, 995))
    assert abridged(job, replace(row, timing="independent"), "code").provenance.image_sha256 == (
        DIGEST
    )


def test_a_range_whose_middle_is_another_number_is_refused() -> None:
    row = row_from(JOB, f"{DIGEST[:8]}:1:2:3", "1000~11:900:100:n", "", small_atlas.SETTING)
    with pytest.raises(UnfitRowError, match="not the middle"):
        run_cell(JOB, replace(row, cycles=1001), small_atlas.SETTING.memory)


def test_words_without_a_short_form_are_refused() -> None:
    row = row_from(JOB, f"{DIGEST[:8]}:1:2:3", "1000~11:900:100:n", "", small_atlas.SETTING)
    told = replace(row.provenance, window=f"{row.provenance.window}; at full moon")
    with pytest.raises(UnfitRowError, match="at full moon"):
        run_cell(JOB, replace(row, provenance=told), small_atlas.SETTING.memory)


def test_groups_come_back_and_empty_cells_are_those_before(tmp_path: Path) -> None:
    path = small_atlas.write(tmp_path / "a.csv", small_atlas.group(), small_atlas.other_group())
    assert lines.platforms(path) == ("elsewhere", small_atlas.CHIP)
    group = lines.group_of(small_atlas.CHIP, path)
    assert group == small_atlas.group()
    line = group.lines[lines.asked_of(JOB, "both")]
    assert line.cells("key-setup", 1504) == (small_atlas.IMAGES[0], small_atlas.RUNS[0][0])
    assert line.cells("both", 64) == (small_atlas.IMAGES[1], small_atlas.RUNS[1][2])


def test_nothing_is_there_without_the_file_or_the_platform(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    assert lines.group_of(small_atlas.CHIP, path) is None
    small_atlas.write(path)
    assert lines.platforms(path) == ()
    small_atlas.write(path, small_atlas.other_group())
    assert lines.group_of(small_atlas.CHIP, path) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [("3000~10", "2000~10"), ("2026-11-23", "2026-11-24"), ("a compiler 12.2", "a compiler 12.3")],
)
def test_an_edited_line_or_head_is_refused_and_other_groups_are_not(
    old: str, new: str, tmp_path: Path
) -> None:
    path = small_atlas.write(tmp_path / "a.csv", small_atlas.group(), small_atlas.other_group())
    before, mark, own = path.read_text(encoding="utf-8").partition(f"# {small_atlas.CHIP} ")
    assert old in own
    path.write_text(before + mark + own.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DamagedAtlasError, match=f"{small_atlas.CHIP} that were changed"):
        lines.group_of(small_atlas.CHIP, path)
    assert lines.group_of("elsewhere", path) == small_atlas.other_group()


def test_a_line_that_was_removed_is_noticed(tmp_path: Path) -> None:
    path = small_atlas.write(tmp_path / "a.csv", small_atlas.group())
    text = path.read_text(encoding="utf-8").rstrip("\n")
    path.write_text(text[: text.rindex("\n") + 1], encoding="utf-8")
    with pytest.raises(DamagedAtlasError):
        lines.group_of(small_atlas.CHIP, path)


def test_the_file_is_a_csv_with_comments(tmp_path: Path) -> None:
    path = small_atlas.write(tmp_path / "a.csv", small_atlas.group())
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    assert [row["core"] for row in rows] == ["fixslice", "ttable1"]
    assert {row["encrypt_16"] for row in rows} == {small_atlas.RUNS[0][1]}
    assert {f"{row['encrypt_1504']}:100:n" for row in rows} == {small_atlas.RUNS[2][1]}
