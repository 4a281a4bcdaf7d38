# SPDX-License-Identifier: MIT
"""What an execution was: an exact, compact profile that timing models price.

A block is a straight run of instructions together with the outcome of its conditional ones, so one
run of addresses can give several blocks.  Paths count how often a block ran between which
neighbours: two before, so that every instruction has at least two before it, and one after, so
that a branch knows where it went.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

NONE = -1
"""In a path: before the first or after the last block of the window."""


@dataclass(frozen=True)
class Block:
    """A run of instructions that were executed one after another."""

    address: int
    """Of the first instruction; bit 0 is clear in Thumb state too."""
    size: int
    """Bytes."""
    skipped: frozenset[int] = frozenset()
    """Addresses of the conditional instructions in it whose condition failed; taken or not taken
    branches are told by the path instead, unless target and next instruction are the same."""
    predicted: bool = False
    """The last one was predicted to jump, where a branch predictor is followed."""


def merged(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Ranges of addresses that the blocks cover, in order; those that touch are joined."""
    ranges: list[tuple[int, int]] = []
    for start, end in sorted((block.address, block.address + block.size) for block in blocks):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return ranges


def executed_bytes(blocks: Iterable[Block]) -> int:
    """Bytes of code that the blocks cover."""
    return sum(end - start for start, end in merged(blocks))


@dataclass(frozen=True)
class Operand:
    """What the time of a division may depend on of its dividend or of its divisor."""

    bits: int
    """Of the magnitude, 0 to 32: 0 where it is zero."""
    negative: bool = False
    """Below zero, in a signed division."""
    power: bool = False
    """It is negative, and its magnitude is a power of two."""

    @property
    def beyond_sign(self) -> int:
        """Bits below those that are all like the sign."""
        return self.bits - self.power

    @property
    def code(self) -> int:
        """As the tracer counts them: bits, 64 where it is negative, 128 for `power`."""
        return self.bits + 64 * self.negative + 128 * self.power

    @classmethod
    def decoded(cls, code: int) -> "Operand":
        """From its code."""
        return cls(code & 63, bool(code & 64), bool(code & 128))


@dataclass(frozen=True)
class Profile:
    """Everything a timing model asks of an execution."""

    blocks: tuple[Block, ...]
    paths: Mapping[tuple[int, int, int, int], int]
    """(before last, last, this, next) as indices into `blocks` or NONE -> times.  Paths stand in
    the order in which each ran first."""
    operands: Mapping[tuple[int, int, int], int]
    """(address, two numbers) -> times, of instructions whose time may depend on operands.

    Of a multiply, unsigned and signed bytes: the least bytes, 1 to 4, of the multiplier (ARM: Rs;
    Thumb-2 and RISC-V: the last source register) above which all bits are 0, and above which they
    are all alike; the latter are 1 for 0000_00FFh and for FFFF_FF00h, because the sign need not be
    among them.  Of a division, dividend and divisor, each as Operand.code."""
    accesses: Mapping[tuple[int, str, str], int]
    """(instruction address, "load" or "store", memory region) -> data accesses."""
    unaligned: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """(instruction address, aligned accesses beyond the first that it is made as: 1 or 2) -> times,
    of accesses that are not on a multiple of their size."""


@dataclass(frozen=True)
class Execution:
    """One call of a function, from its first instruction to its return."""

    result: int
    """The value returned (r0, a0)."""
    instructions: int
    """Executed, those whose condition failed included."""
    loads: int
    """Data accesses; a multiple load counts each word."""
    stores: int
    stack_bytes: int
    """Most that the stack grew below its value at the call."""
    profile: Profile
    instruction_trace: int
    """64-bit digest of the sequence of executed addresses and outcomes of conditions."""
    address_trace: int
    """64-bit digest of the sequence of data accesses: kind, address and size."""
