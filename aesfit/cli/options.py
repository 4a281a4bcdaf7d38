# SPDX-License-Identifier: MIT
"""Options shared by several verbs, each described once; declared.py makes commands of them."""

from dataclasses import asdict, dataclass
from typing import Annotated

from ..platforms.chip import SETTINGS
from ..units import parse_clock
from .common import size_given, usage
from .declared import Asked, Option

Json = Annotated[bool, Option("--json", help="Print JSON.")]
Csv = Annotated[
    bool,
    Option("--csv", help="Print CSV: one row per line, with the keys of --json."),
]
KeyBits = Annotated[int, Option(metavar="<n>", help="Key size: 128, 192 or 256 bits.")]
Force = Annotated[bool, Option("--force", "-f", help="Replace files that exist.")]
Flags = Annotated[
    str | None,
    Option(metavar="<flags>", help="Optimisation flags, as one word. [the platform's]"),
]
NoProof = Annotated[
    bool, Option("--no-proof", help="Do not prove the files independent of secrets.")
]
Fresh = Annotated[bool, Option("--fresh", help="Ignore stored results.")]
Stored = Annotated[bool, Option("--stored", help="On boards, take what was measured there before.")]
OnePlatform = Annotated[str, Option(metavar="<p>", help="Platform by name or TOML file.")]
Cores = Annotated[
    str | None,
    Option("--core", metavar="<core,..>", help="Only these cores. [all but for papers]"),
]
Ghash = Annotated[
    str | None,
    Option(metavar="<ghash>", help="GHASH multiplier of GCM. [the platform's]"),
]
FlashWait = Annotated[
    int | None,
    Option(metavar="<n>", help="Flash wait states in cycles. [the platform's]", min=0),
]
Warm = Annotated[
    bool,
    Option("--warm", help="Start with caches as an equal call left them (soft CPUs)."),
]


@dataclass(frozen=True)
class ChipOptions:
    """Chip."""

    clock_hz: Annotated[
        str | None,
        Option("--clock", metavar="<24MHz>", help="Clock in Hz, kHz or MHz. [a chip's highest]"),
    ] = None
    buffers: Annotated[
        str | None,
        Option(metavar="|".join(SETTINGS), help="Setting of the chip's flash buffers. [usual]"),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a clock that is none."""
        with usage("--clock"):
            clock = None if self.clock_hz is None else parse_clock(self.clock_hz)
        return {"clock_hz": clock, "buffers": self.buffers}


@dataclass(frozen=True)
class MemoryOptions:
    """Memory.  Without an option the platform's own value holds."""

    flash_wait: FlashWait = None
    tables: Annotated[
        str | None,
        Option(metavar="flash|ram|..", help="Memory that holds the tables. [the platform's]"),
    ] = None

    def asked(self) -> Asked:
        """Arguments."""
        return asdict(self)


@dataclass(frozen=True)
class DataCacheOptions:
    """Data cache.  Without an option the platform's own value holds."""

    cache_bytes: Annotated[
        str | None,
        Option(
            "--cache",
            metavar="<16K>",
            help="Size of the data cache in bytes. [the platform's]",
        ),
    ] = None
    ways: Annotated[
        int | None,
        Option(metavar="<4>", help="Associativity of the data cache. [the platform's]", min=1),
    ] = None
    line_bytes: Annotated[
        int | None,
        Option("--line", metavar="<16>", help="Bytes of a cache line. [the platform's]", min=1),
    ] = None
    miss_penalty: Annotated[
        float | None,
        Option(metavar="<17>", help="Cycles that a cache miss costs. [the platform's]", min=0),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a size that is none."""
        return {**asdict(self), "cache_bytes": size_given(self.cache_bytes, "--cache")}
