# SPDX-License-Identifier: MIT
"""What each instruction of an image does, as P-code: operations on registers, memory, temporaries.

SLEIGH gives it (the package pypcode); the rest of the room sees the plain tuples made here.
"""

from dataclasses import dataclass, replace
from typing import Final

import pypcode

from ..rigs.emulator.decode_wch import full

CONSTANT, REGISTER, TEMPORARY, MEMORY = range(4)
"""Where an operand is."""
_SPACES: Final = {"const": CONSTANT, "register": REGISTER, "unique": TEMPORARY, "ram": MEMORY}

LONGEST: Final = 16
"""Bytes that hold any instruction; those of x86 have up to 15."""
Place = tuple[int, int, int]
"""An operand: where it is, its offset there or its value, which fits, and its bytes."""


@dataclass(frozen=True)
class Language:
    """What SLEIGH calls an instruction set, and the mode that its code is in."""

    name: str
    thumb: bool = False


LANGUAGES: Final = {
    "armv4t": Language("ARM:LE:32:v4t"),
    "armv6-m": Language("ARM:LE:32:Cortex", thumb=True),
    "armv7-m": Language("ARM:LE:32:Cortex", thumb=True),
    "armv7e-m": Language("ARM:LE:32:Cortex", thumb=True),
    "armv8-m.main": Language("ARM:LE:32:Cortex", thumb=True),
    "rv32i": Language("RISCV:LE:32:RV32IMC"),
    "rv32im": Language("RISCV:LE:32:RV32IMC"),
    "rv32ec": Language("RISCV:LE:32:RV32IMC"),
    "x86-64": Language("x86:LE:64:default"),
}
"""By instruction set; those that are missing have no proofs."""
CONTROL: Final = frozenset(
    {"BRANCH", "CBRANCH", "BRANCHIND", "CALL", "CALLIND", "CALLOTHER", "RETURN"}
)
"""Operations that may go elsewhere."""


@dataclass(frozen=True, slots=True)
class PcodeOperation:
    """One operation of P-code."""

    name: str
    """As SLEIGH names it: INT_ADD, LOAD, CBRANCH ..."""
    output: Place | None
    inputs: tuple[Place, ...]
    special: str = ""
    """Of CALLOTHER: the name of what SLEIGH does not model."""
    sizes: tuple[int, ...] = ()
    """Bytes of the inputs."""
    cancels: bool = False
    """Its result is 0, whatever it is given: so processors clear a register."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """One instruction."""

    address: int
    size: int
    text: str
    operations: tuple[PcodeOperation, ...]

    def skipped_at(self, last: int) -> bool:
        """It did nothing, because its condition failed: the operation that ran last says so.

        A branch that is not taken is no such instruction.
        """
        after = self.operations[last + 1 :]
        return (
            bool(after)
            and self.operations[last].name == "CBRANCH"
            and not any(one.name in CONTROL for one in after)
        )


class LiftError(ValueError):
    """Bytes that are no instruction, or one that SLEIGH does not know."""


class Lifter:
    """Lifts instructions of one instruction set."""

    def __init__(self, isa: str) -> None:
        """For an instruction set of LANGUAGES."""
        language = LANGUAGES[isa]
        self._has_wch = isa == "rv32ec"
        self._context = pypcode.Context(language.name)
        if language.thumb:
            self._context.setVariableDefault("TMode", 1)
        self.registers: dict[str, Place] = {
            name: (REGISTER, node.offset, node.size)
            for name, node in self._context.registers.items()
        }

    def lift(self, code: bytes, address: int) -> Lifted:
        """The instruction at `address`, with which `code` begins."""
        stands_for = full(int.from_bytes(code[:2], "little")) if self._has_wch else None
        if stands_for is not None:  # SLEIGH takes it for an access of floating point
            return replace(self._lifted(stands_for.to_bytes(4, "little"), address), size=2)
        return self._lifted(code, address)

    def _lifted(self, code: bytes, address: int) -> Lifted:
        try:
            done = self._context.translate(code, address, max_instructions=1)
            shown = self._context.disassemble(code, address, max_instructions=1).instructions[0]
        except (pypcode.BadDataError, pypcode.LowlevelError, pypcode.UnimplError) as error:
            raise LiftError(f"no instruction is known at {address:#x}: {error}") from None
        text = f"{shown.mnem} {shown.body}".strip().lower()
        idle = shown.mnem.lower() == "nop"  # of x86 with an address, which nobody works out
        operations = () if idle else tuple(_operations(done))
        return Lifted(address, shown.length, text, operations)


def _operations(done: pypcode.Translation) -> list[PcodeOperation]:
    found = []
    for one in done.ops:
        name = one.opcode.__name__
        if name == "IMARK":
            continue
        special, inputs = "", one.inputs
        if name == "CALLOTHER":
            special, inputs = inputs[0].getUserDefinedOpName(), inputs[1:]
        elif name in ("LOAD", "STORE"):  # the first names the space, of which there is one
            inputs = inputs[1:]
        output = None if one.output is None else _place(one.output)
        places = tuple(map(_place, inputs))
        sizes = tuple(place[2] for place in places)
        cancels = name == "INT_XOR" and places[0] == places[1]
        found.append(PcodeOperation(name, output, places, special, sizes, cancels))
    return found


def _place(node: pypcode.Varnode) -> Place:
    space, offset = _SPACES[node.space.name], node.offset
    return space, offset & (1 << 8 * node.size) - 1 if space == CONSTANT else offset, node.size
