# SPDX-License-Identifier: MIT
"""From a question to its answer: measure, choose, and put into words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .fit import Candidate, Choice, Request, choose, cut, jobs
from .measure import measure
from .misses import Misses
from .rigs.evidence import UNTIMED, evidence_of
from .rigs.firmware.message import MODES
from .rigs.rig import Job, Progress, Row
from .verdict import FileTotal, file_cycles, file_sentence, verdict


@dataclass(frozen=True)
class Answer:
    """The choice and its words."""

    choice: Choice
    sentence: str
    evidence: str
    """What the cycles were checked against."""
    file: str | None = None
    """What a file costs, in a sentence."""
    explained: tuple[str, ...] = ()
    """The arithmetic of expected cache misses, a line each; empty unless asked for."""

    def as_json(self) -> dict[str, Any]:
        """The stable keys, and `explained` where that was asked for."""
        told = {"explained": list(self.explained)} if self.explained else {}
        return {**self.choice.as_json(self.sentence), **told}


def fit(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[tuple[str, ...] | None] = (None,),
    *,
    file: Path | None = None,
    fresh: bool = False,
    explain: bool = False,
    progress: Progress = lambda done, total: None,
) -> Answer:
    """Measure the cores, each with every variant of flags, and choose one of them.

    `explain` needs bursts in the request.
    """
    asked = _with_text(jobs(request, cores, variants), _text(file, 0, request.bytes))
    known = Misses(request)
    results = [
        known.of(job, one)
        for job, one in zip(asked, measure(asked, fresh=fresh, progress=progress), strict=True)
    ]
    choice = choose(request, asked, results)
    told, sentence = evidence(request), None
    if file is not None and choice.winner:
        sentence = file_sentence(_total(request, choice.winner, file, fresh, known), request.clock)
    explained = known.explain(choice) if explain else ()
    return Answer(choice, verdict(choice, told), told, sentence, explained)


def evidence(request: Request) -> str:
    """What the cycles were checked against."""
    platform = request.platform
    if platform.timing is None:
        return UNTIMED[platform.rig]
    found = evidence_of(platform.timing)
    if found is None:
        return f"timing model {platform.timing}: rules only"
    told = f"timing model {platform.timing} checked "
    told += "" if found.max_error_cycles else "to the cycle "
    told += f"against {found.checked_against}"
    told += f", largest error {found.max_error}" if found.max_error_cycles else ""
    waits = jobs(request, ["any"])[0].placed.flash_wait
    told += " without wait states" if waits else ""
    return told + (", before it was last changed" if found.stale else "")


def pieces(request: Request, size: int) -> tuple[int, int, int]:
    """A file of `size` bytes as fit.cut() gives it; ValueError when it makes no message."""
    shape = MODES[request.mode]
    found = cut(size, request.bytes, shape.multiple, shape.least)
    if not any(found[:2]):
        raise ValueError(f"the file is {size} bytes, too few for {request.mode}")
    return found


def _text(file: Path | None, at: int, size: int) -> bytes | None:
    """Bytes of the file; None when it has not as many."""
    if file is None:
        return None
    with file.open("rb") as stream:
        stream.seek(at)
        text = stream.read(size)
    return text if len(text) == size else None


def _with_text(asked: Sequence[Job], text: bytes | None) -> list[Job]:
    """The jobs with that payload, where they have one."""
    return [job if job.op == "key-setup" else replace(job, text=text) for job in asked]


def _total(
    request: Request, winner: Candidate, path: Path, fresh: bool, known: Misses
) -> FileTotal:
    """What the file costs; the message at its end is measured at its own length."""
    messages, last_bytes, left_out = pieces(request, path.stat().st_size)
    last: Row | None = None
    if last_bytes:
        shorter = replace(request, bytes=last_bytes)
        job = next(j for j in jobs(shorter, [winner.name], [winner.flags]) if j.op == "encrypt")
        text = _text(path, messages * request.bytes, last_bytes)
        (measured,) = measure(_with_text([job], text), fresh=fresh)
        result = known.of(job, measured)
        if not isinstance(result, Row):
            raise RuntimeError(result.reason)
        last = result
    cycles = file_cycles(winner, messages, last, request.messages_per_key)
    return FileTotal(path.name, request.bytes, messages, last_bytes, left_out, cycles)
