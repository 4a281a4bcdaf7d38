# SPDX-License-Identifier: MIT
"""Removes unreachable statements from a function and shortens its conditions."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

from .entries import code_of
from .expressions import KnownValues, NotAnExpressionError, code, parsed, shortened, tokens
from .functions import split
from .statements import CStatement, body, indent, line_end

_DECLARATION = re.compile(r"((?:const )?[a-z_]\w*) ([^;]+);", re.DOTALL)
_DECIDES = re.compile(r"&&|\|\||\?")
"""Operators of which an operand may be dropped even outside conditions."""


def pruned(text: str, known: KnownValues) -> str:
    """The function without its decided parts; every body must be in braces."""
    while (shorter := _once(text, known)) is not None:
        text = shorter
    return text


def _once(text: str, known: KnownValues) -> str | None:
    """Make the first possible change; None if there is none."""
    block = body(text)
    if block is None:
        return None
    for one in block.walk():
        changed = _changed(text, one, known)
        if changed is not None and changed != text:
            return changed
    return None


def _changed(text: str, one: CStatement, known: KnownValues) -> str | None:
    match one.kind:
        case "if":
            return _if(text, one, known)
        case "while":
            return _least(text, one, known) or _loop(text, one, one.head, known)
        case "for":
            if _never_begins(text, one, known):
                return _removed(text, one)
            return _loop(text, one, _test(text, one.head), known)
        case "block":
            return _ended(text, one) or _again(text, one, known)
        case "simple" | "return":
            return _simple(text, one, known) or _unused(text, one, known)
    return None


def _unused(text: str, one: CStatement, known: KnownValues) -> str | None:
    """Drop the first variable of a declaration that is not read any more."""
    kind, pieces = _declared(text[one.start : one.end])
    left = [piece for piece in pieces if not _is_unused(piece, text, known)]
    if len(left) == len(pieces):
        return None
    if not left:
        return _removed(text, one)
    return _put(text, (one.start, one.end), f"{kind} {', '.join(left)};")


@cache
def _declared(statement: str) -> tuple[str, tuple[str, ...]]:
    """The type and each variable of a declaration; None for other statements."""
    found = _DECLARATION.fullmatch(statement)
    if found is None or found[1] in ("return", "goto"):
        return "", ()
    inside = found[2]
    pieces = split(code(inside))
    return found[1], tuple(inside[piece[0].start : piece[-1].end] for piece in pieces)


def _is_unused(piece: str, text: str, known: KnownValues) -> bool:
    name, _, value = piece.lstrip("*").partition(" = ")
    if not re.fullmatch(r"\w+", name):
        return False
    return _mentions(text)[name] == 1 and (not value or _is_pure(value, known))


@cache
def _mentions(text: str) -> Counter[str]:
    """How often each word occurs in the code of a function, except as a member's name."""
    return Counter(re.findall(r"(?<!\.)(?<!->)\b\w+", code_of(text)))


def _is_pure(text: str, known: KnownValues) -> bool:
    try:
        return known.pure(parsed(text))
    except NotAnExpressionError:
        return False


def _shorter(text: str, place: tuple[int, int], known: KnownValues, *, condition: bool) -> str:
    """The simplified expression at a position."""
    try:
        return shortened(text[slice(*place)], known, condition=condition)
    except NotAnExpressionError:
        return text[slice(*place)]


def _put(text: str, place: tuple[int, int], new: str) -> str:
    return text[: place[0]] + new + text[place[1] :]


def _if(text: str, one: CStatement, known: KnownValues) -> str | None:
    condition = _shorter(text, one.head, known, condition=True)
    if condition not in ("0", "1"):
        return _put(text, one.head, condition)
    chosen = one.bodies[:1] if condition == "1" else one.bodies[1:]
    before = re.search(r"\s*else\s*\Z", text[: one.start])
    if before is None and not chosen:
        return _removed(text, one)
    if before is None and chosen[0].kind == "block":
        return _unwrapped(text, one, chosen[0])
    if before is not None and not chosen:
        return text[: before.start()] + text[one.end :]
    return _put(text, (one.start, one.end), text[chosen[0].start : chosen[0].end])


def _loop(text: str, one: CStatement, place: tuple[int, int], known: KnownValues) -> str | None:
    condition = _shorter(text, place, known, condition=True)
    if condition == "0":
        return _removed(text, one)
    return None if condition == "1" else _put(text, place, condition)


def _least(text: str, loop: CStatement, known: KnownValues) -> str | None:
    """1 for `n < 1 ? n : 1` at the beginning of `while (n > 0)`: the batches of one lane."""
    left = re.fullmatch(r"(\w+) > 0", text[slice(*loop.head)])
    first = loop.bodies[0].bodies[:1]
    if left is None or not first or first[0].kind != "simple":
        return None
    start, end = first[0].start, first[0].end - 1
    for begin, stop in _expressions(text[start:end])[:1]:  # nothing is evaluated before it
        chosen = _not_less(text[start + begin : start + stop], left[1], known)
        return chosen and _put(text, (start + begin, start + stop), chosen)
    return None


