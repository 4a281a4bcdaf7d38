# SPDX-License-Identifier: MIT
"""What is known of an operation's timing on a platform: two facts, and the lengths of a proof.

*Timing* says whether the time depends on the key.  *Evidence* says how independence is known; code
whose time depends on the key has none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Timing = Literal["independent", "independent here", "depends on the key"]
"""`independent`: no branch, no address and no instruction of variable time depends on a secret.
`independent here`: addresses do, and every memory that they reach answers in the same time,
whatever the address and whatever came before.  `depends on the key`: anything else."""
TIMINGS: tuple[Timing, ...] = get_args(Timing)
PROVED = "proved"
Kind = Literal["proved", "independent", "here", "depends"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Both facts in a word, from the strongest to the weakest."""


def runs_agree(number: int) -> str:
    """The evidence of so many runs with different secrets that agree."""
    return f"{number} runs"


@dataclass(frozen=True)
class Secrecy:
    """Whether a time depends on the key, and how that is known."""

    timing: Timing
    evidence: str | None = None
    """Of independence: `proved`, or the number of runs that agree, as `4 runs`; else None."""
    proved: str = ""
    """Lengths that the proof of the image is of; empty without a proof."""
    unproved: str = ""
    """Why a proof of the image is no evidence of this measurement."""

    @property
    def kind(self) -> Kind:
        """Both facts in a word."""
        if self.timing == "independent":
            return "proved" if self.evidence == PROVED else "independent"
        return "here" if self.timing == "independent here" else "depends"

    @property
    def place(self) -> int:
        """0 for the strongest kind."""
        return KINDS.index(self.kind)


def weakest(parts: Iterable[Secrecy]) -> Secrecy:
    """What holds for all of them together; of equals the first."""
    return max(parts, key=lambda one: one.place)
