# SPDX-License-Identifier: MIT
"""Which images are proved independent of secrets: those recorded here, and the user's own.

A proof holds for the bytes of one image, which its digest names (building/loaded.py), and for the
instructions of variable time that one timing model lists.  proven_images.tsv beside this file is
written by tools/record_proofs.py, and an install without the prover reads it.  What `aesfit prove`
shows is kept in the store, by the digest of the prover too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from ..catalog import Mode
from ..jobs.job import Job, Row
from ..jobs.message import proved_bytes
from ..jobs.secrecy import PROVED
from ..store import closure
from ..store.contents import cached, forget, kept, key
from .executed import Ranges, decoded, encoded, joined, unproved

RECORDED = Path(__file__).with_name("proven_images.tsv")
COLUMNS = (
    *("timing", "sha256", "platform", "core", "key_bits", "mode", "op"),
    *("covers", "checked", "ran"),
)
"""`checked`: payloads whose measurement executes nothing that the proof did not run; "any" of what
has none.  `ran`: the code that the proof ran (executed.encoded)."""
_PROVER = f"{closure.PACKAGE.name}.proving.prove"
_SUFFIX = ".shown"
_UNTRIED = ("pkcs7", "cbc_cs3", "cbc_mac", "ccmp")
"""Modes whose functions nobody has asked about in firmware."""
Shown = Literal["proved", "refuted", "open"]
"""Of the independence of secrets of an image at one length."""


@dataclass(frozen=True)
class ShownLength:
    """What was shown of an image at a length, and the code that ran for it."""

    outcome: Shown
    ran: Ranges


@dataclass(frozen=True)
class ImageProof:
    """What is proved of an image, at all lengths together."""

    covers: str
    checked: tuple[str, ...]
    ran: Ranges


def timing_of(job: Job) -> str | None:
    """The timing model whose instructions of variable time count; None where there is none."""
    rules = job.platform.rules
    return job.platform.timing if rules is None else rules.timing


def long_bytes(mode: Mode) -> tuple[int, ...]:
    """Payloads with which loops run again, so that all is run that longer messages execute.

    A call that may refuse is proved independent there, and not compared with the standard: it may
    tell whether it accepts where it does in shorter messages.
    """
    return (mode.loops - mode.loops % mode.multiple,) if mode.loops else ()


def provable_by_symbol(mode: Mode) -> bool:
    """Whether `aesfit prove --symbol` takes the mode's functions: a message is one call of them."""
    return mode.state is None and mode.name not in _UNTRIED


def proved_lengths(mode: Mode) -> tuple[int, ...]:
    """Payloads at which messages of a mode are proved."""
    return (*proved_bytes(mode), *long_bytes(mode))


def lengths_of(job: Job) -> tuple[int | None, ...]:
    """Payloads at which the job's image has to be proved; None stands for what has no payload."""
    if job.mode is None or job.op == "key-setup":
        return (None,)
    return proved_lengths(job.shape)


def covers(job: Job) -> str:
    """What a proof of the job's image is of."""
    if job.op.startswith("key-setup"):
        return "key set-up"
    if job.mode is None:
        return f"{job.implementation.lanes + 1} blocks"
    return f"{','.join(map(str, lengths_of(job)))} bytes"


def remember(sha256: str, timing: str, size: int | None, shown: ShownLength) -> None:
    """Keep what was shown of an image at a length."""
    facts: dict[str, object] = {"shown": shown.outcome, "ran": encoded(shown.ran)}

    def make(target: Path) -> dict[str, object]:
        target.write_text(shown.outcome, encoding="utf-8")
        return facts

    name = _name(sha256, timing, size)
    if kept(name, _SUFFIX) != facts:
        forget(name, _SUFFIX)
        cached(name, _SUFFIX, make)


def remembered(sha256: str, timing: str, size: int | None) -> ShownLength | None:
    """What this version of the prover showed of an image at a length; None where it did not try."""
    facts = kept(_name(sha256, timing, size), _SUFFIX)
    return None if facts is None else ShownLength(facts["shown"], decoded(facts["ran"]))


def _name(sha256: str, timing: str, size: int | None) -> str:
    return key("shown", sha256, timing, size, closure.digest(_PROVER))


@cache
def recorded(path: Path) -> Mapping[tuple[str, str], ImageProof]:
    """What is proved by timing model and digest, in a file that tools/record_proofs.py wrote."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    if wrong := [row for row in rows if len(row) != len(COLUMNS)]:
        raise ValueError(f"{path} has a line of {len(wrong[0])} columns, not {len(COLUMNS)}")
    return {
        (row[0], row[1]): ImageProof(row[-3], tuple(row[-2].split(",")), decoded(row[-1]))
        for row in rows[1:]
    }


def image_proof(job: Job, sha256: str) -> ImageProof | None:
    """What is recorded, or kept by `aesfit prove`, of the job's image; None: it is not proved."""
    timing, meant = timing_of(job) or "", covers(job)
    found = recorded(RECORDED).get((timing, sha256))
    if found is not None and found.covers == meant:
        return found
    shown = [remembered(sha256, timing, size) for size in lengths_of(job)]
    ran = [one.ran for one in shown if one is not None and one.outcome == "proved"]
    return ImageProof(meant, (), joined(ran)) if len(ran) == len(shown) else None


def with_proof(job: Job, row: Row) -> Row:
    """The row with a proof as its evidence where its image is proved.

    Where it is refuted at a length, its time depends on secrets, whatever the runs showed.  Where
    its measurement executes what the proof did not run, it says so and stays as it is.
    """
    timing, sha256 = timing_of(job), row.provenance.image_sha256
    if row.secrecy.kind != "independent" or timing is None or not sha256:
        return row
    shown = image_proof(job, sha256)
    if shown is None:
        tried = [remembered(sha256, timing, size) for size in lengths_of(job)]
        refuted = any(one is not None and one.outcome == "refuted" for one in tried)
        return replace(row, timing="depends on the key", evidence=None) if refuted else row
    beyond = not_proved(job, sha256, shown)
    if beyond:
        return replace(row, unproved=beyond)
    return replace(row, evidence=PROVED, proved=shown.covers)


def not_proved(job: Job, sha256: str, shown: ImageProof) -> str:
    """Why the proof is no evidence of the job's measurement; empty where it is."""
    size = "any" if lengths_of(job) == (None,) else str(job.bytes)
    if size in shown.checked:
        return ""
    try:
        found = unproved(job, sha256, shown.ran)
    except (ImportError, RuntimeError, ValueError) as error:  # as where there is no compiler
        return f"whether it executes more than the proof ran is not known here: {error}"
    told = ", ".join(f"{count} of {function}" for function, count in found.items())
    return f"it executes instructions that the proof did not run: {told}" if told else ""
