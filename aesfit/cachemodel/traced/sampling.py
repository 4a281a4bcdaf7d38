# SPDX-License-Identifier: MIT
"""Calls a function of an ELF file with many inputs, and records the data it accesses.

Buffers keep their addresses: `random:` and `chunk:` get new bytes before each call, and all other
memory stays as the last call left it, as with `aesfit count --repeat`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...counting.arguments import Argument, Buffer, Drawn, VariedArgument
from ...counting.call import place
from ...counting.count import loaded
from ...counting.foreign import Function
from ...jobs.message import made_up
from ...measuring.trace import FETCH, LOAD, SKIPPED, STORE
from ...platforms.platform import Platform
from ...rigs.emulator.machine import Machine
from ...rigs.emulator.recording import Recorded
from ..first_reads import RECORD

INPUTS = 256
"""Calls from which a version is derived; half of them give the shares, the others test them."""
LONGEST_CALL = 100_000
"""Limit of instructions per call, with which the loads of all calls take up to 1 GB."""
_WORDS = 64
"""Above the accesses of any instruction; site = address * _WORDS + number of the access."""
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class TracedFunction:
    """The function to call, and its arguments."""

    platform: Platform
    files: tuple[Path, ...]
    function: str
    arguments: tuple[VariedArgument, ...]


@dataclass(frozen=True)
class DataAccesses:
    """Loads or stores of one call in order; arrays of one length."""

    site: Integers
    """Site: which access of which instruction; instruction() gives its address."""
    address: Integers
    size: Integers
    place: Integers
    """Position among all data accesses of the call."""


@dataclass(frozen=True)
class SampledCall:
    """One call."""

    recorded: Recorded
    """Loads and stores of a call; records and order are kept only if pricing needs them."""
    loads: DataAccesses
    stores: DataAccesses
    code: frozenset[tuple[int, int]]
    """(address, bytes) of the executed instructions."""


def instruction(site: int) -> int:
    """Address of the instruction that a site belongs to."""
    return site // _WORDS


def check_arguments(arguments: Sequence[VariedArgument]) -> None:
    """Raise ValueError if no input varies from call to call."""
    if not any(isinstance(one, Drawn) for one in arguments):
        raise ValueError(
            "tables are found by inputs that vary, but no argument does; give one as random:SIZE"
        )


class Sampler:
    """A machine loaded with the function and its buffers."""

    def __init__(self, asked: TracedFunction, called: Function) -> None:
        """Load the image; the buffers are aligned as those of `aesfit count`."""
        self.machine: Machine = loaded(asked.platform, called)
        self._called, self._drawn = called, list[tuple[int, int, Drawn]]()
        blank = [_blank(one) for one in asked.arguments]
        self.values, places = place(self.machine, blank)
        self.buffers = {
            at: (places[at], len(one.content))
            for at, one in enumerate(blank)
            if isinstance(one, Buffer)
        }
        """Address and bytes by position of the argument, from 0."""
        for at, one in enumerate(asked.arguments):
            if isinstance(one, Drawn):
                self._drawn.append((at, places[at], one))

    def call(self, number: int) -> Recorded:
        """The call with the input of that number, with all its records."""
        for at, address, one in self._drawn:
            self.machine.write(address, _input(one, at, number))
        done = self.machine.call(
            self._called.address, *self.values, limit=LONGEST_CALL, record=True
        )
        return Recorded(done, self.machine.records(), self.machine.order())


def _blank(argument: VariedArgument) -> Argument:
    return Buffer(bytes(argument.size)) if isinstance(argument, Drawn) else argument


def _input(drawn: Drawn, position: int, number: int) -> bytes:
    """Pseudo-random bytes, or a chunk at a pseudo-random place of the source."""
    label = f"traced argument {position} of call {number}"
    if drawn.source is None:
        return made_up(label, drawn.size)
    at = int.from_bytes(made_up(label, 8), "little") % (len(drawn.source) - drawn.size + 1)
    return drawn.source[at : at + drawn.size]


def sampled(sampler: Sampler, calls: int = INPUTS, *, keep: bool = False) -> Iterator[SampledCall]:
    """Calls with the inputs 0, 1, 2 ...; `keep`: with their records."""
    for number in range(calls):
        done = sampler.call(number)
        records = np.frombuffer(done.records, RECORD)
        slim = done if keep else replace(done, records=b"", order=b"")
        loads, stores = _data(records)
        yield SampledCall(slim, loads, stores, _code(records))


def _data(records: NDArray[np.void]) -> tuple[DataAccesses, DataAccesses]:
    """Extract loads and stores; each belongs to the instruction recorded before it."""
    kind = records["kind"]
    number = np.arange(len(records))
    data = np.isin(kind, (LOAD, STORE))
    before = np.maximum.accumulate(np.where(data, 0, number))
    site = records["address"][before].astype(np.int64) * _WORDS + (number - before)
    place = np.cumsum(data) - 1

    def of(wanted: int) -> DataAccesses:
        some = kind == wanted
        address, size = (records[name][some].astype(np.int64) for name in ("address", "size"))
        return DataAccesses(site[some], address, size, place[some])

    return of(LOAD), of(STORE)


def _code(records: NDArray[np.void]) -> frozenset[tuple[int, int]]:
    code = np.unique(records[np.isin(records["kind"], (FETCH, SKIPPED))][["address", "size"]])
    return frozenset((int(address), int(size)) for address, size in code.tolist())
