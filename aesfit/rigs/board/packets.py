# SPDX-License-Identifier: MIT
"""Packets of the GDB remote serial protocol: framing, checksums, acknowledgements.

Source: the GDB manual, appendix E, "Overview" and "Packet Acknowledgment".
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from .deadline import Deadline
from .transport import BoardLostError, Transport

_TRIES = 3
"""Times that a packet is sent, or asked for, before the wire is given up."""
MOST_PACKET = 1 << 18
"""Bytes of a packet from the debugger; the largest that servers announce are 64 KiB."""
_MOST_PASSED = 1 << 16
"""Bytes before an answer that are no part of it: stray bytes, notices, text for a console."""
_HEARD = re.compile(rb"[-+$]")
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
    """Packets over a transport; acknowledged until both sides agree to leave that.

    Whatever the other side sends, each operation ends by its deadline and within the bounds above.
    Once it has ended so, no more is sent or awaited: a late answer would be taken for another.
    """

    def __init__(self, transport: Transport, deadline: Deadline) -> None:
        """Nothing is sent yet."""
        self.acknowledged = True
        self.deadline = deadline
        self._transport, self._left, self._passed = transport, bytearray(), 0
        self._broken = ""
        self.interrupted = False
        """The user broke an operation off, so that an answer may be on its way."""

    @contextmanager
    def operation(self, packets: int = 1) -> Iterator[None]:
        """Time for so many questions; when it is over or all is lost, the line is given up."""
        if self._broken:
            raise BoardLostError(self._broken)
        with self.deadline.operation(packets):
            try:
                yield
            except BoardLostError as error:
                self._broken = str(error)
                raise
            except KeyboardInterrupt:
                self.interrupted = True
                raise

    def send(self, payload: bytes) -> None:
        """Send until the other side has it; BoardLostError when it never has."""
        packet = framed(payload)
        self._passed = 0
        for _ in range(_TRIES):
            self._give(packet)
            if not self.acknowledged or self._was_heard():
                return
        raise BoardLostError(
            f"the debugger refused a packet {_TRIES} times: the line to it is disturbed"
        )

    def _give(self, data: bytes) -> None:
        try:
            self._transport.send(data, self.deadline.left())
        except TimeoutError:
            raise self.deadline.silent() from None

    def _take(self) -> None:
        """Wait for more bytes."""
        try:
            self._left += self._transport.receive(self.deadline.left())
        except TimeoutError:
            raise self.deadline.silent() from None

    def _was_heard(self) -> bool:
        while True:
            found = _HEARD.search(bytes(self._left))
            self._pass_over(found.start() if found else len(self._left))
            if found is None:
                self._take()
            elif found[0] == b"$":  # an answer, so the question has arrived
                return True
            else:
                del self._left[:1]
                return found[0] == b"+"

    def _pass_over(self, size: int) -> None:
        """Leave out bytes that belong to no packet; not for ever."""
        del self._left[:size]
        self.count_passed(size)

    def count_passed(self, size: int) -> None:
        """Bytes of what nobody asked for; BoardLostError when they do not end."""
        self._passed += size
        if self._passed > _MOST_PASSED:
            raise BoardLostError(
                f"the debugger sent more than {_MOST_PASSED} bytes that answer nothing; is "
                "something else listening there?"
            )

    def receive(self) -> bytes:
        """The payload of the next packet; what is damaged is asked for again."""
        for _ in range(_TRIES):
            content, given = self._content()
            right = not self.acknowledged or checksum(content) == given.lower()
            if self.acknowledged:
                self._give(b"+" if right else b"-")
            if right:
                return unframed(content)
        raise BoardLostError(
            f"the debugger sent a damaged packet {_TRIES} times: the line to it is disturbed"
        )

    def _content(self) -> tuple[bytes, bytes]:
        """Between `$` and `#`, and the checksum; acknowledgements and notices are passed over."""
        while (start := self._left.find(b"$")) < 0:
            self._pass_over(len(self._left))
            self._take()
        self._pass_over(start)
        searched = 0
        while (end := self._left.find(b"#", searched)) < 0:
            searched = len(self._left)
            if searched > MOST_PACKET:
                raise BoardLostError(
                    f"the debugger sent {searched} bytes of a packet that does not end"
                )
            self._take()
        while len(self._left) < end + 3:
            self._take()
        content, given = bytes(self._left[1:end]), bytes(self._left[end + 1 : end + 3])
        del self._left[: end + 3]
        return content, given

    def interrupt(self) -> None:
        """Ask a running target to stop."""
        self._passed = 0
        self._give(b"\x03")

    def close(self) -> None:
        """Give the connection back; nothing is awaited."""
        self._transport.close()
