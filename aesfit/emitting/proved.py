# SPDX-License-Identifier: MIT
"""Proofs of a drop-in's own images, which are not those of the library."""

from collections.abc import Sequence

from ..building import build
from ..building.unit import DropIn
from ..catalog import cores, ghashes
from ..extras import PROOFS, missing
from ..jobs.job import Progress
from ..measuring.proofs import image_proof
from ..platforms.platform import Platform
from ..proving.freestanding import NOT_FOLLOWED
from ..rigs.accounts import claims_constant_time


def can_be_tried(core: str, ghash: str | None, platform: Platform | None) -> bool:
    """Core and multiplier claim constant time, and images of the platform can be followed."""
    followed = platform is not None and platform.emulated and platform.isa not in NOT_FOLLOWED
    claimed = any(one.name == core and one.constant_time for one in cores())
    return followed and claimed and not _reads_tables(ghash)


def _reads_tables(ghash: str | None) -> bool:
    """The multiplier claims constant time nowhere."""
    return any(
        not (one.constant_time or one.constant_time_multiply or one.constant_time_multiply_low)
        for one in ghashes()
        if one.name == ghash
    )


def hindrance() -> str | None:
    """Why nothing can be proved here; None where the prover is installed."""
    return missing("the prover", PROOFS)


def is_due(core: str, ghash: str | None, platform: Platform | None) -> bool:
    """Files with this core and multiplier are proved unless somebody leaves that out.

    Where the prover is not installed their head has the evidence of runs.
    """
    return can_be_tried(core, ghash, platform) and hindrance() is None


def prove(jobs: Sequence[DropIn], progress: Progress) -> None:
    """Prove the images independent of secrets, but for those whose proof is recorded or kept."""
    from ..proving.prove import independent  # it cannot be imported without the extra

    claimed = [job for job in jobs if claims_constant_time(job)]
    lacking = [job for job in claimed if image_proof(job, build.build(job).sha256) is None]
    for done, job in enumerate(lacking, 1):
        independent(job)
        progress(done, len(lacking))
