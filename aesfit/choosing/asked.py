# SPDX-License-Identifier: MIT
"""The head of a JSON answer: the question and its limits as plain values."""

from collections.abc import Mapping
from typing import Any

from .._native import version as __version__
from .request import Request

_SCHEMAS = {"atlas": 2, "emit": 2, "fit": 2, "fit-sweep": 2}
"""Numbers of the schemas that have changed."""


def json_head(
    verb: str, question: Mapping[str, Any], limits: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The beginning of every JSON answer: schema, version of aesfit, question and limits.

    The schema number grows when a key is removed or changes its meaning.
    """
    return {
        "schema": f"aesfit.{verb}/{_SCHEMAS.get(verb, 1)}",
        "version": __version__,
        "question": dict(question),
        "limits": dict(limits or {}),
    }


def question_json(request: Request) -> dict[str, Any]:
    """The question with the stable keys; None for what was not given."""
    bursts, placed = request.bursts, request.placement
    return {
        "platform": request.platform.name,
        "mode": request.mode,
        "bytes": None if request.packets else request.bytes,
        "packets": [list(one) for one in request.packets] or None,
        "key_bits": request.key_bits,
        "encrypt_only": request.encrypt_only,
        "messages_per_key": request.messages_per_key,
        "objective": request.objective,
        "rate_bit_per_s": request.rate,
        "clock_hz": request.clock,
        "deadline": request.deadline and request.deadline.text,
        "ghash": request.ghash,
        "flash_wait": placed.flash_wait,
        "tables": placed.tables,
        "calls_per_burst": bursts.calls if bursts else None,
        "evicted": bursts.evicted if bursts else None,
    }


def limits_json(request: Request) -> dict[str, Any]:
    """The limits with the stable keys; None: any."""
    limits = request.limits
    return {
        "max_flash_bytes": limits.flash,
        "max_ram_bytes": limits.ram,
        "timing": limits.timing,
    }
