# SPDX-License-Identifier: MIT
"""Rounds of AES on eight blocks at once, in 32 words: bit b of row r, a byte for each column.

Bit j of a byte belongs to block j (lib/src/parts/steps/bitslice_eight.h).  So ShiftRows rotates
words, and MixColumns rotates nothing.  A piece is written in the order of execution, with its loads
and stores; only the order of an S-box comes from a search, because it needs nearly all registers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from .fixslice import POLYNOMIAL, STATE, program, substitute, transpose
from .makers import makers
from .program import Operation, Program, Word
from .targets.rv32 import RvWriter

ROWS: Final = 4
BITS: Final = 8
HALVES: Final = "m00ff00ff"
"""The mask of every second byte."""
HELD: Final = 0
"""The row that stays in registers from MixColumns to its S-box."""
LATE: Final = 3
"""The row whose S-box comes last, and that stays in registers from there on."""


def name_of(row: int, bit: int) -> str:
    """A word of the state, as it enters."""
    return f"x{row}{bit}"


@dataclass
class Planned(RvWriter):
    """A writer that notes loads and stores between the operations."""

    plan: list[str] = field(default_factory=list)
    """A schedule (allocate.py)."""
    places: dict[str, int] = field(default_factory=dict)
    """Of the words that are loaded and stored, the number in memory: 8 for a row, 1 for a bit."""
    results: dict[tuple[int, int], Word] = field(default_factory=dict)
    """Words by row and bit."""

    def _append(
        self, name: str, a: str = "", b: str = "", **rest: int | str | tuple[str, ...]
    ) -> str:
        out = super()._append(name, a, b, **rest)
        self.plan.append(out)
        return out

    def load(self, name: str, row: int, bit: int) -> Word:
        """A word of the state from memory."""
        self.plan.append(f"load {name}")
        self.places[name] = BITS * row + bit
        return Word(name)

    def store(self, word: Word, row: int, bit: int) -> None:
        """A word of the state into memory."""
        self.plan.append(f"store {word.name}")
        self.places[word.name] = BITS * row + bit

    def key(self, row: int, bit: int) -> Word:
        """A word of the round key."""
        return Word(self._append("word", immediate=BITS * row + bit))

    def leave(self, words: Sequence[Word], bit: int, held: int | None) -> None:
        """A bit of all rows; only one row may stay in registers."""
        for row, word in enumerate(words):
            self.results[row, bit] = word
            if row != held:
                self.store(word, row, bit)


@dataclass(frozen=True)
class Piece:
    """A program with its schedule."""

    program: Program
    plan: tuple[str, ...]
    places: dict[str, int]
    """Numbers in memory of words that are loaded or stored."""
    enters: tuple[str, ...]
    """What it expects in registers."""
    leaves: tuple[str, ...]
    """What it leaves there."""
    makers: Mapping[str, Operation] | None = None
    """Operations by the names that the schedule has, if there are others than the program's."""


def _piece(
    writer: Planned, inputs: Sequence[str], enters: Sequence[str], held: int | None
) -> Piece:
    order = sorted(writer.results)
    outputs = tuple(writer.results[at].name for at in order)
    leaves = tuple(writer.results[at].name for at in order if at[0] == held)
    program = Program(tuple(inputs), tuple(writer.operations), outputs, writer.constants)
    return Piece(program, _spread(writer, enters), writer.places, tuple(enters), leaves)


def _spread(writer: Planned, enters: Sequence[str]) -> tuple[str, ...]:
    """The plan; a load whose word the next instruction reads goes one place to the front."""
    operands = {one.out: {*one.operands()} for one in writer.operations}
    loads = {one.out for one in writer.operations if one.is_key}
    plan = list(writer.plan)

    def made(token: str) -> str:
        return token.split()[-1] if not token.startswith("store") else ""

    def reads(token: str) -> set[str]:
        return {token.split()[-1]} if token.startswith("store") else operands.get(token, set())

    for at in range(1, len(plan) - 1):
        token = plan[at]
        is_load = token.startswith("load") or token in loads
        if is_load and made(token) in reads(plan[at + 1]) and made(plan[at - 1]) not in enters:
            plan[at - 1], plan[at] = token, plan[at - 1]
    return tuple(plan)


