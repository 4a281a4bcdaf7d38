# SPDX-License-Identifier: MIT
"""C expressions: parsed to a tree, evaluated as far as known, and simplified."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

_TOKEN = re.compile(
    r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\\])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_TYPE = re.compile(r"(?:const|volatile|unsigned|signed|int|char|void|long|short|\w+_t|__m\d+i)\Z")
_BINDING = (
    *(("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=")),
    *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
)
"""Binary operators, the lowest precedence first (C11, 6.5.5 to 6.5.14)."""
_COMPUTED: Mapping[str, Callable[[int, int], int]] = {
    **{"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt},
    **{"<=": operator.le, ">=": operator.ge, "|": operator.or_, "^": operator.xor},
    **{"&": operator.and_, "+": operator.add, "-": operator.sub, "*": operator.mul},
}
_ZERO_OR_ONE = ("==", "!=", "<", ">", "<=", ">=", "&&", "||")


@dataclass(frozen=True)
class Token:
    """One token of C, a comment or a directive."""

    kind: str
    text: str
    start: int
    end: int


@cache
def tokens(text: str) -> tuple[Token, ...]:
    """Tokens of a text, including comments and directives."""
    return tuple(
        Token(str(one.lastgroup), one[0], one.start(), one.end()) for one in _TOKEN.finditer(text)
    )


@cache
def code(text: str) -> tuple[Token, ...]:
    """Tokens without comments."""
    return tuple(one for one in tokens(text) if one.kind != "comment")


@dataclass(frozen=True)
class Expression:
    """A node: an operator ("&&", "?:", "call", "cast", "group" ...) over its parts."""

    kind: str
    start: int
    end: int
    parts: tuple["Expression", ...] = ()
    text: str = ""
    """Name, number, or the sign of a unary operator."""

    def walk(self) -> Iterator["Expression"]:
        """Itself and all nodes below."""
        yield self
        for part in self.parts:
            yield from part.walk()


class NotAnExpressionError(Exception):
    """A text is not an expression, but for example a declaration."""


@cache
def parsed(text: str) -> Expression:
    """Parse an expression to a tree; NotAnExpressionError for other text."""
    reader = _ExpressionReader(code(text))
    tree = reader.assignment()
    if reader.left():
        raise NotAnExpressionError(text)
    return tree


class _ExpressionReader:
    """A parser by recursive descent."""

    def __init__(self, found: Sequence[Token]) -> None:
        self._tokens = found
        self._at = 0

    def left(self) -> str:
        """The text of the next token; empty at the end."""
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> Token:
        if self._at == len(self._tokens) or wanted not in ("", self.left()):
            raise NotAnExpressionError(f"{wanted} instead of {self.left()}")
        self._at += 1
        return self._tokens[self._at - 1]

    def assignment(self) -> Expression:
        left = self._ternary()
        if re.fullmatch(r"(?:[-+*/%&|^]|<<|>>)?=", self.left()):
            self._take()
            right = self.assignment()
            return Expression("=", left.start, right.end, (left, right))
        return left

    def _ternary(self) -> Expression:
        condition = self._binary(0)
        if self.left() != "?":
            return condition
        self._take()
        yes = self.assignment()
        self._take(":")
        no = self._ternary()
        return Expression("?:", condition.start, no.end, (condition, yes, no))

    def _binary(self, level: int) -> Expression:
        if level == len(_BINDING):
            return self._unary()
        left = self._binary(level + 1)
        while self.left() in _BINDING[level]:
            sign = self._take().text
            right = self._binary(level + 1)
            left = Expression(sign, left.start, right.end, (left, right))
        return left

    def _unary(self) -> Expression:
        if self.left() in ("!", "~", "-", "+", "*", "&", "++", "--"):
            sign = self._take()
            inner = self._unary()
            return Expression("unary", sign.start, inner.end, (inner,), sign.text)
        if self.left() == "(" and (closing := self._cast()):
            begin = self._tokens[self._at].start
            self._at = closing + 1
            inner = self._unary()
            return Expression("cast", begin, inner.end, (inner,))
        return self._postfix()

    def _cast(self) -> int:
        """The position of the bracket that ends a type; 0 if the next bracket holds no type."""
        at = self._at + 1
        while at < len(self._tokens) and (
            _TYPE.match(self._tokens[at].text)
            or (self._tokens[at].text == "*" and at > self._at + 1)
        ):
            at += 1
        ends = at > self._at + 1 and at < len(self._tokens) and self._tokens[at].text == ")"
        return at if ends else 0

    def _postfix(self) -> Expression:
        made = self._primary()
        while self.left() in ("(", "[", ".", "->", "++", "--"):
            sign = self._take()
            if sign.text in ("(", "["):
                closing = ")" if sign.text == "(" else "]"
                parts = [made]
                while self.left() != closing:
                    parts.append(self.assignment())
                    if self.left() != closing:
                        self._take(",")
                end = self._take(closing).end
                kind = "call" if closing == ")" else "index"
                made = Expression(kind, made.start, end, tuple(parts))
            elif sign.text in (".", "->"):
                name = self._take()
                made = Expression("member", made.start, name.end, (made,), name.text)
            else:
                made = Expression("=", made.start, sign.end, (made,))
        return made

    def _primary(self) -> Expression:
        first = self._take()
        if first.text == "(":
            inner = self.assignment()
            return Expression("group", first.start, self._take(")").end, (inner,))
        if first.text == "sizeof":
            return self._size_of(first)
        if first.kind in ("name", "number", "string"):
            return Expression(first.kind, first.start, first.end, (), first.text)
        raise NotAnExpressionError(first.text)

    def _size_of(self, first: Token) -> Expression:
        if self.left() == "(" and (closing := self._cast()):
            self._at = closing + 1
            return Expression("sizeof", first.start, self._tokens[closing].end)
        return Expression("sizeof", first.start, self._unary().end)


NOT_NULL = 1
"""The address of a function, which is only ever compared with NULL."""


@dataclass(frozen=True)
class KnownValues:
    """What is known at the place of an expression."""

    names: Mapping[str, int]
    """Constants, macros, and parameters that have one value in every call."""
    members: Mapping[str, int] = field(default_factory=dict)
    """Structure members that always hold the same value."""
    functions: Mapping[str, int] = field(default_factory=dict)
    """Functions that only return this value."""
    macros: Mapping[str, tuple[tuple[str, ...], Expression]] = field(default_factory=dict)
    """Parameters and body of macros that are expressions."""
    harmless: frozenset[str] = frozenset()
    """Functions that only compute a value."""

    def value(self, tree: Expression) -> int | None:
        """The value of an expression; None if it is not known."""
        match tree.kind:
            case "number":
                return int(tree.text.rstrip("uUlL"), 0)
            case "name":
                return 0 if tree.text == "NULL" else self.names.get(tree.text)
            case "member":
                return self.members.get(tree.text)
            case "group" | "cast":
                return self.value(tree.parts[0])
            case "unary":
                value = self.value(tree.parts[0])
                return int(not value) if tree.text == "!" and value is not None else None
            case "call":
                return self._called(tree)
            case "?:":
                condition = self.value(tree.parts[0])
                return None if condition is None else self.value(tree.parts[1 if condition else 2])
        return self._combined(tree)

    def _combined(self, tree: Expression) -> int | None:
        if tree.kind in ("&&", "||"):
            left, right = map(self.value, tree.parts)
            ending = int(tree.kind == "||")
            if ending in (
                None if left is None else int(bool(left)),
                None if right is None else int(bool(right)),
            ):
                return ending
            return None if left is None or right is None else 1 - ending
        if tree.kind not in _COMPUTED:
            return None
        left, right = map(self.value, tree.parts)
        return None if left is None or right is None else int(_COMPUTED[tree.kind](left, right))

    def _called(self, tree: Expression) -> int | None:
        name = tree.parts[0].text
        if name in self.functions:
            return self.functions[name]
        if name not in self.macros:
            return None
        parameters, body = self.macros[name]
        values = {
            one: value
            for one, part in zip(parameters, tree.parts[1:], strict=True)
            if (value := self.value(part)) is not None
        }
        return replace(self, names={**self.names, **values}).value(body)

    def pure(self, tree: Expression) -> bool:
        """Evaluating it has no side effects."""
        return not any(
            one.kind == "=" or (one.kind == "unary" and one.text in ("++", "--"))
            or (one.kind == "call" and one.parts[0].text not in self.harmless
                and self.value(one) is None)
            for one in tree.walk()
        )  # fmt: skip


def shortened(text: str, known: KnownValues, *, condition: bool) -> str:
    """The expression without decided operands; `condition`: only its truth value matters."""
    tree = parsed(text)
    return _Shortening(text, known).of(tree, condition=condition)


class _Shortening:
    def __init__(self, text: str, known: KnownValues) -> None:
        self._text = text
        self._known = known

    def of(self, tree: Expression, *, condition: bool) -> str:
        if condition and (value := self._decided(tree)) is not None:
            return str(int(bool(value)))
        match tree.kind:
            case "&&" | "||":
                return self._logical(tree, condition=condition)
            case "?:":
                return self._chosen(tree, condition=condition)
            case "group":
                return self._grouped(tree, condition=condition)
        conditions = condition and tree.kind == "unary" and tree.text == "!"
        return self._spliced(tree, [self.of(one, condition=conditions) for one in tree.parts])

    def _decided(self, tree: Expression) -> int | None:
        return self._known.value(tree) if self._known.pure(tree) else None

    def _spliced(self, tree: Expression, parts: list[str]) -> str:
        made, at = "", tree.start
        for part, text in zip(tree.parts, parts, strict=True):
            made += self._text[at : part.start] + text
            at = part.end
        return made + self._text[at : tree.end]

    def _logical(self, tree: Expression, *, condition: bool) -> str:
        """Drop an operand that does not change the value."""
        left, right = tree.parts
        neutral = tree.kind == "&&"
        for one, other in ((left, right), (right, left)):
            value = self._decided(one)
            if value is None or bool(value) != neutral:
                continue
            if condition or _is_zero_or_one(other):
                return self.of(other, condition=True)
        return self._spliced(tree, [self.of(one, condition=True) for one in tree.parts])

    def _chosen(self, tree: Expression, *, condition: bool) -> str:
        value = self._decided(tree.parts[0])
        if value is not None:
            return self.of(tree.parts[1 if value else 2], condition=condition)
        texts = [self.of(one, condition=at == 0) for at, one in enumerate(tree.parts)]
        return self._spliced(tree, texts)

    def _grouped(self, tree: Expression, *, condition: bool) -> str:
        inner = self.of(tree.parts[0], condition=condition)
        if inner == self._text[tree.parts[0].start : tree.parts[0].end]:
            return self._text[tree.start : tree.end]
        loose = parsed(inner).kind in ("&&", "||", "?:", "=") or not condition
        simple = re.fullmatch(r"\w+", inner)
        return f"({inner})" if loose and not simple else inner


def _is_zero_or_one(tree: Expression) -> bool:
    """Its value is 0 or 1, like that of a comparison."""
    if tree.kind == "group":
        return _is_zero_or_one(tree.parts[0])
    return tree.kind in _ZERO_OR_ONE or (tree.kind == "unary" and tree.text == "!")