def _not_less(text: str, name: str, known: KnownValues) -> str | None:
    """What `name < x ? y : z` chooses where `name`, an integer, is above 0 and x at most 1."""
    try:
        tree = parsed(text)
    except NotAnExpressionError:
        return None
    if tree.kind != "?:" or tree.parts[0].kind != "<":
        return None
    less, most = tree.parts[0].parts
    limit = known.value(most)
    if less.text != name or less.kind != "name" or limit not in (0, 1):
        return None
    return text[tree.parts[2].start : tree.parts[2].end]


def _test(text: str, head: tuple[int, int]) -> tuple[int, int]:
    """The condition of a for: between its semicolons."""
    first = text.index(";", head[0]) + 1
    second = text.index(";", first)
    begin = first + len(text[first:second]) - len(text[first:second].lstrip())
    return begin, second


def _never_begins(text: str, one: CStatement, known: KnownValues) -> bool:
    """The condition of a for loop is false for the initial value of its variable."""
    begins = re.match(r"\s*unsigned (\w+) = (\w+);", text[one.head[0] : one.head[1]])
    if begins is None or (value := known.value(parsed(begins[2]))) is None:
        return False
    first = replace(known, names={**known.names, begins[1]: value})
    return _shorter(text, _test(text, one.head), first, condition=True) == "0"


def _again(text: str, block: CStatement, known: KnownValues) -> str | None:
    """Drop a loop with the same condition as the loop before it, whose end made it false."""
    for one, other in pairwise(block.bodies):
        if one.kind == other.kind == "for":
            tests = {text[slice(*_test(text, loop.head))] for loop in (one, other)}
            left = re.search(r"\b(break|return|goto)\b", text[one.start : one.end])
            begins = text[other.head[0] : _test(text, other.head)[0]]
            names = {token.text for token in code(min(tests)) if token.kind == "name"}
            touched = names & {token.text for token in code(begins)}
            if len(tests) == 1 and not left and not touched and _is_pure(min(tests), known):
                return _removed(text, other)
    return None


def _unwrapped(text: str, outer: CStatement, inner: CStatement) -> str:
    """Replace a statement by the inside of its block."""
    beside, _, inside = text[inner.start + 1 : inner.end - 1].rstrip().partition("\n")
    lines = [line.removeprefix("    ") for line in inside.split("\n")]
    if beside.strip():  # a comment behind the brace
        lines = [indent(text, outer.start) + beside.strip(), *lines]
    return _put(text, (outer.start, outer.end), "\n".join(lines).lstrip())


def _removed(text: str, one: CStatement) -> str:
    """Drop a statement, its line, and the comment above that belongs to it."""
    end = line_end(text, one.end)
    begin = text.rindex("\n", 0, one.start)
    above = [token for token in tokens(text) if token.end <= one.start][-1]
    if above.kind == "comment" and text[text.rindex("\n", 0, above.start) : above.start].isspace():
        begin = text.rindex("\n", 0, above.start)
    return text[:begin] + text[end:]


def _ended(text: str, block: CStatement) -> str | None:
    """Drop what follows a return, and a return at the end of the function."""
    for at, one in enumerate(block.bodies):
        if one.kind != "return":
            continue
        rest = block.bodies[at + 1 :]
        if rest and not any(other.kind in ("label", "directive") for other in rest):
            return (
                text[: line_end(text, one.end)]
                + "\n"
                + indent(text, block.end - 1)
                + text[block.end - 1 :]
            )
        if not rest and block.end == len(text) and text[one.start : one.end] == "return;":
            return _removed(text, one)
    return None


def _simple(text: str, one: CStatement, known: KnownValues) -> str | None:
    """Conditions inside an expression or the initialisers of a declaration."""
    statement = text[one.start : one.end - 1]
    if not _DECIDES.search(statement):
        return None
    for place in _expressions(statement):
        shorter = _shorter(statement, place, known, condition=False)
        if shorter != statement[slice(*place)]:
            return _put(text, (one.start, one.end - 1), _put(statement, place, shorter))
    return None


@cache
def _expressions(statement: str) -> list[tuple[int, int]]:
    """Positions of the expressions in a simple statement."""
    found = code(statement)
    if found and found[0].text == "return":
        return [(found[1].start, found[-1].end)] if len(found) > 1 else []
    places, depth, begin = [], 0, None
    for at, token in enumerate(found):
        if depth == 0 and token.text in (",", "="):
            if token.text == "," and begin is not None:
                places.append((begin, found[at - 1].end))
            begin = found[at + 1].start if token.text == "=" else None
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
    if begin is not None:
        places.append((begin, found[-1].end))
    elif found and not places:
        places.append((found[0].start, found[-1].end))
    return places
