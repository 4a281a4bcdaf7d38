# SPDX-License-Identifier: MIT
"""Simplify functions for the choice: remove branches never taken and conditions always true.

The compiler decides the same, so the machine code does not change.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from .entries import Entry, identifiers
from .expressions import NOT_NULL, Expression, KnownValues, NotAnExpressionError, parsed
from .functions import Definition, Invocation, calls, definition
from .prune import pruned

Reached = Callable[[list[Entry]], frozenset[Entry]]
"""Returns those of the entries that the drop-in needs."""
_MACRO = re.compile(r"#define (\w+)(?:\(([^)]*)\))? +(\S.*)")
_ENUM = re.compile(r"enum\b[^{;]*\{(.*?)\}", re.DOTALL)
_VARIABLE = re.compile(r"^    (?:const )?(?:unsigned|int|size_t) (\w+) = ([^;,]+);", re.MULTILINE)
_RETURN = re.compile(r"\{\s*(?:\(void\)\w+;\s*)*return ([^;]+);\s*\}\Z")


@dataclass(frozen=True)
class _Pruned:
    """Memo: the remaining text of a function, by its text and what was known in it."""

    text: str
    inside: KnownValues
    left: str


def decided(found: Iterable[Entry], reached: Reached, members: Mapping[str, int]) -> list[Entry]:
    """`found`, with functions simplified by known `members`, constants and arguments."""
    entries, before = list(found), dict[str, _Pruned]()
    while True:
        kept = reached(entries)
        shorter = _round(entries, [e for e in entries if e in kept], members, before)
        if shorter == entries:
            return entries
        entries = shorter


def _round(
    entries: list[Entry], kept: list[Entry], members: Mapping[str, int], before: dict[str, _Pruned]
) -> list[Entry]:
    made = {one.name: one for e in kept if e.kind == "code" and (one := definition(e.text))}
    known = _constants(kept, members)
    known = replace(known, functions=_constant_functions(made, known), harmless=_harmless(made))
    called = calls((e for e in kept if e.kind == "code"), made)
    inside = _known_inside(made, called, known)
    texts = {name: _pruned(one, inside[name], before) for name, one in made.items()}
    if all(texts[name] == one.text for name, one in made.items()):
        texts = _without_parameters(made, called, known)
    chosen = frozenset(kept)
    return [_renewed(e, made, texts) if e in chosen else e for e in entries]


def _pruned(one: Definition, inside: KnownValues, before: dict[str, _Pruned]) -> str:
    """The simplified function; taken from the last round if nothing about it has changed."""
    last = before.get(one.name)
    if last is None or last.text != one.text or last.inside != inside:
        last = before[one.name] = _Pruned(one.text, inside, pruned(one.text, inside))
    return last.left


def _renewed(entry: Entry, made: Mapping[str, Definition], texts: Mapping[str, str]) -> Entry:
    one = next((made[name] for name in entry.names if name in made), None)
    if one is None or one.text != entry.text or texts[one.name] == entry.text:
        return entry
    return replace(entry, text=texts[one.name], uses=identifiers(texts[one.name]))


def _constants(kept: Iterable[Entry], members: Mapping[str, int]) -> KnownValues:
    """Enumeration constants, and macros whose value does not depend on the compiler."""
    known = KnownValues({}, members)
    names: dict[str, int] = {}
    macros: dict[str, tuple[tuple[str, ...], Expression]] = {}
    for entry in kept:
        known = KnownValues(names, members, {}, macros)
        if enum := _ENUM.search(entry.text):
            names.update(_enumerated(re.sub(r"/\*.*?\*/", "", enum[1], flags=re.DOTALL), known))
        elif (macro := _MACRO.fullmatch(entry.text)) and not entry.path:
            body = re.sub(r"/\*.*?\*/", "", macro[3])
            try:
                tree = parsed(body)
            except NotAnExpressionError:
                continue
            if macro[2]:
                macros[macro[1]] = (tuple(re.findall(r"\w+", macro[2])), tree)
            elif (value := known.value(tree)) is not None:
                names[macro[1]] = value
    return known


def _enumerated(inside: str, known: KnownValues) -> dict[str, int]:
    found: dict[str, int] = {}
    value: int | None = -1
    for item in filter(None, map(str.strip, re.split(r",(?![^(]*\))", inside))):
        name, _, given = map(str.strip, item.partition("="))
        value = _number(given, known) if given else None if value is None else value + 1
        if value is not None:
            found[name] = value
    return found


def _number(text: str, known: KnownValues) -> int | None:
    sign = -1 if text.startswith("-") else 1
    value = known.value(parsed(text.lstrip("-")))
    return None if value is None else sign * value


def _constant_functions(made: Mapping[str, Definition], known: KnownValues) -> dict[str, int]:
    """Functions that only return a known value."""
    found = {}
    for name, one in made.items():
        tree = _returned(one) if one.is_own else None
        if tree is not None and (value := known.value(tree)) is not None:
            found[name] = value
    return found


def _harmless(made: Mapping[str, Definition]) -> frozenset[str]:
    """Functions that only return what they compute of their arguments."""
    trees = {name: _returned(one) for name, one in made.items()}
    nothing = KnownValues({})
    return frozenset(name for name, tree in trees.items() if tree and nothing.pure(tree))


def _returned(one: Definition) -> Expression | None:
    """The returned expression of a function that does nothing else; None for others."""
    only = _RETURN.match(one.text[one.block.start :])
    try:
        return parsed(only[1]) if only else None
    except NotAnExpressionError:
        return None


def _known_inside(
    made: Mapping[str, Definition],
    called: Mapping[str, list[Invocation] | None],
    known: KnownValues,
) -> dict[str, KnownValues]:
    """What is known in each function, including parameters with one value in all calls."""
    own = {name: called[name] or [] for name, one in made.items() if one.is_own}
    callers = {name: {call.caller for call in listed} for name, listed in own.items()}
    values: dict[str, dict[str, int]] = {name: {} for name in own}
    inside = {name: _inside(one, {}, known) for name, one in made.items()}
    changed = set(made)
    while changed:
        asked = [name for name in own if callers[name] & changed]
        found = {name: _of_calls(made[name], own[name], made, inside) for name in asked}
        changed = {name for name in asked if found[name] != values[name]}
        values |= found
        inside |= {name: _inside(made[name], found[name], known) for name in changed}
    return inside


def _of_calls(
    one: Definition, listed: list[Invocation], made: Mapping[str, Definition],
    inside: Mapping[str, KnownValues],
) -> dict[str, int]:  # fmt: skip
    found = {}
    for at, parameter in enumerate(one.parameters):
        given = (_argument(call, at, made, inside[call.caller]) for call in listed)
        value = next(given, None)
        same = value is not None and all(value == other for other in given)
        if value is not None and same and one.keeps(parameter.name):
            found[parameter.name] = value
    return found


def _argument(
    call: Invocation, at: int, made: Mapping[str, Definition], inside: KnownValues
) -> int | None:
    start, end = call.arguments[at]
    text = made[call.caller].text[start:end]
    if text in made:
        return NOT_NULL
    try:
        return inside.value(parsed(text))
    except NotAnExpressionError:
        return None


def _inside(one: Definition, values: Mapping[str, int], known: KnownValues) -> KnownValues:
    """What is known in a function: values of parameters, and of variables that never change."""
    here = replace(known, names={**known.names, **values})
    found = {}
    for name, given in _variables(one.text[one.block.start :]):
        try:
            value = here.value(parsed(given))
        except NotAnExpressionError:
            continue
        if value is not None and one.keeps(name, begun=True):
            found[name] = value
    return replace(here, names={**here.names, **found})


@cache
def _variables(text: str) -> list[tuple[str, str]]:
    """Names of the variables in a function's body, and their initial values."""
    return _VARIABLE.findall(text)


