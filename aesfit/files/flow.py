# SPDX-License-Identifier: MIT
"""Read and write whole buffers of files and pipes, even when single calls transfer less."""

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[int], None]
"""Called with the number of bytes of the source processed so far."""


class FormatError(ValueError):
    """The input is not in the expected format, or in a variant that cannot be read here."""


class Source(Protocol):
    """A binary file object to read from: open(..., "rb"), best with buffering=0, or BytesIO."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the start of a buffer; returns the bytes read, 0 at the end of the file."""


class Sink(Protocol):
    """A binary file object to write to: open(..., "wb"), best with buffering=0, or BytesIO."""

    def write(self, data: memoryview, /) -> int | None:
        """Write the start of the data; returns the bytes written."""


def quiet(_: int) -> None:
    """Report no progress."""


def fill(source: Source, view: memoryview) -> int:
    """Read until the view is full or the source ends; returns the bytes read."""
    done = 0
    while done < len(view):
        count = source.readinto(view[done:])
        if count is None:
            raise BlockingIOError("the input is in non-blocking mode; open it in blocking mode")
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
            raise BlockingIOError("the output is in non-blocking mode; open it in blocking mode")
        done += count


def wipe(*buffers: bytearray) -> None:
    """Overwrite secrets with zeros, in place."""
    for buffer in buffers:
        buffer[:] = bytes(len(buffer))
