# SPDX-License-Identifier: MIT
"""An instruction as timing rules see it; decode_arm.py and decode_riscv.py make them."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "alu",  # data processing, moves, shifts, extensions, bit fields; compares
    "alu-shift-register",  # data processing with a shift by a register (ARM state)
    "multiply",  # 32-bit result; with accumulation too: name tells (mul, mla, mls)
    "multiply-long",  # 64-bit result (umull, smlal, mulhu ...)
    "divide",
    "load",  # one register, any width
    "preload",  # pld: a hint, which accesses nothing that is counted
    "store",
    "load-many",  # ldm, pop, ldrd
    "store-many",  # stm, push, strd
    "swap",
    "load-exclusive",  # ldrex, ldaex ...; lda too, which orders other accesses
    "store-exclusive",  # strex, stlex ...; stl too
    "float-move",  # between floating-point registers, or to and from core registers
    "float-compute",  # vadd, vmul, vfma, vdiv, vcvt, vcmp ...
    "float-load",  # one floating-point register or many
    "float-store",
    "branch",  # b, bcc, cbz, beq ...: no link
    "branch-link",  # bl, jal ra
    "branch-register",  # bx, blx, jr, jalr, and any instruction whose purpose is to jump
    "it",  # Thumb-2 IT
    "nop",
    "status",  # mrs, msr, cps; csrr, csrrw, csrrs, csrrc
    "barrier",  # dmb, dsb, isb; fence
]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One decoded instruction.  Registers by number: "r0".."r15" (ARM), "x1".."x31" (RISC-V)."""

    address: int
    size: int
    """2 or 4 bytes."""
    text: str
    """As a disassembler prints it, for messages."""
    name: str
    """Mnemonic without condition, flag suffix and width: "ldrb", "add", "umull", "c.lw" -> "lw"."""
    kind: Kind
    reads: frozenset[str]
    """Registers read, the address registers included; flags are left out."""
    writes: frozenset[str]
    address_registers: frozenset[str] = frozenset()
    """Base and index of a memory access."""
    indexed: bool = False
    """The address is base plus an index register."""
    writeback: bool = False
    """Pre- or post-indexed: the base is updated."""
    access_bytes: int = 0
    """Width of one memory access."""
    signed: bool = False
    """A load that extends the sign."""
    transfers: int = 0
    """Words moved by a multiple load or store, and by those of floating-point registers."""
    conditional: bool = False
    """Executed under a condition (conditional branches included)."""
    shifted: Literal["", "register", "constant"] = ""
    """Thumb-2: the second operand is a register shifted by a constant, or a constant made by
    rotating eight bits; not of a plain shift or MOV of a shifted register."""
    sets_flags: bool = False
    """ARM: updates the condition flags."""
    listed: tuple[str, ...] = ()
    """ARM: the registers that a multiple load or store moves, in the order of their addresses."""
    accumulates: frozenset[str] = frozenset()
    """ARM: those of `reads` to which a product or an extended value is added."""
    writes_pc: bool = False
    """Jumps when it is executed, whatever its kind."""
    immediate: int | None = None
    """RISC-V: the amount of an immediate shift, or how far a direct branch jumps or an address lies
    from its base, in bytes; the number of a control and status register."""
