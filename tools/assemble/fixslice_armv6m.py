# SPDX-License-Identifier: MIT
"""lib/src/assembly/fixslice_armv6m.h: two functions that encrypt or decrypt blocks, two at once.

The loops are those of fixslice_armv7m.py.  Between rounds words 0 to 3 of the state are in low
registers, words 4 to 7 in high ones but r14, which far jumps write: they are calls that nobody
returns from, because other jumps reach 2 KB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import anneal, c_text
from .allocate import Colouring, Item, Registers, colour, read, slots
from .fixslice import STATE, pieces
from .makers import makers
from .program import Program
from .search import ORDERS, Found, load
from .targets import armv6m as target

CORE: Final = "fixslice_armv6m"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
ROUND_KEY: Final = 32
"""Bytes of a bit-sliced round key."""
FRAME: Final = {
    "rk": 0, "out": 4, "in": 8, "count": 12, "schedule": 16, "left": 20, "moved": 24,
}  # fmt: skip
"""Offsets in the stack frame: the key pointer, arguments, how many rounds are left, whether rows
are two columns off."""
MASKS: Final = {
    "m03030303": 28, "m0f0f0f0f": 32, "m3f3f3f3f": 36, "m33333333": 40, "m55555555": 44,
}  # fmt: skip
SPILLS: Final = 48
"""Offset of the first spilled value."""
PUSHED: Final = 36
"""Bytes of the registers that the functions save."""
HIGH: Final = ("r8", "r9", "r10", "r11")
COLUMNS: Final = ("r0", "r2", "r1", "r3", *HIGH)
"""Where the columns are when they are loaded, and when they are stored."""
ANYWHERE: Final = ("", "", "", "", *HIGH)
REGISTERS: Final = Registers(target.REGISTERS, target.FURTHER, target.destroyed)


@dataclass
class Text:
    """The lines of a function, with the bytes of stack that its spills take."""

    programs: Mapping[str, Program]
    schedules: Mapping[str, Found]
    lines: list[str] = field(default_factory=list)
    frame: int = SPILLS

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def piece(
        self, name: str, key_at: int, entry: Sequence[str], leave: Sequence[str] = ANYWHERE
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program = self.programs[name]
        far = {names[i] for names in (STATE, program.outputs) for i in target.FAR_WORDS}
        listing = read(program, self.schedules[name].schedule, makers(program), far)
        found = colour(listing, entry, leave, registers=REGISTERS)
        offsets = FRAME | MASKS | slots(listing, SPILLS)
        self.frame = max(self.frame, *(offset + 4 for offset in offsets.values()))
        for at, one in enumerate(listing.items):
            self.add(*_lines(one, found, at, offsets, key_at))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def align(self, state: Sequence[str]) -> None:
        """alignment() in place."""
        mask, high, both = _spare(state)[:3]
        self.add(f"movs {high}, #255", f"lsls {high}, {high}, #8", f"lsls {mask}, {high}, #16")
        self.add(f"orrs {mask}, {high}")
        for low, far in zip(state[:4], state[4:], strict=True):
            self.add(
                f"mov {high}, {far}",
                f"mov {both}, {low}",
                f"eors {both}, {high}",
                f"ands {both}, {mask}",
                f"eors {low}, {both}",
                f"eors {high}, {both}",
                f"mov {far}, {high}",
            )


def _lines(
    one: Item, found: Colouring, at: int, offsets: Mapping[str, int], key_at: int
) -> list[str]:
    reads = found.reads[at]
    if one.kind == "store":
        return [target.store(reads[0], offsets[one.slot])]
    (out,) = found.outs[at]
    if one.kind in ("in", "out"):
        return [target.move(out, reads[0])]
    if one.operation is None:
        return [target.load(out, offsets[one.slot])]
    first = reads[0] if reads else ""
    return target.operation(one.operation, out, first, reads[-1] if reads else "", key_at)


def _get(register: str, name: str) -> str:
    return target.load(register, FRAME[name])


def _put(register: str, name: str) -> str:
    return target.store(register, FRAME[name])


def _spare(state: Sequence[str]) -> list[str]:
    return [reg for reg in target.REGISTERS if reg not in state]


def _masks() -> list[str]:
    """Makes each mask of the one before."""
    lines = ["movs r4, #3", "lsls r5, r4, #8", "orrs r4, r5", "lsls r5, r4, #16", "orrs r4, r5"]
    lines += [_mask("r4", "m03030303"), "lsls r5, r4, #2", "orrs r5, r4", _mask("r5", "m0f0f0f0f")]
    lines += ["lsls r6, r4, #4", "orrs r6, r5", _mask("r6", "m3f3f3f3f")]
    lines += ["lsls r6, r5, #2", "eors r6, r5", _mask("r6", "m33333333")]
    return [*lines, "lsls r5, r6, #1", "eors r5, r6", _mask("r5", "m55555555")]


def _mask(register: str, name: str) -> str:
    return target.store(register, MASKS[name])


def _second(out: str, first: str, count: str, spare: str) -> tuple[str, ...]:
    """The address of the second block; of the first again if there is only one."""
    return (
        f"asrs {spare}, {count}, #31",
        f"movs {out}, #16",
        f"bics {out}, {spare}",
        f"adds {out}, {out}, {first}",
    )


def _enter(text: Text) -> None:
    """Saves registers, arguments and masks: r0 schedule, r1 out, r2 in, r3 blocks * 16 + rounds.

    For each two blocks then: r3 loses two blocks, r5 is the address of the second, r6 the number of
    rounds, and r7 what it leaves of 4.
    """
    text.add("push {r4-r7, lr}", *(f"mov r{i}, r{i + 4}" for i in range(4, 8)), "push {r4-r7}")
    text.add("sub sp, #FRAME", *_masks(), _put("r0", "schedule"), "0:", "subs r3, #32")
    text.add(_put("r1", "out"), _put("r2", "in"), _put("r3", "count"))
    text.add(*_second("r5", "r2", "r3", "r4"), "movs r6, #15", "ands r6, r3")
    text.add("movs r7, #2", "ands r7, r6", _put("r7", "moved"))


def _columns() -> tuple[str, ...]:
    """Loads the columns of the blocks at r2 and r5."""
    return (
        "ldmia r2!, {r0, r1, r3, r4}",
        "mov r8, r3",
        "mov r10, r4",
        "ldmia r5!, {r2, r3, r6, r7}",
        "mov r9, r6",
        "mov r11, r7",
    )


def _leave(text: Text) -> None:
    """Stores the columns; returns, or goes on with the next two blocks."""
    text.add(_get("r6", "out"), _get("r7", "count"), *_second("r5", "r6", "r7", "r4"))
    text.add("mov r7, r5", "mov r4, r8", "mov r5, r10", "stmia r6!, {r0, r1, r4, r5}")
    text.add("mov r4, r9", "mov r5, r11", "stmia r7!, {r2, r3, r4, r5}")
    text.add(_get("r3", "count"), "cmp r3, #16", "blt 9f", _get("r0", "schedule"))
    text.add(_get("r1", "out"), "adds r1, #32", _get("r2", "in"), "adds r2, #32", "bl 0b", "9:")
    text.add("add sp, #FRAME", "pop {r4-r7}", *(f"mov r{i + 4}, r{i}" for i in range(4, 8)))
    text.add("pop {r4-r7, pc}")


def _count(state: Sequence[str], step: int, rounds: int) -> list[str]:
    """The key pointer goes on by `step` bytes, `rounds` fewer are left."""
    key, left = _spare(state)[:2]
    return [
        _get(key, "rk"),
        f"adds {key}, #{step}" if step > 0 else f"subs {key}, #{-step}",
        _put(key, "rk"),
        _get(left, "left"),
        f"subs {left}, #{rounds}",
        _put(left, "left"),
    ]


def _unless(state: Sequence[str], name: str, condition: str, label: str) -> list[str]:
    """Jumps far unless what the frame has there meets the condition."""
    spare = _spare(state)[0]
    return [_get(spare, name), f"cmp {spare}, #0", f"{condition} 8f", f"bl {label}", "8:"]


def encryption(text: Text) -> None:
    """Rounds 1, 2, 3, 4 in a loop, left after the first or the third of them."""
    _enter(text)
    text.add("subs r6, #4", _put("r6", "left"), _put("r0", "rk"), *_columns())
    top = text.piece("start", 0, COLUMNS)
    text.add("1:")
    one = text.piece("encrypt1", ROUND_KEY, top)
    text.add(*_unless(one, "left", "bge", "2f"))
    two = text.piece("encrypt2", 2 * ROUND_KEY, one)
    three = text.piece("encrypt3", 3 * ROUND_KEY, two, one)
    text.add(*_unless(three, "left", "bne", "3f"))
    text.piece("encrypt0", 4 * ROUND_KEY, three, top)
    text.add(*_count(top, 4 * ROUND_KEY, 4), "bl 1b", "3:")
    key = _spare(one)[0]
    text.add(_get(key, "rk"), f"adds {key}, #{2 * ROUND_KEY}", _put(key, "rk"), "2:")
    text.piece("encrypt_last", 2 * ROUND_KEY, one, COLUMNS)
    text.add(*_unless(COLUMNS, "moved", "bne", "4f"))
    text.align(COLUMNS)
    text.add("4:")
    _leave(text)


def decryption(text: Text) -> None:
    """Rounds 3, 2, 1, 0 modulo 4 in a loop, entered at 1 by 10 and 14 rounds, at 3 by 12.

    Left after round 1.  The key pointer stands at round 0 of the four rounds; how many fours follow
    is counted down.
    """
    _enter(text)
    text.add("lsls r4, r6, #5", "adds r4, r4, r0", _put("r4", "rk"), "subs r6, #5")
    text.add("lsrs r6, r6, #2", _put("r6", "left"), *_columns())
    text.add(*_unless(COLUMNS, "moved", "bne", "5f"))
    text.align(COLUMNS)
    text.add("5:")
    state = text.piece("start", 0, COLUMNS)
    key, left = _spare(state)[:2]
    text.add(_get(key, "schedule"), _get(left, "left"), f"lsls {left}, {left}, #7")
    text.add(f"adds {key}, {key}, {left}", f"adds {key}, #{4 * ROUND_KEY}", _put(key, "rk"))
    text.add(*_unless(state, "moved", "bne", "3f"), "2:")
    one = text.piece("decrypt1", ROUND_KEY, state)
    text.add(*_unless(one, "left", "bge", "4f"))
    text.piece("decrypt0", 0, one, state)
    text.add(*_count(state, -4 * ROUND_KEY, 1), "3:")
    three = text.piece("decrypt3", 3 * ROUND_KEY, state)
    text.piece("decrypt2", 2 * ROUND_KEY, three, state)
    text.add("bl 2b", "4:")
    text.piece("decrypt_last", 0, one, COLUMNS)
    _leave(text)


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return pieces(target.ThumbWriter)


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
        lines = [line.replace("#FRAME", f"#{text.frame}") for line in text.lines]
        code = sum(4 if x.startswith("bl ") else 2 for x in c_text.instructions(lines))
        stack = text.frame + PUSHED
        functions.append(
            c_text.Function(CORE, name, lines, code, stack, before=(".syntax unified",))
        )
    return c_text.header(CORE, "ARMv6-M (Cortex-M0, M0+)", "both at words", functions)
