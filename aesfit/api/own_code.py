# SPDX-License-Identifier: MIT
"""Questions about functions of an ELF file, in place of cores or beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..choosing.request import Request
from ..counting.arguments import VariedArgument, parse_varied
from ..counting.own import OwnFunction, own_functions
from ..errors import ArgumentError, about
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
    """The question about own files; None without files; ValueError if it is incomplete."""
    if not files:
        if functions or arguments:
            raise ArgumentError("a function and its arguments are of an ELF file; give {elf} too")
        return None
    if not functions:
        raise ArgumentError("an ELF file has many functions; name those to compare with {function}")
    given = parse_varied(arguments)
    return OwnFunctions(counted(platform), tuple(files), tuple(functions), given)


def check_own(others: object) -> None:
    """Raise ValueError if `others` asks for cores, modes, keys or packets too."""
    if others:
        raise ArgumentError(
            "a function of an ELF file is called as it is; leave {cores}, {mode}, {key_bits}, "
            "{packets} and {messages_per_key} out"
        )


def own_functions_beside(request: Request, also: Sequence[str]) -> tuple[OwnFunction, ...]:
    """Functions to rank beside the cores; ValueError if they cannot be ranked."""
    if not also:
        return ()
    need_emulator()
    from ..choosing.own_code import check_own_code  # needs the emulator's packages

    with about("also"):
        found = own_functions(also)
        check_own_code(request, found)
    return found
