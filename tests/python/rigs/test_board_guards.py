# SPDX-License-Identifier: MIT
"""What firmware guards itself with: switched off during a measurement, and put back."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from scripted_stub import ScriptedStub

from aesfit.platforms.boards import Board, add_board, board_named, platform_of_board
from aesfit.rigs.board.packets import framed
from aesfit.rigs.board.session import BoardSession
from aesfit.rigs.board.transport import BoardLostError

CPUID, IDCODE, FREEZE = 0xE000_ED00, 0xE004_2000, 0xE004_2004
MPU_TYPE, MPU_CTRL = 0xE000_ED90, 0xE000_ED94
LIMITS = (
    '<reg name="msplim" bitsize="32" regnum="91"/><reg name="psplim" bitsize="32" regnum="92"/>'
)
Reply = Callable[[str, bytes], bytes]


def stm32f103() -> ScriptedStub:
    stub = ScriptedStub()
    for address, word in (
        (CPUID, 0x411F_C231), (IDCODE, 0x410), (MPU_TYPE, 0x800), (MPU_CTRL, 0), (FREEZE, 7),
    ):  # fmt: skip
        stub.set_word(address, word)
    return stub


def session(stub: ScriptedStub, *monitor: str, chip: str = "stm32f103") -> BoardSession:
    board = Board("fake", "nowhere:1", chip, left="halted", monitor=monitor)
    return BoardSession(platform_of_board(board), stub)


# --- memory protection


def test_an_mpu_that_is_on_is_off_until_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    stub = stm32f103()
    stub.set_word(MPU_CTRL, 5)
    used = session(stub)
    assert stub.word(MPU_CTRL) == 4
    assert "memory protection of the board fake is off until the end" in capsys.readouterr().err
    used.close()
    assert stub.word(MPU_CTRL) == 5


@pytest.mark.parametrize(("regions", "control"), [(0, 5), (0x800, 4), (0x800, 0)])
def test_an_mpu_that_is_off_or_not_there_stays_as_it_is(
    regions: int, control: int, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = stm32f103()
    stub.set_word(MPU_TYPE, regions)
    stub.set_word(MPU_CTRL, control)
    session(stub)
    assert stub.word(MPU_CTRL) == control
    assert "protection" not in capsys.readouterr().err


# --- watchdogs


def test_watchdogs_stand_still_while_the_processor_is_halted() -> None:
    stub = stm32f103()
    used = session(stub)
    assert stub.word(FREEZE) == 0x307
    assert used.watchdogs == "the watchdogs stand still while the processor is halted"
    used.close()
    assert stub.word(FREEZE) == 7


def test_watchdogs_that_cannot_be_held_are_told() -> None:
    stub = stm32f103()
    write = stub._write

    def deaf(place: str, data: bytes) -> bytes:
        return b"OK" if place.startswith(f"{FREEZE:x}") else write(place, data)

    stub._write = deaf  # type: ignore[method-assign]
    assert "run on" in session(stub).watchdogs


# --- stack limits


def test_the_stack_limits_of_armv8_m_are_zero_until_the_end() -> None:
    stub = stm32f103()
    stub.set_word(CPUID, 0xD21 << 4)
    stub.ends = (*stub.ends, range(0x2000_0000, 0x2010_0000))
    stub._xml["core.xml"] += LIMITS
    stub.registers |= {91: 0x2000_1000, 92: 0x2000_2000}
    stub.registers[13] = 0x2000_8000
    used = session(stub, chip="cortex-m33")
    assert (stub.registers[91], stub.registers[92]) == (0, 0)
    used.close()
    assert (stub.registers[91], stub.registers[92]) == (0x2000_1000, 0x2000_2000)


# --- commands of the server's monitor


def monitored(stub: ScriptedStub, answer: bytes, *texts: bytes) -> ScriptedStub:
    reply = stub._reply

    def answered(text: str, packet: bytes) -> bytes:
        if not text.startswith("qRcmd,"):
            return reply(text, packet)
        stub._out += b"".join(framed(b"O" + one.hex().encode()) for one in texts)
        return answer

    stub._reply = answered  # type: ignore[method-assign]
    return stub


@pytest.mark.parametrize(
    ("answer", "texts", "shown"),
    [
        (b"OK", (), ""),
        (b"OK", (b"target ", b"halted\n"), "debugger: target\ndebugger: halted\n"),
        (b"halted due\n".hex().encode(), (), "debugger: halted due\n"),
        (b"+", (b"minichlink\n",), "debugger: minichlink\n"),
    ],
)
def test_commands_go_to_the_monitor_in_order_before_anything_is_read(
    answer: bytes, texts: tuple[bytes, ...], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = monitored(stm32f103(), answer, *texts)
    session(stub, "reset halt", "adapter speed 1000")
    asked = [bytes.fromhex(one[6:]).decode() for one in stub.heard if one.startswith("qRcmd,")]
    assert asked == ["reset halt", "adapter speed 1000"]
    first = next(n for n, one in enumerate(stub.heard) if one.startswith("qRcmd,"))
    assert not any(one[0] in "mpgMXPG" for one in stub.heard[:first])
    assert capsys.readouterr().err == 2 * shown


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "it does not know the packet"),
        (b"E0e", "'E0e'"),
        (b"-", "'-'"),
        (b"E.no such thing", "it says: no such thing"),
        (b"Error: unknown command\n".hex().encode(), "Error: unknown command"),
    ],
)
def test_a_command_that_is_refused_is_told_in_a_sentence(answer: bytes, why: str) -> None:
    stub = monitored(stm32f103(), answer)
    with pytest.raises(BoardLostError) as told:
        session(stub, "resett")
    assert str(told.value) == f"the debugger refuses the command 'resett' ({why})"
    assert stub.closed


def test_commands_are_kept_with_the_board(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CONFIG", str(tmp_path))
    board = Board("mine", "localhost:1", "stm32f103", monitor=("reset halt", 'echo "x"'))
    add_board(board)
    assert board_named("mine") == board


@pytest.mark.parametrize("command", ["", " ", "two\nlines", "x" * 101])
def test_what_is_no_command_is_refused(command: str) -> None:
    with pytest.raises(ValueError, match="is no command for a debugger's monitor"):
        add_board(Board("mine", "localhost:1", "stm32f103", monitor=(command,)))


# --- ends at which something is refused, broken off, or not as described


RAM = 0x2000_0000
FIRST, SECOND = RAM + 256, RAM + 512


def test_one_refusal_does_not_keep_the_rest_from_being_put_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stub = stm32f103()
    stub.set_word(FIRST, 0x0707_0707)
    stub.set_word(SECOND, 0x0707_0707)
    used = session(stub)
    used.write_word(FIRST, 1)
    used.write_back(0x7000_0000, 1)  # where no memory is
    used.write_word(SECOND, 1)
    used.close()
    assert stub.word(FIRST) == stub.word(SECOND) == 0x0707_0707
    told = capsys.readouterr().err
    assert "the board fake could not be put back at 0x70000000; reset it" in told


@dataclass
class Impatient:
    """A wire on which the user breaks an answer off, once."""

    stub: ScriptedStub
    breaks: bool = False

    def send(self, data: bytes, seconds: float) -> None:
        self.stub.send(data, seconds)

    def receive(self, seconds: float) -> bytes:
        if self.breaks:
            self.breaks = False
            raise KeyboardInterrupt
        return self.stub.receive(seconds)

    def close(self) -> None:
        self.stub.close()


def test_an_answer_that_was_broken_off_is_not_taken_for_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stub = stm32f103()
    stub.set_word(FIRST, 0x0707_0707)
    wire = Impatient(stub)
    board = Board("fake", "nowhere:1", "stm32f103")
    used = BoardSession(platform_of_board(board), wire)
    used.write_word(FIRST, 1)
    wire.breaks = True
    with pytest.raises(KeyboardInterrupt):
        used.client.read(RAM, 4)
    used.close()
    assert stub.word(FIRST) == 0x0707_0707
    assert stub.running
    assert capsys.readouterr().err == ""
