# SPDX-License-Identifier: MIT
"""Converts executed RISC-V instructions to operations of the Lx.

The two are close: three operands, loads from a register and an offset, no flags, no rotations.
A branch of RISC-V compares; on the Lx a comparison writes a branch register, which the branch
reads.  lui and addi of one constant become one operation with a long immediate.
"""

from collections.abc import Iterator, Sequence

from .operation import Executed, Kind, Operation, Packet, Read, Superblock
from .riscv_decode import LOADS, STORES, Instruction32
from .riscv_machine import Interpreted

_SHORT = range(-256, 256)
"""Range of the Lx's immediates: 9 bits with a sign."""
_CONDITION = "condition"
_RA, _SP = 1, 2


def executed(steps: Sequence[Interpreted], stack: tuple[int, int]) -> Executed:
    """The trace of a call in superblocks that end with a taken branch."""
    superblocks: list[Superblock] = []
    packets: list[Packet] = []
    rest = iter(enumerate(steps))
    for at, step in rest:
        follower = steps[at + 1] if at + 1 < len(steps) else None
        if follower and _makes_constant(step, follower):
            packets.append((_constant(step.instruction),))
            step = next(rest)[1]
        else:
            packets += [(one,) for one in _operations(step)]
        if step.following != step.address + 4:
            superblocks.append(Superblock(tuple(packets)))
            packets = []
    return Executed(tuple(superblocks), stack)


def _makes_constant(step: Interpreted, follower: Interpreted) -> bool:
    one, other = step.instruction, follower.instruction
    adds = (other.name, other.form, other.rs1, other.rd) == ("add", "I", one.rd, one.rd)
    return one.name == "lui" and adds and follower.address == step.following


def _constant(one: Instruction32) -> Operation:
    return Operation(_text(one), "constant", (), (f"x{one.rd}",), extended=True)


def _operations(step: Interpreted) -> Iterator[Operation]:
    one = step.instruction
    text, sources, target = _text(one), _sources(one), _registers(one.rd)
    match one.form:
        case "B":
            yield Operation(text, "compare", sources, (_CONDITION,))
            yield Operation(text, "branch", (Read(_CONDITION, "condition"),))
        case "J":
            yield Operation(text, "branch", (), target)
        case "U":
            yield Operation(text, "constant", (), target, extended=True)
        case "S":
            reads = (Read(f"x{one.rs1}"), Read(f"x{one.rs2}", "stored"))
            yield Operation(text, "store", reads, (), step.access, extended=_is_long(one))
        case "I" if one.name == "jalr":
            yield Operation(text, "return", (Read(f"x{one.rs1}", "link"),), target)
        case _:
            yield Operation(
                text,
                _kind(one),
                sources,
                target,
                step.access,
                extended=one.form == "I" and _is_long(one),
                copy=_copies(one),
                frame=one.rd == _SP and one.rs1 == _SP,
            )


def _text(one: Instruction32) -> str:
    return f"{one.name} x{one.rd}, x{one.rs1}, x{one.rs2}, {one.immediate}"


def _registers(*numbers: int) -> tuple[str, ...]:
    return tuple(f"x{number}" for number in numbers if number)


def _sources(one: Instruction32) -> tuple[Read, ...]:
    two = one.form in ("R", "B")
    return tuple(Read(name) for name in _registers(one.rs1, *([one.rs2] if two else [])))


def _is_long(one: Instruction32) -> bool:
    return one.immediate not in _SHORT


def _copies(one: Instruction32) -> bool:
    return (one.name, one.form, one.immediate) == ("add", "I", 0) and one.rs1 != 0


def _kind(one: Instruction32) -> Kind:
    if one.name in LOADS or one.name in STORES:
        return "load"
    if one.name.startswith("mul"):
        return "multiply"
    return "constant" if one.form == "I" and one.rs1 == 0 else "alu"
