# SPDX-License-Identifier: MIT
"""Python's garbage collector during a proof."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """A proof makes millions of tuples and keeps them; looking for cycles takes a sixth of it."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
        gc.collect()
