# SPDX-License-Identifier: MIT
"""The head of an answer in JSON: the question and its limits as plain values."""

from collections.abc import Mapping
from typing import Any

from .._native import version as __version__
from .request import Request


def json_head(
    verb: str, question: Mapping[str, Any], limits: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What every answer in JSON begins with: schema, version of aesfit, question and limits.

    The number of the schema grows when a key goes or changes.
    """
    return {
        "schema": f"aesfit.{verb}/1",
        "version": __version__,
        "question": dict(question),
        "limits": dict(limits or {}),
    }


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
