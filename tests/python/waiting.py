# SPDX-License-Identifier: MIT
"""Waiting for what gives no event."""

import time
from collections.abc import Callable


def until(condition: Callable[[], object]) -> None:
    """Look again and again, without a limit; for what can be seen but not waited for."""
    while not condition():
        time.sleep(0.01)  # no deadline: spares the processor between two looks
