# SPDX-License-Identifier: MIT
"""Evaluators that need no processor, for sweeps in other processes; and a sweep to be killed.

What is evaluated is written, a line for each point, to the file that AESFIT_TEST_LOG names.
Where AESFIT_TEST_GATE names a pipe, each chunk waits for a byte from it.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from fakes import PLATFORM

from aesfit.caches.cache import Cache, Penalty
from aesfit.platforms.platform import Platform
from aesfit.sweep import run
from aesfit.sweep.point import Figures, SweepPoint
from aesfit.sweep.runners import Local

CORES = ("compact", "transposed", "ttable1", "ttable4")
PLATFORMS = {PLATFORM.name: PLATFORM}


def designs(calls: int) -> list[SweepPoint]:
    """So many points for each of four cores."""
    cache, penalty = Cache(4096, 16, 4), Penalty(17, 0)
    return [
        SweepPoint("model", "fake", core, 128, "encrypt-block", flags="-O2", cache=cache,
              penalty=penalty, calls=number, evicted=1.0)
        for core in CORES
        for number in range(1, calls + 1)
    ]  # fmt: skip


def formula(points: Sequence[SweepPoint]) -> list[Figures]:
    """Figures that can be foretold."""
    return [{"cycles": len(point.core) + 100 / (point.calls or 1)} for point in points]


def logged(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """By the formula, as soon as the gate lets it, with a line in the log for each point."""
    _pass_gate()
    lines = "".join(f"{point.key} {os.getpid()}\n" for point in points)
    with Path(os.environ["AESFIT_TEST_LOG"]).open("a", encoding="utf-8") as log:
        log.write(lines)
    return formula(points)


def _pass_gate() -> None:
    gate = os.environ.get("AESFIT_TEST_GATE")
    if gate:
        with open(gate, "rb", buffering=0) as pipe:  # noqa: PTH123 - reads one byte and no more
            pipe.read(1)


def deadly(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """By the formula; the process dies of one design."""
    if any(point.core == "ttable1" and point.calls == 3 for point in points):
        os.kill(os.getpid(), signal.SIGKILL)
    return formula(points)


def read_log() -> list[list[str]]:
    """Lines of the log: key and process."""
    path = Path(os.environ["AESFIT_TEST_LOG"])
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    run._CHUNK["model"] = 2
    run.sweep(
        designs(10),
        PLATFORMS,
        Path(sys.argv[1]),
        evaluators={"model": logged},
        runner=Local(2),
        progress=lambda done, total: print(done, flush=True),
    )
