# SPDX-License-Identifier: MIT
"""What was asked and what came out: the rows of `aesfit prove`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..measuring.executed import Ranges, decoded, encoded
from .findings import Finding

Outcome = Literal["proved", "refuted", "open", "refused", "told"]
"""`proved`: for every key and every datum of these lengths.  `refuted`: false, with an example or a
place.  `open`: tried, and neither shown nor refuted.  `refused`: not tried, for the reason beside
it.  `told`: a fact about code that claims nothing."""
EQUAL, INDEPENDENT, STACK = (
    "equal to the standard",
    "independent of secrets",
    "no secret left on the stack or in registers",
)


@dataclass(frozen=True)
class ProvedStatement:
    """What was asked of an image, and what came out."""

    claim: str
    """EQUAL, INDEPENDENT or STACK."""
    outcome: Outcome
    shapes: str
    """Lengths and placements of the runs behind it."""
    detail: str = ""
    """Why it was refused or refuted; what was told."""
    findings: tuple[Finding, ...] = ()
    """What contradicts it, or for table cores what was found."""
    verdicts: tuple[Finding, ...] = ()
    """Branches on declassified verdicts; both sides of each were run."""
    left: tuple[tuple[str, int], ...] = ()
    """Of STACK: functions, and the secret bytes that each left behind."""
    registers: tuple[str, ...] = ()
    """Of STACK: those that hold a secret."""
    instructions: int = 0
    ran: Ranges = ()
    """Of INDEPENDENT: the code that was run."""

    def as_json(self) -> dict[str, Any]:
        """Plain values with stable keys; of the code that ran none."""
        told = {name: value for name, value in asdict(self).items() if name != "ran"}
        told["left"] = [{"function": name, "bytes": size} for name, size in self.left]
        return told


@dataclass(frozen=True)
class Proof:
    """What was shown of one image: a direction of a core, or of a mode over it, on a platform."""

    platform: str
    core: str
    key_bits: int
    op: str
    mode: str | None
    bytes: int | Literal["every"] | None
    image_sha256: str
    """Of the bytes that take memory; empty where there was no image."""
    compiler: str
    flags: str
    constant_time: bool
    """The code says of itself that it is independent of secrets."""
    statements: tuple[ProvedStatement, ...]
    assumed: tuple[str, ...] = ()
    """Of firmware: values of variables that the proof rests on."""

    @property
    def failed(self) -> bool:
        """Something is refuted, or was tried and not proved, or nothing is proved."""
        outcomes = [one.outcome for one in self.statements]
        return "refuted" in outcomes or "open" in outcomes or "proved" not in outcomes

    def of(self, claim: str) -> ProvedStatement | None:
        """The statement of that claim."""
        return next((one for one in self.statements if one.claim == claim), None)

    def as_json(self) -> dict[str, Any]:
        """What `aesfit prove --json` prints for it."""
        return {**asdict(self), "statements": [one.as_json() for one in self.statements]}

    def for_store(self) -> dict[str, Any]:
        """As as_json() has it, and the code that ran."""
        statements = [{**one.as_json(), "ran": encoded(one.ran)} for one in self.statements]
        return {**self.as_json(), "statements": statements}


def proof_of(told: Mapping[str, Any]) -> Proof:
    """A proof from what for_store() made of it."""
    statements = tuple(map(_statement_of, told["statements"]))
    return Proof(**{**told, "statements": statements, "assumed": tuple(told["assumed"])})


def _statement_of(told: Mapping[str, Any]) -> ProvedStatement:
    found = dict(told)
    for key in ("findings", "verdicts"):
        found[key] = tuple(Finding(**one) for one in told[key])
    found["left"] = tuple((one["function"], one["bytes"]) for one in told["left"])
    found["registers"] = tuple(told["registers"])
    found["ran"] = decoded(told["ran"])
    return ProvedStatement(**found)
