# SPDX-License-Identifier: MIT
"""`make atlas` measures what is missing or old, keeps the rest, and writes what `fit` reads."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import small_atlas
from places import ROOT

from aesfit.atlas import lines, origin, renewal
from aesfit.atlas.cells import row_from
from aesfit.atlas.keys import DIGITS
from aesfit.atlas.lines import Group
from aesfit.atlas.look_up import known
from aesfit.building import build
from aesfit.building.build import Image, Sizes
from aesfit.cachemodel.versions import ranked_cores
from aesfit.jobs.job import Job
from aesfit.measuring.measure import Refusal, Result
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

sys.path.append(str(ROOT / "tools"))

import make_atlas

DIGEST = "0123456789abcdef" * 4
BUILT = Image(Path(), Sizes(300, 1024, 180), small_atlas.COMPILER, "-O2", "", DIGEST)


MEMORY = small_atlas.SETTING.memory


class Tried:
    """The tool with made-up figures, and what it measured."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "atlas.csv"
        self.asked: list[Job] = []
        self.too_large = ""
        """A core that does not fit."""
        self.day = date(2026, 11, 23)
        self.memory = MEMORY
        """What rows say of the memory."""
        self.tools = small_atlas.TOOLS
        self.image = DIGEST
        """Of what is built now."""
        for module in (origin, renewal, make_atlas):
            monkeypatch.setattr(module, "tools_here", lambda platform: self.tools)
        monkeypatch.setattr(build, "why_not", lambda platform: None)
        monkeypatch.setattr(renewal, "build", lambda job: replace(BUILT, sha256=self.image))
        monkeypatch.setattr(make_atlas, "measure", self._measure)
        monkeypatch.setattr(make_atlas, "ranked_cores", _two)
        monkeypatch.setattr(make_atlas, "today", lambda: self.day)
        monkeypatch.setattr(lines, "PATH", self.path)

    def renew(self, mode: str = "ctr", *, check: bool = False) -> int:
        self.asked.clear()
        platform = platform_named(small_atlas.CHIP)
        return make_atlas.renew(platform, [mode], self.path, check=check)

    def _measure(self, jobs: Sequence[Job]) -> list[Result]:
        self.asked += jobs
        return [self._result(job) for job in jobs]

    def _result(self, job: Job) -> Result:
        if job.core == self.too_large:
            return Refusal(job, "ctr both, does not fit")
        cycles = 700 if job.op == "key-setup" else 1000 * (job.bytes or 0)
        size = {"key-setup": 100, "encrypt": 200}.get(job.op, 300)
        run = f"{cycles}~5:{cycles - 9}:80:n:{cycles}c"
        setting = replace(small_atlas.SETTING, memory=self.memory)
        return row_from(job, f"{DIGEST[:8]}:{size}:1024:180", run, "", setting)

    def group(self) -> Group:
        found = lines.group_of(small_atlas.CHIP, self.path)
        assert found is not None
        return found

    def also(self, **change: str) -> None:
        """Add a copy of each line of ttable1, which is about something else."""
        group = self.group()
        about = {one: replace(one, **change) for one in group.lines if one.core == "ttable1"}
        more = {new: replace(group.lines[one], asked=new) for one, new in about.items()}
        small_atlas.write(self.path, replace(group, lines={**group.lines, **more}))

    def make_old(self, *, compiled: bool = True, measured: bool = True) -> None:
        """Change one half or both halves of the keys of all lines."""
        group, half = self.group(), "0" * DIGITS
        old = {
            one: replace(
                line,
                key=(half if compiled else line.key[:DIGITS])
                + (half if measured else line.key[DIGITS:]),
            )
            for one, line in group.lines.items()
        }
        small_atlas.write(self.path, replace(group, lines=old))


def _two(platform: Platform) -> list[str]:
    return [name for name in ranked_cores(platform) if name in small_atlas.CORES]


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tried:
    return Tried(tmp_path, monkeypatch)


def test_what_was_measured_is_known(tried: Tried) -> None:
    assert tried.renew() == 2
    assert len(tried.asked) == 18
    found = known(small_atlas.asked_jobs(64))
    setup, encrypt, both = found.rows[:3]
    assert not isinstance(encrypt, Refusal)
    assert not isinstance(both, Refusal)
    assert encrypt is not None
    assert both is not None
    assert (encrypt.cycles, encrypt.code_bytes, encrypt.instructions) == (64000, 200, 63991)
    assert encrypt.provenance.window.endswith("; 64000 cycles when cold")
    assert (both.cycles, both.code_bytes, both.instructions) == (64000, 300, None)
    assert setup == known(small_atlas.asked_jobs(1504)).rows[0]
    assert found.origin is not None
    assert found.origin.compiler == small_atlas.COMPILER


