# SPDX-License-Identifier: MIT
"""Trims comments: drops clauses about names that a drop-in does not contain."""

import re
import textwrap
from collections.abc import Callable

_WIDTH = 100
_COMMENT = re.compile(r"(?P<gap>[ \t]*)/\*(?P<text>.*?)\*/", re.DOTALL)
_CLAUSE = re.compile(r"(?<=[.;])\s+")
_LABEL = re.compile(r"[A-Z][\w -]*:(?:\s|$)")
_NAMED = re.compile(r"\b(?:aesfit_\w+|AESFIT_\w+|\w+(?=\(\))|(?:lib|tests)/)")

Absent = Callable[[str], bool]
"""Whether this name, function or path is missing from the drop-in."""


def trimmed(text: str, absent: Absent) -> str:
    """`text` with its comments trimmed; a comment with nothing left is removed."""

    def one(found: re.Match[str]) -> str:
        gap, inner = found["gap"], found["text"]
        if not any(map(absent, _NAMED.findall(inner))):
            return found[0]
        left = _block(inner, absent) if "\n" in inner else _clauses(inner.strip(), absent)
        return f"{gap}/* {left} */" if left else ""

    return _COMMENT.sub(one, text)


def _clauses(text: str, absent: Absent) -> str:
    """Sentences on one line, without the clauses that name something absent."""
    made, dropped = "", False
    for clause in _CLAUSE.split(text):
        before, dropped = dropped, any(map(absent, _NAMED.findall(clause)))
        if dropped:
            continue
        if before:  # the sentence before ends there, and this begins a new one
            made = re.sub(r";$", ".", made)
            clause = clause[0].upper() + clause[1:] if text[0].isupper() else clause
        made += ("  " if made.endswith(".") else " " if made else "") + clause
    return re.sub(r";$", "." if text.endswith(".") else "", made) if dropped else made


def _block(inner: str, absent: Absent) -> str:
    """The inside of a multi-line comment; only paragraphs that lose clauses are wrapped again."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in inner.strip().split("\n")]
    pieces: list[list[str]] = [[]]
    for line in lines:
        if not line or _LABEL.match(line):
            pieces.append([])
        pieces[-1].append(line)
    made: list[str] = []
    for piece in pieces:
        joined = " ".join(piece)
        if any(map(absent, _NAMED.findall(joined))):
            left = _clauses(joined.strip(), absent)
            broken = textwrap.wrap(left, _WIDTH - 3, fix_sentence_endings=True)
            made += ([""] if piece[0] == "" and broken else []) + broken
        else:
            made += piece
    text = "\n".join(made).strip("\n")
    return re.sub(r"\n(?!$)", "\n * ", text).replace(" * \n", " *\n")
