# SPDX-License-Identifier: MIT
"""Packets of several sizes: each size is measured by itself, and a message costs their mean."""

from collections.abc import Sequence
from dataclasses import replace

from ..jobs.job import Row
from ..jobs.secrecy import weakest
from ..measuring.measure import Refusal, Result
from .request import Request, mix_told


def mean_results(request: Request, each: Sequence[Sequence[Result]]) -> tuple[Result, ...]:
    """Of every job its mean over the sizes; `each`: results of the sizes, in order of packets."""
    shares = [share for _, share in request.packets]
    weights = [share / sum(shares) for share in shares]
    return tuple(_mean(request, one, weights) for one in zip(*each, strict=True))


def _mean(request: Request, results: Sequence[Result], weights: Sequence[float]) -> Result:
    """One size that cannot be measured leaves no mean."""
    rows = [one for one in results if isinstance(one, Row)]
    if len(rows) < len(results):
        return next(one for one in results if isinstance(one, Refusal))
    longest = max(rows, key=lambda one: one.bytes)
    stacks = [one.stack_bytes for one in rows]
    secrecy = weakest(one.secrecy for one in (longest, *rows))

    def mean(name: str) -> float | None:
        values: list[float | None] = [getattr(one, name) for one in rows]
        pairs = [(w, one) for w, one in zip(weights, values, strict=True) if one is not None]
        return sum(w * one for w, one in pairs) if len(pairs) == len(rows) else None

    def whole(name: str) -> int | None:
        value = mean(name)
        return None if value is None else round(value)

    window = f"mean of {mix_told(request.packets)}; the longest: {longest.provenance.window}"
    return replace(
        longest,
        cycles=mean("cycles") or 0,
        cycles_min=mean("cycles_min"),
        cycles_max=mean("cycles_max"),
        cycles_median=mean("cycles_median"),
        instructions=whole("instructions"),
        stall_cycles=whole("stall_cycles"),
        stack_bytes=None if None in stacks else max(one for one in stacks if one is not None),
        timing=secrecy.timing,
        evidence=secrecy.evidence,
        proved=secrecy.proved,
        unproved=secrecy.unproved,
        provenance=replace(longest.provenance, window=window),
    )
