# SPDX-License-Identifier: MIT
"""What the cycles of any platform rest on, in words: the one answer that everybody prints."""

from dataclasses import dataclass
from math import ceil, floor

from ...platforms.platform import Platform
from .chip_evidence import ChipEvidence, evidence_of_chip
from .evidence import UNTIMED, Evidence, evidence_of

RULES_ONLY = "rules only"
_UNTIMED = {**UNTIMED, "board": "counted on the board by its own counter"}


@dataclass(frozen=True)
class Trust:
    """What cycles were checked against."""

    basis: str
    """What makes the cycles: "timing model cortex_m3"; all there is to say where no rules do."""
    model: str | None
    """The timing model; None where cycles are not counted by rules."""
    found: Evidence | ChipEvidence | None = None
    """The comparison; None where there was none."""
    rest: str = ""
    """What takes part in the cycles and is not in the comparison."""

    @property
    def whole(self) -> Evidence | ChipEvidence | None:
        """The comparison, where it covers all that makes the cycles."""
        return None if self.rest else self.found

    def ends(self, least: float | None, most: float | None) -> tuple[int, int] | None:
        """The range to print: over placements, and so wide that it holds all known silicon.

        None where it is a single figure.
        """
        if least is None or most is None:
            return None
        found = self.whole
        if isinstance(found, ChipEvidence):
            least, most = found.silicon(least, most)
        return None if least == most else (floor(least), ceil(most))

    @property
    def always_more(self) -> float:
        """Per cent that silicon took more than the worst placement, if it never took less."""
        found = self.whole
        if not isinstance(found, ChipEvidence) or found.less_percent:
            return 0
        return found.more_percent

    @property
    def max_error(self) -> str | None:
        """The largest error seen; None without a comparison of all that makes the cycles."""
        return self.whole.max_error if self.whole else None

    @property
    def checked_against(self) -> str:
        """With what, in few words: for a table that has the error in a column of its own."""
        if self.model is None:
            return self.basis
        if self.found is None:
            return RULES_ONLY
        if not self.rest:
            stale = " (before the model changed)" if self.found.stale else ""
            return self.found.checked_against + stale
        stale = ", before the model changed" if self.found.stale else ""
        return (
            f"rules of {self.model} ({self.found.checked_against}, {self.found.agreement}{stale})"
            f"{self.rest}"
        )

    @property
    def sentence(self) -> str:
        """The whole of it."""
        if self.model is None:
            return self.basis
        if self.found is None:
            return f"{self.basis}: {RULES_ONLY}"
        exact = not self.found.max_error_cycles
        told = f"{self.basis} checked {'to the cycle ' if exact else ''}against "
        told += self.found.checked_against
        told += "" if exact else f", {self.found.agreement}"
        return told + (", before it was last changed" if self.found.stale else "") + self.rest


def trust(platform: Platform, wait_states: int | None = None) -> Trust:
    """What the platform's cycles rest on.

    `wait_states`: of the flash, as it was measured; None: those at the platform's clock.
    """
    model = platform.timing
    if model is None:
        return Trust(_UNTIMED[platform.rig], None)
    basis = f"timing model {model}"
    if not _waits(platform, wait_states):
        return Trust(basis, model, evidence_of(model))
    behind = evidence_of_chip(platform)
    if behind is not None:
        return Trust(f"{basis} behind the flash of {platform.path.stem}", model, behind)
    found = evidence_of(model)
    return Trust(basis, model, found, f"; its flash: {RULES_ONLY}" if found else "")


def _waits(platform: Platform, wait_states: int | None) -> bool:
    flash = platform.memory("flash")
    wait = int(flash.wait_states.value) if wait_states is None else wait_states
    return flash.interface.waits(wait) if flash.interface else wait > 0
