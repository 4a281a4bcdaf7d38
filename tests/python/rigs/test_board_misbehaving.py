# SPDX-License-Identifier: MIT
"""Servers of debuggers that misbehave: each ends in the right figure or in one sentence, in time.

Time is a number that the server's own double moves, so no test waits for anything.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from scripted_stub import ScriptedStub

from aesfit.platforms.boards import Board, platform_of_board
from aesfit.rigs.board.client import BoardError, StubClient
from aesfit.rigs.board.deadline import Deadline
from aesfit.rigs.board.flashing import write_flash
from aesfit.rigs.board.packets import framed
from aesfit.rigs.board.session import BoardSession
from aesfit.rigs.board.transport import BoardLostError, BoardSilentError

RAM, FLASH = 0x2000_0000, 0x0800_0000
SECONDS = 10
PATIENCE = 100_000
"""Pieces that a flood gives before the test fails, for the client would read for ever."""
TEXT = framed(b"O" + b"again\n".hex().encode())


@dataclass
class Flood:
    """A stub that answers a packet without end; each piece takes `step` seconds."""

    stub: ScriptedStub
    at: str
    """How the packet begins after which the flood comes."""
    piece: Callable[[int], bytes]
    """What comes next, by its number."""
    step: float
    seconds: float = 0.0
    """What the clock says."""
    pieces: int = 0
    sent: int = 0
    flooding: bool = False
    closed: bool = False

    def now(self) -> float:
        return self.seconds

    def send(self, data: bytes, seconds: float) -> None:
        assert seconds > 0
        self.sent += 1
        self.flooding |= data[1:].startswith(self.at.encode())
        if not self.flooding:
            self.stub.send(data, seconds)

    def receive(self, seconds: float) -> bytes:
        if not self.flooding:
            return self.stub.receive(seconds)
        self.pieces += 1
        assert self.pieces < PATIENCE, "the client reads for ever"
        if self.step >= seconds:
            self.seconds += seconds
            raise TimeoutError
        self.seconds += self.step
        return self.piece(self.pieces)

    def close(self) -> None:
        self.closed = True


def always(data: bytes) -> Callable[[int], bytes]:
    return lambda number: data


def unending(number: int) -> bytes:
    """A packet that begins and does not end."""
    return b"+$" if number == 1 else b"41" * 500


FLOODS = {
    "text for a console": always(TEXT),
    "a packet without an end": unending,
    "stray bytes": always(b"noise " * 50),
    "stops": always(framed(b"T05")),
    "notices": always(b"%Stop:T05#8f"),
}


@pytest.mark.parametrize("step", [0.001, 0.25, 3.0])
@pytest.mark.parametrize("acknowledged", [True, False])
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_in_the_place_of_an_answer_ends(kind: str, acknowledged: bool, step: float) -> None:
    stub = ScriptedStub(features="" if acknowledged else "QStartNoAckMode+")
    flood = Flood(stub, "m", FLOODS[kind], step)
    client = StubClient(flood, SECONDS, flood.now)
    with pytest.raises(BoardLostError) as told:
        client.read(RAM, 16)
    assert flood.seconds <= SECONDS
    assert str(told.value).startswith("the debugger ")
    if step == 3:
        assert "gave no answer within 10 s" in str(told.value)
    if step == 0.001 and kind == "a packet without an end":
        assert "bytes of a packet that does not end" in str(told.value)


@pytest.mark.parametrize("step", [0.001, 0.25, 3.0])
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_from_the_first_byte_ends(kind: str, step: float) -> None:
    flood = Flood(ScriptedStub(), "qSupported", FLOODS[kind], step)
    with pytest.raises(BoardLostError):
        StubClient(flood, SECONDS, flood.now)
    assert flood.seconds <= SECONDS


@pytest.mark.parametrize("step", [0.001, 0.25, 3.0])
def test_text_without_end_from_a_running_target_ends(step: float) -> None:
    flood = Flood(ScriptedStub(), "vCont;c", always(TEXT), step)
    client = StubClient(flood, SECONDS, flood.now)
    client.resume()
    with pytest.raises(BoardLostError):
        client.wait()
    assert flood.seconds <= SECONDS
    with pytest.raises(BoardLostError):
        client.interrupt()
    assert flood.seconds <= 2 * SECONDS


@pytest.mark.parametrize("step", [0.0, 0.25])
@pytest.mark.parametrize("kind", ["features", "memory-map"])
def test_a_document_without_end_is_given_up(kind: str, step: float) -> None:
    flood = Flood(ScriptedStub(), f"qXfer:{kind}", always(b"+" + framed(b"m" + b" " * 400)), step)
    client = StubClient(flood, SECONDS, flood.now)
    with pytest.raises(BoardLostError) as told:
        assert not (client.described if kind == "features" else client.memories)
    expected = "within 10 s" if step else f"the {kind} of the debugger has more than 262144 bytes"
    assert expected in str(told.value)
    assert flood.seconds <= SECONDS


def test_descriptions_that_include_ever_more_files_are_given_up() -> None:
    stub = ScriptedStub()
    reply = stub._reply

    def branching(text: str, packet: bytes) -> bytes:
        if not text.startswith("qXfer:features"):
            return reply(text, packet)
        name = text.split(":")[3]
        return f'l<xi:include href="{name}1"/><xi:include href="{name}2"/>'.encode()

    stub._reply = branching  # type: ignore[method-assign]
    with pytest.raises(BoardLostError, match="in more than 64 files"):
        assert StubClient(stub).described is None


@pytest.mark.parametrize("kind", FLOODS)
def test_closing_waits_for_nothing_after_a_flood(kind: str) -> None:
    """What was changed cannot be put back: the session ends at once, without a packet more."""
    board = Board("fake", "nowhere:1", "ch32v003", timeout_seconds=SECONDS)
    stub = ScriptedStub(features="")
    flood = Flood(stub, "mf", FLOODS[kind], 0.5)
    flood.stub._reply = lambda text, packet: (  # type: ignore[method-assign]
        b"00000000" * 33 if text == "g" else type(stub)._reply(stub, text, packet)
    )
    stub.knows_p = False
    session = BoardSession(platform_of_board(board), flood, flood.now)
    session.write(RAM, bytes(16))
    with pytest.raises(BoardLostError):
        session.client.read(0xF000_0000, 16)
    sent, seconds = flood.sent, flood.seconds
    session.close()
    assert flood.closed
    assert (flood.sent, flood.seconds) == (sent, seconds)


def test_no_time_is_left_once_the_clock_is_there() -> None:
    clock = [0.0]
    deadline = Deadline(SECONDS, lambda: clock[0])
    with deadline.operation(2):
        clock[0] = 19
        with deadline.operation():
            assert deadline.left() == 1
        clock[0] = 20
        with pytest.raises(BoardSilentError, match="within 20 s"):
            deadline.left()


# --- numbers that cannot be


def answering(at: str, answer: bytes, **how: object) -> ScriptedStub:
    """A stub that gives that answer to packets that begin so."""
    stub = ScriptedStub(**how)  # type: ignore[arg-type]
    reply = stub._reply
    stub._reply = (  # type: ignore[method-assign]
        lambda text, packet: answer if text.startswith(at) else reply(text, packet)
    )
    return stub


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ("zz", "hold 'zz' bytes, which is no hexadecimal number"),
        ("", "hold '' bytes, which is no"),
        ("-400", "hold -1024 bytes, which is too small; 64 are needed"),
        ("0", "hold 0 bytes, which is too small; 64 are needed"),
        ("10", "hold 16 bytes, which is too small"),
        ("20", "hold 32 bytes, which is too small"),
        ("3f", "hold 63 bytes, which is too small"),
    ],
)
def test_packets_of_a_size_that_cannot_be_are_refused(size: str, sentence: str) -> None:
    with pytest.raises(BoardLostError, match=sentence):
        StubClient(ScriptedStub(features=f"PacketSize={size}"))


@pytest.mark.parametrize("size", ["40", "ffffffffffff"])
def test_the_least_and_the_largest_packets_work(size: str) -> None:
    stub = ScriptedStub(features=f"PacketSize={size}")
    client = StubClient(stub)
    client.write(RAM, bytes(range(200)))
    assert client.read(RAM, 200) == bytes(range(200))
    assert max(map(len, stub.heard[1:])) <= min(int(size, 16), 1 << 16)


@pytest.mark.parametrize("stop", [b"Tzz", b"S", b"T0"])
def test_a_stop_whose_signal_is_no_number_is_told(stop: bytes) -> None:
    with pytest.raises(BoardLostError, match=f"whose signal is no number .'{stop.decode()}'"):
        StubClient(answering("?", stop))
    client = StubClient(stub := ScriptedStub())
    stub._stop = lambda signal: stub._answer(stop)  # type: ignore[method-assign]
    client.set_breakpoint(RAM, 2)
    client.resume()
    with pytest.raises(BoardLostError, match="whose signal is no number"):
        client.wait()


@pytest.mark.parametrize("block", ["0x80000000", "0x200000", "0x300", "0x10001"])
def test_flash_whose_blocks_cannot_be_is_refused_with_the_numbers(block: str) -> None:
    """Of 2 GiB, more than any chip erases at once, or no divisor of the flash."""
    size = "0x80000000" if block == "0x80000000" else "0x400000" if len(block) == 8 else "0x10000"
    text = (
        f'l<memory-map><memory type="flash" start="0x08000000" length="{size}">'
        f'<property name="blocksize">{block}</property></memory></memory-map>'
    )
    stub = answering("qXfer:memory-map", text.encode())
    with pytest.raises(BoardError) as told:
        write_flash(StubClient(stub), FLASH, b"1")
    assert f"flash of {int(size, 0)} bytes at {FLASH:#x}" in str(told.value)
    assert f"in blocks of {int(block, 0)} bytes" in str(told.value)
    assert not stub.flash_commands


@pytest.mark.parametrize("part", ['start="x"', 'length="-1"', 'start="0x100000001"'])
def test_a_memory_map_with_nonsense_for_a_number_is_told(part: str) -> None:
    stub = answering("qXfer:memory-map", f'l<memory type="flash" {part}/>'.encode())
    with pytest.raises(BoardLostError, match="where a number up to 4294967296 is needed"):
        assert StubClient(stub).memories is None


@pytest.mark.parametrize("part", ['regnum="x"', 'bitsize="many"', 'regnum="99999999"'])
def test_a_register_with_nonsense_for_a_number_is_told(part: str) -> None:
    stub = answering("qXfer:features", f'l<reg name="r0" {part}/>'.encode())
    with pytest.raises(BoardLostError, match="where a number up to"):
        assert StubClient(stub).described is None


def test_documents_of_tags_that_never_end_are_searched_in_one_pass() -> None:
    """Each of these would take a search over the whole rest for each of its tags."""
    for text in ("<reg " * 40_000, "<reg " + "a" * 200_000, "<memory " * 30_000):
        client = StubClient(answering("qXfer", b"l" + text.encode()))
        assert list(client.described) in ([], [""])
        assert all(one.size == 0 for one in client.memories)


@pytest.mark.parametrize("size", [65, 20_000])
def test_a_read_that_is_answered_with_more_is_refused(size: int) -> None:
    stub = answering("m", b"00" * size)
    with pytest.raises(BoardLostError, match=f"a question for 64 bytes at 0x20000000 with {size}"):
        StubClient(stub).read(RAM, 64)


def test_a_register_that_is_answered_with_a_memory_is_refused() -> None:
    client = StubClient(answering("p", b"00" * 20_000))
    with pytest.raises(BoardError, match="cannot read register 1 "):
        client.register(client.described["r1"])


def test_a_register_that_is_wider_or_narrower_than_described_is_told() -> None:
    client = StubClient(answering("p", b"00" * 8))
    with pytest.raises(BoardError, match="cannot read register 1 "):
        client.register(client.described["r1"])
    client = StubClient(ScriptedStub())
    with pytest.raises(BoardError, match="does not fit into register 1"):
        client.set_register(client.described["r1"], 1 << 32)


def test_a_register_that_is_not_among_all_is_told() -> None:
    stub = answering("g", b"00" * 4)
    stub.knows_p = False
    client = StubClient(stub)
    with pytest.raises(BoardError, match="register 15 is not among the 4 bytes of all"):
        client.register(client.described["pc"])


# --- what may come in between, and what is shown


@pytest.mark.parametrize("at", ["m", "M", "p", "qSupported", "?", "Z"])
def test_text_in_the_middle_is_printed_and_skipped(
    at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = ScriptedStub(knows_x=False)
    answer = stub._answer

    def chatty(reply: bytes) -> None:
        if stub.heard[-1].startswith(at):
            stub._out += framed(b"O" + b"halted\x1b[31m due\n".hex().encode())
        answer(reply)

    stub._answer = chatty  # type: ignore[method-assign]
    client = StubClient(stub)
    client.write_word(RAM, 0x1234)
    client.set_breakpoint(RAM, 2)
    assert client.word(RAM) == 0x1234
    assert client.register(client.described["r1"]) == 0
    shown = capsys.readouterr().err.splitlines()
    assert set(shown) == {"debugger: halted [31m due"}  # nothing that steers a terminal


def test_a_stop_that_is_told_twice_is_skipped() -> None:
    stub = ScriptedStub()
    client = StubClient(stub)
    client.set_breakpoint(RAM, 2)
    stop = stub._stop

    def twice(signal: int) -> None:
        stop(signal)
        stop(signal)

    stub._stop = twice  # type: ignore[method-assign]
    for _ in range(3):
        client.resume()
        assert client.wait() == 5
        assert client.register(client.described["pc"]) == RAM


def test_the_text_of_an_error_is_shown() -> None:
    client = StubClient(answering("m", b"E.the core is\x07asleep"))
    with pytest.raises(BoardError, match=r"cannot read 4 bytes .*\(it says: the core is asleep\)"):
        client.word(RAM)


def test_a_line_that_failed_is_not_used_again() -> None:
    """A late answer would be taken for the answer to another question."""
    stub = ScriptedStub(silent_at="m")
    client = StubClient(stub)
    with pytest.raises(BoardSilentError):
        client.word(RAM)
    heard = len(stub.heard)
    with pytest.raises(BoardLostError, match="gave no answer within 10 s"):
        client.write_word(RAM, 1)
    assert len(stub.heard) == heard


def test_a_server_that_takes_no_bytes_is_told() -> None:
    stub = ScriptedStub()
    client = StubClient(stub)

    def deaf(data: bytes, seconds: float) -> None:
        raise TimeoutError

    stub.send = deaf  # type: ignore[method-assign]
    with pytest.raises(BoardSilentError, match="gave no answer within 10 s"):
        client.write_word(RAM, 1)


def test_a_long_read_has_time_for_each_of_its_packets() -> None:
    """Ten packets of a second each do not fit into 10 s, and need not."""
    stub = ScriptedStub()
    slow = Flood(stub, "nothing", always(b""), 0)
    client = StubClient(slow, SECONDS, slow.now)
    receive = slow.receive

    def late(seconds: float) -> bytes:
        slow.seconds += 2
        return receive(seconds)

    slow.receive = late  # type: ignore[method-assign]
    assert len(client.read(RAM, 10 * client.most_data)) == 10 * client.most_data
    assert slow.seconds > SECONDS
