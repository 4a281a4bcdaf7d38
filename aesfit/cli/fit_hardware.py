# SPDX-License-Identifier: MIT
"""What `aesfit fit` says of a chip's AES engines."""

from ..choosing.answer import Answer
from ..choosing.engines import EngineRow, crossings_told
from ..units import count
from .common import Align, print_table, print_text
from .console import Console

_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("engine", "<"),
    ("includes", "<"),
    ("mode", "<"),
    ("bytes", ">"),
    ("cycles", ">"),
    ("core's cycles", ">"),
    ("faster", "<"),
)


def print_hardware(out: Console, answer: Answer) -> None:
    """The engines that can be compared, in a line; the comparison where it was asked for."""
    if not answer.hardware:
        told = answer.no_engine or answer.engines
        if told:
            print_text(out, told, style="" if answer.no_engine else "dim")
        return
    print_table(out, _COLUMNS, [_row(one) for one in answer.hardware])
    for line in crossings_told(answer.hardware, answer.choice.request.platform):
        print_text(out, line)
    print_text(
        out,
        f"core's cycles: of {answer.hardware[0].core}, one message on this platform, keys expanded "
        "before; associated data and "
        "tags of an engine's messages may be shorter",
        style="dim",
    )


def _row(one: EngineRow) -> tuple[str, ...]:
    return (
        f"{one.chip} {one.engine}",
        one.includes,
        f"{one.mode} {one.key_bits}",
        count(one.bytes),
        count(one.engine_cycles),
        "-" if one.software_cycles is None else count(one.software_cycles),
        one.faster or "-",
    )