def _without_parameters(
    made: Mapping[str, Definition],
    called: Mapping[str, list[Invocation] | None],
    known: KnownValues,
) -> dict[str, str]:
    """Remove unread parameters, and their arguments from all calls.

    In one round no text changes twice, as positions in it are those that it had before.
    """
    texts = {name: one.text for name, one in made.items()}
    for name, one in made.items():
        if not one.is_own:
            if texts[name] == one.text:
                texts[name] = _told_unread(one)
            continue
        for cuts in _unread(one, called[name] or [], made, known):
            if all(texts[cut] == made[cut].text for cut in cuts):
                texts |= {cut: _without(made[cut].text, spans) for cut, spans in cuts.items()}
                break
    return texts


Cuts = dict[str, list[tuple[int, int, str]]]
"""Per function: ranges of its text, and what replaces them."""


def _unread(
    one: Definition, listed: list[Invocation], made: Mapping[str, Definition], known: KnownValues
) -> Iterator[Cuts]:
    """What to cut for each parameter that is not read and whose arguments do nothing."""
    for at, parameter in enumerate(one.parameters) if listed else ():
        if not one.reads(parameter.name) and _all_pure(listed, at, made, known):
            yield _cuts(one, at, listed)


def _told_unread(one: Definition) -> str:
    """A function of the interface: its parameters stay, the unused ones marked with a cast."""
    told = [name for name in (p.name for p in one.parameters) if not one.reads(name)]
    lines = [f"\n    (void){name};" for name in told if f"(void){name};" not in one.text]
    at = one.block.start + 1
    return one.text[:at] + "".join(lines) + one.text[at:]


def _all_pure(
    listed: list[Invocation], at: int, made: Mapping[str, Definition], known: KnownValues
) -> bool:
    texts = (made[call.caller].text[slice(*call.arguments[at])] for call in listed)
    try:
        return all(known.pure(parsed(text)) for text in texts)
    except NotAnExpressionError:
        return False


def _cuts(one: Definition, at: int, listed: list[Invocation]) -> Cuts:
    """The parameter at `at`, the casts to void of it, and its arguments."""
    cuts = Cuts()
    for call in listed:
        cuts.setdefault(call.caller, []).append((*_piece(call.arguments, at), ""))
    places = tuple((parameter.start, parameter.end) for parameter in one.parameters)
    own = cuts.setdefault(one.name, [])
    own.append((*_piece(places, at), "void" if len(places) == 1 else ""))
    casts = re.finditer(rf"\n *\(void\){one.parameters[at].name};", one.text)
    own += ((*found.span(), "") for found in casts)
    return cuts


def _without(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    for start, end, instead in sorted(spans, reverse=True):
        text = text[:start] + instead + text[end:]
    return text


def _piece(places: tuple[tuple[int, int], ...], at: int) -> tuple[int, int]:
    """The range of an argument with the comma that belongs to it."""
    if at > 0:
        return places[at - 1][1], places[at][1]
    return places[0][0], places[1][0] if len(places) > 1 else places[0][1]
