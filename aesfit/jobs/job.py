# SPDX-License-Identifier: MIT
"""A job, which is one measurement, the row that comes back, and what that row rests on."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from ..catalog import MODES, Core, Mode, core_named
from ..platforms.platform import Platform
from .secrecy import Secrecy, Timing

_UNSTABLE = ("cycles_median", "tables_in", "stall_cycles")
Progress = Callable[[int, int], None]
Payload = bytes


@dataclass(frozen=True)
class Placement:
    """Where things lie in memory, and how slow it is; None: as the platform file says."""

    flash_wait: int | None = None
    """Wait states of every access to flash, in cycles."""
    tables: str | None = None
    """The name of a memory of the platform: "flash", "ram" or another bank."""


def check_tables(platform: Platform, placement: Placement) -> None:
    """ValueError where the platform has no such memory for tables.

    A computer whose memory we do not place has none at all, and its rig says so.
    """
    if placement.tables is not None and platform.memories:
        platform.memory(placement.tables)


@dataclass(frozen=True)
class Job:
    """One measurement: an operation of a core on a platform."""

    platform: Platform
    core: str
    key_bits: int
    op: str
    mode: str | None = None
    """None for BLOCK_OPS."""
    bytes: int | None = None
    """Payload of one message; None for BLOCK_OPS, where it follows from the core's lanes."""
    flags: tuple[str, ...] | None = None
    """Optimisation flags; None: those of the platform file."""
    ghash: str = "shift32"
    placement: Placement = field(default_factory=Placement)
    text: Payload | None = None
    """Payload to encrypt and decrypt, `bytes` long; None: made up by the rig."""
    warm: bool = False
    """Caches begin as an equal call left them, not empty; the rig `rtl` alone does so."""

    @property
    def implementation(self) -> Core:
        """What `core` names; ValueError where it is the name of code outside the library."""
        return core_named(self.core)

    @property
    def shape(self) -> Mode:
        """What `mode` names; KeyError where that is None."""
        return MODES[str(self.mode)]

    @property
    def keys(self) -> int:
        """AES keys, one behind the other."""
        return self.shape.keys if self.mode else 1

    @property
    def hashes(self) -> bool:
        """It multiplies by a GHASH multiplier."""
        return self.mode is not None and self.shape.hashes

    @property
    def text_sha256(self) -> str | None:
        """Of a payload that was given."""
        return None if self.text is None else sha256(self.text).hexdigest()

    @property
    def placed(self) -> Placement:
        """The placement with nothing left open."""
        asked, memories = self.placement, self.platform.memories
        flash = [memory for memory in memories if memory.name == "flash"]
        home = [memory for memory in memories if "tables" in memory.holds]
        waits = flash[0].wait_states.value if flash else 0
        return Placement(
            int(waits) if asked.flash_wait is None else asked.flash_wait,
            asked.tables or (home[0].name if home else "flash"),
        )


@dataclass(frozen=True)
class Provenance:
    """What a figure depends on, so that it can be made again."""

    sources_sha256: str
    """Of the library sources and the harness that were compiled."""
    platform_sha256: str
    timing_sha256: str
    """Of the timing model; empty on rigs that have none."""
    compiler: str
    """First line of its --version."""
    flags: str
    rig: str
    version: str
    """Of aesfit."""
    window: str
    """What is inside the measured window, and with which lengths."""
    memory: str
    """Where code, tables and stack lie, and the wait states."""
    clock: str = ""
    """On the host: the unit of the cycles and how they were taken."""
    image_sha256: str = ""
    """Of the bytes of the image that take memory; a proof names it.  Empty without an image."""


@dataclass(frozen=True)
class Row:
    """One measured job; the keys of the stable JSON.  Sizes in bytes."""

    platform: str
    core: str
    key_bits: int
    op: str
    mode: str | None
    bytes: int
    """Payload bytes inside the window; 0 for key set-up."""
    cycles: float
    """Whole on emulated platforms; on the host the minimum, with the median beside it."""
    cycles_per_byte: float | None
    instructions: int | None
    code_bytes: int
    """Code and constants but tables that a firmware carries for this operation alone."""
    table_bytes: int
    """Tables that the linked image holds."""
    round_key_bytes: int
    context_bytes: int
    """RAM of the expanded key or mode context."""
    stack_bytes: int | None
    timing: Timing
    evidence: str | None
    """Of independence, as `Secrecy` has it: `proved`, `4 runs`; None: there is none."""
    provenance: Provenance
    cycles_median: float | None = None
    """Over the repeats on the host; None on emulated platforms, where every run is alike."""
    tables_in: str = "flash"
    """The name of the memory that holds them."""
    stall_cycles: int | None = None
    """Those of `cycles` that were lost to cache misses; None where no caches are simulated."""
    cycles_min: float | None = None
    """On a chip, at the placement of the code in a line of flash that is best; None elsewhere."""
    cycles_max: float | None = None
    """At the worst one; `cycles` is the middle of the two."""
    proved: str = ""
    """Lengths that the proof of the image is of; empty without a proof."""
    unproved: str = ""
    """Why a proof of the image is no evidence of this measurement; empty where it is."""

    @property
    def secrecy(self) -> Secrecy:
        """What is known of its timing."""
        return Secrecy(self.timing, self.evidence, self.proved, self.unproved)

    @property
    def flash_bytes(self) -> int:
        """Code, constants and tables; tables in RAM are copied there from flash at the start."""
        return self.code_bytes + self.table_bytes

    @property
    def ram_bytes(self) -> int:
        """Context and stack, and the tables where they are in RAM."""
        tables = self.table_bytes if self.tables_in != "flash" else 0
        return self.context_bytes + (self.stack_bytes or 0) + tables

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys; the provenance tells the rest in words.

        `stall_cycles` is there where caches are simulated.
        """
        left_out = _UNSTABLE if self.stall_cycles is None else _UNSTABLE[:-1]
        return {key: value for key, value in asdict(self).items() if key not in left_out}
