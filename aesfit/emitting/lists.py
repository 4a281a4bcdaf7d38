# SPDX-License-Identifier: MIT
"""Lists of numbers from which several tables are made (lib/src/parts/tables/table_entry.h).

If a drop-in has only one table of a list, the table holds the numbers and the list is removed.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from .entries import Entry, identifiers

_LIST = re.compile(r"#define (\w+)\(W\) \\\n")
_NUMBER = re.compile(r"W\((0x[0-9a-f]+)\)")
_ALONE = re.compile(r"\{\w+\(TABLE_ENTRY\)\};")
"""The initialiser of a table that consists of one list."""
_PER_LINE = {"uint8_t": 16, "uint32_t": 8}
"""Numbers per line of a table."""


def written_out(found: Iterable[Entry], kept: Collection[Entry]) -> list[Entry]:
    """`found`, with numbers in each `kept` table that is its list's only, unrotated user."""
    lists = {name[1]: e.text for e in kept if (name := _LIST.match(e.text))}
    alone = {
        users[0]: lists[name]
        for name in lists
        if len(users := [e for e in kept if name in e.uses and name not in e.names]) == 1
    }
    return [_with_numbers(e, alone[e]) if e in alone else e for e in found]


def _with_numbers(table: Entry, numbers: str) -> Entry:
    begin, _, entries = table.text.partition(" = ")
    if not _ALONE.fullmatch(entries.strip()):
        return table
    kind = next(kind for kind in _PER_LINE if kind in begin)
    cells = [_suffixed(number) for number in _NUMBER.findall(numbers)]
    per_line = _PER_LINE[kind]
    lines = [", ".join(cells[at : at + per_line]) for at in range(0, len(cells), per_line)]
    text = "\n".join([f"{begin} = {{", *(f"    {line}," for line in lines), "};"])
    return replace(table, text=text, uses=identifiers(text))


def _suffixed(number: str) -> str:
    """Format a number; words get the suffix for unsigned, bytes none."""
    return f"{number}u" if len(number) > len("0x00") else number
