# SPDX-License-Identifier: MIT
"""What a row says of its job whatever rig made it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

from .._native import version as __version__
from ..building.build import Image, digest, window
from ..building.unit import directions
from ..catalog import ghashes
from ..jobs.job import Job, Progress, Provenance, Row
from ..jobs.secrecy import Secrecy
from ..platforms import find
from ..store import closure


def payload_bytes(job: Job) -> int:
    """Payload inside the window."""
    if job.op.startswith("key-setup"):
        return 0
    if job.mode is None:
        return 16 * job.implementation.lanes
    return (job.bytes or 0) * (2 if job.op == "both" else 1)


def round_key_bytes(job: Job) -> int:
    """Round keys that the context holds, of both keys where a mode has two."""
    held = job.implementation.round_key_bytes[str(job.key_bits)]
    wanted = directions(job)
    return job.keys * held["both" if len(wanted) == 2 else wanted[0]]


def claims_constant_time(job: Job) -> bool:
    """The code says of itself that no branch and no address depends on a secret."""
    claimed = job.implementation.constant_time
    if not job.hashes:
        return claimed
    ghash = next(one for one in ghashes() if one.name == job.ghash)
    multiplies = ghash.constant_time_multiply or ghash.constant_time_multiply_low
    return claimed and (ghash.constant_time or multiplies)


def multiplies_secrets(job: Job) -> bool:
    """Secrets go through a multiply instruction whose time depends on its operands there."""
    ghash = next(one for one in ghashes() if one.name == job.ghash)
    platform = job.platform
    variable = (ghash.constant_time_multiply and platform.variable_multiply) or (
        ghash.constant_time_multiply_low and platform.variable_multiply_low
    )
    return job.hashes and variable


def job_key(job: Job, *depends_on: object) -> str:
    """Digest of a job: of what is compiled for it, of what is asked, and of what a rig adds.

    A rig adds the digest of its own closure; that of the code which reads platform files stands
    here.  What the library says of core and mode stands here as facts, for the compiled extension
    is in no closure (store/closure.py).
    ValueError for warm caches where the rig has none.
    """
    if job.warm and job.platform.rig != "rtl":
        raise ValueError(
            f"windows on {job.platform.name} begin with cold caches, if any; leave --warm out, or "
            "take vexriscv-cached"
        )
    made = (digest(job), job.platform.sha256, closure.digest(find.__name__))
    asked = (job.op, job.mode, job.bytes, job.key_bits, job.ghash, job.placed, job.text_sha256)
    said = (job.implementation, job.shape if job.mode else None, _claims(job), __version__)
    return sha256(repr((made, asked, said, depends_on)).encode()).hexdigest()


def _claims(job: Job) -> tuple[bool, bool]:
    return claims_constant_time(job), multiplies_secrets(job)


def one_by_one(measure: Callable[[Job], Row], jobs: Sequence[Job], progress: Progress) -> list[Row]:
    """Rows of the jobs, one after another."""
    rows = []
    for done, job in enumerate(jobs, 1):
        rows.append(measure(job))
        progress(done, len(jobs))
    return rows


def window_told(job: Job, counts: Sequence[float], unit: str, secrets: int) -> str:
    """What is inside the window, and between which counts runs with other secrets lay."""
    told = window(job)
    if job.text_sha256:
        told += f"; payload with SHA-256 {job.text_sha256[:16]}"
    return told + spread_told(counts, unit, secrets)


def spread_told(counts: Sequence[float], unit: str, secrets: int) -> str:
    """Between which counts runs with several secrets lay, where they are not equal."""
    least, most = min(counts), max(counts)
    return "" if least == most else f"; {least} to {most} {unit} over {secrets} secrets"


def row(
    job: Job,
    image: Image,
    *,
    cycles: float,
    instructions: int | None,
    stack_bytes: int | None,
    secrecy: Secrecy,
    provenance: Provenance,
    cycles_median: float | None = None,
    stall_cycles: int | None = None,
    cycles_min: float | None = None,
    cycles_max: float | None = None,
) -> Row:
    """The row of a job with what a rig found."""
    payload = payload_bytes(job)
    return Row(
        platform=job.platform.name,
        core=job.core,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes=payload,
        cycles=cycles,
        cycles_per_byte=cycles / payload if payload else None,
        instructions=instructions,
        code_bytes=image.sizes.code_bytes,
        table_bytes=image.sizes.table_bytes,
        round_key_bytes=round_key_bytes(job),
        context_bytes=image.sizes.context_bytes,
        stack_bytes=stack_bytes,
        timing=secrecy.timing,
        evidence=secrecy.evidence,
        provenance=replace(provenance, image_sha256=image.sha256),
        cycles_median=cycles_median,
        tables_in=job.placed.tables or "flash",
        stall_cycles=stall_cycles,
        cycles_min=cycles_min,
        cycles_max=cycles_max,
    )
