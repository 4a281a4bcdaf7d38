# SPDX-License-Identifier: MIT
"""The options of `aesfit fit`: its groups, and the parts of the chooser's question they make.

Each group makes one part; a usage error says what is wrong with the given text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ..api.arguments import timing_of
from ..api.fit import bursts_of, objective_of, variants_of
from ..api.own_code import stand_ins
from ..choosing.request import (
    BLOCK,
    OBJECTIVES,
    TIMING_LIMITS,
    Bursts,
    Flags,
    Limits,
    Objective,
    PacketSizes,
    Request,
    default_mode,
)
from ..counting.stand_in import StandIn
from ..platforms.platform import Platform
from ..units import parse_key_changes, parse_rate, parse_share
from .common import (
    able_cores,
    check_picture,
    cores_given,
    mode_named,
    payload_size,
    size_given,
    usage,
)
from .options import ChipOptions, Force, Ghash, KeyBits, Stored

Value = TypeVar("Value")
PlatformOrThis = Annotated[
    str | None,
    typer.Option(metavar="<p>", help="Platform by name or TOML file. [this computer, on x86-64]"),
]
CostedFile = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        metavar="<file>",
        help="Compute the cost of encrypting this file. [none]",
    ),
]


def _quantity(parse: Callable[[str], Value], text: str | None, option: str) -> Value | None:
    with usage(option):
        return None if text is None else parse(text)


@dataclass(frozen=True)
class MessageOptions:
    """Message and key."""

    mode: Annotated[
        str | None,
        typer.Option(
            metavar="<mode>",
            help="ecb, cbc, ctr, xts, cmac, ccm, gcm ...; block: the block cipher alone. [ccm]",
        ),
    ] = None
    message_bytes: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            metavar="<n>",
            help="Payload bytes of one message. [1504]",
            parser=payload_size,
        ),
    ] = None
    packets: Annotated[
        str | None,
        typer.Option(
            metavar="<64:7,1504:1>",
            help="Payload bytes and shares of packets, instead of --bytes. [none]",
        ),
    ] = None
    key_bits: KeyBits = 128
    encrypt_only: Annotated[bool, typer.Option("--encrypt-only", help="Leave out decryption.")] = (
        False
    )
    key_changes: Annotated[
        str,
        typer.Option(metavar="<n>|never", help="Messages per key; key set-up is charged to them."),
    ] = "never"
    ghash: Ghash = None

    def mode_on(self, platform: Platform) -> str:
        """The mode of that name, BLOCK among them, or the platform's default."""
        return default_mode(platform) if self.mode is None else mode_named(self.mode, (BLOCK,))

    def sizes(self) -> PacketSizes:
        """Sizes and shares of a mix of packets; empty where all have one size."""
        if self.packets is None:
            return ()
        from ..cachemodel.traffic import parse_sizes  # brings NumPy

        with usage("--packets"):
            return parse_sizes(self.packets)

    @property
    def messages_per_key(self) -> int | None:
        """Messages per key; None: key set-up is not charged."""
        return _quantity(parse_key_changes, self.key_changes, "--key-changes")


@dataclass(frozen=True)
class LimitOptions:
    """Limits."""

    max_flash: Annotated[
        str | None, typer.Option(metavar="<4K>", help="Limit of code and tables in bytes. [any]")
    ] = None
    max_ram: Annotated[
        str | None, typer.Option(metavar="<1K>", help="Limit of keys and stack in bytes. [any]")
    ] = None
    timing: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(TIMING_LIMITS),
            help="Only cores whose timing is proved independent of the key; independent: without "
            "a proof too; any: all, by cost. [all, the proved first]",
        ),
    ] = None

    def limits(self) -> Limits:
        """The limits that a core must keep."""
        with usage("--timing"):
            timing = timing_of(self.timing)
        return Limits(
            size_given(self.max_flash, "--max-flash"),
            size_given(self.max_ram, "--max-ram"),
            timing,
        )


