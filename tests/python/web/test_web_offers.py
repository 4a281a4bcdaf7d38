# SPDX-License-Identifier: MIT
"""What the page offers: where a compiler is missing, platforms that the atlas answers for."""

from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas

import aesfit.api.arguments
import aesfit.api.fit
from aesfit.atlas import lines, origin
from aesfit.building import build
from aesfit.platforms.find import platform_named
from aesfit.web import offers

REASON = "stm32f103 needs the compiler"


@pytest.fixture
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small atlas in the place of the project's, which has CTR alone; no compiler is there."""
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    for module in (build, offers):
        monkeypatch.setattr(module, "why_not", lambda platform: REASON)
    monkeypatch.setattr(origin, "package_version", lambda name: small_atlas.TOOLS.packages[name])
    monkeypatch.setattr(aesfit.api.fit, "default_mode", lambda platform: "ctr")
    cores = list(small_atlas.CORES)
    monkeypatch.setattr(aesfit.api.arguments, "ranked_cores", lambda platform: cores)
    return path


def _unavailable() -> str | None:
    return offers._offered(platform_named(small_atlas.CHIP)).unavailable


def test_a_platform_without_a_compiler_is_offered_if_the_atlas_answers(
    atlas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _unavailable() is None
    monkeypatch.setattr(aesfit.api.fit, "default_mode", lambda platform: "ccm")
    assert _unavailable() == REASON


def test_a_platform_without_a_compiler_is_not_offered_if_its_lines_are_unused(atlas: Path) -> None:
    group = small_atlas.group()
    old = {about: replace(line, key="0" * 10) for about, line in group.lines.items()}
    small_atlas.write(atlas, replace(group, lines=old))
    assert _unavailable() == REASON
    text = small_atlas.write(atlas, group).read_text(encoding="utf-8")
    atlas.write_text(text.replace("3000~10", "2000~10"), encoding="utf-8")
    assert _unavailable() == REASON
    atlas.unlink()
    assert _unavailable() == REASON


def test_a_platform_with_a_compiler_is_offered(
    atlas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    atlas.unlink()
    monkeypatch.setattr(offers, "why_not", lambda platform: None)
    assert _unavailable() is None
