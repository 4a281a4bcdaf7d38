# SPDX-License-Identifier: MIT
"""Tests whether a core's addresses and their order are independent of key and text."""

from hashlib import sha256

from ..jobs import message
from ..measuring import bursts
from ..platforms.platform import Platform
from .victim import records_of


def distinct_traces(platform: Platform, core: str, inputs: int) -> int:
    """The number of different address traces of a call, with fetches, over random inputs.

    With 1, no cache, buffer or wait state can leak the key through addresses.
    """
    job = bursts.burst_job(platform, core, 128, "encrypt-block", None, 1)
    machine = bursts.machine_for(job)
    found = set()
    for number in range(inputs):
        drawn = message.made_up(f"leak input {number}", 32)
        trace = bursts.traced(bursts.prepare_texts(job, drawn[:16], drawn[16:], machine), 1)
        found.add(sha256(records_of(trace)[0].tobytes()).digest())
    return len(found)
