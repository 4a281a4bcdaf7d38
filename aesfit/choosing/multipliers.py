# SPDX-License-Identifier: MIT
"""GHASH multipliers on a platform: which can run, which is the default, which compete in GCM."""

from ..catalog import Ghash, ghashes
from ..errors import ArgumentError, unknown
from ..platforms.platform import Platform

DEFAULT = "shift32"
"""The default, constant-time on every processor."""
_INSTRUCTION = "clmul"
"""On processors with this instruction ten times as fast as the others, and constant-time."""
_NO_LONG_PRODUCT = ("armv6-m", "rv32i", "rv32ec")
"""Without an instruction for the upper word of a product of 32 x 32 bits: ARM DDI 0419 (ARMv6-M has
MULS alone), The RISC-V Instruction Set Manual I (MULHU belongs to the extension M)."""


def able(platform: Platform) -> list[Ghash]:
    """The multipliers that the platform can run."""
    host = platform.rig == "host"
    return [one for one in ghashes() if not one.needs or (host and one.available)]


def ghash_of(platform: Platform, name: str | None) -> str:
    """The GHASH multiplier of that name, or the constant-time default; ValueError if unknown."""
    names = [one.name for one in able(platform)]
    if name is None:
        return _INSTRUCTION if _INSTRUCTION in names else DEFAULT
    if name not in names:
        error = unknown("GHASH multiplier", name, sorted(names))
        raise ValueError(f"on {platform.name} {error}")
    return name


def competing(platform: Platform) -> tuple[str, ...]:
    """The multipliers that compete in GCM: only the instruction, if there is one."""
    if ghash_of(platform, None) == _INSTRUCTION:
        return (_INSTRUCTION,)
    return tuple(one.name for one in able(platform) if not _lacks_product(platform, one))


def chosen_of(platform: Platform, name: str | None) -> str | None:
    """The multiplier to which the choice is limited, None for all; ValueError if unknown."""
    if name is None:
        return None
    name = ghash_of(platform, name)
    if any(one.name == name and _lacks_product(platform, one) for one in able(platform)):
        raise ArgumentError(
            "{} is slower than {} on {} by construction: it has no instruction for a product of 64 "
            "bits; leave {ghash} out, or name another",
            name,
            DEFAULT,
            platform.name,
        )
    return name


def _lacks_product(platform: Platform, ghash: Ghash) -> bool:
    """Whether its 64-bit products are calls of a library function on the platform."""
    return ghash.constant_time_multiply and platform.isa in _NO_LONG_PRODUCT
