# SPDX-License-Identifier: MIT
"""Functions of a drop-in and how they call one another."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from .entries import Entry, identifiers
from .expressions import Token, code
from .statements import CStatement, body


@dataclass(frozen=True)
class Parameter:
    """Of a definition: its name and place."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Invocation:
    """A call in `caller`: the places of its arguments in that function's text."""

    caller: str
    arguments: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Definition:
    """A function's definition."""

    text: str
    name: str
    parameters: tuple[Parameter, ...]
    block: CStatement

    @property
    def is_own(self) -> bool:
        """Its callers are all here, and its text says what it does with its arguments.

        It is neither a function of the library's interface nor one in assembly.
        """
        return not (self.name.startswith("aesfit_") or self.is_assembly)

    @property
    def is_assembly(self) -> bool:
        """Its body finds its arguments where the ABI has them (parts/compiler.h)."""
        return re.match(r"AESFIT_(ARM_)?ASSEMBLY\b", self.text) is not None

    @cached_property
    def inside(self) -> list[Token]:
        """Tokens of the body."""
        return [one for one in code(self.text) if one.start >= self.block.start]

    def reads(self, name: str) -> bool:
        """The body names a parameter, otherwise than to say that it is ignored."""
        found = self.inside
        return self.is_assembly or any(
            (one.kind == "directive" and name in identifiers(one.text))
            or (
                one.text == name
                and found[at - 1].text not in (".", "->")
                and [token.text for token in found[at - 3 : at]] != ["(", "void", ")"]
            )
            for at, one in enumerate(found)
        )

    def keeps(self, name: str, *, begun: bool = False) -> bool:
        """Nothing is assigned to a parameter, nor is its address taken.

        `begun`: it is a variable, which its declaration gives a value.
        """
        found = self.inside
        first = next((at for at, one in enumerate(found) if begun and one.text == name), -1)
        for at, token in enumerate(found):
            if token.kind == "directive" and name in identifiers(token.text):
                return False
            if token.text != name or at == first or found[at - 1].text in (".", "->"):
                continue
            before, after = found[at - 1].text, found[at + 1].text
            if after in ("=", "++", "--") or (
                after.endswith("=") and after[0] in "+-*/%&|^<>" and after not in ("<=", ">=")
            ):
                return False
            if before in ("++", "--") or (before == "&" and found[at - 2].text in ("(", ",", "=")):
                return False
        return True


@cache
def definition(text: str) -> Definition | None:
    """The definition that a text is; None where it is none."""
    if (block := body(text)) is None:
        return None
    head = [one for one in code(text) if one.end <= block.start]
    opening = _opening(head, len(head) - 1)
    parameters = tuple(
        Parameter(_named(piece), piece[0].start, piece[-1].end)
        for piece in split(head[opening + 1 : -1])
        if piece[-1].text != "void"
    )
    return Definition(text, head[opening - 1].text, parameters, block)


def _opening(found: list[Token], at: int) -> int:
    """The place of the bracket that the one at `at` closes."""
    depth = 0
    for place in range(at, -1, -1):
        depth += (found[place].text == ")") - (found[place].text == "(")
        if depth == 0:
            return place
    raise ValueError("a bracket is never opened")


def _named(piece: list[Token]) -> str:
    """The name in the declaration of a parameter."""
    until = next((at for at, one in enumerate(piece) if one.text == "["), len(piece))
    return piece[until - 1].text


def split(found: list[Token]) -> list[list[Token]]:
    """At the commas outside brackets; no empty pieces."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def calls(
    found: Iterable[Entry], made: Mapping[str, Definition]
) -> dict[str, list[Invocation] | None]:
    """Calls of each function; None where it is used in another way, or by a macro."""
    known: dict[str, list[Invocation] | None] = {name: [] for name in made}
    for entry in found:
        inside = definition(entry.text)
        if inside is None:
            known.update(dict.fromkeys(entry.uses & known.keys()))
            continue
        for name, call in _calls_in(inside, known.keys()):
            listed = known[name]
            if call is None:
                known[name] = None
            elif listed is not None:
                listed.append(call)
    return known


def _calls_in(caller: Definition, names: Iterable[str]) -> Iterator[tuple[str, Invocation | None]]:
    found = caller.inside
    wanted = frozenset(names)
    for at, token in enumerate(found):
        if token.kind == "directive":
            yield from ((name, None) for name in wanted & identifiers(token.text))
        if token.text not in wanted or found[at - 1].text in (".", "->"):
            continue
        if found[at + 1].text != "(":
            yield token.text, None
            continue
        closing = _closing(found, at + 1)
        pieces = split(found[at + 2 : closing])
        yield (
            token.text,
            Invocation(caller.name, tuple((one[0].start, one[-1].end) for one in pieces)),
        )


def _closing(found: list[Token], at: int) -> int:
    depth = 0
    for place in range(at, len(found)):
        depth += (found[place].text == "(") - (found[place].text == ")")
        if depth == 0:
            return place
    raise ValueError("a bracket is never closed")
