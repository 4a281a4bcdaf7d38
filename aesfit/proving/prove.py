# SPDX-License-Identifier: MIT
"""Proofs of images, each made once: what was shown is kept by the digest of all it depends on."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from ..building import build
from ..building.build import BuildError
from ..jobs.job import Job, Progress
from ..measuring.executed import Ranges, joined
from ..measuring.proofs import (
    Shown,
    ShownLength,
    lengths_of,
    remember,
    remembered,
    timing_of,
)
from ..store import closure
from ..store.contents import cached, forget, key
from .answer import EQUAL, INDEPENDENT, Proof, ProvedStatement, proof_of
from .code import Code
from .collecting import uncollected
from .compiled import ProofImageError, proof_image
from .equality import prove_blocks
from .every_length import at_every_length
from .independence import block_statements, claimed
from .left import NOT_KNOWN
from .modes import MessageProof, judge_of
from .variable_time import timing_module

_KEPT = ".proof.json"
_COMPARED = ("encrypt-block", "decrypt-block", "encrypt", "decrypt")
"""Operations whose results the standards give; key set-up is part of each."""


def prove(jobs: Sequence[Job], *, fresh: bool, progress: Progress) -> list[Proof]:
    """The proofs of jobs, one after another."""
    found = []
    for done, job in enumerate(jobs, 1):
        found.append(_kept(job, fresh))
        progress(done, len(jobs))
    return found


def _kept(job: Job, fresh: bool) -> Proof:
    try:
        name = digest(job)
    except BuildError as error:
        return _refused(job, str(error))
    if fresh:
        forget(name, _KEPT)

    def make(target: Path) -> dict[str, object]:
        with uncollected():
            made = _proved(job)
        target.write_text(json.dumps(made.for_store()), encoding="utf-8")
        return {}

    path, _ = cached(name, _KEPT, make)
    proof = proof_of(json.loads(path.read_text(encoding="utf-8")))
    _remember(job, proof)
    return proof


def _remember(job: Job, proof: Proof) -> None:
    """What was shown of the image, for those who meet it again without the prover."""
    shown, timing = proof.of(INDEPENDENT), timing_of(job)
    if timing is None or shown is None or not proof.image_sha256:
        return
    if proof.constant_time and shown.outcome in ("proved", "refuted", "open"):
        size = None if lengths_of(job) == (None,) else job.bytes
        remember(proof.image_sha256, timing, size, ShownLength(shown.outcome, shown.ran))


def independent(job: Job) -> tuple[str, Shown, Ranges]:
    """Digest of a job's image, whether it is independent of secrets at every length, and what ran.

    Equality is not asked, which takes most of the time of a proof, and of branches on a verdict the
    condition is followed over forms at one length and in one placement alone.
    """
    sha256, timing = build.build(job).sha256, timing_of(job) or ""
    image: _Independence | None = None
    ran: list[Ranges] = []
    for size in lengths_of(job):
        shown = remembered(sha256, timing, size)
        if shown is None:
            image = image or _Independence(job)
            with uncollected():
                shown = image.shown(size)
            remember(sha256, timing, size, shown)
        ran.append(shown.ran)
        if shown.outcome != "proved":
            return sha256, shown.outcome, joined(ran)
    return sha256, "proved", joined(ran)


class _Independence:
    """Of one image, at any length."""

    def __init__(self, job: Job) -> None:
        self._job, self._code = job, Code(proof_image(job))
        self._judge = judge_of(job, self._code, briefly=True) if job.mode else None

    def shown(self, size: int | None) -> ShownLength:
        asked = replace(self._job, bytes=size)
        if self._judge is None or size is None:
            told = self._fully(asked)
        else:
            told, _ = MessageProof(asked, self._code, judge=self._judge).independent()
            told = told if told.outcome == "proved" else self._fully(asked)
        return ShownLength(cast("Shown", told.outcome), told.ran)

    def _fully(self, asked: Job) -> ProvedStatement:
        """With verdicts at this length; code may have others there."""
        if asked.mode:
            return MessageProof(asked, self._code).independent()[0]
        return block_statements(asked, self._code)[0]


def left_behind(job: Job) -> list[tuple[tuple[tuple[str, int], ...], tuple[str, ...]]]:
    """Secrets that calls of the job's image leave behind, at each length that proofs are of.

    Bytes of stack by the function that wrote them, and registers.  RuntimeError where a run does
    not come to its end.
    """
    code, found = Code(proof_image(job)), []
    judge = judge_of(job, code, briefly=True)
    for size in lengths_of(job):
        told = MessageProof(replace(job, bytes=size), code, judge=judge).independent()[1]
        if told.detail.startswith(NOT_KNOWN):
            raise RuntimeError(f"what {job.mode} {job.op} leaves behind is {told.detail}")
        found.append((told.left, told.registers))
    return found


def digest(job: Job) -> str:
    """Of all that the proof of a job depends on."""
    asked = (job.core, job.key_bits, job.op, job.mode, job.bytes, job.ghash)
    said = (repr(job.implementation), claimed(job))
    own = closure.digest(__name__, timing_module(job.platform))
    return key("proof", build.digest(linked(job)), job.platform.sha256, asked, said, own)


def _proved(job: Job) -> Proof:
    try:
        code = Code(proof_image(linked(job)))
    except (BuildError, ProofImageError, ValueError) as error:
        return _refused(job, str(error))
    message = MessageProof(job, code) if job.mode else None
    told = message.independent() if message else block_statements(job, code)
    if job.op not in _COMPARED:
        return _proof(job, code.image.sha256, told)
    equal = message.equal() if message else prove_blocks(job, code)
    return _proof(job, code.image.sha256, (equal, *told))


def linked(job: Job) -> Job:
    """The job whose image it is: that of all lengths is that of one."""
    return replace(job, bytes=job.shape.least) if at_every_length(job) else job


def _refused(job: Job, why: str) -> Proof:
    """No image, so nothing is shown."""
    statements = [ProvedStatement(one, "refused", "", why) for one in (EQUAL, INDEPENDENT)]
    return _proof(job, "", tuple(statements))


def _proof(job: Job, digest: str, statements: tuple[ProvedStatement, ...]) -> Proof:
    optimise = job.platform.compiler.optimise if job.flags is None else job.flags
    return Proof(
        platform=job.platform.name,
        core=job.core,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes="every" if at_every_length(job) else job.bytes,
        image_sha256=digest,
        compiler=_quietly(job),
        flags=" ".join((*job.platform.compiler.target, *optimise)),
        constant_time=claimed(job),
        statements=statements,
    )


def _quietly(job: Job) -> str:
    """The compiler's version; empty where there is none."""
    try:
        return build.compiler_version(job.platform)
    except BuildError:
        return ""
