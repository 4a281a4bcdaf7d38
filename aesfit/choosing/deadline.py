# SPDX-License-Identifier: MIT
"""The time that one message may take, and whether it does."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TimeLimit:
    """The time that one message may take."""

    text: str
    """As it was asked for."""
    cycles: float
    """At the clock."""


@dataclass(frozen=True)
class DeadlineAnswer:
    """Whether one message is done before the deadline."""

    deadline: TimeLimit
    most_cycles: int
    """The worst case; on ideal memory the cycles that it takes at least."""
    met: bool | None
    """None where the usual cycles meet it and the worst case known does not, or is not known."""
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """The stable keys."""
        return {
            "asked": self.deadline.text,
            "deadline_cycles": self.deadline.cycles,
            "most_cycles": self.most_cycles,
            "met": self.met,
            "sentence": self.sentence,
        }
