# SPDX-License-Identifier: MIT
"""Arguments of a function whose timing is examined: the words of `aesfit count`, and secrets.

`secret:32` is a pointer to secret bytes, `secret` a secret word.  `struct:...` is that of count:
words, some of which point to buffers.  `struct(...)` has its parts inside, one behind the other; in
it `*` makes a pointer of the part behind it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap

from ...counting.arguments import LONGEST, Argument, Buffer, Number, Same, Symbol, parse

FORMS = (
    "secret:SIZE, secret, a number, hex:BYTES, inout:BYTES, buf:SIZE, out:SIZE, file:PATH, same:K, "
    "sym:NAME, struct:FORM,FORM.. or struct(PART,*PART..)"
)
_WORD = 4
"""Bytes of a word and of a pointer."""
_COUNTED = ("int", "hex", "inout", "buf", "out", "file", "same", "sym")
_WORDS = ("int", "sym")
"""Those of them that are words themselves, and no pointers to bytes."""
_NUMBER = re.compile(r"-?[0-9]+|0[xX][0-9a-fA-F]+")


@dataclass(frozen=True)
class MemoryPart:
    """Bytes that lie one behind the other."""

    content: bytes
    secret: bool = False
    target: tuple["MemoryPart", ...] | None = None
    """It is a pointer to these; its content says nothing."""
    symbol: str = ""
    """It is the address of this function or variable; its content says nothing."""


@dataclass(frozen=True)
class FunctionArgument:
    """One argument: a word, or a pointer."""

    word: int = 0
    secret: bool = False
    """The word is secret."""
    target: tuple[MemoryPart, ...] | None = None
    """It is a pointer to these."""
    same: int | None = None
    """It is the pointer of the argument at this position, from 0."""
    symbol: str = ""
    """It is the address of this function or variable."""


def symbols(arguments: Sequence[FunctionArgument]) -> tuple[str, ...]:
    """Names of the program that arguments refer to."""
    inside = [name for one in arguments for name in _named(one.target or ())]
    return (*(one.symbol for one in arguments if one.symbol), *inside)


def _named(parts: Sequence[MemoryPart]) -> list[str]:
    found = [one.symbol for one in parts if one.symbol]
    return found + [name for one in parts for name in _named(one.target or ())]


def arguments_of(texts: Sequence[str]) -> tuple[FunctionArgument, ...]:
    """Parse arguments in order; ValueError says what is wrong and what is allowed."""
    texts = [_in_brackets(text.strip()) for text in texts]
    given = parse([_stand_in(text) for text in texts])
    return tuple(starmap(_argument, zip(texts, given, strict=True)))


def _in_brackets(text: str) -> str:
    """A struct of count's as one whose parts lie in it: what is no word is a pointer there."""
    if not text.startswith("struct:"):
        return text
    parts = _apart(text.removeprefix("struct:"))
    plain = [one == "secret" or _NUMBER.fullmatch(one) for one in parts]
    words = [at or one.partition(":")[0] in _WORDS for at, one in zip(plain, parts, strict=True)]
    told = [one if word else f"*{one}" for word, one in zip(words, parts, strict=True)]
    return f"struct({','.join(told)})"


def _stand_in(text: str) -> str:
    """What `aesfit count` would be given: so it checks numbers, sizes and files."""
    if text == "secret" or _NUMBER.fullmatch(text):
        return f"int:{0 if text == 'secret' else text}"
    if text.startswith("struct(") and text.endswith(")"):
        return f"buf:{max(1, _size(_parts(text)))}"
    kind, colon, value = text.partition(":")
    if colon and kind == "secret":
        return f"buf:{value}"
    if not colon or kind not in _COUNTED:
        shown = text if len(text) <= 40 else text[:40] + "..."
        raise ValueError(f"'{shown}' is not an argument; give {FORMS}")
    return text


def _argument(text: str, one: Argument) -> FunctionArgument:
    if isinstance(one, Number):
        return FunctionArgument(one.value, secret=text == "secret")
    if isinstance(one, Same):
        return FunctionArgument(same=one.index)
    if isinstance(one, Symbol):
        return FunctionArgument(symbol=one.name)
    assert isinstance(one, Buffer)  # noqa: S101 - _in_brackets() left no other
    if text.startswith("struct("):
        return FunctionArgument(target=_parts(text))
    return FunctionArgument(target=(MemoryPart(one.content, text.startswith("secret:")),))


def _parts(text: str) -> tuple[MemoryPart, ...]:
    """The parts of `struct(...)`."""
    found: list[MemoryPart] = []
    for one in _apart(text[len("struct(") : -1]):
        if one.startswith("*"):
            found.append(MemoryPart(bytes(_WORD), target=_pointed_at(one[1:])))
        elif one.startswith("struct(") and one.endswith(")"):
            found += _parts(one)
        else:
            found.append(_part(one))
    if _size(found) > LONGEST:
        raise ValueError(f"a struct has at most {LONGEST} bytes")
    return tuple(found)


def _pointed_at(text: str) -> tuple[MemoryPart, ...]:
    text = text.strip()
    return _parts(text) if text.startswith("struct(") and text.endswith(")") else (_part(text),)


def _part(text: str) -> MemoryPart:
    """One part that is no pointer."""
    (one,) = parse([_stand_in(text)])
    if isinstance(one, Number):
        return MemoryPart(one.value.to_bytes(_WORD, "little"), secret=text == "secret")
    if isinstance(one, Symbol):
        return MemoryPart(bytes(_WORD), symbol=one.name)
    assert isinstance(one, Buffer)  # noqa: S101 - same: has nothing before it, and is refused
    return MemoryPart(one.content, text.startswith("secret:"))


def _apart(text: str) -> list[str]:
    """Split at the commas that no bracket holds."""
    found, depth = [""], 0
    for one in text:
        depth += (one == "(") - (one == ")")
        if one == "," and depth == 0:
            found.append("")
        else:
            found[-1] += one
    if depth:
        raise ValueError(f"'struct({text})' has brackets that do not match")
    return [one.strip() for one in found]


def _size(parts: Sequence[MemoryPart]) -> int:
    return sum(len(one.content) for one in parts)
