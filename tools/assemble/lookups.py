# SPDX-License-Identifier: MIT
"""Rounds of AES with one table of words (lib/src/cores/ttable1.c) as programs.

A round reads 16 words of the table and 4 of the round key; beside the pointers to both, twelve
registers are left for what is loaded and for the bytes that address it.  Loads that follow one
another take a cycle each on Cortex-M3, the first of them one more, as long as they read one memory:
so a round has three rows of loads, the shares of columns 0 and 1, those of 2 and 3, and the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from make_tables import INV_SBOX, SBOX, decryption, encryption, word

from .program import KEY, Operation, Program, Word, Writer

STATE = ("s0", "s1", "s2", "s3")
TABLE = "table"
"""The table's address."""
MASK = "mask"
"""0xff, where that is kept in a register."""
BLOCK = "block"
"""The address of the block."""
LAST_BYTE = "last_byte"
"""The last byte of a counter and of the round key, added."""
KEPT = tuple(f"kept{i}" for i in range(5))
"""What is kept of counter blocks, as parts/steps/ttable1_counter.h of the library has it."""
WORDS: Mapping[bool, tuple[int, ...]] = {
    False: tuple(word(encryption(x)) for x in range(256)),
    True: tuple(word(decryption(x)) for x in range(256)),
}
"""The table, by whether it is that of decryption."""
BOX: Mapping[bool, int] = {False: 1, True: 1024}
"""How far into the table the S-box is, in bytes."""
HALVES = ((0, 1), (2, 3))
BYTES: Mapping[bool, Sequence[int]] = {False: SBOX, True: INV_SBOX}


@dataclass(frozen=True)
class Lookup(Operation):
    """Also byte: bits `amount` to `amount` + 7 of a.

    entry, letter: the word or byte at index a of the table at b, 1 << `amount` bytes to an index.
    topmost: the byte at the topmost byte of a.
    next: the address a plus `immediate`.  column: word `immediate` behind a, on a computer of what
    is given as the round key.  slot: what stands `immediate` bytes into the stack frame.
    """

    content: Sequence[int] = field(default=(), repr=False, compare=False)
    """Of the table."""

    def results(self, values: Mapping[str, int], key: Sequence[int]) -> tuple[int, ...]:
        """The result on a computer, where addresses are worth nothing."""
        if self.name == "byte":
            return (values[self.a] >> self.amount & 0xFF,)
        if self.name in ("entry", "letter"):
            return (self.content[values[self.a]],)
        if self.name == "topmost":
            return (self.content[values[self.a] >> 24],)
        if self.name == "column":
            return (key[self.immediate],)
        return (0,) if self.name in ("next", "slot") else super().results(values, key)


class LookupWriter(Writer):
    """Writes operations in the order in which they are to be executed."""

    def lookup(
        self, name: str, a: str = "", b: str = "", amount: int = 0, immediate: int = 0,
        content: Sequence[int] = (),
    ) -> str:  # fmt: skip
        """The result of an operation."""
        one = Lookup(name, next(self.names), a, b, "lsl", amount, immediate, content=content)
        self.operations.append(one)
        return one.out


@dataclass
class _Round:
    """A round whose columns are made share by share."""

    state: Mapping[int, Word]
    inverse: bool
    table: str
    scale: int
    content: Sequence[int]
    sums: dict[int, Word] = field(default_factory=dict)
    """The new columns as far as they are made."""

    def source(self, column: int, row: int) -> int:
        """The old column of which a new one takes this row."""
        return (column + (-row if self.inverse else row)) % 4

    def byte(self, writer: LookupWriter, column: int, row: int) -> str:
        """The index of a share; the old column may still have to be rotated."""
        x = self.state[self.source(column, row)]
        return writer.lookup("byte", x.name, amount=(8 * row + x.ror) % 32)

    def entry(self, writer: LookupWriter, index: str) -> str:
        """What stands there."""
        name = "entry" if self.content in WORDS.values() else "letter"
        return writer.lookup(name, index, self.table, self.scale, content=self.content)

    def add(self, writer: Writer, column: int, share: Word) -> None:
        """One more share, or the key, whose rotation is that of the sum."""
        before = self.sums.get(column)
        self.sums[column] = share if before is None else writer.xor(share, before)


def _middle(state: Mapping[int, Word], inverse: bool) -> _Round:
    return _Round(state, inverse, TABLE, 2, WORDS[inverse])


def _final(writer: LookupWriter, state: Mapping[int, Word], inverse: bool) -> _Round:
    box = writer.lookup("next", TABLE, immediate=BOX[inverse])
    return _Round(state, inverse, box, 0 if inverse else 2, BYTES[inverse])


def _row(writer: LookupWriter, of: _Round, columns: Sequence[int]) -> None:
    """The shares of whole columns."""
    places = [(column, row) for column in columns for row in range(4)]
    indices = [of.byte(writer, *place) for place in places]
    entries = [of.entry(writer, index) for index in indices]
    for (column, row), name in zip(places, entries, strict=True):
        of.add(writer, column, Word(name).rotated(32 - 8 * row))


