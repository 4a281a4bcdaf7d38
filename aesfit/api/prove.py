# SPDX-License-Identifier: MIT
"""`aesfit.prove`: machine code equal to FIPS 197, and independent of secrets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..building import build
from ..catalog import MODES
from ..choosing.multipliers import ghash_of
from ..errors import ArgumentError, about
from ..extras import PROOFS, missing
from ..jobs.job import Job, Progress
from ..jobs.message import proved_bytes
from ..measuring.proofs import proved_lengths
from ..platforms.platform import Platform
from ..proving.freestanding import ISA, NOT_FOLLOWED, followed
from ..rigs.accounts import claims_constant_time
from ..rigs.rig import RigUnavailableError
from ..units import five_lines
from .arguments import (
    Names,
    PlatformLike,
    check_messages,
    check_multiplier,
    cores_on,
    key_sizes,
    mode_called,
    names_of,
    told,
    whole,
)
from .measure import platforms_of

if TYPE_CHECKING:
    from ..proving.answer import Proof
    from ..proving.need import ProofNeed

OPS = ("encrypt-block", "decrypt-block")
"""Key expansion and blocks, in both directions."""
_SETUPS = ("key-setup-encrypt", "key-setup-decrypt")


@dataclass(frozen=True, repr=False)
class Proofs:
    """What was proved, refuted or refused."""

    proofs: tuple["Proof", ...]
    """Platform by platform, core by core, size by size, encryption before decryption."""

    def __repr__(self) -> str:
        """How many proofs, how many failed, and what the first statements say."""
        told = [
            f"{row['core']}, {row['mode'] or 'block'}, {row['op']}, {row['key_bits']} bits, "
            f"{row['platform']}: {row['claim']}: {row['outcome']}"
            for row in self.rows
        ]
        return five_lines(f"Proofs: {len(self.proofs)}, {len(self.failed)} failed", told)

    @property
    def failed(self) -> tuple["Proof", ...]:
        """Proofs in which something was refuted, or tried and not proved, or nothing proved."""
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
                "mode": proof.mode or "",
                "bytes": "" if proof.bytes is None else proof.bytes,
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


def prove(  # long: what each argument means is said once, here
    platform: PlatformLike | Iterable[PlatformLike],
    *,
    cores: Names | None = None,
    key_bits: int | Iterable[int] = 128,
    mode: str | None = None,
    payload_bytes: int | Iterable[int] | Literal["every"] | None = None,
    ghash: str | None = None,
    elf: str | PathLike[str] | None = None,
    symbol: str | None = None,
    assume: Mapping[str, int] | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Proofs:
    """Prove that the machine code of cores equals FIPS 197 and is independent of secrets.

    Source: docs/proving.md says what is proved, and what remains trusted.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`;
            or several of them.  Of x86-64 the image is a freestanding one.
        cores: only these; without it all but those for the papers, which "all" adds.
        key_bits: 128, 192 or 256, or several of them.
        mode: "cbc", "ctr", "ccm", "gcm" ...: its messages; None: the block cipher alone.
        payload_bytes: payload of a message, in bytes, or several sizes; with `mode` 0, 1, 15, 16,
            17, 33 and 81 by default, as far as the mode takes them; 1,041 of GCM for 81.
            "every": messages of every length up to 16,777,216 bytes, or up to the length that the
            answer names; results in the modes that docs/proving.md names, else independence alone.
        ghash: GHASH multiplier of GCM; "shift32" by default.
        elf: your own linked firmware, instead of the library's cores; with `symbol`.
        symbol: a public function of the library in it, such as "aesfit_ccm_encrypt".
        assume: variables of the firmware by name, words all of them, and what they hold; nothing
            is assumed of what a program may write.
        fresh: ignore stored proofs.
        progress: called with the images done and their number.

    Returns:
        Proofs: `proofs` has one for each image, with its statements; `failed` those in which
        something was refuted, or tried and not proved, or nothing proved.  `as_json()` is what
        `aesfit prove --json` prints, `rows` has a flat mapping for each statement.

    Raises:
        ValueError: the question makes no sense, or names what does not exist.
        TypeError: an argument is of a wrong kind.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    with about():
        places = platforms_of(platform)
        called, sizes = None if mode is None else mode_called(mode), _sizes(payload_bytes)
        check_multiplier(ghash, (called,))
        bits, names = key_sizes(key_bits), names_of(cores, "cores")
        _check_firmware(elf is not None, symbol, places, called, names, assume)
        if elf is not None and symbol is not None:
            return _firmware_proved(Path(elf), places[0], symbol, bits, sizes, assume or {})
        jobs = _jobs(places, names, bits, called, sizes, ghash)
        _check_sizes(jobs)
    return _proved(jobs, fresh=fresh, progress=told(progress))


def needed(
    platform: PlatformLike | Iterable[PlatformLike],
    *,
    cores: Names | None,
    key_bits: Iterable[int],
    mode: str | None,
    payload_bytes: Iterable[int] | Literal["every"] | None,
    ghash: str | None,
) -> "ProofNeed":
    """What the proofs of these images will need at most, estimated; arguments as of prove()."""
    check_prover()
    from ..proving.need import need  # needs the extra

    with about():
        called = None if mode is None else mode_called(mode)
        check_multiplier(ghash, (called,))
        places, bits, names = platforms_of(platform), key_sizes(key_bits), names_of(cores, "cores")
        jobs = _jobs(places, names, bits, called, _sizes(payload_bytes), ghash)
        _check_sizes(jobs)
    return need(jobs)


def _sizes(given: int | Iterable[int] | Literal["every"] | None) -> list[int | None] | None:
    """Payloads; None among them stands for every one."""
    if given is None:
        return None
    if given == "every":
        return [None]
    every = (given,) if isinstance(given, int) else given
    return [whole("payload_bytes", one, 0) or 0 for one in every]


def _check_sizes(jobs: Sequence[Job]) -> None:
    """Raise ValueError if a mode does not take a payload that is named."""
    check_messages([one for one in jobs if one.bytes is not None or one.mode is None])


def _check_firmware(
    elf: bool,
    symbol: str | None,
    platforms: Sequence[Platform],
    mode: str | None,
    cores: Sequence[str],
    assume: Mapping[str, int] | None,
) -> None:
    """Raise ValueError if the firmware and the other arguments contradict each other."""
    if elf != (symbol is not None):
        raise ArgumentError("{elf} and {symbol} go together; give both")
    if assume and not elf:
        raise ArgumentError("{assume} is said of variables in a file; give {elf} and {symbol} too")
    if elf and len(platforms) != 1:
        raise ValueError("name one platform for a file")
    if elf and (mode is not None or cores):
        raise ArgumentError("{symbol} sets the mode, and the file has its core; leave them out")


def _firmware_proved(
    elf: Path,
    platform: Platform,
    symbol: str,
    key_bits: Sequence[int],
    sizes: Sequence[int | None] | None,
    assume: Mapping[str, int],
) -> Proofs:
    """Proofs of a public function in linked firmware; see proving/firmware.py."""
    check_prover()
    from ..proving.convention import CONVENTIONS  # needs the extra
    from ..proving.firmware import function_named, prove_firmware  # needs the extra

    if sizes == [None]:
        raise ArgumentError("every length is proved of the library's images alone; leave {elf} out")
    if platform.isa not in CONVENTIONS:
        raise ValueError(f"code of {platform.name} cannot be followed; name another platform")
    function = function_named(symbol)
    found: list[Proof] = []
    for bits in key_bits:
        jobs = [
            Job(platform, elf.name, bits, function.op, mode=function.mode.name, bytes=size)
            for size in sizes or proved_bytes(function.mode)
        ]
        check_messages(jobs)
        lengths = tuple(job.bytes or 0 for job in jobs)
        found += prove_firmware(elf, platform, symbol, bits, lengths, assume)
    return Proofs(tuple(found))


def _jobs(
    platforms: Sequence[Platform],
    cores: Sequence[str],
    key_bits: Sequence[int],
    mode: str | None,
    sizes: Sequence[int | None] | None,
    ghash: str | None,
) -> list[Job]:
    """The jobs of every combination; ValueError if there is none."""
    for one in platforms:
        check_followed(one, ghash)
    if mode is None and sizes is not None:
        raise ArgumentError("a message needs a mode; give {mode} too")
    lengths = (None,) if mode is None else sizes or proved_lengths(MODES[mode])
    whole = [
        Job(followed(platform), core, bits, "", mode=mode, ghash=_ghash(platform, ghash))
        for platform in platforms
        for core in cores_on(platform, cores)
        for bits in key_bits
    ]
    return [job for one in whole for job in _images(one, lengths)]


def _images(whole: Job, lengths: Sequence[int | None]) -> list[Job]:
    """The jobs of one core at one key size.

    If it claims to be constant-time, they include the other images of `measure` and `fit`: key
    set-up alone, and a firmware that encrypts and decrypts.
    """
    claimed = claims_constant_time(whole)
    ops: tuple[str, ...] = OPS
    setups: tuple[str, ...] = _SETUPS
    if whole.mode:
        verifies = whole.shape.verifies
        ops, setups = ("encrypt", "decrypt") if verifies else ("encrypt",), ("key-setup",)
        ops += ("both",) if verifies and claimed else ()
    jobs = [replace(whole, op=op, bytes=size) for size in lengths for op in ops]
    return [*(replace(whole, op=op) for op in setups if claimed), *jobs]


def check_followed(platform: Platform, ghash: str | None = None) -> None:
    """Raise ValueError if the platform's images cannot be proved."""
    if platform.isa != ISA and (not platform.emulated or platform.isa in NOT_FOLLOWED):
        raise ArgumentError(
            "images of {} cannot be proved; name x86-64 or an emulated ARM or RV32IM platform, "
            "such as cortex-m3, or a linked program with {elf}",
            platform.name,
        )
    if platform.isa == ISA and ghash == _BY_FEATURES:
        raise ValueError(
            f"GHASH by {ghash} chooses its code by the processor's features, which the prover does "
            "not follow; name shift32, table4 or mul32"
        )


_BY_FEATURES = "clmul"


def _ghash(platform: Platform, name: str | None) -> str:
    return "shift32" if name is None and platform.isa == ISA else ghash_of(platform, name)


def _proved(jobs: Sequence[Job], *, fresh: bool, progress: Progress) -> Proofs:
    """The proofs of the jobs; see proving/prove.py."""
    check_prover()
    for reason in {build.why_not(one.platform) for one in jobs} - {None}:
        raise RigUnavailableError(reason)
    from ..proving.prove import prove as run  # it cannot be imported without the extra

    return Proofs(tuple(run(jobs, fresh=fresh, progress=progress)))


def check_prover() -> None:
    """Raise RigUnavailableError if the prover is not installed."""
    reason = missing("the prover", PROOFS)
    if reason:
        raise RigUnavailableError(reason)
