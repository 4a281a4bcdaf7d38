# SPDX-License-Identifier: MIT
"""A drop-in's two files, made of the library's own sources.

No core is written in assembly, so that there is no third file.
"""

import re

from .. import sources
from .choice import Choice, check, directions, ghash_words, key_words, public_functions
from .entries import Entry, code_of, entries
from .expand import expand
from .flatten import flatten
from .layout import kept_with, written

_PUBLIC = "aesfit.h"
_CONTRACTS = (_PUBLIC, "core.h", "ghash/ghash.h")
"""Files whose head is about the library, not about what a drop-in keeps of it."""
_ASKED = ("AESFIT_OK", "AESFIT_ENCRYPT", "AESFIT_DECRYPT", "AESFIT_BOTH", "AESFIT_VERSION")
"""What callers name beside functions."""
_SPDX = "/* SPDX-License-Identifier: MIT */\n"


def files(choice: Choice, head: str = "") -> dict[str, str]:
    """Names and contents of the files; `head` is a comment for the top of the .c."""
    check(choice)
    found = expand(entries(flatten(unit(choice))))
    functions = set(public_functions(choice))
    offered = [e for e in found if e.file in ("", _PUBLIC)]
    header = _reached(offered, functions | set(_ASKED))
    rest = [e for e in found if e not in header]
    body = _reached(rest, functions)
    name = choice.prefix
    public = written(kept_with(offered, header), (), headings=False)
    private = written(kept_with(rest, body), _CONTRACTS, headings=True)
    texts = {
        f"{name}.c": f'{_SPDX}{head}\n#include "{name}.h"\n{private}',
        f"{name}.h": _header(public, choice),
    }
    return {file: _renamed(text, name) for file, text in texts.items()}


def unit(choice: Choice) -> str:
    """The translation unit of the library that the drop-in is made of."""
    mask = {"encrypt": 1, "decrypt": 2}
    defines = {
        "AESFIT_KEY_WORDS": str(key_words(choice)),
        "AESFIT_BOUND_KEY_SIZES": str(sum(1 << (bits // 64 - 2) for bits in choice.key_bits)),
        "AESFIT_BOUND_DIRECTIONS": f"{sum(mask[d] for d in directions(choice))}u",
        "AESFIT_BOUND_ENCRYPT_ONLY": str(int(choice.encrypt_only)),
    }
    if "gcm" in choice.modes:
        defines["AESFIT_GHASH_WORDS"] = str(ghash_words(choice))
    for mode in sources.registered("modes"):
        if mode not in choice.modes:
            defines[f"AESFIT_WITHOUT_{mode.upper()}"] = ""
    tested = (sources.library_folder() / "src" / "self_test.c").read_text(encoding="utf-8")
    ready = "AESFIT_BOUND" in tested  # TODO: goes when the self-test runs in bound builds
    after = ["status.c", *(["self_test.c"] if choice.self_test and ready else [])]
    return sources.unit(choice.core, choice.modes, choice.ghash, defines=defines, after=after)


def _reached(found: list[Entry], roots: set[str]) -> set[Entry]:
    """Code that the roots need, directly or not."""
    kept: set[Entry] = set()
    wanted = set(roots)
    while True:
        new = {e for e in found if e not in kept and e.kind == "code" and e.names & wanted}
        if not new:
            return kept
        kept |= new
        for entry in new:
            wanted |= entry.uses
            for branch in entry.path:
                wanted |= set(re.findall(r"[A-Za-z_]\w*", code_of(" ".join(branch.directives))))


_HEADER = """
#ifndef AESFIT_H
#define AESFIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""
_TAIL = """
#ifdef __cplusplus
}
#endif
#endif
"""


def _header(body: str, choice: Choice) -> str:
    return _SPDX + _HEADER + body + _TAIL


def _renamed(text: str, prefix: str) -> str:
    """The prefix before every name, in place of the library's."""
    text = re.sub(r"\baesfit_(?=\w)", f"{prefix}_", text)
    return re.sub(r"\bAESFIT_(?=\w)", f"{prefix.upper()}_", text)
