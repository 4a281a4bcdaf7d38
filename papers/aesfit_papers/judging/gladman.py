# SPDX-License-Identifier: MIT
"""Cycles of Gladman's AES, stored: his code is public, and no line of it is here.

`gladman.csv` says which code was measured, and how; docs/peers.md how a reader measures it again.
"""

from collections.abc import Callable
from typing import Final

from aesfit.store.files import beside

from .cells import found
from .contract import Measured, Row
from .results import read

COLUMNS_2001, TABLES_2001 = "columns", "tables"
"""The code with words, of the paper of 2002: with S-boxes alone, and with all tables."""
BYTES_2006: Final = ("bytes", "bytes-32")
"""The byte-oriented code, without and with 32-bit types."""


def stored() -> Measured:
    """Every figure: cycles of key schedules, encryption and decryption."""
    (path,) = beside(__file__, "gladman.csv")
    return read(path)


def cell() -> Callable[..., Row]:
    """A row by code, platform and level."""
    return found(stored().rows, "code", "platform", "flags")
