# SPDX-License-Identifier: MIT
"""The file that lists compiled libraries for tools/measure_peers.py; docs/peers.md shows one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers_rows import BLOCK_OPS, MODES, OURS

from aesfit.counting.ported import Port
from aesfit.errors import unknown

_TEXTS = ("library", "version", "source", "configuration", "flags", "platform", "mode")
_MODE_OPS = ("key-setup", "encrypt")


@dataclass(frozen=True)
class Listed:
    """One entry of the file: a library as it was compiled, for one platform and one mode."""

    library: str
    version: str
    source: str
    configuration: str
    flags: str
    platform: str
    mode: str
    objects: tuple[Path, ...]
    blocks: int
    operations: tuple[str, ...]

    @property
    def port(self) -> Port:
        """What is run."""
        name = f"{self.library} {self.version} ({self.configuration}, {self.flags})"
        return Port(name, self.objects, self.blocks)


def listed(path: Path) -> list[Listed]:
    """The entries of a file; ValueError says what is wrong with it."""
    if not path.is_file():
        raise ValueError(
            f"there is no file {path}; clone and compile the libraries that you want to measure, "
            "and list their objects in such a file as docs/peers.md shows"
        )
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("port", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no TOML: {error}") from None
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise ValueError(f"each port of {path} begins with [[port]], in two pairs of brackets")
    if not entries:
        raise ValueError(f"{path} lists no [[port]]; docs/peers.md shows one")
    return [_entry(one, path) for one in entries]


def _entry(one: dict[str, Any], path: Path) -> Listed:
    missing = [name for name in (*_TEXTS, "objects") if not one.get(name)]
    if missing:
        raise ValueError(f"a [[port]] of {path} has no {' and no '.join(missing)}; add it")
    texts = {name: _text(one[name], name, path) for name in _TEXTS}
    if texts["library"] == OURS:
        raise ValueError(f"{OURS} is measured without a [[port]]; name another library in {path}")
    if texts["mode"] not in MODES:
        raise unknown("mode", texts["mode"], MODES)
    blocks = one.get("blocks", 1)
    if type(blocks) is not int:
        raise ValueError(f"blocks in a [[port]] of {path} is not 1 or 2")
    operations = _operations(one, texts["mode"], path)
    return Listed(**texts, objects=_objects(one, path), blocks=blocks, operations=operations)


def _text(value: object, name: str, path: Path) -> str:
    if not isinstance(value, str):
        raise ValueError(f'{name} in a [[port]] of {path} is no text in quotes: {name} = "..."')
    return value


def _texts(value: object, name: str, path: Path) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f'{name} in a [[port]] of {path} is no list of texts: {name} = ["..."]')
    return value


def _operations(one: dict[str, Any], mode: str, path: Path) -> tuple[str, ...]:
    known = BLOCK_OPS if mode == "block" else _MODE_OPS
    given = _texts(one.get("operations", list(known)), "operations", path)
    for name in given:
        if name not in known:
            raise unknown("operation", name, known)
    return tuple(given)


def _objects(one: dict[str, Any], path: Path) -> tuple[Path, ...]:
    objects = tuple(path.parent / name for name in _texts(one["objects"], "objects", path))
    gone = next((file for file in objects if not file.is_file()), None)
    if gone is not None:
        raise ValueError(f"there is no object {gone}; clone and compile {one['library']} again")
    return objects
