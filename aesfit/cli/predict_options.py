# SPDX-License-Identifier: MIT
"""The groups of options of `aesfit predict`, and the parts of the question that they make."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from ..api.own_code import OwnFunctions, own_code
from ..api.predict import LONGEST, policy_of, traffic_of
from ..cachemodel.versions import hierarchy
from ..caches.cache import Hierarchy, Replacement
from ..choosing.request import GivenCache
from ..counting.arguments import VARIED_FORMS
from ..platforms.platform import Platform
from ..units import parse_key_changes
from .common import names_given, size_given, usage

if TYPE_CHECKING:
    from ..cachemodel.traffic import Packets

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
        typer.Option(
            metavar="|".join(get_args(Replacement)),
            help="Replacement policy. [the platform's, or lru]",
        ),
    ] = None
    critical_word_first: Annotated[
        bool,
        typer.Option(
            "--critical-word-first",
            help="Model critical word first: the missed word arrives first.",
        ),
    ] = False
    icache: Annotated[
        str | None,
        typer.Option(
            metavar="<16K>", help="Size of the instruction cache in bytes. [the platform's]"
        ),
    ] = None

    def hierarchy(self, platform: Platform, cache: GivenCache) -> Hierarchy:
        """The caches in bursts; ValueError for missing or invalid values."""
        return hierarchy(
            platform,
            line=cache.line,
            penalty=cache.penalty,
            ways=cache.ways,
            size=cache.size,
            replacement=self._policy(),
            critical_word_first=self.critical_word_first,
            icache=size_given(self.icache, "--icache"),
        )

    def _policy(self) -> Replacement | None:
        with usage("--replacement"):
            return policy_of(self.replacement)


@dataclass(frozen=True)
class TrafficOptions:
    """Bursts and packets."""

    calls_per_burst: Annotated[
        str,
        typer.Option(
            metavar="<1:1024>", help="Blocks processed before other code evicts the caches."
        ),
    ] = "1:1024"
    evicted: Annotated[
        str,
        typer.Option(metavar="<100%>", help="Fraction of the cache lines evicted between bursts."),
    ] = "100%"
    packets: Annotated[
        str | None,
        typer.Option(
            metavar="<64:7,1504:1>", help="Payload bytes and shares of packets, with --mode. [none]"
        ),
    ] = None
    key_changes: Annotated[
        str,
        typer.Option(metavar="<n>|never", help="Packets per key; key set-up is charged to them."),
    ] = "never"

    def traffic(self, mode: str | None) -> "Packets | None":
        """The packets, if asked for; ValueError if they make no sense."""
        from ..cachemodel.traffic import parse_sizes  # start-up time

        sizes = () if self.packets is None else parse_sizes(self.packets)
        return traffic_of(sizes, parse_key_changes(self.key_changes), mode)


@dataclass(frozen=True)
class OwnCodeOptions:
    """Your own code.  In the place of cores, functions whose tables are found in their trace."""

    elf: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="<file>", help="An executable, or object files to link; repeatable. [none]"
        ),
    ] = None
    function: Annotated[
        str | None,
        typer.Option(
            metavar="<name,..>", help="Functions to compare, called with one --arg list. [none]"
        ),
    ] = None
    arg: Annotated[
        list[str] | None, typer.Option(metavar="<arg>", help=_ARGUMENT_HELP, show_default=False)
    ] = None
    tables: Annotated[
        str | None,
        typer.Option(metavar="auto", help="How tables are found: auto, by the data trace. [auto]"),
    ] = None

    def functions(self, platform: Platform) -> OwnFunctions | None:
        """The question about the user's own files; None without files."""
        if self.tables not in (None, "auto"):
            raise ValueError(f"tables are found by --tables auto alone, not {self.tables}")
        if self.tables and not self.elf:
            raise ValueError("tables are found in an ELF file; give --elf too")
        names = () if self.function is None else names_given(self.function, "--function")
        return own_code(platform, self.elf or (), names, self.arg or ())
