# SPDX-License-Identifier: MIT
"""What is compiled for a job: the text of its translation unit, and its entry points."""

from collections.abc import Iterable
from dataclasses import dataclass

from .. import catalog
from ..jobs import message
from ..jobs.abilities import lacks
from ..jobs.job import Job
from . import sources
from .calls import rig_calls
from .sources import OwnCore

_BLOCK_ENTRIES = {
    "key-setup-encrypt": ("rig_key_setup_encrypt",),
    "key-setup-decrypt": ("rig_key_setup_decrypt",),
    "encrypt-block": ("rig_key_setup_encrypt", "rig_encrypt_block"),
    "decrypt-block": ("rig_key_setup_decrypt", "rig_decrypt_block"),
    # Rows of calls, for aesfit.measuring.bursts alone.
    "encrypt-burst": ("rig_key_setup_encrypt", "rig_encrypt_block", "rig_burst"),
    "decrypt-burst": ("rig_key_setup_decrypt", "rig_decrypt_block", "rig_burst"),
}
_MODE_ENTRIES = {
    "key-setup": ("rig_key_setup",),
    "message": ("rig_key_setup", "rig_encrypt"),
    "encrypt": ("rig_key_setup", "rig_encrypt"),
    "decrypt": ("rig_key_setup", "rig_decrypt"),
    "both": ("rig_key_setup", "rig_encrypt", "rig_decrypt"),
}


@dataclass(frozen=True)
class DropIn(Job):
    """A job of a mode in files that `aesfit emit` wrote, in the place of the library's sources.

    They carry the library's names: the prefix is `aesfit`.
    """

    source: str = ""
    """Of the C file, with the header's text where it is included."""
    header: str = ""
    roots: tuple[str, ...] = ()
    """Functions that the image holds whether the operation reaches them or not."""


def entries(job: Job) -> tuple[str, ...]:
    """Functions that the image holds for the job, key set-up first.

    rig_key_setup_*(key, bytes); rig_*_block(key, out, in, blocks); rig_burst(key, out, in, calls);
    rig_key_setup(key, message) and rig_encrypt, rig_decrypt(key, message), which return a status.
    """
    known = _MODE_ENTRIES if job.mode else _BLOCK_ENTRIES
    if job.op not in known:
        raise ValueError(f"there is no operation {job.op!r}; choose from: {', '.join(known)}")
    return known[job.op]


def measured(job: Job) -> tuple[str, ...]:
    """Those of entries() inside the window; their cycles add up."""
    every = entries(job)
    return every if job.op == "message" or len(every) == 1 else every[1:]


def window(job: Job) -> str:
    """What is inside the measured window, as a sentence's core."""
    lanes = job.implementation.lanes
    if job.mode is None:
        if job.op.startswith("key-setup"):
            direction = job.op.removeprefix("key-setup-")
            return (
                f"the core's key expansion, to {direction}, {job.key_bits}-bit keys only; no checks"
            )
        blocks = "1 block" if lanes == 1 else f"{lanes} blocks"
        return f"one call of the core over {blocks} ({16 * lanes} bytes); keys expanded before"
    shape = message.check(job)
    setup = "key set-up" if job.op in ("key-setup", "message") else ""
    pieces = [setup] if setup else []
    if job.op != "key-setup":
        if shape.nonce:
            pieces.append(f"{shape.nonce}-byte IV or nonce")
        pieces += [f"{shape.ad} bytes of associated data"] if shape.ad else []
        pieces.append(f"{job.bytes} bytes of payload")
        pieces += [f"{shape.tag}-byte tag"] if shape.tag else []
    doing = {"decrypt": ", decrypted", "both": ", encrypted and decrypted"}.get(job.op, "")
    outside = "" if setup else "; keys expanded before"
    return f"{shape.title}: {', '.join(pieces)}{doing}; argument checks{outside}"


def directions(job: Job) -> tuple[str, ...]:
    """Directions that the key is expanded for."""
    if job.mode is None:
        return ("encrypt",) if "encrypt" in job.op else ("decrypt",)
    inverse = job.shape.inverse
    if job.op == "both":
        return ("encrypt", "decrypt") if inverse else ("encrypt",)
    return ("decrypt",) if job.op == "decrypt" and inverse else ("encrypt",)


