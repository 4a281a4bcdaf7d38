# SPDX-License-Identifier: MIT
"""Boards of the user as data, and what is known of chips for a debugger."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aesfit.platforms import debugging
from aesfit.platforms.boards import (
    Board,
    BoardPlatform,
    add_board,
    board_named,
    boards,
    named,
    platform_of_board,
    remove_board,
)
from aesfit.platforms.debugging import debugging_of
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.places import project_folder
from aesfit.platforms.toml_file import PlatformError

NUCLEO = Board("nucleo", "localhost:3333", "stm32f103")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AESFIT_CONFIG", str(tmp_path))
    return tmp_path / "boards"


def test_a_board_is_kept_with_all_that_was_said() -> None:
    other = Board(
        "f4", "unix:/run/gdb", "stm32f407", 0x2000_0000, 4096, "systick", 16_000_000, 3, "halted",
        True,
    )  # fmt: skip
    add_board(NUCLEO)
    add_board(other)
    assert boards() == (other, NUCLEO)
    assert board_named("f4") == other
    remove_board("f4")
    assert boards() == (NUCLEO,)


def test_a_board_is_a_platform() -> None:
    add_board(NUCLEO)
    found = named("board:nucleo")
    assert isinstance(found, BoardPlatform)
    assert (found.name, found.chip_name, found.processor_name) == (
        "board:nucleo", "stm32f103", "cortex-m3",
    )  # fmt: skip
    assert named("stm32f103") == platform_named("stm32f103")


def test_the_digest_follows_what_the_cycles_depend_on() -> None:
    def digest(board: Board) -> str:
        return platform_of_board(board).sha256

    same = replace(NUCLEO, gdb="elsewhere:1", name="other", timeout_seconds=99)
    assert digest(NUCLEO) == digest(same)
    others = (
        replace(NUCLEO, platform="stm32f407"),
        replace(NUCLEO, counter="systick"),
        replace(NUCLEO, write_flash=True),
    )
    assert len({digest(NUCLEO), *map(digest, others)}) == 1 + len(others)


def test_images_go_into_ram_unless_flash_may_be_written() -> None:
    own = platform_of_board(NUCLEO)
    assert {own.home(what).name for what in ("code", "tables", "data", "stack")} == {"ram"}
    written = platform_of_board(Board("n", "h:1", "stm32f103", write_flash=True))
    assert written.home("code").name == "flash"


def test_ram_that_is_given_stands_for_the_chips() -> None:
    given = Board("n", "h:1", "rv32im-e31", ram_start=0x2000_0000, ram_bytes=512)
    (ram,) = platform_of_board(given).memories  # its flash would lie over it
    assert (ram.name, ram.start, ram.size) == ("ram", 0x2000_0000, 512)


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"name": "Two Words"}, "cannot be the name of a board"),
        ({"name": "../../evil"}, "cannot be the name of a board"),
        ({"platform": "stm32f104"}, "nearest"),
        ({"platform": "x86-64"}, "name a microcontroller"),
        ({"counter": "stopwatch"}, "counter"),
        ({"left": "burning"}, "state"),
        ({"ram_start": 1}, "both a start and a size"),
        ({"clock_hz": 100_000_000}, "runs at 72 MHz at most, not 100"),
    ],
)
def test_what_is_no_board_is_refused(facts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        add_board(Board(**(vars(NUCLEO) | facts)))
    assert boards() == ()


def test_an_unknown_board_is_told_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="aesfit board add nucleo --gdb"):
        named("board:nucleo")
    add_board(NUCLEO)
    with pytest.raises(ValueError, match="the nearest is 'nucleo'"):
        named("board:nuclea")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('gdb = "a:1"\nplatform = "stm32f103"\nrun = "rm -rf /"\n', "allowed are gdb"),
        ('gdb = "a:1"\n', "lacks the key 'platform'"),
        ('gdb = "a:1"\nplatform = "stm32f103"\nwrite_flash = 1\n', "true or false"),
        ('gdb = "a:1"\nplatform = "stm32f103"\ncounter = "x"\n', "counter"),
        ("gdb = ", "not TOML"),
    ],
)
def test_a_file_is_read_strictly(folder: Path, text: str, sentence: str) -> None:
    folder.mkdir()
    (folder / "nucleo.toml").write_text(text)
    with pytest.raises(PlatformError, match=rf"nucleo.toml:\d: .*{sentence}"):
        named("board:nucleo")


# --- what a debugger finds


FILES = sorted((project_folder("platforms") / "debug").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_file_for_debuggers_belongs_to_a_chip_and_makes_sense(path: Path) -> None:
    known = debugging_of(path.stem)
    chip = next(one for one in platforms() if one.name == path.stem)
    assert chip.chip
    if known.timer is not None:
        assert known.timer.cycles_per_tick * (1 << known.timer.bits) > 1 << 16
    for register in known.registers:
        used = [bit for one in register.fields for bit in range(one.low, one.low + one.width)]
        assert used
        assert len(used) == len(set(used))
        assert max(used) < 32
        assert register.source
    places = [one.address for one in known.registers]
    assert len(places) == len(set(places))
    if known.unique is not None:
        assert len(set(known.unique.words)) == len(known.unique.words) >= 2
        assert all(address % 4 == 0 and address < 1 << 32 for address in known.unique.words)
    if known.wait_states is not None:  # the widest wait states of the chip fit the field
        name, part = known.wait_states
        fields = {one.name: one for reg in known.registers for one in reg.fields}
        assert name in {one.name for one in known.registers}
        most = max(one.cycles for one in chip.chip.waits)
        assert most < 1 << fields[part].width


def test_a_chip_without_a_file_has_nothing() -> None:
    assert debugging_of("picorv32") == debugging.Debugging()


def test_most_chips_show_their_number_and_how_flash_and_clock_are_set() -> None:
    """The others have no such number, or show it to their own code alone."""
    complete = {
        path.stem
        for path in FILES
        if debugging_of(path.stem).unique
        and {one.kind for one in debugging_of(path.stem).registers} == {"flash", "clock"}
    }
    assert complete == {
        *("ch32v003", "nrf52840", "nrf5340", "rp2350", "stm32f103", "stm32f407"),
        *("stm32g431", "stm32l053", "stm32l476", "stm32u575"),
    }
    flash = {path.stem for path in FILES if debugging_of(path.stem).registers}
    assert flash - complete == {
        *("at91sam7s256", "fe310", "lpc1768", "rp2040", "samd21", "stm32f030"),
    }


def test_a_register_in_words() -> None:
    register = debugging_of("stm32f407").registers[0]
    assert register.told(0x705) == "FLASH_ACR 0x00000705: LATENCY 5, PRFTEN 1, ICEN 1, DCEN 1"
