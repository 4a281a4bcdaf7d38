# SPDX-License-Identifier: MIT
"""Servers that differ from the protocol's manual, each as a double made after its source.

Read were pyOCD d1974ffd (gdbserver/gdbserver.py), ch32fun d60d0fd3 (minichlink/microgdbstub.h and
minichgdb.c), OpenOCD abbbc2e0 (src/server/gdb_server.c), and probe-rs 67993c4b (gdb_server/).
"""

from dataclasses import dataclass, field

import pytest
from scripted_stub import ScriptedStub

from aesfit.platforms.boards import Board, BoardPlatform, platform_of_board
from aesfit.rigs.board.client import BoardError, StubClient
from aesfit.rigs.board.dialects import MINICHLINK, MULTIPROCESS, PYOCD, USUAL
from aesfit.rigs.board.session import BoardSession
from aesfit.rigs.board.transport import BoardLostError

RAM, CPUID, IDCODE = 0x2000_0000, 0xE000_ED00, 0xE004_2000


def cortex(stub: ScriptedStub, part: int = 0xC23) -> ScriptedStub:
    stub.set_word(CPUID, part << 4)
    stub.set_word(IDCODE, 0x410)
    stub.ends = (*stub.ends, range(RAM, RAM + 0x1_0000))
    return stub


def platform(chip: str, left: str = "running") -> BoardPlatform:
    return platform_of_board(Board("fake", "nowhere:1", chip, left=left))


# --- pyOCD


def pyocd(non_stop: str = "QNonStop+;") -> ScriptedStub:
    """Release 0.46 leaves QNonStop out where semihosting goes through the client."""
    told = f"qXfer:features:read+;QStartNoAckMode+;qXfer:threads:read+;{non_stop}PacketSize=800"
    return cortex(ScriptedStub(features=told))


def test_pyocd_resumes_so_nothing_can_be_left_halted() -> None:
    assert StubClient(pyocd()).dialect == StubClient(pyocd("")).dialect == PYOCD
    stub = pyocd()
    with pytest.raises(BoardLostError, match=r"pyOCD lets its target run.*without --leave halted"):
        BoardSession(platform("stm32f103", "halted"), stub)
    assert stub.closed
    session = BoardSession(platform("stm32f103"), pyocd())
    session.close()


# --- minichlink


@dataclass
class Minichlink(ScriptedStub):
    """Registers by two digits, set with a comma and in silence; errors with a space."""

    features: str = (
        "PacketSize=f000;hwbreak+;vContSupported+;qXfer:memory-map:read+;read+;QStartNoAckMode+"
    )
    registers: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(33), 0))
    stuck: int | None = None
    """A register that keeps its value."""
    refuses: bool = False
    """It says so."""

    def _take(self, packet: bytes) -> None:
        text = packet.decode("latin-1")
        if text[0] in "PG":
            self.heard.append(text)
            self._out += b"+"  # always, also once both agreed to leave that
            number, comma, value = text[1:].partition(",")
            refused = comma and self.refuses and int(number, 16) == self.stuck
            if text[0] == "G" or not comma or refused:
                self._answer(b"E 00")
            elif int(number, 16) != self.stuck:
                self.registers[int(number, 16)] = int(value, 16)
            return
        if text[0] == "p" and len(text) != 3:
            self._answer(b"E 10")
            return
        super()._take(packet)

    def _run(self) -> None:
        self._answer(b"OK")  # it runs, says RVNetPoll
        self._answer(b"T05")


def ch32v003() -> Minichlink:
    stub = Minichlink()
    stub.ends = (range(RAM, RAM + 0x800),)
    return stub


def test_registers_of_minichlink_are_set_with_a_comma_and_read_afterwards() -> None:
    stub = ch32v003()
    stub.registers.update((n, 100 + n) for n in range(33))
    before = dict(stub.registers)
    session = BoardSession(platform("ch32v003"), stub)
    assert session.client.dialect == MINICHLINK
    session.set_register("x10", 0xFFFF_FFFF)
    session.set_register("pc", RAM)
    assert (stub.registers[10], stub.registers[32]) == (0xFFFF_FFFF, RAM)
    assert session.register("x10") == 0xFFFF_FFFF
    session.client.resume()
    assert session.client.wait() == 5
    session.close()
    assert stub.registers == before
    assert not any(text[0] == "G" for text in stub.heard)


@pytest.mark.parametrize("refuses", [True, False])
def test_a_register_that_minichlink_does_not_set_is_told(refuses: bool) -> None:
    stub = ch32v003()
    stub.registers[11] = 7
    stub.refuses = refuses
    session = BoardSession(platform("ch32v003"), stub)
    stub.stuck = 10
    with pytest.raises(BoardError, match="cannot set register 10"):
        session.set_register("x10", 5)
    assert session.register("x11") == 7  # the answers are still those of their questions


