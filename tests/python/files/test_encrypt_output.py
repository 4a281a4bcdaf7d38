# SPDX-License-Identifier: MIT
"""Outputs appear whole or not at all, on file systems that can do much and on those that cannot."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from aesfit.files import output
from aesfit.files.output import OutputExistsError, Permissions, new_file, to_path

WIDE = Permissions(0o666)
ABILITIES = ("unnamed files", "links", "neither")


@pytest.fixture(params=ABILITIES, autouse=True)
def ability(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the file system can do."""
    if request.param != "unnamed files":
        monkeypatch.setattr(output, "_UNNAMED", 0)
    if request.param == "neither":

        def link(*_: object, **__: object) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr(os, "link", link)
    return str(request.param)


def nothing() -> None:
    pass


def write(
    path: Path, data: bytes, *, force: bool = False, then: Callable[[], None] = nothing
) -> None:
    """Write, and do something before the end."""
    with new_file(path, WIDE, force=force) as stream:
        stream.write(memoryview(data))
        then()


def test_a_new_file(tmp_path: Path) -> None:
    write(tmp_path / "a", b"text")
    assert (tmp_path / "a").read_bytes() == b"text"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_nothing_is_seen_before_the_end(ability: str, tmp_path: Path) -> None:
    with new_file(tmp_path / "a", WIDE) as stream:
        stream.write(memoryview(b"te"))
        seen = list(tmp_path.iterdir())
        assert len(seen) == (ability != "unnamed files")
        for path in seen:
            assert path.name.startswith(".aesfit-")
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        stream.write(memoryview(b"xt"))
    assert (tmp_path / "a").read_bytes() == b"text"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
@pytest.mark.parametrize("force", [False, True])
def test_an_exception_leaves_nothing(
    error: type[BaseException], force: bool, tmp_path: Path
) -> None:
    (tmp_path / "old").write_bytes(b"old")

    def fail() -> None:
        raise error

    with pytest.raises(error):
        write(tmp_path / "old", b"new", force=force, then=fail)
    assert (tmp_path / "old").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]


def test_what_exists_stays_without_force(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    with pytest.raises(OutputExistsError, match="--force"):
        write(tmp_path / "old", b"new")
    assert (tmp_path / "old").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]
    write(tmp_path / "old", b"new", force=True)
    assert (tmp_path / "old").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_what_comes_in_between_stays(kind: str, tmp_path: Path) -> None:
    """A name taken while the output was being written."""
    path = tmp_path / "a"

    def be_quicker() -> None:
        if kind == "file":
            path.write_bytes(b"quicker")
        elif kind == "folder":
            path.mkdir()
        else:
            path.symlink_to(tmp_path / "nowhere")

    with pytest.raises(OutputExistsError):
        write(path, b"new", then=be_quicker)
    assert list(tmp_path.iterdir()) == [path]
    assert path.is_symlink() or path.is_dir() or path.read_bytes() == b"quicker"


def test_bytes_are_on_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the name before the call returns: file, then folder."""
    synced: list[tuple[str, list[Path]]] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        synced.append((kind, [path for path in tmp_path.iterdir() if path.name == "a"]))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / "a", b"text")
    assert synced == [("file", []), ("folder", [tmp_path / "a"])]


def test_an_interrupt_while_cleaning_up_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one signal of a run may arrive in the first step of the clean-up."""
    unlink, calls = os.unlink, []

    def interrupted(path: str, *, dir_fd: int) -> None:
        calls.append(path)
        if len(calls) == 1:
            raise KeyboardInterrupt
        unlink(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", interrupted)
    with pytest.raises(KeyboardInterrupt), new_file(tmp_path / "a", WIDE):
        raise ValueError
    assert list(tmp_path.iterdir()) == []


def test_a_group_that_cannot_be_given_is_shut_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chown(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", chown)
    for mode, expected in ((0o640, 0o600), (0o644, 0o644), (0o664, 0o644), (0o660, 0o600)):
        path = tmp_path / f"{mode:o}"
        before = os.umask(0)
        try:
            with new_file(path, Permissions(mode, 12345)):
                pass
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == expected


def test_errors_name_the_output_or_its_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path, number, blamed in (
        (tmp_path / "no" / "a", errno.ENOENT, tmp_path / "no"),
        (tmp_path / "file" / "a", errno.ENOTDIR, tmp_path / "file"),
        (tmp_path / ("n" * 256), errno.ENAMETOOLONG, tmp_path / ("n" * 256)),
    ):
        with pytest.raises(OSError, match=os.strerror(number)) as error:
            write(path, b"")
        assert (error.value.errno, error.value.filename) == (number, str(blamed))


def test_devices_are_written_to(tmp_path: Path) -> None:
    with to_path(Path("/dev/null"), WIDE) as stream:
        stream.write(memoryview(b"text"))
    assert Path("/dev/null").is_char_device()
    with (
        pytest.raises(OSError, match="No space left") as error,
        to_path(Path("/dev/full"), WIDE) as stream,
    ):
        stream.write(memoryview(b"text"))
    assert error.value.filename == "/dev/full"
