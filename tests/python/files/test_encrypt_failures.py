# SPDX-License-Identifier: MIT
"""Failures with real files: one sentence, the right exit code, nothing lost or left behind."""

import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from crypt_runs import (
    AESFIT,
    IV,
    as_nobody,
    done,
    key_file,
    names,
    open_to_all,
    pattern,
    program,
    run,
)

from aesfit.files import work
from aesfit.files.flow import Progress, Sink, Source
from aesfit.files.tree import Naming, plan

ON_A_SMALL_DISK = """
mkdir "$DISK" && mount -t tmpfs -o size=300k none "$DISK" || exit 99
printf old > "$DISK/old.aesfit"
"$@"; echo "code $?"
ls -A "$DISK"; cat "$DISK/old.aesfit"
"""
ON_A_READ_ONLY_DISK = """
mkdir "$DISK" && mount -t tmpfs -o ro none "$DISK" || exit 99
"$@"; echo "code $?"
ls -A "$DISK"
"""


@pytest.fixture
def key(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return ["--key-file", key_file(tmp_path_factory.mktemp("secret"))]


@pytest.fixture
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 1 MB, in a folder of its own."""
    path = tmp_path_factory.mktemp("big") / "old"
    path.write_bytes(pattern(1_000_000))
    return path


def test_full_disk(key: list[object], big: Path, tmp_path: Path) -> None:
    """A disk of 300 kB, mounted for the test alone, or a limit on sizes where that is forbidden."""
    disk = tmp_path / "disk"
    arguments = [*AESFIT, "encrypt", "--force", str(big), "-o", str(disk / "old.aesfit")]
    arguments += [str(one) for one in key]
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", ON_A_SMALL_DISK, "sh", *arguments],
        env={**os.environ, "DISK": str(disk)},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        assert result.stdout == "code 1\nold.aesfit\nold"
        sentence = "No space left on device"
    else:
        disk.mkdir(exist_ok=True)
        result = limited(*arguments)
        assert result.returncode == 1
        assert names(disk) == []
        sentence = "File too large"
    assert result.stderr == f"aesfit: {disk / 'old.aesfit'}: {sentence}\n"


def test_read_only_disk(key: list[object], big: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    arguments = [*AESFIT, "encrypt", str(big), "-o", str(disk / "new"), *map(str, key)]
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", ON_A_READ_ONLY_DISK, "sh", *arguments],
        env={**os.environ, "DISK": str(disk)},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        pytest.skip("nothing may be mounted here")
    assert result.stdout == "code 1\n"
    assert result.stderr == f"aesfit: {disk / 'new'}: Read-only file system\n"


def limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run under a limit of 300 kB on the size of files."""
    return subprocess.run(
        [*arguments],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )


def test_full_disk_while_decrypting_several(key: list[object], big: Path) -> None:
    """The one that fits is made; the other is not, and what was there before stays."""
    done("encrypt", big, *key)
    (big.parent / "small").write_bytes(b"text")
    done("encrypt", big.parent / "small", *key)
    (big.parent / "small").unlink()
    arguments = ["decrypt", "--force", "--jobs", "2", str(big.parent), *map(str, key)]
    result = limited(*AESFIT, *arguments)
    assert result.returncode == 1
    assert f"{big}: File too large" in result.stderr
    assert "1 of 2 failed, 1 decrypted" in result.stderr
    assert names(big.parent) == ["old", "old.aesfit", "small", "small.aesfit"]
    assert big.read_bytes() == pattern(1_000_000)


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_standard_output_is_full(verb: str, key: list[object], big: Path) -> None:
    done("encrypt", big, *key)
    source = big if verb == "encrypt" else f"{big}.aesfit"
    with Path("/dev/full").open("wb") as full:
        result = program(verb, source, "-o", "-", *key, stdout=full)
    assert result.returncode == 1
    assert result.stderr == b"aesfit: standard output: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_standard_streams(closed: str, key: list[object], big: Path) -> None:
    source = "-" if closed == "<&-" else str(big)
    command = " ".join([*AESFIT, "encrypt", source, "-o", "-", *map(str, key)])
    result = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, check=False)
    assert result.returncode == 1
    assert b"is closed" in result.stderr
    assert b"Traceback" not in result.stderr


