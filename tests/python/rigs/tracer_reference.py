# SPDX-License-Identifier: MIT
"""What Unicorn's own Python hooks say of a call, for tests of the tracer."""

from collections import Counter
from typing import Any

import unicorn
from unicorn import arm_const, riscv_const

from aesfit.rigs.emulator.machine import Machine

UNICORN: Any = unicorn  # its functions have no types
ENGINES = {
    "arm7tdmi": (unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM, arm_const.UC_CPU_ARM_TI925T),
    "cortex-m0plus": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M0,
    ),
    "cortex-m3": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M3,
    ),
    "cortex-m4": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M4,
    ),
    "cortex-m33": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M33,
    ),
    "rv32im-e31": (
        unicorn.UC_ARCH_RISCV,
        unicorn.UC_MODE_RISCV32,
        riscv_const.UC_CPU_RISCV32_SIFIVE_E31,
    ),
}


class Reference:
    """A call run with Python hooks on every instruction and access."""

    def __init__(self, machine: Machine, function: str, arguments: list[int]) -> None:
        arch, mode, model = ENGINES[machine.platform.name]
        uc = UNICORN.Uc(arch, mode)
        uc.ctl_set_cpu_model(model)
        for memory in machine.platform.memories:
            size = -(-memory.size // 4096) * 4096
            uc.mem_map(memory.start, size)
            uc.mem_write(memory.start, machine.read(memory.start, memory.size))
        uc.mem_map(0x6000_0000, 1 << 16)
        uc.mem_map(0x0FFF_F000, 4096)
        self.executed: Counter[int] = Counter()
        self.accesses: list[tuple[bool, int, int]] = []
        uc.hook_add(unicorn.UC_HOOK_CODE, self._instruction)
        uc.hook_add(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, self._access)
        arm = arch == unicorn.UC_ARCH_ARM
        stack = machine.platform.memory("ram")
        names = riscv_const
        first = arm_const.UC_ARM_REG_R0 if arm else names.UC_RISCV_REG_A0
        for number, argument in enumerate(arguments):
            uc.reg_write(first + number, argument)
        thumb = arm and machine.platform.name != "arm7tdmi"
        link = 0x0FFF_F000 | thumb
        uc.reg_write(arm_const.UC_ARM_REG_LR if arm else names.UC_RISCV_REG_RA, link)
        top = stack.start + stack.size
        uc.reg_write(arm_const.UC_ARM_REG_SP if arm else names.UC_RISCV_REG_SP, top - top % 16)
        uc.emu_start(machine.symbol(function) | thumb, 0x0FFF_F000)
        self.result = uc.reg_read(first)

    def _instruction(self, uc: object, address: int, size: int, _: object) -> None:
        self.executed[address] += 1

    def _access(
        self, uc: object, kind: int, address: int, size: int, value: int, _: object
    ) -> None:
        self.accesses.append((kind == unicorn.UC_MEM_WRITE, address, size))
