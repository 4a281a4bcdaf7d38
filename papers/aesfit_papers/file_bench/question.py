# SPDX-License-Identifier: MIT
"""CBC over a file at many sizes: the question, the results, and their comparison.

The experiment of javed.py, with the paper's two cores by default.  A window holds one CBC call, and
before it, where reading is included, the file is opened, read as far as needed, and closed.  The
key is expanded before: in the paper V1 takes as long for CBC over 16 bytes as for a block alone
(1.20 ms, tables 1 and 3), less than its key schedule takes (1.59 ms, table 2).
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from aesfit.jobs.job import Job
from aesfit.jobs.message import made_up
from aesfit.platforms.platform import Platform

from . import javed

Reading = Literal["included", "excluded"]
Flags = tuple[str, ...]

LEVELS: tuple[Flags, ...] = (("-O0",), ("-Os",), ("-O2",), ("-O3",))
OPS = ("key-setup-encrypt", "encrypt-block")
"""Operations beside CBC, for tables 1 and 2 of the paper."""
_LABEL = "file"
KEY_SETUP = "outside every window: the key is expanded once, before the calls"
NO_READING = (
    "the code runs on a bare processor, without a file system, so there is no reading to measure"
)


@dataclass(frozen=True)
class FileSource:
    """The data to encrypt, in memory and in a file."""

    path: Path
    data: bytes
    """The beginning of the file, up to the largest size."""
    made: bool
    """Whether the data are generated, because no file was given."""

    @property
    def title(self) -> str:
        """Its name in texts."""
        return "made up" if self.made else str(self.path)

    @property
    def sha256(self) -> str:
        """Digest of the data."""
        return sha256(self.data).hexdigest()


@dataclass(frozen=True)
class FileBench:
    """The question."""

    platforms: tuple[Platform, ...]
    cores: tuple[str, ...]
    levels: tuple[Flags, ...]
    sizes: tuple[int, ...]
    """Sizes in bytes, ascending."""
    key_bits: int = 128
    repeats: int = javed.REPEATS

    def job(self, platform: Platform, core: str, level: Flags, op: str) -> Job:
        """A job of the core alone."""
        return Job(platform, core, self.key_bits, op, flags=level)

    def cbc(self, platform: Platform, core: str, level: Flags, data: bytes) -> Job:
        """One CBC call over the data."""
        asked = (self.key_bits, "encrypt", "cbc", len(data), level)
        return Job(platform, core, *asked, text=data)


@dataclass(frozen=True)
class FileRow:
    """One size of one core on one platform; the keys of the stable JSON."""

    platform: str
    core: str
    flags: str
    bytes: int
    reading: Reading | None
    """None on emulated platforms, for the reason in NO_READING."""
    min: float
    avg: float
    """Equal to `min` on emulated platforms, where all runs are equal."""
    unit: str
    """ns or cycles."""
    extrapolated: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys."""
        return asdict(self)


@dataclass(frozen=True)
class OpRow:
    """An operation of a core alone."""

    platform: str
    core: str
    flags: str
    op: str
    min: float
    avg: float
    unit: str


@dataclass(frozen=True)
class FittedLine:
    """The line of cycles over bytes, and how well it fits."""

    platform: str
    core: str
    flags: str
    cycles: float
    """Cycles for 0 bytes, by the line."""
    cycles_per_block: float
    residual: float
    """The largest deviation of a measured size, as a share of its cycles."""
    residual_bytes: int
    """The size with this deviation."""
    reason: str | None
    """Why nothing is extrapolated; None if it may be."""


@dataclass(frozen=True)
class FileOutcome:
    """The results of one or all platforms."""

    rows: tuple[FileRow, ...]
    ops: tuple[OpRow, ...]
    lines: tuple[FittedLine, ...] = ()
    refused: tuple[str, ...] = ()
    """Sentences on what could not be measured."""
    provenance: tuple[Mapping[str, Any], ...] = ()
    """By platform: compiler, processor or timing model, clock."""


def joined(outcomes: Sequence[FileOutcome]) -> FileOutcome:
    """Join the results of all platforms."""
    return FileOutcome(
        tuple(row for one in outcomes for row in one.rows),
        tuple(row for one in outcomes for row in one.ops),
        tuple(line for one in outcomes for line in one.lines),
        tuple(sentence for one in outcomes for sentence in one.refused),
        tuple(facts for one in outcomes for facts in one.provenance),
    )


def fitting(sizes: Sequence[int], available: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The sizes that fit in a file of so many bytes, ascending, and those that do not."""
    known = sorted(set(sizes))
    there = tuple(size for size in known if size <= available)
    return there, tuple(size for size in known if size > available)


@contextmanager
def source(path: Path | None, most: int) -> Iterator[FileSource]:
    """The first `most` bytes of a file, or generated bytes in a temporary file."""
    if path is not None:
        if path.exists() and not path.is_file():
            raise ValueError(f"'{path}' is not a regular file; name one that can be read again")
        with path.open("rb") as stream:
            yield FileSource(path.resolve(), stream.read(most), made=False)
        return
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        made = FileSource(Path(folder) / _LABEL, made_up(_LABEL, most), made=True)
        made.path.write_bytes(made.data)
        yield made