def test_reader_that_has_enough(key: list[object], big: Path) -> None:
    """As `aesfit decrypt -o - | head -c 1`: no complaint."""
    command = " ".join([*AESFIT, "encrypt", str(big), "-o", "-", *map(str, key), "| head -c 1"])
    result = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (result.stdout, result.stderr) == (b"\x89", b"")


def test_missing_inputs_do_not_stop_the_others(key: list[object], tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"text")
    result = run("encrypt", tmp_path / "a", tmp_path / "gone", tmp_path / "b", *key)
    assert result.exit_code == 1
    assert result.stdout == "encrypted: 2 files\n"
    assert f"{tmp_path / 'gone'}: No such file or directory" in result.stderr
    assert "1 of 3 failed, 2 encrypted" in result.stderr
    assert names(tmp_path) == ["a", "a.aesfit", "b", "b.aesfit"]


def test_unreadable_inputs() -> None:
    """A file, and a folder in a folder; what can be read is encrypted."""
    with open_to_all() as top:
        folder = top / "d"
        for name in ("open", "shut", "closed/inner"):
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            (folder / name).write_bytes(b"text")
        folder.chmod(0o777)
        (folder / "shut").chmod(0)
        (folder / "closed").chmod(0)
        result = as_nobody("encrypt", folder, "--key-file", top / "key")
        (folder / "closed").chmod(0o700)
        assert result.returncode == 1
        assert result.stderr.decode().splitlines() == [
            f"aesfit: {folder / 'shut'}: Permission denied",
            f"aesfit: {folder / 'closed'}: Permission denied",
            "aesfit: 2 of 3 failed, 1 encrypted",
        ]
        assert names(folder) == ["closed", "closed/inner", "open", "open.aesfit", "shut"]


def test_folders_that_cannot_be_written() -> None:
    """By permission, and because the system makes no files there."""
    with open_to_all() as folder:
        plain, key = folder / "plain", ["--key-file", folder / "key"]
        plain.write_bytes(b"text")
        folder.chmod(0o555)
        result = as_nobody("encrypt", plain, *key)
        assert result.returncode == 1
        assert result.stderr == f"aesfit: {plain}.aesfit: Permission denied\n".encode()
        assert names(folder) == ["key", "plain"]
        result = program("encrypt", plain, "-o", "/proc/aesfit", *key)
        assert result.returncode == 1
        assert result.stderr.startswith(b"aesfit: /proc/aesfit: ")
        assert result.stderr.count(b"\n") == 1
        folder.chmod(0o777)


def attempt(paths: list[Path], job: work.Work, jobs: int = 1) -> work.Outcome:
    """Encrypt by a made-up cipher."""
    planned = plan([str(path) for path in paths], None, Naming(".out", True), force=False)
    return work.run(
        planned.items, job, jobs=jobs, force=False, stop=threading.Event(), advance=lambda _: None
    )


def copy(source: Source, sink: Sink, progress: Progress) -> None:
    data = memoryview(bytearray(4096))
    total = 0
    while count := source.readinto(data) or 0:
        sink.write(data[:count])
        progress(total := total + count)


def test_inputs_that_vanish(tmp_path: Path) -> None:
    """Between the plan and the work; the next one is done all the same."""
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(b"text")
    planned = plan([str(path) for path in paths], None, Naming(".out", True), force=False)
    paths[0].unlink()
    outcome = work.run(
        planned.items, copy, jobs=1, force=False, stop=threading.Event(), advance=lambda _: None
    )
    assert outcome.failures == [f"{paths[0]}: No such file or directory"]
    assert names(tmp_path) == ["b", "b.out"]


