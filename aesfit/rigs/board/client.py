# SPDX-License-Identifier: MIT
"""A client of the GDB remote serial protocol: memory, registers, breakpoints, flash.

One target, one thread, all stop.  Source: the GDB manual, appendix E.
"""

from collections.abc import Callable
from functools import cached_property

from .features import BoardRegister, MappedMemory, described_registers, memory_map
from .packets import PacketStream
from .transport import BoardLostError, Transport

_ASKED = b"qSupported:swbreak+;hwbreak+;vContSupported+;xmlRegisters=arm,riscv"
_LEAST_PACKET = 256
"""Bytes of a packet where the stub says nothing: every stub takes as many."""
_OVERHEAD = 32
"""Bytes of a packet beside the data it carries."""


class BoardError(RuntimeError):
    """The stub refused something, or the target did; the message says what."""


class StubClient:
    """A conversation with a stub whose target is halted."""

    def __init__(self, transport: Transport) -> None:
        """Greet the stub; BoardLostError when it does not answer as one."""
        self._stream = PacketStream(transport)
        told = self.ask(_ASKED).decode("ascii", "replace")
        pairs = (item.partition("=") for item in told.split(";") if item)
        self._told = {name: value for name, _, value in pairs}
        if "QStartNoAckMode+" in self._told and self.ask(b"QStartNoAckMode") == b"OK":
            self._stream.acknowledged = False
        self._continue = b"vCont;c" if b";c" in self.ask(b"vCont?") else b"c"
        self._binary: bool | None = None
        self._whole_registers = False
        if self._stop_of(self.ask(b"?")) is None:
            raise BoardLostError("the debugger says that its target has ended; reset the board")

    def ask(self, question: bytes) -> bytes:
        """The answer to a packet; empty where the stub does not know it."""
        self._stream.send(question)
        return self._stream.receive()

    def close(self) -> None:
        """Give the connection back; the target stays as it is."""
        self._stream.close()

    # --- what the stub says of itself

    @cached_property
    def is_qemu(self) -> bool:
        """The target is emulated by QEMU, which alone knows this question."""
        return self.ask(b"qqemu.sstepbits").startswith(b"ENABLE=")

    @cached_property
    def described(self) -> dict[str, BoardRegister]:
        """Registers by name; none where the stub does not describe them."""
        if "qXfer:features:read+" not in self._told:
            return {}
        return described_registers(lambda name: self._transferred("features", name))

    @cached_property
    def memories(self) -> tuple[MappedMemory, ...]:
        """The memory map; none where the stub has no such thing."""
        if "qXfer:memory-map:read+" not in self._told:
            return ()
        return memory_map(self._transferred("memory-map", ""))

    def _transferred(self, kind: str, name: str) -> str:
        found = b""
        while True:
            size = self._packet - _OVERHEAD
            answer = self.ask(f"qXfer:{kind}:read:{name}:{len(found):x},{size:x}".encode())
            if answer[:1] not in (b"l", b"m"):
                raise BoardError(f"the debugger does not give its {kind} ({_told(answer)})")
            found += answer[1:]
            if answer[:1] == b"l" or len(answer) == 1:
                return found.decode("utf-8", "replace")

    @property
    def _packet(self) -> int:
        return int(self._told.get("PacketSize", f"{_LEAST_PACKET:x}"), 16)

    # --- memory

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory; BoardError where the target has none or keeps them to itself."""
        found, most = b"", (self._packet - _OVERHEAD) // 2
        while len(found) < size:
            at, some = address + len(found), min(most, size - len(found))
            data = _bytes(self.ask(f"m{at:x},{some:x}".encode()))
            if not data:
                raise BoardError(f"the debugger cannot read {some} bytes at {at:#x}")
            found += data
        return found

    def word(self, address: int) -> int:
        """A word of memory."""
        return int.from_bytes(self.read(address, 4), "little")

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into RAM or a register of a peripheral."""
        most = (self._packet - _OVERHEAD) // 2
        for start in range(0, len(data), most):
            self._write_some(address + start, data[start : start + most])

    def write_word(self, address: int, value: int) -> None:
        """Put a word into memory."""
        self.write(address, value.to_bytes(4, "little"))

    def _write_some(self, address: int, data: bytes) -> None:
        if self._binary is None:
            self._binary = self.ask(f"X{address:x},0:".encode()) == b"OK"
        head = f"{'X' if self._binary else 'M'}{address:x},{len(data):x}:".encode()
        answer = self.ask(head + (data if self._binary else data.hex().encode()))
        if answer != b"OK":
            raise BoardError(
                f"the debugger cannot write {len(data)} bytes at {address:#x} ({_told(answer)})"
            )

    # --- registers

    def register(self, place: BoardRegister) -> int:
        """The value of a register."""
        if not self._whole_registers:
            answer = self.ask(f"p{place.number:x}".encode())
            if data := _bytes(answer):
                return int.from_bytes(data, "little")
            if answer:
                raise BoardError(f"the debugger cannot read register {place.number}")
            self._whole_registers = True
        held = self._all()[place.offset : place.offset + place.size]
        return int.from_bytes(held, "little")

    def set_register(self, place: BoardRegister, value: int) -> None:
        """Give a register a value."""
        data = value.to_bytes(place.size, "little")
        if not self._whole_registers:
            answer = self.ask(f"P{place.number:x}={data.hex()}".encode())
            if answer == b"OK":
                return
            if answer:
                raise BoardError(f"the debugger cannot set register {place.number}")
            self._whole_registers = True
        held = bytearray(self._all())
        held[place.offset : place.offset + place.size] = data
        if self.ask(b"G" + held.hex().encode()) != b"OK":
            raise BoardError("the debugger cannot set the registers")

    def _all(self) -> bytes:
        """All registers, one after another; what a stub marks as unknown reads as 0."""
        answer = self.ask(b"g").replace(b"x", b"0")
        if not (data := _bytes(answer)):
            raise BoardError("the debugger cannot read the registers")
        return data

    # --- running

    def set_breakpoint(self, address: int, kind: int) -> Callable[[], None]:
        """Stop the target there, in hardware where there is that; gives what takes it away."""
        for form in (b"1", b"0"):
            where = b"%s,%x,%x" % (form, address, kind)
            if self.ask(b"Z" + where) == b"OK":
                return lambda: self._clear(where)
        raise BoardError(
            f"the debugger sets no breakpoint at {address:#x}; free one of the hardware breakpoints"
        )

    def _clear(self, where: bytes) -> None:
        self.ask(b"z" + where)

    def resume(self) -> None:
        """Let the target run."""
        self._stream.send(self._continue)

    def wait(self) -> int:
        """The signal with which the target stopped; BoardError when it is no more."""
        while True:
            answer = self._stream.receive()
            if answer[:1] == b"O" and answer != b"OK":  # text for a console
                continue
            signal = self._stop_of(answer)
            if signal is None:
                raise BoardError("the target ended instead of stopping; reset the board")
            return signal

    def _stop_of(self, answer: bytes) -> int | None:
        if answer[:1] in (b"W", b"X"):
            return None
        if answer[:1] not in (b"S", b"T"):
            raise BoardLostError(
                f"what listens there does not answer as a debugger does ({_told(answer)})"
            )
        return int(answer[1:3], 16)

    def interrupt(self) -> int:
        """Stop a running target."""
        self._stream.interrupt()
        return self.wait()

    # --- flash

    def write_flash(self, address: int, data: bytes) -> None:
        """Erase what the bytes touch and write them; ValueError outside of known flash."""
        region = self._flash_at(address, len(data))
        first = address - (address - region.start) % region.block
        last = -(-(address + len(data) - region.start) // region.block) * region.block
        whole = self.read(first, region.start + last - first)
        at = address - first
        if whole[at : at + len(data)] == data:
            return
        whole = whole[:at] + data + whole[at + len(data) :]
        self._flash(f"vFlashErase:{first:x},{len(whole):x}".encode())
        most = (self._packet - _OVERHEAD) // 2
        for start in range(0, len(whole), most):
            head = f"vFlashWrite:{first + start:x}:".encode()
            self._flash(head + whole[start : start + most])
        self._flash(b"vFlashDone")
        if self.read(address, len(data)) != data:
            raise BoardError(f"the flash at {address:#x} does not hold what was written to it")

    def _flash_at(self, address: int, size: int) -> MappedMemory:
        for one in self.memories:
            if one.kind == "flash" and one.block and one.holds(address, size):
                return one
        raise BoardError(
            f"the debugger names no flash of {size} bytes at {address:#x} in its memory map, so "
            "nothing can be written there; leave --write-flash out"
        )

    def _flash(self, command: bytes) -> None:
        answer = self.ask(command)
        if answer != b"OK":
            what = command.partition(b":")[0].decode()
            raise BoardError(
                f"the debugger refused {what} ({_told(answer)}); is the flash locked or protected?"
            )


def _bytes(answer: bytes) -> bytes:
    """Of hexadecimal digits; none for an error or for anything else."""
    try:
        return bytes.fromhex(answer.decode("ascii"))
    except ValueError:
        return b""


def _told(answer: bytes) -> str:
    """An answer in a sentence."""
    return repr(answer.decode("ascii", "replace")[:40]) if answer else "it does not know the packet"
