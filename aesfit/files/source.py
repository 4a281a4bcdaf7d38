# SPDX-License-Identifier: MIT
"""Inputs: opened without waiting for a writer, and watched for changes."""

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .flow import Source
from .output import Identity, Permissions, identity_of, kind, named

STDIN = "standard input"


class _Stream(io.FileIO):
    """A stream whose errors name its path; closing it leaves the handle open."""

    def __init__(self, handle: int, told: Path | str) -> None:
        super().__init__(handle, "rb", closefd=False)
        self._told = told

    def readinto(self, buffer: memoryview, /) -> int | None:  # type: ignore[override]
        """Fill the start of a buffer; 0 at the end."""
        with named(self._told):
            return super().readinto(buffer)


@dataclass(frozen=True)
class Opened:
    """An open input."""

    stream: Source
    permissions: Permissions
    check: Callable[[], None]
    """Check the input; OSError if it was written to since it was opened."""

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """OSError when the input changed while the block read it: the output would be a mixture.

        This error replaces others, which the change may have caused.
        """
        try:
            yield
        except ValueError:
            self.check()
            raise
        self.check()


def _unchecked() -> None:
    """Accept; a stream cannot be checked for changes."""


def refuse_special(mode: int, path: Path) -> None:
    """OSError for anything but a file."""
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is {kind(mode)}, not a file; name - and redirect it: - < {path}")


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a regular file; OSError where it cannot be read."""
    with opened(path, follow=False) as given:
        buffer = memoryview(bytearray(size))
        done = 0
        while done < size and (more := given.stream.readinto(buffer[done:])):
            done += more
        return bytes(buffer[:done])


def _handle(path: Path, follow: bool) -> int:
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with named(path):
        try:
            return os.open(path, flags)
        except OSError as error:
            if error.errno != errno.ELOOP or follow:
                raise
    raise OSError(f"{path} is a symbolic link now; nothing was written from it")


@contextmanager
def opened(path: Path, *, follow: bool, planned: Identity | None = None) -> Iterator[Opened]:
    """Open a regular file; `follow` says whether symbolic links are followed.

    OSError if it is not the `planned` file any more.
    """
    handle = _handle(path, follow)

    def check() -> None:
        now = os.fstat(handle)
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise OSError(f"{path} changed while it was read; nothing was written from it")

    try:
        before = os.fstat(handle)
        refuse_special(before.st_mode, path)
        if planned is not None and planned != identity_of(before):
            raise OSError(f"{path} is another file than before; nothing was written from it")
        yield Opened(_Stream(handle, path), Permissions.of(before), check)
    finally:
        os.close(handle)


@contextmanager
def standard_input() -> Iterator[Opened]:
    """Standard input as bytes."""
    if sys.stdin is None:
        raise OSError(f"{STDIN} is closed")
    with named(STDIN):
        stream, permissions = _Stream(0, STDIN), Permissions.of(os.fstat(0))
    yield Opened(stream, permissions, _unchecked)
