# SPDX-License-Identifier: MIT
"""Executed code for a scheduler: operations in packets, packets in superblocks."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "alu",
    "constant",  # a register gets a number
    "multiply",
    "shift",  # Hexagon's XTYPE: shifts, bit fields, logic with two sources and a destination
    "load",
    "store",
    "stack-frame",  # Hexagon's allocframe
    "compare",  # its result is read by a branch
    "branch",
    "return",  # to an address in a register
    "frame-return",  # Hexagon's dealloc_return
    "loop-setup",  # Hexagon's hardware loops
]
Role = Literal["value", "stored", "condition", "link"]
"""The purpose for which an operation reads a register."""


@dataclass(frozen=True)
class Read:
    """A register that an operation reads."""

    register: str
    role: Role = "value"
    new: bool = False
    """Written by the same packet (Hexagon's .new)."""


@dataclass(frozen=True)
class Access:
    """The bytes that an operation loads or stores."""

    address: int
    size: int

    def overlaps(self, other: "Access") -> bool:
        """Whether they share a byte."""
        return self.address < other.address + other.size and other.address < self.address + (
            self.size
        )


@dataclass(frozen=True)
class Operation:
    """One executed operation."""

    text: str
    kind: Kind
    reads: tuple[Read, ...] = ()
    writes: tuple[str, ...] = ()
    """Registers written; for a load, in the order of the bytes."""
    access: Access | None = None
    extended: bool = False
    """Its immediate does not fit into the instruction, and takes an extra issue slot."""
    copy: bool = False
    """It moves one register into another."""
    frame: bool = False
    """It makes or removes the stack frame."""
    conditional: bool = False
    """It loads only if a predicate holds; it has no access if it did not."""

    @property
    def stored(self) -> tuple[str, ...]:
        """Registers that it stores, in the order of the bytes."""
        return tuple(read.register for read in self.reads if read.role == "stored")

    @property
    def jumps(self) -> bool:
        """It may change the flow of control."""
        return self.kind in ("branch", "return", "frame-return")


Packet = tuple[Operation, ...]
"""Operations that all read their registers before any writes; a single one if not a VLIW."""


@dataclass(frozen=True)
class Superblock:
    """Consecutively executed packets, up to a taken branch.

    It has one entry, and an exit at each branch not taken; a compiler schedules it as a whole.
    """

    packets: tuple[Packet, ...]


@dataclass(frozen=True)
class Executed:
    """One call of a function."""

    superblocks: tuple[Superblock, ...]
    stack: tuple[int, int]
    """Range of addresses of its stack frame."""

    @property
    def operations(self) -> int:
        """Number of operations."""
        return sum(len(packet) for superblock in self.superblocks for packet in superblock.packets)

    @property
    def packets(self) -> int:
        """Packets as the compiler made them."""
        return sum(len(superblock.packets) for superblock in self.superblocks)
