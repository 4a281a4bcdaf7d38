# SPDX-License-Identifier: MIT
"""The steps of lib/src/cores/fixslice.c as programs: eight words, bit b of every byte in word b.

Layout and numbering of rounds are those of parts/steps/bitslice.h and of the C core, which the
tests compare each program with.  Before round r's MixColumns row i stands i * r columns to the
right of where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from make_sbox_circuit import BITS, FORWARD, INVERSE, build

from .program import Program, Word, Writer

STATE = tuple(f"q{i}" for i in range(BITS))
POLYNOMIAL = (0, 1, 3, 4)
"""x^8 = x^4 + x^3 + x + 1."""
FORMS = 4
"""ShiftRows has period 4."""


def substitute(writer: Writer, q: Sequence[Word], *, inverse: bool) -> list[Word]:
    """The S-box circuit or its inverse, without the constant 0x63."""
    circuit = build(inverse, INVERSE if inverse else FORWARD)
    word = dict(zip(STATE, q, strict=True))
    for gate in circuit.gates:
        a, b = word[gate.a], word[gate.b]
        word[gate.out] = writer.product(a, b) if gate.is_and else writer.xor(a, b)
    return [word[name] for name in circuit.outputs]


def add_round_key(writer: Writer, q: Sequence[Word]) -> list[Word]:
    """The sum with the eight words that the key pointer stands at."""
    return [writer.xor(word, key) for word, key in zip(q, writer.keys(), strict=True)]


def next_row(writer: Writer, x: Word, rows: int, columns: int) -> Word:
    """Row i of the result is row i + rows of x, `columns` columns on (bitslice_rotate)."""
    columns %= FORMS
    if columns == 0:
        return x.rotated(8 * rows)
    return writer.rotated_bytes(x, 2 * columns).rotated(8 * rows)


def pair_sum(writer: Writer, x: Word, form: int) -> Word:
    """The sum x + N^2 x with N the next row; in odd forms the lower nibbles of its bytes alone.

    There row i + 2 of the sum, nibbles exchanged, is row i: `whole` makes it of the lower nibbles.
    """
    if form % 2 == 0:
        return writer.xor(x, next_row(writer, x, 2, 2 * form))
    return writer.mask(writer.xor(x, x.rotated(20)), 0x0F0F0F0F)


def whole(pair: Word, form: int) -> tuple[Word, ...]:
    """Words that sum up to what pair_sum stands for."""
    return (pair,) if form % 2 == 0 else (pair, pair.rotated(12))


def mix_columns(writer: Writer, q: Sequence[Word], form: int) -> list[Word]:
    """With N the next row and t = x + N x: 02 t + N x + N^2 t."""
    following = [next_row(writer, x, 1, form) for x in q]
    t = [writer.xor(x, n) for x, n in zip(q, following, strict=True)]
    mixed = []
    for b in range(BITS):
        doubled = [t[b - 1]] + [t[7]] * (b in POLYNOMIAL and b > 0)
        mixed.append(writer.xor(*doubled, following[b], next_row(writer, t[b], 2, 2 * form)))
    return mixed


def before_mixing(writer: Writer, q: Sequence[Word], form: int) -> list[Word]:
    """What InvMixColumns does before MixColumns: x + 04 (x + N^2 x); odd forms are alike."""
    u = [pair_sum(writer, x, form) for x in q]
    top = writer.xor(u[6], u[7])
    quadruple = [(u[6],), (top,), (u[0], u[7]), (u[1], u[6]), (u[2], top), (u[3], u[7])]
    sums = [writer.xor(*terms) for terms in [*quadruple, (u[4],), (u[5],)]]
    return [writer.xor(x, *whole(sum_, form)) for x, sum_ in zip(q, sums, strict=True)]


def inv_mix_columns(writer: Writer, q: Sequence[Word], form: int) -> list[Word]:
    """MixColumns after before_mixing."""
    return mix_columns(writer, before_mixing(writer, q, form), form)


def program(inputs: Sequence[str], writer: Writer, outputs: Sequence[Word]) -> Program:
    """What was written, as far as the outputs need it."""
    if any(word.ror for word in outputs):
        raise ValueError("a program hands its words on as they are")
    names = tuple(word.name for word in outputs)
    operations = tuple(writer.operations)
    return Program(tuple(inputs), operations, names, writer.constants).needed()


def transpose(writer: Writer, q: Sequence[Word]) -> list[Word]:
    """Word index and bit index exchanged within bytes (bitslice_transpose); its own inverse."""
    words = list(q)
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F)):
        for low in (i for i in range(BITS) if not i & shift):
            a, b = words[low], words[low + shift]
            t = writer.mask(writer.xor_shifted(b, a, "lsr", shift), mask)
            words[low] = writer.xor_shifted(a, t, "lsl", shift)
            words[low + shift] = writer.xor(b, t)
    return words


def align(writer: Writer, q: Sequence[Word]) -> list[Word]:
    """Rows 1 and 3 moved by two columns, where the words are columns: their bytes change places."""
    words = list(q)
    for i in range(BITS // 2):
        t = writer.mask(writer.xor(words[i], words[i + 4]), 0xFF00FF00)
        words[i], words[i + 4] = writer.xor(words[i], t), writer.xor(words[i + 4], t)
    return words


def start(writer: Writer) -> Program:
    """Eight columns become bits, and the first round key is added."""
    q = transpose(writer, [Word(name) for name in STATE])
    return program((*STATE, *writer.first_inputs), writer, add_round_key(writer, q))


def middle(writer: Writer, form: int, *, inverse: bool) -> Program:
    """SubBytes, MixColumns and AddRoundKey; or the inverse S-box, AddRoundKey, InvMixColumns."""
    q = substitute(writer, [Word(name) for name in STATE], inverse=inverse)
    if inverse:
        q = inv_mix_columns(writer, add_round_key(writer, q), form)
    else:
        q = add_round_key(writer, mix_columns(writer, q, form))
    return program(STATE, writer, q)


def last(writer: Writer, *, inverse: bool) -> Program:
    """The round without MixColumns; the bits become columns."""
    q = substitute(writer, [Word(name) for name in STATE], inverse=inverse)
    return program(STATE, writer, transpose(writer, add_round_key(writer, q)))


def alignment(writer: Writer) -> Program:
    """What two columns off are in rows 1 and 3 goes where it belongs, in columns."""
    return program(STATE, writer, align(writer, [Word(name) for name in STATE]))


def pieces(new: Callable[[], Writer] = Writer) -> dict[str, Program]:
    """Every program by its name, written by writers that are made anew."""
    found = {"start": start(new())}
    for direction, inverse in (("encrypt", False), ("decrypt", True)):
        for form in range(FORMS):
            found[f"{direction}{form}"] = middle(new(), form, inverse=inverse)
        found[f"{direction}_last"] = last(new(), inverse=inverse)
    return found
