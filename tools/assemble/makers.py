# SPDX-License-Identifier: MIT
"""All ways to make each value of a program: its operations, and sums that come to the same.

A value that was given up may be cheaper to compute again from two others than to store and load.
Which sums come to the same is found by running the program on random words.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .program import KEY, Operation, Program, rotate_right

SAMPLES = 4
"""Runs of the program that sums are compared in: 128 bits of each value."""

Sample = tuple[int, ...]


def samples(program: Program) -> dict[str, Sample]:
    """Values of some runs on random words."""
    chance = random.Random(1)  # noqa: S311 - nothing secret
    runs = [
        program.values(
            [chance.getrandbits(32) for name in program.inputs if name != KEY],
            [chance.getrandbits(32) for _ in range(8)],
        )
        for _ in range(SAMPLES)
    ]
    return {name: tuple(run[name] for run in runs) for name in runs[0]}


def _packed(sample: Iterable[int]) -> int:
    """Words side by side in one number, so that one operation adds all of them."""
    return sum(word << (32 * at) for at, word in enumerate(sample))


def _sums(program: Program) -> Iterator[Operation]:
    """Sums of two values, the second one rotated as the program rotates, that are a third one."""
    found = samples(program)
    apart = {one.out for one in program.operations if one.name == "point"}
    keys = {name for one in program.operations if one.is_key for name in one.outs}
    summable = [name for name in found if name not in apart]
    amounts = {0} | {one.amount for one in program.operations if one.shift == "ror" and one.b}
    packed = {name: _packed(found[name]) for name in summable}
    by_value = {packed[name]: name for name in summable if name not in keys}
    for b in summable:
        for amount in sorted(amounts):
            turned = _packed(rotate_right(x, amount) for x in found[b])
            for a in summable:
                out = by_value.get(packed[a] ^ turned)
                if out and out not in (a, b) and (amount or a < b):
                    yield Operation("eor", out, a, b, amount=amount)


def makers(program: Program) -> dict[str, Operation]:
    """Operations by the names that schedules call them by."""
    found = {one.out: one for one in program.operations}
    shapes = {(one.name, one.out, *sorted((one.a, one.b)), one.amount) for one in found.values()}
    for one in _sums(program):
        if ("eor", one.out, *sorted((one.a, one.b)), one.amount) not in shapes:
            shift = f"@{one.amount}" if one.amount else ""
            found[f"{one.out}={one.a}^{one.b}{shift}"] = one
    for one in program.operations:
        if one.name == "keys":
            for i, name in enumerate(one.outs):
                found[f"{name}=key"] = replace(
                    one, name="key", out=name, more=(), immediate=one.immediate + i
                )
    return found


def faults(program: Program, found: Mapping[str, Operation]) -> list[str]:
    """Makers whose result is not the value that they are a maker of."""
    chance = random.Random(2)  # noqa: S311 - nothing secret
    words = [chance.getrandbits(32) for name in program.inputs if name != KEY]
    key = [chance.getrandbits(32) for _ in range(8)]
    values = program.values(words, key)
    return [
        name
        for name, one in found.items()
        if one.results(values, key) != tuple(values[out] for out in one.outs)
    ]
