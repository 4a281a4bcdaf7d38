# SPDX-License-Identifier: MIT
"""One tracer with its translated code, and what its tables say as an Execution."""

import ctypes
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any

from ...profile import NONE, Block, Execution, Profile
from . import native

_NO_BLOCK = 0xFFFF
_DIVISION = 1 << 16
_MOST_PROFILES = 64
_PATH, _COUNT = struct.Struct("=QQ"), struct.Struct("=IIQII")


def _values(kind: int) -> tuple[int, int]:
    """What `Profile.operands` says of operands, from what tracer.h says of them."""
    return divmod(kind - _DIVISION, 256) if kind >= _DIVISION else divmod(kind, 8)


@dataclass(frozen=True)
class Mapped:
    """Memory of the processor, kept by whoever made it."""

    start: int
    size: int
    """Bytes; `host` holds whole pages of 4096 from `start` rounded down."""
    host: mmap
    region: str
    writable: bool
    executable: bool


@dataclass(frozen=True)
class Stop:
    """Why and where a call ended without returning."""

    reason: int
    """As native numbers them."""
    pc: int
    fault: int
    fault_size: int
    instructions: int


class Session:
    """A tracer that watches always the same things."""

    def __init__(self, isa: str, watch: int, memories: Sequence[Mapped]) -> None:
        """Open one over `memories`, which it shares with other sessions."""
        self._library = native.library()
        self._handle = ctypes.c_void_p()
        self._memories = tuple(memories)
        self._regions = sorted({memory.region for memory in memories})
        self._blocks: list[Block] = []
        self._profiles: dict[tuple[bytes, bytes, bytes], Profile] = {}
        self._result = native.TracedResult()
        self._check(
            self._library.aesfit_tracer_open(self._handle, native.ISAS.index(isa), watch),
            "cannot open the emulator",
        )
        for memory in memories:
            self._map(memory)

    def _check(self, error: int, what: str) -> None:
        if error:
            why = self._library.aesfit_tracer_engine_error(error).decode()
            raise RuntimeError(f"{what}: {why}")

    def _map(self, memory: Mapped) -> None:
        host = ctypes.addressof(ctypes.c_char.from_buffer(memory.host))
        given = native.TracedMemory(
            memory.start,
            memory.size,
            host,
            self._regions.index(memory.region),
            memory.writable,
            memory.executable,
        )
        self._check(
            self._library.aesfit_tracer_map(self._handle, given),
            f"cannot map {memory.size} bytes of {memory.region} at {memory.start:#x}",
        )

    def close(self) -> None:
        """Free it; the memories stay."""
        if self._handle:
            self._library.aesfit_tracer_close(self._handle)
            self._handle = ctypes.c_void_p()

    def __del__(self) -> None:
        """Free it when nobody holds it any more."""
        if hasattr(self, "_handle"):
            self.close()

    def forget(self) -> None:
        """The code in memory has changed: translate it anew."""
        self._library.aesfit_tracer_forget(self._handle)
        self._blocks.clear()
        self._profiles.clear()

    def run(self, call: native.TracedCall) -> Execution | Stop:
        """Run one call to its return."""
        result = self._result
        self._library.aesfit_tracer_run(self._handle, call, result)
        if result.stop != native.RETURNED:
            return Stop(
                result.stop, result.pc, result.fault, result.fault_size, result.instructions
            )
        return Execution(
            result=result.value,
            instructions=result.instructions,
            loads=result.loads,
            stores=result.stores,
            stack_bytes=call.stack_pointer - result.lowest_stack_pointer,
            profile=self._profile(),
            instruction_trace=result.instruction_trace,
            address_trace=result.address_trace,
        )

    def table(self, name: str) -> bytes:
        """The bytes of a table of the last call."""
        size = getattr(self._result, name) * ctypes.sizeof(native.TABLES[name])
        if not size:
            return b""
        at = getattr(self._library, f"aesfit_tracer_{name}")(self._handle)
        return ctypes.string_at(at, size)

    def _profile(self) -> Profile:
        """The profile; calls that went alike share one."""
        raw = (self.table("paths"), self.table("operands"), self.table("accesses"))
        found = self._profiles.get(raw)
        if found is None:
            if len(self._profiles) >= _MOST_PROFILES:
                self._profiles.clear()
            found = self._profiles[raw] = self._new_profile(*raw)
        return found

    def _all_blocks(self) -> list[Block]:
        if len(self._blocks) < self._result.blocks:
            entries = struct.iter_unpack("=IIII", self.table("blocks"))
            self._blocks = [
                Block(
                    address,
                    size,
                    frozenset((address,) if outcome & native.SKIPPED_FIRST else ()),
                    bool(outcome & native.PREDICTED_LAST),
                )
                for address, size, outcome, _ in entries
            ]
        return self._blocks

    def _new_profile(self, paths: bytes, operands: bytes, accesses: bytes) -> Profile:
        every, index = self._all_blocks(), {_NO_BLOCK: NONE}
        numbered: dict[tuple[int, int, int, int], int] = {}
        for key, times in _PATH.iter_unpack(paths):
            four = (key >> 48, key >> 32 & 0xFFFF, key >> 16 & 0xFFFF, key & 0xFFFF)
            for block in four:
                index.setdefault(block, len(index) - 1)
            numbered[index[four[0]], index[four[1]], index[four[2]], index[four[3]]] = times
        used = sorted((new, old) for old, new in index.items() if new != NONE)
        return Profile(
            blocks=tuple(every[old] for _, old in used),
            paths=numbered,
            operands={
                (address, *_values(kind)): times
                for address, kind, times, _, _ in _COUNT.iter_unpack(operands)
                if times
            },
            **self._accesses(accesses),
        )

    def _accesses(self, raw: bytes) -> dict[str, dict[Any, int]]:
        """The accesses of a profile, and those of them that were not aligned."""
        every: Counter[tuple[int, str, str]] = Counter()
        unaligned: Counter[tuple[int, int]] = Counter()
        for address, kind, times, _, _ in _COUNT.iter_unpack(raw):
            if times:
                region, splits = divmod(kind >> 1, 3)
                every[address, "store" if kind & 1 else "load", self._regions[region]] += times
                if splits:
                    unaligned[address, splits] += times
        return {"accesses": dict(every), "unaligned": dict(unaligned)}