def _key_row(writer: LookupWriter, of: _Round, first: int, slots: Iterable[int] = ()) -> list[str]:
    """The round key, and slots, which it returns."""
    words = [Word(writer.lookup("key", immediate=first + i)) for i in range(4)]
    found = [writer.lookup("slot", immediate=offset) for offset in slots]
    for column, key in enumerate(words):
        of.add(writer, column, key)
    return found


def middle(first: int, *, inverse: bool) -> Program:
    """A round whose key begins at word `first` behind the key pointer."""
    writer = LookupWriter()
    state = {i: Word(name) for i, name in enumerate(STATE)}
    one = _middle(state, inverse)
    for columns in HALVES:
        _row(writer, one, columns)
    _key_row(writer, one, first)
    outputs = (*(one.sums[i].name for i in range(4)), KEY, TABLE)
    return Program((*STATE, KEY, TABLE), tuple(writer.operations), outputs)


def last(first: int, *, inverse: bool, slots: Sequence[int]) -> Program:
    """The round that reads the S-box, and leaves slots and its address behind the state.

    It is byte 1 of the table's words, and stands behind the table of decryption.
    """
    writer = LookupWriter()
    state = {i: Word(name) for i, name in enumerate(STATE)}
    one = _final(writer, state, inverse)
    for columns in HALVES:
        _row(writer, one, columns)
    left = _key_row(writer, one, first, slots)
    outputs = (*(one.sums[i].name for i in range(4)), KEY, one.table, *left)
    return Program((*STATE, KEY, TABLE), tuple(writer.operations), outputs)


def columns(*, inverse: bool, final: bool) -> tuple[Program, int]:
    """A round column by column, without its key, and what its columns have to be rotated by.

    For processors where loads do not gain from rows, and a mask in a register extracts bytes.
    """
    writer = LookupWriter()
    kept = [KEY, MASK]
    state = {i: Word(name) for i, name in enumerate(STATE)}
    one = _final(writer, state, inverse) if final else _middle(state, inverse)
    for column in range(4):
        _row(writer, one, [column])
    outputs = (*(one.sums[i].name for i in range(4)), *kept, one.table)
    program = Program((*STATE, KEY, MASK, TABLE), tuple(writer.operations), outputs)
    return program, one.sums[0].ror


def start(first: int) -> Program:
    """The columns of a block with the round key that begins at word `first`."""
    writer = LookupWriter()
    block = [Word(writer.lookup("column", BLOCK, immediate=i)) for i in range(4)]
    keys = [Word(writer.lookup("key", immediate=first + i)) for i in range(4)]
    sums = [writer.xor(key, x).name for key, x in zip(keys, block, strict=True)]
    return Program((BLOCK, KEY, TABLE), tuple(writer.operations), (*sums, KEY, TABLE))


def second_of_counter(fixed: Sequence[str] = (KEY, TABLE)) -> Program:
    """The second round of a counter block, and of the first what the counter's last byte reaches.

    What other counters share is kept, with the keys of both rounds added.  `fixed`: what stays in
    its registers.
    """
    writer = LookupWriter()
    one = _middle({}, inverse=False)
    share = Word(one.entry(writer, LAST_BYTE)).rotated(8)
    one.state = {0: writer.xor(Word(KEPT[0]), share)}
    one.sums = {column: Word(name) for column, name in enumerate(KEPT[1:])}
    reached = [(column, -column % 4) for column in range(4)]
    indices = [one.byte(writer, *each) for each in reached]
    entries = [one.entry(writer, index) for index in indices]
    for (column, row), name in zip(reached, entries, strict=True):
        one.sums[column] = writer.xor(one.sums[column], Word(name).rotated(32 - 8 * row))
    outputs = (*(one.sums[i].name for i in range(4)), *fixed)
    return Program((LAST_BYTE, *KEPT, *fixed), tuple(writer.operations), outputs)


def last_of_counter(first: int, *, source: int, slots: Sequence[int]) -> Program:
    """The last round of encryption with a block of text added, whose address is in slot `source`.

    It leaves the address of the next block and `slots` behind the state and the key pointer.
    """
    writer = LookupWriter()
    one = _final(writer, {i: Word(name) for i, name in enumerate(STATE)}, inverse=False)
    for columns in HALVES:
        _row(writer, one, columns)
    block = writer.lookup("slot", immediate=source)
    added = [Word(writer.lookup("key", immediate=first + i)) for i in range(4)]
    added += [Word(writer.lookup("column", block, immediate=i)) for i in range(4)]
    for at, each in enumerate(added):
        one.add(writer, at % 4, each)
    following = writer.lookup("next", block, immediate=16)
    found = [writer.lookup("slot", immediate=offset) for offset in slots]
    outputs = (*(one.sums[i].name for i in range(4)), KEY, following, *found)
    return Program((*STATE, KEY, TABLE), tuple(writer.operations), outputs)
