# SPDX-License-Identifier: MIT
"""A Hexagon with a program in its memory, of which functions can be called.

qemu-hexagon runs the image; its driver (building/firmware/hexagon_driver.c) reads and writes memory
and calls functions as it is told over a pipe, and the plugin (plugin.c) tells over a shared file
what a call did.  The methods are those of Machine, the processors of the emulator.
"""

import contextlib
import mmap
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from io import BufferedRandom
from pathlib import Path
from typing import IO
from weakref import finalize

from elftools.elf.elffile import ELFFile

from ...platforms.platform import Platform
from ..emulator.machine import LIMIT, MachineError
from ..profile import Execution, Profile
from ..program import read_program
from .shared_object import build

_NOTHING = Profile((), {}, {}, {})
_READ, _WRITE, _CALL, _MAP = range(4)
_COMMAND = struct.Struct("<9I")
_WORD = struct.Struct("<I")
_ASKED = struct.Struct("<6IQ")
"""First part of the plugin's control: enter, leave, stack low, stack high, record, -, limit."""
_TOLD = struct.Struct("<7QII")
"""The rest: packets, instructions, loads, stores, records, two digests, lowest, state."""
_RETURNED, _OVER_LIMIT, _NO_RECORDS = 2, 3, 4
_BUFFERS_AT, _BUFFERS_BYTES = 0x6000_0000, 64 << 20
_PAGE = 0x1_0000
"""No page of qemu-user is larger."""
_STACK_ALIGNMENT = 8
"""Bytes: frames are multiples of it (Hexagon ABI)."""
_ARGUMENTS = 6
"""Of a call that travel in registers (Hexagon ABI, r0 to r5); more are not needed."""


@dataclass(frozen=True)
class PacketExecution(Execution):
    """A call: its profile is empty, its digests are of packets.

    `stack_bytes` reach down to the lowest byte that was read or written, in whole double words:
    plugins cannot see the stack pointer.

    `instructions` are those inside the packets, nops included, constant extenders not.
    """

    packets: int
    """Executed: the ideal cycles of a VLIW."""