def _direction_bits(names: Iterable[str]) -> str:
    """Directions as the library's C takes them."""
    return f"{sum({'encrypt': 1, 'decrypt': 2}[one] for one in names)}u"


def _key_words(job: Job) -> int:
    """Words of the longest schedule that the context must hold."""
    sizes = job.implementation.round_key_bytes[str(job.key_bits)]
    wanted = directions(job)
    held = sizes["both"] if len(wanted) == 2 else sizes[wanted[0]]
    if job.keys > 1:  # the second key only encrypts
        held = max(held, sizes["encrypt"])
    return held // 4


def _check(job: Job) -> None:
    entries(job)
    if job.mode is not None:
        message.check(job)
    core = job.implementation
    if lacks(core, job.platform):
        raise ValueError(
            f"the core {core.name} needs {core.needs}, which {job.platform.name} lacks"
        )
    if str(job.key_bits) not in core.round_key_bytes:
        raise ValueError(f"keys have 128, 192 or 256 bits, not {job.key_bits}")
    if job.hashes and job.ghash not in _ghash_bytes():
        known = ", ".join(_ghash_bytes())
        raise ValueError(f"there is no GHASH multiplier {job.ghash!r}; choose from: {known}")


def _ghash_bytes() -> dict[str, int]:
    """Bytes of GHASH key by multiplier."""
    return {ghash.name: ghash.key_bytes for ghash in catalog.ghashes()}


def unit_source(job: Job, own: OwnCore | None = None) -> str:
    """The text of the job's translation unit; it wants build.include_flags().

    `own` stands in the place of the job's core.
    ValueError when the job asks for what does not go together.
    """
    _check(job)
    defines = {
        "RIG_KEY_BITS": str(job.key_bits),
        "RIG_DIRECTIONS": _direction_bits(directions(job)),
        "AESFIT_KEY_WORDS": str(own.key_words if own else _key_words(job)),
    }
    if job.mode is None:
        after = ["harness.c"]
        if job.op.endswith("-burst"):
            defines["RIG_BLOCK"] = entries(job)[1]
            after.append("burst.c")
        return sources.unit(job.core, (), job.ghash, defines=defines, after=after, own=own)
    mode = job.shape
    defines.update(_room(job, mode))
    if mode.hashes:
        defines["AESFIT_GHASH_WORDS"] = str(_ghash_bytes()[job.ghash] // 4)
    return sources.unit(
        job.core, [job.mode], job.ghash,
        defines=defines, before=["harness.h"], then=rig_calls(mode), after=["harness.c"], own=own,
    )  # fmt: skip


def _room(job: Job, shape: catalog.Mode) -> dict[str, str]:
    """What the library's build for a mode has room for; XTS encrypts its tweak in any case."""
    held = {*directions(job), "encrypt"} if shape.keys > 1 else set(directions(job))
    return {
        "RIG_MODE": "",
        "RIG_SET_UP": shape.set_up,
        "AESFIT_BOUND_KEY_SIZES": str(1 << (job.key_bits // 64 - 2)),
        "AESFIT_BOUND_DIRECTIONS": _direction_bits(held),
        "AESFIT_KEYS_FOR_BOTH": str(int(len(directions(job)) == 2)),
    }


def units(job: Job) -> tuple[str, ...]:
    """The texts of the job's translation units: one, or a drop-in's and that of its caller."""
    if not isinstance(job, DropIn):
        return (unit_source(job),)
    _check(job)
    return job.source, _caller(job)


def _caller(job: DropIn) -> str:
    """The harness as a file of its own, over nothing but the drop-in's header."""
    lines = [
        "#define AESFIT_LOCAL static",
        f"#define RIG_KEY_BITS {job.key_bits}",
        f"#define RIG_DIRECTIONS {_direction_bits(directions(job))}",
        "#define RIG_MODE",
        f"#define RIG_SET_UP {job.shape.set_up}",
        job.header,
        '#include "harness.h"',
        "#undef RIG_PUBLIC",  # they are in another file, so apart as it is
        "#define RIG_PUBLIC(name) struct rig_nothing",
        # Some drop-ins do not decrypt.
        rig_calls(job.shape, decrypts="rig_decrypt" in entries(job)),
        '#include "harness.c"',
    ]
    return "\n".join(lines) + "\n"
