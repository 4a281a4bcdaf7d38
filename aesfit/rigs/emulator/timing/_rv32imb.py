# SPDX-License-Identifier: MIT
"""What bit manipulation ("B": Zba, Zbb and Zbs) adds to the rules of Ibex."""

from dataclasses import replace

from .model import Rule, TimingModel

_TABLE = "Ibex Reference Guide, Instruction Decode and Execute: Bit-Manipulation Extension"
_ROTATIONS = ("rol", "ror", "rori")


def with_bit_manipulation(model: TimingModel) -> TimingModel:
    """The same processor with RV32B = RV32BBalanced: rotations take 2 cycles, the others 1."""
    rotate = Rule("rotate", _TABLE, lambda window: window.this.name in _ROTATIONS, 2)
    return replace(
        model,
        name=f"{model.name}_b",
        title=f"{model.title.removesuffix(')')}, bit manipulation)",
        manual=f"{model.manual}; Bit-Manipulation Extension",
        assumptions=model.assumptions.replace("Ibex with", "Ibex with RV32B = RV32BBalanced,"),
        base=(rotate, *model.base),
    )
