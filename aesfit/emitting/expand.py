# SPDX-License-Identifier: MIT
"""Expands the library's own macros as a build bound to one core does."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .entries import Entry, identifiers
from .layout import realigned

_ARGUMENTS = r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
_NOTHING = "((void)0)"
_DECLASSIFY = re.compile(r"declassify\(&(\w+), sizeof \1\); /\* (.*?) \*/")


@dataclass(frozen=True)
class _Macro:
    name: str
    parameters: tuple[str, ...]
    body: str


def expand(found: Iterable[Entry], given: Mapping[str, str]) -> list[Entry]:
    """Replace CORE_CALL(key, encrypt) by the core's function, READ(table, i) by table[i] and so on.

    `given` are the macros of the unit.
    """
    entries = list(found)
    defined = [m for e in entries for m in _definitions(e)]
    joined = [
        _bound(macro, given)
        for macro in defined
        if "AESFIT_JOIN(" in macro.body or macro.name == "BOUND_INVERSE"
    ]
    empty = {m.name for m in defined if m.body == _NOTHING}
    empty -= {name for e in entries if (name := _filled(e))}
    return [_expanded(entry, joined, empty) for entry in entries]


def _filled(entry: Entry) -> str:
    """The macro that a #define, of one line or many, gives a body that does something."""
    found = re.match(r"#define (\w+)(?:\([^)]*\))? *", entry.text)
    return found[1] if found and entry.text[found.end() :] != _NOTHING else ""


def _definitions(entry: Entry) -> list[_Macro]:
    found = re.fullmatch(r"#define (\w+)(?:\(([^)]*)\))? +(\S.*)", entry.text)
    if not found or found[1].startswith("AESFIT_JOIN"):
        return []
    return [_Macro(found[1], tuple(re.findall(r"\w+", found[2] or "")), found[3])]


def _bound(macro: _Macro, given: Mapping[str, str]) -> _Macro:
    """The macro as a format, AESFIT_JOIN(core, function) written out."""
    body = macro.body
    for name in macro.parameters:
        body = re.sub(rf"\b{name}\b", f"{{{name}}}", body)
    body = re.sub(
        r"AESFIT_JOIN\((\w+), ([\w{}]+)\)", lambda m: f"{given.get(m[1], m[1])}_{m[2]}", body
    )
    bare = re.fullmatch(r"\((.*)\)", body)  # a cast of a constant, or a name
    return replace(macro, body=bare[1] if bare else body)


def _expanded(entry: Entry, joined: list[_Macro], empty: set[str]) -> Entry:
    # The user's AESFIT_CLEAR decides which clearing functions are used.
    kept = {"READ", "AESFIT_LOCAL", "AESFIT_CLEARING"}
    if entry.names & (kept | empty | {m.name for m in joined}):
        return entry
    read = "({table})[{index}]" if entry.text.startswith("#") else "{table}[{index}]"
    before = _DECLASSIFY.sub(r"/* \1 is public from here: \2 */", entry.text)
    for name in empty & entry.uses:
        before = re.sub(rf"\n *{name}{_ARGUMENTS};", "", before)
    # Nothing in a drop-in is unused, except where the compiler decides what is inlined.
    text = re.sub("AESFIT_LOCAL(?: or static)?", "static", before)
    text = text.replace("((noinline, unused))", "((noinline))")
    for macro in (_Macro("READ", ("table", "index"), read), *joined):
        if macro.name in entry.uses:
            text = _replaced(text, macro)
    if text == entry.text:
        return entry
    return replace(entry, text=realigned(before, text), uses=identifiers(text))


def _replaced(text: str, macro: _Macro) -> str:
    if not macro.parameters:
        return re.sub(rf"\b{macro.name}\b", macro.body, text)

    def one(found: re.Match[str]) -> str:
        return macro.body.format(**dict(zip(macro.parameters, _split(found[1]), strict=True)))

    pattern = rf"\b{macro.name}{_ARGUMENTS}"
    while re.search(pattern, text):  # again for READ(a, READ(b, i))
        text = re.sub(pattern, one, text)
    return text


def _split(arguments: str) -> list[str]:
    """Split at the commas outside brackets."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