def test_what_is_current_is_kept(tried: Tried) -> None:
    tried.renew()
    text = tried.path.read_text(encoding="utf-8")
    assert tried.renew() == 0
    assert tried.asked == []
    assert tried.path.read_text(encoding="utf-8") == text


def test_old_lines_alone_are_measured(tried: Tried) -> None:
    tried.renew()
    group = lines.group_of(small_atlas.CHIP, tried.path)
    assert group is not None
    old = {
        a: replace(one, key="0" * 2 * DIGITS)
        for a, one in group.lines.items()
        if a.core == "fixslice"
    }
    small_atlas.write(tried.path, replace(group, lines={**group.lines, **old}))
    assert tried.renew(check=True) == 1
    assert tried.asked == []
    assert tried.renew() == 1
    assert {job.core for job in tried.asked} == {"fixslice"}
    assert lines.group_of(small_atlas.CHIP, tried.path) == group


@pytest.mark.parametrize(
    "change", [{"core": "melted"}, {"mode": "lost"}, {"ghash": "table4"}, {"directions": "encrypt"}]
)
def test_lines_that_nobody_wants_are_removed_and_nothing_is_measured(
    change: dict[str, str], tried: Tried
) -> None:
    tried.renew()
    text = tried.path.read_text(encoding="utf-8")
    tried.also(**change)
    tried.day = date(2026, 11, 24)
    assert tried.renew(check=True) == 1
    assert len(tried.group().lines) == 3
    assert tried.renew() == 1
    assert tried.asked == []
    assert tried.path.read_text(encoding="utf-8") == text


def test_a_mode_keeps_the_lines_of_others(tried: Tried) -> None:
    tried.renew("ctr")
    tried.renew("cmac")
    tried.also(core="melted")
    assert tried.renew("ctr") == 1
    assert {(one.mode, one.core) for one in tried.group().lines} == {
        ("ctr", "ttable1"), ("ctr", "fixslice"), ("cmac", "ttable1"), ("cmac", "fixslice"),
        ("cmac", "melted"),
    }  # fmt: skip


def test_lines_whose_images_are_the_same_bytes_are_carried_over(tried: Tried) -> None:
    tried.renew()
    group = tried.group()
    tried.make_old(measured=False)
    tried.day = date(2026, 11, 24)
    assert tried.renew(check=True) == 2
    assert tried.renew() == 2
    assert tried.asked == []
    assert tried.group() == group


@pytest.mark.parametrize("compiled", [False, True])
def test_lines_that_are_measured_otherwise_are_measured(compiled: bool, tried: Tried) -> None:
    tried.renew()
    tried.make_old(compiled=compiled)
    assert tried.renew() == 2
    assert len(tried.asked) == 18


def test_lines_whose_images_changed_are_measured(tried: Tried) -> None:
    tried.renew()
    tried.make_old(measured=False)
    tried.image = DIGEST[::-1]
    assert tried.renew() == 2
    assert len(tried.asked) == 18


def test_a_refusal_is_not_carried_over(tried: Tried) -> None:
    tried.too_large = "fixslice"
    tried.renew()
    tried.make_old(measured=False)
    assert tried.renew() == 2
    assert {job.core for job in tried.asked} == {"fixslice"}


def test_where_all_lines_are_old_what_they_share_is_chosen_anew(tried: Tried) -> None:
    tried.renew()
    tried.make_old()
    tried.memory = "tables in RAM"
    assert tried.renew() == 2
    assert tried.group().setting.memory == "tables in RAM"
    assert tried.renew() == 0


def test_another_compiler_measures_all_again(tried: Tried) -> None:
    tried.renew()
    tried.tools = replace(small_atlas.TOOLS, compiler="a compiler 13.1")
    assert tried.renew() == 2
    group = lines.group_of(small_atlas.CHIP, tried.path)
    assert group is not None
    assert group.tools.compiler == group.setting.compiler == "a compiler 13.1"


