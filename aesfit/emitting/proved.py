# SPDX-License-Identifier: MIT
"""Proofs of a drop-in's own images, which are not those of the library."""

from collections.abc import Sequence

from ..building import build
from ..building.unit import DropIn
from ..choosing.answer import Answer
from ..extras import PROOFS, missing
from ..measuring.proofs import image_proof
from ..rigs.accounts import claims_constant_time


def is_due(answer: Answer) -> bool:
    """The answer leads with a core that is proved, so its files are to be proved too.

    Where the prover is not installed their head has the evidence of runs.
    """
    winner = answer.choice.winner
    proved = winner is not None and winner.row.secrecy.kind == "proved"
    return proved and missing("the prover", PROOFS) is None


def prove(jobs: Sequence[DropIn]) -> None:
    """Prove the images independent of secrets, but for those whose proof is recorded or kept."""
    from ..proving.prove import independent  # it cannot be imported without the extra

    for job in jobs:
        if claims_constant_time(job) and image_proof(job, build.build(job).sha256) is None:
            independent(job)
