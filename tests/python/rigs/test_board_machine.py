# SPDX-License-Identifier: MIT
"""Calls on a board whose stub is a script: what is counted, what is refused, what is put back."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from scripted_stub import ScriptedStub

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.boards import Board, BoardPlatform, platform_of_board
from aesfit.rigs.board.client import BoardError
from aesfit.rigs.board.machine import BoardMachine
from aesfit.rigs.board.session import BoardSession
from aesfit.rigs.board.transport import BoardLostError

BOARD = Board("fake", "nowhere:1", "stm32f103", left="halted")
RAM, RAM_BYTES, STACK = 0x2000_0000, 0x5000, 0x1000
CPUID, IDCODE, ACR = 0xE000_ED00, 0xE004_2000, 0x4002_2000
DWT_CTRL, SYST_CSR = 0xE000_1000, 0xE000_E010
OVERHEAD, OWN = 9, 1234


def cortex_m3(**how: object) -> ScriptedStub:
    """A stub with an STM32F103 of 20 KiB behind it."""
    stub = ScriptedStub(**how)  # type: ignore[arg-type]
    stub.ends = (*stub.ends, range(ACR, ACR + 4))
    stub.set_word(CPUID, 0x411F_C231)
    stub.set_word(IDCODE, 0x2003_6410)
    stub.set_word(ACR, 0x32)
    stub.set_word(DWT_CTRL, 0)
    stub.set_word(SYST_CSR, 0)
    stub.on_run = counts(lambda: OWN)
    return stub


def counts(own: Callable[[], int], down: bool = False) -> Callable[[ScriptedStub], None]:
    """What the instructions in RAM do: they leave two readings of the counter in registers."""

    def run(stub: ScriptedStub) -> None:
        empty, spin = (stub.registers[15] + at | 1 for at in (20, 22))
        entry = stub.registers[5]
        turns = 3 * stub.registers[0]
        spent = OVERHEAD + (0 if entry == empty else turns if entry == spin else own())
        stub.registers[6] = start = 0x00FF_FF00 if down else 0xFFFF_FF00
        stub.registers[5] = (start - spent if down else start + spent) % (1 << 32)
        stub.registers[0] = 7

    return run


def platform(**changed: object) -> BoardPlatform:
    """The board's platform."""
    return platform_of_board(replace(BOARD, **changed))  # type: ignore[arg-type]


def machine(stub: ScriptedStub, **changed: object) -> BoardMachine:
    """A machine with an image of `transposed`."""
    where = platform(**changed)
    job = Job(where, "transposed", 128, "encrypt-block")
    return BoardMachine(BoardSession(where, stub), build.build(job).elf)


def test_the_empty_call_is_subtracted_and_the_counter_may_pass_its_end() -> None:
    done = machine(cortex_m3()).call("rig_encrypt_block", 1, 2, 3, 4)
    assert (done.cycles, done.result) == (OWN, 7)


def test_arguments_go_into_registers_and_beyond_onto_the_stack() -> None:
    stub = cortex_m3()
    seen = []
    fake = machine(stub)
    stub.on_run = lambda stub: seen.append(dict(stub.registers))
    fake.call("rig_encrypt_block", 1, 2, 3, 0xFFFF_FFFF, 5, 6)
    (registers,) = seen
    top = registers[13]
    assert [registers[n] for n in range(4)] == [1, 2, 3, 0xFFFF_FFFF]
    assert registers[5] == fake.symbol("rig_encrypt_block") | 1
    assert top == RAM + RAM_BYTES - 16
    assert [stub.word(top), stub.word(top + 4)] == [5, 6]
    assert registers[25] & 1 << 24  # Thumb state


def test_systick_counts_down_and_says_when_it_has_passed_its_end() -> None:
    stub = cortex_m3()
    stub.on_run = counts(lambda: OWN, down=True)
    fake = machine(stub, counter="systick")
    assert fake.call("rig_encrypt_block").cycles == OWN
    run = stub.on_run

    def wrapped(stub: ScriptedStub) -> None:
        run(stub)
        stub.set_word(SYST_CSR, 1 << 16)

    stub.on_run = wrapped
    with pytest.raises(BoardError, match="more than the 16777216 cycles that SysTick"):
        fake.call("rig_encrypt_block")


def test_a_counter_that_the_processor_lacks_is_not_used() -> None:
    stub = cortex_m3()
    stub.set_word(DWT_CTRL, 1 << 25)
    stub.on_run = counts(lambda: OWN, down=True)
    assert machine(stub).counter_title == "SysTick, 24 bits"


def test_a_counter_that_stands_still_is_an_error() -> None:
    stub = cortex_m3()
    stub.on_run = lambda stub: stub.registers.update({5: 3, 6: 3})
    with pytest.raises(BoardError, match="CYCCNT of the DWT stands still on board:fake"):
        machine(stub)


