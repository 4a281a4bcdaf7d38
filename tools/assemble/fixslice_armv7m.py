# SPDX-License-Identifier: MIT
"""lib/src/assembly/fixslice_armv7m.h: two functions that encrypt or decrypt blocks, two at once.

The rounds' four forms stand in a loop of four rounds, which 10 and 14 rounds leave at one place and
12 at another.  Registers are chosen so that a round leaves the state where the next expects it.
The flags are set once an iteration; none of the rounds' instructions changes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import c_text
from .allocate import Colouring, Listing, colour, read, slots
from .fixslice import pieces
from .program import Program
from .search import ORDERS, Found, checked, load, search
from .targets import armv7m as target

CORE: Final = "fixslice_armv7m"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
ROUND_KEY: Final = 32
"""Bytes of a bit-sliced round key."""
FRAME: Final = {"key": 0, "left": 4, "schedule": 8, "out": 12, "in": 16, "count": 20}
"""Offsets in the stack frame: the key pointer, rounds left, arguments."""
SPILLS: Final = 24
"""Offset of the first spilled value."""
PUSHED: Final = 36
"""Bytes of the registers that the functions save."""
COLUMNS: Final = ("r4", "r5", "r6", "r7", "r8", "r9", "r2", "r3")
"""Where the eight columns are loaded; the last two hold the blocks' addresses until then."""


@dataclass
class Lines:
    """The lines of a function, with the bytes of stack that its spills take."""

    programs: Mapping[str, Program]
    schedules: Mapping[str, Found]
    lines: list[str] = field(default_factory=list)
    frame: int = SPILLS

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def align(self, state: Sequence[str], spare: str) -> None:
        """alignment() in place, with one more register."""
        for low, high in zip(state[:4], state[4:], strict=True):
            self.add(
                f"eor.w {spare}, {low}, {high}",
                f"and.w {spare}, {spare}, #0xff00ff00",
                f"eor.w {low}, {low}, {spare}",
                f"eor.w {high}, {high}, {spare}",
            )


