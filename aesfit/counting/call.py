# SPDX-License-Identifier: MIT
"""A call of a counted function: its arguments in memory, and what was counted in words."""

from collections.abc import Mapping, Sequence

from ..rigs.firing import Processor
from .arguments import Argument, Buffer, Number, outputs
from .foreign import Function

_ALIGNMENT = 8
"""Bytes, of every buffer: a word, and what both calling conventions ask of a double word."""


def place(machine: Processor, arguments: Sequence[Argument]) -> tuple[list[int], dict[int, int]]:
    """Values of the arguments, and the addresses of the buffers among them by position."""
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
    """What the calls left in the buffers that are shown, by position of the argument from 1."""
    found = {}
    for at in outputs(arguments):
        argument = arguments[at]
        size = len(argument.content) if isinstance(argument, Buffer) else 0
        found[at + 1] = machine.read(places[at], size)
    return found


def window(called: Function, result: int, *, include_call: bool = False) -> str:
    """What was counted, in words."""
    left_out = "; static constructors were not run" if called.constructors else ""
    first = "the caller's call instruction" if include_call else "its first instruction"
    told = f"one call of {called.name}, from {first} to its return"
    return f"{told}, which gave {result:#x}{left_out}"
