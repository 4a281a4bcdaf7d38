# SPDX-License-Identifier: MIT
"""What was executed, as a scheduler sees it: operations in packets, packets in superblocks."""

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
    "return",  # through a register
    "frame-return",  # Hexagon's dealloc_return
    "loop-setup",  # Hexagon's hardware loops
]
Role = Literal["value", "stored", "condition", "link"]
"""What an operation reads a register for."""


@dataclass(frozen=True)
class Read:
    """A register that an operation reads."""

    register: str
    role: Role = "value"
    new: bool = False
    """Written by the same packet (Hexagon's .new)."""


@dataclass(frozen=True)
class Access:
    """Bytes of data that an operation loads or stores."""

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
    """In the order of the bytes where it loads."""
    access: Access | None = None
    extended: bool = False
    """Its immediate does not fit into the instruction and takes an issue slot of its own."""
    copy: bool = False
    """It moves one register into another."""
    frame: bool = False
    """It makes or removes the stack frame."""
    conditional: bool = False
    """It loads only where a predicate holds; without an access where it did not hold."""

    @property
    def stored(self) -> tuple[str, ...]:
        """Registers that it stores, in the order of the bytes."""
        return tuple(read.register for read in self.reads if read.role == "stored")

    @property
    def jumps(self) -> bool:
        """It may change where execution goes on."""
        return self.kind in ("branch", "return", "frame-return")


Packet = tuple[Operation, ...]
"""Operations that read their registers before any of them writes; one where there is no VLIW."""


@dataclass(frozen=True)
class Superblock:
    """Packets that were executed one after another, up to a taken branch.

    One way in, and a way out at each branch that was not taken: a compiler schedules it as a whole.
    """

    packets: tuple[Packet, ...]


@dataclass(frozen=True)
class Executed:
    """One call of a function."""

    superblocks: tuple[Superblock, ...]
    stack: tuple[int, int]
    """Addresses from and below which its stack frame lies."""

    @property
    def operations(self) -> int:
        """How many there are."""
        return sum(len(packet) for superblock in self.superblocks for packet in superblock.packets)

    @property
    def packets(self) -> int:
        """Packets as the compiler made them."""
        return sum(len(superblock.packets) for superblock in self.superblocks)
