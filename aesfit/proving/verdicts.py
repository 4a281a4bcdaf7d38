# SPDX-License-Identifier: MIT
"""What a caller learns anyway: whether what it gave agrees with what was computed.

A tag is given as the right one plus bits of its own, so the call may learn whether all of these
are 0, and nothing else: not which of them are 1.  A value tells no more than that if it is one
constant where they are all 0, and the other one wherever one of them is 1, whatever the others
are.  Nothing in the code, its lines or its comments says which values these are.
"""

from collections.abc import Sequence

from .substitution import Substitution
from .zones import Atoms


class CallVerdict:
    """Whether a call accepts, as a function of what it is given."""

    def __init__(self, accepts: Sequence[Substitution], refuses: Sequence[Substitution]) -> None:
        """The cases in which it does, and all others; each gives some bits, the rest are open."""
        self._accepts, self._refuses = accepts, refuses
        self._known: dict[int, tuple[int, int] | None] = {}

    def __invert__(self) -> "CallVerdict":
        """It accepts what the other one refuses."""
        return CallVerdict(self._refuses, self._accepts)

    def accepted(self, form: int) -> int | None:
        """The constant that a form is wherever the call accepts; None: it is none."""
        return form if form < 2 else _common(self._accepts, form)

    def refused(self, form: int) -> int | None:
        """The constant that a form is wherever the call refuses; None: it is none."""
        return form if form < 2 else _common(self._refuses, form)

    def sides(self, form: int) -> tuple[int, int] | None:
        """A form's value where the call accepts and where it refuses; None: it tells more."""
        if form not in self._known:
            accepted = self.accepted(form)
            refused = None if accepted is None else self.refused(form)
            found = None if accepted is None or refused is None else (accepted, refused)
            self._known[form] = found
        return self._known[form]


def _common(cases: Sequence[Substitution], form: int) -> int | None:
    """The constant that a form is in every case; None where there is none, or no case."""
    value = cases[0].of(form) if cases else 2
    if value > 1 or any(case.of(form) != value for case in cases[1:]):
        return None
    return value


def agreement(atoms: Atoms, pairs: Sequence[tuple[int, int]]) -> CallVerdict:
    """It accepts where each bit, given by its atom's number, is the form beside it."""
    other = [Substitution(atoms, {at: form ^ 1}) for at, form in pairs]
    return CallVerdict([Substitution(atoms, dict(pairs))], other)


def equal_results(atoms: Atoms, pairs: Sequence[tuple[int, int]]) -> CallVerdict:
    """It accepts where each form is the one beside it, which is older.

    The newest atom of a form that a cipher ended in is in none of the older forms, so it can be
    given such that both are equal.
    """
    solved: dict[int, int] = {}
    refuses = []
    for form, other in sorted(pairs):
        at = form.bit_length() - 1
        rest = form ^ other ^ 1 << at
        refuses.append(Substitution(atoms, {at: rest ^ 1}))
        for older, stands_for in solved.items():
            if rest >> older & 1:
                rest ^= 1 << older ^ stands_for
        solved[at] = rest
    if len(solved) < len(pairs):
        raise ValueError("two results end in the same atom")
    return CallVerdict([Substitution(atoms, solved)], refuses)


def padding(atoms: Atoms, block: Sequence[Sequence[int]]) -> CallVerdict:
    """It accepts a last block that ends in n bytes of value n, 1 to 16 (RFC 5652, 6.3)."""
    last = block[15]
    accepts = [
        Substitution(atoms, dict(pair for one in block[16 - n :] for pair in _value(one, n)))
        for n in range(1, 17)
    ]
    refuses = [Substitution(atoms, dict(_value(last, n))) for n in (0, *range(17, 256))]
    for n in range(2, 17):
        for at, bit in ((at, bit) for one in block[16 - n : 15] for at, bit in _value(one, n)):
            refuses.append(Substitution(atoms, {**dict(_value(last, n)), at: bit ^ 1}))
    return CallVerdict(accepts, refuses)


def _value(byte: Sequence[int], value: int) -> list[tuple[int, int]]:
    """A byte's atoms, and the bits of a number."""
    return [(form.bit_length() - 1, value >> at & 1) for at, form in enumerate(byte)]
