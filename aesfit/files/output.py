# SPDX-License-Identifier: MIT
"""An output that appears whole or not at all, and never in the place of another by accident."""

import errno
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .flow import Sink

_UNNAMED = getattr(os, "O_TMPFILE", 0)
"""Linux: a file without a name, of which nothing is left even when the process is killed."""
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)
_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
STDOUT = "standard output"
Identity = tuple[int, int]
"""Device and number of a file or a folder."""


def identity_of(status: os.stat_result) -> Identity:
    """What stays the same while a name stands for the same file or folder."""
    return status.st_dev, status.st_ino


@dataclass(frozen=True)
class Permissions:
    """What an input allows, and its output may not exceed."""

    mode: int = 0o600
    group: int | None = None

    @classmethod
    def of(cls, status: os.stat_result) -> "Permissions":
        """Those of a file; what comes through a pipe or a terminal is its user's alone."""
        if not stat.S_ISREG(status.st_mode):
            return cls()
        return cls(stat.S_IMODE(status.st_mode) & 0o777, status.st_gid)


class OutputExistsError(OSError):
    """Something has the output's name already."""

    def __init__(self, path: Path) -> None:
        """For one sentence without an errno of the system."""
        super().__init__(f"{path} exists already; --force overwrites it")


@contextmanager
def named(path: Path | str) -> Iterator[None]:
    """Let errors of the system that name no file, or a temporary one, name this path."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def new_file(
    path: Path, like: Permissions, *, force: bool = False, into: Identity | None = None
) -> Iterator[Sink]:
    """Give a stream to write; where the block ends well its bytes are on disk under `path`.

    OSError where `into` is given and the folder is another one by now.

    Where it does not, no name and no byte is left.  The file may be read by nobody else until it
    is whole, and then by nobody who could not read `like`, or whom the umask shuts out.
    """
    with named(path.parent):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if into is not None and into != identity_of(os.fstat(folder)):
            raise OSError(f"{path.parent} is another folder than before; nothing was written there")
        with _temporary(folder, path, like.mode) as (handle, name):
            allowed = _narrowed(handle, like)
            yield _OutputStream(handle, path)
            with named(path):
                os.fchmod(handle, allowed)
                os.fsync(handle)
                _publish(folder, handle, name, path, force=force)
    finally:
        os.close(folder)


@contextmanager
def _temporary(folder: int, path: Path, mode: int) -> Iterator[tuple[int, str]]:
    """A new file in the folder: its handle, and the name that it has or may take on the way."""
    name = f".aesfit-{secrets.token_hex(8)}"
    handle = None
    # Two guards: the one signal that stops a run may come while the inner one cleans up.
    try:
        try:
            with named(path):
                handle = _opened(folder, name, mode)
            yield handle, name
        finally:
            _unlink(folder, name)
            if handle is not None:
                os.close(handle)
    except BaseException:
        _unlink(folder, name)
        raise


def _unlink(folder: int, name: str) -> None:
    with suppress(OSError):  # mostly it has no such name, or the folder cannot be written
        os.unlink(name, dir_fd=folder)


def _opened(folder: int, name: str, mode: int) -> int:
    """A new file, unnamed where the system can do that and can name it later."""
    flags = os.O_RDWR | os.O_CLOEXEC
    if _UNNAMED and Path("/proc/self/fd").is_dir():
        with suppress(OSError):
            return os.open(".", flags | _UNNAMED, mode, dir_fd=folder)
    return os.open(name, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)


def _narrowed(handle: int, like: Permissions) -> int:
    """Shut the new file to all others; returns the permissions that it may have in the end.

    It was made with those of `like`, so the system has taken off what the umask forbids.  Where
    the group of `like` cannot be given, the group gets no more than everybody.
    """
    made = os.fstat(handle)
    allowed = stat.S_IMODE(made.st_mode) & 0o777
    os.fchmod(handle, 0o600)
    if like.group is not None and made.st_gid != like.group:
        try:
            os.fchown(handle, -1, like.group)
        except OSError:
            allowed &= 0o707 | (allowed & 0o007) << 3
    return allowed


class _OutputStream(io.FileIO):
    """Names its path in errors; the handle stays open."""

    def __init__(self, handle: int, told: Path | str) -> None:
        super().__init__(handle, "wb", closefd=False)
        self._told = told

    def write(self, data: memoryview, /) -> int:  # type: ignore[override]
        """Write some of the data; how many bytes."""
        with named(self._told):
            return super().write(data)


def _publish(folder: int, handle: int, name: str, path: Path, *, force: bool) -> None:
    """Give the finished file its name, in one step that others see whole; then sync the folder."""
    unnamed = not os.fstat(handle).st_nlink
    source = f"/proc/self/fd/{handle}" if unnamed else name
    try:
        if force and unnamed:
            os.link(source, name, dst_dir_fd=folder)
        if force:
            os.replace(name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            _link(folder, source, path.name)
    except FileExistsError:
        raise OutputExistsError(path) from None
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise


def _link(folder: int, source: str, final: str) -> None:
    """Name the file where nothing has that name; FileExistsError otherwise, also in a race."""
    try:
        os.link(source, final, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_LINKS or source.startswith("/"):
            raise
        # FAT and others know no second name: take the name first, then replace what is ours.
        os.close(os.open(final, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder))
        try:
            os.replace(source, final, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(final, dir_fd=folder)
            raise


def kind(mode: int) -> str:
    """What a file is, in a word, from its st_mode."""
    kinds = (
        (stat.S_ISREG, "a file"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a symbolic link"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    return next((name for test, name in kinds if test(mode)), "something unknown")


def special(path: Path) -> bool:
    """Whether bytes written to the path go somewhere else: a device or a named pipe."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def refuse_existing(path: Path, *, force: bool) -> None:
    """Tell early what new_file() would refuse in the end, and what force may not replace."""
    if not os.path.lexists(path) or special(path):
        return
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is {kind(path.stat().st_mode)}; name another output with -o")
    if not force:
        raise OutputExistsError(path)


@contextmanager
def to_path(
    path: Path | None, like: Permissions, *, force: bool = False, into: Identity | None = None
) -> Iterator[Sink]:
    """A stream to a new file, to a device or a named pipe; None is standard output.

    `into`: the folder of a new file, where it was there before.
    """
    if path is None:
        if sys.stdout is None:
            raise OSError(f"{STDOUT} is closed")
        yield _OutputStream(1, STDOUT)
    elif special(path):
        with named(path):
            handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            yield _OutputStream(handle, path)
        finally:
            os.close(handle)
    else:
        with new_file(path, like, force=force, into=into) as stream:
            yield stream
