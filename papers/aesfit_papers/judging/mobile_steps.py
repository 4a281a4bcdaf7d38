# SPDX-License-Identifier: MIT
"""The optimisations of Javed's final implementation, one by one, as rows and as effects.

Each is a switch in one source (instruction_counts/variations.py): alone, added to those before it
in the paper's order (accumulated), or removed from all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named

from ..file_bench import javed
from ..file_bench.question import LEVELS, Flags
from ..instruction_counts.variations import IN_MEMORY, REGISTERS, SIX_TABLES, Switches, cost
from .cells import PLACE, figure, found
from .contract import LEFT_OUT, Column, Pair, Row
from .levels import place_of
from .mobile import PLATFORMS, level
from .place import ClaimPlace, in_row
from .provenance import measured

FIGURES = ("encrypt", "encrypt_moves", "decrypt", "decrypt_moves", "key_schedule", "code_bytes")
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("way"),
    Column("step"),
    Column("encrypt", "cycles"),
    Column("encrypt_moves"),
    Column("decrypt", "cycles"),
    Column("decrypt_moves"),
    Column("key_schedule", "cycles"),
    Column("code_bytes", "B"),
)
STEPS: Mapping[str, str] = {
    "products": "table of 2 x",
    "fused_shift": "SubBytes with ShiftRows",
    "fused_mix": "SubBytes with MixColumns",
    "words": "32-bit types",
    "local": "local buffers",
    "one_size": "one key size",
    "inline": "inlining",
    REGISTERS: "state in registers",
}
"""The steps in the paper's order, with their names in tables."""
NONE, ALONE, ADDED, WITHOUT, SIX = "none", "alone", "accumulated", LEFT_OUT, "six tables"
CORE = "core"
"""The "way" of rows for the cores of table 1, whose names are in the step column."""
WAYS = (ALONE, ADDED, WITHOUT)
TOLD = level(("-O2",))
"""The level of the other processors, and of charts and tables."""
PLACES: tuple[tuple[str, Flags], ...] = (
    *product(PLATFORMS[:1], LEVELS),
    *product(PLATFORMS[1:], ((TOLD,),)),
)
_OPS = {
    "encrypt": "encrypt-block",
    "decrypt": "decrypt-block",
    "key_schedule": "key-setup-encrypt",
}


@dataclass(frozen=True)
class SteppedVariation:
    """A variation: its way of combining steps, and the step it is about."""

    way: str
    step: str
    switches: Switches


def variations() -> tuple[SteppedVariation, ...]:
    """All variations measured in a place."""
    every = dict.fromkeys(STEPS, 1)
    in_memory = dict.fromkeys(IN_MEMORY, 1)
    order = list(STEPS)
    return (
        SteppedVariation(NONE, NONE, {}),
        *(SteppedVariation(ALONE, name, {name: 1}) for name in IN_MEMORY),
        *(
            SteppedVariation(ADDED, name, dict.fromkeys(order[: at + 1], 1))
            for at, name in enumerate(order)
        ),
        *(SteppedVariation(WITHOUT, name, {**in_memory, name: 0}) for name in IN_MEMORY),
        SteppedVariation(SIX, IN_MEMORY[-1], {**in_memory, "products": SIX_TABLES}),
        SteppedVariation(SIX, REGISTERS, {**every, "products": SIX_TABLES}),
    )


def measure(progress: Progress) -> list[Row]:
    """All variations in all places, and the cores of table 1."""
    every = variations()
    made: list[Row] = []
    for name, flags in PLACES:
        for one in every:
            progress(len(made), len(PLACES) * (len(every) + 2))
            made.append(_variation(name, flags, one))
        made += (_core(name, flags, core) for core in (javed.V1, javed.FINAL))
    return made


def _variation(name: str, flags: Flags, one: SteppedVariation) -> Row:
    taken = cost(platform_named(name), flags, one.switches)
    return {
        "platform": name,
        "flags": level(flags),
        "way": one.way,
        "step": one.step,
        "encrypt": taken.encrypt.cycles,
        "encrypt_moves": taken.encrypt.moves,
        "decrypt": taken.decrypt.cycles,
        "decrypt_moves": taken.decrypt.moves,
        "key_schedule": taken.key_schedule.cycles,
        "code_bytes": taken.code_bytes,
    }


def _core(name: str, flags: Flags, core: str) -> Row:
    platform = platform_named(name)
    jobs = [Job(platform, core, javed.KEY_BITS, op, flags=flags) for op in _OPS.values()]
    taken = dict(zip(_OPS, (one.cycles for one in measured(jobs)), strict=True))
    figures = {column: taken.get(column) for column in FIGURES}
    return {"platform": name, "flags": level(flags), "way": CORE, "step": core, **figures}


def row_of(rows: Sequence[Row]) -> Callable[..., Row]:
    """A row by its place, way and step."""
    return found(rows, "platform", "flags", "way", "step")


def effects(
    rows: Sequence[Row], step: str, column: str, ways: Sequence[str]
) -> dict[ClaimPlace, Pair]:
    """Pairs of a column without and with the step, by place and way."""
    cell = row_of(rows)
    pairs = {}
    for row in rows:
        if row["step"] == step and row["way"] in ways:
            beside = _beside(cell, row)
            own, other = figure(row[column]), figure(beside[column])
            pair = Pair(own, other) if row["way"] == WITHOUT else Pair(other, own)
            place = in_row(row, *PLACE, "way").of(step=step)
            pairs[place.beside(beside, *PLACE, "way", "step")] = pair
    return pairs


def _beside(cell: Callable[..., Row], row: Row) -> Row:
    """The row to compare with: without the row's step or, if it was removed, with it."""
    at, order = (row["platform"], row["flags"]), list(STEPS)
    index = order.index(str(row["step"]))
    if row["way"] == WITHOUT:
        return cell(*at, ADDED, IN_MEMORY[-1])
    if row["way"] == ALONE or index == 0:
        return cell(*at, NONE, NONE)
    return cell(*at, ADDED, order[index - 1])


def over_v1(rows: Sequence[Row], way: str) -> dict[ClaimPlace, Pair]:
    """Pairs of cycles of V1's core and of all steps, by place."""
    cell = row_of(rows)
    pairs = {}
    for row in rows:
        if (row["way"], row["step"]) == (way, REGISTERS):
            v1 = cell(row["platform"], row["flags"], CORE, javed.V1)
            place = place_of(row).of(way=(way, CORE), step=(REGISTERS, javed.V1))
            pairs[place] = Pair(figure(v1["encrypt"]), figure(row["encrypt"]))
    return pairs
