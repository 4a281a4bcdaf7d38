# SPDX-License-Identifier: MIT
"""Where a run is: registers, memory, the next operation."""

from dataclasses import dataclass, field

from .cells import Cells
from .domain import Domain, Unwritten, Value
from .image import ProofImage
from .operations import UnwrittenError


@dataclass
class State:
    """Registers, memory and where the run is."""

    registers: Cells
    memory: Cells
    temporaries: Cells
    pc: int = 0
    at: int = 0
    """PcodeOperation of the instruction at pc."""
    writers: dict[int, int] = field(default_factory=dict)
    """Address of the instruction that wrote a value of the stack last, by its address."""
    setters: dict[int, int] = field(default_factory=dict)
    """Address of the instruction that wrote a register last, by the register's offset."""
    decided: list[tuple[Value, int]] = field(default_factory=list)
    """Conditions of verdicts, and the side that this run is on."""
    accepted: bool | None = None
    """What the verdict was on this run; None: nothing has depended on it."""

    def copy(self) -> "State":
        """The same, to go on with apart."""
        return State(
            self.registers.copy(), self.memory.copy(), self.temporaries.copy(), self.pc, self.at,
            dict(self.writers), dict(self.setters), list(self.decided), self.accepted,
        )  # fmt: skip


def decided(domain: Domain, state: State, condition: Value) -> int | None:
    """What a condition is; None where no verdict of this run decides it."""
    if isinstance(condition, int):
        return condition
    for other, side in state.decided:
        differ = domain.xor(condition, other, 1)
        if isinstance(differ, int):
            return differ ^ side
    return None


def settled(domain: Domain, state: State, value: Value, width: int) -> Value:
    """A value, as a number where the verdicts of this run decide all of its bits."""
    bits = [decided(domain, state, domain.extract(value, at, 1)) for at in range(width)]
    known = [bit for bit in bits if bit is not None]
    return sum(bit << at for at, bit in enumerate(known)) if len(known) == width else value


@dataclass(frozen=True)
class Extent:
    """Bytes that a function may write."""

    start: int
    size: int

    def holds(self, address: int, size: int) -> bool:
        """All of some bytes lie in it."""
        return self.start <= address <= self.start + self.size - size


class Reader:
    """Memory as lookups see it."""

    def __init__(self, memory: Cells, image: ProofImage) -> None:
        """Memory of a run, and the image beneath it."""
        self._memory, self._image = memory, image

    def constant(self, address: int, size: int) -> int | None:
        """Bytes that are known."""
        value = self.value(address, size)
        return value if isinstance(value, int) else None

    def value(self, address: int, size: int) -> Value | None:
        """Bytes as they are."""
        try:
            value = self._memory.read(address, size)
        except UnwrittenError:
            return None
        return None if isinstance(value, Unwritten) else value

    def fixed(self, address: int, size: int) -> bool:
        """They are the image's, which no function may write."""
        piece = self._image.piece(address)
        return piece is not None and address + size <= piece[0] + len(piece[1])
