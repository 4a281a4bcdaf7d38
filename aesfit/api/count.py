# SPDX-License-Identifier: MIT
"""`aesfit.count`: cycles of any function of any ELF file."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..counting.arguments import LIMIT, parse
from ..errors import about
from .arguments import (
    Files,
    PlatformLike,
    chip_of,
    files_of,
    need_emulator,
    platform_of,
    text_of,
    whole,
)

if TYPE_CHECKING:
    from ..counting.count import Count, Look


def count(  # long: what each argument means is said once, here
    platform: PlatformLike,
    *,
    elf: Files,
    function: str,
    arguments: Iterable[str | int | bytes] = (),
    repeat: int = 1,
    clock_hz: float | None = None,
    buffers: str | None = None,
    flash_wait: int | None = None,
    max_instructions: int = LIMIT,
    include_call: bool = False,
    look: "Look | None" = None,
) -> "Count":
    """Count cycles, instructions, loads, stores and stack of your own function.

    Source: docs/measuring.md says what is counted, and what the timing models cover.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`.
        elf: an executable, or one or more objects to link.
        function: the function to call.
        arguments: in order; an int is a 32-bit value, bytes are a pointer to a copy of them, a text
            is as on the command line: "buf:64", "out:16", "inout:00ff", "file:PATH", "same:1" ...
        repeat: number of calls; memory keeps its contents between them.
        clock_hz: clock of a chip in Hz, which sets the wait states of its flash; its highest by
            default.
        buffers: setting of the chip's flash buffers: "usual", "reset" or "uniform".
        flash_wait: wait states of flash, in cycles.
        max_instructions: limit of instructions in one call.
        include_call: include the caller's call instruction, as many published figures do.
        look: called with the path of the linked image, while it is there, and with where the
            cycles of the last call went.

    Returns:
        Count: figures of the last call: `cycles`, `instructions`, `loads`, `stores`, `stack_bytes`,
        the `result` and the `outputs` as bytes by position from 1; `runs` has the cycles of every
        call.  `as_json()` is what `aesfit count --json` prints under its head; `rows` is flat.

    Raises:
        ValueError: files, function, arguments and platform do not fit each other.
        TypeError: an argument is of a wrong kind.
        RuntimeError: the function did not run to its end, or the timing model has no rule for it.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    with about():
        where = chip_of(platform_of(platform), clock_hz, buffers)
        with about("arguments"):
            given = parse([text_of(one) for one in arguments])
        need_emulator()
        from ..counting.count import count as run  # it cannot be imported without the extra

        return run(
            where,
            files_of(elf),
            function,
            given,
            repeat=whole("repeat", repeat) or 1,
            flash_wait=whole("flash_wait", flash_wait, 0),
            limit=whole("max_instructions", max_instructions) or LIMIT,
            include_call=include_call,
            look=look,
        )
