# SPDX-License-Identifier: MIT
"""A drop-in's two files, made of the library's own sources.

No core is written in assembly, so that there is no third file.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from ..building import sources
from .choice import DropInChoice, check, directions, ghash_words, key_words, public_functions
from .entries import Entry, identifiers
from .entries import entries as entries_of
from .expand import expand
from .flatten import flatten, given
from .layout import kept_with, realigned, written
from .lists import written_out
from .prose import trimmed

_PUBLIC = "aesfit.h"
_HOW_THE_LIBRARY_IS_MADE = ("core.h", "ghash/ghash.h")
"""Files whose heads are about that."""
_ASKED = frozenset(
    {"AESFIT_OK", "AESFIT_ENCRYPT", "AESFIT_DECRYPT", "AESFIT_BOTH", "AESFIT_VERSION"}
)
"""What callers name beside functions and types."""
_FUNCTION = re.compile(r"(?:int |void |const char \*)(aesfit_\w+)\(")
_SPDX = "/* SPDX-License-Identifier: MIT */\n"
_TOP = """\
#ifndef AESFIT_H
#define AESFIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""
_END = """
#ifdef __cplusplus
}
#endif
#endif
"""
_APART = """
/* Compiled as for callers in other files alone, whatever the self-test calls them with. */
#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#define AESFIT_APART(name) __typeof__(name) name __attribute__((noipa))
NAMES
#undef AESFIT_APART
#pragma GCC diagnostic pop
#endif
"""


def unit(choice: DropInChoice) -> str:
    """The translation unit of the library that the drop-in is made of."""
    mask = {"encrypt": 1, "decrypt": 2}
    defines = {
        "AESFIT_KEY_WORDS": str(key_words(choice)),
        "AESFIT_BOUND_KEY_SIZES": str(sum(1 << (bits // 64 - 2) for bits in choice.key_bits)),
        "AESFIT_BOUND_DIRECTIONS": str(sum(mask[name] for name in directions(choice))),
        "AESFIT_BOUND_ENCRYPT_ONLY": str(int(choice.encrypt_only)),
    }
    if "gcm" in choice.modes:
        defines["AESFIT_GHASH_WORDS"] = str(ghash_words(choice))
    for mode in sources.registered("modes"):
        if mode not in choice.modes:
            defines[f"AESFIT_WITHOUT_{mode.upper()}"] = ""
    after = ["status.c", *(["self_test.c"] if choice.self_test else [])]
    return sources.unit(choice.core, choice.modes, choice.ghash, defines=defines, after=after)


def files(choice: DropInChoice, head: str = "") -> dict[str, str]:
    """Names and contents of the files; `head` is a comment for the top of the .c.

    ValueError when the choice cannot be made.
    """
    check(choice)
    text, name = unit(choice), choice.prefix
    every = expand(entries_of(flatten(text)), given(text))
    functions = frozenset(public_functions(choice))
    public = _reached([e for e in every if e.file == _PUBLIC], functions | _ASKED)
    every = written_out(every, _reached([e for e in every if e not in public], functions))
    private = _reached([e for e in every if e not in public], functions)
    private = frozenset(e for e in private if e.file != _PUBLIC or not _FUNCTION.match(e.text))
    names = _Names(name, every, public | private)
    header = names.given(kept_with(every, public))
    source = kept_with([e for e in every if not _is_foreign(e)], private)
    body = names.given(_static(source, functions))
    apart = names.named(_apart(public_functions(choice))) if choice.self_test else ""
    top = f'{_SPDX}{head}\n#include "{name}.h"\n{apart}'
    return {
        f"{name}.c": top + written(body, headings=True),
        f"{name}.h": _SPDX + names.named(_header(header, choice)),
    }


def _apart(functions: tuple[str, ...]) -> str:
    """What keeps the self-test's calls from changing the functions that are called."""
    called = (name for name in functions if name not in ("aesfit_self_test", "aesfit_wipe"))
    lines = "".join(f"AESFIT_APART({name});\n" for name in called)
    return _APART.replace("NAMES\n", lines)


def _header(kept: list[Entry], choice: DropInChoice) -> str:
    """The public header; its head stands before the guard, as in the library."""
    bits = ", ".join(map(str, choice.key_bits))
    made = f"{choice.core}, {bits}-bit keys, {', '.join(choice.modes)}"
    head, *rest = kept
    prose = re.sub(
        r"^/\*.*\n", f"/* {choice.prefix}: AES ({made}).  {choice.prefix}.c says more.\n", head.text
    )
    return f"{prose}\n{_TOP}{written(rest, headings=False)}{_END}"


def _is_foreign(entry: Entry) -> bool:
    """A comment that speaks of another file than the drop-in's .c."""
    if entry.file == _PUBLIC:
        return entry.kind in ("head", "rule")
    return entry.kind == "head" and entry.file in _HOW_THE_LIBRARY_IS_MADE


def _reached(found: Collection[Entry], roots: frozenset[str]) -> frozenset[Entry]:
    """Code that the roots need, directly or not."""
    kept: set[Entry] = set()
    wanted = set(roots)
    while new := {e for e in found if e not in kept and e.kind == "code" and e.names & wanted}:
        kept |= new
        for entry in new:
            wanted |= entry.uses
            for branch in entry.path:
                wanted |= identifiers("\n".join(branch.directives))
    return frozenset(kept)


def _static(kept: Iterable[Entry], functions: frozenset[str]) -> list[Entry]:
    """Functions of the library's interface that the drop-in does not offer become its own."""
    return [
        replace(entry, text=realigned(entry.text, "static " + entry.text))
        if _FUNCTION.match(entry.text) and not entry.names & functions
        else entry
        for entry in kept
    ]


class _Names:
    """The prefix before every name, in place of the library's; comments without absent names."""

    def __init__(self, prefix: str, every: Iterable[Entry], kept: Collection[Entry]) -> None:
        self._prefix = prefix
        self._kept = frozenset[str]().union(*(e.names for e in kept))
        self._gone = frozenset[str]().union(*(e.names for e in every)) - self._kept
        theirs = frozenset[str]().union(*(e.uses for e in kept)) | self._kept
        ours = {name for name in theirs if name.lower().startswith("aesfit_")}
        if taken := {self.named(name) for name in ours} & (theirs - ours):
            raise ValueError(
                f"the prefix {prefix!r} gives {min(taken)}, a name that the source has already; "
                "choose another"
            )

    def named(self, text: str) -> str:
        text = re.sub(r"\baesfit_(?=[\w<])", f"{self._prefix}_", text)
        return re.sub(r"\bAESFIT_(?=\w)", f"{self._prefix.upper()}_", text)

    def given(self, kept: Iterable[Entry]) -> list[Entry]:
        return [given for entry in kept if (given := self._given(entry)).text]

    def _given(self, entry: Entry) -> Entry:
        text = trimmed(entry.text, self._is_absent)
        path = tuple(
            replace(branch, directives=tuple(map(self.named, branch.directives)))
            for branch in entry.path
        )
        return replace(entry, text=realigned(text, self.named(text)), path=path)

    def _is_absent(self, name: str) -> bool:
        if name.lower().startswith("aesfit_"):
            return name not in self._kept
        return name in self._gone or name.endswith("/")
