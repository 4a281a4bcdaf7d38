# SPDX-License-Identifier: MIT
"""Platforms by name, title or part number, and the files behind them."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ..errors import unknown
from .chip import Chip
from .places import project_folder
from .platform import COUNTED, Platform, counted
from .reading import read_platform
from .toml_file import PlatformError, read_bytes, read_table
from .trust import trusted

_KINDS = ("processors", "chips")
_State = tuple[int, ...]


def _files() -> Mapping[str, Path]:
    """Every platform file of the project by its name: processors, then chips."""
    folder = project_folder("platforms")
    found = {path.stem: path for kind in _KINDS for path in sorted((folder / kind).glob("*.toml"))}
    if not found:
        raise PlatformError(f"{folder} holds no platform files; install aesfit again")
    return found


def _chips() -> tuple[str, ...]:
    return tuple(name for name, path in _files().items() if path.parent.name == "chips")


@lru_cache
def _load(
    path: Path, _states: tuple[_State, ...], chips: tuple[str, ...], _trusted: bool
) -> Platform:
    raw = read_bytes(path)
    digest = hashlib.sha256(raw).hexdigest()
    return read_platform(read_table(path, raw), digest, _processor, chips)


def _state(path: Path) -> _State:
    state = path.stat()
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size)


def _processor(name: str) -> Platform:
    """The processor that a chip names."""
    files = {one: path for one, path in _files().items() if path.parent.name == "processors"}
    if name not in files:
        raise unknown("processor", name, list(files))
    return load(files[name])


def load(path: Path) -> Platform:
    """Read one file, again only after it changed; PlatformError says what is wrong."""
    try:
        processors = project_folder("platforms") / "processors"
        states = (_state(path), *(_state(one) for one in sorted(processors.glob("*.toml"))))
        return _load(path, states, _chips(), trusted(path))
    except OSError as error:
        raise PlatformError(f"{path}: cannot be read: {error.strerror}") from None


def platforms() -> tuple[Platform, ...]:
    """Every platform: emulated processors, then chips, then this computer.

    Those of `twins` are left out, as they are no other processors.
    """

    def place(one: Platform) -> tuple[bool, bool, str]:
        return one.rig == "host", one.kind == "chip", one.name

    return tuple(sorted(map(load, _files().values()), key=place))


def chips_with(processor: str) -> tuple[str, ...]:
    """Names of the chips that carry that processor."""
    return tuple(one.name for one in platforms() if one.chip and one.chip.processor == processor)


def twins() -> tuple[Platform, ...]:
    """Platforms of `platforms` as the emulator counts them, where that is another way."""
    return tuple(counted(one) for one in platforms() if one.rules)


def _plain(text: str) -> str:
    """A name without case, blanks and marks: "Cortex-M0+" is "cortexm0plus"."""
    return re.sub(r"[^a-z0-9]", "", text.lower().replace("+", "plus"))


def _also_called(name: str) -> Iterator[Platform]:
    """Platforms whose name, title or part number is that, however it is written."""
    wanted = _plain(name)
    for one in platforms():
        parts = {_plain(part.name): part for part in one.chip.parts} if one.chip else {}
        if wanted in (_plain(one.name), _plain(one.title)):
            yield one
        elif wanted in parts and one.chip:
            yield _sized(one, one.chip, parts[wanted].name)


def _sized(platform: Platform, chip: Chip, name: str) -> Platform:
    """The chip with the memories of one of its parts."""
    part = next(one for one in chip.parts if one.name == name)
    sizes = dict(part.sizes)
    memories = tuple(replace(one, size=sizes.get(one.name, one.size)) for one in platform.memories)
    digest = hashlib.sha256(f"{platform.sha256} {part.sizes}".encode()).hexdigest()
    return replace(platform, name=name, title=name.upper(), memories=memories, sha256=digest)


def platform_named(name: str) -> Platform:
    """The platform of that name, title, part number or .toml path; ValueError names the nearest."""
    if name.endswith(".toml"):
        return load(Path(name))
    files = _files()
    if name in files:
        return load(files[name])
    if name.endswith(COUNTED) and (simulated := name.removesuffix(COUNTED)) in files:
        found = counted(load(files[simulated]))
        if found.name == name:
            return found
    for found in _also_called(name):
        return found
    raise unknown("platform", name, list(files))
