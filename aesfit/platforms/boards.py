# SPDX-License-Identifier: MIT
"""Boards of the user: where each is reached and which chip it carries.

A board is a file of data in the user's folder, boards/<name>.toml, which `aesfit board add`
writes.  No program is named in it, and none is run.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import unknown
from .chip import Chip
from .find import platform_named
from .memory import CONTENTS, Memory
from .platform import Platform
from .suggest import unknown_platform
from .toml_file import PlatformError, Quantity, TomlTable, read_bytes, read_table

PREFIX = "board:"
"""Before the name of a board where a platform is named."""
COUNTER_NAMES = ("dwt", "systick", "mcycle", "none")
LEFT = ("running", "halted")
SECONDS, MOST_SECONDS = 10, 1_000_000
"""That an answer may take, unless told otherwise."""
_LONGEST_COMMAND = 100
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_KEYS = ("gdb", "platform", "ram_start", "ram_bytes", "counter", "clock_hz", "timeout_seconds")
_FLAGS = ("left", "write_flash", "monitor")
_ISAS = (
    *("armv4t", "armv6-m", "armv7-m", "armv7e-m", "armv8-m.main"),
    *("rv32i", "rv32im", "rv32ec", "rv32imb"),
)


@dataclass(frozen=True)
class Board:
    """A board on the desk."""

    name: str
    gdb: str
    """HOST:PORT of its debugger, or unix:PATH."""
    platform: str
    """The chip that it carries, or its processor."""
    ram_start: int | None = None
    """With `ram_bytes`: RAM to use; None: what the chip's file says."""
    ram_bytes: int | None = None
    counter: str | None = None
    """One of COUNTER_NAMES; None: what the processor has."""
    clock_hz: int | None = None
    """At which the user says that it runs."""
    timeout_seconds: int = SECONDS
    left: str = "running"
    """One of LEFT: how its processor is left."""
    write_flash: bool = False
    """Images go into flash; otherwise into RAM, and flash is never written."""
    monitor: tuple[str, ...] = ()
    """Commands for the debugger's own monitor, given when it is reached."""


@dataclass(frozen=True)
class BoardPlatform(Platform):
    """The platform of a board: its chip, without what a model says of its time."""

    board: Board = field(kw_only=True)
    chip_name: str = field(kw_only=True)
    """The chip or processor that models it."""
    processor_name: str = field(kw_only=True)
    """The processor in it."""
    stored: bool = False
    """Rows that were measured on it before may be taken, where they are surely its own."""


def config_folder() -> Path:
    """The user's folder of settings; AESFIT_CONFIG overrides it."""
    given = os.environ.get("AESFIT_CONFIG")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "aesfit"


def _folder() -> Path:
    return config_folder() / "boards"


def boards() -> tuple[Board, ...]:
    """Every board that was added, by name."""
    return tuple(_read(path) for path in sorted(_folder().glob("*.toml")))


def board_named(name: str) -> Board:
    """The board of that name; ValueError names the nearest."""
    path = _folder() / f"{name}.toml"
    if _NAME.fullmatch(name) and path.is_file():
        return _read(path)
    known = [one.stem for one in sorted(_folder().glob("*.toml"))]
    if known:
        raise unknown("board", name, known)
    raise ValueError(
        f"there is no board '{name}'; add it: aesfit board add {name} --gdb HOST:PORT "
        "--platform CHIP"
    )


def add_board(board: Board) -> Path:
    """Keep it, in the place of one of that name; ValueError for what makes no sense."""
    check_board(board)
    facts = {key: value for key, value in asdict(board).items() if value is not None}
    del facts["name"]
    lines = [f"{key} = {json.dumps(value)}" for key, value in facts.items()]
    path = _folder() / f"{board.name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def remove_board(name: str) -> None:
    """Forget a board; ValueError where there is none."""
    board = board_named(name)
    (_folder() / f"{board.name}.toml").unlink()


def check_board(board: Board) -> None:
    """ValueError in one sentence for what cannot be a board."""
    if not _NAME.fullmatch(board.name):
        raise ValueError(
            f"'{board.name}' cannot be the name of a board; take small letters, digits, - and _"
        )
    platform = platform_named(board.platform)
    if platform.isa not in _ISAS or platform.rig not in ("emulator", "rtl"):
        raise ValueError(f"a board with {board.platform} cannot be reached; name a microcontroller")
    if board.counter is not None and board.counter not in COUNTER_NAMES:
        raise unknown("counter", board.counter, COUNTER_NAMES)
    if board.left not in LEFT:
        raise unknown("state", board.left, LEFT)
    for command in board.monitor:
        if not command.strip() or not command.isprintable() or len(command) > _LONGEST_COMMAND:
            raise ValueError(
                f"'{command}' is no command for a debugger's monitor; give one line of at most "
                f"{_LONGEST_COMMAND} characters"
            )
    if not 1 <= board.timeout_seconds <= MOST_SECONDS:
        raise ValueError(
            f"a debugger answers within 1 to {MOST_SECONDS} s, not {board.timeout_seconds}"
        )
    if (board.ram_start is None) != (board.ram_bytes is None):
        raise ValueError("RAM needs both a start and a size: 0x20000000:16K")
    if platform.chip is not None and board.clock_hz is not None:
        _check_clock(platform, platform.chip, board.clock_hz / 1e6)


