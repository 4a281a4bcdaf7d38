# SPDX-License-Identifier: MIT
"""A call of a counted function: places its arguments in memory, and describes the window."""

from collections.abc import Mapping, Sequence

from ..rigs.firing import Processor
from .arguments import Argument, Buffer, Number, outputs
from .foreign import Function

_ALIGNMENT = 8
"""Alignment of every buffer in bytes, enough for a double word in both calling conventions."""


def place(machine: Processor, arguments: Sequence[Argument]) -> tuple[list[int], dict[int, int]]:
    """Values of the arguments, and the addresses of buffers by position."""
    values: list[int] = []
    places: dict[int, int] = {}
    for at, argument in enumerate(arguments):
        if isinstance(argument, Number):
            values.append(argument.value)
        elif isinstance(argument, Buffer):
            places[at] = machine.reserve(len(argument.content), _ALIGNMENT)
            machine.write(places[at], argument.content)
            values.append(places[at])
        else:
            values.append(places[argument.index])
    return values, places


def written(
    machine: Processor, arguments: Sequence[Argument], places: Mapping[int, int]
) -> dict[int, bytes]:
    """Final contents of the output buffers, by argument position from 1."""
    found = {}
    for at in outputs(arguments):
        argument = arguments[at]
        size = len(argument.content) if isinstance(argument, Buffer) else 0
        found[at + 1] = machine.read(places[at], size)
    return found


def window(called: Function, result: int, *, include_call: bool = False) -> str:
    """A description of what was counted."""
    left_out = "; static constructors were not run" if called.constructors else ""
    first = "the caller's call instruction" if include_call else "its first instruction"
    told = f"one call of {called.name}, from {first} to its return"
    return f"{told}, which gave {result:#x}{left_out}"
