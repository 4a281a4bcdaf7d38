# SPDX-License-Identifier: MIT
"""A soft processor with a program in its memory, of which functions can be called.

The simulation (main.cpp) reads and writes memory and makes calls as it is told over a pipe.  The
methods are those of Machine, the processors of the emulator; buffers lie in RAM, from the first
line behind what the program has there, and the stack begins at RAM's end.
"""

import contextlib
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal
from weakref import finalize

from elftools.elf.elffile import ELFFile

from ....platforms.platform import Platform
from ...emulator.machine import MachineError
from ...profile import Execution, Profile
from ...program import read_program
from .simulator import build

Caches = Literal["cold", "warm", "kept"]
"""Before a call: empty after a reset; as an equal call left them; as they are."""

LIMIT = 2_000_000_000
"""Cycles after which a call is given up: many minutes."""
MOST_WAIT = 255
"""Wait states that the simulated memory can be told."""
MEMORY_AT, MEMORY_BYTES = 0x4000_0000, 512 << 10
"""soc.v: its one memory."""

_NOTHING = Profile((), {}, {}, {})
_READ, _WRITE, _CALL = range(3)
_COMMAND = struct.Struct("<8I")
_ANSWER = struct.Struct("<5I2Q")
_RETURNED, _FAULT = 0, 1
_LINE = 32
"""Bytes: the longest line of a cache in third_party/."""
_STACK_ALIGNMENT = 16
_ARGUMENTS = 8
"""Of a call that travel in registers (RISC-V ilp32); more are not needed."""
_LETTERS = 65536
"""Words that a call's letters can be (soc.v)."""


@dataclass(frozen=True)
class TimedExecution(Execution):
    """A call: result, instructions, stack and cycles are the processor's own.

    What happens inside its caches is not seen, so profile, loads, stores and digests are empty.
    """

    cycles: int


