# SPDX-License-Identifier: MIT
"""What a timing model was compared with, apart from the manual that it was written from.

The record of a comparison is `timing/<model>.json`; `make evidence` writes it.
"""

import datetime
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

_TIMING = Path(__file__).with_name("timing")

UNTIMED = {
    "host": "measured on this computer",
    "vliw": "packets counted by QEMU; no stalls",
    "rtl": "cycles counted in the processor's own Verilog",
    "published": "published coefficients",
    "fake": "made up",
}
"""What cycles rest on where no timing model makes them, by rig."""


@dataclass(frozen=True)
class Evidence:
    """A comparison of a timing model with something that counts cycles on its own."""

    checked_against: str
    """The witness, with its version."""
    comparisons: int
    """Calls that were counted by both."""
    max_error_cycles: int
    """Largest difference of one call."""
    model_sha256: str
    """Of the model's files when it was compared."""
    date: str
    """YYYY-MM-DD."""
    command: str
    """What makes it again."""
    mean_percent: float | None = None
    """Of what was published of silicon: the mean absolute error of a call."""
    worst_percent: float | None = None
    blind: int = 0
    """Routines that nobody knew when the rules were written; where there are any, the errors are
    theirs alone."""
    stale: bool = False
    """The model has changed since."""

    @property
    def max_error(self) -> str:
        """The largest error seen, for people."""
        if self.mean_percent is not None:
            told = f"mean {self.mean_percent:.1f} %, worst {self.worst_percent:.1f} %"
            return f"{blind_told(self.blind)}{told}"
        return f"{self.max_error_cycles} cycles in {self.comparisons} calls"

    @property
    def agreement(self) -> str:
        """How far model and witness agree, for people."""
        if self.mean_percent is not None:
            return self.max_error
        return f"largest error {self.max_error}" if self.max_error_cycles else "to the cycle"


def blind_told(blind: int) -> str:
    """That errors are those of so many routines that the rules had not seen."""
    return f"{blind} of them blind: " if blind else ""


def model_sha256(name: str) -> str:
    """Digest of a timing model's file and of the shared rules that it imports."""
    return sha256(b"".join(path.read_bytes() for path in model_files(name))).hexdigest()


def model_files(name: str) -> list[Path]:
    """The model's file, then those of this folder that it takes rules from, each once."""
    found = [_TIMING / f"{name}.py"]
    for path in found:
        text = path.read_text(encoding="utf-8")
        lines = re.findall(r"^from \.(\w*) import (.+)$", text, re.MULTILINE)
        names = " ".join(module or names for module, names in lines).replace(",", " ").split()
        helpers = [_TIMING / f"{helper}.py" for helper in names if helper != "model"]
        found += [helper for helper in helpers if helper not in found]
    return found


def evidence_path(name: str) -> Path:
    """Where the record for a timing model is, or would be."""
    return _TIMING / f"{name}.json"


def evidence_of(timing_name: str) -> Evidence | None:
    """The record for a timing model; None when it was compared with nothing ("rules only")."""
    path = evidence_path(timing_name)
    if not path.exists():
        return None
    facts = json.loads(path.read_text(encoding="utf-8"))
    return Evidence(**facts, stale=facts["model_sha256"] != model_sha256(timing_name))


def write_evidence(name: str, evidence: Evidence) -> Path:
    """Keep a record; whether it is stale is not part of it."""
    facts = {name: fact for name, fact in asdict(evidence).items() if fact is not None}
    del facts["stale"]
    if not evidence.blind:
        del facts["blind"]
    path = evidence_path(name)
    path.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return path


class Comparison(Protocol):
    """One call, counted by a model and by a witness."""

    @property
    def name(self) -> str:
        """What was called."""

    @property
    def error(self) -> int:
        """Cycles that the model counts too many."""

    @property
    def same_work(self) -> bool:
        """Both executed as many instructions, to the same output."""


def record(model: str, witness: str, found: Sequence[Comparison], command: str) -> Evidence:
    """What the comparisons say of the model as it is now."""
    return Evidence(
        checked_against=witness,
        comparisons=len(found),
        max_error_cycles=max(abs(one.error) for one in found),
        model_sha256=model_sha256(model),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        command=command,
    )


@dataclass(frozen=True)
class PublishedCall:
    """One routine: cycles that were measured on silicon and published, and what a model counts."""

    published: float
    counted: float
    tables_in_flash: bool
    blind: bool = False

    @property
    def percent(self) -> float:
        """What the model counts too much."""
        return 100 * (self.counted / self.published - 1)


def published_record(model: str, calls: Sequence[PublishedCall], command: str) -> Evidence:
    """What published cycles say of the model as it is now.

    Tables in the flash that the code is fetched from are apart: its interface is no part of a
    processor's rules.
    """
    judged = [one for one in calls if not one.tables_in_flash]
    apart = sorted(one.percent for one in calls if one.tables_in_flash)
    blind = [one for one in judged if one.blind]
    errors = [abs(one.percent) for one in blind or judged]
    told = f"{len(judged)} published routines"
    if apart:
        told += f" ({len(apart)} more with tables in flash: {apart[0]:+.1f} to {apart[-1]:+.1f} %)"
    return Evidence(
        checked_against=told,
        comparisons=len(judged),
        max_error_cycles=round(max(abs(one.counted - one.published) for one in judged)),
        model_sha256=model_sha256(model),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        command=command,
        mean_percent=round(sum(errors) / len(errors), 2),
        worst_percent=round(max(errors), 2),
        blind=len(blind),
    )


def conclude(model: str, witness: str, found: Sequence[Comparison], command: str) -> int:
    """Print every difference and keep the record; the exit code is 1 when nothing can be said."""
    for one in found:
        if one.error or not one.same_work:
            print(f"{one.name}: the model counts {one.error:+} cycles")
    if not all(one.same_work for one in found):
        print("the witness computed something else: nothing is recorded", file=sys.stderr)
        return 1
    evidence = record(model, witness, found, command)
    print(f"{model} against {evidence.checked_against}: {evidence.max_error}")
    print(write_evidence(model, evidence).name)
    return 0