def test_a_mode_leaves_the_others_and_a_platform_the_others(tried: Tried) -> None:
    small_atlas.write(tried.path, small_atlas.other_group())
    tried.renew("ctr")
    tried.renew("cmac")
    group = lines.group_of(small_atlas.CHIP, tried.path)
    assert group is not None
    assert {about.mode for about in group.lines} == {"ctr", "cmac"}
    assert lines.group_of("elsewhere", tried.path) == small_atlas.other_group()


def test_a_damaged_group_is_told_of_and_measured_again(
    tried: Tried, capsys: pytest.CaptureFixture[str]
) -> None:
    tried.renew()
    text = tried.path.read_text(encoding="utf-8")
    tried.path.write_text(text.replace("64000", "63000"), encoding="utf-8")
    assert tried.renew() == 2
    assert "changed or damaged" in capsys.readouterr().err
    assert tried.path.read_text(encoding="utf-8") == text


def test_what_cannot_be_measured_keeps_its_reason(tried: Tried) -> None:
    tried.too_large = "fixslice"
    tried.renew()
    found = known(small_atlas.asked_jobs(16))
    reasons = {row.reason for row in found.rows if isinstance(row, Refusal)}
    assert reasons == {"ctr both, does not fit"}
    assert tried.renew() == 0


def test_the_lines_wanted_are_what_fit_asks() -> None:
    chip = platform_named(small_atlas.CHIP)
    block = make_atlas.wanted(chip, "ecb")
    assert {about.directions for about in block} == {"encrypt"}
    gcm = make_atlas.wanted(chip, "gcm")
    assert {about.directions for about in gcm} == {"both"}
    assert len(gcm) == len({about.core for about in gcm}) * len({about.ghash for about in gcm})
    assert {"cortex-m3", small_atlas.CHIP} <= set(make_atlas.covered())
    assert make_atlas.covered().index("cortex-m3") < make_atlas.covered().index(small_atlas.CHIP)


def told_by_tool(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str]:
    """What the tool returns and prints."""
    monkeypatch.setattr(sys, "argv", ["make_atlas.py", "--platform", small_atlas.CHIP, *words])
    capsys.readouterr()
    status = make_atlas.main()
    return status, capsys.readouterr().out


def test_a_platform_that_is_gone_is_removed(
    tried: Tried, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried.renew()
    words = ("--mode", "ctr", "--output", str(tried.path))
    assert told_by_tool(monkeypatch, capsys, *words, "--check") == (0, "")
    small_atlas.write(tried.path, tried.group(), small_atlas.other_group())
    status, told = told_by_tool(monkeypatch, capsys, *words, "--check")
    assert status == 1
    assert told.startswith("elsewhere: there is no such emulated platform")
    assert lines.platforms(tried.path) == ("elsewhere", small_atlas.CHIP)
    assert told_by_tool(monkeypatch, capsys, *words)[0] == 0
    assert lines.platforms(tried.path) == (small_atlas.CHIP,)
    assert told_by_tool(monkeypatch, capsys, *words, "--check") == (0, "")


def test_a_line_that_is_missing_or_gone_fails_the_check(
    tried: Tried, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried.renew()
    words = ("--mode", "ctr", "--output", str(tried.path), "--check")
    group = tried.group()
    few = dict(list(group.lines.items())[:1])
    small_atlas.write(tried.path, replace(group, lines=few))
    status, told = told_by_tool(monkeypatch, capsys, *words)
    assert (status, told.split(";")[0]) == (1, "stm32f103: 1 lines are missing, old or gone")
    small_atlas.write(tried.path, group)
    tried.also(core="melted")
    assert told_by_tool(monkeypatch, capsys, *words)[0] == 1


@pytest.mark.parametrize("mode", ["block", "ecb"])
def test_the_tool_takes_the_name_that_fit_gives_the_block_cipher(
    mode: str, tried: Tried, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--mode", mode, "--output", str(tried.path))
    status, told = told_by_tool(monkeypatch, capsys, *words)
    assert (status, told.split(":")[0]) == (0, "stm32f103 block")
    assert {(one.mode, one.directions) for one in tried.group().lines} == {("ecb", "encrypt")}


@pytest.mark.parametrize("words", [("--platform", "x86-64"), ("--mode", "cbc")])
def test_what_the_atlas_has_not_is_refused(
    words: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["make_atlas.py", *words])
    with pytest.raises(SystemExit) as stop:
        make_atlas.main()
    assert stop.value.code == 2
    told = capsys.readouterr().err
    assert f"there is no {words[1]} in the atlas" in told
    assert ("block, ctr" in told) == ("--mode" in words)
