# SPDX-License-Identifier: MIT
"""`aesfit image`: there and back for every kind of picture, and what is refused."""

import json
import random
import stat
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pictures import DEEP, KINDS, make, noise
from PIL import Image, PngImagePlugin

import aesfit
from aesfit.cli import app, image_input
from aesfit.cli.console import Console, console
from aesfit.cli.image import cautions
from aesfit.pictures import sealed
from aesfit.pictures.cipher import IV_BYTES, MODES, Settings
from aesfit.pictures.picture_file import TEXT_KEY, Picture, encoded, read

KEY = bytes(range(16)).hex()
OTHER = bytes(16).hex()


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["image", *map(str, arguments)])


def encrypt(source: Path, out: Path, *more: object) -> Result:
    return run("encrypt", source, "-o", out, "--key", KEY, *more)


def same(first: Path, second: Path) -> bool:
    """Pixels, kind, palette and transparency, as Pillow reads both."""
    seen = []
    for path in (first, second):
        with Image.open(path) as image:
            image.load()
            # a palette is padded in some formats, so its colours are compared as they are used
            shown = image.convert("RGBA").tobytes() if image.mode == "P" else b""
            palette = image.getpalette() if {first.suffix, second.suffix} == {".png"} else None
            see_through = image.info.get("transparency")
            pixels = image.tobytes()
            seen.append((image.mode, image.size, pixels, see_through, shown, palette))
    return seen[0] == seen[1]


