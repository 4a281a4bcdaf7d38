# SPDX-License-Identifier: MIT
"""`aesfit papers files`: rows, lines, ratios and refusals; never how long things take."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import fakes
import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import Refusal, measure
from aesfit.measuring.measure import Result as Measured
from aesfit_papers.file_bench import emulated as file_emulated
from aesfit_papers.file_bench import javed
from aesfit_papers.file_bench.emulated import LARGEST_RUN, line_through
from aesfit_papers.file_bench.question import FileOutcome, FileRow, OpRow, fitting
from aesfit_papers.file_bench.ratios import judged, ratios
from aesfit_papers.file_bench.table import figures, ratio_table, size_told

ROW_KEYS = [
    *("platform", "core", "flags", "bytes", "reading", "min", "avg", "unit", "extrapolated"),
]
WHERE = ("arm", "mobile", "-O2")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pretend(tmp_path: Path) -> str:
    """A platform of formulas, on which cycles rise as a line does."""
    return fakes.pretend(tmp_path)


def bench(platform: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["papers", "files", "--platform", platform, *arguments])


def json_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


# --- what was published


def test_the_published_tables_agree_with_the_published_words() -> None:
    assert list(javed.SIZES) == [16 << n for n in range(20)]
    assert javed.CBC[16].v1_min * 1000 == javed.BLOCK.v1_min < javed.KEY_SCHEDULE.v1_min
    assert javed.BLOCK.min > 3
    assert javed.KEY_SCHEDULE.min < 20 < javed.KEY_SCHEDULE.avg
    for size, times in javed.CBC.items():
        assert times.final_min < times.final_avg
        assert times.v1_min < times.v1_avg
        assert size < javed.LARGE or 19 < times.min < 21


# --- lines


def test_a_line_is_found_and_its_residual_told() -> None:
    line = line_through({size: 122 + 2496 * size // 16 for size in javed.SIZES[:13]}, WHERE)
    assert (line.cycles, line.cycles_per_block, line.residual, line.reason) == (122, 2496, 0, None)


def test_a_bent_line_is_refused() -> None:
    bent = {16: 1000, 1024: 60_000, 32768: 2_000_000, 65536: 4_000_000}
    line = line_through(bent, WHERE)
    assert line.residual_bytes == 1024
    assert line.residual == pytest.approx(2500 / 60_000)
    assert "1024 bytes lie 4.17% beside the one through 32768 and 65536" in str(line.reason)


def test_two_sizes_are_no_line() -> None:
    assert "a line needs 3 sizes" in str(line_through({16: 1, 32: 2}, WHERE).reason)


def test_larger_sizes_want_all_of_the_small_ones() -> None:
    assert file_emulated.sizes_run((48, 1 << 10)) == (48, 1 << 10)
    assert file_emulated.sizes_run((48, 1 << 20)) == tuple(sorted({48, *javed.SIZES[:13]}))
    assert fitting([8192, 16, 32, 16], 40) == ((16, 32), (8192,))


# --- the verb, on a platform of formulas


def test_json_has_the_stable_keys_and_marks_what_is_extrapolated(pretend: str) -> None:
    found = json_of(bench(pretend, "--json"))
    rows = found["rows"]
    assert len(rows) == 2 * 4 * 20
    for row in rows:
        assert list(row) == ROW_KEYS
        assert (row["platform"], row["reading"], row["unit"]) == ("pretend", None, "cycles")
        assert (
            row["min"]
            == row["avg"]
            == 600
            + (row["core"] == "compact") * 100
            + 128
            + row["bytes"] * (94 - (row["core"] == "compact"))
        )
        assert row["extrapolated"] == (row["bytes"] > LARGEST_RUN)
    assert [row["flags"] for row in rows[::40]] == ["-O0", "-Os", "-O2", "-O3"]
    assert [row["bytes"] for row in rows[:20]] == list(javed.SIZES)
    assert "no reading to measure" in found["reading_is_null"]["pretend"]
    assert {line["residual"] for line in found["linearity"]} == {0}
    assert len(found["ratios"]) == 4 * (20 + 2)
    assert found["ratios"][0]["published"] == {
        "min": pytest.approx(13.25),
        "avg": pytest.approx(23.53, abs=0.01),
    }
    assert found["left_out"] == found["refused"] == []


def test_the_tables_that_people_read(pretend: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    result = bench(pretend, "--flags", "-O2,-O3 -g", "--sizes", "16,8M", "-o", str(out))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[1].split() == ["bytes", "core", "reading", "-O2", "-O3", "-g"]
    assert [line.split()[:3] for line in lines[6:10]] == [
        ["16", "mobile", "-"], ["16", "compact", "-"], ["8M", "mobile", "-"], ["8M", "compact", "-"]
    ]  # fmt: skip
    assert lines[8].split()[3] == f"~{600 + 128 + 94 * (8 << 20):,}"
    assert "on lines with a residual of at most 0.000%" in result.stdout
    assert [line.split()[-2:] for line in lines if line.startswith("8M  ")][-1] == [
        "20.77",
        "22.47",
    ]
    assert "pretend, CBC over 1 MiB and more: the paper says nearly 20 times" in result.stdout
    assert "here 1.0 at -O2, 1.0 at -O3 -g: not reproduced at any level here." in result.stdout
    with out.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ROW_KEYS
    assert [(row["bytes"], row["extrapolated"]) for row in rows[:2]] == [
        ("16", "False"), (str(8 << 20), "True")
    ]  # fmt: skip


def test_longer_keys_have_nothing_published(pretend: str) -> None:
    found = json_of(bench(pretend, "--key-bits", "256", "--sizes", "1M", "--json"))
    assert {str(ratio["published"]) for ratio in found["ratios"]} == {"None"}
    assert found["verdicts"] == []


def test_other_cores_have_figures_and_no_ratios(pretend: str) -> None:
    found = json_of(bench(pretend, "--core", "ttable1", "--sizes", "16", "--json"))
    assert (len(found["rows"]), found["ratios"]) == (4, [])


def test_a_short_file_is_read_up_to_its_length(pretend: str, tmp_path: Path) -> None:
    path = tmp_path / "short"
    path.write_bytes(b"x" * 100)
    result = bench(pretend, "--flags", "-O2", "--json", str(path))
    found = json_of(result)
    assert [row["bytes"] for row in found["rows"]] == [16, 32, 64] * 2
    assert found["left_out"] == list(javed.SIZES[3:])
    assert found["file"]["bytes"] == 100
    assert result.stderr.startswith(f"aesfit: {path} has 100 bytes; left out: 128, 256, 512, 1K,")


def test_what_does_not_rise_as_a_line_is_not_extrapolated(
    pretend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bent(jobs: Sequence[Job], *, fresh: bool) -> list[Measured]:
        rows = measure(jobs, fresh=fresh)
        return [
            replace(row, cycles=2 * row.cycles)
            if isinstance(row, Row) and row.bytes == 512
            else row
            for row in rows
        ]

    monkeypatch.setattr(file_emulated, "measure", bent)
    result = bench(pretend, "--flags", "-O2", "--core", "mobile", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [row["bytes"] for row in found["rows"]] == list(javed.SIZES[:13])
    assert found["linearity"][0]["residual"] == pytest.approx(0.5, abs=0.01)
    assert "pretend, mobile, -O2: sizes above 65536 bytes are not extrapolated" in result.stderr


def test_a_refused_job_is_told_and_the_rest_shown(
    pretend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def picky(jobs: Sequence[Job], *, fresh: bool) -> list[Measured]:
        rows = measure(jobs, fresh=fresh)
        pairs = zip(jobs, rows, strict=True)
        return [Refusal(job, "too big") if job.core == "compact" else row for job, row in pairs]

    monkeypatch.setattr(file_emulated, "measure", picky)
    result = bench(pretend, "--flags", "-O2", "--sizes", "16")
    assert result.exit_code == 1
    assert result.stderr == "aesfit: pretend, compact, -O2: too big\n"
    assert "mobile" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--sizes", "24"], 2, "CBC takes whole blocks, 16 bytes to 8M here, not 24"),
        (["--sizes", "16M"], 2, "CBC takes whole blocks"),
        (["--sizes", "many"], 2, "'many' is not a size in bytes"),
        (["--sizes", ","], 2, "name at least one"),
        (["--key-bits", "100"], 2, "'100' is not a key size"),
        (["--core", "fastest"], 2, "there is no core 'fastest'"),
        (["--core", "aesni"], 2, "core 'aesni' needs"),
        (["--flags", ","], 2, "name at least one"),
        (["--repeats", "0"], 2, "range x>=1"),
        (["-o", "nowhere/rows.csv"], 2, "there is no folder 'nowhere'"),
    ],
)
def test_wrong_usage(pretend: str, arguments: list[str], code: int, sentence: str) -> None:
    result = bench(pretend, *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in " ".join(result.stderr.replace("│", " ").split())


def test_files_that_cannot_be_taken(pretend: str, tmp_path: Path) -> None:
    tiny = tmp_path / "tiny"
    tiny.write_bytes(b"15 bytes, alas.")
    with pytest.raises(ValueError, match="is too short: 15 bytes, and the smallest size asked"):
        raise bench(pretend, str(tiny)).exception or AssertionError
    with pytest.raises(ValueError, match="is not a regular file"):
        raise bench(pretend, str(tmp_path)).exception or AssertionError
    assert bench(pretend, str(tmp_path / "none")).exit_code == 2


def test_the_input_is_never_the_output(pretend: str, tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes(b"16 bytes of old.")
    result = bench(pretend, str(path), "--sizes", "16", "-o", str(path))
    assert result.exit_code == 2
    assert "that is the input" in result.stderr
    assert path.read_bytes() == b"16 bytes of old."


# --- ratios and tables


def outcome(slow: float) -> FileOutcome:
    rows = [
        FileRow("p", core, flags, size, reading, time * size, 2 * time * size, "ns")
        for flags in ("-O0", "-O2")
        for core, time in ((javed.FINAL, 1.0), (javed.V1, slow))
        for size in (1024, 1 << 20)
        for reading in ("excluded", "included")
    ]
    ops = [
        OpRow("p", core, "-O2", "encrypt-block", time, time, "ns")
        for core, time in ((javed.FINAL, 1.0), (javed.V1, slow))
    ]
    return FileOutcome(tuple(rows), tuple(ops))


@pytest.mark.parametrize(
    ("slow", "block", "large"),
    [
        (25.0, "reproduced at -O2", "reproduced at -O0, -O2"),
        (3.5, "reproduced at -O2", "not reproduced at any level here"),
        (2.5, "not reproduced at any level here", "not reproduced at any level here"),
    ],
)
def test_a_ratio_reproduces_or_it_is_said_that_it_does_not(
    slow: float, block: str, large: str
) -> None:
    found = judged(ratios(outcome(slow), 128))
    assert found == [
        f"p, a block: the paper says more than 3 times (3.7 by its minima, 6.2 by its averages); "
        f"here {slow:.1f} at -O2: {block}.",
        "p, CBC over 1 MiB and more: the paper says nearly 20 times (19.3 to 20.8 by its minima, "
        f"19.7 to 22.5 by its averages); here {slow:.1f} at -O0, {slow:.1f} at -O2: {large}.",
    ]


def test_tables_have_two_columns_a_level_where_runs_differ() -> None:
    found = outcome(4.0)
    table = figures("p", found, ["-O0", "-O2"])
    assert table.headings[3:] == ("-O0 min", "-O0 avg", "-O2 min", "-O2 avg")
    assert table.rows[0] == ("block", "mobile", "-", "-", "-", "1 ns", "1 ns")
    assert table.rows[2][:5] == ("1K", "mobile", "excluded", "1.02 us", "2.05 us")
    made = ratio_table("p", ratios(found, 128), ["-O0", "-O2"])
    assert made.rows[0] == ("block", "-", "-", "-", "4.00", "4.00", "3.72", "6.24")
    assert [size_told(size) for size in (48, 1024, 1536, 8 << 20)] == ["48", "1K", "1536", "8M"]
