# SPDX-License-Identifier: MIT
"""How functions are called: registers of arguments, those that a callee preserves, the stack.

Sources: AAPCS (ARM IHI 0042), section 6; RISC-V ELF psABI, integer calling convention; System V
ABI for AMD64, section 3.2.
"""

import re
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Convention:
    """One calling convention, with registers as SLEIGH names them."""

    word: int
    """Bytes of a register."""
    arguments: tuple[str, ...]
    result: str
    stack_pointer: str
    link: str
    """Register of the return address; empty where the call pushes it."""
    preserved: tuple[str, ...]
    scratch: tuple[str, ...]
    """Registers that hold whatever the callee left in them, flags not counted."""
    given: tuple[tuple[str, int], ...] = ()
    """Other registers that hold a value when a function begins."""
    unspecified: tuple[str, ...] = ()
    """Registers that hold anything when a function begins, and that instructions mix with others:
    flags, where SLEIGH writes an instruction that keeps them as one that computes them anew."""
    red_zone: int = 0
    """Bytes below the stack pointer that a function may use."""
    aligned: bool = True
    """Accesses of half-words and words must be aligned."""
    thumb: bool = False
    plain: str = ""
    """Pattern of instructions that take one cycle whether their condition holds or not."""

    def predicates(self, text: str) -> bool:
        """An instruction, as a disassembler prints it, takes one cycle whatever its condition."""
        return bool(self.plain and re.match(self.plain, text))

    def frame(self, end: int, count: int) -> tuple[int, int]:
        """Address and end of those of `count` arguments that lie on the stack, below `end`."""
        held = max(0, count - len(self.arguments)) * self.word
        top = end - (held + 15) // 16 * 16
        return top, top + held


_ARM: Final = ("r0", "r1", "r2", "r3")
_ARM_PRESERVED: Final = tuple(f"r{number}" for number in range(4, 12))
_ARM_SCRATCH: Final = (*_ARM, "r12", "lr")
_ARM_STATE: Final = Convention(
    4, _ARM, "r0", "sp", "lr", _ARM_PRESERVED, _ARM_SCRATCH, (("TB", 0),)
)
_V6M: Final = replace(_ARM_STATE, given=(("TB", 1),), thumb=True)
_V7M: Final = replace(
    _V6M,
    aligned=False,
    plain=r"(it|mov|mvn|and|orr|orn|eor|bic|add|sub|rsb|adc|sbc|cmp|cmn|tst|teq|[us]xt[bh]"
    r"|lsl|lsr|asr|ror|[us]bfx|bfi)s?"
    r"(\.(w|eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le))* (?!pc)",
)
"""Data-processing takes one cycle, and so does what an IT block skips (Cortex-M3 and Cortex-M4
Technical Reference Manuals, 3.3.1)."""
_FLOATING: Final = tuple(f"s{number}" for number in range(32))
_V7EM: Final = replace(
    _V7M,
    preserved=(*_ARM_PRESERVED, *_FLOATING[16:]),
    scratch=(*_ARM_SCRATCH, *_FLOATING[:16]),
)
_V8M: Final = replace(_V7EM, plain="")
"""Which instructions Cortex-M33 pairs may depend on what is skipped; no manual says."""
_CONTROL: Final = ("mstatus", "mie", "mtvec", "mscratch", "mepc", "mcause")
_RISCV: Final = Convention(
    4,
    tuple(f"a{number}" for number in range(8)),
    "a0",
    "sp",
    "ra",
    (*(f"s{number}" for number in range(12)), "gp", "tp", *_CONTROL),
    ("ra", *(f"t{number}" for number in range(7)), *(f"a{number}" for number in range(8))),
)
_RISCV_E: Final = Convention(
    4,
    tuple(f"a{number}" for number in range(6)),
    "a0",
    "sp",
    "ra",
    ("s0", "s1", "gp", "tp", *_CONTROL),
    ("ra", *(f"t{number}" for number in range(3)), *(f"a{number}" for number in range(6))),
)
_AMD64: Final = Convention(
    8,
    ("RDI", "RSI", "RDX", "RCX", "R8", "R9"),
    "RAX",
    "RSP",
    "",
    ("RBX", "RBP", "R12", "R13", "R14", "R15"),
    (
        *("RAX", "RCX", "RDX", "RSI", "RDI", "R8", "R9", "R10", "R11"),
        *(f"XMM{number}" for number in range(16)),
        *(f"MM{number}" for number in range(8)),
    ),
    (("DF", 0),),
    ("CF", "PF", "AF", "ZF", "SF", "OF"),
    red_zone=128,
    aligned=False,
)

CONVENTIONS: Final = {
    "armv4t": _ARM_STATE,
    "armv6-m": _V6M,
    "armv7-m": _V7M,
    "armv7e-m": _V7EM,
    "armv8-m.main": _V8M,
    "rv32i": _RISCV,
    "rv32im": _RISCV,
    "rv32ec": _RISCV_E,
    "x86-64": _AMD64,
}
"""By instruction set."""
