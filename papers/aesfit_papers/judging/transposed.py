# SPDX-License-Identifier: MIT
"""What experiments on Bertoni et al., CHES 2002, share: places, cores, and what was published.

Published cycles of ARM and Pentium III are in the platform files, with their source; those of ST22,
which the paper gives only relative to the column form's decryption, are here.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from aesfit.building import build
from aesfit.jobs.job import Job, Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

from ..instruction_counts.steps import Steps
from .ablation import AS_PRINTED_MACRO, accesses, one_block
from .cells import figure, found, pairs
from .contract import OUR_CODE, Pair, ResultTable, Row
from .levels import LEVELS as LEVELS
from .levels import OWN_FLAGS as OWN_FLAGS
from .levels import platform_at
from .place import ClaimPlace
from .places import RELEASE as RELEASE
from .processors import ARMS as ARMS
from .processors import PLATFORMS as PLATFORMS
from .processors import STAND_INS as STAND_INS
from .provenance import measured, rests_on
from .tables import number, ratio

BY_COLUMNS, TRANSPOSED = "sbox_columns", "transposed"
FORMS: Mapping[str, str] = {TRANSPOSED: "transposed", BY_COLUMNS: "columns"}
"""Names of the cores in tables."""
PRINTED_COLUMNS, PRINTED_ROWS = "sbox_columns_paper", "transposed_paper"
"""The same two forms with every operation that the paper prints or counts."""
ON_THE_FLY: Mapping[str, str] = {TRANSPOSED: "transposed_otf", BY_COLUMNS: "sbox_columns_otf"}
AS_PRINTED = "as printed"
"""Suffix in rows' names of on-the-fly cores compiled with the paper's steps."""
PRINTED: Mapping[str, str] = {
    TRANSPOSED: PRINTED_ROWS,
    BY_COLUMNS: PRINTED_COLUMNS,
    **{core: f"{core}, {AS_PRINTED}" for core in ON_THE_FLY.values()},
}
"""Name of the row with the paper's code, by the library's core."""
BY_CODE = ("", OUR_CODE)
"""What places add for the code; nothing for that as printed."""
_OUR_CORES = {row: core for core, row in PRINTED.items()}
_SOURCE = "CHES 2002"
_ST22: Mapping[tuple[str, str], float] = {
    ("transposed", "key-setup-encrypt"): 0.22,
    ("transposed", "encrypt-block"): 0.51,
    ("transposed", "decrypt-block"): 0.60,
    ("sbox_columns", "key-setup-encrypt"): 0.13,
    ("sbox_columns", "encrypt-block"): 0.61,
    ("sbox_columns", "decrypt-block"): 1.0,
    ("transposed_otf", "encrypt-block"): 0.72,
    ("transposed_otf", "decrypt-block"): 0.82,
    ("sbox_columns_otf", "encrypt-block"): 0.75,
    ("sbox_columns_otf", "decrypt-block"): 1.13,
}
"""Tables 2 and 3; 1 is the column form's decryption with unrolled keys."""
SHORTER = (
    "The library's MixColumns of transposed words has 12 sums and 3 doublings where the paper's "
    "has 16 and 4, and it does not transpose blocks but loads them row by row."
)
"""Why encryption by rows gains more over columns with the library's code than as printed."""
SHORTER_INVERSE = (
    "The library needs fewer operations in both forms: InvMixColumns of columns has 20 sums where "
    "the paper counts 32, that of transposed words 21 and 6 doublings where it has 27 and 7."
)
"""Why decryption compares differently with the library's code than as printed."""
SHORTER_SCHEDULE = (
    "The library sums over a row of the schedule with two XORs of shifted words where the paper "
    "has three, and loads the key row by row instead of transposing it."
)
"""Why the transposed key schedule takes fewer cycles with the library's code than as printed."""
OPS: Mapping[str, str] = {
    "key_schedule": "key-setup-encrypt",
    "encrypt": "encrypt-block",
    "decrypt": "decrypt-block",
}
"""Operations by the names of columns."""


def published(platform: str, core: str, op: str) -> float | None:
    """Published values of tables 2 and 3: cycles, or ST22's units on stand-ins; None if missing.

    Rows of the paper's code and of ours are compared with the same value.
    """
    core = _OUR_CORES.get(core, core)
    if platform in STAND_INS:
        return _ST22.get((core, op))
    return next(
        (
            float(one.cycles)
            for one in platform_named(platform).published
            if (one.core, one.op) == (core, op) and _SOURCE in one.source
        ),
        None,
    )


def run(
    platforms: Sequence[str], cores: Sequence[str], ops: Sequence[str], progress: Progress
) -> dict[tuple[str, str, str], Measurement]:
    """Fresh jobs for all combinations of platform, core and operation."""
    keys = list(product(platforms, cores, ops))
    jobs = [_job(platform_named(p), core, 128, op) for p, core, op in keys]
    return dict(zip(keys, measured(jobs, progress, fresh=True), strict=True))


