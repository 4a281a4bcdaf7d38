# SPDX-License-Identifier: MIT
"""lib/src/assembly/fixslice_rv32.h: two functions that encrypt or decrypt blocks, two at once.

The loops are those of fixslice_armv7m.py.  The key pointer stays in its register.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import anneal, c_text
from .allocate import Colouring, Item, Registers, colour, read, slots
from .fixslice import pieces
from .makers import makers
from .program import Program
from .search import ORDERS, Found, load
from .targets import rv32 as target

CORE: Final = "fixslice_rv32"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
ROUND_KEY: Final = 32
"""Bytes of a bit-sliced round key."""
FRAME: Final = {"out": 0, "in": 4, "count": 8, "schedule": 12, "key": 16, "left": 20, "moved": 24}
"""Offsets in the stack frame: arguments, the key pointer and how many rounds are left while another
needs the register, whether rows are two columns off."""
MASKS: Final = {
    "m03030303": 28, "m3f3f3f3f": 32, "m0f0f0f0f": 36, "m33333333": 40, "m55555555": 44,
}  # fmt: skip
SPILLS: Final = 48
"""Offset of the first spilled value."""
SAVED: Final = ("ra", *(f"s{i}" for i in range(12)))
COLUMNS: Final = tuple(f"s{i}" for i in range(8))
TEMPORARY: Final = ("t0", "t1", "t2")
"""Free where the state is in COLUMNS."""
STACK_ALIGNMENT: Final = 16
OPTIONS: Final = (".option push", ".option norvc")
"""Compressed instructions, which few of these could be, would move the others off words."""
KEY: Final = target.KEY_POINTER


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
        self, name: str, key_at: int, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program = self.programs[name]
        listing = read(program, self.schedules[name].schedule, makers(program))
        found = colour(listing, entry, leave, registers=Registers(target.REGISTERS))
        offsets = MASKS | slots(listing, SPILLS)
        self.frame = max(self.frame, *(offset + 4 for offset in offsets.values()))
        for at, one in enumerate(listing.items):
            self.add(_line(one, found, at, offsets, key_at))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def align(self, state: Sequence[str]) -> None:
        """alignment() in place."""
        mask, spare, _ = TEMPORARY
        self.add(*target.constant(mask, 0xFF00FF00))
        for low, high in zip(state[:4], state[4:], strict=True):
            self.add(
                f"xor {spare}, {low}, {high}",
                f"and {spare}, {spare}, {mask}",
                f"xor {low}, {low}, {spare}",
                f"xor {high}, {high}, {spare}",
            )

    def whole(self) -> tuple[list[str], int]:
        """The lines with those that make and remove the frame; bytes of stack."""
        bytes_ = self.frame + 4 * len(SAVED)
        bytes_ += -bytes_ % STACK_ALIGNMENT
        saves = [(reg, bytes_ - 4 * i - 4) for i, reg in enumerate(SAVED)]
        enter = [f"addi sp, sp, -{bytes_}", *(target.store(*pair) for pair in saves)]
        leave = [*(target.load(*pair) for pair in saves), f"addi sp, sp, {bytes_}", "ret"]
        return [*enter, *self.lines, *leave], bytes_


def _line(one: Item, found: Colouring, at: int, offsets: Mapping[str, int], key_at: int) -> str:
    reads = found.reads[at]
    if one.kind == "store":
        return target.store(reads[0], offsets[one.slot])
    (out,) = found.outs[at]
    if one.operation is None:
        return target.load(out, offsets[one.slot])
    first = reads[0] if reads else ""
    return target.operation(one.operation, out, first, reads[-1] if reads else "", key_at)


def _get(register: str, name: str) -> str:
    return target.load(register, FRAME[name])


def _put(register: str, name: str) -> str:
    return target.store(register, FRAME[name])


def _second(out: str, first: str, count: str) -> tuple[str, ...]:
    """16 bytes before the second block, or before the first again if there is only one."""
    return f"srai {out}, {count}, 31", f"andi {out}, {out}, 16", f"sub {out}, {first}, {out}"


def _columns(name: str, first: str, second: str) -> list[str]:
    """Loads or stores the columns of both blocks in turn; `second` as _second() has it."""
    places = [(first, 0), (second, 16)]
    return [
        f"{name} {register}, {4 * (i // 2) + places[i % 2][1]}({places[i % 2][0]})"
        for i, register in enumerate(COLUMNS)
    ]


def _masks() -> list[str]:
    """Makes masks of 0x0f0f0f0f, t0, and keeps them; t1 is 0x33333333 until the last one."""
    lines = [*target.constant("t0", 0x0F0F0F0F), "slli t1, t0, 2", "xor t1, t1, t0"]
    lines += ["and t2, t0, t1", "or a4, t0, t1", "slli a5, t1, 1", "xor a5, a5, t1"]
    names = {"t0": "m0f0f0f0f", "t1": "m33333333", "t2": "m03030303", "a4": "m3f3f3f3f"}
    return lines + [
        target.store(register, MASKS[name])
        for register, name in (names | {"a5": "m55555555"}).items()
    ]


def _enter(text: Text) -> None:
    """Keeps arguments and masks: a0 schedule, a1 out, a2 in, a3 blocks * 16 + rounds.

    For each two blocks then: a3 loses two blocks, t2 is the number of rounds, and the columns are
    loaded.
    """
    text.add(
        *_masks(),
        _put(KEY, "schedule"),
        "0:",
        "addi a3, a3, -32",
        "andi t2, a3, 15",
        "andi t0, t2, 2",
    )
    text.add(_put("a1", "out"), _put("a2", "in"), _put("a3", "count"), _put("t0", "moved"))
    text.add(*_second("t1", "a2", "a3"), *_columns("lw", "a2", "t1"))


def _leave(text: Text) -> None:
    """Stores the columns; goes on with the next two blocks, or behind the last line."""
    text.add(_get("a1", "out"), _get("a3", "count"), *_second("t0", "a1", "a3"))
    text.add(*_columns("sw", "a1", "t0"))
    text.add(
        "li t1, 16",
        "blt a3, t1, 9f",
        _get("a2", "in"),
        _get(KEY, "schedule"),
        "addi a1, a1, 32",
        "addi a2, a2, 32",
        "j 0b",
        "9:",
    )


def _count(state: Sequence[str], step: int, rounds: int) -> list[str]:
    """The key pointer goes on by `step` bytes, `rounds` fewer are left."""
    left = _spare(state)
    return [
        _get(left, "left"),
        f"addi {KEY}, {KEY}, {step}",
        f"addi {left}, {left}, -{rounds}",
        _put(left, "left"),
    ]


def _spare(state: Sequence[str]) -> str:
    return next(reg for reg in target.REGISTERS if reg not in state)


def _branch(text: Text, state: Sequence[str], name: str, condition: str, label: str) -> None:
    """A branch by a word of the frame, which is loaded before the last line, so that none waits."""
    last = text.lines.pop()
    spare = next(reg for reg in target.REGISTERS if reg not in state and reg not in last)
    text.add(_get(spare, name), last, f"{condition} {spare}, {label}")


def encryption(text: Text) -> None:
    """Rounds 1, 2, 3, 4 in a loop, left after the first or the third of them."""
    _enter(text)
    text.add("addi t2, t2, -4", _put("t2", "left"))
    top = text.piece("start", 0, COLUMNS)
    text.add("1:")
    one = text.piece("encrypt1", ROUND_KEY, top)
    _branch(text, one, "left", "bltz", "2f")
    two = text.piece("encrypt2", 2 * ROUND_KEY, one)
    three = text.piece("encrypt3", 3 * ROUND_KEY, two, one)
    _branch(text, three, "left", "beqz", "3f")
    text.piece("encrypt0", 4 * ROUND_KEY, three, top)
    text.add(*_count(top, 4 * ROUND_KEY, 4), "j 1b")
    text.add("3:", f"addi {KEY}, {KEY}, {2 * ROUND_KEY}", "2:")
    text.piece("encrypt_last", 2 * ROUND_KEY, one, COLUMNS)
    _branch(text, COLUMNS, "moved", "beqz", "4f")
    text.align(COLUMNS)
    text.add("4:")
    _leave(text)


def decryption(text: Text) -> None:
    """Rounds 3, 2, 1, 0 modulo 4 in a loop, entered at 1 by 10 and 14 rounds, at 3 by 12.

    Left after round 1.  The key pointer stands at round 0 of the four rounds; how many fours follow
    is counted down.
    """
    _enter(text)
    text.add(
        "addi t1, t2, -5",
        "srli t1, t1, 2",
        _put("t1", "left"),
        "slli t1, t1, 7",
        f"add t1, t1, {KEY}",
        f"addi t1, t1, {4 * ROUND_KEY}",
        _put("t1", "key"),
        "slli t2, t2, 5",
        f"add {KEY}, {KEY}, t2",
        "beqz t0, 1f",
    )
    text.align(COLUMNS)
    text.add("1:")
    state = text.piece("start", 0, COLUMNS)
    text.add(_get(KEY, "key"))
    _branch(text, state, "moved", "beqz", "3f")
    text.add("2:")
    one = text.piece("decrypt1", ROUND_KEY, state)
    _branch(text, one, "left", "bltz", "4f")
    text.piece("decrypt0", 0, one, state)
    text.add(*_count(state, -4 * ROUND_KEY, 1), "3:")
    three = text.piece("decrypt3", 3 * ROUND_KEY, state)
    text.piece("decrypt2", 2 * ROUND_KEY, three, state)
    text.add("j 2b", "4:")
    text.piece("decrypt_last", 0, one, COLUMNS)
    _leave(text)


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return pieces(target.RvWriter)


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return anneal.search(anneal.Problem(programs()[name], target), seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, on the three processors together."""
    return anneal.checked(anneal.Problem(programs()[name], target), schedule)


def header() -> str:
    """The text of the header."""
    schedules = load(SCHEDULES)
    functions = []
    for name, write in (("encrypt", encryption), ("decrypt", decryption)):
        text = Text(programs(), schedules)
        write(text)
        lines, stack = text.whole()
        code = 4 * len(c_text.instructions(lines))
        functions.append(
            c_text.Function(CORE, name, lines, code, stack, before=OPTIONS, behind=(".option pop",))
        )
    processors = "RV32I (E31, PicoRV32, VexRiscv)"
    return c_text.header(CORE, processors, "both at words", functions)
