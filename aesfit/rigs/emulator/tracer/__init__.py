# SPDX-License-Identifier: MIT
"""The native tracer: C on libunicorn that says exactly what a function executed."""

from .shared_object import build, why_not

__all__ = ["build", "why_not"]
