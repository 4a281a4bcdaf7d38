# SPDX-License-Identifier: MIT
"""A bare processor with a program in its memory, of which functions can be called.

There is no start-up code and no operating system: segments are put where they run, arguments go
where the calling convention wants them (AAPCS, RISC-V ilp32 and ilp32e), and the return address is
a page of its own.  Memory keeps its contents from call to call.
"""

from io import BytesIO
from mmap import mmap
from pathlib import Path
from typing import Final

from elftools.elf.elffile import ELFFile

from ...platforms.memory import Memory
from ...platforms.platform import Platform
from ..profile import Execution
from ..program import Program, read_program
from .failures import explain
from .tracer import native, why_not
from .tracer.session import Mapped, Session, Stop

__all__ = ["Machine", "MachineError", "why_not"]

LIMIT: Final = 2_000_000_000
"""Instructions after which a call is given up, unless told otherwise."""

_PAGE = 4096
_SCRATCH_BYTES = 64 << 20
_SCRATCH_AT = (0x6000_0000, 0x7000_0000, 0x9000_0000, 0x4000_0000, 0x1000_0000)
# Below 2000_0000h code may run on every Cortex-M (ARM DDI 0403E, B3.1).
_RETURN_AT = (0x1FFF_F000, 0x0FFF_F000, 0x07FF_F000, 0x1EFF_F000)
_PAINT = 0xA5


class MachineError(RuntimeError):
    """A call that did not return; the message says where it ended and why."""


