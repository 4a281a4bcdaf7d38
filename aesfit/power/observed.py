# SPDX-License-Identifier: MIT
"""A machine whose calls follow one path, and give the values that a model of power observes."""

import ctypes
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..measuring.trace import LOAD, RECORD, SKIPPED, STORE
from ..platforms.platform import Platform
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.instruction import Instruction
from ..rigs.emulator.machine import Machine, MachineError
from ..rigs.emulator.tracer import native
from .points import PointLayout, layout
from .shared_object import ObservedStep, library

_LONGEST = 2_000_000
"""Instructions of a path: its points take about 2 GiB."""


class ObservedMachine(Machine):
    """A machine that is told a path by one call, and observes further calls along it."""

    def __init__(self, elf: Path | bytes, platform: Platform) -> None:
        """Load `elf`; nothing is observed yet."""
        super().__init__(elf, platform)
        self._library = library()
        self._tracer, self._observer = ctypes.c_void_p(), ctypes.c_void_p()
        self._open()
        self._kept: tuple[object, ...] = ()
        self._buffer = np.zeros(1, np.uint32)
        self.layout = PointLayout((), (), (), (), 1)
        self.instructions: dict[int, Instruction] = {}
        """Those of the path, by address."""
        self._deepest = 0

    def _open(self) -> None:
        isa = native.ISAS.index(self.platform.isa)
        self._check(self._library.aesfit_tracer_open(self._tracer, isa, native.WATCH_MEMORY))
        for one in self._memories:
            host = ctypes.addressof(ctypes.c_char.from_buffer(one.host))
            given = native.TracedMemory(
                one.start, one.size, host, 0, one.writable, one.executable
            )  # fmt: skip
            self._check(self._library.aesfit_tracer_map(self._tracer, given))
        self._check(self._library.aesfit_observer_open(self._observer, self._tracer))

    def _check(self, error: int) -> None:
        if error:
            why = self._library.aesfit_tracer_engine_error(error).decode()
            raise RuntimeError(f"cannot open the observer: {why}")

    def __del__(self) -> None:
        """Free what the observer holds."""
        if hasattr(self, "_observer"):
            self._library.aesfit_observer_close(self._observer)
            self._library.aesfit_tracer_close(self._tracer)

    def follow(self, function: str | int, *arguments: int) -> PointLayout:
        """Learn the path of a call, which the emulator makes and checks as always."""
        done = self.call(function, *arguments, record=True)
        if done.instructions > _LONGEST:
            raise ValueError(
                f"a call executes {done.instructions:,} instructions, and traces have at most "
                f"{_LONGEST:,}; choose a shorter function"
            )
        self._deepest = done.stack_bytes
        self.instructions = decode_blocks(self.code, done.profile.blocks, self.platform.isa)
        path = self._path()
        self.layout = layout(path, self.instructions)
        self._tell(self.layout)
        return self.layout

    def _path(self) -> list[tuple[int, bool]]:
        """Instructions in order, without those that IT skips: Unicorn does not come to them."""
        found = []
        thumb = self.is_thumb
        for address, _, kind in RECORD.iter_unpack(self.records()):
            if kind in (LOAD, STORE):
                continue
            branches = self.instructions[address].kind == "branch"
            if kind == SKIPPED and thumb and not branches:
                continue
            found.append((address, kind != SKIPPED or branches))  # it reads what it compares
        return found

    def _tell(self, known: PointLayout) -> None:
        """Give the path to the observer, which keeps pointers to it."""
        steps = (ObservedStep * len(known.addresses))(
            *(
                ObservedStep(address, len(writes), cells)
                for address, writes, cells in zip(
                    known.addresses, known.writes, known.cells, strict=True
                )
            )
        )
        flat = [number for writes in known.writes for number in writes]
        registers = (ctypes.c_uint8 * max(1, len(flat)))(*flat)
        self._kept = steps, registers
        self._buffer = np.zeros(known.values, np.uint32)
        self._library.aesfit_observer_follow(self._observer, steps, len(steps), registers)

    def observe(self, function: str | int, *arguments: int) -> NDArray[np.uint32]:
        """The values of one call along the path; they stay valid until the next call."""
        entry = self.symbol(function) if isinstance(function, str) else function
        self._paint(self._stack_top - self._deepest - 64)
        call = self._prepared(entry, arguments, _LONGEST)
        result, room = native.TracedResult(), len(self._buffer) - 1
        kept = self._library.aesfit_observer_run(
            self._observer, call, result, self._buffer.ctypes.data + 4, room
        )
        if kept != room:
            raise MachineError(
                "calls take different paths for different inputs, at "
                f"{self.where(result.pc)}, so their traces cannot be compared; see aesfit prove "
                "for what its branches depend on"
            )
        return self._buffer
