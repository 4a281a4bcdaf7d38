# SPDX-License-Identifier: MIT
"""A trace of the power model, its t-values, and the ranks of key bytes, as PNG or SVG."""

from typing import TYPE_CHECKING

import numpy as np

from .curves import dress
from .marks import DOTS_PER_INCH, INK, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..power.study import PowerFound

_LINE, _LIMIT = "#0072b2", "#992c5b"


def render(found: "PowerFound", suffix: str) -> bytes:
    """The picture as a file of that suffix, byte for byte the same for the same figures."""
    return saved(lambda: _figure(found), suffix)


def _figure(found: "PowerFound") -> "Figure":
    from matplotlib.figure import Figure

    panels = [_trace, _t_values] if found.curves is not None else []
    panels += [_ranks] if found.attack is not None else []
    figure = Figure(figsize=(9.6, 1.2 + 2.4 * len(panels)), dpi=DOTS_PER_INCH, facecolor=PAPER)
    every = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, draw in zip(every, panels, strict=True):
        draw(axes, found)
    title = f"{found.name} on {found.platform}: traces of a model, not of a chip"
    figure.suptitle(title, color=INK, fontsize=12)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    return figure


def _trace(axes: "Axes", found: "PowerFound") -> None:
    assert found.curves is not None  # noqa: S101 - the caller looked
    axes.plot(found.curves.mean, color=_LINE, linewidth=0.5)
    dress(axes, "", "mean weight, bits")


def _t_values(axes: "Axes", found: "PowerFound") -> None:
    assert found.curves is not None  # noqa: S101 - the caller looked
    t = found.curves.t
    finite = t[np.isfinite(t)]
    top = 1.1 * max(np.abs(finite).max(initial=0.0), 2 * (found.threshold or 0.0))
    axes.plot(np.clip(t, -top, top), color=_LINE, linewidth=0.5)
    for limit in (-(found.threshold or 0.0), found.threshold or 0.0):
        axes.axhline(limit, color=_LIMIT, linewidth=1.0, linestyle=(0, (5, 4)))
    dress(axes, f"point of the trace, over {found.instructions:,} instructions", "t")


def _ranks(axes: "Axes", found: "PowerFound") -> None:
    assert found.attack is not None  # noqa: S101 - the caller looked
    traces = [many for many, _ in found.attack.ranks]
    for ranks in zip(*(ranks for _, ranks in found.attack.ranks), strict=True):
        axes.plot(traces, ranks, "o-", color=_LINE, linewidth=0.8, markersize=2.5, alpha=0.6)
    axes.set_yscale("log", base=2)
    if len(traces) > 1:
        axes.set_xscale("log")
    axes.axhline(1, color=MUTED, linewidth=0.8)
    dress(axes, "traces", "rank of each key byte")