class Machine:
    """A platform's processor and memories with one program loaded."""

    def __init__(self, elf: Path | bytes, platform: Platform) -> None:
        """Load `elf`; ValueError when it is not for this platform or does not fit its memories."""
        if platform.isa not in native.ISAS:
            raise ValueError(f"{platform.name} is not emulated: its code runs on the host")
        self.platform = platform
        self._arm = platform.isa.startswith("armv")
        self._program = _read(elf, platform)
        self._memories = self._map()
        self._sessions: dict[int, Session] = {}
        self._last: Session | None = None
        for address, data in self._program.contents:
            self._store(address, data)
        self._place_stack()

    # --- memory

    def _map(self) -> list[Mapped]:
        memories = [_mapped(memory, self._program) for memory in self.platform.memories]
        memories += _outside(self._program.extents, memories, self.platform)
        self._scratch = _free(_SCRATCH_AT, _SCRATCH_BYTES, memories)
        self._next = self._scratch
        host = mmap(-1, _SCRATCH_BYTES)
        memories.append(Mapped(self._scratch, _SCRATCH_BYTES, host, "ram", True, False))
        self._return = _free(_RETURN_AT, _PAGE, memories)
        memories.append(Mapped(self._return, _PAGE, mmap(-1, _PAGE), "return", False, True))
        return memories

    def _place_stack(self) -> None:
        stack = next(one for one in self.platform.memories if "stack" in one.holds)
        top = stack.start + stack.size
        self._stack_top = top - top % 16
        inside = [a + n for a, n, _ in self._program.extents if stack.start <= a < top]
        self._stack_limit = max([stack.start, *inside])
        self._paint(self._stack_limit)

    def _paint(self, start: int) -> None:
        start = max(start, self._stack_limit)
        self._store(start, bytes([_PAINT]) * (self._stack_top - start))

    def _at(self, address: int, size: int) -> tuple[Mapped, int]:
        for memory in self._memories:
            if memory.start <= address and address + size <= _end(memory):
                return memory, address - memory.start + memory.start % _PAGE
        raise MachineError(f"there are no {size} bytes of memory at {address:#x}")

    def _store(self, address: int, data: bytes) -> None:
        memory, at = self._at(address, len(data))
        memory.host[at : at + len(data)] = data

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory, wherever it is; over code, the code is translated anew."""
        self._store(address, data)
        end = address + len(data)
        if any(start < end and address < start + size for start, size in self._program.code):
            for session in self._sessions.values():
                session.forget()

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        memory, at = self._at(address, size)
        return memory.host[at : at + size]

    code = read

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of `size` bytes of RAM that belong to nobody else, zeroed."""
        address = -(-self._next // align) * align
        if address + size > self._scratch + _SCRATCH_BYTES:
            raise MachineError(
                f"{size} bytes do not fit: the buffers of a machine are {_SCRATCH_BYTES} in all"
            )
        self._next = address + size
        self._store(address, bytes(size))
        return address

    def release(self) -> None:
        """Everything that was reserved is free again."""
        self._next = self._scratch

    # --- symbols

    def symbol(self, name: str) -> int:
        """Value of a symbol; of a Thumb function with bit 0 set, as in a function pointer."""
        try:
            return self._program.symbols[name]
        except KeyError:
            raise ValueError(f"the program has no symbol '{name}'") from None

    @property
    def stack_size(self) -> int:
        """Bytes that the stack can take."""
        return self._stack_top - self._stack_limit

    @property
    def is_thumb(self) -> bool:
        """All of the program's code is Thumb code."""
        return self._arm and (self.platform.isa != "armv4t" or self._program.only_thumb)

    def thumb_at(self, address: int) -> bool:
        """The code at that address is Thumb code (by the mapping symbols on ARMv4T)."""
        return self.is_thumb or (self.platform.isa == "armv4t" and self._program.thumb_at(address))

    def where(self, address: int) -> str:
        """The address with the function that it lies in."""
        return self._program.where(address)

    # --- calls

    def call(
        self,
        function: str | int,
        *arguments: int,
        memory: bool = True,
        record: bool = False,
        limit: int = LIMIT,
    ) -> Execution:
        """Call a function with integer arguments and say what was executed.

        Without `memory` data accesses are neither counted nor checked for alignment, and it is
        faster.  `record` keeps every access in order for `records`.  The stack bytes are those
        that the stack pointer was moved by.
        """
        entry = self.symbol(function) if isinstance(function, str) else function
        watch = (
            (native.WATCH_MEMORY if memory or record else 0)
            | (native.WATCH_RECORD if record else 0)
            | (native.WATCH_PREDICTOR if self.platform.predictor else 0)
        )
        session = self._sessions.get(watch)
        if session is None:
            session = Session(self.platform.isa, watch, self._memories)
            self._sessions[watch] = session
        done = session.run(self._prepared(entry, arguments, limit))
        self._last = session
        if isinstance(done, Stop):
            self._sessions.pop(watch).close()  # its registers may be in any state
            self._last = None
            self._paint(self._stack_limit)
            raise MachineError(explain(self, done))
        self._paint(self._stack_top - done.stack_bytes - 64)
        return done

    def records(self) -> bytes:
        """Every access of the last call, made with `record`, in order.

        Each takes 8 bytes, little endian: address (4), size (2), kind (2: 0 an instruction that
        was executed, 1 load, 2 store, 3 an instruction whose condition failed).
        """
        return self._last.table("records") if self._last else b""

    def order(self) -> bytes:
        """Of the last call, made with `record`: the path of each block that ran, in order.

        Each takes 4 bytes, little endian, an index into the paths of its profile.
        """
        return self._last.table("order") if self._last else b""

    @property
    def flash(self) -> tuple[tuple[int, int], ...]:
        """Start and bytes of each memory that counts as flash."""
        return tuple((one.start, one.size) for one in self._memories if one.region == "flash")

    def _prepared(self, entry: int, arguments: tuple[int, ...], limit: int) -> native.TracedCall:
        arm = self._arm
        held = 4 if arm else 6 if self.platform.isa == "rv32ec" else 8
        words = [argument & 0xFFFF_FFFF for argument in arguments]
        call = native.TracedCall()
        call.entry = entry | 1 if arm and self.platform.isa != "armv4t" else entry
        call.registers[: min(len(words), held)] = words[:held]
        rest = b"".join(word.to_bytes(4, "little") for word in words[held:])
        call.stack_pointer = self._stack_top - (len(rest) + 15) // 16 * 16
        if rest:
            self._store(call.stack_pointer, rest)
        call.stack_limit = self._stack_limit
        call.return_address = self._return
        call.global_pointer = self._program.symbols.get("__global_pointer$", 0)
        call.limit = limit
        return call


def _read(elf: Path | bytes, platform: Platform) -> Program:
    data = elf if isinstance(elf, bytes) else elf.read_bytes()
    return read_program(ELFFile(BytesIO(data)), platform)


def _end(memory: Mapped) -> int:
    return memory.start + memory.size


def _host(start: int, size: int) -> mmap:
    """Whole pages that hold the range."""
    return mmap(-1, -(-(start % _PAGE + size) // _PAGE) * _PAGE)


def _mapped(memory: Memory, program: Program) -> Mapped:
    writable = memory.name == "ram" or bool({"data", "stack"} & set(memory.holds))
    executable = "code" in memory.holds or any(
        memory.start <= start < memory.start + memory.size for start, _ in program.code
    )
    host = _host(memory.start, memory.size)
    return Mapped(memory.start, memory.size, host, memory.name, writable, executable)


def _outside(
    extents: tuple[tuple[int, int, bool], ...], taken: list[Mapped], platform: Platform
) -> list[Mapped]:
    """Memories for what lies in none of the platform's; neighbours within a page share one."""
    merged: list[tuple[int, int, bool]] = []
    for start, size, writable in sorted(extents):
        if any(one.start <= start and start + size <= _end(one) for one in taken):
            continue
        if _overlaps(start, size, taken):
            raise ValueError(
                f"the program's {size} bytes at {start:#x} do not fit the memories of "
                f"{platform.name}"
            )
        if merged and start // _PAGE <= (merged[-1][1] - 1) // _PAGE:
            first, end, was = merged.pop()
            merged.append((first, max(end, start + size), was or writable))
        else:
            merged.append((start, start + size, writable))
    return [
        Mapped(start, end - start, _host(start, end - start), "ram" if w else "flash", w, True)
        for start, end, w in merged
    ]


def _overlaps(start: int, size: int, taken: list[Mapped]) -> bool:
    first, last = start // _PAGE, (start + size - 1) // _PAGE
    return any(first <= (_end(one) - 1) // _PAGE and one.start // _PAGE <= last for one in taken)


def _free(candidates: tuple[int, ...], size: int, taken: list[Mapped]) -> int:
    return next(start for start in candidates if not _overlaps(start, size, taken))
