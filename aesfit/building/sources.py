# SPDX-License-Identifier: MIT
"""The C library as sources: where it lies, what it is made of, how it becomes one unit.

A bound build (lib/src/core.h) has one core and the modes written over it in one translation unit.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..platforms.places import project_folder
from ..store import files


class SourcesError(RuntimeError):
    """The library's sources are not where they should be."""


@dataclass(frozen=True)
class OwnCore:
    """C of the user's that stands in a unit where the file of a core would."""

    name: str
    """What its functions begin with."""
    text: str
    key_words: int
    """Words of its expanded key."""


@cache
def library_folder() -> Path:
    """The C library's sources: beside the package in a checkout, inside it once installed."""
    folder = project_folder("lib")
    if (folder / "include" / "aesfit.h").is_file():
        return folder
    raise SourcesError(
        f"the C sources of the library are not in {folder}; bring them back with: "
        "pip install --force-reinstall aesfit"
    )


def include_folders() -> tuple[Path, ...]:
    """Folders that a translation unit includes from."""
    return library_folder() / "src", library_folder() / "include"


@cache
def registered(kind: str) -> tuple[str, ...]:
    """Names in the register of `kind`: "cores", "modes" or "ghash", in its order."""
    macro = {"cores": "CORE", "modes": "MODE", "ghash": "GHASH"}[kind]
    text = (library_folder() / "src" / kind / f"{kind}.def").read_text(encoding="utf-8")
    return tuple(re.findall(rf"^{macro}\((\w+)\)", text, re.MULTILINE))


@cache
def core_file(core: str) -> str:
    """The file of a core, from src/: cores/ or cores/study/ holds it."""
    study = f"cores/study/{core}.c"
    return study if (library_folder() / "src" / study).is_file() else f"cores/{core}.c"


@cache
def _counter_steps(core: str) -> int:
    """AESFIT_BOUND_COUNTER of the contract (core.h): what the core has for counter blocks."""
    text = (library_folder() / "src" / core_file(core)).read_text(encoding="utf-8")
    return sum(f"{core}_{step}(" in text for step in ("prepare_counter", "xor_counters"))


@cache
def _hashes(mode: str) -> bool:
    """Whether the mode says of itself that it multiplies by a GHASH multiplier (mode.h)."""
    text = (library_folder() / "src" / "modes" / f"{mode}.c").read_text(encoding="utf-8")
    return "AESFIT_MODE_GHASH" in text


@cache
def needed_modes(mode: str) -> tuple[str, ...]:
    """The modes that `mode` is written over, in the register of modes."""
    text = (library_folder() / "src" / "modes" / "modes.def").read_text(encoding="utf-8")
    return tuple(re.findall(rf"^OVER\({mode}, (\w+)\)", text, re.MULTILINE))


def unit(
    core: str,
    modes: Iterable[str] = (),
    ghash: str = "shift32",
    *,
    defines: dict[str, str] | None = None,
    before: Iterable[str] = (),
    then: str = "",
    after: Iterable[str] = (),
    own: OwnCore | None = None,
) -> str:
    """One translation unit bound to `core`: the contract, the core, the modes and their key set-up.

    `defines` come first; files `before` and the text `then` follow the contract, files `after` end
    the unit.  `own` stands in the place of the core.
    """
    modes = tuple(modes)
    first = ["core.h", *before]
    parts = [] if own else [core_file(core)]
    if any(map(_hashes, modes)):
        parts.append(f"ghash/{ghash}.c")
    if modes:
        parts.append("key.c")
    for mode in modes:
        parts += [f"modes/{name}.c" for name in (*needed_modes(mode), mode)]
    bound, counter = (own.name, 0) if own else (core, _counter_steps(core))
    every = {"AESFIT_BOUND": bound, "AESFIT_BOUND_GHASH": ghash, "AESFIT_WITH_BULK": "0"}
    every["AESFIT_BOUND_COUNTER"] = str(counter)
    every |= {f"AESFIT_SCHEDULE_{own.name}": str(own.key_words)} if own else {}
    every.update(defines or {})
    lines = [f"#define {name} {value}".rstrip() for name, value in every.items()]
    lines += [f'#include "{part}"' for part in first]
    lines += [then] if then else []
    lines += [own.text] if own else []
    lines += [f'#include "{part}"' for part in dict.fromkeys((*parts, *after))]
    return "\n".join(lines) + "\n"


def digest(text: str, folders: Iterable[Path]) -> str:
    """SHA-256 over `text` and all files that it includes, directly or not, from `folders`.

    Headers found in none of them are the compiler's, and the compiler's version stands for them.
    Paths are plain strings here: every stored row that is asked for comes this way.
    """
    search = tuple(map(str, folders))
    total = hashlib.sha256(text.encode())
    names: list[tuple[str | None, str]]
    names = [(None, name) for name in files.includes(text.encode())]
    seen: dict[str, str] = {}
    while names:
        origin, name = names.pop()
        path = _resolve(origin, name, search)
        if path is None or path in seen:
            continue
        found = files.contents(path)
        seen[path] = found.sha256
        names += [(path.rpartition("/")[0], inner) for inner in found.includes]
    for path, value in sorted(seen.items(), key=lambda one: one[0].split("/")):
        total.update(f"\n{path.rpartition('/')[2]} {value}".encode())
    return total.hexdigest()


@cache
def _resolve(origin: str | None, name: str, folders: tuple[str, ...]) -> str | None:
    for folder in (*([origin] if origin else []), *folders):
        path = Path(folder) / name
        if path.is_file():
            return str(path.resolve())
    return None