def _row(row: int) -> list[str]:
    return [name_of(row, bit) for bit in range(BITS)]


def _state() -> list[str]:
    return [name for row in range(ROWS) for name in _row(row)]


def box(*, inverse: bool) -> Program:
    """The S-box or its inverse, a row in registers."""
    writer = RvWriter()
    words = substitute(writer, [Word(name) for name in STATE], inverse=inverse)
    return program(STATE, writer, words)


def substitution(
    row: int, *, inverse: bool, order: Sequence[str], made: Mapping[str, Operation]
) -> Piece:
    """The S-box and ShiftRows of a row, or their inverses; `order` of the gates."""
    writer = Planned()
    found = substitute(writer, [Word(name) for name in STATE], inverse=inverse)
    writer.plan.clear()
    held = row == HELD
    if not held:
        for bit, name in enumerate(STATE):
            writer.load(name, row, bit)
    writer.plan += order
    amount = 8 * row if not inverse else 32 - 8 * row
    for bit, word in enumerate(found):
        writer.results[row, bit] = writer.xor(word.rotated(amount))
    stays = row == LATE and not inverse
    if not stays:
        for (_, bit), word in writer.results.items():
            writer.store(word, row, bit)
    piece = _piece(writer, STATE, STATE if held else (), LATE if stays else None)
    added = {one.out: one for one in piece.program.operations}
    return replace(piece, makers={**added, **made})


def _sums(writer: Planned, words: Sequence[Word]) -> list[Word]:
    """Each row and the next one."""
    return [writer.xor(words[i], words[(i + 1) % ROWS]) for i in range(ROWS)]


def _others(writer: Planned, words: Sequence[Word], sums: Sequence[Word]) -> list[Word]:
    """The sum of the three other rows, by row."""
    return [writer.xor(words[(i + 1) % ROWS], sums[(i + 2) % ROWS]) for i in range(ROWS)]


def _doubled(
    writer: Planned, bit: int, others: Sequence[Word], below: Sequence[Word], top: Sequence[Word]
) -> list[Word]:
    """With t the sums: 02 t and the three other rows."""
    mixed = [writer.xor(a, t) for a, t in zip(others, below, strict=True)]
    if bit in POLYNOMIAL and bit > 0:
        mixed = [writer.xor(a, t) for a, t in zip(mixed, top, strict=True)]
    return mixed


def mix() -> Piece:
    """MixColumns and the sum with the round key, from the topmost bit down."""
    writer = Planned()
    top: list[Word] = []
    others: list[Word] = []
    for bit in range(BITS - 1, -2, -1):
        below = top
        if bit >= 0:
            words = [
                Word(name_of(row, bit)) if row == LATE else writer.load(name_of(row, bit), row, bit)
                for row in range(ROWS)
            ]
            keys = [writer.key(row, bit) for row in range(ROWS)]
            below = _sums(writer, words)
        top = top or below
        if bit < BITS - 1:
            writer.leave(_doubled(writer, bit + 1, others, below, top), bit + 1, HELD)
        if bit >= 0:
            others = _others(writer, words, below)
            others = [writer.xor(a, key) for a, key in zip(others, keys, strict=True)]
    return _piece(writer, _state(), _row(LATE), HELD)


