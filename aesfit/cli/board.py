# SPDX-License-Identifier: MIT
"""`aesfit board`: your own boards, measured through their debugger."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from ..api.arguments import check_key_bits, check_messages
from ..jobs.job import Job
from ..measuring.board_check import BoardCheck, BoardFacts
from ..measuring.board_check import check as run
from ..platforms.boards import (
    COUNTER_NAMES,
    LEFT,
    MOST_SECONDS,
    PREFIX,
    SECONDS,
    Board,
    BoardPlatform,
    add_board,
    board_named,
    boards,
    platform_of_board,
    remove_board,
)
from ..rigs.board.transport import split_address
from ..units import parse_clock, parse_size
from .common import (
    Align,
    able_cores,
    check_output,
    console,
    ghash_named,
    mode_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    usage,
    write_file,
)
from .declared import Argument, Option
from .options import Ghash, Json, KeyBits
from .verbs import VerbGroup

Name = Annotated[str, Argument(metavar="NAME", help="Name of the board.")]
_BOARDS: tuple[tuple[str, Align], ...] = (
    ("board", "<"),
    ("platform", "<"),
    ("debugger", "<"),
    ("counter", "<"),
    ("clock", ">"),
    ("images in", "<"),
)
_COMPARED: tuple[tuple[str, Align], ...] = (
    ("core", "<"),
    ("op", "<"),
    ("board", ">"),
    ("model", ">"),
    ("apart", ">"),
)


@dataclass(frozen=True)
class ChipOfBoardOptions:
    """The chip."""

    ram: Annotated[
        str | None,
        Option(
            metavar="<start:size>",
            help="RAM to use: start and bytes, as 0x20000000:16K. [the chip's]",
        ),
    ] = None
    counter: Annotated[
        str | None,
        Option(metavar="|".join(COUNTER_NAMES), help="Cycle counter to use. [the chip's best]"),
    ] = None
    clock: Annotated[
        str | None,
        Option(metavar="<16MHz>", help="Clock of the board in Hz, kHz or MHz. [the chip's]"),
    ] = None


@dataclass(frozen=True)
class DebuggerOptions:
    """The debugger."""

    timeout: Annotated[
        int,
        Option(metavar="<s>", help="Seconds to wait for an answer.", min=1, max=MOST_SECONDS),
    ] = SECONDS
    leave: Annotated[
        str, Option(metavar="|".join(LEFT), help="State of the processor at the end.")
    ] = LEFT[0]
    write_flash: Annotated[
        bool,
        Option("--write-flash", help="Write images into flash instead of RAM."),
    ] = False
    monitor: Annotated[
        list[str] | None,
        Option(
            metavar="<cmd>",
            help="Command for the server each time aesfit connects; repeatable. [none]",
        ),
    ] = None


def add(
    name: Name,
    gdb: Annotated[
        str,
        Option("--gdb", metavar="<host:port>", help="Address of its debugger's server."),
    ],
    platform: Annotated[str, Option(metavar="<chip>", help="Chip on the board.")],
    chip: ChipOfBoardOptions,
    debugger: DebuggerOptions,
) -> None:
    """Add or change a board, without connecting to it."""
    with usage("--gdb"):
        if not gdb.startswith("unix:"):
            split_address(gdb)
    with usage("--ram"):
        start, size = _ram(chip.ram)
    with usage("--clock"):
        clock = None if chip.clock is None else round(parse_clock(chip.clock))
    with usage():
        path = add_board(
            Board(
                name=name,
                gdb=gdb,
                platform=platform,
                ram_start=start,
                ram_bytes=size,
                counter=chip.counter,
                clock_hz=clock,
                timeout_seconds=debugger.timeout,
                left=debugger.leave,
                write_flash=debugger.write_flash,
                monitor=tuple(debugger.monitor or ()),
            )
        )
    out = console()
    print_text(out, f"{path} written")
    print_text(out, f"next: aesfit board check {name}", style="bold")


def _ram(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    start, _, size = text.partition(":")
    try:
        return int(start, 0), parse_size(size)
    except ValueError:
        raise ValueError(f"'{text}' is not RAM; write START:SIZE, as 0x20000000:16K") from None


def list_boards(as_json: Json = False) -> None:
    """List your boards."""
    found = boards()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    if not found:
        print_text(console(), "no boards; add one: aesfit board add NAME --gdb HOST:PORT ...")
        return
    print_table(console(), _BOARDS, [_listed(one) for one in found])


def _listed(board: Board) -> tuple[str, ...]:
    return (
        PREFIX + board.name,
        board.platform,
        board.gdb,
        board.counter or "automatic",
        "-" if board.clock_hz is None else f"{board.clock_hz / 1e6:g} MHz",
        "flash" if board.write_flash else "RAM",
    )


def remove(name: Name) -> None:
    """Remove a board from the list."""
    with usage():
        remove_board(name)
    print_text(console(), f"{name} removed")


def _board(name: str) -> BoardPlatform:
    with usage():
        return platform_of_board(board_named(name.removeprefix(PREFIX)))


def check(
    name: Name,
    save: Annotated[
        Path | None,
        Option("--output", "-o", metavar="<file.json>", help="Save the table as JSON. [none]"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the board's settings, and compare it with the model over twenty jobs."""
    check_output(save, "--output", (".json",))
    platform = _board(name)
    with progress_bar("measuring 20 jobs on the board", quiet=as_json):
        found = run(platform)
    if save is not None:
        write_file(save, (json.dumps(found.as_json(), indent=1) + "\n").encode())
    if as_json:
        print_json(found.as_json())
    else:
        _show(found)


