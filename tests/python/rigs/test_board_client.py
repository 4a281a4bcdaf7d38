# SPDX-License-Identifier: MIT
"""The client of the GDB remote protocol, against a stub that misbehaves in every way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_stub import ScriptedStub

from aesfit.rigs.board.client import BoardError, StubClient
from aesfit.rigs.board.features import arm_registers, described_registers, memory_map
from aesfit.rigs.board.flashing import write_flash
from aesfit.rigs.board.packets import framed, unframed
from aesfit.rigs.board.transport import BoardLostError, BoardSilentError, split_address

RAM = 0x2000_0000
FLASH = 0x0800_0000
EVERY_BYTE = bytes(range(256))


@given(st.binary(max_size=300))
def test_a_payload_survives_its_frame(payload: bytes) -> None:
    frame = framed(payload)
    assert frame[:1] == b"$"
    assert b"$" not in frame[1:]
    assert unframed(frame[1:-3]) == payload


def test_checksum_escapes_and_repeats_are_those_of_the_manual() -> None:
    assert framed(b"OK") == b"$OK#9a"
    assert framed(b"}") == b"$}]#da"
    assert unframed(b"0* ") == b"0000"  # "0* " is the manual's own example


@pytest.mark.parametrize("knows_x", [True, False])
@pytest.mark.parametrize("features", [ScriptedStub().features, "", "PacketSize=100"])
def test_memory_of_any_size_goes_and_comes(knows_x: bool, features: str) -> None:
    stub = ScriptedStub(knows_x=knows_x, features=features)
    client = StubClient(stub)
    client.write(RAM + 3, 5 * EVERY_BYTE)
    assert client.read(RAM + 3, 5 * 256) == 5 * EVERY_BYTE
    assert max(map(len, stub.heard)) <= 0x400


@pytest.mark.parametrize("knows_p", [True, False])
@pytest.mark.parametrize("described", [True, False])
def test_single_registers_or_all_at_once(knows_p: bool, described: bool) -> None:
    stub = ScriptedStub(knows_p=knows_p)
    if not described:
        stub.features = ""
    client = StubClient(stub)
    known = client.described or {"pc": arm_registers()["pc"], "r1": arm_registers()["r1"]}
    client.set_register(known["pc"], 0x2000_0100)
    client.set_register(known["r1"], 0xFFFF_FFFF)
    assert client.register(known["pc"]) == stub.registers[15] == 0x2000_0100
    assert client.register(known["r1"]) == stub.registers[1] == 0xFFFF_FFFF
    assert stub.registers[2] == 0


def test_a_description_in_several_files_is_read_whole() -> None:
    files = {
        "target.xml": '<xi:include href="a.xml"/><reg name="late" bitsize="64" regnum="7"/>',
        "a.xml": '<reg name="r0" bitsize="32"/><reg bitsize="96" name="f0"/>',
    }
    found = described_registers(files.__getitem__)
    assert [(name, one.number, one.offset, one.size) for name, one in found.items()] == [
        ("r0", 0, 0, 4), ("f0", 1, 4, 12), ("late", 7, 16, 8),
    ]  # fmt: skip


def test_a_description_that_includes_itself_ends() -> None:
    assert described_registers(lambda _: '<xi:include href="target.xml"/>') == {}


def test_the_memory_map_has_its_blocks() -> None:
    ram, flash = StubClient(ScriptedStub()).memories
    assert (ram.kind, ram.start, ram.size, ram.block) == ("ram", RAM, 0x5000, 0)
    assert (flash.kind, flash.start, flash.size, flash.block) == ("flash", FLASH, 0x10000, 0x400)
    assert memory_map("") == ()


# --- the wire


@pytest.mark.parametrize("features", ["", "QStartNoAckMode+"])
@pytest.mark.parametrize("fault", [{"refused": 2}, {"damaged": 2}])
def test_a_disturbed_line_is_tried_again(features: str, fault: dict[str, Any]) -> None:
    stub = ScriptedStub(features=features, **fault)
    client = StubClient(stub)
    stub.set_word(RAM, 0x1234_5678)
    assert client.word(RAM) == 0x1234_5678


@pytest.mark.parametrize("fault", [{"refused": 3}, {"damaged": 3}])
def test_a_line_that_stays_disturbed_is_given_up(fault: dict[str, Any]) -> None:
    with pytest.raises(BoardLostError, match="3 times: the line to it is disturbed"):
        StubClient(ScriptedStub(**fault))


def test_no_acknowledgements_once_both_agree() -> None:
    client, plain = StubClient(ScriptedStub()), StubClient(ScriptedStub(features=""))
    assert not client._stream.acknowledged
    assert plain._stream.acknowledged


def test_a_connection_that_ends_is_told() -> None:
    stub = ScriptedStub(lost_at="m")
    client = StubClient(stub)
    with pytest.raises(BoardLostError):
        client.read(RAM, 4)


def test_an_answer_that_never_comes_is_told() -> None:
    stub = ScriptedStub(silent_at="m")
    client = StubClient(stub)
    with pytest.raises(BoardSilentError):
        client.read(RAM, 4)


def test_what_is_no_stub_is_told() -> None:
    stub = ScriptedStub()
    stub._reply = lambda text, packet: b"220 mail.example.org"  # type: ignore[method-assign]
    with pytest.raises(BoardLostError, match="does not answer as a debugger does"):
        StubClient(stub)


# --- the target


def test_memory_that_is_not_there_is_refused_with_the_address() -> None:
    client = StubClient(ScriptedStub())
    with pytest.raises(BoardError, match=r"cannot read 4 bytes at 0x30000000"):
        client.word(0x3000_0000)
    with pytest.raises(BoardError, match=r"cannot write 4 bytes at 0x30000000"):
        client.write_word(0x3000_0000, 0)


@pytest.mark.parametrize("hardware", [True, False])
def test_a_breakpoint_is_set_and_taken_away(hardware: bool) -> None:
    stub = ScriptedStub(knows_hardware_breakpoints=hardware)
    client = StubClient(stub)
    clear = client.set_breakpoint(RAM, 2)
    assert stub.breakpoints == {RAM}
    client.resume()
    assert client.wait() == 5
    clear()
    assert not stub.breakpoints


def test_a_target_that_runs_on_can_be_interrupted() -> None:
    stub = ScriptedStub(never_stops=True)
    client = StubClient(stub)
    client.resume()
    with pytest.raises(BoardSilentError):
        client.wait()
    assert client.interrupt() == 2
    assert not stub.running


def test_flash_is_erased_by_blocks_and_the_rest_of_them_stays() -> None:
    stub = ScriptedStub()
    stub.memory.update(enumerate(EVERY_BYTE, FLASH + 0x300))
    client = StubClient(stub)
    write_flash(client, FLASH + 0x380, EVERY_BYTE)
    assert client.read(FLASH + 0x300, 0x180) == EVERY_BYTE[:0x80] + EVERY_BYTE
    assert stub.flash_commands[0] == "vFlashErase"
    assert stub.flash_commands[-1] == "vFlashDone"
    stub.flash_commands.clear()
    write_flash(client, FLASH + 0x380, EVERY_BYTE)
    assert stub.flash_commands == []  # it holds that already: flash wears out


def test_flash_that_refuses_is_told() -> None:
    stub = ScriptedStub()
    client = StubClient(stub)
    stub._flash = lambda head, rest, packet: b"E03"  # type: ignore[method-assign]
    with pytest.raises(BoardError, match=r"refused vFlashErase.*locked or protected"):
        write_flash(client, FLASH, b"1")


def test_flash_that_does_not_keep_what_was_written_is_told() -> None:
    stub = ScriptedStub()
    client = StubClient(stub)
    stub._flash = lambda head, rest, packet: b"OK"  # type: ignore[method-assign]
    with pytest.raises(BoardError, match="does not hold what was written"):
        write_flash(client, FLASH, b"1")


def test_flash_is_never_written_without_a_memory_map() -> None:
    client = StubClient(ScriptedStub(features=""))
    with pytest.raises(BoardError, match="names no flash of 1 bytes at 0x8000000"):
        write_flash(client, FLASH, b"1")


@pytest.mark.parametrize("address", ["3333", "localhost:", "localhost:x", "localhost:99999", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="write HOST:PORT"):
        split_address(address)
