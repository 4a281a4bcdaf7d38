# SPDX-License-Identifier: MIT
"""The question and its limits as plain values, for the head of an answer in JSON."""

from typing import Any

from .request import Request


def question_json(request: Request) -> dict[str, Any]:
    """The stable keys; None where nothing was said."""
    bursts, placed = request.bursts, request.placement
    return {
        "platform": request.platform.name,
        "mode": request.mode,
        "bytes": request.bytes,
        "key_bits": request.key_bits,
        "encrypt_only": request.encrypt_only,
        "messages_per_key": request.messages_per_key,
        "objective": request.objective,
        "rate_bit_per_s": request.rate,
        "clock_hz": request.clock,
        "ghash": request.ghash,
        "flash_wait": placed.flash_wait,
        "tables": placed.tables,
        "calls_per_burst": bursts.calls if bursts else None,
        "evicted": bursts.evicted if bursts else None,
    }


def limits_json(request: Request) -> dict[str, Any]:
    """The stable keys; None: any."""
    limits = request.limits
    return {
        "max_flash_bytes": limits.flash,
        "max_ram_bytes": limits.ram,
        "constant_time": limits.constant_time,
    }
