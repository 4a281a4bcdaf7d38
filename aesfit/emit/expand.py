# SPDX-License-Identifier: MIT
"""Macros of the library's binding replaced by what they stand for in a bound build."""

import re
from collections.abc import Iterable
from dataclasses import replace

from .entries import Entry, code_of, identifiers

_ARGUMENTS = r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"


def expand(found: Iterable[Entry]) -> list[Entry]:
    """CORE_CALL(key, encrypt) becomes the core's function, READ(table, i) table[i], and so on."""
    entries = list(found)
    values = {
        name: entry.text.split(None, 2)[2]
        for entry in entries
        if not entry.file and entry.kind == "code"
        for name in entry.names
        if len(entry.text.split(None, 2)) == 3
    }
    macros = _bindings(entries, values)
    return [_expanded(entry, macros) for entry in entries]


def _bindings(entries: list[Entry], values: dict[str, str]) -> dict[str, tuple[list[str], str]]:
    """Parameters and body of the macros that join the names of core and function."""
    made = {}
    for entry in entries:
        found = re.match(r"#define (\w+)(?:\(([^)]*)\))? +(.*AESFIT_JOIN\(.*)", entry.text)
        if found and found[1] != "AESFIT_JOIN":
            body = re.sub(
                r"AESFIT_JOIN\((\w+), (\w+)\)",
                lambda m: f"{values.get(m[1], m[1])}_\0{m[2]}\0",
                found[3],
            )
            made[found[1]] = (re.findall(r"\w+", found[2] or ""), body)
    made["READ"] = (["table", "index"], "\0table\0[\0index\0]")
    return made


def _expanded(entry: Entry, macros: dict[str, tuple[list[str], str]]) -> Entry:
    if entry.kind != "code" or not entry.uses & macros.keys() or entry.names & macros.keys():
        return entry
    text = entry.text
    for name, (parameters, body) in macros.items():
        text = _replaced(text, name, parameters, body)
    return replace(entry, text=text, uses=identifiers(code_of(text)))


def _replaced(text: str, name: str, parameters: list[str], body: str) -> str:
    if not parameters:
        return re.sub(rf"\b{name}\b", body.replace("\0", ""), text)

    def one(found: re.Match[str]) -> str:
        arguments = _split(found[1])
        result = body
        for parameter, argument in zip(parameters, arguments, strict=True):
            result = result.replace(f"\0{parameter}\0", argument)
        return result.replace("\0", "")

    pattern = rf"\b{name}{_ARGUMENTS}"
    while re.search(pattern, text):  # READ(t, READ(t, x))
        text = re.sub(pattern, one, text)
    return text


def _split(arguments: str) -> list[str]:
    """At commas outside brackets."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