@pytest.mark.parametrize("name", [*KINDS, *DEEP])
def test_every_kind_comes_back(name: str, tmp_path: Path) -> None:
    """Under every mode and key size; the sizes have every remainder that there is."""
    rng = random.Random(name)
    suffix = ".tiff" if name.startswith(("cmyk", "lab")) else ".png"
    sizes = [(1, 1), (1, 5), (3, 5), (5, 16), (7, 5), (4, 4), (11, 9)]
    for number, (mode, bits) in enumerate(product(MODES, (128, 192, 256))):
        path = make(tmp_path, name, sizes[number % len(sizes)])
        key = rng.randbytes(bits // 8)
        original = read(path)
        how = Settings(mode, key, rng.randbytes(IV_BYTES[mode]))
        hidden, text = sealed.seal(original, how)
        there, back = tmp_path / "there.png", tmp_path / f"back{suffix}"
        there.write_bytes(encoded(hidden, ".png", text))
        restored = sealed.unseal(read(there), key)
        back.write_bytes(encoded(restored, suffix))
        assert restored.data == original.data
        assert same(path, back), (mode, bits)
        assert key.hex().encode() not in there.read_bytes()
        assert key not in there.read_bytes()


@pytest.mark.parametrize("mode", MODES)
def test_every_remainder_comes_back(mode: str, tmp_path: Path) -> None:
    how = Settings(mode, bytes.fromhex(KEY), bytes(IV_BYTES[mode]))
    path = tmp_path / "out.png"
    for width in range(1, 35):
        original = Picture(np.full((1, width, 1), width, np.uint8), "L", "one row")
        hidden, text = sealed.seal(original, how)
        path.write_bytes(encoded(hidden, ".png", text))
        assert hidden.data != original.data
        assert sealed.unseal(read(path), how.key).data == original.data


@pytest.mark.parametrize("mode", MODES)
def test_reduced_rounds_come_back(mode: str, tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.bmp", (9, 5))
    out, back = tmp_path / "out.png", tmp_path / "back.bmp"
    done = encrypt(path, out, "--mode", mode, "--rounds", 3)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "3 rounds: not AES" in done.stdout
    assert run("decrypt", out, "-o", back, "--key", KEY).exit_code == 0
    assert same(path, back)
    assert back.read_bytes() == path.read_bytes()


def test_the_parameters_in_the_file(tmp_path: Path) -> None:
    path, out = make(tmp_path, "palette_alpha.png"), tmp_path / "out.png"
    given = ("--mode", "cbc", "--iv", "0f" * 16, "--core", "compact")
    assert encrypt(path, out, *given).exit_code == 0
    with Image.open(out) as image:
        assert image.mode == "L"
        kept = json.loads(image.info[TEXT_KEY])
    assert {name: kept[name] for name in ("mode", "iv", "core", "rounds", "key_bits", "tag")} == {
        "mode": "cbc",
        "iv": "0f" * 16,
        "core": "compact",
        "rounds": 10,
        "key_bits": 128,
        "tag": "",
    }
    assert (kept["pixels"], kept["width"], kept["height"]) == ("P", 7, 5)
    assert kept["transparency"] == "0x0080ff0709"


def test_any_core_decrypts(core: str, tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png")
    out, back = tmp_path / "out.png", tmp_path / "back.png"
    assert encrypt(path, out, "--core", core).exit_code == 0
    assert run("decrypt", out, "-o", back, "--key", KEY, "--core", "transposed").exit_code == 0
    assert same(path, back)


def test_a_new_key(tmp_path: Path) -> None:
    path, out, key = make(tmp_path, "rgb.png"), tmp_path / "out.png", tmp_path / "key"
    given = ("--new-key-file", key, "--key-bits", 256)
    done = run("encrypt", path, "-o", out, *given)
    assert done.exit_code == 0
    assert str(key) in done.stdout
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(bytes.fromhex(key.read_text())) == 32
    assert key.read_text().strip() not in done.output
    assert run("decrypt", out, "-o", tmp_path / "b.png", "--key-file", key).exit_code == 0
    before = key.read_text()
    again = run("encrypt", path, "-o", tmp_path / "o.png", *given)
    assert (again.exit_code, key.read_text()) == (1, before)
    assert "a key is never overwritten" in str(again.exception)
    assert not (tmp_path / "o.png").exists()


def test_a_new_key_goes_when_the_rest_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left on the device")

    monkeypatch.setattr("aesfit.cli.image.write_like", fail)
    path, key = make(tmp_path, "rgb.png"), tmp_path / "key"
    assert run("encrypt", path, "-o", tmp_path / "o.png", "--new-key-file", key).exit_code == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["rgb.png"]


def test_random_ivs_and_salts_differ(tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png")
    kept = []
    for number in range(2):
        encrypt(path, tmp_path / f"{number}.png", "--mode", "cbc")
        kept.append(sealed.parameters(read(tmp_path / f"{number}.png")))
    assert kept[0].iv != kept[1].iv
    assert kept[0].check != kept[1].check


@pytest.mark.parametrize("mode", MODES)
def test_a_wrong_key_writes_nothing(mode: str, tmp_path: Path) -> None:
    out, back = tmp_path / "out.png", tmp_path / "back.png"
    encrypt(make(tmp_path, "rgb.png"), out, "--mode", mode)
    done = run("decrypt", out, "-o", back, "--key", OTHER)
    assert done.exit_code == 1
    assert "the key is wrong, or the parameters in the file were changed" in str(done.exception)
    assert not back.exists()
    done = run("decrypt", out, "-o", back, "--key", OTHER * 2)
    assert "was encrypted with a key of 128 bits; the given one has 256" in str(done.exception)


def stored_anew(path: Path, change: object = None, **fields: object) -> None:
    """The picture with other parameters, or other pixels."""
    with Image.open(path) as found:
        text = json.loads(found.info[TEXT_KEY])
        image: Image.Image = found.copy()
    if change == "pixel":
        image.paste((1, 2, 3), (0, 0, 1, 1))
    elif change == "grey":
        image.paste(1 ^ image.tobytes()[0], (0, 0, 1, 1))
    elif change == "size":
        image = image.resize((9, 9))
    elif change == "mode":
        image = image.convert("L")
    kept = PngImagePlugin.PngInfo()
    if change == "text":
        kept.add_text(TEXT_KEY, str(fields["text"]))
    elif change != "stripped":
        kept.add_text(TEXT_KEY, json.dumps({**text, **fields}))
    image.save(path, pnginfo=kept)


@pytest.mark.parametrize(
    ("change", "fields", "sentence"),
    [
        (
            "stripped",
            {},
            "holds no parameters: it was not made by aesfit image encrypt, or another",
        ),
        ("pixel", {}, "the picture was changed after it was encrypted (wrong GCM tag)"),
        ("size", {}, "it has been changed since"),
        ("mode", {}, "it has been changed since"),
        (None, {"iv": "00" * 12}, "the key is wrong, or the parameters in the file were changed"),
        (None, {"mode": "ctr", "iv": "00" * 16, "tag": ""}, "the parameters in the file were"),
        (None, {"rounds": 3}, "the parameters in the file were changed"),
        (None, {"pixels": "LAB"}, "the parameters in the file were changed"),
        (None, {"check": "00" * 8}, "the parameters in the file were changed"),
        (None, {"tag": "00" * 16}, "(wrong GCM tag)"),
        (None, {"tag": "00" * 12}, "damaged (tag is not 16 bytes)"),
        (None, {"iv": "zz"}, "the parameters in the file are damaged"),
        (None, {"version": 2}, "damaged (version 2 is not known here)"),
        (None, {"rounds": True}, "damaged (rounds is of a wrong type)"),
        (None, {"rounds": 99}, "damaged (99 rounds)"),
        (None, {"key_bits": 64}, "damaged (a key of 64 bits)"),
        (None, {"mode": "rot13"}, "damaged"),
        (None, {"core": "quantum"}, "damaged (an unknown core)"),
        (None, {"palette": "00" * 9}, "damaged (the palette is too long)"),
        (None, {"palette_mode": "CMYK"}, "damaged (an unknown kind of palette)"),
        (None, {"transparency": "x"}, "the parameters in the file are damaged"),
        (None, {"more": 1}, "damaged (fields are missing or unknown)"),
        ("text", {"text": "[]"}, "damaged (they are not a JSON object)"),
        ("text", {"text": "[" * 100000}, "the parameters in the file are damaged"),
        ("text", {"text": "{"}, "the parameters in the file are damaged"),
    ],
)
def test_changed_files_are_refused(
    change: str | None, fields: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    out, back = tmp_path / "out.png", tmp_path / "back.png"
    encrypt(make(tmp_path, "rgb.png"), out)
    stored_anew(out, change, **fields)
    done = run("decrypt", out, "-o", back, "--key", KEY)
    assert done.exit_code == 1
    assert isinstance(done.exception, ValueError), done.exception
    assert sentence in str(done.exception)
    assert not back.exists()


def test_a_changed_pixel_can_be_studied_without_authentication(tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png", (8, 8))
    out, back = tmp_path / "out.png", tmp_path / "back.png"
    encrypt(path, out, "--mode", "cbc")
    encrypted = read(out).data
    stored_anew(out, "pixel")
    assert run("decrypt", out, "-o", back, "--key", KEY).exit_code == 0
    before, after = read(path).data, read(back).data
    assert before[:16] != after[:16]
    changed = [a ^ b for a, b in zip(read(out).data[:3], encrypted, strict=False)]
    assert [a ^ b for a, b in zip(before[16:32], after[16:32], strict=True)] == changed + [0] * 13
    assert before[32:] == after[32:]


def test_a_changed_bitmap_is_no_bitmap(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    encrypt(make(tmp_path, "1.png", (8, 8)), out, "--mode", "cbc")
    stored_anew(out, "grey")
    done = run("decrypt", out, "-o", tmp_path / "back.png", "--key", KEY)
    assert "the decrypted pixels are not all black or white" in str(done.exception)


def test_outputs_are_not_overwritten(tmp_path: Path) -> None:
    path, out = make(tmp_path, "rgb.png"), tmp_path / "out.png"
    out.write_bytes(b"precious")
    done = encrypt(path, out)
    assert (done.exit_code, out.read_bytes()) == (1, b"precious")
    assert "exists already; --force overwrites it" in str(done.exception)
    assert encrypt(path, out, "--force").exit_code == 0
    back = tmp_path / "back.png"
    back.write_bytes(b"precious")
    assert run("decrypt", out, "-o", back, "--key", KEY).exit_code == 1
    assert back.read_bytes() == b"precious"
    assert run("decrypt", out, "-o", back, "--key", KEY, "--force").exit_code == 0
    assert same(path, back)


def test_nobody_else_gets_to_read_it(tmp_path: Path) -> None:
    path, out, back = make(tmp_path, "rgb.png"), tmp_path / "out.png", tmp_path / "back.png"
    path.chmod(0o600)
    encrypt(path, out)
    run("decrypt", out, "-o", back, "--key", KEY)
    sheet, page = tmp_path / "sheet.png", tmp_path / "page.html"
    run("sheet", path, "-o", sheet)
    run("analyse", make(tmp_path, "grey.png"), path, "--mode", "ecb", "--html", page)
    made = (out, back, sheet, page)
    assert [stat.S_IMODE(one.stat().st_mode) for one in made] == [0o600] * 4


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ((), "give one of --key-file, --new-key-file (makes a random key) and --key"),
        (("--key", KEY, "--new-key-file", "k"), "give one of --key-file, --new-key-file"),
        (("--key", "00"), "it takes 32, 48 or 64 hexadecimal digits"),
        (("--key", "xy" * 16), "it takes 32, 48 or 64 hexadecimal digits"),
        (("--key", KEY, "--iv", "x"), "give an even number of hex digits"),
        (("--new-key-file", "./out.png", "--force"), "that is the output"),
        (("--key", KEY, "--key-bits", "256"), "the key has 128 bits; leave this out"),
        (("--new-key-file", "k", "--key-bits", "100"), "100 is not 128, 192 or 256"),
        (("--key", KEY, "--mode", "cbd"), "there is no mode of pictures 'cbd'"),
        (("--key", KEY, "--mode", "ecb", "--iv", "00"), "the IV is 1 bytes; ecb takes none"),
        (("--key", KEY, "--iv", "00" * 16), "the IV is 16 bytes; gcm takes 12"),
        (("--key", KEY, "--rounds", "11"), "11 rounds are not possible"),
        (("--key", KEY, "--core", "quick"), "there is no core 'quick'"),
        (("--key", KEY, "--rounds", "4", "--core", "fixslice"), "fixslice cannot leave rounds out"),
        (("--key", KEY, "-o", "out.jpg"), "'out.jpg' must end in .png"),
    ],
)
def test_wrong_usage(
    more: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "rgb.png")
    monkeypatch.chdir(tmp_path)
    done = run("encrypt", "rgb.png", "-o", "out.png", *more)
    assert done.exit_code == 2
    assert sentence in " ".join(done.stderr.replace("│", " ").split())
    assert [one.name for one in tmp_path.iterdir()] == ["rgb.png"]


def test_decryption_takes_one_key(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    encrypt(make(tmp_path, "rgb.png"), out)
    for given in ((), ("--key", KEY, "--key-file", tmp_path / "rgb.png")):
        done = run("decrypt", out, "-o", tmp_path / "back.png", *given)
        assert done.exit_code == 2
        assert "give one of --key-file and --key" in done.stderr
    (tmp_path / "key").write_bytes(b"no key")
    done = run("decrypt", out, "-o", tmp_path / "back.png", "--key-file", tmp_path / "key")
    assert (done.exit_code, (tmp_path / "back.png").exists()) == (2, False)


def test_the_input_is_never_the_output(tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png")
    before = path.read_bytes()
    assert encrypt(path, path, "--force").exit_code == 2
    assert run("sheet", path, "-o", path, "--force").exit_code == 2
    assert path.read_bytes() == before


def test_a_format_that_cannot_hold_the_pixels_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    encrypt(make(tmp_path, "cmyk.tiff"), out)
    done = run("decrypt", out, "-o", tmp_path / "back.png", "--key", KEY)
    assert "name a file that ends in .tif, .tiff" in str(done.exception)


def test_huge_missing_and_broken_inputs(tmp_path: Path) -> None:
    path, out = make(tmp_path, "rgb.png"), tmp_path / "out.png"
    done = encrypt(path, out, "--max-pixels", 34)
    assert "35 pixels are more than the 34 allowed" in str(done.exception)
    assert encrypt(tmp_path / "none.png", out).exit_code == 2
    path.write_bytes(path.read_bytes()[:50])
    assert "broken or truncated" in str(encrypt(path, out).exception)
    assert not out.exists()


def test_cautions() -> None:
    key = bytes(16)
    assert cautions(Settings("gcm", key, bytes(12))) == []
    assert "ecb shows which blocks are equal" in cautions(Settings("ecb", key))[0]
    assert "does not authenticate" in cautions(Settings("cbc", key, bytes(16)))[0]
    assert "is not AES" in cautions(Settings("gcm", key, bytes(12), 9))[0]


def test_cautions_are_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path, "rgb.png")
    assert encrypt(path, tmp_path / "a.png", "--mode", "ecb").stderr == ""

    def terminal(*, stderr: bool) -> Console:
        out = console(stderr=stderr)
        out.is_terminal = True
        return out

    monkeypatch.setattr(image_input, "console", terminal)
    told = encrypt(path, tmp_path / "b.png", "--mode", "ecb").stderr
    assert "a key on the command line can be seen by others" in told
    assert "ecb shows which blocks are equal" in told
    assert "ecb does not authenticate" in told
    told = run("decrypt", tmp_path / "a.png", "-o", tmp_path / "c.png", "--key", KEY).stderr
    assert "ecb does not authenticate" in told


def test_what_is_left_out_is_always_said(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    frames = [noise("P", seed=seed) for seed in (1, 2)]
    frames[0].save(path, save_all=True, append_images=frames[1:])
    told = encrypt(path, tmp_path / "out.png").stderr
    assert told == f"aesfit: {path} holds several pictures, of which the first is taken\n"


def test_ecb_shows_the_flat_areas_of_the_original(tmp_path: Path) -> None:
    path, out = tmp_path / "flat.bmp", tmp_path / "out.png"
    Image.new("RGB", (64, 8), "white").save(path)
    encrypt(path, out, "--mode", "ecb")
    expected = aesfit.AES(bytes.fromhex(KEY)).encrypt_block(b"\xff" * 16) * 96
    assert read(out).data == expected
    assert image_input.read(out, 1000).data == expected
