# SPDX-License-Identifier: MIT
"""Seeks the program of Doomun et al. among all shapes of its functions, by their code sizes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import log

from aesfit.jobs.job import Progress

from ..instruction_counts.code_sizes import pentium_4
from ..instruction_counts.functions import PUBLISHED
from ..instruction_counts.shapes import OPTIMISED, PLAIN, WAYS, sizes
from .cells import figure
from .contract import Row
from .images import FULL
from .images import PLAIN as PLAIN_CORE

LEVELS = ("-O0", "-O1", "-Os", "-O2", "-O3")
BEFORE, AFTER = "unoptimised", "optimised"
FORMS: Mapping[str, tuple[Mapping[str, tuple[str, ...]], str]] = {
    BEFORE: (PLAIN, PLAIN_CORE),
    AFTER: (OPTIMISED, FULL),
}
TOLD = 11
"""The best program and the ten next."""
Program = tuple[str, dict[tuple[str, str], str]]
"""A level, and the shape of each form and function."""


def size_rows(progress: Progress = lambda done, total: None) -> list[Row]:
    """Every shape at every level of gcc for a Pentium 4."""
    made: list[Row] = []
    for done, level in enumerate(LEVELS):
        progress(done, len(LEVELS))
        here = sizes(pentium_4(level))
        for form, (shapes, core) in FORMS.items():
            made += [
                {"flags": level, "function": function, "form": form, "shape": shape,
                 "bytes": here[shape], "published": PUBLISHED[core][function]}
                for function, some in shapes.items() for shape in some
            ]  # fmt: skip
    return made


def programs(level: str) -> Iterator[Program]:
    """Every program of one level."""
    loops = zip(PLAIN["AddRoundKey"], PLAIN["SubBytes"], strict=True)
    out = zip(OPTIMISED["AddRoundKey"], OPTIMISED["SubBytes"], strict=True)
    shifts = zip(OPTIMISED["ShiftRows"], OPTIMISED["InvShiftRows"], strict=True)
    mixed, unrolled = _by_way(PLAIN), _by_way(OPTIMISED)
    for keys, (add, sub), shift, (add_out, sub_out), (shift_out, inv_shift), way in product(
        PLAIN["KeyExpansion"], [*loops], PLAIN["ShiftRows"], [*out], [*shifts], WAYS
    ):
        for (mix, inv_mix), (mix_out, inv_out) in product(mixed[way], unrolled[way]):
            yield (
                level,
                {
                    (BEFORE, "KeyExpansion"): keys,
                    (BEFORE, "AddRoundKey"): add,
                    (BEFORE, "SubBytes"): sub,
                    (BEFORE, "ShiftRows"): shift,
                    (BEFORE, "MixColumns"): mix,
                    (BEFORE, "InvMixColumns"): inv_mix,
                    (AFTER, "KeyExpansion"): OPTIMISED["KeyExpansion"][0],
                    (AFTER, "AddRoundKey"): add_out,
                    (AFTER, "SubBytes"): sub_out,
                    (AFTER, "ShiftRows"): shift_out,
                    (AFTER, "InvShiftRows"): inv_shift,
                    (AFTER, "MixColumns"): mix_out,
                    (AFTER, "InvMixColumns"): inv_out,
                },
            )


def _by_way(shapes: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[str, str]]]:
    """Shapes of MixColumns and its inverse together, by how products are made."""
    pairs = list(zip(shapes["MixColumns"], shapes["InvMixColumns"], strict=True))
    return {way: [pair for pair in pairs if f"mix_{way}_" in pair[0]] for way in WAYS}


def ranked(rows: Sequence[Row]) -> list[tuple[float, Program]]:
    """All programs, the nearest first, each with its distance."""
    away = {
        (row["flags"], row["form"], row["function"], row["shape"]): abs(
            log(figure(row["bytes"]) / figure(row["published"]))
        )
        for row in rows
    }
    found = [
        (sum(away[level, *at, shape] for at, shape in one.items()) / len(one), (level, one))
        for level in LEVELS
        for _, one in programs(level)
    ]
    return sorted(found, key=lambda each: each[0])


def nearest() -> list[Program]:
    """The program found and the ten next, from sizes measured now."""
    return [program for _, program in ranked(size_rows())[:TOLD]]
