# SPDX-License-Identifier: MIT
"""The options of `aesfit fit`, and the arguments of `aesfit.fit` that they make.

An option has the name of its argument; a usage error says what is wrong with the given text.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import click

from ..choosing.request import OBJECTIVES, TIMING_LIMITS, PacketSizes
from ..units import parse_key_changes, parse_packets, parse_rate, parse_share
from .common import check_picture, cores_given, payload_size, size_given, usage
from .declared import Asked, Option
from .options import ChipOptions, Force, Ghash, KeyBits, NoProof, Stored

Value = TypeVar("Value")
PlatformOrThis = Annotated[
    str | None,
    Option(metavar="<p>", help="Platform by name or TOML file. [this computer, on x86-64]"),
]
CostedFile = Annotated[
    Path | None,
    Option(
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
        Option(
            metavar="<mode>",
            help="ecb, cbc, ctr, xts, cmac, ccm, gcm ...; block: the block cipher alone. [ccm]",
        ),
    ] = None
    payload_bytes: Annotated[
        int | None,
        Option(
            "--bytes",
            metavar="<n>",
            help="Payload bytes of one message. [1504]",
            parser=payload_size,
        ),
    ] = None
    packets: Annotated[
        str | None,
        Option(
            metavar="<64:7,1504:1>",
            help="Payload bytes and shares of packets, instead of --bytes. [none]",
        ),
    ] = None
    key_bits: KeyBits = 128
    encrypt_only: Annotated[bool, Option("--encrypt-only", help="Leave out decryption.")] = False
    messages_per_key: Annotated[
        str,
        Option(
            "--key-changes",
            metavar="<n>|never",
            help="Messages per key; key set-up is charged to them.",
        ),
    ] = "never"
    ghash: Ghash = None

    def asked(self) -> Asked:
        """Arguments; a usage error says what is wrong with a text."""
        every = _quantity(parse_key_changes, self.messages_per_key, "--key-changes")
        return {**asdict(self), "packets": self._sizes(), "messages_per_key": every}

    def _sizes(self) -> PacketSizes:
        """Sizes and shares of a mix of packets; empty where all have one size."""
        if self.packets is None:
            return ()
        with usage("--packets"):
            return parse_packets(self.packets)


@dataclass(frozen=True)
class LimitOptions:
    """Limits."""

    max_flash_bytes: Annotated[
        str | None,
        Option("--max-flash", metavar="<4K>", help="Limit of code and tables in bytes. [any]"),
    ] = None
    max_ram_bytes: Annotated[
        str | None,
        Option("--max-ram", metavar="<1K>", help="Limit of keys and stack in bytes. [any]"),
    ] = None
    timing: Annotated[
        str | None,
        Option(
            metavar="|".join(TIMING_LIMITS),
            help="Only cores whose timing is proved independent of the key; independent: without "
            "a proof too; any: all, by cost. [all, the proved first]",
        ),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a size that is none."""
        return {
            "max_flash_bytes": size_given(self.max_flash_bytes, "--max-flash"),
            "max_ram_bytes": size_given(self.max_ram_bytes, "--max-ram"),
            "timing": self.timing,
        }


@dataclass(frozen=True)
class GoalOptions:
    """Objective and speed."""

    objective: Annotated[
        str, Option(metavar="|".join(OBJECTIVES), help="Quantity to minimise.")
    ] = "cycles"
    rate_bit_per_s: Annotated[
        str | None,
        Option("--rate", metavar="<54Mbit/s>", help="Required payload bits per second. [any]"),
    ] = None
    deadline: Annotated[
        str | None,
        Option(
            metavar="<192us>",
            help="Say whether one message is done in time: us, ms or cycles. [none]",
        ),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a rate that is none."""
        rate = _quantity(parse_rate, self.rate_bit_per_s, "--rate")
        told = {"objective": self.objective, "deadline": self.deadline}
        return {**told, "rate_bit_per_s": rate}


@dataclass(frozen=True)
class SweptChipOptions(ChipOptions):
    """Chip."""

    clock_hz: Annotated[
        str | None,
        Option(
            "--clock",
            metavar="<24MHz>|sweep",
            help="Clock in Hz, kHz or MHz; sweep: all of a chip's. [its highest]",
        ),
    ] = None
    stored: Stored = False

    @property
    def sweeps(self) -> bool:
        """Whether the question is asked for all clocks of the chip."""
        return self.clock_hz == "sweep"

    def asked(self) -> Asked:
        """Arguments; without the clock in a sweep."""
        return {"buffers": self.buffers} if self.sweeps else super().asked()


@dataclass(frozen=True)
class BurstOptions:
    """Bursts behind a data cache."""

    calls_per_burst: Annotated[
        int | None,
        Option(
            metavar="<n>",
            help="Blocks processed before other code evicts the caches. [a message]",
            min=1,
        ),
    ] = None
    evicted: Annotated[
        str | None,
        Option(metavar="<100%>", help="Fraction of cache lines evicted between bursts. [100%]"),
    ] = None
    explain: Annotated[
        bool,
        Option("--explain", help="Show the expected cache misses of the best two cores."),
    ] = False

    def asked(self) -> Asked:
        """Arguments; a usage error for a share that is none."""
        return {**asdict(self), "evicted": _quantity(parse_share, self.evicted, "--evicted")}


@dataclass(frozen=True)
class CoreOptions:
    """Cores and compiler."""

    cores: Annotated[
        list[str] | None,
        Option("--core", metavar="<core,..>", help="Only these cores. [all but for papers]"),
    ] = None
    also: Annotated[
        list[str] | None,
        Option(
            metavar="<file:function>",
            help="Rank a function of your own objects too: my_aes.o:my_encrypt:key,in,out; "
            "repeatable. [none]",
        ),
    ] = None
    flags: Annotated[
        str | None,
        Option(
            metavar="<flags>|search",
            help="Optimisation flags, as one word; search: try several. [the platform's]",
        ),
    ] = None
    hardware: Annotated[
        bool, Option("--hardware", help="Compare with published cycles of the chip's AES engines.")
    ] = False

    def asked(self) -> Asked:
        """Arguments."""
        named = [name for text in self.cores or () for name in cores_given(text)]
        told = {"cores": named or None, "also": self.also or (), "flags": self.flags}
        return {**told, "hardware": self.hardware}

    @property
    def search(self) -> bool:
        """Whether several flags are tried."""
        return self.flags == "search"


@dataclass(frozen=True)
class ResultOptions:
    """Files to write."""

    plot_file: Annotated[
        Path | None,
        Option(
            "--plot",
            metavar="<file.png|svg>",
            help="Draw cycles against flash into this file. [none]",
        ),
    ] = None
    html_file: Annotated[
        Path | None,
        Option("--html", metavar="<file.html>", help="Write the answer as a web page. [none]"),
    ] = None
    emit: Annotated[
        Path | None,
        Option("--emit", metavar="<folder>", help="Write the winner as a drop-in in C. [none]"),
    ] = None
    force: Force = False
    no_proof: NoProof = False

    def check(self) -> None:
        """Raise a usage error for files that could not be written afterwards."""
        check_picture(self.plot_file)
        if self.html_file is not None:
            from ..report import page  # start-up time

            check_picture(self.html_file, "--html", page.SUFFIXES)
        if self.emit is not None:
            from ..emitting.write import check_folder  # start-up time

            with usage():
                check_folder(self.emit, force=self.force)
        elif self.force or self.no_proof:
            hint = "--force" if self.force else "--no-proof"
            raise click.BadParameter("nothing is written; give --emit too", param_hint=hint)
