# SPDX-License-Identifier: MIT
"""Whether a core touches the same addresses in the same order whatever the key and the text."""

from hashlib import sha256

from ..jobs import message
from ..measuring import bursts
from ..platforms.platform import Platform
from .victim import records_of


def distinct_traces(platform: Platform, core: str, inputs: int) -> int:
    """Different address traces of one call, instructions included, over random keys and texts.

    1 says that no cache, buffer or wait state can show the key through addresses.
    """
    job = bursts.burst_job(platform, core, 128, "encrypt-block", None, 1)
    machine = bursts.machine_for(job)
    found = set()
    for number in range(inputs):
        drawn = message.made_up(f"leak input {number}", 32)
        trace = bursts.traced(bursts.prepare_texts(job, drawn[:16], drawn[16:], machine), 1)
        found.add(sha256(records_of(trace)[0].tobytes()).digest())
    return len(found)
