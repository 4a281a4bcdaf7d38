# SPDX-License-Identifier: MIT
"""The cores that are written here, by name.

Each module has SCHEDULES, programs(), searched(), cost() and header().
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from . import fixslice_armv4, fixslice_armv6m, fixslice_armv7m, fixslice_rv32

CORES: Final[dict[str, ModuleType]] = {
    one.CORE: one for one in (fixslice_armv7m, fixslice_armv4, fixslice_rv32, fixslice_armv6m)
}
