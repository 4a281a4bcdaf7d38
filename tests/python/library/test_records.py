# SPDX-License-Identifier: MIT
"""make records: which figures it asks for, and the notes on its rows."""

import json
import re
from dataclasses import replace
from types import ModuleType

import pytest
from assembly_cores import assembly_cores, made_for
from covering import covering
from places import ROOT
from scripts import loaded

from aesfit.catalog import cores

SCRIPT = ROOT / "bench" / "bench_records.py"
README = ROOT / "README.md"
best_published = loaded(ROOT / "bench" / "best_published.py")  # bench_records imports it


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    return loaded(SCRIPT)


def test_every_core_in_assembly_is_asked_for_in_both_directions(bench: ModuleType) -> None:
    asked = {(one["core"], one["platform"], one["what"]) for one in bench.records()}
    for core in assembly_cores():
        platforms = {platform for name, platform, _ in asked if name == core}
        assert platforms
        assert platforms <= {one.name for one in made_for(core)}
        for platform in platforms:
            assert {(core, platform, "encrypt"), (core, platform, "decrypt")} <= asked


def test_every_figure_of_others_has_a_source_and_a_rule(bench: ModuleType) -> None:
    """Also of cores that are not in the library yet."""
    found = [bench.published(one) for one in bench.records()]
    assert any(found)
    assert all(one.by and one.rule and one.value > 0 for one in found if one)


def test_figures_of_published_toml_are_per_byte_or_per_block(bench: ModuleType) -> None:
    wanted = {"source": "Schwabe", "platform": "cortex-m3", "tables": "flash"}
    assert bench.on_silicon({**wanted, "call": "AES_128_encrypt_ctr"}).value == 33.2
    assert bench.on_silicon({**wanted, "call": "AES_128_encrypt"}).value == 637.5


def test_what_is_not_in_the_library_is_left_out(bench: ModuleType) -> None:
    assert bench.is_here({"core": "fixslice"})
    assert not bench.is_here({"core": "fixslice_no_such"})
    assert not bench.is_here({"core": "fixslice", "ghash": "no_such"})


def test_a_miss_is_told_with_the_limit(bench: ModuleType) -> None:
    row = bench.RecordRow(
        "a_core", "cortex-m3", 128, "encrypt", "c/B", ours=74.7, goal=75, published=80, by="They",
        rule="as they say", limit=59.5, counted="operations alone",
    )  # fmt: skip
    assert bench.verdict(row) == ""
    missed = "misses its goal; limit 59.5 (operations alone)"
    assert bench.verdict(replace(row, goal=70)) == missed
    assert bench.verdict(replace(row, published=70)) == "others are faster"
    lines = bench.table([replace(row, goal=70)]).splitlines()
    cells = ["a_core", "cortex-m3", "128", "encrypt", "74.7", "70.0", "80.0", "(1)"]
    assert lines[1].split()[:8] == cells
    assert lines[1].endswith(missed)
    assert lines[2] == "(1) They: as they say"


def test_rows_as_json(
    bench: ModuleType,
    slow: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In short runs of each core and each unit."""
    here = [one for one in bench.records() if bench.is_here(one)]
    few = covering(here, lambda one: (("core", one["core"]), ("unit", one["unit"])))
    monkeypatch.setattr(bench, "records", lambda: here if slow else few)
    if not slow:
        monkeypatch.setattr(bench, "best", lambda: best_published.best()[2:3])
    monkeypatch.setattr("sys.argv", ["bench_records", "--json"])
    bench.main()
    rows = json.loads(capsys.readouterr().out)
    keys = "name platform key_bits what unit ours goal published by rule limit counted met best"
    assert all(list(row) == keys.split() for row in rows)
    assert {row["name"] for row in rows} >= set(assembly_cores())
    beside = [row for row in rows if row["goal"] is None]
    assert len(beside) == (len(best_published.best()) if slow else 1)
    assert all(
        row["published"] and row["best"] == (row["ours"] <= row["published"]) for row in beside
    )
    for row in (row for row in rows if row["goal"] is not None):
        assert row["met"] or (row["limit"] and row["counted"]), f"nobody counted {row['name']}"
        assert row["met"] == (row["ours"] <= row["goal"])


def test_the_best_of_what_others_published_is_taken() -> None:
    best = {one.work: one for one in best_published.best()}
    assert best["cortex-m3", 128, "encrypt", False].published.value == 599
    assert best["rv32im-e31", 256, "encrypt", True].published.value == 105.7
    assert best["cortex-m4", 128, "ctr", False].published.value == 30.6
    assert best["cortex-m4", 192, "ctr", False].published.value == 40.2


def test_ours_is_a_core_that_does_the_same_work() -> None:
    """No core whose set-up is short because its blocks expand the key, and none with tables."""
    for work in (("cortex-m3", 128, "key", False), ("cortex-m3", 128, "ctr", True)):
        (one,) = [each for each in best_published.best() if each.work == work]
        name, figure = best_published.fastest(one)
        core = next(each for each in cores() if each.name == name)
        assert not core.on_the_fly_keys
        assert core.constant_time or not one.constant_time
        assert figure > 0


def test_the_readme_says_how_many_are_beaten(bench: ModuleType, slow: bool) -> None:
    (many, of) = re.findall(r"in (\d+) of (\d+) works", README.read_text("utf-8"))[0]
    assert int(of) == len(best_published.best())
    if slow:
        assert f"in {many} of {of} works" in bench.beaten(bench.beside_others())
