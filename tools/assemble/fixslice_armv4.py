# SPDX-License-Identifier: MIT
"""lib/src/assembly/fixslice_armv4.h: two functions that encrypt or decrypt blocks, two at once.

The loops are those of fixslice_armv7m.py.  A round pushes what it spills, and takes it all off the
stack at its end, so that the frame stands at the same place wherever two paths meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import anneal, c_text
from .allocate import Colouring, Item, Registers, colour, read
from .fixslice import pieces
from .makers import makers
from .program import Program
from .search import ORDERS, Found, load
from .targets import armv4 as target

CORE: Final = "fixslice_armv4"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
ROUND_KEY: Final = 32
"""Bytes of a bit-sliced round key."""
FRAME: Final = {"rk": 0, "out": 4, "in": 8, "count": 12, "left": 16, "schedule": 20}
"""Offsets in the stack frame: the key pointer, arguments, rounds left."""
MASKS: Final = {"m03030303": 24, "m0f0f0f0f": 28, "m33333333": 32, "m55555555": 36}
FRAME_BYTES: Final = 40
PUSHED: Final = 36
"""Bytes of the registers that the functions save."""
COLUMNS: Final = ("r4", "r8", "r5", "r9", "r6", "r11", "r7", "r12")
"""Where columns are loaded and stored at once: those of the first block, of the second in turn."""
SECOND: Final = ("r8", "r9", "r11", "r12")
SPARE: Final = tuple(reg for reg in target.REGISTERS if reg not in COLUMNS)


@dataclass
class Stack:
    """Where spilled values lie while a round pushes them."""

    depth: int = 0
    """Bytes pushed so far."""
    place: dict[str, int] = field(default_factory=lambda: FRAME | MASKS)
    """By value, offset from where the stack pointer stands between rounds."""

    def push(self, stores: Sequence[tuple[str, str]]) -> str:
        """Pushes (value, register)."""
        self.depth += 4 * len(stores)
        by_register = sorted(stores, key=lambda pair: target.REGISTERS.index(pair[1]))
        for i, (value, _) in enumerate(by_register):
            self.place[value] = 4 * i - self.depth
        return target.push([register for _, register in stores])

    def load(self, value: str, register: str) -> str:
        """Loads a value that was pushed, or of the frame."""
        return target.load(register, self.place[value] + self.depth)


@dataclass
class Text:
    """The lines of a function, with the most bytes that a round pushes."""

    programs: Mapping[str, Program]
    schedules: Mapping[str, Found]
    lines: list[str] = field(default_factory=list)
    deepest: int = 0

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def piece(
        self, name: str, key_at: int, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program = self.programs[name]
        listing = read(program, self.schedules[name].schedule, makers(program))
        found = colour(listing, entry, leave, registers=Registers(target.REGISTERS))
        stack, stores = Stack(), []
        for at, one in enumerate(listing.items):
            if one.kind == "store":
                stores.append((one.slot, found.reads[at][0]))
                continue
            if stores:
                self.add(stack.push(stores))
                stores = []
            self.add(_line(one, found, at, stack, key_at))
        self.add(*(target.move(*pair) for pair in found.moves))
        if stack.depth:
            self.add(f"add sp, sp, #{stack.depth}")
        self.deepest = max(self.deepest, stack.depth)
        return found.exit

    def align(self, state: Sequence[str], spare: str, mask: str) -> None:
        """alignment() in place, with two more registers."""
        self.add(f"mov {mask}, #0xff00", f"orr {mask}, {mask}, {mask}, lsl #16")
        for low, high in zip(state[:4], state[4:], strict=True):
            self.add(
                f"eor {spare}, {low}, {high}",
                f"and {spare}, {spare}, {mask}",
                f"eor {low}, {low}, {spare}",
                f"eor {high}, {high}, {spare}",
            )


def _line(one: Item, found: Colouring, at: int, stack: Stack, key_at: int) -> str:
    outs, reads = found.outs[at], found.reads[at]
    if one.operation is None:
        return stack.load(one.slot, outs[0])
    second = reads[-1] if one.operation.b else ""
    return target.operation(one.operation, outs, reads[0], second, key_at)


def _enter() -> tuple[str, ...]:
    """Saves registers, arguments and masks: r0 schedule, r1 out, r2 in, r3 blocks * 16 + rounds.

    For each two blocks then: r3 loses two blocks, r14 is the second block, the first again if there
    is only one, and r10 the number of rounds.
    """
    return (
        "push {r4-r11, lr}",
        "mov r4, #3",
        "orr r4, r4, r4, lsl #8",
        "orr r4, r4, r4, lsl #16",
        "orr r5, r4, r4, lsl #2",
        "eor r6, r5, r5, lsl #2",
        "eor r7, r6, r6, lsl #1",
        "push {r0, r4, r5, r6, r7}",
        f"sub sp, sp, #{FRAME['schedule']}",
        "0:",
        "sub r3, r3, #32",
        *_second("r14", "r2", "r3"),
        "and r10, r3, #15",
    )


def _second(out: str, first: str, count: str) -> tuple[str, str, str]:
    return f"mov {out}, #16", f"bic {out}, {out}, {count}, asr #31", f"add {out}, {out}, {first}"


def _columns() -> tuple[str, str]:
    first = [reg for reg in COLUMNS if reg not in SECOND]
    return f"ldmia r2, {target.listed(first)}", f"ldmia r14, {target.listed(SECOND)}"


def _leave() -> list[str]:
    """Stores the columns; returns, or goes on with the next two blocks."""
    first = [reg for reg in COLUMNS if reg not in SECOND]
    return [
        f"add r0, sp, #{FRAME['out']}",
        "ldmia r0, {r1, r2, r3}",
        *_second("r0", "r1", "r3"),
        f"stmia r1, {target.listed(first)}",
        f"stmia r0, {target.listed(SECOND)}",
        "cmp r3, #16",
        "bge 9f",
        f"add sp, sp, #{FRAME_BYTES}",
        "pop {r4-r11, lr}",
        "bx lr",
        "9:",
        f"ldr r0, [sp, #{FRAME['schedule']}]",
        "add r1, r1, #32",
        "add r2, r2, #32",
        "b 0b",
    ]


def _count(state: Sequence[str], step: int, rounds: int) -> list[str]:
    """The key pointer goes on by `step` bytes, `rounds` fewer are left."""
    key, left = [reg for reg in target.REGISTERS if reg not in state][:2]
    move = f"add {key}, {key}, #{step}" if step > 0 else f"sub {key}, {key}, #{-step}"
    return [
        f"ldr {key}, [sp, #{FRAME['rk']}]",
        f"ldr {left}, [sp, #{FRAME['left']}]",
        move,
        f"subs {left}, {left}, #{rounds}",
        f"str {key}, [sp, #{FRAME['rk']}]",
        f"str {left}, [sp, #{FRAME['left']}]",
    ]


def encryption(text: Text) -> None:
    """Rounds 1, 2, 3, 4 in a loop; N set: left after the first of them, Z: after the third."""
    text.add(*_enter(), "subs r10, r10, #4", "stmia sp, {r0, r1, r2, r3, r10}", *_columns())
    top = text.piece("start", 0, (*COLUMNS, "r0"))
    text.add("1:")
    one = text.piece("encrypt1", ROUND_KEY, top)
    text.add("bmi 2f")
    two = text.piece("encrypt2", 2 * ROUND_KEY, one)
    three = text.piece("encrypt3", 3 * ROUND_KEY, two, one)
    text.add("beq 3f")
    text.piece("encrypt0", 4 * ROUND_KEY, three, top)
    text.add(*_count(top, 4 * ROUND_KEY, 4), "b 1b")
    key = next(reg for reg in target.REGISTERS if reg not in one)
    text.add(
        "3:",
        f"ldr {key}, [sp, #{FRAME['rk']}]",
        f"add {key}, {key}, #{2 * ROUND_KEY}",
        f"str {key}, [sp, #{FRAME['rk']}]",
        "2:",
    )
    text.piece("encrypt_last", 2 * ROUND_KEY, one, COLUMNS)
    text.add("bpl 4f")
    text.align(COLUMNS, *SPARE[:2])
    text.add("4:", *_leave())


def decryption(text: Text) -> None:
    """Rounds 3, 2, 1, 0 modulo 4 in a loop, entered at 1 by 10 and 14 rounds, at 3 by 12.

    N set: left after round 1.  The key pointer stands at round 0 of the four rounds; how many fours
    follow is counted down.
    """
    text.add(
        *_enter(),
        "add r11, r0, r10, lsl #5",
        "tst r10, #2",
        "sub r10, r10, #5",
        "mov r10, r10, lsr #2",
        "add r0, r0, r10, lsl #7",
        f"add r0, r0, #{4 * ROUND_KEY}",
        "stmia sp, {r0, r1, r2, r3, r10}",
        "mov r0, r11",
        *_columns(),
        "beq 1f",
    )
    text.align(COLUMNS, *SPARE[1:3])
    text.add("1:")
    state = text.piece("start", 0, (*COLUMNS, "r0"))
    text.add("beq 3f", "2:")
    one = text.piece("decrypt1", ROUND_KEY, state)
    text.add("bmi 4f")
    text.piece("decrypt0", 0, one, state)
    text.add(*_count(state, -4 * ROUND_KEY, 1), "3:")
    three = text.piece("decrypt3", 3 * ROUND_KEY, state)
    text.piece("decrypt2", 2 * ROUND_KEY, three, state)
    text.add("b 2b", "4:")
    text.piece("decrypt_last", 0, one, COLUMNS)
    text.add(*_leave())


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return pieces(target.ArmWriter)


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return anneal.search(anneal.Problem(programs()[name], target), seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, on both processors together."""
    return anneal.checked(anneal.Problem(programs()[name], target), schedule)


def header() -> str:
    """The text of the header."""
    schedules = load(SCHEDULES)
    functions = []
    for name, write in (("encrypt", encryption), ("decrypt", decryption)):
        text = Text(programs(), schedules)
        write(text)
        stack = PUSHED + FRAME_BYTES + text.deepest
        code = 4 * len(c_text.instructions(text.lines))
        linkage = "AESFIT_ARM_ASSEMBLY"
        functions.append(c_text.Function(CORE, name, text.lines, code, stack, linkage))
    processors = "ARMv4T (ARM7TDMI, ARM9TDMI)"
    return c_text.header(CORE, processors, "both at words", functions)
