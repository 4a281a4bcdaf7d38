# SPDX-License-Identifier: MIT
"""Platforms: one TOML file each, read strictly.

Every quantity is a table of `value`, `unit` and `source`; what is wrong is refused with file, line
and what is allowed there.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Isa = Literal["armv4t", "armv6-m", "armv7-m", "armv7e-m", "rv32i", "rv32im", "i686", "x86-64"]


class PlatformError(ValueError):
    """A platform file is wrong; the message has file, line and what is allowed."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit and where it comes from."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Compiler:
    """What compiles for the platform."""

    command: str
    """"arm-none-eabi-gcc"."""
    package: str
    """Debian package that brings it."""
    target: tuple[str, ...]
    """Flags that name the processor: ("-mcpu=cortex-m3", "-mthumb")."""
    optimise: tuple[str, ...]
    """Flags chosen by measuring: ("-O2",)."""
    source: str
    """Why these."""


@dataclass(frozen=True)
class Memory:
    """A memory region."""

    name: str
    """"flash" or "ram"."""
    start: int
    size: int
    """Bytes."""
    wait_states: Quantity
    holds: tuple[str, ...]
    """Of "code", "tables", "data", "stack"."""


@dataclass(frozen=True)
class Cache:
    """A cache of instructions or data."""

    kind: Literal["instruction", "data", "unified"]
    size: Quantity
    ways: int
    line: Quantity
    source: str


@dataclass(frozen=True)
class Published:
    """A published result to compare with."""

    core: str
    op: str
    cycles: float
    key_bits: int
    source: str


@dataclass(frozen=True)
class Platform:
    """One processor with its memories, compiler, rig and timing model."""

    name: str
    title: str
    isa: Isa
    rig: str
    """"emulator", "host" or "fake"."""
    timing: str | None
    """Module of aesfit/rigs/timing; None where the rig measures time itself."""
    compiler: Compiler
    clock: Quantity | None
    """In MHz; None on a host, which has its own."""
    memories: tuple[Memory, ...]
    caches: tuple[Cache, ...]
    energy: Quantity | None
    """Picojoules per cycle; None where no source is known."""
    data_cache: bool
    """Addresses can show in time: there is a cache, or memory that is not uniform."""
    variable_multiply: bool
    """A multiply instruction takes a time that depends on its operands."""
    constant_time_source: str
    published: tuple[Published, ...]
    sha256: str
    """Of the file."""
    path: Path

    def memory(self, name: str) -> Memory:
        """The region of that name."""
        return next(memory for memory in self.memories if memory.name == name)


def platform_folder() -> Path:
    """Where the TOML files are: beside the package in a checkout, inside it once installed."""
    raise NotImplementedError


def load(path: Path) -> Platform:
    """Read one file; PlatformError tells what is wrong."""
    raise NotImplementedError


def platforms() -> tuple[Platform, ...]:
    """Every platform, in the order people want to read them."""
    raise NotImplementedError


def platform_named(name: str) -> Platform:
    """The platform of that name or of that .toml path; ValueError names the nearest one."""
    raise NotImplementedError
