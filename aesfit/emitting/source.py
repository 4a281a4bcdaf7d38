# SPDX-License-Identifier: MIT
"""A drop-in's two files, generated from the library's own sources.

Assembly is inline in C functions (lib/src/assembly), so there is no third file.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from ..building import sources
from . import clearing
from .choice import (
    DropInChoice,
    check,
    directions,
    ghash_words,
    hashes,
    key_words,
    keys_for_both,
    public_functions,
)
from .decide import decided
from .entries import Branch, Entry, identifiers
from .entries import entries as entries_of
from .expand import expand
from .flatten import flatten, given
from .layout import kept_with, realigned, written
from .lists import written_out
from .prose import trimmed
from .sizes import sized, statuses, with_errors
from .statements import braced
from .wrap import refilled, wrapped

_PUBLIC = "aesfit.h"
_HOW_THE_LIBRARY_IS_MADE = ("core.h", "ghash/ghash.h")
"""Files whose heads are about that."""
_ASKED = frozenset({"AESFIT_OK", "AESFIT_ENCRYPT", "AESFIT_DECRYPT", "AESFIT_VERSION"})
"""Names that callers use beside functions and types."""
_ASKED_OF_BOTH = _ASKED | {"AESFIT_BOTH"}
"""The same if a key may hold both directions."""
_FUNCTION = re.compile(r"(?:int |void |const char \*)(aesfit_\w+)\(")
_ALWAYS: tuple[Branch, ...] = ()
_SPDX = "/* SPDX-License-Identifier: MIT */\n"
_OF_C = frozenset({"memcpy", "memset"})
"""Names that keep no prefix: without <string.h> the source declares them."""
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
_CASTS = """
/* C only has the casts that C++ calls old-style. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
"""
_CASTS_END = """
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
"""
_STRINGS = """
/* ISO C guarantees only strings of 4095 characters; GNU C has no limit. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
#endif
"""
_STRINGS_END = """
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
"""
_APART = """
/* Compiled as if all callers were in other files, so that the self-test changes no code. */
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
    """The translation unit of the library from which the drop-in is made."""
    mask = {"encrypt": 1, "decrypt": 2}
    defines = {
        "AESFIT_KEY_WORDS": str(key_words(choice)),
        "AESFIT_BOUND_KEY_SIZES": str(sum(1 << (bits // 64 - 2) for bits in choice.key_bits)),
        "AESFIT_BOUND_DIRECTIONS": str(sum(mask[name] for name in directions(choice))),
        "AESFIT_KEYS_FOR_BOTH": str(int(not choice.separate_keys)),
        "AESFIT_BOUND_ENCRYPT_ONLY": str(int(choice.encrypt_only)),
    }
    if hashes(choice):
        defines["AESFIT_GHASH_WORDS"] = str(ghash_words(choice))
    for mode in sources.registered("modes"):
        if mode not in choice.modes:
            defines[f"AESFIT_WITHOUT_{mode.upper()}"] = ""
    after = ["status.c", *(["self_test.c"] if choice.self_test else [])]
    return sources.unit(choice.core, choice.modes, choice.ghash, defines=defines, after=after)


def files(choice: DropInChoice, head: str = "", *, apart: bool = True) -> dict[str, str]:
    """Names and contents of the files; `head` is a comment for the top of the .c.

    `apart`: internal names have the prefix too.  ValueError if the choice cannot be made.
    """
    check(choice)
    name = choice.prefix
    every, public, private = _kept(replace(choice, prefix="", platform=None, cleared=()))
    names = _Names(name, every, public | private, apart=apart)
    header = names.given(kept_with(every, public))
    source = kept_with([e for e in every if not _is_foreign(e)], private)
    functions = public_functions(choice)
    body = names.given(_static(source, frozenset(functions)))
    called = names.named(_apart(functions)) if choice.self_test else ""
    strings, strings_end = (_STRINGS, _STRINGS_END) if _has_long_strings(private) else ("", "")
    cleared = names.named(clearing.written(choice.cleared))
    top = f'{_SPDX}{head}\n#include "{name}.h"\n{cleared}{_CASTS}{strings}{called}'
    return {
        f"{name}.c": top + written(body, headings=True) + strings_end + _CASTS_END,
        f"{name}.h": _SPDX + names.named(_header(header, choice)),
    }


def _has_long_strings(entries: Iterable[Entry]) -> bool:
    """Whether an assembly function's string may exceed the length that ISO C guarantees."""
    return any("__asm__" in one.text and len(one.text) > 4095 for one in entries)


@cache
def _kept(choice: DropInChoice) -> tuple[list[Entry], frozenset[Entry], frozenset[Entry]]:
    """Entries of all, of the header and of the .c; prefix and platform have no influence."""
    text = unit(choice)
    functions = frozenset(public_functions(choice))
    every = _shortened(expand(entries_of(flatten(text)), given(text)), functions, choice)
    asked = _ASKED_OF_BOTH if keys_for_both(choice) else _ASKED
    public = _reached([e for e in every if e.file == _PUBLIC], functions | asked)
    every = written_out(every, _reached([e for e in every if e not in public], functions))
    private = _reached([e for e in every if e not in public], functions, together=True)
    private = frozenset(e for e in private if e.file != _PUBLIC or not _FUNCTION.match(e.text))
    made = _told(every, private, choice)
    return [made[e] for e in every], _all(made, public), _all(made, private)


def _shortened(
    found: Iterable[Entry], functions: frozenset[str], choice: DropInChoice
) -> list[Entry]:
    """Functions simplified for the choice, with braces around every body."""
    members = {}
    if len(choice.key_bits) == 1:  # key_expand() accepts no others
        words = choice.key_bits[0] // 32
        members = {"key_words": words, "rounds": words + 6}
    every = [replace(e, text=braced(e.text)) if e.kind == "code" else e for e in found]
    return decided(every, lambda entries: _reached(entries, functions), members)


def _told(
    every: Iterable[Entry], private: Iterable[Entry], choice: DropInChoice
) -> dict[Entry, Entry]:
    """Reduce the entries' lists of errors and key sizes to those in use."""
    used = _ASKED.union(*(e.uses for e in private))
    made = {}
    for entry in every:
        text = with_errors(sized(entry.text, choice), used)
        names = entry.names - (statuses(entry.text) - used)
        same = text == entry.text and names == entry.names
        made[entry] = entry if same else replace(entry, text=text, names=names)
    return made


def _all(made: Mapping[Entry, Entry], found: Iterable[Entry]) -> frozenset[Entry]:
    return frozenset(made[entry] for entry in found)


def _apart(functions: tuple[str, ...]) -> str:
    """Attributes that keep the self-test's calls from specialising the functions called."""
    called = (name for name in functions if name not in ("aesfit_self_test", "aesfit_wipe"))
    lines = "".join(f"AESFIT_APART({name});\n" for name in called)
    return _APART.replace("NAMES\n", lines)


def _header(kept: list[Entry], choice: DropInChoice) -> str:
    """The public header; its head comes before the include guard, as in the library."""
    bits = ", ".join(map(str, choice.key_bits))
    made = f"{choice.core}, {bits}-bit keys, {', '.join(choice.modes)}"
    head, *rest = kept
    prose = re.sub(
        r"^/\*.*\n", f"/* {choice.prefix}: AES ({made}).  See {choice.prefix}.c.\n", head.text
    )
    return f"{prose}\n{_TOP}{written(rest, headings=False)}{_END}"


def _is_foreign(entry: Entry) -> bool:
    """A comment about a file other than the drop-in's .c."""
    if entry.file == _PUBLIC:
        return entry.kind in ("head", "rule")
    return entry.kind == "head" and entry.file in _HOW_THE_LIBRARY_IS_MADE


def _reached(
    found: Collection[Entry], roots: frozenset[str], *, together: bool = False
) -> frozenset[Entry]:
    """Code that the roots need, directly or not.

    `together`: what stands in one branch of an #if does not need what stands in another, although
    it uses that name.
    """
    declared: dict[str, list[Entry]] = {}
    for entry in found:
        for name in entry.names if entry.kind == "code" else ():
            declared.setdefault(name, []).append(entry)
    kept: set[Entry] = set()
    wanted = {(name, _ALWAYS) for name in roots}
    looked_at = set[tuple[str, tuple[Branch, ...]]]()
    while new := wanted - looked_at:
        looked_at |= new
        both = {e for name, path in new for e in declared.get(name, ()) if _meet(e.path, path)}
        for entry in both - kept:
            kept.add(entry)
            place = entry.path if together else _ALWAYS
            wanted |= {(name, place) for name in entry.uses}
            for branch in entry.path:
                told = identifiers("\n".join(branch.directives))
                wanted |= {(name, _ALWAYS) for name in told}
    return frozenset(kept)


def _meet(one: tuple[Branch, ...], other: tuple[Branch, ...]) -> bool:
    """Some compiler sees both places: they are not in two branches of one #if."""
    groups = {branch.group: branch for branch in one}
    return all(groups.get(branch.group, branch) == branch for branch in other)


def _static(kept: Iterable[Entry], functions: frozenset[str]) -> list[Entry]:
    """Public functions that the drop-in does not offer become static."""
    return [
        replace(entry, text=realigned(entry.text, "static " + entry.text))
        if _FUNCTION.match(entry.text) and not entry.names & functions
        else entry
        for entry in kept
    ]


class _Names:
    """Puts the prefix in place of the library's, and trims absent names from comments."""

    def __init__(
        self, prefix: str, every: Iterable[Entry], kept: Collection[Entry], *, apart: bool
    ) -> None:
        self._prefix = prefix
        self._kept = frozenset[str]().union(*(e.names for e in kept))
        self._gone = frozenset[str]().union(*(e.names for e in every)) - self._kept
        names = {re.sub(r"^struct ", "", name) for name in self._kept} - _OF_C
        public = {name.lower().partition("_")[2] for name in names if name.startswith("aesfit_")}
        own = {name for name in names if apart and not name.lower().startswith("aesfit_")}
        self._own = {name: f"own_{name}" if name.lower() in public else name for name in own}
        theirs = frozenset[str]().union(*(e.uses for e in kept)) | names
        ours = self._own.keys() | {name for name in theirs if name.lower().startswith("aesfit_")}
        made = [self.named(name) for name in sorted(ours)]
        if taken := {name for name in made if made.count(name) > 1 or name in theirs - ours}:
            raise ValueError(
                f"the prefix {prefix!r} gives {min(taken)}, a name that the source has already; "
                "choose another"
            )

    def named(self, text: str) -> str:
        """`text` with the drop-in's names; comments keep names that are English words."""
        text = re.sub(r"\b[A-Za-z_]\w*", lambda found: self._one(found, text), text)
        text = re.sub(r"\baesfit_(?=[\w<])", f"{self._prefix}_", text)
        return re.sub(r"\bAESFIT_(?=\w)", f"{self._prefix.upper()}_", text)

    def _one(self, found: re.Match[str], text: str) -> str:
        name = found[0]
        if name not in self._own or text[: found.start()].endswith((".", "->", "/")):
            return name
        begin = text.rfind("/*", 0, found.start())
        if begin >= 0 and text.find("*/", begin) >= found.end():
            after = text[found.end() : found.end() + 2]
            is_code = after[:1] in ("(", "[") or "_" in name or name.isupper()
            if not is_code or re.match(r"\.[chd]", after):
                return name
        return f"{self._prefix.upper() if name.isupper() else self._prefix}_{self._own[name]}"

    def given(self, kept: Iterable[Entry]) -> list[Entry]:
        return [given for entry in kept if (given := self._given(entry)).text]

    def _given(self, entry: Entry) -> Entry:
        text = trimmed(entry.text, self._is_absent)
        path = tuple(
            replace(branch, directives=tuple(wrapped(self.named(one)) for one in branch.directives))
            for branch in entry.path
        )
        named = self.named(text)
        text = wrapped(named) if entry.kind == "code" else named
        prose = entry.kind in ("comment", "head")
        return replace(entry, text=refilled(text) if prose else text, path=path)

    def _is_absent(self, name: str) -> bool:
        if name.lower().startswith("aesfit_"):
            return name not in self._kept
        return name in self._gone or name.endswith("/")
