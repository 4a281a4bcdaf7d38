# SPDX-License-Identifier: MIT
"""Packets of the GDB remote serial protocol: framing, checksums, acknowledgements.

Source: the GDB manual, appendix E, "Overview" and "Packet Acknowledgment".
"""

import re

from .transport import BoardLostError, Transport

_TRIES = 3
"""Times that a packet is sent, or asked for, before the wire is given up."""
_SPECIAL = re.compile(rb"[#$}*]")
_ESCAPED = re.compile(rb"\}(.)", re.DOTALL)
_REPEATED = re.compile(rb"([^}])\*(.)", re.DOTALL)
_LEAST_REPEAT = 29
"""What a count of repeats is written above."""


def checksum(payload: bytes) -> bytes:
    """Two hexadecimal digits: the sum of the bytes modulo 256."""
    return b"%02x" % (sum(payload) % 256)


def framed(payload: bytes) -> bytes:
    """A packet with the payload, in which bytes with a meaning of their own are escaped."""
    plain = _SPECIAL.sub(lambda found: bytes((ord("}"), found[0][0] ^ 0x20)), payload)
    return b"$" + plain + b"#" + checksum(plain)


def unframed(content: bytes) -> bytes:
    """The payload of what stood between `$` and `#`: repeats written out, escapes undone."""
    plain = _REPEATED.sub(lambda run: run[1] * (run[2][0] - _LEAST_REPEAT + 1), content)
    return _ESCAPED.sub(lambda found: bytes((found[1][0] ^ 0x20,)), plain)


class PacketStream:
    """Packets over a transport; acknowledged until both sides agree to leave that."""

    def __init__(self, transport: Transport) -> None:
        """Nothing is sent yet."""
        self.acknowledged = True
        self._transport, self._left = transport, b""

    def send(self, payload: bytes) -> None:
        """Send until the other side has it; BoardLostError when it never has."""
        packet = framed(payload)
        for _ in range(_TRIES):
            self._transport.send(packet)
            if not self.acknowledged or self._was_heard():
                return
        raise BoardLostError(
            f"the debugger refused a packet {_TRIES} times: the line to it is disturbed"
        )

    def _was_heard(self) -> bool:
        while True:
            at = self._peek()
            if at == b"$":  # an answer, so the question has arrived
                return True
            self._left = self._left[1:]
            if at in b"+-":
                return at == b"+"

    def _peek(self) -> bytes:
        if not self._left:
            self._left = self._transport.receive()
        return self._left[:1]

    def receive(self) -> bytes:
        """The payload of the next packet; what is damaged is asked for again."""
        for _ in range(_TRIES):
            content, given = self._content()
            right = not self.acknowledged or checksum(content) == given.lower()
            if self.acknowledged:
                self._transport.send(b"+" if right else b"-")
            if right:
                return unframed(content)
        raise BoardLostError(
            f"the debugger sent a damaged packet {_TRIES} times: the line to it is disturbed"
        )

    def _content(self) -> tuple[bytes, bytes]:
        """Between `$` and `#`, and the checksum; acknowledgements and notices are passed over."""
        while True:
            start, end = self._left.find(b"$"), -1
            if start >= 0:
                end = self._left.find(b"#", start)
            if 0 <= end <= len(self._left) - 3:
                content, given = self._left[start + 1 : end], self._left[end + 1 : end + 3]
                self._left = self._left[end + 3 :]
                return content, given
            self._left = self._left[max(start, 0) if start >= 0 else len(self._left) :]
            self._left += self._transport.receive()

    def interrupt(self) -> None:
        """Ask a running target to stop."""
        self._transport.send(b"\x03")

    def close(self) -> None:
        """Give the connection back."""
        self._transport.close()