def test_minichlink_resumes_too() -> None:
    with pytest.raises(BoardLostError, match=r"minichlink lets its target run"):
        BoardSession(platform("ch32v003", "halted"), ch32v003())


# --- OpenOCD


@dataclass
class OpenOcd(ScriptedStub):
    """Says OK to a write of 8 bytes or more, then writes; its error answers the next packet X."""

    features: str = (
        "PacketSize=400;qXfer:memory-map:read+;qXfer:features:read+;qXfer:threads:read+;"
        "QStartNoAckMode+;vContSupported+"
    )
    broken: range = range(0)
    """Addresses where writing fails."""
    failed: bool = False

    def _take(self, packet: bytes) -> None:
        text = packet.decode("latin-1")
        if text[0] != "X":
            self.failed &= text not in ("c", "vCont;c")  # its log alone has the error then
            super()._take(packet)
            return
        self.heard.append(text)
        self._out += b"+" if self._acks else b""
        start, size = (int(part, 16) for part in text[1:].partition(":")[0].split(","))
        if self.failed or size >= 8:
            self._answer(b"E0e" if self.failed else b"OK")
            self.failed = False
        works = start not in self.broken or not size
        if works:
            self.memory.update(enumerate(packet[packet.index(b":") + 1 :], start))
        self.failed = not works
        if size < 8:
            self._answer(b"OK" if works else b"E0e")
            self.failed = False


@pytest.mark.parametrize("size", [1, 7, 8, 100, 480, 3000])
def test_an_error_of_openocd_that_comes_later_is_that_of_the_write(size: int) -> None:
    stub = OpenOcd(broken=range(RAM + 0x800, RAM + 0x2000))
    client = StubClient(stub)
    client.write(RAM, bytes(range(100)))
    with pytest.raises(BoardError, match=f"cannot write {size} bytes at 0x20000800 .'E0e'"):
        client.write(RAM + 0x800, bytes(size))
    for _ in range(2):  # nothing is left of the error, and answers belong to their questions
        client.write(RAM, bytes(range(100)))
        assert client.read(RAM, 100) == bytes(range(100))
        client.write_word(RAM, 0x1234)
        assert client.word(RAM) == 0x1234


def test_an_error_in_the_middle_of_a_write_is_that_of_the_whole() -> None:
    stub = OpenOcd(broken=range(RAM + 0x400, RAM + 0x600))
    client = StubClient(stub)
    assert client.dialect == USUAL
    with pytest.raises(BoardError, match="cannot write 4000 bytes at 0x20000000"):
        client.write(RAM, bytes(4000))
    assert client.read(RAM, 8) == bytes(8)


# --- probe-rs


@dataclass
class ProbeRs(ScriptedStub):
    """Threads are cores; no PRIMASK in its description."""

    features: str = (
        "PacketSize=1000;vContSupported+;multiprocess+;QStartNoAckMode+;swbreak+;hwbreak+;"
        "qXfer:features:read+;qXfer:memory-map:read+"
    )
    cores: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self._xml["core.xml"] = self._xml["core.xml"].rpartition("<reg")[0]
        self.ends = (*self.ends, range(0x4000_0000, 0x4000_0100))

    def _query(self, text: str) -> bytes:
        if text == "qfThreadInfo":
            return b"m" + b",".join(b"p01.%02x" % (n + 1) for n in range(self.cores))
        return b"l" if text == "qsThreadInfo" else super()._query(text)


def test_two_cores_that_probe_rs_resumes_at_once_are_refused() -> None:
    stub = cortex(ProbeRs(cores=2), 0xC60)
    with pytest.raises(BoardLostError, match=r"resumes 2 cores at once.*OpenOCD"):
        BoardSession(platform("rp2040"), stub)
    assert stub.closed


def test_one_core_of_probe_rs_is_measured_without_a_described_primask() -> None:
    """Interrupts are switched off where they are enabled, and put back."""
    stub = cortex(ProbeRs())
    enabled, cleared, systick = 0xE000_E100, 0xE000_E180, 0xE000_E010
    stub.set_word(0xE000_E004, 1)  # ICTR: 64 interrupts
    stub.set_word(enabled, 0x8000_0001)
    stub.set_word(enabled + 4, 0x10)
    stub.set_word(cleared, 0)
    stub.set_word(cleared + 4, 0)
    stub.set_word(systick, 7)
    session = BoardSession(platform("stm32f103"), stub)
    assert session.client.dialect == MULTIPROCESS
    assert (stub.word(cleared), stub.word(cleared + 4)) == (0x8000_0001, 0x10)
    assert stub.word(systick) == 5
    stub.set_word(enabled, 0)  # as the device does when they are cleared
    stub.set_word(enabled + 4, 0)
    session.close()
    assert (stub.word(enabled), stub.word(enabled + 4)) == (0x8000_0001, 0x10)
    assert stub.word(systick) == 7