@pytest.mark.parametrize("change", ["shrinks", "grows", "is rewritten"])
def test_inputs_that_change(change: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(pattern(100_000))

    def changing(source: Source, sink: Sink, progress: Progress) -> None:
        source.readinto(memoryview(bytearray(100)))
        with path.open("r+b") as stream:
            if change == "shrinks":
                stream.truncate(50_000)
            else:
                stream.seek(0, os.SEEK_END if change == "grows" else os.SEEK_SET)
                stream.write(b"new")
        os.utime(path, ns=(0, 10**18))
        copy(source, sink, progress)

    outcome = attempt([path], changing)
    assert outcome.failures == [f"{path} changed while it was read; nothing was written from it"]
    assert names(tmp_path) == ["a"]


def test_an_input_that_shrinks_in_the_hands_of_the_program(
    key: list[object], big: Path, tmp_path: Path
) -> None:
    """The reader of a named pipe stops it in the middle."""
    os.mkfifo(tmp_path / "pipe")
    arguments = [*AESFIT, "encrypt", str(big), "-o", str(tmp_path / "pipe"), *map(str, key)]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as running:
        with (tmp_path / "pipe").open("rb") as pipe:
            pipe.read(1)
            os.truncate(big, 500_000)
            while pipe.read(100_000):
                pass
        assert running.stderr is not None
        told = running.stderr.read().decode()
    assert running.returncode == 1
    assert told == f"aesfit: {big} changed while it was read; nothing was written from it\n"


def test_raw_with_a_wrong_padding_leaves_nothing(key: list[object], tmp_path: Path) -> None:
    (tmp_path / "a.enc").write_bytes(pattern(160_000))
    raw = ["--raw", "--mode", "cbc", "--iv", IV.hex()]
    result = run("decrypt", *raw, *key, tmp_path / "a.enc")
    assert result.exit_code == 1
    assert "the padding is wrong" in result.stderr
    assert names(tmp_path) == ["a.enc"]


def test_every_flipped_bit_and_every_cut_leaves_nothing(key: list[object], tmp_path: Path) -> None:
    """Of a small container, each in a file of its own."""
    (tmp_path / "plain").write_bytes(b"text")
    done("encrypt", tmp_path / "plain", *key)
    whole = (tmp_path / "plain.aesfit").read_bytes()
    broken = tmp_path / "broken"
    broken.mkdir()
    for size in range(len(whole)):
        (broken / f"cut-{size}.aesfit").write_bytes(whole[:size])
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        (broken / f"bit-{bit}.aesfit").write_bytes(flipped)
    before = names(tmp_path)
    result = run("decrypt", broken, "-o", tmp_path / "out", *key)
    assert result.exit_code == 1
    assert f"{9 * len(whole):,} of {9 * len(whole):,} failed, 0 decrypted" in result.stderr
    assert names(tmp_path) == before


def test_folders_of_nothing_go_whoever_made_them(
    key: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread makes the outer folder and waits until another has made and noted the inner."""
    make, make_folders, noted = Path.mkdir, work._make_folders, threading.Event()

    def patiently(path: Path, mode: int = 0o777) -> None:
        make(path, mode)
        if path.name == "out":
            noted.wait()

    def telling(folder: Path, mirrored: Path, made: list[Path]) -> None:
        make_folders(folder, mirrored, made)
        noted.set()

    broken = tmp_path / "broken"
    broken.mkdir()
    for number in range(4):
        (broken / f"{number}.aesfit").write_bytes(b"none")
    monkeypatch.setattr(Path, "mkdir", patiently)
    monkeypatch.setattr(work, "_make_folders", telling)
    assert run("decrypt", "--jobs", "2", broken, "-o", tmp_path / "out", *key).exit_code == 1
    assert not (tmp_path / "out").exists()


def test_memory_does_not_grow_with_the_file(key: list[object], tmp_path: Path) -> None:
    """Below 100 MiB for a file of 400 MB, both ways."""
    with (tmp_path / "zeros").open("wb") as stream:
        stream.truncate(400_000_000)
    for verb, source, target in (
        ("encrypt", "zeros", "zeros.aesfit"),
        ("decrypt", "zeros.aesfit", "/dev/null"),
    ):
        arguments = [verb, str(tmp_path / source), "-o", str(tmp_path / target), *map(str, key)]
        script = "import pathlib; from aesfit.cli import app; app(standalone_mode=False); "
        script += "print(pathlib.Path('/proc/self/status').read_text())"
        result = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
        )
        most = int(result.stdout.split("VmHWM:")[1].split()[0])
        assert most < 100 << 10  # KiB
