# SPDX-License-Identifier: MIT
"""`aesfit image analyse`: the stable JSON, the table, the page, and what is refused."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pictures import KINDS
from PIL import Image

from aesfit.cli import app
from aesfit.pictures.analysis import ALL_MODES, FIXED_KEY

KEYS = {
    *("entropy", "chi_square", "p_value", "correlation", "repeated_blocks"),
    *("npcr", "uaci", "expected"),
}
NEIGHBOURS = {"horizontal", "vertical", "diagonal"}


def asked(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["image", "analyse", *map(str, arguments)])


def answer(*arguments: str | Path) -> list[dict[str, Any]]:
    result = asked("--json", *arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@pytest.fixture
def stripes(tmp_path: Path) -> Path:
    """A picture whose rows are equal, 9 blocks each."""
    row = np.random.default_rng(1).integers(0, 256, (1, 48, 3), np.uint8)
    path = tmp_path / "stripes.png"
    Image.fromarray(np.tile(row, (40, 1, 1))).save(path)
    return path


def test_json_has_the_stable_keys(stripes: Path) -> None:
    found = answer(stripes)
    assert [item["mode"] for item in found] == ["plain", *ALL_MODES]
    for item in found:
        assert set(item) == {"file", "mode", "local_entropy"} | KEYS
        assert item["file"] == str(stripes)
        assert set(item["correlation"]) == set(item["expected"]["correlation"]) == NEIGHBOURS
        assert set(item["expected"]) == (KEYS | {"local_entropy"}) - {"expected"}
        for name in KEYS - {"expected", "correlation"}:
            assert list(item["expected"][name]) == ["value", "low", "high", "within", "why"]
    plain, ecb, cbc = found[:3]
    assert plain["npcr"] is None
    assert "two encryptions" in plain["expected"]["npcr"]["why"]
    assert ecb["repeated_blocks"] == plain["repeated_blocks"] == 1.0
    assert cbc["repeated_blocks"] == 0.0
    assert cbc["expected"]["npcr"]["within"] is True


def test_runs_agree_and_keys_matter(stripes: Path, tmp_path: Path) -> None:
    fixed = answer(stripes, "--mode", "cbc")
    assert fixed == answer(stripes, "--mode", "cbc")
    assert fixed == answer(stripes, "--mode", "cbc", "--key", FIXED_KEY.hex())
    (tmp_path / "key").write_text("ab" * 32 + "\n")
    other = answer(stripes, "--mode", "cbc", "--key-file", tmp_path / "key")
    assert fixed[0] == other[0]
    assert fixed[1]["entropy"] != other[1]["entropy"]


def test_the_place_of_the_bit_decides_how_much_changes(stripes: Path) -> None:
    share = {}
    for bit in ("first", "middle", "last", "46079"):
        found = answer(stripes, "--mode", "cbc", "--bit", bit)[1]
        assert found["expected"]["npcr"]["within"] is True
        share[bit] = found["npcr"]
    assert share["first"] > 99
    assert 49 < share["middle"] < 51
    assert share["last"] == share["46079"] < 0.3


def test_table_and_sentences(stripes: Path) -> None:
    text = asked(stripes).stdout
    for mode in ("plain", *ALL_MODES):
        assert re.search(rf"^{mode} ", text, re.MULTILINE)
    for word in ("Entropy: ", "NPCR in %: ", "prove no security", "16 bytes", "1 bit"):
        assert word in text
    assert FIXED_KEY.hex() not in text


def test_histograms_by_channel(tmp_path: Path) -> None:
    """Reds 0 to 255 alike, greens 0 twice as often as 255, no blue above 15."""
    pixels = np.zeros((48, 256, 3), np.uint8)
    pixels[:, :, 0] = np.arange(256)
    pixels[:16, :, 1] = 255
    pixels[:, :, 2] = 15
    Image.fromarray(pixels).save(tmp_path / "known.png")
    text = asked(tmp_path / "known.png", "--mode", "ctr").stdout
    assert re.search(r"^histogram +red +green +blue$", text, re.MULTILINE)
    flat, half, low = "9" * 16, "9" + "0" * 14 + "4", "9" + "0" * 15
    assert re.search(rf"^plain +{flat}  {half}  {low}$", text, re.MULTILINE)
    assert re.search(r"^ctr +([89]{16}(  |$)){3}", text, re.MULTILINE)


def test_page_needs_nothing_else_and_shows_the_pictures(stripes: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert asked(stripes, "--mode", "ecb,lcg", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=[\"'](?!data:)|url\(|@import", text)
    shown = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
    pictures = [np.asarray(Image.open(io.BytesIO(base64.b64decode(one)))) for one in shown]
    assert [one.shape for one in pictures] == [(40, 48, 3)] * 3
    assert (pictures[0] == np.asarray(Image.open(stripes))).all()
    assert (pictures[1] != pictures[0]).mean() > 0.9
    assert text.count('class="histogram"') == 3


def test_names_are_escaped(stripes: Path, tmp_path: Path) -> None:
    odd = stripes.rename(tmp_path / "<b>&.png")
    page = tmp_path / "page.html"
    assert asked(odd, "--mode", "ctr", "--html", page).exit_code == 0
    assert "<b>" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_picture(kind: str, tmp_path: Path) -> None:
    KINDS[kind](tmp_path / kind, (21, 20))
    page = tmp_path / "page.html"
    found = answer(tmp_path / kind, "--mode", "cbc", "--html", page)
    assert found[1]["expected"]["npcr"]["within"] is True
    assert page.read_text(encoding="utf-8").count("data:image/png") == 2


@pytest.mark.parametrize("mode", ["ecb", "gcm"])
def test_encrypted_picture_is_analysed_as_it_is(stripes: Path, tmp_path: Path, mode: str) -> None:
    made, key = tmp_path / "made.png", tmp_path / "key"
    key.write_text("01" * 16)
    arguments = ["image", "encrypt", str(stripes), "--mode", mode, "--key-file", str(key)]
    done = CliRunner().invoke(app, [*arguments, "-o", str(made)])
    assert done.exit_code == 0, done.output
    (found,) = answer(made)
    assert (found["mode"], found["npcr"], found["uaci"]) == (mode, None, None)
    assert found["repeated_blocks"] == (1.0 if mode == "ecb" else 0.0)
    assert found["expected"]["entropy"]["within"] is True
    assert "encrypted already" in asked(made).stdout


def test_one_broken_picture_does_not_stop_the_others(stripes: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(stripes.read_bytes()[:200])
    result = asked("--json", broken, tmp_path / "none.png", stripes, "--mode", "ctr")
    assert result.exit_code == 1
    assert [item["mode"] for item in json.loads(result.stdout)] == ["plain", "ctr"]
    assert len(result.stderr.splitlines()) == 2
    assert "none.png: No such file" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mode", "gcmm"], "nearest is 'gcm'"),
        (["--mode", ","], "name at least one"),
        (["--bit", "centre"], "first, middle, last"),
        (["--key", "zz"], "hexadecimal"),
        (["--key", "00" * 15], "hexadecimal"),
        (["--html", "page.txt"], ".html"),
        (["--key", "00" * 16, "--key-file", "key"], "give one of"),
    ],
)
def test_wrong_usage(stripes: Path, arguments: list[str], said: str) -> None:
    result = asked(stripes, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_refusals(stripes: Path, tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"short")
    assert asked(stripes, "--key-file", tmp_path / "short").exit_code == 2
    outside = asked(stripes, "--bit", "46080")
    assert (outside.exit_code, "46079" in outside.stderr) == (1, True)
    limited = asked(stripes, "--max-pixels", "100")
    assert (limited.exit_code, "--max-pixels" in limited.stderr) == (1, True)
