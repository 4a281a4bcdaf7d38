# SPDX-License-Identifier: MIT
"""lib/src/assembly/transposed_armv6m.h: two functions that encrypt or decrypt blocks by rows.

A round is a loop.  SubBytes stands once, and what follows it depends on whether the key that comes
next is the last.  The rows are in low registers throughout; what rounds need beside them is in the
high ones, where MOV, ADD and CMP reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import anneal, lookups_text, rows
from .allocate import Item, Registers, colour, read
from .makers import makers
from .program import Operation, Program
from .search import ORDERS, Found, load
from .targets import armv6m_low as target

CORE: Final = "transposed_armv6m"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
REGISTERS: Final = Registers(target.REGISTERS, destroyed=target.destroyed)
KEY, STEP, LAST = "r8", "r9", "r10"
"""The round key that comes next; from one to the next, in bytes; the last one."""
HIGH: Final = {rows.TOP: "r11", rows.TABLE: "r12", rows.POLYNOMIAL: "r14"}
"""Registers of what is fixed."""
FRAME: Final = {"spilled": 0, "key": 4, "out": 8, "in": 12, "count": 16}
"""Offsets in the stack frame: a value of a round, the first round key, and arguments."""
FRAME_BYTES: Final = 20
STACK: Final = FRAME_BYTES + 32
"""Bytes, with eight registers of the caller."""
ROUND_KEY: Final = 16
"""Bytes."""
BETWEEN, AFTER = target.REGISTERS[4:], target.REGISTERS[:4]
"""Registers of the rows between rounds, and behind SubBytes."""


def _text(one: Operation, out: str, reads: Sequence[str]) -> list[str]:
    """The instructions of an operation on registers."""
    match one.name:
        case "mov" if one.immediate > 255 or one.immediate == rows.FIXED[rows.TABLE]:
            name = next(name for name, value in rows.FIXED.items() if value == one.immediate)
            return [target.move(out, HIGH[name])]
        case "byte":
            return [f"uxtb {out}, {reads[0]}"]
        case "letter":
            return [f"ldrb {out}, [{reads[1]}, {reads[0]}]"]
        case "sub":
            return [f"subs {out}, {reads[0]}, {reads[1]}"]
        case _:
            return target.operation(one, out, (*reads, "")[0], reads[-1] if reads else "", 0)


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    programs: dict[str, Program]
    schedules: dict[str, Found]
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Saves registers and arguments; r0 goes to the key that is added first."""
        self.add(".syntax unified", "push {r4-r7}", *(f"mov r{i}, r{i + 4}" for i in range(4, 8)))
        self.add("push {r4-r7}", "ldrb r4, [r0, #%c[rounds]]", "adds r0, #%c[keys]")
        self.add(f"movs r5, #{ROUND_KEY}", "lsls r4, r4, #4")
        if self.inverse:
            self.add("subs r6, r0, r5", f"mov {LAST}, r6", "adds r0, r0, r4", "negs r5, r5")
        else:
            self.add("adds r4, r4, r0", f"mov {LAST}, r4")
        self.add(f"mov {STEP}, r5", "push {r0-r3}", f"sub sp, #{FRAME['key']}")
        for name in (rows.TOP, rows.POLYNOMIAL):
            self.add(f"movs r4, #{rows.FIXED[name] & 0xFF}", "lsls r5, r4, #8", "orrs r4, r5")
            self.add("lsls r5, r4, #16", "orrs r4, r5", target.move(HIGH[name], "r4"))

    def piece(self, name: str, entry: Sequence[str], leave: Sequence[str] = ()) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program = self.programs[name]
        found_before = self.schedules.get(name)
        order = found_before.schedule if found_before else [x.out for x in program.operations]
        listing = read(program, order, makers(program))
        found = colour(listing, entry, leave, registers=REGISTERS)
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            self.add(*_lines(one, outs, reads))
        if any("" in pair for pair in found.moves):
            raise ValueError(f"{name}: no register is left to exchange others")
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def key(self, state: Sequence[str]) -> None:
        """The sum with the next round key."""
        words = [reg for reg in target.REGISTERS if reg not in state]
        self.add(target.move(words[0], KEY), f"ldmia {words[0]}, {{{', '.join(words)}}}")
        self.add(*(f"eors {row}, {word}" for row, word in zip(state, words, strict=True)))
        self.add(f"add {KEY}, {STEP}")

    def leave(self, state: Sequence[str]) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        out, count = [reg for reg in target.REGISTERS if reg not in state][:2]
        self.add(*(_slot("ldr", reg, name) for reg, name in ((out, "out"), (count, "count"))))
        self.add(f"stmia {out}!, {{{', '.join(state)}}}", f"subs {count}, #1", "beq 9f")
        self.add(*(_slot("str", reg, name) for reg, name in ((out, "out"), (count, "count"))))
        self.add(_slot("ldr", "r2", "in"), "adds r2, #16", _slot("str", "r2", "in"))
        self.add(_slot("ldr", "r0", "key"), "b 0b", "9:", f"add sp, #{FRAME_BYTES}", "pop {r4-r7}")
        self.add(*(f"mov r{i + 4}, r{i}" for i in range(4, 8)), "pop {r4-r7}")


def _slot(name: str, register: str, slot: str) -> str:
    return f"{name} {register}, [sp, #{FRAME[slot]}]"


def _lines(one: Item, outs: Sequence[str], reads: Sequence[str]) -> list[str]:
    if one.kind == "store":
        return [_slot("str", reads[0], "spilled")]
    return (
        _text(one.operation, outs[0], reads)
        if one.operation
        else [_slot("ldr", outs[0], "spilled")]
    )


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse, programs(), load(SCHEDULES))
    way = "decrypt" if inverse else "encrypt"
    text.enter()
    text.add("0:", f"ldmia r2!, {{{', '.join(BETWEEN)}}}", target.move(KEY, "r0"))
    state = text.piece("transposition", BETWEEN, BETWEEN)
    text.key(state)
    text.add("1:")
    after = text.piece(f"{way}_substitution", state, AFTER)
    if inverse:
        text.key(after)
    text.add(f"cmp {KEY}, {LAST}", "beq 2f")
    text.piece(f"{way}_mix", after, state)
    if not inverse:
        text.key(state)
    text.add("b 1b", "2:")
    if not inverse:
        text.key(after)
    text.leave(text.piece("transposition", after, AFTER))
    return text.lines


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return rows.pieces(rows.ThumbRows)


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return anneal.search(anneal.Problem(programs()[name], target), seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, on both processors together."""
    return anneal.checked(anneal.Problem(programs()[name], target), schedule)


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    shape = lookups_text.Shape(2, STACK, "uint8_t", changed="lr")
    return lookups_text.header(CORE, "ARMv6-M (Cortex-M0, M0+)", found, shape)
