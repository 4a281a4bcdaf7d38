# SPDX-License-Identifier: MIT
"""Chooses runs in which each pair of core, mode and platform that the registers allow occurs.

Platforms with the same compiler and flags are a group: they run the same cores in the same modes,
because objects are compiled once.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Group:
    """Platforms with the same compiler and flags, and the cores that they run."""

    platforms: tuple[str, ...]
    cores: tuple[str, ...]


@dataclass(frozen=True)
class Deal:
    """One run of a core in a mode."""

    core: str
    mode: str
    key_bits: int
    op: str
    """`encrypt` or `decrypt`."""


@dataclass(frozen=True)
class Run:
    """A deal on a platform."""

    platform: str
    deal: Deal


_STEP = 7
"""Cores by which the next group begins later, so that the same are not always left."""
Ways = Sequence[tuple[int, str]]
"""Sizes of keys and directions that a mode has."""
Inverse = Callable[[str, str], bool]
"""Whether a mode in that direction takes the inverse cipher."""


@dataclass(frozen=True)
class Dealer:
    """Deals to one group after another, and prefers what no deal before had."""

    modes: Mapping[str, Ways]
    inverse: Inverse
    light: Collection[str] = ()
    """Modes that compile soonest: for cores that are left when a group has met all modes."""
    _met: set[Hashable] = field(default_factory=set)

    def deal(self, groups: Sequence[Group], own: Iterable[str] = ()) -> tuple[Run, ...]:
        """Each core and each mode on each platform; the cores of `own` in each mode, somewhere.

        What these have not met is for the first platform of a group that runs them, by turns.
        """
        runs = [run for at, group in enumerate(groups) for run in self._hand(group, at)]
        left = [(core, mode) for core in own for mode in self.modes]
        for at, (core, mode) in enumerate(one for one in left if one not in self._met):
            able = [group for group in groups if core in group.cores]
            group = able[at % len(able)]
            runs.append(Run(group.platforms[0], self._way(group, core, mode, at)))
        return tuple(runs)

    def _hand(self, group: Group, number: int) -> list[Run]:
        cores = _turned(group.cores, number * _STEP)
        turns = range(max(len(cores), len(self.modes)))
        deals = [self._next(group, cores[at % len(cores)], at) for at in turns]
        return [Run(platform, deal) for platform in group.platforms for deal in deals]

    def _next(self, group: Group, core: str, at: int) -> Deal:
        """In a mode that the group has not met, else in a light one; best new to the core."""

        def worth(mode: str) -> tuple[bool, bool, bool]:
            here, pair = ((one, mode) not in self._met for one in (group, core))
            return here, here or mode in self.light, pair

        return self._way(group, core, max(_turned(self.modes, at), key=worth), at)

    def _way(self, group: Group, core: str, mode: str, at: int) -> Deal:
        """With the size of keys and in the direction that bring most that is new."""

        def gain(deal: Deal) -> tuple[int, int]:
            first = {(core, deal.key_bits), (mode, deal.key_bits, deal.op)}
            return len(first - self._met), len(self._traits(group, deal) - self._met)

        ways = _turned(self.modes[mode], at)
        best = max((Deal(core, mode, *way) for way in ways), key=gain)
        self._met.update(self._traits(group, best))
        return best

    def _traits(self, group: Group, deal: Deal) -> set[Hashable]:
        core, mode, key_bits, op = deal.core, deal.mode, deal.key_bits, deal.op
        way = self.inverse(mode, op)
        of_core = (core, mode), (core, key_bits), (core, key_bits, way), (core, way)
        of_mode = (mode, op), (mode, key_bits, op)
        return {*of_core, *of_mode, (group, mode), (group, key_bits, way)}


def _turned(values: Iterable[Value], at: int) -> list[Value]:
    """So that equals are not always decided for the same one."""
    values = list(values)
    return values[at % len(values) :] + values[: at % len(values)]


def unmet(
    runs: Iterable[Run], cores: Mapping[str, Iterable[str]], modes: Iterable[str]
) -> list[tuple[str, str]]:
    """Pairs that no run has: a core or a mode with a platform, a core with a mode.

    `cores`: those that each platform runs.
    """
    modes = tuple(modes)
    wanted = {(one, platform) for platform, held in cores.items() for one in (*held, *modes)}
    wanted |= {(core, mode) for held in cores.values() for core in held for mode in modes}
    for run in runs:
        core, mode = run.deal.core, run.deal.mode
        wanted -= {(core, run.platform), (mode, run.platform), (core, mode)}
    return sorted(wanted)
