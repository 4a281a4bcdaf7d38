# SPDX-License-Identifier: MIT
"""The static page over the shipped atlas stays below 1.1 MB, with every platform."""

import pytest

from aesfit.choosing.usual import usual_platforms
from aesfit.web import export
from aesfit.web.offers import COMMON

MOST_BYTES = 1_100_000


def test_the_static_page_stays_small(slow: bool) -> None:
    """With --slow each platform is packed, else one stands for all."""
    names = usual_platforms()
    packed = [len(export.packed_answers(name)) for name in (names if slow else (COMMON,))]
    held = [size for size in packed if size]
    if not held:
        pytest.skip("no line of the atlas is current")
    fixed = sum(path.stat().st_size for path in export._STATIC.iterdir())
    whole = fixed + len(names) * sum(held) / len(held)
    assert whole < MOST_BYTES
