# SPDX-License-Identifier: MIT
"""Functions of an ELF file in the place of cores, or beside them: what is asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..choosing.own_code import check_own_code
from ..choosing.request import Request
from ..counting.arguments import VariedArgument, parse_varied
from ..counting.stand_in import StandIn, parse_stand_ins
from ..platforms.platform import Platform, counted
from .arguments import need_emulator


@dataclass(frozen=True)
class OwnFunctions:
    """Functions of an ELF file whose time is predicted, all called alike."""

    platform: Platform
    files: tuple[Path, ...]
    functions: tuple[str, ...]
    arguments: tuple[VariedArgument, ...]


def own_code(
    platform: Platform, files: Sequence[Path], functions: Sequence[str], arguments: Sequence[str]
) -> OwnFunctions | None:
    """What is asked of one's own files; None where there are none; ValueError for a part of it."""
    if not files:
        if functions or arguments:
            raise ValueError("a function and its arguments are of an ELF file; give --elf too")
        return None
    if not functions:
        raise ValueError("an ELF file has many functions; name those to compare with --function")
    given = parse_varied(arguments)
    return OwnFunctions(counted(platform), tuple(files), tuple(functions), given)


def check_own(others: object) -> None:
    """ValueError where `others` asks for cores, modes, keys or packets beside own functions."""
    if others:
        raise ValueError(
            "a function of an ELF file is called as it is; leave --core, --mode, --key-bits, "
            "--packets and --key-changes out"
        )


def stand_ins(request: Request, also: Sequence[str]) -> tuple[StandIn, ...]:
    """Functions to rank beside the cores; ValueError where that cannot be done."""
    if not also:
        return ()
    need_emulator()
    found = parse_stand_ins(also)
    check_own_code(request, found)
    return found
