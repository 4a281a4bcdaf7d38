# SPDX-License-Identifier: MIT
"""lib/src/assembly/fixslice_4k_armv7m.h: fixslice_armv7m in less than half of the code.

What rounds repeat is a routine: the S-box with the round key, each form of MixColumns, the
transposition of the state.  Decryption borrows the latter, and the odd forms of MixColumns, from
encryption: that function returns the address of its routines when it is called for no blocks.
A routine keeps its return address in r14 or, as any other value, in the stack frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Final

from . import anneal, c_text, fixslice
from .allocate import Colouring, Item, Listing, colour, read, slots
from .fixslice_armv7m import FRAME as SHARED_FRAME
from .fixslice_armv7m import PUSHED, ROUND_KEY, Lines, enter, leave
from .makers import makers
from .program import KEY, Program, Word, Writer
from .search import ORDERS, load
from .targets import armv7m_products as target

CORE: Final = "fixslice_4k_armv7m"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
LINK: Final = "link"
"""The return address of a routine."""
FRAME: Final = {**SHARED_FRAME, "routines": 24}
"""Offsets in the stack frame; the last is the address of encryption's routines."""
SPILLS: Final = 28
"""Offset of the first spilled value."""
LONGER: Final = 10_000_000
"""Steps of the search for the S-boxes, which spill."""
LABELS: Final = {
    "transpose": 10, "mix0": 11, "mix1": 12, "mix2": 13, "mix3": 14, "encrypt": 15, "decrypt": 16,
}  # fmt: skip
"""Of the routines."""
TOP: Final = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11")
"""Where the state is before a round."""
ANYWHERE: Final = ("",) * 8
"""Registers that a piece may choose."""
CHANCES: Final = {"encrypt": 83240, "decrypt": 85382}
"""Of the registers that these leave the state in, those that pieces behind them need few moves for;
found by trying."""
DECRYPTION: Final = c_text.FUNCTION.replace(
    "blocks_and_rounds AESFIT_ARGUMENT)",
    "blocks_and_rounds AESFIT_ARGUMENT,\n"
    "$INDENT void (*encryption)(const uint32_t *, uint8_t *, const uint8_t *,\n"
    "$INDENT                    size_t) AESFIT_ARGUMENT)",
)


@cache
def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    found = {"add_key": _piece(fixslice.add_round_key)}
    found["transpose"] = _routine(_piece(fixslice.transpose))
    found["encrypt"] = _routine(_piece(lambda w, q: _s_box(w, fixslice.add_round_key(w, q))))
    found["decrypt"] = _routine(_piece(lambda w, q: fixslice.add_round_key(w, _inv_s_box(w, q))))
    for form in range(fixslice.FORMS):
        found[f"mix{form}"] = _routine(_piece(partial(fixslice.mix_columns, form=form)))
    found["before_odd"] = _piece(partial(fixslice.before_mixing, form=1))
    for form in (0, 2):
        found[f"inv_mix{form}"] = _piece(partial(fixslice.inv_mix_columns, form=form))
    return found


_s_box = partial(fixslice.substitute, inverse=False)
_inv_s_box = partial(fixslice.substitute, inverse=True)


def _piece(step: Callable[[Writer, Sequence[Word]], Sequence[Word]]) -> Program:
    writer = Writer()
    return fixslice.program(
        fixslice.STATE, writer, step(writer, [Word(name) for name in fixslice.STATE])
    )


def _routine(piece: Program) -> Program:
    """The piece with a return address, which enters and leaves."""
    return replace(piece, inputs=(*piece.inputs, LINK), outputs=(*piece.outputs, LINK))


def _problem(name: str) -> anneal.Problem:
    return anneal.Problem(programs()[name], target)


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    steps = LONGER if name in ("encrypt", "decrypt") else target.HEAT.steps
    return anneal.search(_problem(name), seed, replace(target.HEAT, steps=steps))


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, without the call."""
    return anneal.checked(_problem(name), schedule)


@dataclass(frozen=True)
class Keys:
    """Where the key pointer stands, and whether a piece moves it on."""

    bias: int
    """Bytes behind the beginning of the round key."""
    step: int = 0
    """Bytes by which the piece's first load moves it."""


