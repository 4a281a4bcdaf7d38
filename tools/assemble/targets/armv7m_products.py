# SPDX-License-Identifier: MIT
"""ARMv7-M as the products of GHASH use it: what armv7m.py knows, as anneal.py asks for it."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..anneal import Heat
from ..program import Operation
from . import armv7m
from .armv7m import REGISTERS, load, move, store
from .costs import Costs

__all__ = ["HEAT", "NAME", "REGISTERS", "costs", "load", "move", "operation", "store"]

NAME: Final = "armv7m_products"
HEAT: Final = Heat(steps=1_000_000, hot=1.0, cold=0.12, excess=0.5, dearer=2.0)
_KINDS: Final = ("alu", "load", "store")


@cache
def costs() -> Costs:
    """The timing model's answers."""
    found = armv7m.costs()
    alone = {kind: found[kind, "alu", False] for kind in _KINDS}
    pairs = [(before, kind) for before in _KINDS for kind in _KINDS]
    together = {pair: found[pair[1], pair[0], False] - alone[pair[1]] for pair in pairs}
    return Costs(alone, together)


def operation(one: Operation, outs: tuple[str, ...], reads: tuple[str, ...]) -> str:
    """The text of an operation on registers."""
    match one.name:
        case "word":
            return f"ldr.w {outs[0]}, [{reads[0]}, #{4 * one.immediate}]"
        case "umull" | "mul":
            return f"{one.name} {', '.join((*outs, reads[0], reads[-1]))}"
        case "lsr" | "lsl":
            return f"{one.name}.w {outs[0]}, {reads[0]}, #{one.amount}"
        case "and" if one.immediate == 0xFFFF:
            return f"uxth.w {outs[0]}, {reads[0]}"
        case _:
            return armv7m.operation(one, outs[0], reads[0], reads[-1] if one.b else "", 0)
