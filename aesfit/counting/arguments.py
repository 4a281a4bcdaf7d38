# SPDX-License-Identifier: MIT
"""Arguments of a counted function, as text: `int:5`, `hex:00ff`, `out:16`, `sym:f` and so on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_WORD_FORMS = "int:N, hex:BYTES, inout:BYTES, buf:SIZE, out:SIZE, file:PATH, same:K or sym:NAME"
FORMS = f"{_WORD_FORMS}, or struct:FORM,FORM.. of these and of (struct:FORM..)"
VARIED_FORMS = f"random:SIZE, chunk:SIZE:PATH, {FORMS}"
"""Forms for functions that are called with many inputs."""
LONGEST = 16 << 20
"""Maximum bytes of one buffer."""
LIMIT = 200_000_000
"""Default limit of instructions per call: some 20 seconds."""
ALIGNMENT = 8
"""Alignment of every buffer in bytes, enough for a double word in both calling conventions."""
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


@dataclass(frozen=True)
class Symbol:
    """The address of a function or of a variable of the program."""

    name: str


@dataclass(frozen=True)
class Struct:
    """A pointer to words; the buffers that they point to lie behind them."""

    words: "tuple[Number | Buffer | Same | Symbol | Struct, ...]"

    def layout(self) -> tuple[tuple[int, ...], int]:
        """Offset of what each word points to, 0 where that is elsewhere, and the bytes of all."""
        end, offsets = 4 * len(self.words), []
        for word in self.words:
            if isinstance(word, Buffer | Struct):
                end = -(-end // ALIGNMENT) * ALIGNMENT
                offsets.append(end)
                end += len(word.content) if isinstance(word, Buffer) else word.layout()[1]
            else:
                offsets.append(0)
        return tuple(offsets), end

    def printed(self) -> tuple[tuple[int, int], ...]:
        """Offset and bytes of its outputs."""
        found: list[tuple[int, int]] = []
        for word, offset in zip(self.words, self.layout()[0], strict=True):
            if isinstance(word, Buffer) and word.printed:
                found.append((offset, len(word.content)))
            elif isinstance(word, Struct):
                found += [(offset + at, size) for at, size in word.printed()]
        return tuple(found)


Argument = Number | Buffer | Same | Symbol | Struct
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


def outputs(arguments: Sequence[Argument]) -> dict[int, tuple[tuple[int, int], ...]]:
    """By position, what to print afterwards: offset and bytes of each piece.

    These are `out:` and `inout:`, also those of a struct, and buffers passed again by `same:`,
    because a function that gets a buffer twice works in place.
    """
    twice = {one.index for one in _words(arguments) if isinstance(one, Same)}
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for at, one in enumerate(arguments):
        if isinstance(one, Buffer) and (one.printed or at in twice):
            found[at] = ((0, len(one.content)),)
        elif isinstance(one, Struct) and one.printed():
            found[at] = one.printed()
    return found


def symbols(arguments: Sequence[VariedArgument]) -> tuple[str, ...]:
    """Names of the program that arguments refer to."""
    return tuple(one.name for one in _words(arguments) if isinstance(one, Symbol))


def _words(arguments: Sequence[VariedArgument]) -> Iterator[VariedArgument]:
    for one in arguments:
        yield from _words(one.words) if isinstance(one, Struct) else (one,)


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
        case "sym":
            return _symbol(text, value)
        case "struct":
            return _struct(value, before)
        case "random":
            return Drawn(_size(text, value))
        case "chunk":
            return _chunk(text, value)
    raise _no_argument(text, forms)


def _symbol(text: str, value: str) -> Symbol:
    if not re.fullmatch(r"[\w.$]+", value):
        raise ValueError(f"'{_shown(text)}' names nothing; give for example sym:my_callback")
    return Symbol(value)


def _struct(value: str, before: Sequence[VariedArgument]) -> Struct:
    words: list[Argument] = []
    for text in _split(value):
        if text.startswith("(struct:") and text.endswith(")"):
            words.append(_struct(text[len("(struct:") : -1], before))
            continue
        found = _one(text, before, _WORD_FORMS)
        if isinstance(found, Drawn | Struct):
            raise _no_argument(text, f"{_WORD_FORMS}, or a struct in parentheses")
        words.append(found)
    return Struct(tuple(words))


def _split(value: str) -> list[str]:
    """The words of a struct: commas within parentheses belong to a struct in it."""
    found, depth = [""], 0
    for letter in value:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


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
