# SPDX-License-Identifier: MIT
"""Options shared by several verbs, each described once; grouped.py handles groups of them."""

from dataclasses import dataclass
from typing import Annotated

import typer

from ..api.arguments import placement_of
from ..choosing.request import GivenCache, at_clock
from ..jobs.job import Placement
from ..platforms.chip import SETTINGS
from ..platforms.platform import Platform
from ..units import parse_clock
from .common import size_given, usage

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[
    bool,
    typer.Option("--csv", help="Print CSV: one row per line, with the keys of --json."),
]
KeyBits = Annotated[int, typer.Option(metavar="<n>", help="Key size: 128, 192 or 256 bits.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace files that exist.")]
Flags = Annotated[
    str | None,
    typer.Option(metavar="<flags>", help="Optimisation flags, as one word. [the platform's]"),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ignore stored results.")]
Stored = Annotated[
    bool, typer.Option("--stored", help="On boards, take what was measured there before.")
]
OnePlatform = Annotated[str, typer.Option(metavar="<p>", help="Platform by name or TOML file.")]
Cores = Annotated[
    str | None, typer.Option(metavar="<core,..>", help="Only these cores. [all that can run]")
]
Ghash = Annotated[
    str | None,
    typer.Option(metavar="<ghash>", help="GHASH multiplier of GCM. [the platform's]"),
]
FlashWait = Annotated[
    int | None,
    typer.Option(metavar="<n>", help="Flash wait states in cycles. [the platform's]", min=0),
]
Warm = Annotated[
    bool,
    typer.Option("--warm", help="Start with caches as an equal call left them (soft CPUs)."),
]


@dataclass(frozen=True)
class ChipOptions:
    """Chip."""

    clock: Annotated[
        str | None,
        typer.Option(metavar="<24MHz>", help="Clock in Hz, kHz or MHz. [a chip's highest]"),
    ] = None
    buffers: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SETTINGS), help="Setting of the chip's flash buffers. [usual]"
        ),
    ] = None

    @property
    def clock_hz(self) -> float | None:
        """Cycles per second; None if none is given."""
        with usage("--clock"):
            return None if self.clock is None else parse_clock(self.clock)

    def of(self, platform: Platform) -> Platform:
        """The platform with these options applied; a usage error for what it cannot do."""
        clock_hz = self.clock_hz
        with usage("--buffers" if self.clock is None else "--clock"):
            return at_clock(platform, clock_hz, self.buffers)


@dataclass(frozen=True)
class MemoryOptions:
    """Memory.  Without an option the platform's own value holds."""

    flash_wait: FlashWait = None
    tables: Annotated[
        str | None,
        typer.Option(metavar="flash|ram|..", help="Memory that holds the tables. [the platform's]"),
    ] = None

    def placement(self) -> Placement:
        """The placement of code and data in memory; a usage error says what is allowed."""
        with usage("--tables"):
            return placement_of(self.flash_wait, self.tables)


@dataclass(frozen=True)
class DataCacheOptions:
    """Data cache.  Without an option the platform's own value holds."""

    cache: Annotated[
        str | None,
        typer.Option(metavar="<16K>", help="Size of the data cache in bytes. [the platform's]"),
    ] = None
    ways: Annotated[
        int | None,
        typer.Option(
            metavar="<4>", help="Associativity of the data cache. [the platform's]", min=1
        ),
    ] = None
    line: Annotated[
        int | None,
        typer.Option(metavar="<16>", help="Bytes of a cache line. [the platform's]", min=1),
    ] = None
    miss_penalty: Annotated[
        float | None,
        typer.Option(
            metavar="<17>", help="Cycles that a cache miss costs. [the platform's]", min=0
        ),
    ] = None

    def given(self) -> GivenCache:
        """The data cache that replaces the platform's own."""
        size = size_given(self.cache, "--cache")
        return GivenCache(size, self.line, self.ways, self.miss_penalty)
