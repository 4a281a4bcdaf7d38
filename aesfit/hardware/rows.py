# SPDX-License-Identifier: MIT
"""Rows of `aesfit silicon`: designs on families, synthesised, placed and simulated."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..jobs.job import Progress
from .designs import BLOCK_BITS, Design
from .exercise import Exercise, measure
from .families import Family
from .netlist import Netlist
from .place import Placed, place_once, together
from .pool import Pool
from .published import LUTS_OF_SLICE
from .synthesis import synthesise
from .tools import iverilog, nextpnr, vvp, yosys

SiliconPair = tuple[Design, Family]


@dataclass(frozen=True)
class SiliconRow:
    """A design on a family."""

    design: str
    family: str
    luts: int
    flip_flops: int
    ram_blocks: int
    ram_bits: int
    """That the blocks hold; not what they could hold."""
    fmax_mhz: float | None
    """Median over seeds."""
    fmax_seeds: tuple[float, ...] | None
    """By seed, from 1."""
    cycles_per_block: float
    tool_versions: Mapping[str, str]
    why: Mapping[str, str]
    """Reasons for what is None, by name."""
    cycles_from: str
    """How the cycles were found."""

    @property
    def least_slices(self) -> int | None:
        """A lower bound, as of full slices; None where the family has no slices."""
        per = LUTS_OF_SLICE.get(self.family)
        return None if per is None else -(-max(self.luts, self.flip_flops) // per)

    @property
    def fmax_best(self) -> float | None:
        """The best of all seeds."""
        return max(self.fmax_seeds) if self.fmax_seeds else None

    @property
    def bits_per_cycle(self) -> float:
        """In steady state."""
        return BLOCK_BITS / self.cycles_per_block

    @property
    def mbit_per_s(self) -> float | None:
        """In steady state, at the median clock."""
        return None if self.fmax_mhz is None else self.fmax_mhz * self.bits_per_cycle

    @property
    def mbit_per_s_per_lut(self) -> float | None:
        """Rate for each look-up table; flip-flops and RAM blocks are left out."""
        return None if self.mbit_per_s is None else self.mbit_per_s / self.luts

    def json(self) -> dict[str, Any]:
        """The row with the names that stay."""
        given = asdict(self)
        given["least_slices"] = self.least_slices
        reached = {"mbit_per_s": self.mbit_per_s, "mbit_per_s_per_lut": self.mbit_per_s_per_lut}
        first = (
            *("design", "family", "luts", "flip_flops", "least_slices", "ram_blocks", "ram_bits"),
            *("fmax_mhz", "fmax_seeds", "cycles_per_block"),
        )
        last = {"tool_versions": given["tool_versions"], "why": given["why"]}
        return {**{name: given[name] for name in first}, **reached, **last}


@dataclass(frozen=True)
class SiliconQuestion:
    """What is asked for."""

    designs: tuple[Design, ...]
    families: tuple[Family, ...]
    seeds: int
    fresh: bool = False


def check_tools(question: SiliconQuestion) -> None:
    """ToolMissingError where a tool that the question needs is not there."""
    iverilog(), vvp(), yosys()
    for family in question.families:
        if family.device:
            nextpnr(family.device.nextpnr)


def rows(question: SiliconQuestion, progress: Progress) -> list[SiliconRow]:
    """One row for each design on each family; a netlist serves all seeds.

    What does not fit a device with one seed fits it with none.
    """
    check_tools(question)
    pairs = [(design, family) for design in question.designs for family in question.families]
    seeds = range(1, question.seeds + 1)
    placing = [(pair, seed) for pair in pairs for seed in seeds if pair[1].device]
    pool = Pool(len(question.designs) + len(pairs) + len(placing), progress)
    measured = dict(zip(question.designs, pool.map(measure, question.designs), strict=True))
    made = pool.map(lambda pair: synthesise(*pair, fresh=question.fresh), pairs)
    netlists = dict(zip(pairs, made, strict=True))

    def place(job: tuple[SiliconPair, int]) -> Placed:
        pair, seed = job
        assert pair[1].device is not None  # noqa: S101
        return place_once(netlists[pair], pair[1].device, seed, fresh=question.fresh)

    def size(job: tuple[SiliconPair, int]) -> int:
        return netlists[job[0]].counts.luts

    first = [job for job in placing if job[1] == seeds[0]]
    found = dict(zip(first, pool.map(place, first, size), strict=True))
    others = [job for job in placing if job[1] != seeds[0]]
    fitting = [job for job in others if not found[job[0], seeds[0]].why_not]
    pool.leave_out(len(others) - len(fitting))
    found |= dict(zip(fitting, pool.map(place, fitting, size), strict=True))
    return [
        _row(
            pair,
            netlists[pair],
            together([found[pair, seed] for seed in seeds if (pair, seed) in found]),
            measured[pair[0]],
        )
        for pair in pairs
    ]


def _row(pair: SiliconPair, netlist: Netlist, placed: Placed, exercised: Exercise) -> SiliconRow:
    design, family = pair
    tools = [yosys(), iverilog(), *([nextpnr(family.device.nextpnr)] if family.device else [])]
    reason = placed.why_not if family.device else family.unplaced
    empty = ("fmax_mhz", "fmax_seeds", "mbit_per_s", "mbit_per_s_per_lut")
    return SiliconRow(
        design=design.name,
        family=family.name,
        **asdict(netlist.counts),
        fmax_mhz=placed.median,
        fmax_seeds=placed.fmax_mhz or None,
        cycles_per_block=exercised.cycles_per_block,
        tool_versions={tool.name: tool.version for tool in tools},
        why=dict.fromkeys(empty, reason) if reason else {},
        cycles_from=exercised.provenance,
    )


def ratio(one: SiliconRow, other: SiliconRow) -> float:
    """Mbit/s per look-up table of one over the other; at the same clock where there is none."""
    if one.mbit_per_s_per_lut and other.mbit_per_s_per_lut:
        return one.mbit_per_s_per_lut / other.mbit_per_s_per_lut
    return (one.bits_per_cycle / one.luts) / (other.bits_per_cycle / other.luts)
