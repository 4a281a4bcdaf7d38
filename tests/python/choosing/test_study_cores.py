# SPDX-License-Identifier: MIT
"""Cores that exist for the papers take part where they are named, and win nothing unnamed."""

import re

import pytest
from places import ROOT

import aesfit
from aesfit.api.arguments import cores_on
from aesfit.atlas import lines
from aesfit.cachemodel.versions import ALL, OUTDONE, modelled_cores, ranked_cores
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.platform import Platform
from aesfit.wlan import software

STUDY = {core.name for core in aesfit.cores() if core.study}
MEASURED = [one for one in platforms() if one.rig != "published"]


def winners(readme: str) -> set[str]:
    """Names in the table of winners."""
    table = readme.split("<!-- winners -->", 1)[1].split("\n\n## ", 1)[0]
    return set(re.findall(r"`(\w+)`", table))


@pytest.mark.parametrize("platform", MEASURED, ids=lambda one: str(one.name))
def test_they_compete_where_they_are_named(platform: Platform) -> None:
    able = modelled_cores(platform)
    assert set(able) >= STUDY
    left_out = STUDY | set(OUTDONE[platform.isa][1] if platform.isa in OUTDONE else ())
    assert cores_on(platform) == ranked_cores(platform) == [n for n in able if n not in left_out]
    assert cores_on(platform, ["compact"]) == ["compact"]
    assert cores_on(platform, [ALL]) == able


def test_published_coefficients_compete_whatever_their_core_is_for() -> None:
    lx = platform_named("lx-st200")
    assert ranked_cores(lx) == modelled_cores(lx)


def test_packets_are_encrypted_with_those_that_compete(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []

    def nothing(jobs: list[Job], **_: object) -> list[object]:
        asked.append({job.core for job in jobs})
        raise InterruptedError

    monkeypatch.setattr(software, "measure", nothing)
    monkeypatch.setattr(software, "why_not", lambda platform: None)
    chip = platform_named("stm32f103")
    for cores in ((), ("compact", "ttable1"), (ALL,)):
        with pytest.raises(InterruptedError):
            software.lines([chip], cores, fresh=False, progress=lambda done, total: None)
    assert asked == [set(ranked_cores(chip)), {"compact", "ttable1"}, set(modelled_cores(chip))]


def test_the_atlas_holds_none_of_them() -> None:
    for name in lines.platforms(lines.PATH):
        group = lines.group_of(name, lines.PATH)
        assert group is not None
        assert not STUDY & {line.core for line in group.lines}


def test_none_of_them_is_among_the_winners() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(winners(readme)) > 3
    assert not STUDY & winners(readme)
    planted = readme.replace("`fixslice_armv7m`", "`tableless`", 1)
    assert STUDY & winners(planted.replace("`fixslice_armv6m`", "`tableless`"))


def test_cores_for_one_profile_of_arm_compete_there_alone() -> None:
    """ARMv8-M runs the code that is in order for ARMv7-M, and waits in it; the reverse too."""
    for name, core in (("cortex-m4", "ttable1_armv7m"), ("cortex-m33", "ttable1_armv8m")):
        both = {"ttable1_armv7m", "ttable1_armv8m"}
        assert both & set(modelled_cores(platform_named(name))) == {core}
