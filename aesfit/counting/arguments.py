# SPDX-License-Identifier: MIT
"""Arguments of a counted function, as text: `int:5`, `hex:00ff`, `buf:64`, `out:16` and so on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FORMS = "int:N, hex:BYTES, inout:BYTES, buf:SIZE, out:SIZE, file:PATH or same:K"
VARIED_FORMS = f"random:SIZE, chunk:SIZE:PATH, {FORMS}"
"""Forms for functions that are called with many inputs."""
LONGEST = 16 << 20
"""Maximum bytes of one buffer."""
LIMIT = 200_000_000
"""Default limit of instructions per call: some 20 seconds."""
_WORDS = range(-(2**31), 2**32)


@dataclass(frozen=True)
class Number:
    """A 32-bit value."""

    value: int


@dataclass(frozen=True)
class Buffer:
    """A pointer to a buffer of its own."""

    content: bytes
    printed: bool = False
    """It is an output."""


@dataclass(frozen=True)
class Same:
    """The pointer of another argument."""

    index: int
    """Position in the list, from 0."""


@dataclass(frozen=True)
class Drawn:
    """A pointer to a buffer that gets new bytes for each call."""

    size: int
    source: bytes | None = None
    """Bytes from which chunks are drawn; None: random bytes."""


Argument = Number | Buffer | Same
VariedArgument = Argument | Drawn


def parse(texts: Sequence[str]) -> tuple[Argument, ...]:
    """Parse arguments in order; ValueError says what is wrong and what is allowed."""
    arguments: list[Argument] = []
    for text in texts:
        found = _one(text, arguments, FORMS)
        if isinstance(found, Drawn):
            raise _no_argument(text, FORMS)
        arguments.append(found)
    return tuple(arguments)


def parse_varied(texts: Sequence[str]) -> tuple[VariedArgument, ...]:
    """Parse arguments of which some may change from call to call."""
    arguments: list[VariedArgument] = []
    for text in texts:
        arguments.append(_one(text, arguments, VARIED_FORMS))
    return tuple(arguments)


def outputs(arguments: Sequence[Argument]) -> tuple[int, ...]:
    """Positions of the buffers to print afterwards.

    These are `out:` and `inout:`, and buffers passed again by `same:`, because a function that gets
    a buffer twice works in place.
    """
    twice = {one.index for one in arguments if isinstance(one, Same)}
    return tuple(
        at
        for at, one in enumerate(arguments)
        if isinstance(one, Buffer) and (one.printed or at in twice)
    )


def _one(text: str, before: Sequence[VariedArgument], forms: str) -> VariedArgument:
    kind, colon, value = text.partition(":")
    match kind if colon else "":
        case "int":
            return Number(_number(text, value))
        case "hex":
            return Buffer(_bytes(text, value))
        case "inout":
            return Buffer(_bytes(text, value), printed=True)
        case "buf":
            return Buffer(bytes(_size(text, value)))
        case "out":
            return Buffer(bytes(_size(text, value)), printed=True)
        case "file":
            return Buffer(_file(text, value))
        case "same":
            return _same(text, value, before)
        case "random":
            return Drawn(_size(text, value))
        case "chunk":
            return _chunk(text, value)
    raise _no_argument(text, forms)


def _no_argument(text: str, forms: str) -> ValueError:
    return ValueError(f"'{_shown(text)}' is not an argument; give {forms}")


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def _number(text: str, value: str) -> int:
    try:
        number = int(value, 0)
    except ValueError:
        raise ValueError(
            f"'{_shown(text)}' is no whole number; give int:5, int:-1 or int:0xff"
        ) from None
    if number not in _WORDS:
        raise ValueError(
            f"'{_shown(text)}' does not fit 32 bits; give two arguments, low word first"
        )
    return number & 0xFFFFFFFF


def _bytes(text: str, value: str) -> bytes:
    if not re.fullmatch(r"([0-9a-fA-F]{2})+", value):
        raise ValueError(
            f"'{_shown(text)}' is not whole bytes in hex; give for example "
            f"{text.partition(':')[0]}:00ff"
        )
    return bytes.fromhex(value)


def _size(text: str, value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", value) or not 0 < int(value) <= LONGEST:
        raise ValueError(
            f"'{_shown(text)}' has no size in bytes from 1 to {LONGEST}; give for example "
            f"{text.partition(':')[0]}:64"
        )
    return int(value)


def _file(text: str, value: str) -> bytes:
    path = Path(value)
    if not path.is_file():
        raise ValueError(f"'{_shown(text)}': there is no file {value}")
    if not 0 < path.stat().st_size <= LONGEST:
        raise ValueError(f"{value} is empty or longer than {LONGEST} bytes")
    return path.read_bytes()


def _chunk(text: str, value: str) -> Drawn:
    size, colon, path = value.partition(":")
    if not colon:
        raise ValueError(f"'{_shown(text)}' names no file; give for example chunk:64:messages.bin")
    drawn = Drawn(_size(text, size), _file(text, path))
    if len(drawn.source or b"") <= drawn.size:
        raise ValueError(f"{path} holds no two chunks of {drawn.size} bytes; give a longer file")
    return drawn


def _same(text: str, value: str, before: Sequence[VariedArgument]) -> Same:
    index = int(value) - 1 if re.fullmatch(r"[0-9]{1,2}", value) else -1
    if not 0 <= index < len(before):
        raise ValueError(
            f"'{_shown(text)}' does not name an argument before it; the first one is same:1"
        )
    target = before[index]
    if isinstance(target, Same):
        return target
    if isinstance(target, Number):
        raise ValueError(f"'{_shown(text)}': argument {value} is a number, not a pointer")
    return Same(index)
