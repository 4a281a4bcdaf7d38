# SPDX-License-Identifier: MIT
"""The runs of test_cover.py: what the registers allow, dealt by cover.py.

Tests that need some image of a core on a platform ask for these, which are there or needed anyway.
"""

from collections import defaultdict
from collections.abc import Sequence

from cover import Deal, Dealer, Group, Run

from aesfit.building.sources import registered
from aesfit.catalog import MODES, core_named, cores
from aesfit.jobs.abilities import lacks, runs_without
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.places import project_folder
from aesfit.platforms.platform import Platform

BUILT = ("picorv32", "vexriscv-cached")
"""Simulated from Verilog also without --slow."""
SHIPPED = "x86-64"
"""Takes every core in every mode, because nothing is compiled."""
FLAT_BYTES, LONG_BYTES, SHORT_BYTES = 48, 85, 16
"""Of payload: whole blocks, for all modes; more than four blocks and a part of one, which counter
modes encrypt on paths of their own; and one block for modes that encrypt it many times,
as CFB8 does."""
SIZES = {
    **{name: SHORT_BYTES for name, mode in MODES.items() if mode.block_calls > 2},
    **dict.fromkeys(("ctr", "ccm", "gcm", "ccmp"), LONG_BYTES),
}
LIGHT = ("cbc_mac", "cfb8", "ofb", "cmac", "ecb", "cbc")
"""Modes with least code, measured by what the compiler takes."""
FILES = sorted(path.stem for path in project_folder("platforms").glob("[cp]*s/*.toml"))
PLATFORMS = {one.name: one for one in map(platform_named, FILES) if one.rig != "published"}
"""Those of the project that run code: lx-st200 is published figures."""


def is_slow(platform: str) -> bool:
    return PLATFORMS[platform].rig == "rtl" and platform not in BUILT


def runs_on(platform: Platform) -> tuple[str, ...]:
    every = map(core_named, registered("cores"))
    return tuple(core.name for core in every if core.available and not lacks(core, platform))


def alike(platforms: Sequence[Platform]) -> list[Group]:
    """Platforms by how their code is compiled, processors before chips."""
    found = defaultdict(list)
    for one in sorted(platforms, key=lambda platform: platform.kind == "chip"):
        how = one.compiler
        found[one.rig == "host", one.isa, how.command, how.target, how.optimise].append(one)
    return [Group(tuple(one.name for one in group), runs_on(group[0])) for group in found.values()]


def dealer() -> Dealer:
    ways = {
        mode: [
            (key_bits, op)
            for key_bits in shape.key_bits
            for op in (("encrypt", "decrypt") if shape.verifies else ("encrypt",))
        ]
        for mode, shape in MODES.items()
    }
    return Dealer(ways, lambda mode, op: MODES[mode].inverse and op == "decrypt", LIGHT)


def own_set() -> list[str]:
    """Cores for one instruction set."""
    return [core.name for core in cores() if core.needs and runs_without(core)]


def dealt() -> tuple[Run, ...]:
    """All runs but those of x86-64.  Cores for one instruction set meet all modes where it is."""
    groups = alike([one for one in PLATFORMS.values() if one.name != SHIPPED])
    quick = [group for group in groups if not is_slow(group.platforms[0])]
    given = dealer()
    return (*given.deal(quick, own_set()), *given.deal([one for one in groups if one not in quick]))


RUNS = dealt()
QUICK = [run for run in RUNS if not is_slow(run.platform)]
SHIPPED_RUNS = [
    Run(SHIPPED, Deal(core, mode, *ways[at % len(ways)]))
    for at, core in enumerate(runs_on(PLATFORMS[SHIPPED]))
    for mode, ways in dealer().modes.items()
]


def job_of(run: Run) -> Job:
    deal = run.deal
    size = SIZES.get(deal.mode, FLAT_BYTES)
    return Job(PLATFORMS[run.platform], deal.core, deal.key_bits, deal.op, deal.mode, size)


def name_of(run: Run) -> str:
    deal = run.deal
    return f"{run.platform}-{deal.core}-{deal.mode}-{deal.op}-{deal.key_bits}"
