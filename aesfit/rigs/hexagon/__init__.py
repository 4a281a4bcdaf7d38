# SPDX-License-Identifier: MIT
"""Hexagon under QEMU: a plugin that counts packets, a driver around the image, a machine."""

from .shared_object import build, why_not

__all__ = ["build", "why_not"]
