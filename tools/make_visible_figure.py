# SPDX-License-Identifier: MIT
"""Draw docs/figures/visible.png: python tools/make_visible_figure.py."""

from pathlib import Path

from aesfit.pictures.picture_file import Picture
from aesfit.pictures.scenes import scene
from aesfit.pictures.visible import reused, visible
from aesfit.report.visible_strip import strip

FIGURE = Path(__file__).resolve().parents[1] / "docs" / "figures" / "visible.png"
_EDGE = 300


def main() -> None:
    """The logo, and the same logo upside down as the second picture."""
    logo = scene("logo", _EDGE)
    other = Picture(logo.pixels[::-1].copy(), logo.mode, f"{logo.name}, upside down")
    FIGURE.write_bytes(strip(logo, visible(logo), other, reused(logo, other)))


if __name__ == "__main__":
    main()
