# SPDX-License-Identifier: MIT
"""What the file of the atlas leaves out because it is repeated comes back, or its loss is seen."""

from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas

from aesfit.atlas import lines
from aesfit.atlas.lines import DamagedAtlasError, Group
from aesfit.atlas.repeats import completed, differing, folded, restored, unfolded, without

REASON = "!the code does not fit: 40 KB of 32 KB"
ALIKE = "another"
"""A platform whose group stands before that of the chip."""


@pytest.mark.parametrize(
    ("cell", "other", "left"),
    [
        ("70:60:80:n", "70:60:80:n", ""),
        ("71:60:80:n", "70:60:80:n", "71"),
        ("70:60:81:n", "70:60:80:n", "::81"),
        ("70:60:80:n:9c", "70:60:80:n", "::::9c"),
        ("70:60:80:n", "70:60:80:n:9c", "::::-"),
        ("70:60:80:n::; words", "70:60:80:n:9c", "::::-:; words"),
        ("70::80:n", "70:60:80:n", ":-"),
        ("70:60:80:n", "", "70:60:80:n"),
        ("", "70:60:80:n", "-:-:-:-"),
        (REASON, "70:60:80:n", REASON),
        (REASON, REASON, ""),
        ("70:60:80:n", REASON, "70:60:80:n"),
        ("", REASON, "-"),
    ],
)
def test_a_cell_comes_back_from_the_fields_that_are_its_own(
    cell: str, other: str, left: str
) -> None:
    assert without(cell, other, "-") == left
    assert restored(left, other, "-") == cell


FIGURES = (*small_atlas.IMAGES, *small_atlas.RUNS[0], *small_atlas.RUNS[1], *small_atlas.RUNS[2])
REFUSED = (
    *small_atlas.IMAGES[:2],
    "",
    "700~5:600:80:n",
    REASON,
    "1700::100:n",
    "",
    "3:2:1:s",
    *4 * [""],
)
WORDED = (*FIGURES[:4], "1000~10:900:100:n::; words", "", "", "2000:900:100:n:9c", *4 * [""])


@pytest.mark.parametrize("cells", [FIGURES, REFUSED, WORDED])
@pytest.mark.parametrize("other", [FIGURES, REFUSED, WORDED])
def test_a_line_comes_back_from_that_of_another_group(
    cells: tuple[str, ...], other: tuple[str, ...]
) -> None:
    left = differing(folded(cells), folded(other))
    assert unfolded(completed(left, folded(other))) == cells
    assert any(left) == (cells != other)


def test_a_field_is_written_once_in_a_line() -> None:
    assert folded(FIGURES) == (
        "01234567:300:1024:180", "ba987654:900", "",
        "700~5:600:80:n", "1000~10:900:100:n:990-1010s", "1700::100:n",
        "", "3000~10:2900:::-", "3700",
        "", "70000~10:69000", "70700",
    )  # fmt: skip


def alike(platform: str, figure: str = "3000~10") -> Group:
    """The chip's lines on another platform, with one figure that may differ."""
    runs = [[cell.replace("3000~10", figure) for cell in run] for run in small_atlas.RUNS]
    found = {}
    for line in small_atlas.group().lines.values():
        asked = replace(line.asked, platform=platform)
        found[asked] = replace(line, asked=asked, runs=tuple(map(tuple, runs)))
    return replace(small_atlas.group(), platform=platform, lines=found)


def written(path: Path, *groups: Group) -> tuple[Path, list[str]]:
    """The file, and the text of each group in it."""
    small_atlas.write(path, *groups)
    return path, path.read_text(encoding="utf-8").split("\n# ")[2:]


def test_a_group_leaves_out_what_an_earlier_one_says(tmp_path: Path) -> None:
    groups = alike(ALIKE), alike("chain", "3001~10"), small_atlas.group()
    path, texts = written(tmp_path / "a.csv", *groups)
    assert [text.split(" ")[1] for text in texts] == ["-", ALIKE, ALIKE]
    assert "3001~10" in texts[1]
    assert "3000~10" not in texts[2]
    for group in groups:
        assert lines.group_of(group.platform, path) == group


def test_a_group_of_other_figures_or_cores_stands_alone(tmp_path: Path) -> None:
    few = small_atlas.group(small_atlas.CORES[:1])
    path, texts = written(tmp_path / "a.csv", small_atlas.other_group(), few)
    assert [text.split(" ")[1] for text in texts] == ["-", "-"]
    assert lines.group_of(small_atlas.CHIP, path) == few


def test_a_line_that_the_other_group_lacks_is_whole(tmp_path: Path) -> None:
    asked, line = next(iter(alike(ALIKE).lines.items()))
    one = replace(alike(ALIKE), lines={asked: line})
    path, texts = written(tmp_path / "a.csv", one, small_atlas.group())
    assert texts[1].split(" ")[1] == ALIKE
    assert texts[1].count("3000~10") == 1
    assert lines.group_of(small_atlas.CHIP, path) == small_atlas.group()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3000~10", "2000~10"),
        (f"# {ALIKE} -", "# other -"),
        (f"# {ALIKE} -", f"# {ALIKE} {small_atlas.CHIP}"),
        (f"# {small_atlas.CHIP} {ALIKE}", f"# {small_atlas.CHIP} -"),
        (f"# {small_atlas.CHIP} {ALIKE}", f"# {small_atlas.CHIP} elsewhere"),
    ],
)
def test_damage_to_what_is_left_out_is_noticed(old: str, new: str, tmp_path: Path) -> None:
    groups = alike(ALIKE), small_atlas.other_group(), small_atlas.group()
    path, _ = written(tmp_path / "a.csv", *groups)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DamagedAtlasError):
        lines.group_of(small_atlas.CHIP, path)
    assert lines.group_of("elsewhere", path) == small_atlas.other_group()


def test_another_sound_group_in_the_place_of_the_one_left_out_is_noticed(tmp_path: Path) -> None:
    path, (_, own) = written(tmp_path / "a.csv", alike(ALIKE), small_atlas.group())
    _, (other,) = written(path, alike(ALIKE, "2000~10"))
    path.write_text(f"\n# {other}\n# {own}", encoding="utf-8")
    assert lines.group_of(ALIKE, path) == alike(ALIKE, "2000~10")
    with pytest.raises(DamagedAtlasError, match=f"{small_atlas.CHIP} that were changed"):
        lines.group_of(small_atlas.CHIP, path)


def test_a_group_under_another_name_is_refused(tmp_path: Path) -> None:
    path, _ = written(tmp_path / "a.csv", small_atlas.group())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f"# {small_atlas.CHIP}", "# elsewhere"), encoding="utf-8")
    with pytest.raises(DamagedAtlasError, match="elsewhere"):
        lines.group_of("elsewhere", path)


def test_modes_multipliers_and_directions_of_one_core_come_back(tmp_path: Path) -> None:
    asked, line = next(iter(small_atlas.group().lines.items()))
    about = (("ctr", "", "both"), ("ecb", "", "encrypt"), ("gcm", "mul32", "both"))
    each = [
        replace(asked, core=core, mode=mode, ghash=ghash, directions=directions)
        for core in small_atlas.CORES
        for mode, ghash, directions in about
    ]
    group = replace(
        small_atlas.group(), lines={one: replace(line, asked=one, key=repr(one)) for one in each}
    )
    path, (text,) = written(tmp_path / "a.csv", group)
    assert [text.count(f"\n{core},") for core in small_atlas.CORES] == [1, 1]
    assert lines.group_of(small_atlas.CHIP, path) == group
