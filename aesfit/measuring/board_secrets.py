# SPDX-License-Identifier: MIT
"""Whether cycles on a board depend on secrets: fixed ones against random ones.

Half of the runs have one key and text, half have others, mixed at random; Welch's t-test compares
their means, as test vector leakage assessment does (Goodwill, Jun, Jaffe and Rohatgi, A testing
methodology for side-channel resistance validation, 2011).  A value below the limit shows nothing
for secrets that were not tried.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, variance
from typing import Any

from ..building import build
from ..jobs.job import Job, Progress
from ..platforms.boards import BoardPlatform
from ..rigs import why_not
from ..rigs.board.machine import BoardMachine
from ..rigs.board.rig import NoCyclesError, cycles_of
from ..rigs.board.session import session_of
from ..rigs.firing import firing_of
from ..rigs.rig import RigUnavailableError

LIMIT = 4.5
"""Of |t|, above which the means differ (the paper above, section 3)."""
_SEED = 20
_LEAST = 4


@dataclass(frozen=True)
class SecretsTried:
    """What was seen."""

    secrets: int
    """Runs in all; half of them with the same secrets."""
    fixed_mean: float
    random_mean: float
    least: int
    most: int
    t: float
    """Welch's t; infinite where means differ and nothing varies."""

    def as_json(self) -> dict[str, Any]:
        """The stable keys; a `t` that is infinite is null."""
        finite = self.t if math.isfinite(self.t) else None
        return {**asdict(self), "t": finite, "sentence": self.sentence}

    @property
    def sentence(self) -> str:
        """What it means, and no more."""
        if self.least == self.most:
            return f"cycles equal over {self.secrets} secrets: {self.least}"
        told = (
            f"fixed secrets {self.fixed_mean:.2f} cycles in the mean, random ones "
            f"{self.random_mean:.2f}, {self.least} to {self.most} in all; t = {self.t:.2f} over "
            f"{self.secrets} secrets"
        )
        if abs(self.t) > LIMIT:
            return f"{told}: the time depends on the secrets"
        return f"{told}: below {LIMIT}, so no dependence was seen"


def try_secrets(job: Job, secrets: int, progress: Progress) -> SecretsTried:
    """Run a job with so many secrets on its board."""
    if secrets < _LEAST:
        raise ValueError(f"a comparison needs {_LEAST} secrets or more, not {secrets}")
    if not isinstance(job.platform, BoardPlatform):
        raise ValueError(f"{job.platform.name} is no board; name one: board:NAME")
    if reason := why_not(job.platform):
        raise RigUnavailableError(reason)
    firing = firing_of(job)
    machine = BoardMachine(session_of(job.platform), build.build(firing.job).elf)
    if machine.counter is None:
        raise NoCyclesError(f"no cycles can be compared: {machine.why_no_cycles}")
    order = [number % 2 for number in range(secrets)]
    random.Random(_SEED).shuffle(order)  # noqa: S311 - an order that can be repeated
    cycles_of(firing, machine, 0)  # caches are warm for the first run as for the others
    groups: tuple[list[int], list[int]] = [], []
    for number, group in enumerate(order, 1):
        groups[group].append(cycles_of(firing, machine, number if group else 0))
        progress(number, secrets)
    return compared(*groups)


def compared(fixed: Sequence[int], others: Sequence[int]) -> SecretsTried:
    """What the cycles of both groups say."""
    both = [*fixed, *others]
    means = fmean(fixed), fmean(others)
    return SecretsTried(len(both), *means, min(both), max(both), _welch(means, fixed, others))


def _welch(means: tuple[float, float], fixed: Sequence[int], others: Sequence[int]) -> float:
    spread = variance(fixed) / len(fixed) + variance(others) / len(others)
    difference = means[0] - means[1]
    if spread:
        return difference / math.sqrt(spread)
    return math.copysign(math.inf, difference) if difference else 0.0
