# SPDX-License-Identifier: MIT
"""Why a call on an emulated processor did not return, in one sentence."""

from typing import Protocol

from ...platforms.platform import Platform
from .decode_wch import decode as decode_wch
from .decode_wch import full
from .tracer import native
from .tracer.session import Stop

# As Unicorn numbers them.
_ARM_EXCEPTIONS = {
    1: "undefined instruction",
    2: "supervisor call",
    7: "breakpoint",
    18: "change to ARM state on a processor without it",
}
_RISCV_EXCEPTIONS = {
    2: "illegal instruction",
    3: "breakpoint",
    8: "environment call",
    11: "environment call",
}


_UDF_THUMB, _UDF_MASK, _UDF_ARM = 0xDE, 0xFFF000F0, 0xE7F000F0
"""DDI 0403E, A7.7.194 and DDI 0406C, A8.8.247."""


class Stopped(Protocol):
    """What must be known of the machine on which a call did not return."""

    platform: Platform

    @property
    def stack_size(self) -> int:
        """Bytes that the stack may take."""

    def where(self, address: int) -> str:
        """An address in words: its function and offset."""

    def thumb_at(self, address: int) -> bool:
        """Whether the instruction there is Thumb code."""

    def code(self, address: int, size: int) -> bytes:
        """So many bytes of code."""


def explain(machine: Stopped, stop: Stop) -> str:
    """What stopped it, and where."""
    fault, at = f"{stop.fault:#x}", f"at {machine.where(stop.pc)}"
    match stop.reason:
        case native.BUDGET:
            return f"the call did not return within {stop.instructions} instructions; {at}"
        case native.UNMAPPED_FETCH:
            return f"execution left the code: {fault} is not executable memory; last {at}"
        case native.INVALID if _traps(machine, stop.fault):
            return f"the code stops itself at {machine.where(stop.fault)}, as after a failed check"
        case native.INVALID:
            return f"the processor has no instruction like that at {machine.where(stop.fault)}"
        case native.HALTED:
            return f"the processor waits for an interrupt; {at}"
        case native.STACK:
            return f"the stack needs more than its {machine.stack_size} bytes; {at}"
        case native.TOO_MUCH:
            return f"the call is too long or varied to be recorded; {at}"
        case native.ENGINE:
            return f"the emulator failed with error {stop.fault}; {at}"
        case _:
            return _explain_instruction(machine, stop, fault)


def _traps(machine: Stopped, address: int) -> bool:
    """Whether UDF is there, which compilers put where code must not go on."""
    if not machine.platform.isa.startswith("armv"):
        return False
    if machine.thumb_at(address):
        return machine.code(address, 2)[1] == _UDF_THUMB
    return int.from_bytes(machine.code(address, 4), "little") & _UDF_MASK == _UDF_ARM


def _explain_instruction(machine: Stopped, stop: Stop, fault: str) -> str:
    at = f"{_instruction(machine, stop.pc)} at {machine.where(stop.pc)}"
    match stop.reason:
        case native.UNALIGNED:
            return f"unaligned access: {at} takes {stop.fault_size} bytes at {fault}"
        case native.UNMAPPED_READ:
            return f"read outside of memory: {at} reads {fault}"
        case native.UNMAPPED_WRITE:
            return f"write outside of RAM: {at} writes {fault}"
        case _:
            arm = machine.platform.isa.startswith("armv")
            names = _ARM_EXCEPTIONS if arm else _RISCV_EXCEPTIONS
            name = names.get(stop.fault, f"exception {stop.fault}")
            return f"{name}: nothing handles it here; {at}"


def _instruction(machine: Stopped, address: int) -> str:
    """The instruction as text, or its bytes."""
    if machine.platform.isa == "rv32ec" and full(
        int.from_bytes(machine.code(address, 2), "little")
    ):
        return f"'{decode_wch(machine.code(address, 2), address)[0].text}'"
    import capstone  # type: ignore[import-untyped]  # needed for failures alone

    if machine.platform.isa.startswith("armv"):
        thumb = machine.thumb_at(address)
        mode = capstone.CS_MODE_THUMB if thumb else capstone.CS_MODE_ARM
        mode |= capstone.CS_MODE_MCLASS if machine.platform.isa != "armv4t" else 0
        engine = capstone.Cs(capstone.CS_ARCH_ARM, mode)
    else:
        mode = capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC
        engine = capstone.Cs(capstone.CS_ARCH_RISCV, mode)
    data = machine.code(address, 4)
    text = next((f"{m} {o}".strip() for _, _, m, o in engine.disasm_lite(data, address)), None)
    return f"'{text}'" if text else f"the bytes {data.hex()}"
