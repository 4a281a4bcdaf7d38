# SPDX-License-Identifier: MIT
"""The groups of options of `aesfit predict`, and the parts of the question that they make."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, get_args

from ..api.predict import LONGEST
from ..caches.cache import Replacement
from ..choosing.request import PacketSizes
from ..counting.arguments import VARIED_FORMS
from ..units import parse_key_changes, parse_packets, parse_share
from .common import names_given, size_given, usage
from .declared import Asked, Option

_ARGUMENT_HELP = (
    f"An argument, in order: {VARIED_FORMS}.  random and chunk point to other bytes in each call: "
    "random ones, or a part of a file; the others are as in `aesfit count`."
)


def parse_calls(text: str) -> tuple[int, int]:
    """Parse the shortest and longest burst: "1:1024", or one length."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?", text, re.ASCII)
    first = int(found[1]) if found else 0
    last = int(found[2]) if found and found[2] else first
    if not 1 <= first <= last <= LONGEST:
        raise ValueError(f"'{text}' is not a range of calls; give 1:1024, up to {LONGEST}")
    return first, last


@dataclass(frozen=True)
class ModelOptions:
    """Cache model.  Without an option the platform's own value holds."""

    replacement: Annotated[
        str | None,
        Option(
            metavar="|".join(get_args(Replacement)),
            help="Replacement policy. [the platform's, or lru]",
        ),
    ] = None
    critical_word_first: Annotated[
        bool,
        Option(
            "--critical-word-first",
            help="Model critical word first: the missed word arrives first.",
        ),
    ] = False
    instruction_cache_bytes: Annotated[
        str | None,
        Option(
            "--icache",
            metavar="<16K>",
            help="Size of the instruction cache in bytes. [the platform's]",
        ),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a size that is none."""
        size = size_given(self.instruction_cache_bytes, "--icache")
        return {**asdict(self), "instruction_cache_bytes": size}


@dataclass(frozen=True)
class TrafficOptions:
    """Bursts and packets."""

    calls: Annotated[
        str,
        Option(
            "--calls-per-burst",
            metavar="<1:1024>",
            help="Blocks processed before other code evicts the caches.",
        ),
    ] = "1:1024"
    evicted: Annotated[
        str,
        Option(metavar="<100%>", help="Fraction of the cache lines evicted between bursts."),
    ] = "100%"
    packets: Annotated[
        str | None,
        Option(
            metavar="<64:7,1504:1>", help="Payload bytes and shares of packets, with --mode. [none]"
        ),
    ] = None
    messages_per_key: Annotated[
        str,
        Option(
            "--key-changes",
            metavar="<n>|never",
            help="Packets per key; key set-up is charged to them.",
        ),
    ] = "never"

    def asked(self) -> Asked:
        """Arguments; a usage error says what is wrong with a text."""
        with usage():
            return {
                "calls": parse_calls(self.calls),
                "evicted": parse_share(self.evicted),
                "packets": self.sizes(),
                "messages_per_key": parse_key_changes(self.messages_per_key),
            }

    def sizes(self) -> PacketSizes:
        """Sizes and shares of packets; empty where none are given."""
        if self.packets is None:
            return ()
        return parse_packets(self.packets)


@dataclass(frozen=True)
class OwnCodeOptions:
    """Your own code.  In the place of cores, functions whose tables are found in their trace."""

    elf: Annotated[
        list[Path] | None,
        Option(metavar="<file>", help="An executable, or object files to link; repeatable. [none]"),
    ] = None
    function: Annotated[
        str | None,
        Option(
            metavar="<name,..>", help="Functions to compare, called with one --arg list. [none]"
        ),
    ] = None
    arguments: Annotated[
        list[str] | None,
        Option("--arg", metavar="<arg>", help=_ARGUMENT_HELP, show_default=False),
    ] = None
    tables: Annotated[
        str | None,
        Option(metavar="auto", help="How tables are found: auto, by the data trace. [auto]"),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for tables that are found in another way."""
        with usage():
            if self.tables not in (None, "auto"):
                raise ValueError(f"tables are found by --tables auto alone, not {self.tables}")
            if self.tables and not self.elf:
                raise ValueError("tables are found in an ELF file; give --elf too")
        names = None if self.function is None else names_given(self.function, "--function")
        return {"elf": self.elf or (), "function": names, "arguments": self.arguments or ()}
