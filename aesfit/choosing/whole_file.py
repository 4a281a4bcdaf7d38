# SPDX-License-Identifier: MIT
"""A whole file split into messages, and its cost."""

from dataclasses import dataclass
from math import ceil

from ..catalog import MODES
from ..jobs.job import Row
from ..units import count, scaled, seconds
from .ranking import Candidate
from .request import BLOCK, Request


@dataclass(frozen=True)
class FileTotal:
    """What a whole file costs with the winner."""

    name: str
    message_bytes: int
    messages: int
    """Number of messages of full length."""
    last_bytes: int
    """Payload of a shorter message at the end; 0 if there is none."""
    left_out: int
    """Bytes at the end that the mode cannot take as a message."""
    cycles: float


def file_cycles(
    winner: Candidate, messages: int, last: Row | None, messages_per_key: int | None
) -> float:
    """Cycles of full messages and a last shorter one, with the key set-ups charged to them."""
    share = winner.setup_cycles / messages_per_key if messages_per_key else 0.0
    keys = setups(messages + (last is not None), messages_per_key)
    whole = messages * (winner.row.cycles - share) + keys * winner.setup_cycles
    return whole + (last.cycles if last else 0)


def file_sentence(total: FileTotal, clock: float | None) -> str:
    """One sentence on the whole file."""
    parts = []
    if total.messages:
        parts.append(f"{_plural(total.messages, 'message')} of {total.message_bytes} bytes")
    if total.last_bytes:
        parts.append(f"one of {total.last_bytes}")
    sentence = f"{total.name}: {' and '.join(parts)}: {count(round(total.cycles))} cycles"
    if clock:
        sentence += f", {seconds(total.cycles / clock)} at {scaled(clock, 'Hz')}"
    if total.left_out:
        sentence += f"; the last {_plural(total.left_out, 'byte')} left out"
    return f"{sentence}."


def pieces(request: Request, size: int) -> tuple[int, int, int]:
    """Split a file of `size` bytes by cut(); ValueError if it is too small for a message."""
    if request.mode == BLOCK:
        raise ValueError(
            f"a file is split into messages of a mode of operation; name one, not {request.mode}"
        )
    shape = MODES[request.mode]
    found = cut(size, request.bytes, shape.multiple, shape.least)
    if not any(found[:2]):
        raise ValueError(f"the file is {size} bytes, too few for {request.mode}")
    return found


def setups(messages: int, messages_per_key: int | None) -> int:
    """Key set-ups charged to so many messages."""
    return ceil(messages / messages_per_key) if messages_per_key else 0


def cut(size: int, message: int, multiple: int, least: int) -> tuple[int, int, int]:
    """Split `size` bytes: number of full messages, bytes of the last, bytes left out.

    The mode takes multiples of `multiple` bytes, at least `least`.
    """
    full, rest = divmod(size, message)
    last = rest - rest % multiple
    if last < least:
        last = 0
    return full, last, rest - last


def _plural(number: int, what: str) -> str:
    return f"{count(number)} {what}{'s' if number != 1 else ''}"