class HexagonMachine:
    """A running qemu-hexagon."""

    def __init__(self, elf: Path, platform: Platform) -> None:
        """Start `elf`; ValueError when it is not for this platform."""
        self.platform = platform
        with elf.open("rb") as stream:
            self._program = read_program(ELFFile(stream), platform)
        folder = tempfile.TemporaryDirectory(prefix="aesfit-")
        self._records = Path(folder.name) / "records"
        control = Path(folder.name) / "control"
        control.write_bytes(bytes(_ASKED.size + _TOLD.size))
        with control.open("r+b") as stream:
            self._control = mmap.mmap(stream.fileno(), 0)
        self._stderr = (Path(folder.name) / "stderr").open("w+b")
        ram = next(one for one in platform.memories if "stack" in one.holds)
        inside = [a + n for a, n, _ in self._program.extents if a >= ram.start]
        self._stack = (-(-max([ram.start, *inside]) // _PAGE) * _PAGE, ram.start + ram.size)
        self._ask(record=False, limit=LIMIT)  # the plugin looks for its marks when it starts
        self._process = subprocess.Popen(  # noqa: S603
            ["qemu-hexagon", "-plugin", self._plugin(control), str(elf)],  # noqa: S607
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        self._next = _BUFFERS_AT
        self.close = finalize(self, _close, self._process, self._control, self._stderr, folder)
        """Ends the process; happens by itself when the machine is no longer held."""
        for start, end in (self._stack, (_BUFFERS_AT, _BUFFERS_AT + _BUFFERS_BYTES)):
            self._map(start, end - start)

    def _plugin(self, control: Path) -> str:
        """The option's value; a comma within a path is doubled (QEMU's manual)."""
        paths = [str(path).replace(",", ",,") for path in (build(), control, self._records)]
        return f"{paths[0]},control={paths[1]},records={paths[2]}"

    # --- the pipe

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        return self._process.stdin, self._process.stdout

    def _send(self, what: int, a: int, b: int, *arguments: int, data: bytes = b"") -> None:
        words = (*arguments, *[0] * (_ARGUMENTS - len(arguments)))
        into, _ = self._pipes()
        try:
            into.write(_COMMAND.pack(what, a, b, *(word & 0xFFFF_FFFF for word in words)) + data)
            into.flush()
        except BrokenPipeError:
            self._ended()

    def _receive(self, size: int) -> bytes:
        data = self._pipes()[1].read(size)
        if len(data) < size:
            self._ended()
        return data

    def _ended(self) -> None:
        code = self._process.wait()
        state = self._told()[-1]
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip().splitlines()
        raise MachineError(
            {
                _OVER_LIMIT: f"a call did not return within {self._limit} packets",
                _NO_RECORDS: "the trace of a call cannot be written: is the disk full?",
            }.get(state, f"qemu-hexagon ended with {code}: {said[-1] if said else 'no word'}")
        )

    def _map(self, start: int, size: int) -> None:
        self._send(_MAP, start, size)
        if _WORD.unpack(self._receive(4))[0] != start:
            raise MachineError(f"there are no {size} bytes of memory to be had at {start:#x}")

    # --- memory

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory that is writable."""
        self._send(_WRITE, address, len(data), data=data)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        self._send(_READ, address, size)
        return self._receive(size)

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of `size` bytes of RAM that belong to nobody else, zeroed."""
        address = -(-self._next // align) * align
        if address + size > _BUFFERS_AT + _BUFFERS_BYTES:
            raise MachineError(
                f"{size} bytes do not fit: the buffers of a machine are {_BUFFERS_BYTES} in all"
            )
        self._next = address + size
        self.write(address, bytes(size))
        return address

    def release(self) -> None:
        """Everything that was reserved is free again."""
        self._next = _BUFFERS_AT

    def symbol(self, name: str) -> int:
        """Value of a symbol."""
        try:
            return self._program.symbols[name]
        except KeyError:
            raise ValueError(f"the program has no symbol '{name}'") from None

    # --- calls

    def _ask(self, *, record: bool, limit: int) -> None:
        marks = (self.symbol("rig_call_enter"), self.symbol("rig_call_leave"))
        self._limit = limit
        self._control[: _ASKED.size] = _ASKED.pack(*marks, *self._stack, record, 0, limit)

    def _told(self) -> tuple[int, ...]:
        told: tuple[int, ...] = _TOLD.unpack(self._control[_ASKED.size :])
        return told

    def call(
        self, function: str | int, *arguments: int, record: bool = False, limit: int = LIMIT
    ) -> PacketExecution:
        """Call a function with integer arguments and say what was executed.

        `record` keeps every access in order for `records`; `limit` is in packets.
        """
        if len(arguments) > _ARGUMENTS:
            raise ValueError(f"a call takes up to {_ARGUMENTS} arguments, not {len(arguments)}")
        entry = self.symbol(function) if isinstance(function, str) else function
        self._ask(record=record, limit=limit)
        self._send(_CALL, entry, self._stack[1], *arguments)
        result = _WORD.unpack(self._receive(4))[0]
        packets, instructions, loads, stores, _, trace, addresses, lowest, state = self._told()
        if state != _RETURNED:
            raise MachineError("the plugin saw no call: this QEMU does not tell plugins of packets")
        return PacketExecution(
            result=result,
            instructions=instructions,
            loads=loads,
            stores=stores,
            stack_bytes=-(-(self._stack[1] - lowest) // _STACK_ALIGNMENT) * _STACK_ALIGNMENT,
            profile=_NOTHING,
            instruction_trace=trace,
            address_trace=addresses,
            packets=packets,
        )

    def records(self) -> bytes:
        """Every packet and access of the last call, made with `record`, in order.

        Each takes 8 bytes, little endian: address (4), size (2), kind (2: 0 packet, 1 load,
        2 store).
        """
        return self._records.read_bytes()


def _close(
    process: "subprocess.Popen[bytes]",
    control: mmap.mmap,
    stderr: BufferedRandom,
    folder: "tempfile.TemporaryDirectory[str]",
) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(BrokenPipeError):
            if pipe is not None:
                pipe.close()
    process.wait()
    control.close()
    stderr.close()
    folder.cleanup()