def test_a_counter_of_another_clock_is_an_error() -> None:
    stub = cortex_m3()

    def slow(stub: ScriptedStub) -> None:
        stub.registers.update({6: 0, 5: stub.registers[0] // 8})

    stub.on_run = slow
    with pytest.raises(BoardError, match="does not count the processor's cycles"):
        machine(stub)


# --- what does not fit


def test_data_that_does_not_fit_is_refused_with_the_numbers() -> None:
    fake = machine(cortex_m3())
    with pytest.raises(BoardError, match=r"takes \d+ bytes of RAM.* has 20480, of which 4096"):
        fake.reserve(0x4000)


def test_an_image_that_does_not_fit_is_refused_with_the_numbers() -> None:
    with pytest.raises(BoardError, match=r"the image takes \d+ bytes.* has 2048, of which 512"):
        machine(cortex_m3(), ram_start=RAM, ram_bytes=2048)


def test_a_stack_that_is_too_small_is_an_error() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    stub.on_run = lambda stub: stub.set_word(RAM + RAM_BYTES - STACK, 1)
    with pytest.raises(BoardError, match="more than the 4096 bytes"):
        fake.call("rig_encrypt_block")


def test_how_deep_the_stack_was_is_seen() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    fake.watches_stack = True
    stub.on_run = lambda stub: stub.set_word(RAM + RAM_BYTES - 100, 1)
    assert fake.call("rig_encrypt_block").stack_bytes == 100


def test_flash_is_written_only_where_that_was_asked_for() -> None:
    stub = cortex_m3()
    where = platform(write_flash=True)
    elf = build.build(Job(where, "transposed", 128, "encrypt-block")).elf
    refused = BoardSession(platform(), stub)
    with pytest.raises(BoardError, match="only where a board was added with --write-flash"):
        BoardMachine(refused, elf)
    assert stub.flash_commands == []
    assert BoardMachine(BoardSession(where, stub), elf).call("rig_encrypt_block").cycles == OWN
    assert stub.flash_commands


# --- what goes wrong


def test_a_call_that_does_not_return_is_stopped_and_told() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    stub.never_stops = True
    stub.registers[25] = 3
    with pytest.raises(BoardLostError, match=r"did not return in time.*it is in exception 3"):
        fake.call("rig_encrypt_block")
    assert not stub.running
    assert not stub.breakpoints


def test_an_impatient_user_finds_the_board_halted() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    stub.never_stops = True
    receive = stub.receive

    def impatient(seconds: float) -> bytes:
        if stub.running and not stub._out:
            raise KeyboardInterrupt
        return receive(seconds)

    stub.receive = impatient  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        fake.call("rig_encrypt_block")
    assert not stub.running
    assert not stub.breakpoints


def test_a_target_that_stops_elsewhere_was_reset() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    run = stub._run

    def reset() -> None:
        run()
        stub.registers[15] = 0x0800_0100

    stub._run = reset  # type: ignore[method-assign]
    with pytest.raises(BoardLostError, match=r"stopped elsewhere, at 0x8000100.*it was reset"):
        fake.call("rig_encrypt_block")


def test_a_cable_that_is_pulled_is_told() -> None:
    stub = cortex_m3()
    fake = machine(stub)
    stub.lost_at = "vCont;c"
    with pytest.raises(BoardLostError):
        fake.call("rig_encrypt_block")


@pytest.mark.parametrize("how", [{"knows_p": False}, {"features": ""}, {"knows_x": False}])
def test_a_stub_that_knows_little_does(how: dict[str, object]) -> None:
    assert machine(cortex_m3(**how)).call("rig_encrypt_block").cycles == OWN


@pytest.mark.parametrize(
    ("address", "word", "sentence"),
    [
        (CPUID, 0x410F_C241, "its processor says part 0xc24, and a cortex-m3 says 0xc23"),
        (IDCODE, 0x413, "identifies itself as 0x413, not 0x410 or"),
    ],
)
def test_another_chip_is_told(address: int, word: int, sentence: str) -> None:
    stub = cortex_m3()
    stub.set_word(address, word)
    with pytest.raises(BoardLostError, match=sentence):
        BoardSession(platform(), stub)
    assert stub.closed


def test_a_chip_with_less_ram_is_told() -> None:
    stub = cortex_m3()
    stub.ends = (range(RAM, RAM + 0x2800), *stub.ends[1:])
    with pytest.raises(BoardLostError, match=r"shows no RAM at 0x20004ff0.*locked"):
        BoardSession(platform(), stub)


def test_a_locked_chip_is_told() -> None:
    with pytest.raises(BoardLostError, match=r"cannot be examined.*is it locked"):
        BoardSession(platform(), cortex_m3(locked=True))


# --- as it was found


@pytest.mark.parametrize("left", ["halted", "running"])
def test_everything_is_put_back(left: str) -> None:
    stub = cortex_m3()
    stub.memory.update((RAM + n, n * 7 % 256) for n in range(RAM_BYTES))
    stub.registers.update((n, 1000 + n) for n in stub.registers)
    memory, registers = dict(stub.memory), dict(stub.registers)
    where = platform(left=left)
    session = BoardSession(where, stub)
    job = Job(where, "transposed", 128, "encrypt-block")
    fake = BoardMachine(session, build.build(job).elf)
    fake.write(fake.reserve(1000), bytes(1000))
    fake.call("rig_encrypt_block", 1, 2, 3, 4, 5)
    changed = [at for at in range(RAM, RAM + RAM_BYTES) if stub.memory[at] != memory[at]]
    assert len(changed) > STACK
    session.close()
    assert {at: stub.memory[at] for at in memory} == memory
    assert stub.registers == registers
    assert stub.running == (left == "running")
    assert not stub.breakpoints
    assert stub.closed


def test_interrupts_stay_masked_while_ram_is_in_use() -> None:
    stub = cortex_m3()
    session = BoardSession(platform(), stub)
    assert stub.registers[90] == 1
    session.close()
    assert stub.registers[90] == 0


def test_the_wait_states_are_those_that_are_set() -> None:
    session = BoardSession(platform(), cortex_m3())
    assert session.wait_states == 2
    assert session.settings() == ("FLASH_ACR 0x00000032: LATENCY 2, HLFCYA 0, PRFTBE 1, PRFTBS 1",)