@dataclass(frozen=True)
class GoalOptions:
    """Objective and speed."""

    objective: Annotated[
        str, typer.Option(metavar="|".join(OBJECTIVES), help="Quantity to minimise.")
    ] = "cycles"
    rate: Annotated[
        str | None,
        typer.Option(metavar="<54Mbit/s>", help="Required payload bits per second. [any]"),
    ] = None

    @property
    def least(self) -> Objective:
        """The objective of that name."""
        with usage("--objective"):
            return objective_of(self.objective)

    @property
    def bit_per_s(self) -> float | None:
        """Required payload bits per second."""
        return _quantity(parse_rate, self.rate, "--rate")


@dataclass(frozen=True)
class SweptChipOptions(ChipOptions):
    """Chip."""

    clock: Annotated[
        str | None,
        typer.Option(
            metavar="<24MHz>|sweep",
            help="Clock in Hz, kHz or MHz; sweep: all of a chip's. [its highest]",
        ),
    ] = None
    stored: Stored = False

    @property
    def sweeps(self) -> bool:
        """Whether the question is asked for all clocks of the chip."""
        return self.clock == "sweep"

    @property
    def clock_hz(self) -> float | None:
        """Cycles per second; None if none is given, and in a sweep."""
        return None if self.sweeps else super().clock_hz


@dataclass(frozen=True)
class BurstOptions:
    """Bursts behind a data cache."""

    calls_per_burst: Annotated[
        int | None,
        typer.Option(
            metavar="<n>",
            help="Blocks processed before other code evicts the caches. [a message]",
            min=1,
        ),
    ] = None
    evicted: Annotated[
        str | None,
        typer.Option(
            metavar="<100%>", help="Fraction of cache lines evicted between bursts. [100%]"
        ),
    ] = None
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show the expected cache misses of the best two cores."),
    ] = False

    def bursts(self, mode: str, size: int | None) -> Bursts | None:
        """The bursts; one message each if only other options are given; BLOCK needs all options."""
        share = _quantity(parse_share, self.evicted, "--evicted")
        return bursts_of(mode, size, self.calls_per_burst, share, self.explain)


@dataclass(frozen=True)
class CoreOptions:
    """Cores and compiler."""

    core: Annotated[
        list[str] | None,
        typer.Option(metavar="<core,..>", help="Only these cores. [all that can run]"),
    ] = None
    also: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<file:function>",
            help="Rank a function of your own objects too: my_aes.o:my_encrypt:key,in,out; "
            "repeatable. [none]",
        ),
    ] = None
    flags: Annotated[
        str | None,
        typer.Option(
            metavar="<flags>|search",
            help="Optimisation flags, as one word; search: try several. [the platform's]",
        ),
    ] = None

    def cores(self, platform: Platform) -> list[str]:
        """The named cores, or all that the platform can run."""
        wanted = [name for text in self.core or () for name in cores_given(text)]
        return able_cores(platform, wanted)

    def own(self, request: Request) -> tuple[StandIn, ...]:
        """The user's own functions; a usage error says why one cannot be ranked."""
        with usage("--also"):
            return stand_ins(request, self.also or ())

    @property
    def search(self) -> bool:
        """Whether several flags are tried."""
        return self.flags == "search"

    @property
    def variants(self) -> tuple[Flags, ...]:
        """The flags to try."""
        with usage("--flags"):
            return variants_of(self.flags)


@dataclass(frozen=True)
class ResultOptions:
    """Files to write."""

    plot_file: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="<file.png|svg>",
            help="Draw cycles against flash into this file. [none]",
        ),
    ] = None
    html_file: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="<file.html>", help="Write the answer as a web page. [none]"
        ),
    ] = None
    emit: Annotated[
        Path | None,
        typer.Option(
            "--emit", metavar="<folder>", help="Write the winner as a drop-in in C. [none]"
        ),
    ] = None
    force: Force = False

    def check(self) -> None:
        """Raise a usage error for pictures and pages that could not be written afterwards."""
        check_picture(self.plot_file)
        if self.html_file is not None:
            from ..report import page  # start-up time

            check_picture(self.html_file, "--html", page.SUFFIXES)
