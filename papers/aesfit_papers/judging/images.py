# SPDX-License-Identifier: MIT
"""What experiments on Doomun et al., AES-CBC Software Execution Optimization, share.

The four levels of optimisation are our reading of the paper: only inner loops are unrolled and
merged, in no round (plain), in every other round (Opt1), in two of four (Opt2), or in all rounds
and the key expansion (OptF).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from aesfit.jobs.job import Job, Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.pictures.picture_file import Picture, encoded
from aesfit.pictures.scenes import SCENES, scene
from aesfit.platforms.find import platform_named

from ..instruction_counts.block_run import BlockQuestion, standard_rounds
from ..instruction_counts.functions import Split, StepShare, Window, split
from .contract import Figure, Pair, Value
from .place import ClaimPlace
from .provenance import measured
from .tables import number, numeric, percent

PLATFORMS = ("arm7tdmi", "arm9tdmi", "cortex-m0plus", "cortex-m3", "rv32i", "rv32im-e31")
"""32-bit processors, as in the paper; none of them has a cache."""
LEVELS = ("-O0", "-Os", "-O2", "-O3")
"""Optimisation levels; the paper names neither its compiler nor its level."""
CORES: Mapping[str, str] = {
    "bytewise": "plain",
    "bytewise_alt1": "Opt1",
    "bytewise_alt2": "Opt2",
    "bytewise_unrolled": "OptF",
}
"""The paper's names of the levels of optimisation, by core."""
PLAIN, FULL = "bytewise", "bytewise_unrolled"
STEPS = ("AddRoundKey", "SubBytes", "ShiftRows", "MixColumns")
ROUNDS = 10
CALLS: Mapping[str, int] = dict(zip(STEPS, (ROUNDS + 1, ROUNDS, ROUNDS, ROUNDS - 1), strict=True))
"""Calls of each step in a block under a key of 128 bits."""
SAVED: Mapping[str, float] = {"Opt1": 0.13, "Opt2": 0.12, "OptF": 0.20}
"""Published share of the time that each level of optimisation saves."""
_RUNS: Mapping[str, int] = {"Opt1": 1, "Opt2": 2, "OptF": ROUNDS}
"""Rounds that are optimised before as many that are not."""
EDGES: Mapping[int, int] = {200: 117, 300: 263, 400: 468}
"""Size in KB as printed (KiB of pixels), by the edge of table 1's square pictures."""
_GAP = 12
"""Pixels between pictures that stand side by side."""
CHANNELS = 3
"""Bytes of a pixel."""
PRODUCT_BY_FUNCTION = (
    "The paper multiplies by a function mul(), whose calls unrolling leaves as they are, where our "
    "code reads tables: what is gained with mul(), images_product_or_table measures."
)
"""Reason why optimised loops gain more here."""
NO_INTEGRITY = (
    "Neither mode is integrity: CBC conceals patterns from those who read, and does not stop those "
    "who write. Use GCM or CCM where pictures must arrive as they were sent."
)


def places(levels: Sequence[str] = LEVELS) -> list[tuple[str, str]]:
    """Every platform at every level."""
    return list(product(PLATFORMS, levels))


@lru_cache(maxsize=256)
def split_of(platform: str, core: str, level: str, bits: int = 128) -> Split:
    """Cycles and bytes of each step; cached, because several experiments need them."""
    asked = BlockQuestion(platform_named(platform), core, bits, standard_rounds(bits), (level,))
    return split(asked)


def step(found: Split, window: Window, name: str) -> StepShare:
    """A step of a window by its name in FIPS 197, in whichever form it was executed."""
    (one,) = [each for each in found.functions if (each.window, each.name) == (window, name)]
    return one


def blocks_run(
    cores: Sequence[str],
    levels: Sequence[str],
    progress: Progress,
    op: str = "encrypt-block",
) -> dict[tuple[str, str, str], Measurement]:
    """A block as shipped, by platform, level and core."""
    keys = [(*where, core) for where in places(levels) for core in cores]
    jobs = [Job(platform_named(name), core, 128, op, flags=(level,)) for name, level, core in keys]
    return dict(zip(keys, measured(jobs, progress), strict=True))


def block_optimised(code: str, call: Mapping[str, Pair]) -> Pair:
    """A block with some of its rounds optimised against one with none; `call`: of each step."""
    run = _RUNS[code]
    rounds = [one for one in range(1, ROUNDS + 1) if (one - 1) % (2 * run) < run]
    better = dict.fromkeys(STEPS, len(rounds))
    better["AddRoundKey"] += code == "OptF"  # the key that is added before the rounds
    better["MixColumns"] -= ROUNDS in rounds
    plain = sum(many * call[step].b for step, many in CALLS.items())
    saved = sum(many * (call[step].b - call[step].a) for step, many in better.items())
    return Pair(plain - saved, plain)


def shares_saved(pairs: Mapping[ClaimPlace, Pair]) -> dict[ClaimPlace, float]:
    """Share saved of the plain code's time, by place."""
    return {at: 1 - pair.ratio for at, pair in pairs.items()}


def span(shares: Sequence[float]) -> str:
    """Least to largest share, in percent."""
    low, high = (
        f"{round(100 * one)}".replace("-", "\N{MINUS SIGN}") for one in (min(shares), max(shares))
    )
    return f"{low} %" if low == high else f"{low} to {high} %"


def times(ratios: Sequence[float]) -> str:
    """Least to largest ratio."""
    low, high = (f"{one:.2f}" for one in (min(ratios), max(ratios)))
    return low if low == high else f"{low} to {high}"


def whole_percent(value: float) -> str:
    """Label at the end of a bar, for a figure in percent."""
    return f"{round(value)}".replace("-", "\N{MINUS SIGN}")


def share_or_word(value: Value) -> str:
    """Cells of tables of shares."""
    return percent(value).replace("-", "\N{MINUS SIGN}") if numeric(value) else number(value)


def scenes_drawn(edge: int) -> dict[str, Picture]:
    """The test pictures by name."""
    return {name: scene(name, edge) for name in SCENES}


def side_by_side(pictures: Sequence[Picture]) -> Picture:
    """Pictures of one size in a row on white."""
    first = pictures[0].pixels
    gap = np.full((first.shape[0], _GAP, first.shape[2]), 255, np.uint8)
    apart = [part for one in pictures for part in (one.pixels, gap)][:-1]
    return replace(pictures[0], pixels=np.concatenate(apart, axis=1), text=None)


def png(picture: Picture, title: str, alt: str, note: str = "") -> Figure:
    """A picture as it is, pixel by pixel."""
    return Figure(title, encoded(picture, ".png"), ".png", alt, note)
