# SPDX-License-Identifier: MIT
"""What a timing model was compared with, apart from the manual that it was written from.

The record of a comparison is `timing/<model>.json`; tools/make_evidence.py makes it.
"""

import json
import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

_TIMING = Path(__file__).with_name("timing")


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
    stale: bool = False
    """The model has changed since."""

    @property
    def max_error(self) -> str:
        """The largest error seen, for people."""
        return f"{self.max_error_cycles} cycles in {self.comparisons} calls"


def model_sha256(name: str) -> str:
    """Digest of a timing model's file and of the shared rules that it imports."""
    return sha256(b"".join(path.read_bytes() for path in _model_files(name))).hexdigest()


def _model_files(name: str) -> list[Path]:
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
    facts = asdict(evidence)
    del facts["stale"]
    path = evidence_path(name)
    path.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return path
