# SPDX-License-Identifier: MIT
"""Which flip-flops of a soft processor depend on secrets while it runs a masked function.

Every lane of a word holds the same shares and random bits, and one call is made for each of their
values.  So the chance of each bit and of each of its changes is counted, and not estimated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..counting.arguments import Number
from ..counting.foreign import function_in
from ..platforms.platform import Platform
from ..proving.masked.shared import SharedArgument, shared_arguments
from .flip_flops import FlipFlopRun, flip_flops, run

MOST_VARIABLES = 10
"""Calls are 2 to this power at most."""


@dataclass(frozen=True)
class DependentFlipFlop:
    """A register of the Verilog, or a word of a memory, with bits that depend on secrets."""

    name: str
    instructions: tuple[int, ...]
    """Offsets in the function of the instructions that were in progress, in order."""


@dataclass(frozen=True)
class FlipFlopsFound:
    """What all calls of a function showed."""

    platform: str
    bits: int
    """Flip-flops, those of memories included."""
    cycles: int
    calls: int
    values: tuple[DependentFlipFlop, ...]
    """Whose value depends on a secret,"""
    changes: tuple[DependentFlipFlop, ...]
    """or whose change does."""


def dependent_flip_flops(
    platform: Platform, files: Sequence[Path], function: str, texts: Sequence[str]
) -> FlipFlopsFound:  # fmt: skip
    """Call a function over words, which are shares, random or numbers, with all values."""
    arguments = shared_arguments(texts)
    drawn = [at for at, one in enumerate(arguments) if one.role != "public"]
    if len(drawn) > MOST_VARIABLES or not all(map(_is_word, arguments)):
        raise ValueError(
            f"give words alone, {MOST_VARIABLES} of them shares or random at most: share:NAME, "
            "random, secret, int:N"
        )
    given = list(product((0, 1), repeat=len(drawn)))
    with function_in(platform, files, function) as called:
        calls = [_words(arguments, dict(zip(drawn, bits, strict=True))) for bits in given]
        runs = list(run(called.image, platform, called.address, calls))
    cycles = sorted({len(one.retired) for one in runs})
    if len(cycles) > 1:
        raise ValueError("calls take different numbers of cycles for different values")
    secrets = [_secrets(arguments, dict(zip(drawn, bits, strict=True))) for bits in given]
    classes = [np.array([one == some for one in secrets]) for some in sorted(set(secrets))]
    states = np.stack([one.bits for one in runs])
    bits = sum(one.bits for one in flip_flops(str(platform.cpu)))
    values, changes = (
        _named(platform, runs[0], called.address, _depends(some, classes))
        for some in (states[:, 1:], states[:, 1:] ^ states[:, :-1])
    )
    return FlipFlopsFound(platform.name, bits, cycles[0], len(calls), values, changes)


def _is_word(one: SharedArgument) -> bool:
    return one.is_word and (one.role != "public" or isinstance(one.given, Number))


def _words(arguments: Sequence[SharedArgument], bits: dict[int, int]) -> list[int]:
    return [
        0xFFFF_FFFF * bits[at] if at in bits else one.given.value
        for at, one in enumerate(arguments)
        if isinstance(one.given, Number)
    ]


def _secrets(arguments: Sequence[SharedArgument], bits: dict[int, int]) -> tuple[int, ...]:
    """A bit of each secret: the sum of its shares."""
    names = {at: one.name or str(at) for at, one in enumerate(arguments) if one.role != "random"}
    return tuple(
        reduce(xor, [bits[at] for at in bits if names.get(at) == name])
        for name in dict.fromkeys(names[at] for at in bits if at in names)
    )


def _depends(
    bits: NDArray[np.uint8], classes: Sequence[NDArray[np.bool_]]
) -> NDArray[np.bool_]:  # fmt: skip
    """By cycle and bit, whether the ones are not as many for each value of the secrets."""
    counted = np.stack([bits[one].sum(axis=0, dtype=np.int64) for one in classes])
    found: NDArray[np.bool_] = counted.max(axis=0) != counted.min(axis=0)
    return found


def _named(
    platform: Platform, first: FlipFlopRun, entry: int, depends: NDArray[np.bool_]
) -> tuple[DependentFlipFlop, ...]:  # fmt: skip
    names = flip_flops(str(platform.cpu))
    at = depends.shape[1] - sum(one.width for one in names)
    found = []
    for one in names:
        cycles = np.flatnonzero(depends[:, at : at + one.width].any(axis=1)).tolist()
        at += one.width
        if cycles:
            done = (first.in_progress(cycle + 1) for cycle in cycles)
            offsets = dict.fromkeys(at - entry for at in done if at)
            found.append(DependentFlipFlop(one.name, tuple(offsets)))
    return tuple(found)
