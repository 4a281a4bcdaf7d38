# SPDX-License-Identifier: MIT
"""Who uses the store, and when an entry was last used.

The last use of a file is its modification time, renewed at most once an hour.  Every process that
takes files from the cache folder holds a shared lock on it until it ends, so that who clears the
folder knows whether others are at work there.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

RENEWED_SECONDS = 3600
LOCK = "in-use"
"""Name of the lock's file in the cache folder."""

_held: dict[Path, int] = {}
"""The lock of this process: its folder and file descriptor.  One at most."""


def is_due(last: float, now: float) -> bool:
    """Whether a use now is to be recorded, where one was recorded at `last`."""
    return not 0 <= now - last < RENEWED_SECONDS


def renew(path: Path) -> bool:
    """Record that a file is used; False when it was removed meanwhile."""
    try:
        if not is_due(path.stat().st_mtime, time.time()):
            return True
        with _locked(path.parent, fcntl.LOCK_SH):
            os.utime(path)
    except FileNotFoundError:
        return False
    except OSError:  # a folder that only others may write is still good to read
        return True
    return True


@contextlib.contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Put files into a folder while nobody removes any there."""
    with _locked(folder, fcntl.LOCK_SH):
        yield


@contextlib.contextmanager
def removing(folder: Path) -> Iterator[None]:
    """Remove files from a folder while nobody puts any there or renews their use."""
    with _locked(folder, fcntl.LOCK_EX):
        yield


@contextlib.contextmanager
def _locked(folder: Path, kind: int) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, kind)
        yield
    finally:
        os.close(handle)


def enter(folder: Path) -> None:
    """Say that this process works with files of the cache folder from now on."""
    if folder in _held:
        return
    leave()
    with contextlib.suppress(OSError):  # who cannot write there removes nothing there either
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        _held[folder] = handle
        fcntl.flock(handle, fcntl.LOCK_SH)


def leave() -> None:
    """Say that it no longer works with files of the folder that it entered last."""
    while _held:
        os.close(_held.popitem()[1])


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """True where no other process works with the cache folder; while it lasts, others wait."""
    enter(folder)
    handle = _held.get(folder)
    try:
        if handle is None:
            raise BlockingIOError
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        if handle is not None:
            fcntl.flock(handle, fcntl.LOCK_SH)
