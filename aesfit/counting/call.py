# SPDX-License-Identifier: MIT
"""A call of a counted function: places its arguments in memory, and describes the window."""

from collections.abc import Mapping, Sequence

from ..rigs.firing import Processor
from .arguments import ALIGNMENT, Argument, Buffer, Number, Same, Struct, Symbol, outputs
from .foreign import Function


def place(machine: Processor, arguments: Sequence[Argument]) -> tuple[list[int], dict[int, int]]:
    """Values of the arguments, and the addresses of buffers by position."""
    values: list[int] = []
    places: dict[int, int] = {}
    for at, argument in enumerate(arguments):
        if isinstance(argument, Buffer | Struct):
            values.append(_placed(machine, argument, values))
            places[at] = values[-1]
        else:
            values.append(_word(machine, argument, values))
    return values, places


def _placed(machine: Processor, argument: Buffer | Struct, values: Sequence[int]) -> int:
    """The address of memory of its own."""
    if isinstance(argument, Buffer):
        address = machine.reserve(len(argument.content), ALIGNMENT)
        machine.write(address, argument.content)
        return address
    address = machine.reserve(argument.layout()[1], ALIGNMENT)
    _fill(machine, argument, address, values)
    return address


def _fill(machine: Processor, struct: Struct, address: int, values: Sequence[int]) -> None:
    """Write the words of a struct, and behind them what they point to."""
    for at, (word, offset) in enumerate(zip(struct.words, struct.layout()[0], strict=True)):
        value = address + offset
        if isinstance(word, Buffer):
            machine.write(value, word.content)
        elif isinstance(word, Struct):
            _fill(machine, word, value, values)
        else:
            value = _word(machine, word, values)
        machine.write(address + 4 * at, value.to_bytes(4, "little"))


def _word(machine: Processor, word: Number | Same | Symbol, values: Sequence[int]) -> int:
    if isinstance(word, Symbol):
        return machine.symbol(word.name)
    return word.value if isinstance(word, Number) else values[word.index]


def written(
    machine: Processor, arguments: Sequence[Argument], places: Mapping[int, int]
) -> dict[int, bytes]:
    """Final contents of the output buffers, by argument position from 1."""
    return {
        at + 1: b"".join(machine.read(places[at] + offset, size) for offset, size in pieces)
        for at, pieces in outputs(arguments).items()
    }


def window(called: Function, result: int, *, include_call: bool = False) -> str:
    """A description of what was counted."""
    left_out = "; static constructors were not run" if called.constructors else ""
    first = "the caller's call instruction" if include_call else "its first instruction"
    told = f"one call of {called.name}, from {first} to its return"
    return f"{told}, which gave {result:#x}{left_out}"
