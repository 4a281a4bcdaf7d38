# SPDX-License-Identifier: MIT
"""What answers of a debugger's server mean, and in which words they are shown.

A server may answer anything, so nothing is taken for granted here.
Source: the GDB manual, appendix E, "Packets", "Stop Reply Packets" and "General Query Packets".
"""

import re
import sys

from .transport import BoardLostError

LEAST_PACKET = 64
"""Bytes of a packet below which a server is refused: a packet with a register must fit."""
_USUAL_PACKET = 256
"""Bytes of a packet where the server says nothing: every server takes as many."""
_LARGEST_PACKET = 1 << 16
"""Bytes of a packet that is used, also where a server offers more."""
_SHOWN = 80
"""Characters of an answer that a sentence quotes."""
_STOP = re.compile(rb"[ST][0-9a-fA-F]{2}")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]+")


def data_of(answer: bytes) -> bytes:
    """Of hexadecimal digits; none for an error or for anything else."""
    try:
        return bytes.fromhex(answer.decode("ascii"))
    except ValueError:
        return b""


def told(answer: bytes) -> str:
    """An answer in a sentence: the text of `E.text`, else what was sent."""
    if not answer:
        return "it does not know the packet"
    if answer.startswith(b"E."):
        return f"it says: {printable(answer[2:])}"
    return f"'{printable(answer)}'"


def printable(text: bytes) -> str:
    """Text of a server on one line, without what would steer a terminal."""
    plain = _UNPRINTABLE.sub(" ", text.decode("ascii", "replace")).strip()
    return plain if len(plain) <= _SHOWN else plain[:_SHOWN] + " ..."


def packet_bytes(features: dict[str, str]) -> int:
    """How long a packet may be by the answer to qSupported; BoardLostError for nonsense."""
    given = features.get("PacketSize")
    if given is None:
        return _USUAL_PACKET
    try:
        size = int(given, 16)
    except ValueError:
        raise BoardLostError(
            f"the debugger says that its packets hold '{printable(given.encode())}' bytes, which "
            "is no hexadecimal number"
        ) from None
    if size < LEAST_PACKET:
        raise BoardLostError(
            f"the debugger says that its packets hold {size} bytes, which is too small; "
            f"{LEAST_PACKET} are needed"
        )
    return min(size, _LARGEST_PACKET)


def is_stop(answer: bytes) -> bool:
    """Whether it says that a target has stopped."""
    return _STOP.match(answer) is not None


def stop_signal(answer: bytes) -> int | None:
    """The signal of a stop; None where the target has ended; BoardLostError for anything else."""
    if answer[:1] in (b"W", b"X"):
        return None
    if is_stop(answer):
        return int(answer[1:3], 16)
    if answer[:1] in (b"S", b"T"):
        raise BoardLostError(
            f"the debugger reports a stop whose signal is no number ({told(answer)})"
        )
    raise BoardLostError(f"what listens there does not answer as a debugger does ({told(answer)})")


def is_text(answer: bytes) -> bool:
    """Whether it is text for a console, which may come before any answer."""
    return answer[:1] == b"O" and answer != b"OK"


def show(answer: bytes) -> None:
    """Print text for a console."""
    for line in data_of(answer[1:]).splitlines():
        if line.strip():
            sys.stderr.write(f"debugger: {printable(line)}\n")
