# SPDX-License-Identifier: MIT
"""The wire to a debugger: bytes out, bytes in."""

import socket
from typing import Protocol

from ..rig import RigUnavailableError


class BoardLostError(RigUnavailableError):
    """There is no talking to the board; the message says what to look at."""


class BoardSilentError(BoardLostError):
    """Nothing came within the time that the board was given."""


class Transport(Protocol):
    """What carries packets; tests put a scripted one in its place."""

    def send(self, data: bytes, seconds: float) -> None:
        """Hand over all bytes; TimeoutError when that takes longer."""

    def receive(self, seconds: float) -> bytes:
        """At least one byte; TimeoutError when none comes in time, BoardLostError at an end."""

    def close(self) -> None:
        """Give the connection back."""


class SocketTransport:
    """A connection to `HOST:PORT`, or to `unix:PATH`."""

    def __init__(self, address: str, seconds: float) -> None:
        """Connect; BoardLostError when nobody listens there."""
        self._address = address
        try:
            self._socket = _connected(address, seconds)
        except OSError as error:
            raise BoardLostError(
                f"no debugger listens at {address} ({error.strerror or error}); start OpenOCD, "
                "probe-rs, pyOCD, the J-Link server or QEMU first (docs/boards.md)"
            ) from None

    def send(self, data: bytes, seconds: float) -> None:
        """Hand over all bytes; TimeoutError when that takes longer."""
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(data)
        except TimeoutError:
            raise
        except OSError:
            raise self._lost() from None

    def receive(self, seconds: float) -> bytes:
        """What has arrived, at least one byte; TimeoutError when none comes in time."""
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(1 << 16)
        except TimeoutError:
            raise
        except OSError:
            raise self._lost() from None
        if not data:
            raise self._lost()
        return data

    def _lost(self) -> BoardLostError:
        return BoardLostError(
            f"the debugger at {self._address} closed the connection; look at its window and at "
            "the cable, then ask again"
        )

    def close(self) -> None:
        """Give the connection back."""
        self._socket.close()


def split_address(address: str) -> tuple[str, int]:
    """Host and port; ValueError in one sentence for anything else."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ValueError(
            f"'{address}' is no address of a debugger; write HOST:PORT, as in localhost:3333, or "
            "unix:PATH"
        )
    return host.strip("[]"), int(port)


def _connected(address: str, seconds: float) -> socket.socket:
    if address.startswith("unix:"):
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(seconds)
        try:
            made.connect(address.removeprefix("unix:"))
        except OSError:
            made.close()
            raise
        return made
    made = socket.create_connection(split_address(address), seconds)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made
