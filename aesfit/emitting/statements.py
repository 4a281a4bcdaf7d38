# SPDX-License-Identifier: MIT
"""C statements: parsed to a tree of positions in a function's text, and put in braces."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from .expressions import Token, code, tokens


@dataclass(frozen=True)
class CStatement:
    """A statement, from `start` to `end` of the function's text."""

    kind: str
    """"block", "if", "for", "while", "do", "switch", "simple", "return", "label", "directive"."""
    start: int
    end: int
    head: tuple[int, int] = (0, 0)
    """Positions between the brackets of if, for, while and switch."""
    bodies: tuple["CStatement", ...] = ()
    """For if: its two branches; for blocks: their statements."""

    def walk(self) -> Iterator["CStatement"]:
        """Itself and all statements inside."""
        yield self
        for one in self.bodies:
            yield from one.walk()


@cache
def body(text: str) -> CStatement | None:
    """The block of a function's definition; None for other declarations."""
    found = code(text)
    depth = 0
    for at, token in enumerate(found):
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "sign" else 0
        if token.kind == "directive" or (depth == 0 and token.text in (";", "=")):
            return None
        if token.text == "{":
            is_function = at > 0 and found[at - 1].text == ")"
            return _StatementReader(found, at).statement() if is_function else None
    return None


class _StatementReader:
    def __init__(self, found: Sequence[Token], at: int) -> None:
        self._tokens = found
        self._at = at

    def _next(self) -> str:
        return self._tokens[self._at].text

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def statement(self) -> CStatement:
        first = self._tokens[self._at]
        match first.text:
            case "{":
                return self._block()
            case "if":
                return self._if()
            case "for" | "while" | "switch":
                self._take()
                head = self._brackets()
                inner = self.statement()
                return CStatement(first.text, first.start, inner.end, head, (inner,))
            case "do":
                return self._do()
            case "case" | "default":
                while self._take().text != ":":
                    pass
                return CStatement("label", first.start, self._tokens[self._at - 1].end)
        macro = first.text.isupper() and self._tokens[self._at + 1].text in ("for", "while", "do")
        if first.kind == "directive" or macro:  # such as _Pragma, before a loop
            self._take()
            return CStatement("directive", first.start, first.end)
        return self._simple()

    def _block(self) -> CStatement:
        first = self._take()
        inside = []
        while self._next() != "}":
            inside.append(self.statement())
        return CStatement("block", first.start, self._take().end, (0, 0), tuple(inside))

    def _if(self) -> CStatement:
        first = self._take()
        head = self._brackets()
        bodies = [self.statement()]
        if self._at < len(self._tokens) and self._next() == "else":
            self._take()
            bodies.append(self.statement())
        return CStatement("if", first.start, bodies[-1].end, head, tuple(bodies))

    def _do(self) -> CStatement:
        first = self._take()
        inner = self.statement()
        self._take()
        head = self._brackets()
        return CStatement("do", first.start, self._take().end, head, (inner,))

    def _brackets(self) -> tuple[int, int]:
        """Positions of the text between the brackets that open here."""
        begin, depth = self._tokens[self._at].end, 0
        while True:
            token = self._take()
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                return begin, token.start

    def _simple(self) -> CStatement:
        first, depth = self._tokens[self._at], 0
        kind = "return" if first.text in ("return", "break", "continue") else "simple"
        while True:
            token = self._take()
            if token.kind == "sign":
                depth += (token.text in "([{") - (token.text in ")]}")
            macro_ends = first.text.isupper() and token.text == ")" and self._ends()
            if depth == 0 and (token.text == ";" or macro_ends):
                return CStatement(kind, first.start, token.end)

    def _ends(self) -> bool:
        """Whether another statement or the end of the block follows."""
        token = self._tokens[self._at]
        return token.kind == "directive" or token.text in (
            "}",
            "for",
            "while",
            "do",
            "if",
            "return",
        )


def indent(text: str, at: int) -> str:
    """The indentation of the line at a position."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip())]


def line_end(text: str, at: int) -> int:
    """The end of a statement's line, after a comment on it."""
    found = re.compile(r"[ \t]*/\*(?:(?!\*/).)*\*/(?=\n)", re.DOTALL).match(text, at)
    return found.end() if found else at


@cache
def braced(text: str) -> str:
    """A function with braces around every body of if, else, for, while and do."""
    block = body(text)
    if block is None:
        return text
    for one in reversed(list(block.walk())):  # inner positions come later
        for which, inner in reversed(list(enumerate(one.bodies))):
            chained = one.kind == "if" and which == 1 and inner.kind == "if"
            if one.kind in ("block", "switch") or inner.kind == "block" or chained:
                continue
            return braced(_one_braced(text, one, inner))
    return text


def _one_braced(text: str, outer: CStatement, inner: CStatement) -> str:
    before = [one for one in tokens(text) if one.end <= inner.start and one.kind != "comment"][-1]
    margin = indent(text, outer.start)
    between = text[before.end : inner.start]
    if "\n" not in between:
        between = f"\n{margin}    "
    end = line_end(text, inner.end)
    rest = text[end:]
    closing = f"\n{margin}}}"
    if re.match(r"\s*(else|while)\b", rest) and (outer.kind in ("if", "do")):
        follows = outer.kind == "do" or (inner is outer.bodies[0] and len(outer.bodies) > 1)
        rest = f" {rest.lstrip()}" if follows else rest
    return text[: before.end] + " {" + between + text[inner.start : end] + closing + rest
