# SPDX-License-Identifier: MIT
"""What experiments on Parikh and Patel share: the packet in software, and rows of hardware.

Published figures are in aesfit/wlan/paper.py and aesfit/hardware/published.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aesfit.hardware.designs import design_named
from aesfit.hardware.families import FAMILIES, Family
from aesfit.hardware.place import SEEDS
from aesfit.hardware.rows import SiliconQuestion, SiliconRow
from aesfit.hardware.rows import rows as silicon_rows
from aesfit.jobs.job import Job, Placement, Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, at
from aesfit.wlan.paper import PACKET_BYTES, SOFTWARE, Software

from .cells import figures, pairs
from .contract import Assumed, Pair, Row, Value
from .levels import job_at
from .place import ClaimPlace
from .provenance import measured

CORE = "equivalent_inverse"
"""Written after the paper's description: ByteSub and ShiftRow on the state, MixColumn and
AddRoundKey on words, round keys of both directions generated together."""
NO_CACHE, CACHED = "vexriscv-nocache", "vexriscv-cached"
"""Stand-ins for the processor on the paper's FPGA, which the paper does not name."""
PHONES = ("arm9tdmi", "arm920t", "arm9-cached")
PHONE_MHZ = 180.0
"""AT91RM9200 data sheet (Atmel 1768), features: a part that carries the ARM920T.  The memory of
`arm9tdmi` is ideal, so its rates are upper bounds."""
OPS: Mapping[str, str] = {"key": "key-setup", "encryption": "encrypt", "decryption": "decrypt"}
"""Rows of table 1, and operations."""
ASSUMED_CLOCK = Assumed("the clock of the phone is assumed: 180 MHz, of a part with an ARM920T")
PACKET_BITS = 8 * PACKET_BYTES


def theirs(name: str) -> Software:
    """A column of table 1, found by the beginning of its name."""
    return next(one for one in SOFTWARE if one.platform.startswith(name))


def clocked(name: str) -> Platform:
    """The platform at a clock: an ARM9 at the phone's, all others at their own."""
    return at(platform_named(name), PHONE_MHZ if name in PHONES else None)


def published_ms(column: Software) -> dict[str, float]:
    """Milliseconds by the names of OPS."""
    return {"key": column.key_ms, "encryption": column.encryption_ms,
            "decryption": column.decryption_ms}  # fmt: skip


@dataclass(frozen=True)
class Packet:
    """Where the packet is encrypted and decrypted."""

    platform: str
    flags: str | None
    """A level, or the platform's own flags."""
    wait_states: int | None = None
    """None: those of the platform's file."""

    @property
    def jobs(self) -> list[Job]:
        """The operations of OPS in ECB."""
        own, place = platform_named(self.platform), Placement(self.wait_states)
        return [
            job_at(Job(own, CORE, 128, op, "ecb", PACKET_BYTES, placement=place), self.flags)
            for op in OPS.values()
        ]


def packets(
    asked: Sequence[Packet], progress: Progress, *, fresh: bool = False
) -> list[list[Measurement]]:
    """Rows of OPS for each."""
    jobs = [job for one in asked for job in one.jobs]
    rows = measured(jobs, progress, fresh=fresh)
    return [rows[at : at + len(OPS)] for at in range(0, len(rows), len(OPS))]


def mbit_per_s(milliseconds: float) -> float:
    """The rate of packets that take that time."""
    return PACKET_BITS / (milliseconds * 1e3)


def silicon(
    designs: Sequence[str], progress: Progress, families: Sequence[Family] = FAMILIES
) -> list[SiliconRow]:
    """Designs on families, synthesised, placed and simulated."""
    named = tuple(design_named(name) for name in designs)
    return silicon_rows(SiliconQuestion(named, tuple(families), SEEDS), progress)


def silicon_cells(row: SiliconRow) -> dict[str, Value]:
    """Cells of a row for a design on a family."""
    return {
        "design": row.design,
        "family": row.family,
        "luts": row.luts,
        "flip_flops": row.flip_flops,
        "ram_blocks": row.ram_blocks,
        "fmax_mhz": row.fmax_mhz,
        "cycles_per_block": row.cycles_per_block,
        "mbit_per_s": row.mbit_per_s,
        "why_empty": "; ".join(dict.fromkeys(row.why.values())) or None,
    }


def silicon_lines(rows: Sequence[SiliconRow]) -> tuple[str, ...]:
    """Tools and devices behind the rows."""
    tools = {name: version for row in rows for name, version in row.tool_versions.items()}
    devices = [
        f"{family.name}: {family.device.title}, clock the median of {SEEDS} seeds"
        for family in FAMILIES
        if family.device and any(row.family == family.name for row in rows)
    ]
    told = ", ".join(f"{name} {version}" for name, version in tools.items())
    return told, *devices, *dict.fromkeys(f"cycles: {row.cycles_from}" for row in rows)


def by_family(rows: Sequence[Row], design: str, column: str) -> dict[ClaimPlace, float]:
    """A column of a design, by family, where there is one."""
    known = [row for row in rows if row[column] is not None]
    return figures(known, column, ("family",), design=design)


def both(rows: Sequence[Row], column: str, designs: tuple[str, str]) -> dict[ClaimPlace, Pair]:
    """A column of one design against that of another, by family, where both have one."""
    known = [row for row in rows if row[column] is not None]
    return pairs(known, column, by=("family",), design=designs)
