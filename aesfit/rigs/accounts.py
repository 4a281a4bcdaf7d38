# SPDX-License-Identifier: MIT
"""What a row says of its job whatever rig made it."""

from ..catalog import ghashes
from .firmware.message import MODES
from .firmware.unit import core_named, directions
from .rig import Job


def payload_bytes(job: Job) -> int:
    """Payload inside the window."""
    if job.op.startswith("key-setup"):
        return 0
    if job.mode is None:
        return 16 * core_named(job.core).lanes
    return (job.bytes or 0) * (2 if job.op == "both" else 1)


def round_key_bytes(job: Job) -> int:
    """Round keys that the context holds, of both keys where a mode has two."""
    held = core_named(job.core).round_key_bytes[str(job.key_bits)]
    wanted = directions(job)
    keys = MODES[job.mode].keys if job.mode else 1
    return keys * held["both" if len(wanted) == 2 else wanted[0]]


def claims_constant_time(job: Job) -> bool:
    """The code says of itself that no branch and no address hangs on a secret."""
    claimed = core_named(job.core).constant_time
    if job.mode != "gcm":
        return claimed
    ghash = next(one for one in ghashes() if one.name == job.ghash)
    return claimed and (ghash.constant_time or ghash.constant_time_multiply)


def multiplies_secrets(job: Job) -> bool:
    """Secrets go through a multiply instruction whose time hangs on its operands there."""
    ghash = next(one for one in ghashes() if one.name == job.ghash)
    variable = ghash.constant_time_multiply and job.platform.variable_multiply
    return job.mode == "gcm" and variable
