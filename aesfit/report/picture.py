# SPDX-License-Identifier: MIT
"""What all pictures share: their formats and fonts, and that equal figures give equal bytes."""

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ..extras import PLOTS, missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
DPI = 150
"""Dots an inch of pictures that are written as PNG."""
_SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "aesfit",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial", "sans-serif"],
}


def why_not() -> str | None:
    """None when Matplotlib is there; else a sentence with the command that installs it."""
    return missing("drawing", PLOTS)


def saved(
    draw: Callable[[], "Figure"],
    suffix: str,
    finish: Callable[["Figure"], None] = lambda figure: None,
) -> bytes:
    """A figure as a file of that suffix, without the date.

    `finish` gets the figure once it can be measured, to place names by their size.
    """
    reason = why_not()
    if reason:
        raise OSError(reason)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with matplotlib.rc_context(_SETTINGS):
        figure = draw()
        FigureCanvasAgg(figure)
        finish(figure)
        out = BytesIO()
        made = {"Date": None} if suffix == ".svg" else {"Software": "aesfit"}
        figure.savefig(out, format=suffix[1:], dpi=DPI, metadata=made)
    return out.getvalue()
