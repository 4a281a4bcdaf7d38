# SPDX-License-Identifier: MIT
"""Whether the parts of a file cover its picture: Pillow leaves black what no part covers.

A TIFF whose directory lists too few strips or tiles is such a file, and an animated PNG whose
first frame is smaller than the picture.  In other formats a part may be smaller by their rules.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

_WHOLE = ("PNG", "TIFF")
"""Formats whose picture has a sample for each pixel."""


def check_tiles(image: "Image.Image") -> None:
    """Raise ValueError where parts are missing; the image is not decoded yet."""
    if image.format not in _WHOLE:
        return
    width, height = image.size
    places = {tile[1] for tile in getattr(image, "tile", ()) if tile[1]}  # planes lie over another
    found = sum(
        max(0, min(right, width) - left) * max(0, min(below, height) - top)
        for left, top, right, below in places
    )
    if found < width * height:
        raise ValueError(
            f"parts are missing: {found} of {width * height} pixels are there, so the file was "
            "cut short"
        )