@dataclass
class _Inverse:
    """InvMixColumns after the sum with the round key: MixColumns after x + 04 (x + N^2 x)."""

    writer: Planned = field(default_factory=Planned)

    def keyed(self, bit: int) -> list[Word]:
        """A bit of all rows, with the round key."""
        writer, found = self.writer, []
        for row in range(ROWS):
            x, key = writer.load(name_of(row, bit), row, bit), writer.key(row, bit)
            found.append((x, key))
        return [writer.xor(x, key) for x, key in found]

    def pair(self, words: Sequence[Word]) -> list[Word]:
        """The sums x + N^2 x, for even and odd rows."""
        return [self.writer.xor(words[i], words[i + 2]) for i in range(2)]

    def sum(self, a: Sequence[Word], b: Sequence[Word]) -> list[Word]:
        """Word by word; of two for even and odd rows if there are more."""
        return [self.writer.xor(x, b[i % len(b)]) for i, x in enumerate(a)]

    def write(self) -> Piece:
        """From the lowest bit up, because that of bit b - 2 is a part of bit b."""
        writer = self.writer
        seventh = self.keyed(7)
        u7, u6 = self.pair(seventh), self.pair(self.keyed(6))
        seventh = self.sum(seventh, self.pair(self.keyed(5)))
        for row, word in enumerate(seventh):
            writer.store(word, row, 7)
        top = below = _sums(writer, seventh)
        both = self.sum(u6, u7)
        quadruple = {0: u6, 1: both}
        more = {0: u7, 1: u6, 2: both, 3: u7}
        for bit in range(BITS):
            if bit < BITS - 1:
                words = self.keyed(bit)
                if bit <= 4:
                    u = self.pair(words)
                    quadruple[bit + 2] = self.sum(u, more[bit]) if bit in more else u
                words = self.sum(words, quadruple[bit])
                sums = _sums(writer, words)
            else:
                words = [writer.load(word.name, row, 7) for row, word in enumerate(seventh)]
                sums = top
            others = _others(writer, words, sums)
            writer.leave(_doubled(writer, bit, others, below, top), bit, HELD)
            below = sums
        return _piece(writer, _state(), (), HELD)


def inv_mix() -> Piece:
    """The sum with the round key and InvMixColumns."""
    return _Inverse().write()


def bits() -> Piece:
    """Eight words of as many blocks become eight bits, or the other way round."""
    writer = Planned()
    words = _row(0)
    for bit, word in enumerate(transpose(writer, [Word(name) for name in words])):
        writer.results[0, bit] = word
    return _piece(writer, words, (*words, *writer.constants), 0)


def _exchange(writer: Planned, a: Word, b: Word, mask: int, shift: int) -> tuple[Word, Word]:
    """Bytes of a at mask << shift change places with those of b at mask."""
    t = writer.xor_shifted(b, a, "lsr", shift)
    if mask:
        t = writer.mask(t, mask)
        return writer.xor_shifted(a, t, "lsl", shift), writer.xor(b, t)
    moved = Word(writer._append("lsl", t.name, amount=shift))
    return writer.xor(a, moved), writer.xor_shifted(b, moved, "lsr", shift)


def columns(*, late: bool) -> Piece:
    """Four rows of a bit become four columns, bit by bit; `late`: that row is in registers."""
    writer = Planned()
    for bit in range(BITS):
        words = [
            Word(name_of(row, bit))
            if late and row == LATE
            else writer.load(name_of(row, bit), row, bit)
            for row in range(ROWS)
        ]
        for low, high, mask, shift in ((0, 2, 0, 16), (1, 3, 0, 16), (0, 1, 0xFF00FF, 8),
                                       (2, 3, 0xFF00FF, 8)):  # fmt: skip
            words[low], words[high] = _exchange(writer, words[low], words[high], mask, shift)
        writer.leave(words, bit, None)
    enters = _row(LATE) if late else []
    return _piece(writer, _state(), (*enters, *writer.constants), None)


def pieces(orders: Mapping[str, Sequence[str]]) -> dict[str, Piece]:
    """Every piece by its name; `orders` of the gates of both S-boxes."""
    found = {"bits": bits(), "encrypt_columns": columns(late=True)}
    found |= {"decrypt_columns": columns(late=False), "mix": mix(), "inv_mix": inv_mix()}
    for way, inverse in (("encrypt", False), ("decrypt", True)):
        made = makers(box(inverse=inverse))
        for row in range(ROWS):
            found[f"{way}{row}"] = substitution(row, inverse=inverse, order=orders[way], made=made)
    return found