class SocMachine:
    """A running simulation."""

    def __init__(self, elf: Path, platform: Platform, wait_states: int, caches: Caches) -> None:
        """Load `elf`; ValueError when it is not for this platform or memory.

        `wait_states` of the memory; `caches` before each call.
        """
        if not 0 <= wait_states <= MOST_WAIT:
            raise ValueError(f"the memory has 0 to {MOST_WAIT} wait states, not {wait_states}")
        self.platform, self._wait, self._caches = platform, wait_states, caches
        with elf.open("rb") as stream:
            self._program = read_program(ELFFile(stream), platform)
        _check_map(platform, self._program.extents)
        ram = next(one for one in platform.memories if "stack" in one.holds)
        inside = [a + n for a, n, _ in self._program.extents if ram.start <= a]
        self._ram = (ram.start, ram.start + ram.size)
        self._first = self._next = -(-max([ram.start, *inside]) // _LINE) * _LINE
        self._process = subprocess.Popen(  # noqa: S603
            [build(str(platform.cpu))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.close = finalize(self, _close, self._process)
        """Ends the simulation; happens by itself when the machine is no longer held."""
        for address, data in self._program.contents:
            self.write(address, data)

    # --- the pipe

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        return self._process.stdin, self._process.stdout

    def _send(self, *command: int, data: bytes = b"") -> None:
        words = (*command, *[0] * (8 - len(command)))
        into, _ = self._pipes()
        try:
            into.write(_COMMAND.pack(*words) + data)
            into.flush()
        except BrokenPipeError:
            raise MachineError("the simulation ended") from None

    def _receive(self, size: int) -> bytes:
        data = self._pipes()[1].read(size)
        if len(data) < size:
            raise MachineError(f"the simulation ended with {self._process.wait()}")
        return data

    # --- memory

    def _check(self, address: int, size: int) -> None:
        if not MEMORY_AT <= address <= address + size <= MEMORY_AT + MEMORY_BYTES:
            raise MachineError(f"there are no {size} bytes of memory at {address:#x}")

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory; what caches hold of it stays as it was."""
        self._check(address, len(data))
        self._send(_WRITE, address, len(data), data=data)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        self._check(address, size)
        self._send(_READ, address, size)
        return self._receive(size)

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of `size` bytes of RAM that belong to nobody else, zeroed."""
        address = -(-self._next // align) * align
        room = self._ram[1] - self._ram[0]
        if address + size > self._ram[1] - room // 8:
            raise MachineError(
                f"{size} bytes do not fit beside the stack in the {room} bytes of RAM of "
                f"{self.platform.name}"
            )
        self._next = address + size
        self.write(address, bytes(size))
        return address

    def release(self) -> None:
        """Everything that was reserved is free again."""
        self._next = self._first

    def symbol(self, name: str) -> int:
        """Value of a symbol."""
        try:
            return self._program.symbols[name]
        except KeyError:
            raise ValueError(f"the program has no symbol '{name}'") from None

    # --- calls

    def call(
        self, function: str | int, *arguments: int, record: bool = False, limit: int = LIMIT
    ) -> TimedExecution:
        """Call a function with integer arguments; `limit` is in cycles, `record` is refused.

        With warm caches it is called twice, and the second call counts.  In between, the processor
        itself stores what the first call changed, which allocates no line of a write-through cache.
        """
        if record or len(arguments) > _ARGUMENTS:
            raise ValueError(f"a call here takes up to {_ARGUMENTS} arguments and has no records")
        entry = self.symbol(function) if isinstance(function, str) else function
        if self._caches != "warm":
            return self._call(entry, arguments, (), limit, reset=self._caches == "cold")
        before = self._memory()
        first = self._call(entry, arguments, (), limit, reset=True)
        stores = _changes(before, self._memory(), self._ram[1] - first.stack_bytes)
        return self._call(entry, arguments, stores, limit, reset=False)

    def records(self) -> bytes:
        """None are kept."""
        return b""

    def _memory(self) -> bytes:
        return self.read(MEMORY_AT, MEMORY_BYTES)

    def _call(
        self,
        entry: int,
        arguments: Sequence[int],
        stores: Sequence[int],
        limit: int,
        *,
        reset: bool,
    ) -> TimedExecution:
        pointers = (self._ram[1], self._program.symbols.get("__global_pointer$", 0))
        padded = (*arguments, *[0] * (_ARGUMENTS - len(arguments)))
        letters = (*stores, 0, *pointers, *padded, entry)
        if len(letters) > _LETTERS:
            raise MachineError(f"a warm call may change {_LETTERS // 2} words; it changed more")
        packed = struct.pack(f"<{len(letters)}I", *(word & 0xFFFF_FFFF for word in letters))
        low, high = limit & 0xFFFF_FFFF, limit >> 32
        self._send(_CALL, reset, self._wait, len(letters), low, high, data=packed)
        state, result, fault, last, lowest, cycles, done = _ANSWER.unpack(
            self._receive(_ANSWER.size)
        )
        if state != _RETURNED:
            raise MachineError(self._explain(state, fault, last, limit))
        return TimedExecution(
            result=result,
            instructions=done,
            loads=0,
            stores=0,
            stack_bytes=max(0, self._ram[1] - lowest),
            profile=_NOTHING,
            instruction_trace=0,
            address_trace=0,
            cycles=cycles,
        )

    def _explain(self, state: int, fault: int, last: int, limit: int) -> str:
        at = f"last at {self._program.where(last)}"
        if state == _FAULT:
            return f"the processor trapped or left its memory at {fault:#x}; {at}"
        return f"the call did not return within {limit} cycles; {at}"


def _check_map(platform: Platform, extents: Sequence[tuple[int, int, bool]]) -> None:
    """Regions and program lie in the one memory that there is."""
    given = [(memory.start, memory.size) for memory in platform.memories]
    for start, size in [*given, *((start, size) for start, size, _ in extents)]:
        if not MEMORY_AT <= start <= start + size <= MEMORY_AT + MEMORY_BYTES:
            raise ValueError(
                f"{platform.name} has {MEMORY_BYTES} bytes of memory at {MEMORY_AT:#x}, and "
                f"{size} bytes at {start:#x} are not among them"
            )


def _changes(before: bytes, after: bytes, stack: int) -> list[int]:
    """Addresses and old words, in turn, of what was changed below the stack."""
    words = struct.Struct(f"<{(stack - MEMORY_AT) // 4}I")
    pairs = zip(words.unpack_from(before), words.unpack_from(after), strict=True)
    return [
        value
        for at, (old, new) in enumerate(pairs)
        if old != new
        for value in (MEMORY_AT + 4 * at, old)
    ]


def _close(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(BrokenPipeError):
            if pipe is not None:
                pipe.close()
    process.wait()
