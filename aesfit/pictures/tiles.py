# SPDX-License-Identifier: MIT
"""Checks that the parts of a file cover its picture: Pillow leaves uncovered pixels black.

Examples are a TIFF whose directory lists too few strips or tiles, and an animated PNG whose first
frame is smaller than the picture.  Other formats allow smaller parts.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

_WHOLE = ("PNG", "TIFF")
"""Formats that must have a sample for each pixel."""


def check_tiles(image: "Image.Image") -> None:
    """Raise ValueError if parts are missing, before the image is decoded."""
    if image.format not in _WHOLE:
        return
    width, height = image.size
    places = {tile[1] for tile in getattr(image, "tile", ()) if tile[1]}  # colour planes overlap
    found = sum(
        max(0, min(right, width) - left) * max(0, min(below, height) - top)
        for left, top, right, below in places
    )
    if found < width * height:
        raise ValueError(
            f"parts are missing: {found} of {width * height} pixels are there, so the file was "
            "cut short"
        )
