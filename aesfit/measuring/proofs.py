# SPDX-License-Identifier: MIT
"""Which images are proved independent of secrets: those recorded here, and the user's own.

A proof holds for the bytes of one image, which its digest names (building/loaded.py), and for the
instructions of variable time that one timing model lists.  proven_images.tsv beside this file is
written by tools/record_proofs.py, and an install without the prover reads it.  What `aesfit prove`
shows is kept in the store, by the digest of the prover too.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from ..building.unit import core_named
from ..jobs.job import Job, Row
from ..jobs.message import proved_bytes
from ..jobs.secrecy import PROVED
from ..store import closure
from ..store.contents import cached, forget, kept, key

RECORDED = Path(__file__).with_name("proven_images.tsv")
COLUMNS = ("timing", "sha256", "platform", "core", "key_bits", "mode", "op", "covers")
_PROVER = f"{closure.PACKAGE.name}.proving.prove"
_SUFFIX = ".shown"
Shown = Literal["proved", "refuted", "open"]
"""Of the independence of secrets of an image at one length."""


def timing_of(job: Job) -> str | None:
    """The timing model whose instructions of variable time count; None where there is none."""
    rules = job.platform.rules
    return job.platform.timing if rules is None else rules.timing


def lengths_of(job: Job) -> tuple[int | None, ...]:
    """Payloads at which the job's image has to be proved; None stands for what has no payload."""
    if job.mode is None or job.op == "key-setup":
        return (None,)
    return proved_bytes(job.mode)


def covers(job: Job) -> str:
    """What a proof of the job's image is of."""
    if job.op.startswith("key-setup"):
        return "key set-up"
    if job.mode is None:
        return f"{core_named(job.core).lanes + 1} blocks"
    return f"{','.join(map(str, lengths_of(job)))} bytes"


def remember(sha256: str, timing: str, size: int | None, shown: Shown) -> None:
    """Keep what was shown of an image at a length."""

    def make(target: Path) -> dict[str, object]:
        target.write_text(shown, encoding="utf-8")
        return {"shown": shown}

    name = _name(sha256, timing, size)
    if kept(name, _SUFFIX) != {"shown": shown}:
        forget(name, _SUFFIX)
        cached(name, _SUFFIX, make)


def remembered(sha256: str, timing: str, size: int | None) -> Shown | None:
    """What this version of the prover showed of an image at a length; None where it did not try."""
    facts = kept(_name(sha256, timing, size), _SUFFIX)
    return None if facts is None else facts["shown"]


def _name(sha256: str, timing: str, size: int | None) -> str:
    return key("shown", sha256, timing, size, closure.digest(_PROVER))


@cache
def recorded(path: Path) -> Mapping[tuple[str, str], str]:
    """What is proved by timing model and digest, in a file that tools/record_proofs.py wrote."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    if wrong := [row for row in rows if len(row) != len(COLUMNS)]:
        raise ValueError(f"{path} has a line of {len(wrong[0])} columns, not {len(COLUMNS)}")
    return {(row[0], row[1]): row[-1] for row in rows[1:]}


def with_proof(job: Job, row: Row) -> Row:
    """The row with a proof as its evidence where its image is proved.

    Where it is refuted at a length, its time depends on secrets, whatever the runs showed.
    """
    timing, sha256 = timing_of(job), row.provenance.image_sha256
    if row.secrecy.kind != "independent" or timing is None or not sha256:
        return row
    meant = covers(job)
    if recorded(RECORDED).get((timing, sha256)) == meant:
        return replace(row, evidence=PROVED, proved=meant)
    shown = [remembered(sha256, timing, size) for size in lengths_of(job)]
    if "refuted" in shown:
        return replace(row, timing="depends on the key", evidence=None)
    if set(shown) == {"proved"}:
        return replace(row, evidence=PROVED, proved=meant)
    return row
