# SPDX-License-Identifier: MIT
"""What the cycles of a chip whose flash waits were compared with.

The record of a comparison is `memory/<chip>.json`, beside the interfaces that stand before a flash.
It holds of the chip with its buffers as firmware usually sets them.
"""

import datetime
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import ceil
from pathlib import Path

from ...platforms.memory import Interface
from ...platforms.platform import Platform
from .evidence import blind_told, model_files
from .memory.replay import WaitingFlash

_MEMORY = Path(__file__).with_name("memory")
_SHARED = ("memory.h", "parts.h", "replay.c", "replay.h", "replay.py")
"""Files that take part in the waiting behind every interface."""


@dataclass(frozen=True)
class ChipEvidence:
    """A comparison of a chip, its flash waiting, with published cycles of silicon."""

    checked_against: str
    """What was published, and at which clock."""
    comparisons: int
    """Routines or sequences."""
    max_error_cycles: int
    """Largest difference of one, at any placement."""
    mean_percent: float
    """Mean absolute error at the middle of the placements."""
    worst_percent: float
    """Largest absolute error at the middle."""
    worst_placed_percent: float
    """Largest absolute error at any placement."""
    placements: int
    """Of the code within a line of the flash."""
    less_percent: float
    """By how much silicon was faster than the best placement, at most."""
    more_percent: float
    """By how much silicon was slower than the worst placement, at most."""
    blind: int
    """Routines that nobody knew when the rules were written; where there are any, the mean and the
    worst errors are theirs alone."""
    decided_sha256: str
    """Of all that decides the cycles, when they were compared."""
    date: str
    """YYYY-MM-DD."""
    command: str
    """What makes it again."""
    stale: bool = False
    """What decides the cycles has changed since."""

    @property
    def max_error(self) -> str:
        """How far from silicon, for people."""
        if not self.max_error_cycles:
            return f"0 cycles in {self.comparisons} calls"
        over = f" over {self.placements} placements" if self.placements > 1 else ""
        told = f"mean {self.mean_percent:.1f} %, worst {self.worst_placed_percent:.1f} %{over}"
        return f"{blind_told(self.blind)}{told}"

    def silicon(self, least: float, most: float) -> tuple[float, float]:
        """A range over placements, so wide that it holds all that was published of silicon."""
        return least * (1 - self.less_percent / 100), most * (1 + self.more_percent / 100)

    @property
    def agreement(self) -> str:
        """The same where they differ at all."""
        return self.max_error if self.max_error_cycles else "to the cycle"


@dataclass(frozen=True)
class PlacedCall:
    """Cycles that were published, and what is counted by placement of the code."""

    published: float
    least: float
    middle: float
    most: float
    blind: bool = False

    @property
    def percent(self) -> float:
        """What is counted too much at the middle."""
        return 100 * (self.middle / self.published - 1)

    @property
    def worst_percent(self) -> float:
        """The same at the placement where it is furthest off."""
        ends = (100 * (end / self.published - 1) for end in (self.least, self.most))
        return max(ends, key=abs)

    @property
    def beyond(self) -> tuple[float, float]:
        """Per cent by which silicon was faster than the best placement, slower than the worst."""
        return (
            max(0.0, 100 * (1 - self.published / self.least)),
            max(0.0, 100 * (self.published / self.most - 1)),
        )

    @property
    def furthest(self) -> float:
        """Cycles by which that placement is off."""
        return max(abs(end - self.published) for end in (self.least, self.most))


def decided_sha256(platform: Platform) -> str:
    """Digest of what decides the cycles of a chip: rules, interface, and the facts of its file."""
    usual = _usual(platform)
    kind = (f"{usual.kind}.c",) if usual else ()
    files = [*model_files(platform.timing or ""), *(_MEMORY / name for name in (*kind, *_SHARED))]
    digest = sha256(b"".join(path.read_bytes() for path in files))
    digest.update(repr(_facts(platform)).encode())
    return digest.hexdigest()


def _usual(platform: Platform) -> Interface | None:
    return platform.chip.interfaces["usual"] if platform.chip else None


def _facts(platform: Platform) -> tuple[object, ...]:
    """Numbers of the chip's file, without sources and without what costs no cycles."""
    chip = platform.chip
    waits = [(one.up_to.value, one.cycles) for one in chip.waits] if chip else []
    memories = [
        (one.name, one.start, one.holds, None if one.name == "flash" else one.wait_states.value)
        for one in platform.memories
    ]
    return platform.isa, platform.timing, waits, memories, _settings(_usual(platform))


def _settings(interface: Interface | None) -> tuple[object, ...]:
    return (interface.kind, interface.values) if interface else ()


def _path(platform: Platform) -> Path:
    """Parts of a chip share the file of the chip."""
    return _MEMORY / f"{platform.path.stem}.json"


def evidence_of_chip(platform: Platform) -> ChipEvidence | None:
    """The record; None when the chip, with its buffers as they are, was compared with nothing."""
    path = _path(platform)
    if platform.chip is None or not path.exists():
        return None
    if _settings(platform.memory("flash").interface) != _settings(_usual(platform)):
        return None
    facts = json.loads(path.read_text(encoding="utf-8"))
    return ChipEvidence(**facts, stale=facts["decided_sha256"] != decided_sha256(platform))


def write_chip_evidence(platform: Platform, evidence: ChipEvidence) -> Path:
    """Keep a record; whether it is stale is not part of it."""
    facts = asdict(evidence)
    del facts["stale"]
    path = _path(platform)
    path.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return path


def _up(percent: float) -> float:
    """Rounded up, so that the range it widens still holds the figure."""
    return ceil(100 * percent) / 100


def chip_record(
    platform: Platform, what: str, calls: Sequence[PlacedCall], command: str
) -> ChipEvidence:
    """What published cycles say of a chip at its clock; `what` was published: "routines"."""
    usual = _usual(platform)
    assert platform.clock is not None  # noqa: S101 - a chip's file gives its highest clock
    assert usual is not None  # noqa: S101 - who replays a flash has an interface before it
    blind = [one for one in calls if one.blind]
    judged = blind or calls
    errors = [abs(one.percent) for one in judged]
    return ChipEvidence(
        checked_against=f"{len(calls)} published {what} at {platform.clock.value:g} MHz",
        comparisons=len(calls),
        max_error_cycles=ceil(max(one.furthest for one in calls)),
        mean_percent=round(sum(errors) / len(errors), 2),
        worst_percent=round(max(errors), 2),
        worst_placed_percent=round(max(abs(one.worst_percent) for one in judged), 2),
        placements=len(WaitingFlash(usual, 0, ()).placements()),
        less_percent=_up(max(one.beyond[0] for one in calls)),
        more_percent=_up(max(one.beyond[1] for one in calls)),
        blind=len(blind),
        decided_sha256=decided_sha256(platform),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        command=command,
    )
