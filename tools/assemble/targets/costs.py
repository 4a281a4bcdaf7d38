# SPDX-License-Identifier: MIT
"""What a target says of its instructions' cycles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FREE, FIRST_DIES, ONE_DIES = range(3)
"""Where an operation writes: any register, that of its first operand, that of either."""


@dataclass(frozen=True)
class Costs:
    """Cycles by kind of instruction, and by kinds of neighbours."""

    cycles: Mapping[str, int]
    """Behind an operation whose result it does not read."""
    together: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Cycles more, or fewer, of the second behind the first."""
    waits: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The same where the second reads what the first made last."""
    copy: int = 0
    """Of an operation that would destroy an operand that is still needed."""
