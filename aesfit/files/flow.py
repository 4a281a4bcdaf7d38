# SPDX-License-Identifier: MIT
"""Bytes in and out of files and pipes: whole buffers, however short single reads and writes are."""

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[int], None]
"""Called with the bytes of the source that are done so far."""


class FormatError(ValueError):
    """What was read is not of the format, or not of a kind that can be read here."""


class Source(Protocol):
    """A binary file object to read from: open(..., "rb"), best with buffering=0, or BytesIO."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the start of a buffer; 0 at the end."""


class Sink(Protocol):
    """A binary file object to write to: open(..., "wb"), best with buffering=0, or BytesIO."""

    def write(self, data: memoryview, /) -> int | None:
        """Write the start of the data; how many bytes."""


def quiet(_: int) -> None:
    """Report no progress."""


def fill(source: Source, view: memoryview) -> int:
    """Read until the view is full or the source at its end; bytes read."""
    done = 0
    while done < len(view):
        count = source.readinto(view[done:])
        if count is None:
            raise BlockingIOError("the input does not block; aesfit reads blocking files only")
        if count == 0:
            break
        done += count
    return done


def put(sink: Sink, view: memoryview) -> None:
    """Write the whole view."""
    done = 0
    while done < len(view):
        count = sink.write(view[done:])
        if count is None:
            raise BlockingIOError("the output does not block; aesfit writes blocking files only")
        done += count


def wipe(*buffers: bytearray) -> None:
    """Overwrite secrets with zeros, in place."""
    for buffer in buffers:
        buffer[:] = bytes(len(buffer))
