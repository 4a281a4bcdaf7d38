# SPDX-License-Identifier: MIT
"""`aesfit encrypt` and `aesfit decrypt`: every format, and openssl both ways."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from crypt_runs import (
    AESFIT,
    IV,
    KEY,
    QUICKLY,
    SIZES,
    done,
    key_file,
    openssl,
    pattern,
    program,
    run,
)
from every_core import on_every_core

RAW = ("cbc", "ctr", "ecb", "cfb", "ofb")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return key_file(tmp_path)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words"
    path.write_bytes(b"correct horse\nnot this line\n")
    return path


def there_and_back(
    folder: Path, data: bytes, forth: Sequence[object], back: Sequence[object]
) -> bytes:
    """Encrypt and decrypt a file; the ciphertext."""
    plain = folder / "plain"
    plain.write_bytes(data)
    done("encrypt", *forth, plain, "-o", folder / "sealed", "--force")
    done("decrypt", *back, folder / "sealed", "-o", folder / "again", "--force")
    assert (folder / "again").read_bytes() == data
    return (folder / "sealed").read_bytes()


@pytest.mark.parametrize("mode", ["gcm", "ccm"])
@pytest.mark.parametrize("key_bits", [128, 192, 256])
def test_container(mode: str, key_bits: int, key: Path, tmp_path: Path) -> None:
    secret = ["--key-file", key]
    for size in SIZES:
        forth = [*secret, "--mode", mode, "--key-bits", key_bits]
        sealed = there_and_back(tmp_path, pattern(size), forth, secret)
        assert sealed[:8] == b"\x89aesfit\n"


@on_every_core
def test_every_core_can_be_named(core: str, key: Path, tmp_path: Path) -> None:
    secret = ["--key-file", key]
    there_and_back(tmp_path, pattern(1000), [*secret, "--core", core], secret)
    there_and_back(tmp_path, pattern(1000), secret, [*secret, "--core", core])


def test_passphrase_file_is_its_first_line(words: Path, tmp_path: Path) -> None:
    windows = tmp_path / "windows"
    windows.write_bytes(b"correct horse\r\n")
    forth = ["--passphrase-file", words, *QUICKLY]
    there_and_back(tmp_path, b"text", forth, ["--passphrase-file", windows])


def test_key_in_the_environment(key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_TEST_KEY", KEY.hex())
    there_and_back(tmp_path, b"text", ["--key-env", "AESFIT_TEST_KEY"], ["--key-file", key])


def test_key_on_the_command_line_is_warned_of(key: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    result = done("encrypt", "--quiet", "--key", KEY.hex(), tmp_path / "plain")
    assert "--key can be seen in the list of processes" in result.stderr
    assert KEY.hex() not in result.stderr
    result = done("decrypt", "--key-file", key, tmp_path / "plain.aesfit", "-o", tmp_path / "new")
    assert result.stderr == ""


@pytest.mark.parametrize("mode", RAW)
@pytest.mark.parametrize("key_bits", [128, 192, 256])
def test_raw_is_what_openssl_makes(mode: str, key_bits: int, tmp_path: Path) -> None:
    key = KEY[: key_bits // 8]
    iv = [] if mode == "ecb" else ["--iv", IV.hex()]
    ours = ["--raw", "--mode", mode, "--key-file", key_file(tmp_path, key), *iv]
    theirs = [f"-aes-{key_bits}-{mode}", "-K", key.hex()]
    theirs += [] if mode == "ecb" else ["-iv", IV.hex()]
    for size in SIZES:
        sealed = there_and_back(tmp_path, pattern(size), ours, ours)
        assert sealed == openssl("enc", *theirs, data=pattern(size))


@pytest.mark.parametrize("mode", ["CBC", "ecb"])
def test_raw_without_padding(mode: str, key: Path, tmp_path: Path) -> None:
    iv = [] if mode == "ecb" else ["--iv", IV.hex()]
    ours = ["--raw", "--mode", mode, "--key-file", key, "--nopad", *iv]
    sealed = there_and_back(tmp_path, pattern(4096), ours, ours)
    iv = [] if mode == "ecb" else ["-iv", IV.hex()]
    theirs = ["enc", f"-aes-256-{mode.lower()}", "-K", KEY.hex(), *iv, "-nopad"]
    assert sealed == openssl(*theirs, data=pattern(4096))
    (tmp_path / "odd").write_bytes(bytes(17))
    result = run("encrypt", *ours, tmp_path / "odd", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "17 bytes" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("mode", RAW)
@pytest.mark.parametrize(("key_bits", "iterations"), [(128, None), (256, 1), (192, 2000)])
def test_salted_files_go_both_ways(
    mode: str, key_bits: int, iterations: int | None, words: Path, tmp_path: Path
) -> None:
    data = pattern(5001)
    ours: list[object] = ["--openssl", "--mode", mode, "--key-bits", key_bits]
    theirs: list[object] = ["enc", f"-aes-{key_bits}-{mode}", "-pbkdf2", "-pass", f"file:{words}"]
    if iterations:
        ours, theirs = [*ours, "--iter", iterations], [*theirs, "-iter", iterations]
    ours += ["--passphrase-file", words]
    sealed = there_and_back(tmp_path, data, ours, ours)
    assert openssl(*theirs, "-d", data=sealed) == data
    (tmp_path / "theirs.enc").write_bytes(openssl(*theirs, data=data))
    done("decrypt", *ours, tmp_path / "theirs.enc")
    assert (tmp_path / "theirs").read_bytes() == data


def test_salted_default_is_that_of_the_help(words: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    done("encrypt", "--openssl", "--passphrase-file", words, tmp_path / "plain")
    theirs = ["enc", "-d", "-aes-256-cbc", "-pbkdf2", "-pass", f"file:{words}"]
    assert openssl(*theirs, "-in", tmp_path / "plain.enc") == b"text"


def test_streams_of_the_command_line(key: Path, tmp_path: Path) -> None:
    """Through two pipes, and from one redirected file to another."""
    data = pattern(1_000_000)
    sealed = program("encrypt", "-", "--key-file", key, data=data)
    assert (sealed.returncode, sealed.stderr) == (0, b"")
    opened = program("decrypt", "-", "-o", "-", "--key-file", key, data=sealed.stdout)
    assert (opened.returncode, opened.stderr, opened.stdout) == (0, b"", data)
    (tmp_path / "sealed").write_bytes(sealed.stdout)
    with (tmp_path / "sealed").open("rb") as given, (tmp_path / "again").open("wb") as taken:
        subprocess.run(
            [*AESFIT, "decrypt", "-", "--key-file", str(key)], stdin=given, stdout=taken, check=True
        )
    assert (tmp_path / "again").read_bytes() == data


@pytest.mark.parametrize("mode", ["ecb", "cfb"])
def test_raw_streams_are_those_of_openssl(mode: str, key: Path) -> None:
    iv = [] if mode == "ecb" else ["--iv", IV.hex()]
    theirs = ["enc", f"-aes-256-{mode}", "-K", KEY.hex(), *(["-iv", IV.hex()] if iv else [])]
    ours = ["--raw", "--mode", mode, "--key-file", key, *iv, "-"]
    sealed = program("encrypt", *ours, data=pattern(300_001)).stdout
    assert sealed == openssl(*theirs, data=pattern(300_001))
    assert program("decrypt", *ours, data=sealed).stdout == pattern(300_001)


def test_salted_folders_and_several_files(words: Path, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for name in ("d/a", "d/b", "c"):
        (tmp_path / name).write_text(name, encoding="ascii")
    ours = ["--openssl", "--mode", "ofb", "--passphrase-file", words]
    done("encrypt", *ours, tmp_path / "d", tmp_path / "c", "-o", tmp_path / "out")
    theirs = ["enc", "-d", "-aes-256-ofb", "-pbkdf2", "-pass", f"file:{words}"]
    for name in ("d/a", "d/b", "c"):
        assert openssl(*theirs, "-in", tmp_path / "out" / f"{name}.enc") == name.encode()
    done("decrypt", *ours, tmp_path / "out", "-o", tmp_path / "back")
    for name in ("d/a", "d/b", "c"):
        assert (tmp_path / "back/out" / name).read_text() == name


def test_wrong_secrets(key: Path, words: Path, tmp_path: Path) -> None:
    """Each in one sentence, with no output."""
    (tmp_path / "plain").write_bytes(b"text")
    sealed = tmp_path / "plain.aesfit"
    done("encrypt", "--key-file", key, tmp_path / "plain")
    (tmp_path / "plain").unlink()
    other = tmp_path / "other"
    other.write_text("00" * 32, encoding="ascii")
    for secret, sentence in (
        (["--key-file", other], "the key is wrong"),
        (["--passphrase-file", words], "give it, not a passphrase"),
    ):
        result = run("decrypt", *secret, sealed)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"aesfit: {sealed}: ")
        assert sentence in result.stderr
        assert result.stderr.count("\n") == 1
    assert not (tmp_path / "plain").exists()


def test_a_changed_or_cut_container_leaves_nothing(key: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(pattern(200_000))
    done("encrypt", "--key-file", key, tmp_path / "plain")
    whole = (tmp_path / "plain.aesfit").read_bytes()
    changed = bytearray(whole)
    changed[-1] ^= 1
    for broken in (bytes(changed), whole[:-1], whole[:150_000], whole[:50], b"", b"other"):
        (tmp_path / "broken.aesfit").write_bytes(broken)
        result = run("decrypt", "--key-file", key, tmp_path / "broken.aesfit")
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1
        assert not (tmp_path / "broken").exists()
    stream = program("decrypt", "--key-file", key, "-", data=bytes(changed))
    assert stream.returncode == 1
    assert pattern(200_000).startswith(stream.stdout)
    assert b"standard input: " in stream.stderr


HEX = "00" * 16


@pytest.mark.parametrize(
    ("verb", "options", "sentence"),
    [
        ("encrypt", ["--raw", "--openssl"], "different formats"),
        ("encrypt", ["--key", HEX, "--key-env", "K"], "--key-env and --key each give a secret"),
        ("encrypt", ["--iv", HEX], "it goes with --raw"),
        ("encrypt", ["--nopad"], "it goes with --raw or --openssl"),
        ("encrypt", ["--iter", "5"], "it goes with --openssl"),
        ("encrypt", ["--mode", "cbc"], "gcm, ccm"),
        ("encrypt", ["--key-bits", "512"], "128, 192, 256"),
        ("encrypt", ["--core", "ttabel1"], "the nearest is 'ttable1'"),
        ("encrypt", ["--key", "00"], "32 hexadecimal digits or more"),
        ("encrypt", ["--key", "xy" * 16], "hexadecimal"),
        ("encrypt", ["--jobs", "0"], "--jobs"),
        ("encrypt", ["--raw", "--mode", "ctr", "--iv", HEX], "--key-file"),
        ("encrypt", ["--raw", "--key", HEX], "it needs --mode"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "gcm", "--iv", HEX], "cbc, ctr, ecb"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "cbc"], "needs --iv"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "cbc", "--iv", "00"], "32 hexadecimal"),
        ("encrypt", ["--raw", "--key", HEX + "00", "--mode", "ecb"], "32, 48 or 64 hexadecimal"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "ecb", "--iv", HEX], "ecb has none"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "ctr", "--iv", HEX, "--nopad"], "padded"),
        ("encrypt", ["--raw", "--key", HEX, "--mode", "ecb", "--key-bits", "128"], "leave it out"),
        ("encrypt", ["--openssl", "--key", HEX], "takes a passphrase"),
        ("encrypt", ["--openssl", "--passphrase-file", "f", "--iter", "0"], "--iter"),
        ("decrypt", ["--mode", "gcm"], "the file contains its mode"),
        ("decrypt", ["--key-bits", "128"], "the file contains its key size"),
    ],
)
def test_contradictions(verb: str, options: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "a.aesfit").write_bytes(b"")
    result = run(verb, *options, tmp_path / "a.aesfit", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def test_one_iv_is_not_for_several_files(key: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"text")
    raw = ["--raw", "--mode", "ctr", "--key-file", key, "--iv", IV.hex()]
    result = run("encrypt", *raw, tmp_path / "a", tmp_path / "b")
    assert result.exit_code == 2
    assert "one IV must not serve several files" in result.stderr


@pytest.mark.parametrize(
    ("option", "content", "sentence"),
    [
        ("--passphrase-file", b"", "is empty"),
        ("--passphrase-file", b"\nsecond line\n", "is empty"),
        ("--passphrase-file", None, "No such file"),
        ("--passphrase-file", bytes(70_000), "is longer than 65536 bytes"),
        ("--key-file", b"short", "5 bytes"),
        ("--key-file", None, "No such file"),
    ],
)
def test_bad_secrets(option: str, content: bytes | None, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    result = run("encrypt", option, tmp_path / "secret", tmp_path / "plain")
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert not (tmp_path / "plain.aesfit").exists()


def test_missing_variable(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    result = run("encrypt", "--key-env", "AESFIT_NOT_SET", tmp_path / "plain")
    assert result.exit_code == 1
    assert "AESFIT_NOT_SET" in result.stderr


def test_text_as_a_key_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    (tmp_path / "secret").write_text("correct horse battery staple\n", encoding="ascii")
    result = done("encrypt", "--key-file", tmp_path / "secret", tmp_path / "plain")
    assert "give a passphrase with --passphrase-file" in result.stderr


def test_the_help_names_the_exit_codes() -> None:
    for verb in ("encrypt", "decrypt"):
        text = " ".join(done(verb, "--help").stdout.split())
        for code in ("0 all done", "1 something failed", "2 called wrongly", "130 stopped"):
            assert code in text
