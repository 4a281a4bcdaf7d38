# SPDX-License-Identifier: MIT
"""Arguments of a masked function: secrets, shares of secrets, and random values.

`share:16:key` is a pointer to one share of the 16 secret bytes `key`, which are the XOR of all
arguments of that name; `share:key` is a word that is a share.  `random:8` points to fresh random
bytes, `random` is a random word.  `secret:16` and `secret` are secrets in one piece.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...counting.arguments import Argument, Buffer, parse

FORMS = (
    "share:SIZE:NAME, share:NAME, random:SIZE, random, secret:SIZE, secret, int:N, hex:BYTES, "
    "buf:SIZE, out:SIZE, inout:BYTES, file:PATH, same:K or sym:NAME"
)
Role = Literal["public", "secret", "random", "share"]
_SHARE = re.compile(r"share:(?:(0*[1-9][0-9]{0,8}):)?([A-Za-z_]\w*)")
_PUBLIC = ("int", "hex", "buf", "out", "inout", "file", "same", "sym")
_ROLES: tuple[Role, ...] = ("secret", "random")


@dataclass(frozen=True)
class SharedArgument:
    """One argument: what `aesfit count` would be given, and what its bytes are."""

    given: Argument
    role: Role = "public"
    name: str = ""
    """Of the secret, for a share."""

    @property
    def size(self) -> int:
        """Bytes; those of a word are 4."""
        return len(self.given.content) if isinstance(self.given, Buffer) else 4

    @property
    def is_word(self) -> bool:
        """It is passed as it is, and not by a pointer."""
        return not isinstance(self.given, Buffer)


def shared_arguments(texts: Sequence[str]) -> tuple[SharedArgument, ...]:
    """Parse arguments in order; ValueError says what is wrong and what is allowed."""
    heads = [_head(text) for text in texts]
    given = parse([stand_in for stand_in, _, _ in heads])
    found = tuple(
        SharedArgument(one, role, name) for one, (_, role, name) in zip(given, heads, strict=True)
    )
    _check(found)
    return found


def _head(text: str) -> tuple[str, Role, str]:
    """What `aesfit count` would be given, the role, and the name of a share."""
    share = _SHARE.fullmatch(text)
    if share:
        return (f"buf:{share[1]}" if share[1] else "int:0"), "share", share[2]
    for role in _ROLES:
        if text == role:
            return "int:0", role, ""
        if re.fullmatch(f"{role}:0*[1-9][0-9]*", text):
            return f"buf:{text.partition(':')[2]}", role, ""
    if text.partition(":")[0] not in _PUBLIC or ":" not in text:
        shown = text if len(text) <= 40 else text[:40] + "..."
        raise ValueError(f"'{shown}' is not an argument; give {FORMS}")
    return text, "public", ""


def _check(arguments: Sequence[SharedArgument]) -> None:
    """Every secret of shares has two or more of one size."""
    for name in dict.fromkeys(one.name for one in arguments if one.role == "share"):
        sizes = [one.size for one in arguments if one.name == name]
        if len(sizes) < 2:
            raise ValueError(f"the secret '{name}' has one share; give two or more of that name")
        if len(set(sizes)) > 1:
            raise ValueError(f"the shares of '{name}' have different sizes; give them one size")
