# SPDX-License-Identifier: MIT
"""PicoRV32: RV32I, not pipelined, in the configuration that its author benchmarks.

The cycles are those of the table in "Cycles per Instruction Performance" of the PicoRV32 README.
Each was confirmed by simulating the core's Verilog (picorv32.v, 1.0) with that configuration.
"""

from ..instruction import Kind
from .model import Rule, TimingModel, Window

MANUAL = "PicoRV32 README, section 'Cycles per Instruction Performance'"

_ALU = 3
_SHIFTS = ("sll", "slli", "srl", "srli", "sra", "srai")


def _is(window: Window, *kinds: Kind) -> bool:
    """A full-size instruction of one of these kinds; there are no compressed ones here."""
    return window.this.kind in kinds and window.this.size == 4


MODEL = TimingModel(
    name="picorv32",
    title="PicoRV32 (RV32I, BARREL_SHIFTER=1, ENABLE_REGS_DUALPORT=1)",
    manual=MANUAL,
    assumptions=(
        "PicoRV32 with BARREL_SHIFTER=1 and otherwise default parameters, so without multiplier, "
        "divider and compressed instructions; one memory for code, tables, data and stack that "
        "answers the look-ahead interface within one cycle."
    ),
    base=(
        Rule(
            "shift",
            f"{MANUAL}: with BARREL_SHIFTER as any other ALU operation",
            lambda window: _is(window, "alu") and window.this.name in _SHIFTS,
            _ALU,
        ),
        Rule(
            "data processing",
            f"{MANUAL}: ALU reg + immediate, ALU reg + reg",
            lambda window: _is(window, "alu", "nop"),
            _ALU,
        ),
        Rule("load", f"{MANUAL}: memory load", lambda window: _is(window, "load"), 5),
        Rule("store", f"{MANUAL}: memory store", lambda window: _is(window, "store"), 5),
        Rule(
            "branch",
            f"{MANUAL}: branch (not taken), branch (taken)",
            lambda window: _is(window, "branch") and window.this.conditional,
            lambda window: 5 if window.step.taken else 3,
        ),
        Rule(
            "fence",
            "picorv32.v: instr_fence, as an ALU operation that does nothing",
            lambda window: window.this.name == "fence",
            _ALU,
        ),
        Rule(
            "direct jump",
            f"{MANUAL}: direct jump (jal)",
            lambda window: _is(window, "branch", "branch-link"),
            3,
        ),
        Rule(
            "indirect jump",
            f"{MANUAL}: indirect jump (jalr)",
            lambda window: _is(window, "branch-register"),
            6,
        ),
    ),
)
