# SPDX-License-Identifier: MIT
"""What encryption leaves visible: predictions without a key against real encryptions."""

import json
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image
from places import ROOT

from aesfit import Cipher
from aesfit.cli import app
from aesfit.pictures import visible as module
from aesfit.pictures.cipher import Settings, encrypt
from aesfit.pictures.picture_file import Picture
from aesfit.pictures.scenes import scene
from aesfit.pictures.statistics import BLOCK
from aesfit.pictures.visible import (
    AREA,
    REPEATED,
    SIMILAR,
    equal_bytes,
    neighbours,
    reused,
    visible,
)
from aesfit.report.visible_strip import shown_blocks

LOGO = scene("logo", 200)
CHANCE = 1 / 256


def states(data: bytes) -> np.ndarray:
    return np.frombuffer(data, np.uint8)[: len(data) // BLOCK * BLOCK].reshape(-1, BLOCK)


def ecb(data: bytes, rounds: int, seed: int) -> np.ndarray:
    key = random.Random(seed).randbytes(16)
    return states(encrypt(data, Settings("ecb", key, rounds=rounds))[0])


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["image", "visible", *map(str, arguments)])


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_equal_blocks_are_equal_ciphertexts(rounds: int) -> None:
    """In both directions, so the classes hold for the ciphertext too."""
    found = visible(LOGO, rounds)
    shown = ecb(LOGO.data, rounds, rounds)
    _, which, counts = np.unique(shown, axis=0, return_inverse=True, return_counts=True)
    assert found.distinct == len(counts)
    assert np.array_equal(found.classes >= REPEATED, counts[which.ravel()] > 1)
    near = np.zeros(len(shown), bool)
    for lag in neighbours(LOGO):
        same = (shown[lag:] == shown[:-lag]).all(axis=1)
        near[lag:] |= same
        near[:-lag] |= same
    assert np.array_equal(found.classes == AREA, near)
    assert (found.classes == AREA).mean() > 0.8


def measured(rounds: int, mask: int) -> float:
    """Equal bytes of pairs of random blocks that differ where `mask` has bits, under many keys."""
    rng = np.random.default_rng(mask)
    differ = np.unpackbits(np.array([mask], ">u2").view(np.uint8)).astype(bool)
    total = 0.0
    for key in range(20):
        one = rng.integers(0, 256, (200, BLOCK), np.uint8)
        two = one ^ np.where(differ, rng.integers(1, 256, one.shape, np.uint8), np.uint8(0))
        both = ecb(one.tobytes() + two.tobytes(), rounds, key)
        total += float((both[:200] == both[200:]).sum(axis=1).mean())
    return total / 20


@pytest.mark.parametrize(
    ("rounds", "mask"), list(product((1, 2, 3, 4), (0x8000, 0xF000, 0x8421, 0x8800, 0xFFFF)))
)
def test_expected_equal_bytes(rounds: int, mask: int) -> None:
    """One byte, a column, a diagonal that becomes a column, two bytes, all bytes."""
    differ = np.unpackbits(np.array([mask], ">u2").view(np.uint8)).astype(bool)[None]
    found = float(equal_bytes(differ)[rounds - 1, 0])
    error = (16 * CHANCE / 4000) ** 0.5
    assert measured(rounds, mask) == pytest.approx(found, abs=5 * error)


@pytest.mark.parametrize("name", ["logo", "gradient"])
def test_similarity_by_rounds(name: str) -> None:
    """Of neighbours in a picture; the logo has few kinds of differing neighbours."""
    picture = scene(name, 100)
    found = visible(picture).similar
    before = states(picture.data)
    for rounds in (1, 2, 3, 10):
        shares = []
        for key in range(10):
            after, equal, many = ecb(picture.data, rounds, key), 0, 0
            for lag in neighbours(picture):
                differ = (before[lag:] != before[:-lag]).any(axis=1)
                equal += int((after[lag:] == after[:-lag])[differ].sum())
                many += BLOCK * int(differ.sum())
            shares.append(equal / many)
        error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5
        assert found[rounds - 1] == pytest.approx(np.mean(shares), abs=4 * error + 1e-12)
    assert found[0] > found[1] > found[2] == pytest.approx(CHANCE, rel=0.1)


