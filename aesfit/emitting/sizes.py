# SPDX-License-Identifier: MIT
"""Reduces lists of key sizes, rounds or errors in comments to those of a drop-in."""

import re
from collections.abc import Collection

from .choice import DropInChoice

_STATUS = re.compile(r"typedef enum aesfit_status \{\n(.*?)\n\}", re.DOTALL)


def sized(text: str, choice: DropInChoice) -> str:
    """`text` with only the choice's sizes where the library lists all three."""
    words = [bits // 32 for bits in choice.key_bits]
    bytes_ = [4 * one for one in words]
    pairs = [2 * one for one in bytes_] if "xts" in choice.modes else []
    text = text.replace("16, 24 or 32", _listed(bytes_))
    text = text.replace(" (XTS: 32 or 64)", f" (XTS: {_listed(pairs)})" if pairs else "")
    text = re.sub(r"\b10, 12, 14\b", ", ".join(str(one + 6) for one in words), text)
    text = re.sub(r"\b4, 6, 8\b", ", ".join(map(str, words)), text)
    return _of_xts(text, pairs)


def _of_xts(text: str, pairs: list[int]) -> str:
    """The two sizes of XTS's double keys."""
    if len(pairs) != 1:
        return text
    bits = 4 * pairs[0]
    return text.replace("32 (AES-128) or 64 (AES-256)", f"{pairs[0]} (AES-{bits})")


def _listed(numbers: list[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def with_errors(text: str, used: Collection[str]) -> str:
    """Keep only the `used` statuses in their list; other text is returned unchanged."""
    found = _STATUS.match(text)
    if found is None:
        return text
    lines = [line for line in found[1].split("\n") if _name(line) in used]
    lines[-1] = re.sub(r"(= -?\d+),", r"\1 ", lines[-1]).rstrip()
    return text[: found.start(1)] + "\n".join(lines) + text[found.end(1) :]


def statuses(text: str) -> frozenset[str]:
    """Names in the list of statuses; none for other text."""
    found = _STATUS.match(text)
    return frozenset(map(_name, found[1].split("\n"))) if found else frozenset()


def _name(line: str) -> str:
    return line.split()[0]
