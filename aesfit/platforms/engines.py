# SPDX-License-Identifier: MIT
"""AES engines of chips, with the cycles that were published for them.

The files are platforms/engines/<chip>.toml.  They are apart from the chips' own files because no
figure of ours depends on them, and the digest of a chip's file is part of every row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast, get_args

from .places import project_folder
from .platform import Platform
from .toml_file import TomlTable, read_bytes, read_table

Includes = Literal["engine", "driver"]
"""What published cycles include: the engine alone, or the call of a driver too."""
BLOCK_BYTES = 16


@dataclass(frozen=True)
class EngineMessage:
    """Published cycles of one encrypted message."""

    bytes: int
    """Of its payload."""
    cycles: float


@dataclass(frozen=True)
class EngineFigure:
    """What was published of an engine for one mode and key size."""

    mode: str
    """A mode of operation: "ecb", "ccm"."""
    key_bits: int
    includes: Includes
    driver: str
    """The driver and its release; empty where the engine alone was counted."""
    block_cycles: float | None
    """Of each block of 16 bytes; None where messages were published."""
    messages: tuple[EngineMessage, ...]
    """By rising length."""
    source: str

    def at(self, lengths: Iterable[int]) -> dict[int, float]:
        """Cycles by payload bytes: those that were published, or of the blocks of `lengths`."""
        if self.block_cycles is None:
            return {one.bytes: one.cycles for one in self.messages}
        return {size: self.block_cycles * -(-size // BLOCK_BYTES) for size in lengths}


@dataclass(frozen=True)
class AesEngine:
    """An engine of a chip."""

    name: str
    does: str
    """Its modes and key sizes, in words."""
    limits: str
    """What it does not do, and what its driver has to see to, in words."""
    source: str
    """Of these two."""
    figures: tuple[EngineFigure, ...]


@dataclass(frozen=True)
class EngineChip:
    """A chip with AES engines."""

    title: str
    platforms: tuple[str, ...]
    """Names of our chips, or of processors, that compute as this chip does."""
    relation: str
    """What it is to them, in words."""
    engines: tuple[AesEngine, ...]

    @property
    def counted(self) -> bool:
        """Cycles of one of its engines were published."""
        return any(engine.figures for engine in self.engines)


def engine_chips(platform: Platform) -> tuple[EngineChip, ...]:
    """Chips with engines that compute as the platform does."""
    folder = project_folder("platforms") / "engines"
    every = (_read(path) for path in sorted(folder.glob("*.toml")))
    return tuple(one for one in every if platform.path.stem in one.platforms)


@cache
def _read(path: Path) -> EngineChip:
    return read_engines(read_table(path, read_bytes(path)))


def read_engines(root: TomlTable) -> EngineChip:
    """The engines of a file; PlatformError says what is wrong with it."""
    root.only(("title", "platforms", "relation", "engine"))
    engines = tuple(_engine(table) for table in root.tables("engine"))
    return EngineChip(root.text("title"), root.texts("platforms"), root.text("relation"), engines)


def _engine(table: TomlTable) -> AesEngine:
    table.only(("name", "does", "limits", "source", "figure"))
    figures = tuple(_figure(one) for one in table.tables("figure"))
    does, limits = table.text("does"), table.text("limits")
    return AesEngine(table.text("name"), does, limits, table.text("source"), figures)


def _figure(table: TomlTable) -> EngineFigure:
    table.only(("mode", "key_bits", "includes", "driver", "block", "message", "source"))
    includes = cast(Includes, table.choice("includes", get_args(Includes)))
    if (includes == "driver") != table.has("driver"):
        table.wrong("'driver' names what a figure with a driver includes, and no other has it")
    messages = tuple(_message(one) for one in table.tables("message"))
    if table.has("block") == bool(messages):
        table.wrong(f"{table.title} needs the cycles of a 'block', or those of messages")
    sizes = [one.bytes for one in messages]
    if sizes != sorted(set(sizes)):
        table.wrong("messages are given by rising length, each length once", "message")
    block = None
    if table.has("block"):
        block = table.quantity("block", ("cycles",), positive=True).value
    return EngineFigure(
        table.text("mode"),
        table.whole("key_bits", among=(128, 192, 256)),
        includes,
        table.text("driver") if table.has("driver") else "",
        block,
        messages,
        table.text("source"),
    )


def _message(table: TomlTable) -> EngineMessage:
    table.only(("bytes", "cycles"))
    cycles = table.quantity("cycles", ("cycles",), positive=True)
    return EngineMessage(table.whole("bytes", least=1), cycles.value)
