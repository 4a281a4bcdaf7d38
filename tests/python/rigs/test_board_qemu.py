# SPDX-License-Identifier: MIT
"""The board rig on emulated boards: right outputs, and counts that an emulator makes repeatable."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from qemu_board import qemu_board

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.boards import Board, BoardPlatform, platform_of_board
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of, why_not
from aesfit.rigs.board.client import BoardError
from aesfit.rigs.board.machine import BoardMachine
from aesfit.rigs.board.rig import NoCyclesError, cycles_of
from aesfit.rigs.board.session import BoardSession, close_session, session_of
from aesfit.rigs.board.transport import SocketTransport
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.firing import firing_of

QUIET = {"left": "halted", "timeout_seconds": 100_000}
"""Without firmware there is nothing to run; nothing is judged by how long it takes."""
VIRT_RAM = {"ram_start": 0x8000_0000, "ram_bytes": 1 << 16}
TICK_NS, INSTRUCTION_NS = 40, 64
"""Of SysTick at 25 MHz on mps2-an385, and of -icount shift=6."""


@contextmanager
def board(machine: str, platform: str, *options: str, **facts: object) -> Iterator[BoardPlatform]:
    """The platform of an emulated board, put back and left halted at the end."""
    with qemu_board(machine, *options) as address:
        made = Board("qemu", address, platform, **QUIET, **facts)  # type: ignore[arg-type]
        found = platform_of_board(made)
        try:
            yield found
        finally:
            close_session(found)


def jobs(platform: BoardPlatform) -> list[Job]:
    """A block of a core with tables, a message of one without."""
    return [
        Job(platform, "transposed", 128, "encrypt-block"),
        Job(platform, "fixslice", 256, "both", mode="gcm", bytes=33),
        Job(platform, "ttable4", 128, "encrypt", mode="ccm", bytes=17),
    ]


def instructions(job: Job, number: int) -> int:
    """That the emulator executes of the job's own image, without the return of each call."""
    firing = firing_of(job)
    emulated = Machine(build.build(firing.job).elf, job.platform)
    return sum(one.instructions - 1 for one in firing.fire(emulated, number))


def test_without_a_counter_outputs_are_compared_and_no_cycles_are_told() -> None:
    with board("netduino2", "stm32f103") as platform:
        assert why_not(platform) is None
        for job in jobs(platform):
            with pytest.raises(NoCyclesError, match="outputs are right for 4 secrets, and no cyc"):
                rig_of(platform).measure([job], lambda done, total: None)


def test_mcycle_counts_what_was_executed() -> None:
    """QEMU's mcycle counts instructions under -icount, so the count is that of the emulator."""
    options = ("-bios", "none", "-icount", "shift=0")
    with board("virt", "rv32im-e31", *options, counter="mcycle", **VIRT_RAM) as platform:
        for job in jobs(platform):
            firing = firing_of(job)
            machine = BoardMachine(session_of(platform), build.build(firing.job).elf)
            for number in range(2):
                assert cycles_of(firing, machine, number) == instructions(job, number)


def test_systick_counts_what_was_executed() -> None:
    with board("mps2-an385", "cortex-m3", "-icount", "shift=6", counter="systick") as platform:
        for job in jobs(platform)[:1]:
            firing = firing_of(job)
            machine = BoardMachine(session_of(platform), build.build(firing.job).elf)
            wanted = instructions(job, 0) * INSTRUCTION_NS / TICK_NS
            assert cycles_of(firing, machine, 0) == pytest.approx(wanted, abs=4)


def test_rows_say_what_they_rest_on() -> None:
    options = ("-icount", "shift=0")
    with board("sifive_e", "fe310", *options, counter="mcycle") as platform:
        job = Job(platform, "transposed", 128, "encrypt-block")
        (row,) = rig_of(platform).measure([job], lambda done, total: None)
        assert row.cycles == row.cycles_median == row.cycles_max == instructions(job, 0)
        assert row.secrecy.kind == "depends"  # equal cycles of a core that claims nothing
        assert "cycles equal over 4 secrets; the least of 30 runs" in row.provenance.window
        assert "of QEMU, so no cycles of a processor" in row.provenance.memory
        assert row.instructions is None


def test_what_does_not_fit_is_refused_with_the_numbers() -> None:
    with board("sifive_e", "fe310", "-icount", "shift=0", counter="mcycle") as platform:
        job = Job(platform, "fixslice", 128, "message", mode="gcm", bytes=64)
        with pytest.raises(BoardError, match=r"takes \d+ bytes of RAM, and board:qemu has 16384"):
            rig_of(platform).measure([job], lambda done, total: None)


def test_a_counter_that_qemu_lacks_stands_still() -> None:
    with board("netduino2", "stm32f103", counter="dwt") as platform:
        job = Job(platform, "transposed", 128, "encrypt-block")
        with pytest.raises(BoardError, match="CYCCNT of the DWT stands still"):
            rig_of(platform).measure([job], lambda done, total: None)


def test_another_processor_is_told() -> None:
    with board("netduino2", "stm32f407") as platform:
        assert "says part 0xc23, and a cortex-m4 says 0xc24" in str(why_not(platform))


def test_the_board_is_as_it_was() -> None:
    with qemu_board("netduino2") as address:
        found = Board("qemu", address, "stm32f103", **QUIET)  # type: ignore[arg-type]
        platform = platform_of_board(found)
        ram = platform.memory("ram")
        before = BoardSession(platform, SocketTransport(address, 100_000))
        pattern = bytes(n * 7 % 256 for n in range(ram.size))
        before.client.write(ram.start, pattern)
        before.client.close()
        job = Job(platform, "transposed", 128, "encrypt-block")
        with pytest.raises(NoCyclesError):
            rig_of(platform).measure([job], lambda done, total: None)
        close_session(platform)
        after = BoardSession(platform, SocketTransport(address, 100_000))
        assert after.client.read(ram.start, ram.size) == pattern
        assert after._found.registers == before._found.registers
        after.close()


def test_nobody_who_listens_is_told() -> None:
    with socket.socket() as bound:  # and so it belongs to nobody else
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        platform = platform_of_board(Board("gone", address, "stm32f103"))
        reason = why_not(platform)
    assert f"no debugger listens at {address}" in str(reason)


def test_a_board_is_its_chip_without_a_model() -> None:
    platform = platform_of_board(Board("any", "nowhere:1", "stm32f407"))
    chip = platform_named("stm32f407")
    assert (platform.rig, platform.timing, platform.chip) == ("board", None, None)
    assert platform.compiler == chip.compiler
    assert platform.home("code").name == "ram"
