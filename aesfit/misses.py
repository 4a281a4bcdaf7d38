# SPDX-License-Identifier: MIT
"""The cache model's part in the choice: coefficients of every variant that was measured."""

from dataclasses import replace

from . import expected
from .fit import Candidate, Choice, Request
from .measure import Result
from .platforms import Platform
from .rigs.rig import Job, Placement, Row
from .versions import hierarchy, versions

Flags = tuple[str, ...] | None


def check(request: Request) -> None:
    """ValueError in one sentence where no misses can be expected."""
    platform, bursts = request.platform, request.bursts
    if bursts is None:
        return
    kinds = [one.kind for one in platform.caches]
    if "data" not in kinds or platform.miss_penalty is None or not platform.emulated:
        raise ValueError(
            f"{platform.name} has no data cache that is simulated here, so no misses are expected; "
            "leave --calls-per-burst, --evicted-between-bursts and --explain out"
        )
    if not 1 <= bursts.calls <= expected.LONGEST:
        raise ValueError(
            f"a burst has 1 to {expected.LONGEST} calls of 16 bytes, not {bursts.calls}"
        )
    if request.placement != Placement():
        raise ValueError(
            "misses are expected where the platform file puts tables and code; leave --tables and "
            "--flash-wait out"
        )
    if request.mode == "gcm" and request.ghash != "shift32":
        raise ValueError("misses of gcm are expected with the GHASH shift32; leave --ghash out")


class Misses:
    """Puts expected misses into rows; does nothing where the request knows no bursts."""

    def __init__(self, request: Request) -> None:
        """ValueError in one sentence where no misses can be expected."""
        check(request)
        self._request = request
        self._known: dict[tuple[str, Flags], expected.Modelled] = {}

    def of(self, job: Job, result: Result) -> Result:
        """The row with expected misses in the place of measured ones; a refusal stays."""
        bursts = self._request.bursts
        if bursts is None or not isinstance(result, Row):
            return result
        return expected.with_misses(result, self._modelled(job.core, job.flags), bursts)

    def _modelled(self, core: str, flags: Flags) -> expected.Modelled:
        """Of one variant of a core, found once."""
        if (core, flags) not in self._known:
            request = self._request
            platform = _flagged(request.platform, flags)
            (version,) = versions(platform, [core], mode=request.mode, key_bits=request.key_bits)
            self._known[core, flags] = expected.Modelled(version, hierarchy(platform))
        return self._known[core, flags]

    def explain(self, choice: Choice) -> tuple[str, ...]:
        """The arithmetic of the winner and the next, and where they change places."""
        bursts = self._request.bursts
        if bursts is None:
            raise ValueError("without bursts there are no expected misses to explain")
        first = choice.ranking[:2]
        told: list[str] = []
        for candidate in first:
            told += expected.account(candidate, self._of(candidate), bursts, self._request)
        if len(first) == 2:
            winner, second = ((one, self._of(one)) for one in first)
            told.append(expected.crossover(winner, second, bursts, self._request.bytes))
        return tuple(told)

    def _of(self, candidate: Candidate) -> expected.Modelled:
        return self._modelled(candidate.name, candidate.flags)


def _flagged(platform: Platform, flags: Flags) -> Platform:
    if flags is None:
        return platform
    return replace(platform, compiler=replace(platform.compiler, optimise=flags))
