# SPDX-License-Identifier: MIT
"""The few instructions in RAM that call a function with interrupts off, between two readings.

They read the counter directly before and after the call, so a stop of the debugger is in no
figure.  What they add is what a call of an empty function counts, which is subtracted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .counters import CycleCounter

_RISCV_TARGET, _RISCV_FIRST, _RISCV_LAST = "x5", "x8", "x6"


@dataclass(frozen=True)
class Caller:
    """Machine code, and which registers take part."""

    code: bytes
    stop: int
    """Offset at which the target stops."""
    empty: int
    """Offset of a function that only returns."""
    spin: int
    """Offset of a function that goes round a loop of two instructions as often as it is told."""
    poke: int
    """Offset of a function that stores a word: address, word."""
    target: str
    """Register that gets the address of the function."""
    first: str
    """Register with the counter before the call, in the end."""
    last: str
    returned: str
    counter: str | None = None
    """Register that gets the address of the counter."""
    breakpoint_kind: int = 2
    """As GDB numbers the sizes of breakpoints."""


# mrs r7,primask; cpsid i; ldr r6,[r4]; blx r5; ldr r5,[r4]; msr primask,r7; stop: b stop; nop;
# empty: bx lr; spin: subs r0,#1; bne spin; bx lr; poke: str r1,[r0]; bx lr
_THUMB = "eff31087 72b6 2668 a847 2568 87f31088 fee7 c046 7047 0138 fdd1 7047 0160 7047"
# ldr r6,[r4]; mov lr,pc; bx r5; ldr r7,[r4]; stop: b stop; empty: bx lr;
# spin: subs r0,r0,#1; bne spin; bx lr; poke: str r1,[r0]; bx lr
_ARM = """006094e5 0fe0a0e1 15ff2fe1 007094e5 feffffea 1eff2fe1 010050e2 fdffff1a 1eff2fe1
001080e5 1eff2fe1"""


def _thumb() -> Caller:
    return Caller(bytes.fromhex(_THUMB), 16, 20, 22, 28, "r5", "r6", "r5", "r0", "r4")


def _arm() -> Caller:
    return Caller(bytes.fromhex(_ARM), 16, 20, 24, 36, "r5", "r6", "r7", "r0", "r4", 4)


def _read_counter(register: int, address: int | None) -> list[int]:
    """`csrr register, mcycle`; or `lui x6, upper` and `lw register, lower(x6)`."""
    if address is None:
        return [0xB00 << 20 | 2 << 12 | register << 7 | 0x73]
    upper, lower = (address + 0x800) >> 12 & 0xF_FFFF, address & 0xFFF
    return [upper << 12 | 6 << 7 | 0x37, lower << 20 | 6 << 15 | 2 << 12 | register << 7 | 0x03]


def _riscv(counter: CycleCounter | None) -> Caller:
    address = counter.address if counter else None
    before = [0x3004_74F3]  # csrrci x9, mstatus, 8
    if counter:
        before += _read_counter(8, address)
    after = [0x0002_80E7]  # jalr x1, 0(x5)
    if counter:
        after += _read_counter(6, address)
    words = [*before, *after, 0x3004_9073, 0x0000_006F]  # csrw mstatus, x9; stop: j stop
    stop = 4 * len(words) - 4
    words += [0x0000_8067]  # empty: ret
    words += [0xFFF5_0513, 0xFE05_1EE3, 0x0000_8067]  # spin: addi a0,a0,-1; bnez a0,spin; ret
    words += [0x00B5_2023, 0x0000_8067]  # poke: sw a1,0(a0); ret
    code = b"".join(word.to_bytes(4, "little") for word in words)
    return Caller(
        code, stop, stop + 4, stop + 8, stop + 20, _RISCV_TARGET, _RISCV_FIRST, _RISCV_LAST, "x10",
        breakpoint_kind=4,
    )  # fmt: skip


def caller_of(isa: str, counter: CycleCounter | None) -> Caller:
    """What calls functions there; None as counter: without readings that mean anything."""
    if isa.startswith("rv32"):
        return _riscv(counter)
    return _arm() if isa == "armv4t" else _thumb()


_RISCV_ABI = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1"),
    *(f"a{n}" for n in range(8)),
    *(f"s{n}" for n in range(2, 12)),
    *(f"t{n}" for n in range(3, 7)),
)
_ALIASES = {
    **{f"x{n}": names for n, names in enumerate(_RISCV_ABI)},
    "x8": "s0",
    "cpsr": "xpsr",
}
"""Another name under which a stub may describe a register."""


def register_name(name: str, known: Mapping[str, object]) -> str | None:
    """The name under which a stub knows a register; None where it does not."""
    other = {"fp": "x8", "s0": "x8", **{v: k for k, v in _ALIASES.items()}}
    for one in (name, _ALIASES.get(name), other.get(name), "fp" if name == "x8" else None):
        if one is not None and one in known:
            return one
    return None
