# SPDX-License-Identifier: MIT
"""Rows of bench/peers.csv: what AES of other libraries and of ours costs, one line an operation."""

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from aesfit.jobs.job import Row as Measured

CSV = Path(__file__).resolve().parent.parent / "bench" / "peers.csv"
OURS = "aesfit"
UNCLEARED = "clearing nothing"
"""Of a build of ours that leaves its stack as it is, as the builds of the other libraries do."""
SIZES = (16, 64, 1504)
"""Bytes of payload, as the tables of the toolkit have them: a block, a sensor's packet, a frame."""
TIMED_BYTES = 64
"""Payload of the messages whose timing is examined."""
MODES = ("block", "ctr", "ccm", "gcm")
BLOCK_OPS = ("key-setup-encrypt", "encrypt-block", "key-setup-decrypt", "decrypt-block")


@dataclass(frozen=True)
class PeerRow:
    """One operation of one build on one platform.  Sizes in bytes, AES-128 throughout."""

    platform: str
    mode: str
    op: str
    bytes: int
    """Payload inside the window; 0 for key set-up."""
    library: str
    version: str
    configuration: str
    flags: str
    compiler: str
    cycles: int
    instructions: int
    flash_bytes: int
    """Of an image that holds the operation, its key set-up and what they reach."""
    context_bytes: int
    """Of the expanded key or the mode's key, and variables."""
    stack_bytes: int
    timing: str
    evidence: str
    """As docs/measuring.md defines both; empty for none."""
    image_sha256: str
    source: str
    """Where the library was taken from."""

    @property
    def ram_bytes(self) -> int:
        """Context, variables and stack."""
        return self.context_bytes + self.stack_bytes

    @property
    def steady(self) -> bool:
        """No run showed a secret in the instructions, the addresses or the cycles."""
        return self.timing == "independent"

    @property
    def build(self) -> tuple[str, str, str]:
        """What tells one build of a library from another, beside platform and mode."""
        return (self.library, self.configuration, self.flags)


@dataclass(frozen=True)
class TimingRow:
    """Whether the timing of one build depends on key or text, as tools/peers_timing.py found."""

    platform: str
    mode: str
    op: str
    library: str
    version: str
    configuration: str
    flags: str
    verdict: str
    """As `aesfit prove --function` has it: "independent", "depends" or "not shown"."""
    places: int
    """Instructions that depend on a secret."""
    followed: str
    """"all", or "part": the run did not come to its end on every way."""
    seconds: float
    """Of processor time."""
    image_sha256: str

    @property
    def build(self) -> tuple[str, str, str]:
        """What tells one build of a library from another, beside platform and mode."""
        return (self.library, self.configuration, self.flags)


Row = TypeVar("Row", PeerRow, TimingRow)


def row_of(  # long: every column of the file is named here
    row: Measured, library: str, version: str, configuration: str, flags: str, source: str
) -> PeerRow:
    """A row of the file from what was measured."""
    return PeerRow(
        platform=row.platform,
        mode=row.mode or "block",
        op=row.op,
        bytes=row.bytes,
        library=library,
        version=version,
        configuration=configuration,
        flags=flags,
        compiler=row.provenance.compiler,
        cycles=round(row.cycles),
        instructions=row.instructions or 0,
        flash_bytes=row.flash_bytes,
        context_bytes=row.context_bytes,
        stack_bytes=row.stack_bytes or 0,
        timing=row.timing,
        evidence=row.evidence or "",
        image_sha256=row.provenance.image_sha256,
        source=source,
    )


def timing_beside(path: Path) -> Path:
    """The file of TimingRow that goes with a file of PeerRow."""
    return path.with_name(f"{path.stem}_timing{path.suffix}")


def read(path: Path = CSV) -> list[PeerRow]:
    """All rows of the file; ValueError where its columns are others, or a line does not fit."""
    return _read(path, PeerRow)


def read_timing(path: Path) -> list[TimingRow]:
    """The same of timing."""
    return _read(path, TimingRow)


def _read(path: Path, kind: type[Row]) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as stream:
        lines = csv.DictReader(line for line in stream if not line.startswith("#"))
        names = [one.name for one in fields(kind)]
        if lines.fieldnames != names:
            raise ValueError(f"{path} has other columns than {', '.join(names)}")
        return [_row(line, number, path, kind) for number, line in enumerate(lines, 1)]


def _row(line: dict[str, str], number: int, path: Path, kind: type[Row]) -> Row:
    kinds = get_type_hints(kind)
    if None in line or None in line.values():  # csv's sign of cells too many or too few
        raise ValueError(f"row {number} of {path} does not have {len(kinds)} cells")
    try:
        values: dict[str, Any] = {name: kinds[name](text) for name, text in line.items()}
    except ValueError as error:
        raise ValueError(f"row {number} of {path}: {error}") from None
    return kind(**values)


def write(rows: Iterable[PeerRow], path: Path = CSV) -> None:
    """The rows, sorted, under a line with the licence."""
    ordered = sorted(rows, key=lambda row: (*_begin(row), row.bytes, *row.build))
    _write(ordered, path, PeerRow)


def write_timing(rows: Iterable[TimingRow], path: Path) -> None:
    """The same of timing."""
    ordered = sorted(rows, key=lambda row: (*_begin(row), *row.build))
    _write(ordered, path, TimingRow)


def _write(rows: Iterable[PeerRow | TimingRow], path: Path, kind: type[Row]) -> None:
    names = [one.name for one in fields(kind)]
    with path.open("w", newline="", encoding="utf-8") as stream:
        stream.write("# SPDX-License-Identifier: MIT\n")
        out = csv.DictWriter(stream, names, lineterminator="\n")
        out.writeheader()
        out.writerows(map(asdict, rows))


def _begin(row: PeerRow | TimingRow) -> tuple[str | int, ...]:
    return (row.platform, MODES.index(row.mode), row.op)
