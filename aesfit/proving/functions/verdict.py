# SPDX-License-Identifier: MIT
"""What came out of a function: the answer of `aesfit prove --function`."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from ...units import five_lines
from ..code import Code
from ..findings import OF_SECRETS, Finding, Kind
from ..lifter import CONSTANT, MEMORY, Lifted
from .follow import Met
from .places import PlaceInCode, place_of
from .traced import Trail

Verdict = Literal["independent", "depends", "not shown"]
"""`independent`: for all secrets, with the public values that were given.  `depends`: findings say
where.  `not shown`: nothing was found, but a way was not followed to its end."""
FunctionKind = Kind | Literal["predicated instruction"]
_MEANING: Final[dict[FunctionKind, str]] = {
    "predicated instruction": "whether the instruction is executed depends on a secret",
    "branch": "a branch depends on a secret",
    "jump": "the target of a jump depends on a secret",
    "load address": "the address of a load depends on a secret",
    "store address": "the address of a store depends on a secret",
    "shift count": "a shift count depends on a secret",
    "variable time": "the time of the instruction depends on its operands, and one is secret",
}


@dataclass(frozen=True)
class FunctionFinding:
    """Something that an instruction does, and how the run came there."""

    kind: FunctionKind
    place: PlaceInCode
    calls: tuple[PlaceInCode, ...]
    """The calls that were open, the outermost first."""
    source: str
    """The secret."""
    path: tuple[PlaceInCode, ...]
    """Instructions that computed with it, from the first to the last."""

    @property
    def meaning(self) -> str:
        """What was found, as a sentence without an end."""
        return _MEANING.get(self.kind, self.kind)

    def as_json(self) -> dict[str, Any]:
        """Plain values with stable keys."""
        told = asdict(self)
        return {"kind": told.pop("kind"), "meaning": self.meaning, **told.pop("place"), **told}


@dataclass(frozen=True, repr=False)
class FunctionVerdict:
    """What was shown of one function."""

    platform: str
    function: str
    files: tuple[str, ...]
    arguments: tuple[str, ...]
    verdict: Verdict
    findings: tuple[FunctionFinding, ...]
    not_followed: tuple[str, ...]
    """Why ways were not followed to their end."""
    assumed: tuple[str, ...]
    """What the answer rests on: stubs and variables."""
    left: tuple[tuple[str, int], ...]
    """Functions, and the secret bytes that each left on the stack."""
    registers: tuple[str, ...]
    """Registers that hold a secret after the return, beside that of the result."""
    instructions: int
    image_sha256: str
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The verdict, and what was found first."""
        told = [f"{one.meaning}, at {one.place.told}" for one in self.findings]
        first = f"FunctionVerdict: {self.function} on {self.platform}: {self.verdict}"
        return five_lines(first, [*told, *self.not_followed])

    def as_json(self) -> dict[str, Any]:
        """What `aesfit prove --function --json` prints."""
        told = asdict(self)
        told["findings"] = [one.as_json() for one in self.findings]
        told["left"] = [{"function": name, "bytes": size} for name, size in self.left]
        return told


def finding_of(code: Code, one: Finding, met: Met) -> FunctionFinding:
    """A finding with its path."""
    trail = met.trail
    steps = [*trail] if trail and one.kind in OF_SECRETS else []
    source = steps[-1].source if steps else ""
    predicated = one.kind == "branch" and _predicated(code.lifted(one.address))
    return FunctionFinding(
        "predicated instruction" if predicated else one.kind,
        place_of(code, one.address),
        tuple(place_of(code, at) for at in met.calls),
        source,
        tuple(_path(code, steps, one.address)),
    )


def _predicated(lifted: Lifted) -> bool:
    """A condition decides whether it does anything, and not where the run goes on."""
    skips = (("CBRANCH", CONSTANT), ("CBRANCH", MEMORY, lifted.address + lifted.size))
    places = [(one.name, *one.inputs[0]) for one in lifted.operations if one.inputs]
    return any(place[:2] == skips[0] or place[:3] == skips[1] for place in places)


def _path(code: Code, steps: list[Trail], last: int) -> Iterator[PlaceInCode]:
    """The places of a path, without the rounds of loops."""
    addresses = [one.at for one in reversed(steps) if not one.source]
    kept: list[int] = []
    for at in addresses:
        if at in kept:
            del kept[kept.index(at) :]
        kept.append(at)
    for at in kept:
        if at != last and code.image.byte(at) is not None:
            yield place_of(code, at)