@dataclass
class Text(Lines):
    """Rounds written one after the other.

    Forms 1 and 3 differ in masks and rotations alone, and share a schedule.
    """

    def piece(
        self, name: str, key_at: int, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program = self.programs[name]
        listing = read(program, self.schedules[name.replace("3", "1")].schedule)
        found = colour(listing, entry, leave)
        offsets = {"rk": FRAME["key"]} | slots(listing, SPILLS)
        self.frame = max(self.frame, *(offset + 4 for offset in offsets.values()))
        for at in range(len(listing.items)):
            self.add(_line(listing, found, at, offsets, key_at))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit


def _line(
    listing: Listing, found: Colouring, at: int, offsets: Mapping[str, int], key_at: int
) -> str:
    one, reads = listing.items[at], found.reads[at]
    if one.kind == "store":
        return target.store(reads[0], offsets[one.slot])
    (out,) = found.outs[at]
    if one.operation is None:
        return target.load(out, offsets[one.slot])
    first, second = reads[0], reads[-1] if one.operation.b else ""
    return target.operation(one.operation, out, first, second, key_at + 4 * one.operation.immediate)


def enter() -> tuple[str, ...]:
    """Saves registers and arguments: r0 schedule, r1 out, r2 in, r3 blocks * 16 + rounds.

    For each two blocks then: r3 loses two blocks, r4 is the distance of the second block from the
    first, none if there is only one, and r10 the number of rounds.
    """
    return (
        "push.w {r4-r11, lr}",
        "sub.w sp, sp, #FRAME",
        f"str.w r0, [sp, #{FRAME['schedule']}]",
        "0:",
        "sub.w r3, r3, #32",
        f"str.w r3, [sp, #{FRAME['count']}]",
        *_distance("r4", "r3"),
        "and.w r10, r3, #15",
        f"str.w r1, [sp, #{FRAME['out']}]",
        f"str.w r2, [sp, #{FRAME['in']}]",
        "add.w r3, r2, r4",
    )


def _distance(out: str, count: str) -> tuple[str, str]:
    return (f"mov.w {out}, #16", f"bic.w {out}, {out}, {count}, asr #31")


def columns() -> list[str]:
    """Loads the columns of both blocks in turn, from r2 and r3."""
    return [
        f"ldr.w {reg}, [{('r2', 'r3')[i % 2]}, #{4 * (i // 2)}]" for i, reg in enumerate(COLUMNS)
    ]


def leave(state: Sequence[str]) -> list[str]:
    """Stores the columns; returns, or goes on with the next two blocks."""
    out, count, second = [reg for reg in target.REGISTERS if reg not in state][:3]
    return [
        f"ldr.w {count}, [sp, #{FRAME['count']}]",
        f"ldr.w {out}, [sp, #{FRAME['out']}]",
        *_distance(second, count),
        f"add.w {second}, {second}, {out}",
        *(f"str.w {state[i]}, [{out}, #{2 * i}]" for i in (0, 2, 4, 6)),
        *(f"str.w {state[i]}, [{second}, #{2 * i - 2}]" for i in (1, 3, 5, 7)),
        f"cmp.w {count}, #16",
        "bge.w 9f",
        "add.w sp, sp, #FRAME",
        "pop.w {r4-r11, pc}",
        "9:",
        f"ldr.w r0, [sp, #{FRAME['schedule']}]",
        f"ldr.w r1, [sp, #{FRAME['out']}]",
        f"ldr.w r2, [sp, #{FRAME['in']}]",
        f"ldr.w r3, [sp, #{FRAME['count']}]",
        "add.w r1, r1, #32",
        "add.w r2, r2, #32",
        "b.w 0b",
    ]


def _count(state: Sequence[str], step: int, rounds: int) -> list[str]:
    """The key pointer goes on by `step` bytes, `rounds` fewer are left."""
    key, left = [reg for reg in target.REGISTERS if reg not in state][:2]
    move = f"add.w {key}, {key}, #{step}" if step > 0 else f"sub.w {key}, {key}, #{-step}"
    return [
        f"ldr.w {key}, [sp, #{FRAME['key']}]",
        f"ldr.w {left}, [sp, #{FRAME['left']}]",
        move,
        f"subs.w {left}, {left}, #{rounds}",
        f"str.w {key}, [sp, #{FRAME['key']}]",
        f"str.w {left}, [sp, #{FRAME['left']}]",
    ]


def encryption(text: Text) -> None:
    """Rounds 1, 2, 3, 4 in a loop; N set: left after the first of them, Z: after the third."""
    text.add(
        *enter(),
        *columns(),
        f"str.w r0, [sp, #{FRAME['key']}]",
        "subs.w r10, r10, #4",
        f"str.w r10, [sp, #{FRAME['left']}]",
    )
    top = text.piece("start", 0, (*COLUMNS, "r0"))
    text.add("1:")
    one = text.piece("encrypt1", ROUND_KEY, top)
    text.add("bmi.w 2f")
    two = text.piece("encrypt2", 2 * ROUND_KEY, one)
    three = text.piece("encrypt3", 3 * ROUND_KEY, two, one)
    text.add("beq.w 3f")
    text.piece("encrypt0", 4 * ROUND_KEY, three, top)
    text.add(*_count(top, 4 * ROUND_KEY, 4), "b.w 1b")
    key = next(reg for reg in target.REGISTERS if reg not in one)
    text.add(
        "3:",
        f"ldr.w {key}, [sp, #{FRAME['key']}]",
        f"add.w {key}, {key}, #{2 * ROUND_KEY}",
        f"str.w {key}, [sp, #{FRAME['key']}]",
        "2:",
    )
    state = text.piece("encrypt_last", 2 * ROUND_KEY, one)
    text.add("bpl.w 4f")
    text.align(state, next(reg for reg in target.REGISTERS if reg not in state))
    text.add("4:", *leave(state))


def decryption(text: Text) -> None:
    """Rounds 3, 2, 1, 0 modulo 4 in a loop, entered at 1 by 10 and 14 rounds, at 3 by 12.

    N set: left after round 1.  The key pointer stands at round 0 of the four rounds; how many fours
    follow is counted down.
    """
    text.add(
        *enter(),
        *columns(),
        "add.w r1, r0, r10, lsl #5",
        "sub.w r11, r10, #5",
        "lsr.w r11, r11, #2",
        f"str.w r11, [sp, #{FRAME['left']}]",
        "add.w r0, r0, r11, lsl #7",
        f"add.w r0, r0, #{4 * ROUND_KEY}",
        f"str.w r0, [sp, #{FRAME['key']}]",
        "tst.w r10, #2",
        "beq.w 1f",
    )
    text.align(COLUMNS, "r0")
    text.add("1:")
    state = text.piece("start", 0, (*COLUMNS, "r1"))
    text.add("beq.w 3f", "2:")
    one = text.piece("decrypt1", ROUND_KEY, state)
    text.add("bmi.w 4f")
    text.piece("decrypt0", 0, one, state)
    text.add(*_count(state, -4 * ROUND_KEY, 1), "3:")
    three = text.piece("decrypt3", 3 * ROUND_KEY, state)
    text.piece("decrypt2", 2 * ROUND_KEY, three, state)
    text.add("b.w 2b", "4:")
    text.add(*leave(text.piece("decrypt_last", 0, one)))


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return pieces()


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return search(programs()[name], seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule."""
    return checked(programs()[name], schedule)


def header() -> str:
    """The text of the header."""
    schedules = load(SCHEDULES)
    functions = []
    for name, write in (("encrypt", encryption), ("decrypt", decryption)):
        text = Text(programs(), schedules)
        write(text)
        lines = [line.replace("#FRAME", f"#{text.frame}") for line in text.lines]
        code = 4 * len(c_text.instructions(lines))
        functions.append(c_text.Function(CORE, name, lines, code, text.frame + PUSHED))
    return c_text.header(CORE, "ARMv7-M (Cortex-M3, M4)", "at any address", functions)
