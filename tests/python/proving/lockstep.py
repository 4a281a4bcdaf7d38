# SPDX-License-Identifier: MIT
"""Executor and emulator side by side, instruction by instruction."""

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from unicorn import arm_const, riscv_const, x86_const

from aesfit.proving.calls import stack_of
from aesfit.proving.code import Code
from aesfit.proving.executor import Executor
from aesfit.proving.known_bits import KnownBits
from aesfit.proving.state import Extent, State

uc: Any = import_module("unicorn")  # it has no types
_PAGE: Final = 4096
_ARM = {
    **{f"r{number}": getattr(arm_const, f"UC_ARM_REG_R{number}") for number in range(13)},
    "sp": arm_const.UC_ARM_REG_SP,
    "lr": arm_const.UC_ARM_REG_LR,
}
_RISCV = {
    **{f"a{number}": getattr(riscv_const, f"UC_RISCV_REG_A{number}") for number in range(8)},
    **{f"s{number}": getattr(riscv_const, f"UC_RISCV_REG_S{number}") for number in range(12)},
    **{f"t{number}": getattr(riscv_const, f"UC_RISCV_REG_T{number}") for number in range(7)},
    "sp": riscv_const.UC_RISCV_REG_SP,
    "ra": riscv_const.UC_RISCV_REG_RA,
}
_X86 = {
    name.upper(): getattr(x86_const, f"UC_X86_REG_{name.upper()}")
    for name in (
        *(f"r{one}" for one in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp", *range(8, 16))),
        *(f"xmm{number}" for number in range(16)),
    )
}
_RETURN: Final = 0xFFFF_FF00
_ENDLESS: Final = b"\xeb\xfe\0\0"
"""A jump of x86 to itself: its emulator looks at what it returns to."""
_IT: Final = re.compile("i(t[te]{0,3}) ")
_BUFFERS: Final = 0xE000_0000


class Lockstep:
    """One image on both."""

    def __init__(self, code: Code) -> None:
        """Nothing was called yet."""
        self.compared = 0
        self._code = code
        self._isa = code.image.isa
        self._executor = Executor(code, KnownBits(), stack=stack_of(code.image))
        self._thumb = self._executor.convention.thumb
        self._state = self._executor.fresh()
        self._names, self._counter, mode = self._machine()
        self._next = _BUFFERS
        self._emulator = self._opened(uc.Uc(*mode))

    def _machine(self) -> tuple[dict[str, int], int, tuple[int, int]]:
        """Registers by name, the program counter, and what the emulator calls the processor."""
        if self._isa == "x86-64":
            return _X86, x86_const.UC_X86_REG_RIP, (uc.UC_ARCH_X86, uc.UC_MODE_64)
        if self._isa.startswith("arm"):
            mode = uc.UC_MODE_THUMB if self._thumb else uc.UC_MODE_ARM
            return _ARM, arm_const.UC_ARM_REG_PC, (uc.UC_ARCH_ARM, mode)
        mode = uc.UC_MODE_RISCV32
        return _RISCV, riscv_const.UC_RISCV_REG_PC, (uc.UC_ARCH_RISCV, mode)

    def _opened(self, emulator: Any) -> Any:  # noqa: ANN401 - as above
        stack, pages = self._executor.stack, set[int]()
        blank = [(stack.start, bytes(stack.size)), (_BUFFERS, bytes(_PAGE)), (_RETURN, _ENDLESS)]
        for at, data in (pieces := [*self._code.image.pieces, *blank]):
            pages.update(range(at // _PAGE, (at + len(data) - 1) // _PAGE + 1))
        for page in pages:
            emulator.mem_map(page * _PAGE, _PAGE)
        for at, data in pieces:
            emulator.mem_write(at, data)
        return emulator

    def put(self, data: bytes) -> int:
        """Bytes in the memory of both."""
        at, self._next = self._next, self._next + len(data) + 15 & ~15
        self._emulator.mem_write(at, data)
        for offset, byte in enumerate(data):
            self._state.memory.write(at + offset, 1, byte)
        return at

    def call(self, name: str, *arguments: int) -> None:
        """Call a function on both; the last argument bounds the instructions."""
        *words, most = arguments
        state = self._entered(name, words)
        for _ in range(most):
            if state.pc == _RETURN:
                return
            self._emulator.emu_start(state.pc | self._thumb, 0xFFFF_FFFF, count=1)
            self._followed(state)
            self._compare(state)
            self.compared += 1
        raise AssertionError(f"{name} does not return within {most} instructions")

    def _followed(self, state: State) -> None:
        """One instruction; of IT also those that the emulator takes for a part of it."""
        conditions = _IT.match(self._code.text(state.pc)) if self._thumb else None
        self._executor.step(state, [])
        for _ in conditions[1] if conditions else "":
            if self._emulator.reg_read(self._counter) & ~self._thumb != state.pc:
                self._executor.step(state, [])

    def run(self, name: str, *arguments: int) -> None:
        """Call a function on the emulator alone."""
        state = self._entered(name, arguments)
        self._emulator.emu_start(state.pc | self._thumb, _RETURN)

    def get(self, at: int, size: int) -> bytes:
        """Bytes in the memory of the emulator."""
        return bytes(self._emulator.mem_read(at, size))

    def _entered(self, name: str, words: Sequence[int]) -> State:
        """Both are at the beginning of a function."""
        executor, state = self._executor, self._state
        executor.writable = (Extent(_BUFFERS, _PAGE), executor.stack)
        executor.enter(state, words, lambda name: 0)
        state.pc = self._code.image.symbol(name) & ~self._thumb
        if not executor.convention.link:
            top = self._held(state, executor.convention.stack_pointer)
            self._emulator.mem_write(top, _RETURN.to_bytes(8, "little"))
        for register, number in self._names.items():
            self._emulator.reg_write(number, self._held(state, register))
        return state

    def _held(self, state: State, register: str) -> int:
        value = self._executor.register(state, register)
        return value if isinstance(value, int) else 0

    def _compare(self, state: State) -> None:
        assert self._emulator.reg_read(self._counter) & ~self._thumb == state.pc
        for register, number in self._names.items():
            value = self._executor.register(state, register)
            if isinstance(value, int):
                assert self._emulator.reg_read(number) == value, f"{register} at {state.pc:#x}"
