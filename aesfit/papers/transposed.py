# SPDX-License-Identifier: MIT
"""What experiments on Bertoni et al., CHES 2002, share: places, cores, and what was published.

Published cycles of ARM and Pentium III stand in the platform files, with their source; ST22's,
which the paper gives only in units of the column form's decryption, stand here.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from ..building import build
from ..instruction_counts.steps import Steps
from ..jobs.job import Job, Progress
from ..jobs.job import Row as Measurement
from ..platforms.find import platform_named
from ..platforms.platform import Platform
from .cells import figure, found
from .contract import Pair, ResultTable, Row
from .provenance import measured, rests_on
from .tables import number, ratio

ARMS = ("arm7tdmi", "arm9tdmi")
"""The paper's own."""
STAND_INS = ("rv32i", "cortex-m0plus")
"""For ST22, whose property is that no instruction combines a shift or rotation with an addition:
the one has no rotation at all, which flatters the transposed form, the other has it as an
instruction of its own."""
PLATFORMS = (*ARMS, *STAND_INS, "cortex-m3", "rv32im-e31")
BY_COLUMNS, TRANSPOSED = "sbox_columns", "transposed"
FORMS: Mapping[str, str] = {TRANSPOSED: "transposed", BY_COLUMNS: "columns"}
"""What tables call the cores."""
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
    "has 16 and 4: by the step alone (section 4) the printed one loses cycles to columns on ARM, "
    "as the paper finds, and the library's saves some."
)
"""Why encryption by rows is faster here than published, beside columns."""
SHORTER_INVERSE = (
    "The library's InvMixColumns of columns takes 20 sums where Gladman's takes 32, and reads of "
    "the S-box, which on these processors cost both forms the same, dilute the rest."
)
"""Why decryption by columns loses less here than published."""
OPS: Mapping[str, str] = {
    "key_schedule": "key-setup-encrypt",
    "encrypt": "encrypt-block",
    "decrypt": "decrypt-block",
}
"""Operations by the names of columns."""


def published(platform: str, core: str, op: str) -> float | None:
    """Of tables 2 and 3: cycles, on the stand-ins ST22's units; None where they have nothing."""
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
    platforms: Sequence[str],
    cores: Sequence[str],
    ops: Sequence[str],
    progress: Progress,
    *,
    sizes: Sequence[int] = (128,),
    fresh: bool = False,
) -> dict[tuple[str, str, int, str], Measurement]:
    """Everything with everything, by platform, core, key bits and operation."""
    keys = list(product(platforms, cores, sizes, ops))
    jobs = [Job(platform_named(p), core, bits, op) for p, core, bits, op in keys]
    return dict(zip(keys, measured(jobs, progress, fresh=fresh), strict=True))


def steps_of(names: Sequence[str], progress: Progress) -> dict[str, Steps]:
    """Single steps, compiled for each platform."""
    made = {}
    for done, name in enumerate(names):
        progress(done, len(names))
        made[name] = Steps(platform_named(name))
    return made


def steps_rest_on(platform: Platform) -> str:
    """A line of provenance for single steps."""
    compiler = platform.compiler
    flags = " ".join((*compiler.target, *compiler.optimise))
    return f"{platform.name}: {build.compiler_version(platform)}; {flags}; {rests_on(platform)}"


def ratios(rows: Sequence[Row], column: str, above: str, below: str) -> dict[str, Pair]:
    """By platform: that column of the core `above`, against that of the core `below`."""
    cell = found(rows, "platform", "core")
    platforms = dict.fromkeys(str(row["platform"]) for row in rows)
    return {
        name: Pair(figure(cell(name, above)[column]), figure(cell(name, below)[column]))
        for name in platforms
    }


def in_units(rows: Sequence[Row], unrolled: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """The stand-ins' rows in ST22's units: 1 is the column form's decryption with unrolled keys."""
    cell = found(unrolled, "platform", "core")
    made: list[Row] = []
    for row in rows:
        if row["platform"] in STAND_INS:
            unit = figure(cell(row["platform"], BY_COLUMNS)["decrypt"])
            made.append({**row, **{name: figure(row[name]) / unit for name in columns}})
    return made


def by_operation(
    title: str, rows: Sequence[Row], operations: Sequence[str], note: str = ""
) -> ResultTable:
    """A line for each platform, core and operation: ours, what was published, and the ratio."""
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
    head = ("platform", "core", "operation", "ours", "published", "ratio")
    return ResultTable(title, head, lines, note)
