# SPDX-License-Identifier: MIT
"""A debugger's stub in a script: a Cortex-M with RAM and flash that misbehaves when it is told to.

It is a transport, so nothing waits and no time passes.  Code is not executed: a resumed target
stops at its breakpoint, and `on_run` does what the code would have done.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from aesfit.rigs.board.packets import checksum, framed, unframed
from aesfit.rigs.board.transport import BoardLostError

MAP = (
    '<memory-map><memory type="ram" start="0x20000000" length="0x5000"/>'
    '<memory type="flash" start="0x08000000" length="0x10000">'
    '<property name="blocksize">0x400</property></memory></memory-map>'
)
CORE = "".join(f'<reg name="r{n}" bitsize="32"/>' for n in range(13)) + (
    '<reg name="sp" bitsize="32"/><reg name="lr" bitsize="32"/><reg name="pc" bitsize="32"/>'
    '<reg name="xPSR" bitsize="32" regnum="25"/><reg name="primask" bitsize="32" regnum="90"/>'
)
REGISTERS = (*range(16), 25, 90)


@dataclass
class ScriptedStub:
    """Its abilities and failures, all of which a test can set."""

    features: str = "PacketSize=400;qXfer:features:read+;qXfer:memory-map:read+;QStartNoAckMode+"
    knows_p: bool = True
    knows_x: bool = True
    knows_hardware_breakpoints: bool = True
    locked: bool = False
    memory: dict[int, int] = field(default_factory=dict)
    """Bytes by address; what was never written reads as FFh, words of devices as they are set."""
    ends: tuple[range, ...] = (
        range(0x2000_0000, 0x2000_5000),
        range(0x0800_0000, 0x0801_0000),
        range(0xE000_0000, 0xE010_0000),
    )
    registers: dict[int, int] = field(default_factory=lambda: dict.fromkeys(REGISTERS, 0))
    breakpoints: set[int] = field(default_factory=set)
    on_run: Callable[["ScriptedStub"], None] = lambda stub: None
    damaged: int = 0
    """Answers that are sent with a wrong checksum."""
    refused: int = 0
    """Packets that are answered with `-`."""
    lost_at: str | None = None
    """The connection ends when a packet begins like that."""
    silent_at: str | None = None
    """No answer comes to a packet that begins like that."""
    never_stops: bool = False
    """A resumed target stops only when it is interrupted."""
    heard: list[str] = field(default_factory=list)
    running: bool = False
    closed: bool = False
    flash_commands: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Nothing is on the wire."""
        self._out, self._in, self._acks, self._last = b"", b"", True, b""
        self._lost = False
        self._xml = {"target.xml": '<xi:include href="core.xml"/>', "core.xml": CORE}

    # --- the transport

    def send(self, data: bytes, seconds: float) -> None:
        """Take what the client sends, and make the answers."""
        if self._lost:
            raise BoardLostError("the connection is closed")
        self._in += data
        while self._in:
            if self._in[:1] == b"\x03":
                self._in = self._in[1:]
                self._stop(2)
            elif self._in[:1] == b"-":
                self._in = self._in[1:]
                self._resend()
            elif self._in[:1] == b"$":
                end = self._in.index(b"#")
                content, given = self._in[1:end], self._in[end + 1 : end + 3]
                self._in = self._in[end + 3 :]
                assert given == checksum(content)
                self._take(unframed(content))
            else:
                self._in = self._in[1:]

    def receive(self, seconds: float) -> bytes:
        """What was answered."""
        if self._out:
            found, self._out = self._out, b""
            return found
        if self._lost:
            raise BoardLostError("the connection is closed")
        raise TimeoutError

    def close(self) -> None:
        """The client hangs up."""
        self.closed = True

    # --- packets

    def _take(self, packet: bytes) -> None:
        if self.refused:
            self.refused -= 1
            self._out += b"-"
            return
        self._out += b"+" if self._acks else b""
        text = packet.decode("latin-1")
        self.heard.append(text)
        if self.lost_at is not None and text.startswith(self.lost_at):
            self._lost, self._out = True, b""
            return
        if self.silent_at is not None and text.startswith(self.silent_at):
            return
        if text in ("c", "vCont;c"):
            self._run()
            return
        self._answer(self._reply(text, packet))
        if text == "QStartNoAckMode":
            self._acks = False

    def _answer(self, reply: bytes) -> None:
        self._last = framed(reply)
        self._resend()

    def _resend(self) -> None:
        if self.damaged:
            self.damaged -= 1
            self._out += self._last[:-2] + b"zz"
        else:
            self._out += self._last

    def _run(self) -> None:
        self.running = True
        if not self.never_stops and self.breakpoints:
            self.on_run(self)
            self.registers[15] = min(self.breakpoints)
            self._stop(5)

    def _stop(self, signal: int) -> None:
        self.running = False
        self._answer(b"T%02x" % signal)

    def _reply(self, text: str, packet: bytes) -> bytes:
        head, _, rest = text.partition(":")
        match text[:1]:
            case "?":
                return b"S05"
            case "m":
                return self._read(text[1:])
            case "M":
                return self._write(head[1:], bytes.fromhex(rest))
            case "X":
                data = packet[packet.index(b":") + 1 :]
                return self._write(head[1:], data) if self.knows_x else b""
            case "p" if self.knows_p:
                return self.registers[int(text[1:], 16)].to_bytes(4, "little").hex().encode()
            case "P" if self.knows_p:
                number, _, value = text[1:].partition("=")
                self._set(int(number, 16), value)
                return b"OK"
            case "g":
                return b"".join(
                    self.registers[n].to_bytes(4, "little").hex().encode() for n in REGISTERS
                )
            case "G":
                for at, number in enumerate(REGISTERS):
                    self._set(number, text[1 + 8 * at : 9 + 8 * at])
                return b"OK"
            case "Z" | "z":
                return self._breakpoint(text)
            case "v":
                return self._flash(head, rest, packet)
            case "q" | "Q":
                return self._query(text)
            case _:
                return b""

    def _set(self, number: int, value: str) -> None:
        self.registers[number] = int.from_bytes(bytes.fromhex(value), "little")

    def _there(self, start: int, size: int) -> bool:
        return any(one.start <= start and start + size <= one.stop for one in self.ends)

    def _read(self, place: str) -> bytes:
        start, size = (int(part, 16) for part in place.split(","))
        if self.locked or not self._there(start, size):
            return b"E01"
        return bytes(self.memory.get(at, 0xFF) for at in range(start, start + size)).hex().encode()

    def _write(self, place: str, data: bytes) -> bytes:
        start, size = (int(part, 16) for part in place.split(","))
        if self.locked or not self._there(start, size) or 0x0800_0000 <= start < 0x0900_0000:
            return b"OK" if not size else b"E02"
        self.memory.update(enumerate(data, start))
        return b"OK"

    def word(self, address: int) -> int:
        """A word of its memory."""
        return int.from_bytes(bytes(self.memory.get(address + n, 0xFF) for n in range(4)), "little")

    def set_word(self, address: int, value: int) -> None:
        """Put a word into its memory."""
        self.memory.update(enumerate(value.to_bytes(4, "little"), address))

    def _breakpoint(self, text: str) -> bytes:
        kind, address, _ = text[1:].split(",")
        if kind == "1" and not self.knows_hardware_breakpoints:
            return b""
        change = self.breakpoints.add if text[0] == "Z" else self.breakpoints.discard
        change(int(address, 16))
        return b"OK"

    def _flash(self, head: str, rest: str, packet: bytes) -> bytes:
        if head == "vCont?":
            return b"vCont;c;s"
        self.flash_commands.append(head)
        if self.locked:
            return b"E03"
        if head == "vFlashErase":
            start, size = (int(part, 16) for part in rest.split(","))
            self.memory.update(dict.fromkeys(range(start, start + size), 0xFF))
        elif head == "vFlashWrite":
            start = int(rest.partition(":")[0], 16)
            data = packet.split(b":", 2)[2]
            assert all(self.memory.get(at, 0xFF) == 0xFF for at in range(start, start + len(data)))
            self.memory.update(enumerate(data, start))
        return b"OK"

    def _query(self, text: str) -> bytes:
        if text.startswith("qSupported"):
            return self.features.encode()
        if text == "QStartNoAckMode":
            return b"OK"
        if text.startswith("qXfer:") and text.split(":")[1] + ":read+" in self.features:
            _, kind, _, name, place = text.split(":")
            start, size = (int(part, 16) for part in place.split(","))
            whole = MAP if kind == "memory-map" else self._xml[name]
            part = whole[start : start + min(size, 100)]
            return (b"l" if start + len(part) >= len(whole) else b"m") + part.encode()
        return b""
