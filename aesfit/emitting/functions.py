# SPDX-License-Identifier: MIT
"""The functions of a drop-in and their call graph."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from .entries import Entry, identifiers
from .expressions import Token, code
from .statements import CStatement, body


@dataclass(frozen=True)
class Parameter:
    """A parameter of a definition: its name and position."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Invocation:
    """A call in `caller`: the positions of its arguments in that function's text."""

    caller: str
    arguments: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Definition:
    """A function's definition."""

    text: str
    name: str
    parameters: tuple[Parameter, ...]
    block: CStatement

    @cached_property
    def is_own(self) -> bool:
        """All its callers are in the drop-in, and its text shows how it uses its arguments.

        So it is neither a public function nor one written in assembly.
        """
        return not (self.name.startswith("aesfit_") or self.is_assembly)

    @cached_property
    def is_assembly(self) -> bool:
        """Its body takes its arguments from the ABI's registers (parts/compiler.h)."""
        return re.match(r"AESFIT_(ARM_)?ASSEMBLY\b", self.text) is not None

    @cached_property
    def inside(self) -> list[Token]:
        """Tokens of the body."""
        return [one for one in code(self.text) if one.start >= self.block.start]

    @cached_property
    def mentions(self) -> tuple[tuple[str, Invocation | None], ...]:
        """Names in the body in order, without member names; with their arguments if called.

        A name in a directive may be used in any way.
        """
        found, made = self.inside, list[tuple[str, Invocation | None]]()
        for at, token in enumerate(found):
            if token.kind == "directive":
                made += ((name, None) for name in identifiers(token.text))
            elif token.kind == "name" and found[at - 1].text not in (".", "->"):
                called = found[at + 1].text == "("
                made.append((token.text, self._invocation(at + 1) if called else None))
        return tuple(made)

    def _invocation(self, at: int) -> Invocation:
        """The call whose argument list opens at a bracket of the body."""
        pieces = split(self.inside[at + 1 : _closing(self.inside, at)])
        return Invocation(self.name, tuple((one[0].start, one[-1].end) for one in pieces))

    def reads(self, name: str) -> bool:
        """The body uses a parameter, beyond a cast to void."""
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
        """Nothing is assigned to a name, nor is its address taken.

        `begun`: it is a variable that its declaration initialises.
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
    """Parse a function definition; None for other text."""
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


def _opening(found: Sequence[Token], at: int) -> int:
    """The position of the bracket that the one at `at` closes."""
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


def split(found: Sequence[Token]) -> list[list[Token]]:
    """Split at the commas outside brackets, without empty pieces."""
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
    """Calls of each function; None if it is also used in another way, or by a macro."""
    known: dict[str, list[Invocation] | None] = {name: [] for name in made}
    for entry in found:
        inside = definition(entry.text)
        if inside is None:
            known.update(dict.fromkeys(entry.uses & known.keys()))
            continue
        for name, call in inside.mentions:
            if (listed := known.get(name)) is not None:
                if call is None:
                    known[name] = None
                else:
                    listed.append(call)
    return known


def _closing(found: list[Token], at: int) -> int:
    depth = 0
    for place in range(at, len(found)):
        depth += (found[place].text == "(") - (found[place].text == ")")
        if depth == 0:
            return place
    raise ValueError("a bracket is never closed")
