# SPDX-License-Identifier: MIT
"""Products of sums: GHASH multiplies sums of bits of y by sums of bits of H.

(a + b)(c + d) = ac + ad + bc + bd, so the products of one form of `left` and one of `right` span
all of them.  Each is an atom, and a sum of products is a form like any other.

A product of two blocks has as many as 16,384 terms a bit.  A sum that goes on, such as a bit of the
next y, is therefore named: it becomes an atom, and one of its terms is from then on written as that
atom and the others.  That is a change of basis, so forms remain functions that they were.
"""

from collections.abc import Iterator, Sequence


def bits_of(mask: int) -> Iterator[int]:
    """Numbers of the bits that are 1."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class LinearSpan:
    """All sums of some forms, with the constant."""

    def __init__(self, forms: Sequence[int]) -> None:
        """Of forms that depend on others before them, nothing new is in it."""
        self.forms = tuple(forms)
        self._pivots: dict[int, tuple[int, int]] = {}
        """Forms without their constants by their highest atom, each with those it is a sum of."""
        self._known: dict[int, tuple[int, int] | None] = {}
        for at, form in enumerate(forms):
            rest, members = self._reduced(form & ~1)
            if rest > 1:
                self._pivots[rest.bit_length()] = rest, members ^ 1 << at
        self.empty = not self._pivots

    def _reduced(self, form: int) -> tuple[int, int]:
        """What is left of a form, and the members that were taken off; constants stay behind."""
        members = 0
        while form > 1 and (known := self._pivots.get(form.bit_length())) is not None:
            form ^= known[0]
            members ^= known[1]
        return form, members

    def members(self, form: int) -> tuple[int, int] | None:
        """A form as a sum: a mask of `forms`, and a constant; None where it is no such sum."""
        if form.bit_length() not in self._pivots:
            return None
        if form not in self._known:
            rest, members = self._reduced(form)
            for at in bits_of(members):
                rest ^= self.forms[at] & 1
            self._known[form] = None if rest > 1 else (members, rest)
        return self._known[form]


class Pairing:
    """The products of a sum in one span by a sum in another."""

    def __init__(self, left: LinearSpan, right: LinearSpan, first: int) -> None:
        """Atoms from `first` on are its own: that of form i and form j is first + i width + j."""
        self.left, self.right, self.first = left, right, first
        self.width = len(right.forms)
        self.count = len(left.forms) * self.width
        self.named: dict[int, int] = {}
        """Atoms of named sums, each with the form that it stands for."""
        self._pivots = 0
        self._instead: dict[int, tuple[int, int]] = {}
        """Of each term that is written otherwise: the other terms, and what else is in the sum."""

    def product(self, a: int, b: int) -> int | None:
        """AND of two forms; None where one is in neither span."""
        for x, y in ((a, b), (b, a)):
            right = self.right.members(y)
            left = None if right is None else self.left.members(x)
            if left is not None and right is not None:
                form = self._sum(left[0], right[0])
                if left[1]:  # (x + p)(y + q) = xy + py + qx + pq
                    form ^= y ^ right[1]
                if right[1]:
                    form ^= x ^ left[1]
                return form ^ (left[1] & right[1])
        return None

    def _sum(self, left: int, right: int) -> int:
        """Of the products of each of `left` with each of `right`."""
        terms = 0
        while left:
            low = left & -left
            terms ^= right << (low.bit_length() - 1) * self.width
            left ^= low
        terms, rest = self._written(terms)
        return terms << self.first ^ rest

    def _written(self, terms: int) -> tuple[int, int]:
        """Terms without those that are written otherwise, and what stands for these."""
        rest = 0
        if not terms & self._pivots:
            return terms, rest
        for at in bits_of(terms & self._pivots):
            others, more = self._instead[at]
            terms ^= others ^ 1 << at
            rest ^= more
        return terms, rest

    def name(self, form: int, atom: int) -> int:
        """`atom` is the form from here on; the form itself where none of the products is in it."""
        every = (1 << self.count) - 1
        terms = form >> self.first & every
        rest = form ^ terms << self.first
        terms, more = self._written(terms)
        if not terms:
            return form
        pivot = terms & -terms
        others, rest = terms ^ pivot, rest ^ more ^ atom
        for at, (before, what) in self._instead.items():
            if before & pivot:
                self._instead[at] = before ^ pivot ^ others, what ^ rest
        self._instead[pivot.bit_length() - 1] = others, rest
        self._pivots |= pivot
        self.named[atom] = form
        return atom
