# SPDX-License-Identifier: MIT
"""Writes a round of fixslice on two shares: SubBytes, MixColumns with ShiftRows, AddRoundKey.

The S-box is that of masked.py.  The rest is linear, so each share goes through it alone: before
each all registers, latches, the bus and the stack are cleared, and in it nothing has to be judged.
`aesfit prove --masked` judges the assembled image.

    PYTHONPATH=tools python -m assemble.masked_round 1 > masked_round.s

writes masked_round(share0, share1, random) for round keys with form 1 of MixColumns (fixslice.py):
two times sixteen words, the state and the round key in bit slices, and 32 random words.
"""

from __future__ import annotations

import sys

from make_sbox_circuit import BITS

from .fixslice import FORMS, mix_columns
from .masked import NEVER, REGISTERS, MaskedWriter, framed, function, substituted
from .program import Operation, Word, Writer

STATE = tuple(f"q{bit}" for bit in range(BITS))
KEY = tuple(f"k{bit}" for bit in range(BITS))


def linear_part(form: int) -> tuple[list[Operation], list[Word]]:
    """MixColumns with ShiftRows, and the sum with the round key."""
    writer = Writer()
    mixed = mix_columns(writer, [Word(name) for name in STATE], form)
    return writer.operations, [
        writer.xor(word, Word(key)) for word, key in zip(mixed, KEY, strict=True)
    ]


def masked_round(form: int) -> list[str]:
    """Lines of a round, in place."""
    one = MaskedWriter()
    substituted(one, constant=False)
    for share in "01":
        _clear_all(one)
        _linear(one, share, form)
    return framed(one)


def _clear_all(one: MaskedWriter) -> None:
    """Nothing but the shares in memory is left of what came before."""
    for slot in [slot for slot in one.memory if slot[0] == "sp"]:
        one.clear_memory(slot)
    for register in REGISTERS:
        one.clear(register)
    one.clear_latches()
    one.where.clear()
    one.slots.clear()


def _linear(one: MaskedWriter, share: str, form: int) -> None:
    """One share; all of it counts as public here, since the other is nowhere."""
    operations, results = linear_part(form)
    if any(word.ror for word in results):
        raise ValueError("a round hands its words on as they are")
    one.step, one.uses = 0, {}
    for at, operation in enumerate(operations):
        for value in operation.operands():
            one.uses.setdefault(value, []).append(at)
    for at, word in enumerate(results):
        one.uses.setdefault(word.name, []).append(len(operations) + at)
    for at, name in enumerate((*STATE, *KEY)):
        one.forms[name], one.slots[name] = 0, (f"r{share}", 4 * at)
        one.memory[one.slots[name]] = 0
    for operation in operations:
        _write(one, operation)
    for bit, word in enumerate(results):
        one.need(word.name, ())
        one.store(word.name, (f"r{share}", 4 * bit))
        one.step += 1
        one.drop(word.name)


def _write(one: MaskedWriter, operation: Operation) -> None:
    operands = operation.operands()
    for value in operands:
        one.need(value, operands)
    one.step += 1
    dying = [one.where[value] for value in operands if one.next_use(value) == NEVER]
    if not dying:
        one.make_room(operands)
    target = (*dying, *one.free())[0]
    named = [value for value in (operation.a, operation.b) if value]
    registers = ", ".join(one.where[value] for value in named)
    turned = f", ror #{operation.amount}" if operation.amount else ""
    last = "" if operation.b else f", #{operation.immediate:#x}"
    one.lines.append(f"{operation.name}.w {target}, {registers}{turned}{last}")
    for value in operands:
        one.drop(value)
    one.where[operation.out], one.forms[operation.out] = target, 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in map(str, range(FORMS)):
        sys.exit(f"give the form of MixColumns, 0 to {FORMS - 1}")
    print(function("masked_round", masked_round(int(sys.argv[1]))), end="")
