# SPDX-License-Identifier: MIT
"""What an executor finds in a run: a kind, and the place of the instruction."""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal[
    "branch",
    "jump",
    "load address",
    "store address",
    "shift count",
    "variable time",
    "access below the stack pointer",
    "access to memory that is not the function's",
    "unaligned access",
    "register not preserved",
    "secret left behind",
]
"""What was found: the first six depend on a secret."""
OF_SECRETS: Final[tuple[Kind, ...]] = (
    "branch", "jump", "load address", "store address", "shift count", "variable time",
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Finding:
    """Something that an instruction does, and where."""

    kind: Kind
    address: int
    text: str
    """The instruction."""
    function: str = ""
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """CodeRange, file and line, and the instruction."""
        return f"{self.function or hex(self.address)} ({self.file}:{self.line}, {self.text})"


class StuckError(Exception):
    """The run cannot be continued; the sentence says why and where."""


class TooLargeError(StuckError):
    """The proof would take more memory than it may; of the code this says nothing."""
