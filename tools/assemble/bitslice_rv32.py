# SPDX-License-Identifier: MIT
"""lib/src/assembly/bitslice_rv32.h: two functions that encrypt or decrypt blocks, eight at once.

One round is a loop; the state lies in the stack frame, but for a row that stays in registers.
Blocks are loaded and stored column by column.  Fewer than eight blocks, and blocks that do not lie
at words, are loaded and stored byte by byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import anneal, c_text
from .allocate import Colouring, Item, Registers, colour, read
from .eight import BITS, HALVES, HELD, ROWS, Piece, box, pieces
from .fixslice_rv32 import OPTIONS, SAVED, STACK_ALIGNMENT
from .program import Program
from .search import ORDERS, load
from .targets import rv32 as target

CORE: Final = "bitslice_rv32"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
ROUND_KEY, PLAIN_KEY = 128, 16
"""Bytes of a round key, and of the first and the last one, which are added to columns."""
FRAME: Final = {"out": 0, "in": 4, "count": 8, "first": 12, "end": 16, "slow": 20}
"""Offsets in the stack frame: where blocks go and come from, how many are left, the round key that
is added first, the key pointer behind the last S-boxes, blocks that are to be moved bytewise."""
SAVES: Final = 24
STATE: Final = SAVES + 4 * len(SAVED)
"""The state lies above what is not secret, so that less has to be cleared."""
FRAME_BYTES: Final = STATE + 4 * BITS * ROWS
KEY: Final = target.KEY_POINTER
PLACE, COLUMN, AT, SLOW = "a1", "a2", "a3", "a4"
"""While columns are loaded and stored: a block's bytes, the state's, the last address of these, the
number of blocks that are to be moved bytewise, or 0."""
WORDS: Final = tuple(f"s{i}" for i in range(BITS))
MASKS: Final = {"m55555555": "t4", "m33333333": "t5", "m0f0f0f0f": "t6"}
SPARE: Final = ("t0", "t1", "t2", "t3")
FREE: Final = tuple(x for x in target.REGISTERS if x not in (PLACE, COLUMN, AT, SLOW, "t0"))
"""Registers for the bits of a column; t0 has its round key."""
ABOUT: Final = """\
/* The rounds of bitslice_rv32 for RV32I (E31, PicoRV32, VexRiscv).  Written by tools/assemble,
 * whose README says how; its test compares this file with what the tool writes."""
ARGUMENTS: Final = """\
 * Arguments of both functions: the schedule of parts/steps/bitslice_eight.h; where the blocks go
 * and where they come from, at any addresses; 16 times the number of blocks, of which there is at
 * least one and less than 2 GB, plus the number of rounds."""


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    made: Mapping[str, Piece]
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def piece(
        self, name: str, entry: Sequence[str], leave: Sequence[str] = (), free: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A piece on registers; those that it leaves words in."""
        piece = self.made[name]
        program = Program(piece.enters, piece.program.operations, piece.leaves)
        listing = read(program, piece.plan, piece.makers)
        found = colour(listing, entry, leave, registers=Registers(free or target.REGISTERS))
        for at, one in enumerate(listing.items):
            self.add(_line(one, found, at, piece))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def way(self, name: str) -> str:
        """A piece of this direction."""
        return f"{'decrypt' if self.inverse else 'encrypt'}{name}"


def _line(one: Item, found: Colouring, at: int, piece: Piece) -> str:
    reads = found.reads[at]
    if one.operation is None:
        offset = STATE + 4 * piece.places[one.slot]
        return target.store(reads[0], offset) if one.kind == "store" else target.load(
            found.outs[at][0], offset)  # fmt: skip
    first, second = (reads[0], reads[-1]) if reads else ("", "")
    return target.operation(one.operation, found.outs[at][0], first, second, 0)


def _get(register: str, name: str) -> str:
    return target.load(register, FRAME[name])


def _put(register: str, name: str) -> str:
    return target.store(register, FRAME[name])


def _enter(text: Text) -> None:
    """Keeps the arguments: a0 schedule, a1 out, a2 in, a3 blocks * 16 + rounds."""
    last = ["andi t0, a3, 15", "addi t0, t0, -1", "slli t0, t0, 7", f"add t0, t0, {KEY}"]
    text.add("srli t1, a3, 4", *last, f"addi t0, t0, {PLAIN_KEY}")
    text.add(_put("a1", "out"), _put("a2", "in"), _put("t1", "count"))
    if text.inverse:
        text.add(f"addi {KEY}, {KEY}, {PLAIN_KEY - ROUND_KEY}")
        text.add(_put("t0", "first"), _put(KEY, "end"))
    else:
        text.add(_put(KEY, "first"), _put("t0", "end"))


def _choose(text: Text) -> None:
    """SLOW, for the next eight blocks or those that are left; count has that register."""
    text.add("0:", _get(SLOW, "count"), _get("t1", "out"), _get(PLACE, "in"), _get(KEY, "first"))
    text.add(f"li t2, {BITS}", f"or t1, t1, {PLACE}", "andi t1, t1, 3", f"bltu {SLOW}, t2, 1f")
    text.add(f"mv {SLOW}, t2", "bnez t1, 1f", f"li {SLOW}, 0", "1:", _put(SLOW, "slow"))


def _columns(text: Text, slow: Sequence[str], body: Sequence[str], step: int) -> None:
    """A loop over columns: 2 is its top, 3 is where `slow` goes on."""
    masks = {register: int(name[1:], 16) for name, register in MASKS.items()}
    for register, mask in masks.items():
        text.add(*target.constant(register, mask))
    end = f"addi {AT}, sp, {ROWS * step}"
    text.add(f"mv {COLUMN}, sp", end, "j 2f", "4:", *slow, "j 3f", "2:", *body)
    text.add(f"addi {PLACE}, {PLACE}, 4", f"addi {KEY}, {KEY}, 4")
    text.add(f"addi {COLUMN}, {COLUMN}, {step}", f"bne {COLUMN}, {AT}, 2b")


def _bits(text: Text, lines: int) -> list[str]:
    """The lines of the piece of that name, taken off the text; `lines` are in front of them."""
    masks = tuple(MASKS.values())
    text.piece("bits", (*WORDS, *masks), WORDS, tuple(x for x in FREE if x not in masks))
    body, text.lines = text.lines[lines:], text.lines[:lines]
    return body


def _load(text: Text) -> None:
    """Blocks become the state, with the first round key; the key pointer goes behind that."""
    slow = [f"li {word}, 0" for word in WORDS]
    for i, word in enumerate(WORDS):
        slow += [f"lbu {reg}, {16 * i + j}({PLACE})" for j, reg in enumerate((word, *SPARE[1:]))]
        slow += [f"addi {SLOW}, {SLOW}, -1"]
        slow += [f"slli {reg}, {reg}, {8 * j}" for j, reg in enumerate(SPARE) if j]
        slow += [f"or {word}, {word}, {reg}" for reg in SPARE[1:]] + [f"beqz {SLOW}, 3f"]
    body = [_get(SLOW, "slow"), f"lw t0, 0({KEY})", f"bnez {SLOW}, 4b", *_moved("lw"), "3:"]
    body += [f"xor {word}, {word}, t0" for word in WORDS] + _bits(text, len(text.lines))
    for bit, word in enumerate(WORDS):
        body += [f"srli {reg}, {word}, {8 * row}" for row, reg in enumerate(SPARE) if row]
        body += [
            f"sb {reg}, {STATE + 32 * row + 4 * bit}({COLUMN})"
            for row, reg in enumerate((word, *SPARE[1:]))
        ]
    _columns(text, slow[:-1], body, 1)


def _moved(name: str) -> list[str]:
    """A column of each block, loaded or stored."""
    return [f"{name} {word}, {16 * i}({PLACE})" for i, word in enumerate(WORDS)]


def _store(text: Text) -> None:
    """Columns in bits, with the last round key, go to the blocks."""
    slow = []
    for i, word in enumerate(WORDS):
        slow += [f"srli {reg}, {word}, {8 * j}" for j, reg in enumerate(SPARE) if j]
        slow += [f"addi {SLOW}, {SLOW}, -1"]
        slow += [f"sb {reg}, {16 * i + j}({PLACE})" for j, reg in enumerate((word, *SPARE[1:]))]
        slow += [f"beqz {SLOW}, 3f"]
    loads = [f"lw {word}, {STATE + 4 * bit}({COLUMN})" for bit, word in enumerate(WORDS)]
    body = [*loads, *_bits(text, len(text.lines)), f"lw t0, 0({KEY})", _get(SLOW, "slow")]
    body += [f"xor {word}, {word}, t0" for word in WORDS]
    body += [f"bnez {SLOW}, 4b", *_moved("sw"), "3:"]
    text.add(_get(PLACE, "out"))
    _columns(text, slow[:-1], body, 4 * BITS)


def _spare(state: Sequence[str], last: str) -> str:
    return next(reg for reg in target.REGISTERS if reg not in state and reg not in last)


def _rounds(text: Text) -> None:
    """All rounds, in a loop that is left behind the last S-boxes; then the state is in columns."""
    if text.inverse:
        text.add(f"addi {KEY}, {KEY}, -{ROUND_KEY + PLAIN_KEY}")
    text.add(*(f"lw {word}, {STATE + 4 * bit}(sp)" for bit, word in enumerate(WORDS)), "6:")
    for row in range(ROWS):
        late = text.piece(text.way(str(row)), WORDS if row == HELD else ())
    last = text.lines.pop()
    end = _spare(late, last)
    text.add(_get(end, "end"), last, f"beq {KEY}, {end}, 7f")
    text.piece("inv_mix" if text.inverse else "mix", late, WORDS)
    step = -ROUND_KEY if text.inverse else ROUND_KEY
    text.add(f"addi {KEY}, {KEY}, {step}", "j 6b", "7:")
    halves = _spare(late, "")
    text.add(*target.constant(halves, int(HALVES[1:], 16)))
    text.piece(text.way("_columns"), (*late, halves))
    if text.inverse:
        text.add(f"addi {KEY}, {KEY}, {ROUND_KEY - PLAIN_KEY}")


def _go_on(text: Text) -> None:
    """The next eight blocks, if there are more."""
    text.add(_get("t0", "count"), _get("t1", "in"), _get("t2", "out"))
    text.add(f"addi t0, t0, -{BITS}", "addi t1, t1, 128", "addi t2, t2, 128")
    text.add(_put("t0", "count"), _put("t1", "in"), _put("t2", "out"))
    text.add("blez t0, 8f", "j 0b", "8:")


def lines(made: Mapping[str, Piece], *, inverse: bool) -> tuple[list[str], int]:
    """A function, and its bytes of stack."""
    text = Text(inverse, made)
    for part in (_enter, _choose, _load, _rounds, _store, _go_on):
        part(text)
    bytes_ = FRAME_BYTES + -FRAME_BYTES % STACK_ALIGNMENT
    saves = [(reg, SAVES + 4 * i) for i, reg in enumerate(SAVED)]
    enter = [f"addi sp, sp, -{bytes_}", *(target.store(*pair) for pair in saves)]
    leave = [*(target.load(*pair) for pair in saves), f"addi sp, sp, {bytes_}", "ret"]
    return [*enter, *text.lines, *leave], bytes_


def programs() -> dict[str, Program]:
    """What schedules are searched for: the S-boxes of a row."""
    return {"encrypt": box(inverse=False), "decrypt": box(inverse=True)}


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return anneal.search(anneal.Problem(programs()[name], target), seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, on the three processors together."""
    return anneal.checked(anneal.Problem(programs()[name], target), schedule)


def header() -> str:
    """The text of the header."""
    made = pieces({name: one.schedule for name, one in load(SCHEDULES).items()})
    functions = []
    for name, inverse in (("encrypt", False), ("decrypt", True)):
        written, stack = lines(made, inverse=inverse)
        code = 4 * len(c_text.instructions(written))
        functions.append(
            c_text.Function(
                CORE, name, written, code, stack, before=OPTIONS, behind=(".option pop",)
            )
        )
    facts = {"$ABOUT": ABOUT, "$ARGUMENTS": ARGUMENTS, "$GUARD": CORE.upper()}
    facts["$FUNCTIONS"] = "\n".join(one.text() for one in functions)
    return c_text.filled(c_text.HEADER, facts)
