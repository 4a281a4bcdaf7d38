# SPDX-License-Identifier: MIT
"""A client of the GDB remote serial protocol: memory, registers, breakpoints, flash.

One target, one thread, all stop.  Source: the GDB manual, appendix E.
"""

import time
from collections.abc import Callable
from functools import cached_property

from ...platforms.boards import SECONDS
from .answers import data_of, is_stop, is_text, packet_bytes, printable, show, stop_signal, told
from .deadline import Clock, Deadline
from .dialects import dialect_of
from .features import BoardRegister, MappedMemory, described_registers, memory_map
from .packets import PacketStream
from .transport import BoardLostError, Transport

_ASKED = b"qSupported:swbreak+;hwbreak+;vContSupported+;xmlRegisters=arm,riscv"
_OVERHEAD = 32
"""Bytes of a packet beside the data it carries."""
_MOST_DOCUMENT = 1 << 18
"""Bytes of a description or a memory map; those of servers have some 10 KiB."""
_MOST_THREADS = 1024
_EARLY = 8
"""Bytes of a write from which OpenOCD says OK before it has written (gdb_server.c, abbbc2e0)."""
_REFUSALS = (b"Error:", b"Transfer failed:", b"Unexpected error:")
"""How pyOCD begins the text that it answers a failed command with (gdbserver.py, d1974ffd)."""


class BoardError(RuntimeError):
    """The stub refused something, or the target did; the message says what."""


