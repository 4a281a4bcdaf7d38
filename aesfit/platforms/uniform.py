# SPDX-License-Identifier: MIT
"""Whether addresses in a memory show in the time of a program: the one rule, and its words.

A memory is uniform where it answers in the same time whatever the address and whatever came before.
A cache is not, nor is a buffer in front of a memory with wait states, nor a RAM whose words are
interleaved over banks that another master uses.  Wait states that are the same for every read are.
"""

from ..caches.cache import Cache
from .interfaces import described
from .memory import Memory
from .platform import Platform


def why_addresses_show(platform: Platform, memory: str, wait_states: int) -> str | None:
    """Why the time of a read from that memory depends on its address; None where it does not.

    `wait_states`: of the flash, as it was measured.
    """
    if platform.data_cache:
        return _behind(next((one for one in platform.caches if one.kind != "instruction"), None))
    if not platform.memories:
        return None
    region = platform.memory(memory)
    if region.banks > 1:
        return (
            f"the words of its {memory} are interleaved over {region.banks} banks, and a read "
            "waits while another master uses its bank"
        )
    if memory == "flash" and wait_states:
        return _before_flash(platform, region, wait_states)
    return None


def _behind(cache: Cache | None) -> str:
    return f"it has a data cache of {cache.size} bytes" if cache else "it has a data cache"


def _before_flash(platform: Platform, flash: Memory, wait_states: int) -> str | None:
    waits = f"{wait_states} wait state{'s' if wait_states > 1 else ''}"
    interface = flash.interface
    if interface is None:
        if platform.chip is not None:
            return None
        return f"its flash has {waits}, and nobody says what stands in front of it; name a chip"
    kind = described(interface.kind)
    if kind.data_uniform and not interface.unconfirmed:
        return None
    sure = ", which no document that we read confirms" if interface.unconfirmed else ""
    return f"its flash has {waits} behind {kind.title}{sure}"


def uniform_memories(platform: Platform, table_bytes: int, wait_states: int) -> tuple[str, ...]:
    """Names of the memories that have room for the tables and are uniform."""
    return tuple(
        one.name
        for one in platform.memories
        if one.size >= table_bytes and why_addresses_show(platform, one.name, wait_states) is None
    )
