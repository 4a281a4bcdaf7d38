# SPDX-License-Identifier: MIT
"""Traces a core or a function, tests or attacks it, and names the instructions that fail."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..jobs.job import Progress
from ..platforms.platform import Platform
from ..proving.compiled import proof_image
from ..proving.image import ProofImage, read_image
from ..proving.masked.shared import shared_arguments
from . import cpa, model, ttest
from .points import KINDS
from .subjects import CoreSubject, TracedSubject, function_subject

TRACES = 2000


@dataclass(frozen=True)
class FailingInstruction:
    """An instruction with points that fail the t-test."""

    function: str
    file: str
    line: int
    """0: the image does not say."""
    address: int
    instruction: str
    points: dict[str, float]
    """Highest |t| by kind of point; infinite where constants differ."""

    @property
    def highest(self) -> float:
        """Highest |t| of all its points."""
        return max(self.points.values())


@dataclass(frozen=True)
class PowerCurves:
    """What a picture shows, by point of the trace."""

    mean: NDArray[np.float64]
    t: NDArray[np.float64]


@dataclass(frozen=True)
class PowerFound:
    """What traces of the model showed."""

    platform: str
    name: str
    """Core or function."""
    instructions: int
    points: dict[str, int]
    """By kind."""
    noise: float
    traces: int
    fixed: str
    """What is fixed in a t-test."""
    source: str
    """Of the model of this processor."""
    threshold: float | None = None
    """The rest is None or empty for what was not asked."""
    highest: float | None = None
    failed_at: int | None = None
    failing_points: int | None = None
    failing: tuple[FailingInstruction, ...] = ()
    attack: cpa.Attack | None = None
    curves: PowerCurves | None = None

    def as_json(self) -> dict[str, Any]:
        """What `aesfit leak power --json` prints; an infinite t is null."""
        told = asdict(self)
        del told["curves"]
        told |= {"model": model.NAME, "limits": model.LIMITS, "highest": _finite(self.highest)}
        for one in told["failing"]:
            one["points"] = {kind: _finite(t) for kind, t in one["points"].items()}
        if self.attack is not None:
            told["attack"]["snr"] = _finite(self.attack.snr)
        return told


def _finite(value: float | None) -> float | None:
    return round(value, 4) if value is not None and np.isfinite(value) else None


def core_power(
    platform: Platform, core: str, ways: Sequence[str], *, traces: int = TRACES,
    noise: float = 0.0, bits: bool = False, progress: Progress = lambda done, total: None,
) -> PowerFound:  # fmt: skip
    """Test ("ttest") or attack ("cpa") the block function of a core, or both."""
    subject = CoreSubject(platform, core)
    if "cpa" in ways:
        cpa.check_size(len(subject.machine.layout.points), traces)
    found = _begun(platform, core, subject, traces, noise)
    if "ttest" in ways:
        found = _tested(found, subject, proof_image(subject.job), progress, bits)
    if "cpa" in ways:
        attack = cpa.attack(subject, traces, noise, progress)
        found = _with(found, attack=attack)
    return found


def function_power(
    platform: Platform, files: Sequence[Path], function: str, arguments: Sequence[str], *,
    traces: int = TRACES, noise: float = 0.0, bits: bool = False,
    progress: Progress = lambda done, total: None,
) -> PowerFound:  # fmt: skip
    """Test a function of the user's files."""
    given = shared_arguments(arguments)
    if not any(one.role in ("secret", "share") for one in given):
        raise ValueError(
            "no argument is secret, so there is nothing to test; give secret:16, or two of "
            "share:16:key"
        )
    with function_subject(platform, files, function, given) as subject:
        image = read_image(subject.image, platform.isa)
        found = _begun(platform, function, subject, traces, noise)
        return _tested(found, subject, image, progress, bits)


def _begun(
    platform: Platform, name: str, subject: TracedSubject, traces: int, noise: float
) -> PowerFound:  # fmt: skip
    known = subject.machine.layout
    counted = Counter(one.kind for one in known.points)
    return PowerFound(
        platform=platform.name, name=name, instructions=len(known.addresses),
        points={kind: counted[kind] for kind in KINDS}, noise=noise, traces=traces,
        fixed=subject.fixed_is, source=model.source(platform),
    )  # fmt: skip


def _with(found: PowerFound, **more: Any) -> PowerFound:  # noqa: ANN401 - as replace() takes them
    return PowerFound(**{**vars(found), **more})


def _tested(
    found: PowerFound, subject: TracedSubject, image: ProofImage, progress: Progress, bits: bool
) -> PowerFound:  # fmt: skip
    points = len(subject.machine.layout.points)
    ttest.check_points(points, bits=bits)
    weigh = ttest.every_bit if bits else ttest.weights
    test = ttest.t_test(subject, found.traces, found.noise, progress, weigh)
    rows = test.t.reshape(points, -1)
    each = rows[np.arange(points), np.abs(rows).argmax(axis=1)]
    size = np.abs(each)
    fails = np.flatnonzero(size > test.threshold)
    return _with(
        found,
        threshold=round(test.threshold, 4),
        highest=float(size.max(initial=0)),
        failed_at=test.failed_at,
        failing_points=len(fails),
        failing=_instructions(subject, image, size, fails),
        curves=PowerCurves(test.mean.reshape(points, -1).sum(axis=1), each),
    )


def _instructions(
    subject: TracedSubject, image: ProofImage, size: NDArray[np.float64], fails: NDArray[np.intp]
) -> tuple[FailingInstruction, ...]:
    """The instructions behind points that fail, the clearest first."""
    points = subject.machine.layout.points
    worst: dict[int, dict[str, float]] = defaultdict(dict)
    for at in fails.tolist():
        kinds = worst[points[at].address]
        kinds[points[at].kind] = max(float(size[at]), kinds.get(points[at].kind, 0.0))
    found = []
    for address, kinds in worst.items():
        file, line = image.line(address)
        text = subject.machine.instructions[address].text
        found.append(
            FailingInstruction(image.function(address), file, line, address, text, dict(kinds))
        )
    return tuple(sorted(found, key=lambda one: (-one.highest, one.address)))
