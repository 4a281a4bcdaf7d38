# SPDX-License-Identifier: MIT
"""What a program with one GCM call links, by the program that prints it: make bench-embedded."""

import importlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from few import slow_but
from made_once import made_once, tool_line
from places import ROOT

import aesfit
from aesfit.building.sources import digest, include_folders, registered

DEFAULT = "NULL"
NAMED = "&aesfit_core_transposed_encrypt"
BY_STRING = 'aesfit_core_by_name("transposed")'

MOST = {  # bytes of flash; on Cortex-M0+ the goals, elsewhere what was linked, rounded up
    ("cortex-m0plus", DEFAULT): 8192,
    ("cortex-m0plus", NAMED): 6144,
    ("cortex-m3", DEFAULT): 8192,
    ("cortex-m3", NAMED): 6144,
    ("rv32im-e31", DEFAULT): 13312,
    ("rv32im-e31", NAMED): 10240,
    ("x86-64", DEFAULT): 235520,  # aesni, whose paths for all modes come along
    ("x86-64", NAMED): 20480,  # with clmul, the default multiplier
}


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench")
        yield importlib.import_module("bench_embedded")


def remembering(run: Callable[[list[str]], str]) -> Callable[[list[str]], str]:
    """The program's run(), which compiles nothing that was compiled before."""

    def once(words: list[str]) -> str:
        if "-c" not in words:
            return run(words)
        source, made = Path(words[words.index("-c") + 1]), words[words.index("-o") + 1]
        asked = [word for word in words if word not in (str(source), made)]
        read = digest(source.read_text(encoding="utf-8"), (source.parent, *include_folders()))

        def make(to: Path) -> None:
            run([str(to) if word == made else word for word in words])

        shutil.copyfile(made_once(".o", make, "weighed", asked, tool_line(words[0]), read), made)
        return ""

    return once


@pytest.fixture(scope="module", autouse=True)
def weigh(bench: ModuleType) -> Iterator[ModuleType]:
    module = sys.modules["embedded_compiled"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "run", remembering(module.run))
        yield module


SMALLEST = "cortex-m0plus"
"""The processor of the goals, which runs without --slow."""


def cores_in(weigh: ModuleType, platform: str, program: str) -> set[str]:
    """Cores of which a function was linked."""
    names = weigh.run([weigh.binutil(platform, "nm"), program])
    return {
        core for core in registered("cores") if re.search(rf" t {core}_expand_key$", names, re.M)
    }


@pytest.mark.parametrize(
    ("platform", "core"), slow_but([case for case in MOST if case[0] == SMALLEST], MOST)
)
def test_program_with_one_gcm_call_is_small(weigh: ModuleType, platform: str, core: str) -> None:
    program, flash = weigh.linked(weigh.Program(platform, core))
    assert flash <= MOST[platform, core]
    default = {"x86-64": {"fixslice", "aesni"}, "cortex-m3": {"fixslice_4k_armv7m"}}
    linked = {"transposed"} if core == NAMED else default.get(platform, {"fixslice"})
    assert cores_in(weigh, platform, program) == linked
    names = weigh.run([weigh.binutil(platform, "nm"), program])
    assert not re.search(r"fixslice\w*_decrypt", names)


def test_core_that_is_asked_for_by_a_string_links_all(weigh: ModuleType) -> None:
    program, flash = weigh.linked(weigh.Program(SMALLEST, BY_STRING))
    assert {"transposed", "ttable8", "fixslice"} <= cores_in(weigh, SMALLEST, program)
    assert flash > 3 * MOST[SMALLEST, DEFAULT]


def test_cores_for_study_are_linked_by_nobody(weigh: ModuleType) -> None:
    program, _ = weigh.linked(weigh.Program(SMALLEST, BY_STRING))
    assert not cores_in(weigh, SMALLEST, program) & {"bytewise", "compact", "mobile"}


def test_goals_of_sizes_are_met(
    bench: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    slow: bool,
) -> None:
    monkeypatch.setattr("sys.argv", ["bench_embedded", "--sizes", "--json"])
    if not slow:  # whether those of aesni are met is not asked
        asked = [one for one in bench.QUESTIONS if not one.name.startswith("aesni-")]
        monkeypatch.setattr(bench, "QUESTIONS", asked)
    bench.main()
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert len(rows) > 12
    missed = {name for name, row in rows.items() if row["met"] is False}
    assert not {name for name in missed if not name.startswith("aesni-")}
    for row in rows.values():
        assert set(row) == {"name", "what", "unit", "goal", "value", "met"}
        assert row["met"] == (None if row["goal"] is None else row["value"] <= row["goal"])


def test_rows_have_names_of_their_own(bench: ModuleType) -> None:
    names = [one.name for one in bench.QUESTIONS]
    assert len(names) == len(set(names)) > 50
    assert all(re.fullmatch(r"[a-z0-9_-]+", name) for name in names)


def test_cycles_are_those_of_aesfit_measure(bench: ModuleType) -> None:
    """One of each kind; GHASH alone against the difference of two messages."""
    by_name = {one.name: one for one in bench.QUESTIONS}
    hashed = bench.answered(by_name["ghash-table4-cortex-m3"])
    long, short = (
        aesfit.measure("cortex-m3", cores="ttable1", mode="gcm", ops="encrypt", ghash="table4",
                       payload_bytes=16 * blocks).measured[0].cycles
        - aesfit.measure("cortex-m3", cores="ttable1", mode="ctr", ops="encrypt",
                         payload_bytes=16 * blocks).measured[0].cycles
        for blocks in (94, 14)
    )  # fmt: skip
    assert hashed.value == pytest.approx((long - short) / (16 * 80), rel=0.1)
    flying = bench.answered(by_name["transposed_otf-128-encrypt"])
    rows = aesfit.measure("arm7tdmi", cores="transposed,transposed_otf", ops="encrypt-block")
    assert flying.value == rows.measured[1].cycles
    assert flying.goal > rows.measured[0].cycles