class StubClient:
    """A conversation with a stub whose target is halted."""

    def __init__(
        self, transport: Transport, seconds: float = SECONDS, now: Clock = time.monotonic
    ) -> None:
        """Greet the stub; BoardLostError when it does not answer as one."""
        self._stream = PacketStream(transport, Deadline(seconds, now))
        said = self.ask(_ASKED).decode("ascii", "replace")
        pairs = (item.partition("=") for item in said.split(";") if item)
        self._features = {name: value for name, _, value in pairs}
        self.most_data = (packet_bytes(self._features) - _OVERHEAD) // 2
        """Bytes of memory in a packet."""
        if "QStartNoAckMode+" in self._features and self.ask(b"QStartNoAckMode") == b"OK":
            self._stream.acknowledged = False
        self.dialect = dialect_of(self._features)
        self._continue = b"vCont;c" if b";c" in self.ask(b"vCont?") else b"c"
        self._binary: bool | None = None
        self._whole_registers = self._comma = False
        if self._why_stopped() is None:
            raise BoardLostError("the debugger says that its target has ended; reset the board")

    def ask(self, question: bytes) -> bytes:
        """The answer to a packet; empty where the stub does not know it.

        Text for a console is shown, and a stop that is told twice is passed over.
        """
        with self._stream.operation():
            self._stream.send(question)
            while is_stop(answer := self._next()):
                self._stream.count_passed(len(answer))
            return answer

    def _next(self) -> bytes:
        """The next packet that is no text for a console."""
        while is_text(answer := self._stream.receive()):
            self._stream.count_passed(len(answer))
            show(answer)
        return answer

    def _why_stopped(self) -> int | None:
        with self._stream.operation():
            self._stream.send(b"?")
            return stop_signal(self._next())

    def resynchronise(self) -> None:
        """After an interrupt by the user: pass over the answer that is still on its way."""
        if self._stream.interrupted:
            self._stream.interrupted = False
            self._settle(0)

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
        if "qXfer:features:read+" not in self._features:
            return {}
        with self._stream.operation():
            return described_registers(lambda name: self._transferred("features", name))

    @cached_property
    def memories(self) -> tuple[MappedMemory, ...]:
        """The memory map; none where the stub has no such thing."""
        if "qXfer:memory-map:read+" not in self._features:
            return ()
        return memory_map(self._transferred("memory-map", ""))

    @cached_property
    def threads(self) -> tuple[str, ...]:
        """Names of the target's threads, which some servers make of its cores."""
        found: list[str] = []
        with self._stream.operation():
            answer = self.ask(b"qfThreadInfo")
            while answer[:1] == b"m" and len(found) < _MOST_THREADS:
                found += answer[1:].decode("ascii", "replace").split(",")
                answer = self.ask(b"qsThreadInfo")
        return tuple(found)

    def monitor(self, command: str) -> None:
        """Give a command to the server's own monitor; BoardLostError if it is refused.

        Its text is shown, which comes before the answer or as it; minichlink answers with a sign.
        """
        answer = self.ask(b"qRcmd," + command.encode().hex().encode())
        text = data_of(answer)
        if answer in (b"OK", b"+"):
            return
        if not text:
            raise BoardLostError(f"the debugger refuses the command '{command}' ({told(answer)})")
        show(b"O" + answer)
        if text.startswith(_REFUSALS):
            raise BoardLostError(
                f"the debugger refuses the command '{command}' ({printable(text)})"
            )

    def _transferred(self, kind: str, name: str) -> str:
        """A document in as many parts as the stub makes of it, all by one deadline."""
        found = b""
        with self._stream.operation():
            while len(found) <= _MOST_DOCUMENT:
                size = 2 * self.most_data
                answer = self.ask(f"qXfer:{kind}:read:{name}:{len(found):x},{size:x}".encode())
                if answer[:1] not in (b"l", b"m"):
                    raise BoardError(f"the debugger does not give its {kind} ({told(answer)})")
                found += answer[1:]
                if answer[:1] == b"l" or len(answer) == 1:
                    return found.decode("utf-8", "replace")
        raise BoardLostError(
            f"the {kind} of the debugger has more than {_MOST_DOCUMENT} bytes and does not end"
        )

    # --- memory

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory; BoardError where the target has none or keeps them to itself."""
        found = b""
        with self._stream.operation(-(-size // self.most_data)):
            while len(found) < size:
                found += self._read_some(address + len(found), size - len(found))
        return found

    def _read_some(self, address: int, size: int) -> bytes:
        """As many of the bytes as come at once, one at least."""
        size = min(self.most_data, size)
        answer = self.ask(f"m{address:x},{size:x}".encode())
        data = data_of(answer)
        if not data:
            raise BoardError(
                f"the debugger cannot read {size} bytes at {address:#x} ({told(answer)})"
            )
        if len(data) > size:
            raise BoardLostError(
                f"the debugger answered a question for {size} bytes at {address:#x} with "
                f"{len(data)}"
            )
        return data

    def word(self, address: int) -> int:
        """A word of memory."""
        return int.from_bytes(self.read(address, 4), "little")

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into RAM or a register of a peripheral."""
        with self._stream.operation(-(-len(data) // self.most_data)):
            answer = b"OK"
            for start in range(0, len(data), self.most_data):
                if answer == b"OK":
                    answer = self._write_some(address + start, data[start : start + self.most_data])
            if answer == b"OK" and self._binary and len(data) >= _EARLY:
                answer = self._write_some(address, b"")
            if answer != b"OK":
                self._settle(address)
                raise BoardError(
                    f"the debugger cannot write {len(data)} bytes at {address:#x} ({told(answer)})"
                )

    def _settle(self, address: int) -> None:
        """After an error: pass over answers that come twice, and over the error's repetition.

        OpenOCD answers the packet after a failed write with the error; a short one also with OK.
        """
        for question in (b"?", f"X{address:x},0:".encode(), b"?"):
            with self._stream.operation():
                self._stream.send(question)
                answer = self._next()
                while question == b"?" and not (is_stop(answer) or answer[:1] in (b"W", b"X")):
                    self._stream.count_passed(len(answer))
                    answer = self._next()

    def write_word(self, address: int, value: int) -> None:
        """Put a word into memory."""
        self.write(address, value.to_bytes(4, "little"))

    def _write_some(self, address: int, data: bytes) -> bytes:
        """The answer to a write, which some servers give before they write."""
        if self._binary is None:
            self._binary = self.ask(f"X{address:x},0:".encode()) == b"OK"
        head = f"{'X' if self._binary else 'M'}{address:x},{len(data):x}:".encode()
        return self.ask(head + (data if self._binary else data.hex().encode()))

    # --- registers

    def register(self, place: BoardRegister) -> int:
        """The value of a register."""
        if not self._whole_registers:
            answer = self.ask(f"p{place.number:02x}".encode())
            data = data_of(answer)
            if 0 < len(data) <= place.size:
                return int.from_bytes(data, "little")
            if answer:
                raise BoardError(
                    f"the debugger cannot read register {place.number} ({told(answer)})"
                )
            self._whole_registers = True
        held = self._all(place)[place.offset : place.offset + place.size]
        return int.from_bytes(held, "little")

    def set_register(self, place: BoardRegister, value: int) -> None:
        """Give a register a value."""
        if value.bit_length() > 8 * place.size:
            raise BoardError(f"{value:#x} does not fit into register {place.number}")
        data = value.to_bytes(place.size, "little")
        if not (self._whole_registers or self._comma):
            answer = self.ask(f"P{place.number:02x}={data.hex()}".encode())
            if answer == b"OK":
                return
            self._comma = answer.startswith(b"E ")
        if self._comma:
            self._set_silently(place, value)
            return
        if not self._whole_registers:
            if answer:
                raise BoardError(
                    f"the debugger cannot set register {place.number} ({told(answer)})"
                )
            self._whole_registers = True
        held = bytearray(self._all(place))
        held[place.offset : place.offset + place.size] = data
        if self.ask(b"G" + held.hex().encode()) != b"OK":
            raise BoardError("the debugger cannot set the registers")

    def _set_silently(self, place: BoardRegister, value: int) -> None:
        """As minichlink takes it: with a comma, and without an answer, so it is read afterwards."""
        with self._stream.operation():
            self._stream.send(f"P{place.number:02x},{value:x}".encode())
            answer = self.ask(f"p{place.number:02x}".encode())
            if answer[:1] == b"E":
                self._next()
            if int.from_bytes(data_of(answer), "little") != value or not data_of(answer):
                raise BoardError(
                    f"the debugger cannot set register {place.number} ({told(answer)})"
                )

    def _all(self, place: BoardRegister) -> bytes:
        """All registers, one after another; what a stub marks as unknown reads as 0.

        BoardError where the one in question is not among them.
        """
        answer = self.ask(b"g")
        if not (data := data_of(answer.replace(b"x", b"0"))):
            raise BoardError(f"the debugger cannot read the registers ({told(answer)})")
        if len(data) < place.offset + place.size:
            raise BoardError(f"register {place.number} is not among the {len(data)} bytes of all")
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
        with self._stream.operation():
            self._stream.send(self._continue)

    def wait(self) -> int:
        """The signal with which the target stopped; BoardError when it is no more.

        BoardSilentError when it runs on: it can be interrupted then.
        """
        with self._stream.deadline.operation():
            return self._stopped()

    def _stopped(self) -> int:
        while (answer := self._next()) == b"OK":  # some servers say so that it runs
            self._stream.count_passed(len(answer))
        signal = stop_signal(answer)
        if signal is None:
            raise BoardError("the target ended instead of stopping; reset the board")
        return signal

    def interrupt(self) -> int:
        """Stop a running target."""
        with self._stream.operation():
            self._stream.interrupt()
            return self._stopped()
