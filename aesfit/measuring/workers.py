# SPDX-License-Identifier: MIT
"""Processes of a pool, which end with the one that began them."""

import os
import threading


def end_with_parent() -> None:
    """In a process of a pool, once: when the parent is gone, so is this, at once.

    Otherwise one whose parent was killed waits for work for ever, and whoever reads its output
    for an end of that.
    """
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    from multiprocessing import parent_process  # start-up time of who has no pool

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
