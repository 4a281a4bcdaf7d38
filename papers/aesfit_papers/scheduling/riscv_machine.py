# SPDX-License-Identifier: MIT
"""Interprets RV32IM code with Zba, and records what was executed.

The emulator of aesfit/rigs knows no Zba, and a block is a thousand instructions, so a plain
interpreter is enough.  What it computes is compared with the library.
"""

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from .operation import Access
from .riscv_decode import (
    ARITHMETIC,
    CONDITIONS,
    LOADS,
    STORES,
    WORD,
    Instruction32,
    decode,
    signed,
)

_MEMORY = 1 << 20
_BUFFERS, _STACK = _MEMORY // 2, _MEMORY - 16
_RETURN = WORD & ~3
"""A return address without code."""
_LIMIT = 1_000_000
"""Limit of instructions per call; any block or key set-up is far below it."""
_RA, _SP, _A0 = 1, 2, 10


@dataclass(frozen=True)
class Interpreted:
    """One executed instruction."""

    address: int
    instruction: Instruction32
    following: int
    """Address of the next one."""
    access: Access | None


class RiscvMachine:
    """A bare processor with a program in its memory."""

    def __init__(self, elf: Path) -> None:
        """Load a linked program that lies in the lower half of the memory."""
        self._memory = bytearray(_MEMORY)
        self._next = _BUFFERS
        with elf.open("rb") as stream:
            file = ELFFile(stream)
            for segment in file.iter_segments():
                if segment["p_type"] == "PT_LOAD":
                    self.write(segment["p_vaddr"], segment.data())
            tables = [s for s in file.iter_sections() if isinstance(s, SymbolTableSection)]
            self._symbols = {
                e.name: e["st_value"] for table in tables for e in table.iter_symbols()
            }

    @property
    def stack(self) -> tuple[int, int]:
        """Range of addresses for stack frames."""
        return _MEMORY * 3 // 4, _STACK

    def symbol(self, name: str) -> int:
        """Value of a symbol."""
        return int(self._symbols[name])

    def reserve(self, size: int) -> int:
        """Allocate bytes; returns their address."""
        address = self._next
        self._next += -(-size // 16) * 16
        return address

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory."""
        self._within(address, len(data))
        self._memory[address : address + len(data)] = data

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        self._within(address, size)
        return bytes(self._memory[address : address + size])

    def _within(self, address: int, size: int) -> None:
        if not 0 <= address <= _MEMORY - size:
            raise ValueError(f"there are no {size} bytes of memory at {address:#x}")

    def call(self, function: str, *arguments: int) -> list[Interpreted]:
        """Call a function with integer arguments; returns the executed instructions."""
        registers = [0] * 32
        registers[_RA], registers[_SP] = _RETURN, _STACK
        registers[_A0 : _A0 + len(arguments)] = arguments
        address, steps = self.symbol(function), list[Interpreted]()
        while address != _RETURN:
            step = self._step(address, registers)
            steps.append(step)
            address = step.following
            if len(steps) > _LIMIT:
                raise ValueError(f"{function} did not return within {_LIMIT} instructions")
        return steps

    def _step(self, address: int, registers: list[int]) -> Interpreted:
        one = decode(int.from_bytes(self.read(address, 4), "little"))
        a, b = registers[one.rs1], registers[one.rs2]
        following, access, result = address + 4, None, 0
        match one.form:
            case "R":
                result = ARITHMETIC[one.name](a, b)
            case "U":
                result = one.immediate + (address if one.name == "auipc" else 0)
            case "B" if CONDITIONS[one.name](a, b):
                following = address + one.immediate
            case "J":
                result, following = following, address + one.immediate
            case "S":
                access = Access(a + one.immediate & WORD, STORES[one.name])
                self.write(access.address, (b & WORD).to_bytes(4, "little")[: access.size])
            case "I" if one.name in LOADS:
                size, extend = LOADS[one.name]
                access = Access(a + one.immediate & WORD, size)
                loaded = int.from_bytes(self.read(access.address, size), "little")
                result = signed(loaded, 8 * size) if extend else loaded
            case "I" if one.name == "jalr":
                result, following = following, a + one.immediate & ~1
            case "I":
                result = ARITHMETIC[one.name](a, one.immediate & WORD)
        if one.rd:
            registers[one.rd] = result & WORD
        return Interpreted(address, one, following & WORD, access)
