# SPDX-License-Identifier: MIT
"""Output files that appear whole or not at all, and never replace another file by accident."""

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
"""Linux: a file without a name, which vanishes even if the process is killed."""
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)
_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
STDOUT = "standard output"
Identity = tuple[int, int]
"""Device and number of a file or a folder."""


def identity_of(status: os.stat_result) -> Identity:
    """The identity of a file or folder: it changes when a name comes to mean another one."""
    return status.st_dev, status.st_ino


@dataclass(frozen=True)
class Permissions:
    """The permissions of an input; its output gets no wider ones."""

    mode: int = 0o600
    group: int | None = None

    @classmethod
    def of(cls, status: os.stat_result) -> "Permissions":
        """Permissions of a file; the user's alone for a pipe or a terminal."""
        if not stat.S_ISREG(status.st_mode):
            return cls()
        return cls(stat.S_IMODE(status.st_mode) & 0o777, status.st_gid)


class OutputExistsError(OSError):
    """A file with the output's name exists already."""

    def __init__(self, path: Path) -> None:
        """Take the whole message; there is no errno."""
        super().__init__(f"{path} exists already; --force overwrites it")


@contextmanager
def named(path: Path | str) -> Iterator[None]:
    """Put this path into system errors that name no file, or a temporary one."""
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
    """Give a stream to write; if the block succeeds, its bytes are on disk under `path`.

    If it fails, neither a name nor a byte is left.  OSError if `into` is given and the folder is
    another one by now.  Nobody else may read the file until it is whole; then those may who could
    read `like` and whom the umask allows.
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
    """A new file in the folder: its handle, and its temporary name, which it may not have yet."""
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
    """A new file, unnamed if the system can create such a file and name it later."""
    flags = os.O_RDWR | os.O_CLOEXEC
    if _UNNAMED and Path("/proc/self/fd").is_dir():
        with suppress(OSError):
            return os.open(".", flags | _UNNAMED, mode, dir_fd=folder)
    return os.open(name, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)


def _narrowed(handle: int, like: Permissions) -> int:
    """Close the new file to other users; returns the permissions that it may have at the end.

    It was made with those of `like`, so the system has removed what the umask forbids.  If the
    group of `like` cannot be set, the group gets no more than everybody.
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
    """A stream whose errors name its path; closing it leaves the handle open."""

    def __init__(self, handle: int, told: Path | str) -> None:
        super().__init__(handle, "wb", closefd=False)
        self._told = told

    def write(self, data: memoryview, /) -> int:  # type: ignore[override]
        """Write some of the data; returns the bytes written."""
        with named(self._told):
            return super().write(data)


def _publish(folder: int, handle: int, name: str, path: Path, *, force: bool) -> None:
    """Give the finished file its name in one atomic step; then sync the folder."""
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
    """Name the file if the name is free; FileExistsError otherwise, also in a race."""
    try:
        os.link(source, final, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_LINKS or source.startswith("/"):
            raise
        # FAT and others have no hard links: take the name first, then replace our own file.
        os.close(os.open(final, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder))
        try:
            os.replace(source, final, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(final, dir_fd=folder)
            raise


def kind(mode: int) -> str:
    """The kind of a file in words, from its st_mode."""
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
    """Refuse early what new_file() would refuse at the end, and what force may not replace."""
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
    """Open a stream to a new file, a device or a named pipe; None is standard output.

    `into`: identity of the new file's folder, if the folder existed before.
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
