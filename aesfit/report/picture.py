# SPDX-License-Identifier: MIT
"""What all pictures share: formats and fonts; equal figures give equal bytes."""

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ..extras import PLOTS, missing
from .themed import for_both

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
DPI = 150
"""Dots per inch of PNG files."""
_SETTINGS: Any = {
    "svg.fonttype": "none",  # keep text as text
    "svg.hashsalt": "aesfit",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial", "sans-serif"],
}


def why_not() -> str | None:
    """None if Matplotlib is installed; otherwise a sentence with the command that installs it."""
    return missing("drawing", PLOTS)


def saved(
    draw: Callable[[], "Figure"],
    suffix: str,
    finish: Callable[["Figure"], None] = lambda figure: None,
) -> bytes:
    """The bytes of a figure in the format of that suffix, without a date.

    `finish` is called with the figure once text can be measured, to place names.
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
    return for_both(out.getvalue()) if suffix == ".svg" else out.getvalue()