def test_a_wrong_shift_of_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: rows that do not move, so that a diagonal looks like four columns."""
    monkeypatch.setattr(module, "_SHIFTED", np.arange(BLOCK))
    with pytest.raises(AssertionError):
        test_expected_equal_bytes(2, 0x8421)


def test_the_page_has_the_figures_of_the_logo() -> None:
    page = " ".join((ROOT / "docs" / "pictures.md").read_text(encoding="utf-8").split())
    found = visible(scene("logo", 300))
    first, second, third = (f"{100 * share:.1f} %" for share in found.similar[:3])
    repeated, areas = (f"{100 * found.share(kind):.1f} %" for kind in (REPEATED, AREA))
    assert f"{repeated} of the blocks repeat and {areas} lie in areas" in page
    assert f"{first} of equal bytes after 1 round, {second} after 2, and {third} from 3 on" in page


def test_reduced_rounds_show_more() -> None:
    shares = [visible(LOGO, rounds).share(SIMILAR) for rounds in (1, 2, 3, 14)]
    assert shares[0] > shares[1] > shares[2] == shares[3] == visible(LOGO).share(REPEATED)


def test_reused_ivs() -> None:
    """CTR and XTS as the library encrypts, with a few pixels changed."""
    pixels = LOGO.pixels.copy()
    pixels[50:80, 20:60] ^= 0x55
    other = Picture(pixels, "RGB", "other")
    found = reused(LOGO, other)
    rng = random.Random(5)
    key, iv = rng.randbytes(32), rng.randbytes(16)
    one, two = (Cipher(key, "ctr", iv).encrypt(each.data) for each in (LOGO, other))
    seen = np.frombuffer(one, np.uint8) ^ np.frombuffer(two, np.uint8)
    assert np.array_equal(seen, found.xor)
    assert found.equal_bytes == (seen == 0).mean() == 1 - 30 * 40 / 200**2
    one, two = (Cipher(key, "xts", iv).encrypt(each.data) for each in (LOGO, other))
    assert found.equal_blocks == (states(one) == states(two)).all(axis=1).mean()
    one, two = (Cipher(key, "cbc", iv).encrypt(each.data) for each in (LOGO, other))
    same = (states(one) == states(two)).all(axis=1)
    assert found.common_start == same.mean() == np.argmin(same) / len(same) < found.equal_blocks


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_areas_of_one_colour_are_drawn_in_one(mode: str) -> None:
    """Also where a colour has several kinds of blocks: 3 in 24 bits."""
    halves = Image.new("RGB", (96, 96), (10, 20, 30))
    halves.paste((200, 100, 50), (0, 48, 96, 96))
    picture = Picture(np.asarray(halves.convert(mode)), mode, "halves")
    drawn = shown_blocks(picture, visible(picture)).reshape(2, -1, 3)
    above, below = (np.unique(half, axis=0) for half in drawn)
    assert len(above) == len(below) == 1
    assert not np.array_equal(above, below)


@pytest.fixture
def logo(tmp_path: Path) -> Path:
    path = tmp_path / "logo.png"
    Image.fromarray(LOGO.pixels).save(path)
    return path


def test_the_verb(logo: Path, tmp_path: Path) -> None:
    out = tmp_path / "map.png"
    done = run(logo, "--again", logo, "-o", out, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    keys = {"file", "rounds", "blocks", "distinct", "repeated", "areas", "similar", "again"}
    assert keys | {"equal_bytes"} <= set(found)
    assert found["again"] == {"ctr_equal_bytes": 1, "xts_equal_blocks": 1, "cbc_common_start": 1}
    assert [one["rounds"] for one in found["equal_bytes"]] == list(range(1, 15))
    with Image.open(out) as drawn:
        assert drawn.size == (5 * 200 + 4 * 12, 200)
        panels = np.asarray(drawn)
    assert len(np.unique(panels[:, 212:412].reshape(-1, 3), axis=0)) > 4
    assert not panels[:, 636:836].any()
    assert run(logo, "-o", out).exit_code == 1
    told = run(logo)
    assert told.exit_code == 0
    assert "under every key" in " ".join(told.stdout.split())


def test_bad_input_is_refused(logo: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.png"
    Image.new("RGB", (2, 2)).save(small)
    for arguments, words in (
        ((small,), "no block to show"),
        ((logo, "--again", small), "pictures of one size and kind"),
        ((logo, "--rounds", 0), "0 is not in the range"),
        ((logo, "--rounds", 15), "15 is not in the range"),
        ((logo, "-o", tmp_path / "map.jpg"), ".png"),
        ((logo, "-o", logo, "--force"), "input"),
        ((tmp_path / "none.png",), "does not exist"),
    ):
        done = run(*arguments)
        assert (done.exit_code, len(done.stderr.strip().splitlines()) < 8) == (2, True), arguments
        assert words in " ".join(done.stderr.split()), done.stderr
        assert "Traceback" not in done.output
