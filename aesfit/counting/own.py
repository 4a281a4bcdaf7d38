# SPDX-License-Identifier: MIT
"""Parses a user's function that replaces a core: `my_aes.o:my_encrypt:key,in,out`.

The text names the files, the function that encrypts a block, what it gets in the order of its
arguments, and, where it needs one, the function that sets up its key with its own arguments.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .arguments import LONGEST

FORM = "FILE[,FILE..]:FUNCTION[:ARGUMENTS[:KEY-SET-UP:ARGUMENTS]]"
WORDS = "key, in, out, inout, context, context=BYTES, or a whole number"
_USUAL = ("key", "in", "out")
"""The default arguments."""
_HINT = (
    "for example my_aes.o:my_encrypt:key,in,out or "
    "my_aes.o:my_encrypt:context,in,out:my_setup:context=176,key"
)


@dataclass(frozen=True)
class Called:
    """A function with its arguments."""

    name: str
    arguments: tuple[str, ...]
    """Words of WORDS, without sizes; numbers are decimal."""

    @property
    def told(self) -> str:
        """The call in C syntax."""
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class OwnFunction:
    """Functions in a user's objects that encrypt like a core."""

    files: tuple[Path, ...]
    encrypt: Called
    setup: Called | None
    """None: the function expands the key itself, in each call."""
    context_bytes: int
    """Bytes of the context that key set-up fills and encryption reads; 0 without one."""

    @property
    def title(self) -> str:
        """The name of its row."""
        return f"{self.files[0].name}:{self.encrypt.name}"

    @property
    def told(self) -> str:
        """The calls that are made, in words."""
        before = f"{self.setup.told} before, " if self.setup else ""
        return f"{before}{self.encrypt.told} for each block"

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys; `core` is the name in the ranking."""
        return {
            "core": self.title,
            "files": [str(path) for path in self.files],
            "call": self.told,
            "context_bytes": self.context_bytes,
        }


def own_functions(texts: Sequence[str]) -> tuple[OwnFunction, ...]:
    """Parse several, whose names must differ; ValueError says what is wrong."""
    found = tuple(own_function(text) for text in texts)
    titles = [one.title for one in found]
    twice = next((name for name in titles if titles.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice} is given twice; rename one of the files, or leave one out")
    return found


def own_function(text: str) -> OwnFunction:
    """Parse one; ValueError says what is wrong and what is allowed."""
    parts = text.split(":")
    if len(parts) not in (2, 3, 5) or not all(parts):
        raise ValueError(f"'{text}' is not {FORM}; give {_HINT}")
    files = tuple(Path(one) for one in parts[0].split(","))
    sizes: list[int] = []
    encrypt = Called(parts[1], _words(parts[2], sizes) if len(parts) > 2 else _USUAL)
    setup = Called(parts[3], _words(parts[4], sizes)) if len(parts) == 5 else None
    _check_encrypt(encrypt)
    return OwnFunction(files, encrypt, setup, _context(encrypt, setup, sizes))


def _words(text: str, sizes: list[int]) -> tuple[str, ...]:
    """The arguments, and separately the sizes of contexts."""
    return tuple(_word(one, sizes) for one in text.split(","))


def _word(text: str, sizes: list[int]) -> str:
    if text in ("key", "in", "out", "inout", "context"):
        return text
    if size := re.fullmatch(r"context=([0-9]{1,9})", text):
        if not 0 < int(size[1]) <= LONGEST:
            raise ValueError(f"'{text}' has no size in bytes from 1 to {LONGEST}")
        sizes.append(int(size[1]))
        return "context"
    if re.fullmatch(r"[0-9]{1,10}|0[xX][0-9a-fA-F]{1,8}", text) and _number(text) < 2**32:
        return str(_number(text))
    raise ValueError(f"'{text}' is no argument of a function that encrypts a block; give {WORDS}")


def _number(text: str) -> int:
    return int(text, 16) if text[:2].lower() == "0x" else int(text)


def _check_encrypt(called: Called) -> None:
    given = called.arguments
    places = sorted(one for one in given if one in ("in", "out", "inout"))
    if places not in (["in", "out"], ["inout"]):
        raise ValueError(
            f"{called.told} has to get a block and a place for the result: give it in and out, or "
            "inout where it encrypts in place"
        )
    if "key" not in given and "context" not in given:
        raise ValueError(
            f"{called.told} gets no key; give it key, or context and the function that sets it up"
        )


def _context(encrypt: Called, setup: Called | None, sizes: Sequence[int]) -> int:
    """Bytes of the context; ValueError if it is missing, without a size or never filled."""
    if setup is None:
        if "context" in encrypt.arguments:
            raise ValueError(
                f"nothing fills the context of {encrypt.told}; name the function that does, {_HINT}"
            )
        return 0
    if not {"key", "context"} <= set(setup.arguments) or {"in", "out", "inout"} & set(
        setup.arguments
    ):
        raise ValueError(f"{setup.told} sets up a key; give it key and context, and no block")
    if "context" not in encrypt.arguments:
        raise ValueError(f"{encrypt.told} reads no context, so nothing uses {setup.told}")
    if len(set(sizes)) != 1:
        raise ValueError(
            f"say once how many bytes the context of {encrypt.name} has, such as context=176"
        )
    return sizes[0]