def _check_clock(platform: Platform, chip: Chip, mhz: float) -> None:
    if mhz > chip.maximum.value:
        raise ValueError(
            f"{platform.title} runs at {chip.maximum.value:g} MHz at most, not {mhz:g}"
        )


def _read(path: Path) -> Board:
    root = read_table(path, read_bytes(path))
    root.only((*_KEYS, *_FLAGS))
    board = Board(path.stem, root.text("gdb"), root.text("platform"), **_options(root))
    try:
        check_board(board)
    except PlatformError:
        raise
    except ValueError as error:
        root.wrong(str(error))
    return board


def _options(root: TomlTable) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for key in ("ram_start", "ram_bytes", "clock_hz", "timeout_seconds"):
        if root.has(key):
            found[key] = root.whole(key, least=0 if key == "ram_start" else 1)
    for key in ("counter", "left"):
        if root.has(key):
            found[key] = root.text(key)
    if root.has("write_flash"):
        found["write_flash"] = root.flag("write_flash")
    if root.has("monitor"):
        found["monitor"] = root.texts("monitor")
    return found


def named(name: str) -> Platform:
    """The platform of that name, or with PREFIX the board; ValueError names the nearest."""
    if name.startswith(PREFIX):
        return platform_of_board(board_named(name.removeprefix(PREFIX)))
    try:
        return platform_named(name)
    except ValueError as error:
        if str(error).startswith("there is no platform "):
            raise unknown_platform(name) from None
        raise


def platform_of_board(board: Board) -> BoardPlatform:
    """What is measured there: the chip's code, in the memories that the board gives."""
    chip = platform_named(board.platform)
    own = {one: getattr(chip, one) for one in Platform.__dataclass_fields__}
    facts = (chip.sha256, replace(board, gdb="", name="", timeout_seconds=1, left=""))
    clock = None
    if board.clock_hz is not None:
        clock = Quantity(board.clock_hz / 1e6, "MHz", "as the board was added")
    own |= {
        "name": PREFIX + board.name,
        "title": f"the board {board.name} ({chip.title})",
        "rig": "board",
        "timing": None,
        "clock": clock,
        "memories": _memories(chip, board),
        "caches": (),
        "energy": None,
        "miss_penalty": None,
        "rules": None,
        "chip": None,
        "cpu": None,
        "sha256": hashlib.sha256(repr(facts).encode()).hexdigest(),
    }
    processor = chip.chip.processor if chip.chip else chip.name
    return BoardPlatform(**own, board=board, chip_name=chip.name, processor_name=processor)


def with_stored(platform: Platform, stored: bool) -> Platform:
    """The platform; a board with leave to take rows that were measured on it before."""
    return replace(platform, stored=stored) if isinstance(platform, BoardPlatform) else platform


def check_waits(platform: Platform, flash_wait: int | None) -> None:
    """ValueError where wait states are asked for that only the board itself sets."""
    if flash_wait is not None and isinstance(platform, BoardPlatform):
        raise ValueError(
            f"the flash of {platform.name} waits as its firmware set it; leave the wait states out"
        )


def _memories(chip: Platform, board: Board) -> tuple[Memory, ...]:
    """The chip's; everything in RAM unless flash may be written."""
    at_once = Quantity(0, "cycles", "the board's own, whatever they are")
    found = [replace(one, wait_states=at_once, interface=None) for one in chip.memories]
    if board.ram_start is not None and board.ram_bytes is not None:
        ram = replace(chip.memory("ram"), start=board.ram_start, size=board.ram_bytes)
        found = [ram if one.name == "ram" else one for one in found]
        found = [one for one in found if one is ram or not _meet(one, ram)]
    if board.write_flash:
        return tuple(found)
    return tuple(replace(one, holds=CONTENTS if one.name == "ram" else ()) for one in found)


def _meet(one: Memory, other: Memory) -> bool:
    return one.start < other.start + other.size and other.start < one.start + one.size