def _show(found: BoardCheck) -> None:
    out = console()
    for line in _facts(found.facts):
        print_text(out, line)
    if found.largest is None:
        for why in dict.fromkeys(one.why for one in found.jobs):
            print_text(out, f"{sum(one.why == why for one in found.jobs)} jobs: {why}")
        return
    rows = [
        (
            one.core,
            one.op if one.mode is None else f"{one.mode} {one.op}, {one.bytes} bytes",
            "-" if one.board is None else str(one.board),
            "-" if one.model is None else str(one.model),
            "-" if one.apart is None else f"{100 * one.apart:+.1f} %",
        )
        for one in found.jobs
    ]
    print_table(out, _COMPARED, rows)
    for why in dict.fromkeys(one.why for one in found.jobs if one.why):
        print_text(out, f"not compared: {why}")
    print_text(out, f"model: {found.model}; {found.compiler}", style="dim")
    print_text(out, f"at most {100 * found.largest:.1f} % apart", style="bold")


def _facts(facts: BoardFacts) -> list[str]:
    clock = "unknown (give --clock)" if facts.clock_mhz is None else f"{facts.clock_mhz:g} MHz"
    counter = facts.counter or f"none: {facts.why_no_cycles}"
    lines = [
        f"{PREFIX}{facts.board}: {facts.platform}, images in {facts.code_in}",
        f"counter: {counter}",
        f"clock: {clock}",
    ]
    if facts.emulated and facts.counter:
        lines.append("QEMU replaces the board: these are not cycles of a processor")
    return lines + [f"flash: {one}" for one in facts.settings or ("its registers cannot be read",)]


@dataclass(frozen=True)
class TriedOptions:
    """The job."""

    core: Annotated[str, Option(metavar="<core>", help="Core to try.")]
    mode: Annotated[
        str | None, Option(metavar="<mode>", help="Mode of the message. [blocks alone]")
    ] = None
    message_bytes: Annotated[
        int, Option("--bytes", metavar="<n>", help="Payload bytes of the message.", min=1)
    ] = 64
    key_bits: KeyBits = 128
    ghash: Ghash = None

    def job(self, platform: BoardPlatform) -> Job:
        """The one job; a usage error for what cannot run."""
        able_cores(platform, [self.core])
        mode = None if self.mode is None else mode_named(self.mode)
        job = Job(
            platform,
            self.core,
            self.key_bits,
            "encrypt" if mode else "encrypt-block",
            mode=mode,
            bytes=self.message_bytes if mode else None,
            ghash=ghash_named(self.ghash, platform),
        )
        with usage():
            check_key_bits(self.key_bits)
            check_messages([job])
        return job


def secrets(
    name: Name,
    tried: TriedOptions,
    number: Annotated[
        int, Option("--secrets", metavar="<n>", help="Keys and texts to try.", min=4)
    ] = 10_000,
    as_json: Json = False,
) -> None:
    """Compare the cycles of fixed and of random secrets by a t-test."""
    platform = _board(name)
    job = tried.job(platform)
    from ..measuring.board_secrets import try_secrets  # start-up time

    with progress_bar(f"trying {number} secrets", quiet=as_json) as progress:
        found = try_secrets(job, number, progress)
    if as_json:
        print_json(found.as_json())
    else:
        print_text(console(), found.sentence)


app = VerbGroup(
    "board",
    "Measure on your own boards through OpenOCD, probe-rs, pyOCD, J-Link or QEMU.",
    {"add": add, "list": list_boards, "remove": remove, "check": check, "secrets": secrets},
)
