# SPDX-License-Identifier: MIT
"""`aesfit.prove`: machine code equal to FIPS 197, and independent of secrets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..extras import PROOFS, missing
from ..jobs.job import Job, Progress
from ..platforms.platform import Platform
from ..rigs.rig import RigUnavailableError
from .arguments import (
    Names,
    PlatformLike,
    cores_on,
    key_sizes,
    names_of,
    python_words,
    told,
)
from .measure import platforms_of

if TYPE_CHECKING:
    from ..proving.answer import Proof

OPS = ("encrypt-block", "decrypt-block")
"""Key expansion and blocks, in both directions."""


@dataclass(frozen=True)
class Proofs:
    """What was proved, refuted or refused."""

    proofs: tuple["Proof", ...]
    """Platform by platform, core by core, size by size, encryption before decryption."""

    @property
    def failed(self) -> tuple["Proof", ...]:
        """Those in which something was refuted or refused."""
        return tuple(one for one in self.proofs if one.failed)

    @property
    def rows(self) -> tuple[dict[str, str | int], ...]:
        """A flat mapping for each statement."""
        return tuple(
            {
                "platform": proof.platform,
                "core": proof.core,
                "key_bits": proof.key_bits,
                "op": proof.op,
                "claim": one.claim,
                "outcome": one.outcome,
                "shapes": one.shapes,
                "detail": one.detail,
            }
            for proof in self.proofs
            for one in proof.statements
        )

    def as_json(self) -> list[dict[str, Any]]:
        """What `aesfit prove --json` prints."""
        return [one.as_json() for one in self.proofs]


@python_words()
def prove(
    platform: PlatformLike | Iterable[PlatformLike],
    *,
    cores: Names | None = None,
    key_bits: int | Iterable[int] = 128,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Proofs:
    """Prove the machine code of cores: equal to FIPS 197, and independent of secrets.

    Source: docs/proving.md says what is proved, and what remains trusted.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`;
            or several of them.
        cores: only these; by default all that the platform can run.
        key_bits: 128, 192 or 256, or several of them.
        fresh: prove anew what is kept.
        progress: called with the images done and their number.

    Returns:
        Proofs: `proofs` has one for each image, with its statements; `failed` those in which
        something was refuted or refused.  `as_json()` is what `aesfit prove --json` prints, `rows`
        has a flat mapping for each statement.

    Raises:
        ValueError: the question makes no sense, or names what does not exist.
        TypeError: an argument is of a wrong kind.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    jobs = jobs_of(platforms_of(platform), names_of(cores), key_sizes(key_bits))
    return proved(jobs, fresh=fresh, progress=told(progress))


def jobs_of(
    platforms: Sequence[Platform], cores: Sequence[str], key_bits: Sequence[int]
) -> list[Job]:
    """Every combination; ValueError where a platform's code cannot be followed."""
    for one in platforms:
        if not one.emulated or one.isa == "hexagon":
            raise ValueError(
                f"code of {one.name} cannot be proved; name a platform that is emulated, such as "
                "cortex-m3"
            )
    return [
        Job(platform, core, bits, op)
        for platform in platforms
        for core in cores_on(platform, cores)
        for bits in key_bits
        for op in OPS
    ]


def proved(jobs: Sequence[Job], *, fresh: bool, progress: Progress) -> Proofs:
    """The proofs of the jobs; see proving/prove.py."""
    reason = missing("the prover", PROOFS)
    if reason:
        raise RigUnavailableError(reason)
    from ..proving.prove import prove as run  # it cannot be imported without the extra

    return Proofs(tuple(run(jobs, fresh=fresh, progress=progress)))