@dataclass
class Looped(Lines):
    """The lines of a function with its routines."""

    frame: int = SPILLS
    offsets: dict[str, int] = field(default_factory=dict)
    """Of encryption's routines, in bytes from the first."""

    def bias(self, name: str) -> int:
        """Bytes from a round key to the word that a piece loads first."""
        schedule = self.schedules[name].schedule
        words = {one.out: 4 * one.immediate for one in self.programs[name].operations if one.is_key}
        return next(words[one] for one in schedule if one in words)

    def piece(
        self, name: str, entry: Sequence[str], leave: Sequence[str] = (), keys: Keys | None = None
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        program, schedule = self.programs[name], self.schedules[name].schedule
        listing = read(program, schedule, makers(program))
        found = colour(listing, entry, leave, first=CHANCES.get(name, 0))
        if keys and keys.step and schedule.count(f"load {KEY}") > 1:
            raise ValueError("a round loads the key pointer once, since it moves it on")
        places = {KEY: FRAME["key"], **slots(listing, SPILLS)}
        self.frame = max(self.frame, *(offset + 4 for offset in places.values()))
        for at, one in enumerate(listing.items):
            outs, reads = found.outs[at], found.reads[at]
            if one.operation and one.kind == "load":
                self.add(*_words(listing, found, at, keys or Keys(0)))
            else:
                self.add(_line(one, outs, reads, places))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def routine(
        self, name: str, entry: Sequence[str], leave: Sequence[str] = ANYWHERE, step: int = 0
    ) -> tuple[str, ...]:
        """A piece that calls reach by its label; those that it leaves the state in."""
        self.add(f"{LABELS[name]}:")
        keys = Keys(self.bias(name), step) if step else None
        *state, _ = self.piece(name, (*entry, "r14"), (*leave, "r14"), keys)
        self.add("bx lr", "nop")
        return tuple(state)

    def call(self, *names: str) -> None:
        """Routines of this function, one after the other."""
        self.add(*(f"bl {LABELS[name]}f" for name in names))

    def borrow(self, name: str, state: Sequence[str]) -> None:
        """A routine of encryption; two instructions of 16 bits, so that the next is at a word."""
        address = next(reg for reg in target.REGISTERS[:8] if reg not in state)
        self.add(f"ldr.n {address}, [sp, #{FRAME['routines']}]")
        if self.offsets[name]:
            self.add(f"add.w {address}, {address}, #{self.offsets[name]}")
        self.add(f"blx {address}")

    def count(self, state: Sequence[str], rounds: int) -> None:
        """The flags say how many rounds are left, when there are `rounds` fewer."""
        left = _spare(state)
        self.add(
            target.load(left, FRAME["left"]),
            f"subs.w {left}, {left}, #{rounds}",
            target.store(left, FRAME["left"]),
        )


def _line(one: Item, outs: Sequence[str], reads: Sequence[str], places: Mapping[str, int]) -> str:
    if one.kind == "store":
        return target.store(reads[0], places[one.slot])
    if one.operation is None:
        return target.load(outs[0], places[one.slot])
    return target.operation(one.operation, tuple(outs), tuple(reads))


def _words(listing: Listing, found: Colouring, at: int, keys: Keys) -> list[str]:
    """A load of a word of the round key.

    The first one moves the pointer on, and one that no load follows is followed by the pointer's
    store, which then takes no cycle.
    """
    words = [i for i, one in enumerate(listing.items) if one.operation and one.operation.is_key]
    (out,), (pointer,), operation = found.outs[at], found.reads[at], listing.items[at].operation
    offset = 4 * (operation.immediate if operation else 0) - keys.bias
    if not keys.step:
        return [_load(out, pointer, offset)]
    moving = f"ldr.w {out}, [{pointer}], #{keys.step}"
    word = moving if at == words[0] else _load(out, pointer, offset - keys.step)
    last = next((i for i in words[:-1] if listing.items[i + 1].kind == "alu"), words[-2])
    kept = [target.store(pointer, FRAME["key"])] if at == last else []
    return [word, *kept]


def _load(out: str, pointer: str, offset: int) -> str:
    """A word at an offset; clang takes .w for none below 0, which is always wide."""
    return f"ldr{'.w' * (offset >= 0)} {out}, [{pointer}, #{offset}]"


@dataclass(frozen=True)
class Routines:
    """All routines.  The state is in TOP before a round, and behind MixColumns."""

    encryption: Looped
    """Its own, first those that decryption borrows."""
    decryption: Looped
    mixed: tuple[str, ...]
    """Where MixColumns expects the state."""
    last: tuple[str, ...]
    """Where decryption leaves it behind the S-box; the transposition takes it from there."""


def routines(text: Looped) -> Routines:
    """Writes the routines; the S-boxes choose the registers that they leave the state in."""
    own, inverse = replace(text, lines=[]), replace(text, lines=[])
    mixed = own.routine("encrypt", TOP, step=ROUND_KEY)
    last = inverse.routine("decrypt", TOP, step=-ROUND_KEY)
    text.routine("transpose", last, TOP)
    for name in ("mix1", "mix3", "mix0", "mix2"):
        text.offsets[name] = _code(text.lines)
        text.routine(name, mixed, TOP)
    text.add(*own.lines)
    text.frame = max(text.frame, own.frame, inverse.frame)
    return Routines(text, inverse, mixed, last)


def _columns(registers: Sequence[str]) -> list[str]:
    """Loads the columns of both blocks in turn, from r2 and r3, which are written last."""
    loads = [(reg, f"[{('r2', 'r3')[i % 2]}, #{4 * (i // 2)}]") for i, reg in enumerate(registers)]
    loads.sort(key=lambda pair: pair[0] in ("r2", "r3"))
    return [f"ldr.w {register}, {place}" for register, place in loads]


def _spare(state: Sequence[str]) -> str:
    return next(reg for reg in target.REGISTERS if reg not in state)


def encryption(text: Looped, parts: Routines) -> None:
    """Rounds 1, 2, 3, 0 modulo 4 in a loop; N set: left behind the second S-box, Z: the fourth.

    Called for no blocks, it returns in r3 where its routines are.
    """
    text.add("cmp.w r3, #0", "beq.w 8f", *enter())
    text.add(f"add.w r0, r0, #{text.bias('encrypt')}", target.store("r0", FRAME["key"]))
    text.add("subs.w r10, r10, #4", target.store("r10", FRAME["left"]))
    text.add(*_columns(parts.last))
    text.call("transpose")
    text.add("1:")
    text.call("encrypt", "mix1", "encrypt")
    text.add("bmi.w 2f")
    text.call("mix2", "encrypt", "mix3", "encrypt")
    text.add("beq.w 2f")
    text.call("mix0")
    text.count(TOP, 4)
    text.add("b.w 1b", "2:")
    text.piece("add_key", parts.mixed, parts.last, Keys(text.bias("encrypt")))
    text.call("transpose")
    text.add("bpl.w 4f")
    text.align(TOP, _spare(TOP))
    text.add("4:", *leave(TOP))
    text.add("8:", f"adr.w r3, {LABELS['transpose']}f", "add.w r3, r3, #1", "bx lr", "nop")
    text.add(*parts.encryption.lines)


def _borrowed() -> list[str]:
    """Asks encryption for its routines, behind the saved registers; r0 to r3 stay."""
    return [
        "ldr.w r12, [sp, #ARGUMENT]",
        target.move("r4", "r3"),
        "movs r3, #0",
        "blx r12",
        target.store("r3", FRAME["routines"]),
        target.move("r3", "r4"),
    ]


def decryption(text: Looped, parts: Routines) -> None:
    """Rounds 3, 2, 1, 0 modulo 4 in a loop, entered at 1 by 10 and 14 rounds, at 3 by 12.

    N set: left behind the inverse S-box that follows round 1.  How many fours of rounds follow is
    counted down.
    """
    begin = enter()
    text.add(*begin[:2], *_borrowed(), *begin[2:])
    keys = Keys(text.bias("add_key"), text.bias("decrypt") - text.bias("add_key") - ROUND_KEY)
    text.add("add.w r0, r0, r10, lsl #5", f"add.w r0, r0, #{keys.bias}")
    text.add(target.store("r0", FRAME["key"]))
    text.add("sub.w r11, r10, #5", "lsr.w r11, r11, #2", target.store("r11", FRAME["left"]))
    text.add("tst.w r10, #2", *_columns(parts.last), "beq.w 1f")
    text.align(parts.last, _spare(parts.last))
    text.add("1:")
    text.borrow("transpose", parts.last)
    text.piece("add_key", TOP, TOP, keys)
    text.add("beq.w 3f", "2:")
    text.call("decrypt")
    _mixing(text, 1, parts)
    text.call("decrypt")
    text.add("bmi.w 4f")
    _mixing(text, 0, parts)
    text.count(TOP, 1)
    text.add("3:")
    text.call("decrypt")
    _mixing(text, 3, parts)
    text.call("decrypt")
    _mixing(text, 2, parts)
    text.add("b.w 2b", "4:")
    text.borrow("transpose", parts.last)
    text.add(*leave(TOP), *parts.decryption.lines)


def _mixing(text: Looped, form: int, parts: Routines) -> None:
    """InvMixColumns; in even forms a call would take more than it saves."""
    if form % 2 == 0:
        text.piece(f"inv_mix{form}", parts.last, TOP)
    else:
        text.piece("before_odd", parts.last, parts.mixed)
        text.borrow(f"mix{form}", parts.mixed)


def _code(lines: Sequence[str]) -> int:
    """Bytes: instructions are wide but those that need not or cannot be."""
    narrow = ("bx ", "blx ", "nop", "movs ", "ldr.n ")
    return sum(2 if one.startswith(narrow) else 4 for one in c_text.instructions(lines))


def header() -> str:
    """The text of the header."""
    made, schedules = programs(), load(SCHEDULES)
    parts = routines(Looped(made, schedules, offsets={"transpose": 0}))
    functions = []
    for name, write in (("encrypt", encryption), ("decrypt", decryption)):
        text = Looped(made, schedules, offsets=parts.encryption.offsets)
        write(text, parts)
        frame = max(text.frame, parts.encryption.frame)
        numbers = {"#FRAME": f"#{frame}", "#ARGUMENT": f"#{frame + PUSHED}"}
        lines = [c_text.filled(line, numbers) for line in text.lines]
        functions.append(
            c_text.Function(
                CORE, name, lines, _code(lines), frame + PUSHED, before=(".syntax unified",),
                template=DECRYPTION if name == "decrypt" else c_text.FUNCTION,
            )
        )  # fmt: skip
    return c_text.header(CORE, "ARMv7-M (Cortex-M3, M4)", "at any address", functions)