ByLevel = dict[tuple[str, str | None, str, str], Measurement]
"""By platform, level, core and operation."""
BySize = dict[tuple[str, str | None, str, int, str], Measurement]
"""By platform, level, core, key bits and operation."""


def run_levels(
    platforms: Sequence[str], cores: Sequence[str], ops: Sequence[str], progress: Progress
) -> ByLevel:
    """Jobs of 128-bit keys with each platform's own flags, and at each level by plain flags."""
    every = run_sizes(platforms, cores, (128,), ops, progress)
    return {(p, level, core, op): one for (p, level, core, _, op), one in every.items()}


def run_sizes(
    platforms: Sequence[str],
    cores: Sequence[str],
    sizes: Sequence[int],
    ops: Sequence[str],
    progress: Progress,
) -> BySize:
    """The same with keys of several sizes."""
    keys = list(product(platforms, LEVELS, cores, sizes, ops))
    jobs = [
        _job(platform_named(p), core, bits, op, level or "") for p, level, core, bits, op in keys
    ]
    return dict(zip(keys, measured(jobs, progress), strict=True))


def _job(platform: Platform, name: str, bits: int, op: str, level: str = "") -> Job:
    """Cycles of a core, or of an on-the-fly core as printed; with the platform's own flags."""
    core, _, printed = name.partition(", ")
    optimise = (level,) if level else platform.compiler.optimise
    if printed:
        return Job(platform, core, bits, op, flags=(*optimise, f"-D{AS_PRINTED_MACRO}"))
    return Job(platform, core, bits, op, flags=optimise) if level else Job(platform, core, bits, op)


def accesses_of(platform: str, name: str) -> int:
    """Loads and stores of data in the encryption of a block, by a core or one as printed."""
    core, _, printed = name.partition(", ")
    return accesses(one_block(platform, core, defined=(AS_PRINTED_MACRO,) if printed else ()))


def steps_of(names: Sequence[str], progress: Progress) -> dict[str, Steps]:
    """Single steps, compiled for each platform with its own flags."""
    every = steps_at_levels(names, progress, (OWN_FLAGS,))
    return {name: steps for (name, _), steps in every.items()}


def steps_at_levels(
    names: Sequence[str], progress: Progress, levels: Sequence[str | None] = LEVELS
) -> dict[tuple[str, str | None], Steps]:
    """Single steps by platform and level."""
    made = {}
    every = list(product(names, levels))
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        made[name, level] = Steps(platform_at(name, level))
    return made


def steps_rest_on(platform: Platform, levels: Sequence[str] = ()) -> str:
    """A line of provenance for single steps, also at these levels of the compiler."""
    compiler = platform.compiler
    flags = " ".join((*compiler.target, *compiler.optimise))
    more = "".join(f" or {level}" for level in levels)
    return (
        f"{platform.name}: {build.compiler_version(platform)}; {flags}{more}; {rests_on(platform)}"
    )


def in_both_codes(
    rows: Sequence[Row], column: str, above: str, below: str
) -> dict[ClaimPlace, Pair]:
    """A column of one core against another, for the paper's code and for the library's cores."""
    ours = pairs(rows, column, core=(above, below))
    return {
        **pairs(rows, column, core=(PRINTED[above], PRINTED[below])),
        **{place + OUR_CODE: pair for place, pair in ours.items()},
    }


def on_platforms(
    found: Mapping[ClaimPlace, Pair], platforms: Sequence[str]
) -> dict[ClaimPlace, Pair]:
    """The places of those platforms, with both codes."""
    return {at: pair for at, pair in found.items() if at.named("processor") in platforms}


def codes(cores: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of a core and what its places add: as the paper prints it, then the library's."""
    printed, ours = BY_CODE
    return (*((PRINTED[core], printed) for core in cores), *((core, ours) for core in cores))


def in_units(rows: Sequence[Row], unrolled: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """The stand-ins' rows in ST22's units: 1 is the column form's decryption with unrolled keys.

    That of the same code: the paper's or the library's.
    """
    cell = found(unrolled, "platform", "core")
    made: list[Row] = []
    for row in rows:
        if row["platform"] in STAND_INS:
            columns_of = PRINTED_COLUMNS if row["core"] in _OUR_CORES else BY_COLUMNS
            unit = figure(cell(row["platform"], columns_of)["decrypt"])
            made.append({**row, **{name: figure(row[name]) / unit for name in columns}})
    return made


def by_operation(
    title: str, rows: Sequence[Row], operations: Sequence[str], note: str = ""
) -> ResultTable:
    """A line for each platform, core and operation: measured, published, and the ratio."""
    lines = tuple(
        (
            str(row["platform"]),
            str(row["core"]),
            name.replace("_", " "),
            number(row[name]),
            number(row[f"published_{name}"]),
            ratio(row[name], row[f"published_{name}"]),
        )
        for row in rows
        for name in operations
        if row[name] is not None or row[f"published_{name}"] is not None
    )
    head = ("platform", "core", "operation", "measured", "published", "ratio")
    return ResultTable(title, head, lines, note)
