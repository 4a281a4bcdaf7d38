# SPDX-License-Identifier: MIT
"""The operation-count formula of Doomun et al., as published and as repaired.

R. Doomun, J. Doma, S. Tengur, AES-CBC Software Execution Optimization, section 2, gives the time of
one block as a sum of byte operations: Ta, To, Ts are the costs of an AND, an OR, a shift, Nb = 4
the columns of a block, Nr the rounds:

    T_encrypt = (46 Nb Nr - 30 Nb) Ta + [31 Nb Nr + 12 (Nr - 1) - 20 Nb] To
                + [64 Nb Nr + 96 (Nr - 1) - 61 Nb] Ts
    T_decrypt = T_encrypt + (96 Nb Ta + 72 Nb To - 32 Nb Ts) (Nr - 1)

Where it comes from.  The same section states what each transformation takes, an XOR being two ANDs
and one OR, a ^ b = (a & ~b) | (~a & b), with complements for nothing:

    transformation   stated                              as AND      OR      shift
    AddRoundKey      (4 Nb XOR)                          8 Nb        4 Nb    -
    SubBytes                                             3 Nb        2 Nb    -
    ShiftRows                                            -           3 Nb    3 Nb
    MixColumns       19 Nb XOR, 8 Nb OR, 64 Nb shifts    38 Nb       27 Nb   64 Nb

AddRoundKey runs Nr + 1 times, SubBytes and ShiftRows Nr times, MixColumns Nr - 1 times, so that

    AND    8 Nb (Nr + 1) + 38 Nb (Nr - 1)                     = 46 Nb Nr - 30 Nb
    OR     4 Nb (Nr + 1) + 27 Nb (Nr - 1) + 3 Nb Nr           = 31 Nb Nr - 20 Nb + 3 Nb (Nr - 1)
    shift  64 Nb (Nr - 1) + 3 Nb Nr                           = 64 Nb Nr - 61 Nb + 3 Nb (Nr - 1)

The ANDs and ORs are the published ones when SubBytes is left out (3 Nb (Nr - 1) is the 12 (Nr - 1)
for Nb = 4).  The shifts are not: ShiftRows has 96 of them in each middle round, which we read as
8 x 3 Nb, a shift by a byte counted as eight by a bit, yet 3 Nb in the last one.

What the repair changes, and nothing else:

1. ShiftRows takes the 3 Nb shifts that are stated for it in every round: one for each byte moved,
   for an instruction shifts by any amount.  (Counting bits throughout instead would add 21 Nb in
   the last round to the published sum.)
2. SubBytes is put in, with the 3 Nb ANDs and 2 Nb ORs that are stated for it, in all Nr rounds.

    AND    49 Nb Nr - 30 Nb
    OR     36 Nb Nr - 23 Nb
    shift  67 Nb Nr - 64 Nb

The pricing of an XOR as three operations stays, because it is the formula's unit; counted XORs are
converted to it before they are compared (`expanded`).

Decryption: InvMixColumns takes 96 Nb ANDs and 72 Nb ORs more than MixColumns and 32 Nb shifts
fewer, which is 67 Nb XOR, 32 Nb OR, 32 Nb shifts; the other inverses take what their originals do.
That it shifts less although it multiplies by larger constants cannot be checked, for the paper that
counted it (the text's reference 9) is not at hand; it is kept.  Key expansion is in no sum.
"""

from dataclasses import dataclass
from typing import Final, Literal

Direction = Literal["encrypt", "decrypt"]
NB: Final = 4
"""Columns of a block."""


@dataclass(frozen=True)
class ClassCosts:
    """Costs of one operation each, in any unit."""

    and_: float = 1
    or_: float = 1
    shift: float = 1


@dataclass(frozen=True)
class OperationCounts:
    """Numbers of operations."""

    and_: int = 0
    or_: int = 0
    xor: int = 0
    shift: int = 0

    def __add__(self, other: "OperationCounts") -> "OperationCounts":
        """The sum of both."""
        return OperationCounts(
            self.and_ + other.and_,
            self.or_ + other.or_,
            self.xor + other.xor,
            self.shift + other.shift,
        )

    def __mul__(self, times: int) -> "OperationCounts":
        """A multiple."""
        return OperationCounts(
            self.and_ * times, self.or_ * times, self.xor * times, self.shift * times
        )

    def expanded(self) -> "OperationCounts":
        """Every XOR as two ANDs and one OR."""
        return OperationCounts(self.and_ + 2 * self.xor, self.or_ + self.xor, 0, self.shift)

    def time(self, costs: ClassCosts) -> float:
        """The cost, with an XOR as two ANDs and an OR."""
        whole = self.expanded()
        return whole.and_ * costs.and_ + whole.or_ * costs.or_ + whole.shift * costs.shift


ADD_ROUND_KEY: Final = OperationCounts(xor=4) * NB
SUB_BYTES: Final = OperationCounts(and_=3, or_=2) * NB
SHIFT_ROWS: Final = OperationCounts(or_=3, shift=3) * NB
MIX_COLUMNS: Final = OperationCounts(xor=19, or_=8, shift=64) * NB
INV_MIX_COLUMNS: Final = OperationCounts(xor=67, or_=32, shift=32) * NB


def published(direction: Direction, rounds: int) -> OperationCounts:
    """The printed formula's operations for one block, XORs priced in."""
    encrypt = OperationCounts(
        and_=46 * NB * rounds - 30 * NB,
        or_=31 * NB * rounds + 12 * (rounds - 1) - 20 * NB,
        shift=64 * NB * rounds + 96 * (rounds - 1) - 61 * NB,
    )
    if direction == "encrypt":
        return encrypt
    return encrypt + OperationCounts(96 * NB, 72 * NB, 0, -32 * NB) * (rounds - 1)


def repaired(direction: Direction, rounds: int) -> OperationCounts:
    """The sum over what is stated for each transformation, with XORs as XORs."""
    mix = MIX_COLUMNS if direction == "encrypt" else INV_MIX_COLUMNS
    every_round = SUB_BYTES + SHIFT_ROWS
    return ADD_ROUND_KEY * (rounds + 1) + every_round * rounds + mix * (rounds - 1)
