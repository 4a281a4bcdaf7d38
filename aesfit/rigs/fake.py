# SPDX-License-Identifier: MIT
"""A rig without a processor: figures by a simple formula, for tests of what uses rigs.

Nothing runs.  The formula is chosen so that rows differ in every column and can be foretold: a
core costs its lanes, tables and name's length.
"""

from collections.abc import Sequence
from hashlib import sha256

from ..jobs.job import Job, Progress, Provenance, Row
from ..jobs.secrecy import PROVED, Secrecy, runs_agree
from ..platforms.names import BLOCK_OPS
from ..platforms.platform import Platform
from ..store import closure
from .accounts import one_by_one


class FakeRig:
    """Gives rows that follow from the job alone."""

    name = "fake"

    def why_not(self, platform: Platform) -> str | None:
        """Return None: a formula is always there."""
        return None

    def key(self, job: Job) -> str:
        """Digest of the job."""
        facts = (job.platform.sha256, job.core, job.key_bits, job.op, job.mode, job.bytes)
        own = closure.digest(__name__)
        return sha256(repr((facts, job.flags, job.ghash, job.placement, own)).encode()).hexdigest()

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the formula."""
        return one_by_one(_row, jobs, progress)


def _row(job: Job) -> Row:
    core = job.implementation
    payload = 16 * core.lanes if job.op in BLOCK_OPS else job.bytes or 0
    payload = 0 if job.op.startswith("key-setup") else payload
    found = Secrecy("independent here", runs_agree(4))
    if core.constant_time:
        found = Secrecy("independent", PROVED)
    elif job.platform.data_cache:
        found = Secrecy("depends on the key")
    cycles = 100 * len(core.name) + payload * (100 - len(core.name)) + job.key_bits
    return Row(
        platform=job.platform.name,
        core=core.name,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes=payload,
        cycles=cycles,
        cycles_per_byte=cycles / payload if payload else None,
        instructions=cycles - 1,
        code_bytes=1000 + 10 * len(core.name),
        table_bytes=core.table_bytes,
        round_key_bytes=core.round_key_bytes[str(job.key_bits)]["encrypt"],
        context_bytes=core.round_key_bytes[str(job.key_bits)]["encrypt"] + 4,
        stack_bytes=4 * len(core.name),
        timing=found.timing,
        evidence=found.evidence,
        provenance=_provenance(job),
    )


def _provenance(job: Job) -> Provenance:
    return Provenance(
        sources_sha256="",
        platform_sha256=job.platform.sha256,
        timing_sha256="",
        compiler="none",
        flags=" ".join(job.flags or ()),
        rig="fake",
        version="",
        window=job.op,
        memory="none",
    )
