# SPDX-License-Identifier: MIT
"""Ctrl-C while the command `aesfit` starts: it ends at once, without a traceback of its imports.

The package is imported before `main` runs and could catch anything, so Python's handler, which
raises KeyboardInterrupt, is set aside first.  Programs that import the package keep theirs.
"""

import signal
import sys

_COMMAND = "aesfit"


def set_aside() -> bool:
    """Let Ctrl-C end the process, if that is the command; one that is ignored stays so."""
    called = (getattr(sys, "argv", None) or [""])[0].replace("\\", "/").rpartition("/")[2]
    ours = called == _COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return ours


def restore() -> None:
    """Raise KeyboardInterrupt again: the command's own work is stopped in order."""
    if _OURS:
        signal.signal(signal.SIGINT, signal.default_int_handler)


_OURS = set_aside()
