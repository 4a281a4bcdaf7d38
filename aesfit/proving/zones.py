# SPDX-License-Identifier: MIT
"""Bits as sums of atoms, and products of bits that depend on the same few bits.

A form is a number: bit 0 is the constant 1, every other bit is an atom, and the form is their
exclusive OR.  An atom is an input bit or some function of inputs, always the same one, so equal
forms are equal functions.  The converse needs zones.

A zone is all functions of up to eight forms (the input of an S-box, say): a space of truth tables
that has the forms themselves, the constant, and atoms for the rest as a basis.  An atom is made
when a truth table is not in the span of those that were met, so each function of the zone is one
form and no other.  From this follows, with no hint in the code, that a circuit for the S-box ends
in the same forms as the table, and that the inverse S-box undoes it.  Products of sums of y by sums
of H have their atoms in pairings (bilinear.py).  A product of forms that neither a zone nor a
pairing holds becomes an opaque atom of its own.
"""

from collections.abc import Sequence
from functools import cache

from .bilinear import LinearSpan, Pairing
from .findings import TooLargeError

_MOST = 8
"""Forms that a zone is spanned by."""
MOST_ATOMS = 80_000
"""Atoms that forms are made of, which are as long: CCM of 320 bytes has 64,396 and takes 1,369 MiB,
so these take about 2 GiB."""
_PAIRED = MOST_ATOMS
"""Number of the first atom of a pairing: above all others, so that their forms stay short."""


@cache
def _projection(variable: int, count: int) -> int:
    """Truth table of one of `count` variables: bit a is bit `variable` of a."""
    table = 0
    for assignment in range(1 << count):
        table |= (assignment >> variable & 1) << assignment
    return table


class Zone:
    """All functions of some independent forms."""

    __slots__ = ("_by_form", "_by_table", "_forms", "count", "variables")

    def __init__(self, variables: Sequence[int]) -> None:
        """The forms must be independent of each other and of the constant."""
        self.variables, self.count = tuple(variables), len(variables)
        every = (1 << (1 << self.count)) - 1
        self._by_form: dict[int, tuple[int, int]] = {}
        self._by_table: dict[int, tuple[int, int]] = {}
        self._forms: dict[int, int] = {}
        """Forms of truth tables that were asked for."""
        self._learn(1, every)
        for at, form in enumerate(variables):
            self._learn(form, _projection(at, self.count))

    def _learn(self, form: int, table: int) -> None:
        """A form and its truth table, neither in the span of those known."""
        rest, rest_table = form, table
        while (at := rest.bit_length()) in self._by_form:
            known, known_table = self._by_form[at]
            rest ^= known
            rest_table ^= known_table
        self._by_form[at] = rest, rest_table
        rest, rest_table = form, table
        while (at := rest_table.bit_length()) in self._by_table:
            known, known_table = self._by_table[at]
            rest ^= known
            rest_table ^= known_table
        self._by_table[at] = rest, rest_table

    @property
    def pivots(self) -> tuple[int, ...]:
        """Highest atoms of the forms that span the zone, each as its bit's number and 1."""
        return tuple(self._by_form)

    def table(self, form: int) -> int | None:
        """Truth table of a form; None where it is no function of the zone."""
        found = 0
        while form:
            known = self._by_form.get(form.bit_length())
            if known is None:
                return None
            form ^= known[0]
            found ^= known[1]
        return found

    def constant(self, bit: int) -> int:
        """Truth table of a constant."""
        return bit and (1 << (1 << self.count)) - 1

    def form(self, table: int, atoms: "Atoms") -> int:
        """The form of a truth table."""
        found = self._forms.get(table)
        if found is None:
            found = self._forms[table] = self._spanned(table, atoms)
            atoms.learn(found, self, table)
        return found

    def _spanned(self, table: int, atoms: "Atoms") -> int:
        """The form of a truth table: a sum of those known, and a new atom for what is left."""
        found, rest = 0, table
        while rest:
            known = self._by_table.get(rest.bit_length())
            if known is None:
                atom = atoms.of_zone(self, rest)
                self._by_table[rest.bit_length()] = atom, rest
                self._by_form[atom.bit_length()] = atom, rest
                return found ^ atom
            found ^= known[0]
            rest ^= known[1]
        return found


class Atoms:
    """The atoms of one proof, and the zones over them."""

    def __init__(self) -> None:
        """No atom but the constant."""
        self.count = 1
        self.functions: dict[int, tuple[Zone, int]] = {}
        """Zone and truth table of each atom that is a function of a zone, by the atom's number.

        Powers of two have few hashes, so an atom itself would be no key."""
        self.products: dict[tuple[int, int], int] = {}
        """Atoms of products that no zone holds,"""
        self.factors: dict[int, tuple[int, int]] = {}
        """and the factors of each, by the atom's number."""
        self.pairings: list[Pairing] = []
        """The one that held the last product first: the next one is often there too."""
        self._zones: dict[int, list[Zone]] = {}
        self._known: dict[int, tuple[int, dict[Zone, int]]] = {}
        """Of forms that were looked for: how many zones at their highest atom were tried, and those
        that hold them."""
        self._unknown: dict[object, int] = {}
        self._free = _PAIRED
        """Number of the first atom of the next pairing."""

    def fresh(self, count: int) -> tuple[int, ...]:
        """New atoms."""
        first, self.count = self.count, self.count + count
        if self.count > MOST_ATOMS:
            raise TooLargeError(
                f"the proof needs more than {MOST_ATOMS} atoms, which take about 2 GiB; ask for "
                "fewer bytes of payload"
            )
        return tuple(1 << at for at in range(first, self.count))

    def unknown(self, what: object) -> int:
        """The atom of a function that nothing more is known of: the same for the same `what`."""
        if what not in self._unknown:
            (self._unknown[what],) = self.fresh(1)
        return self._unknown[what]

    def of_zone(self, zone: Zone, table: int) -> int:
        """A new atom: the function of that zone with that truth table."""
        (atom,) = self.fresh(1)
        self.functions[atom.bit_length() - 1] = zone, table
        self._zones.setdefault(atom.bit_length(), []).append(zone)
        return atom

    # --- zones

    def learn(self, form: int, zone: Zone, table: int) -> None:
        """A form whose highest atom is that zone's alone, and its truth table there."""
        if len(self._zones.get(form.bit_length(), ())) == 1:
            self._known[form] = 1, {zone: table}

    def _holding(self, forms: Sequence[int]) -> tuple[Zone, list[int]] | None:
        """A zone that holds all the forms, and their truth tables; any zone holds constants."""
        held = [self.held(form) for form in forms if form > 1]
        for zone in held[0] if held else ():
            if all(zone in one for one in held):
                known = (one[zone] for one in held)
                return zone, [next(known) if form > 1 else zone.constant(form) for form in forms]
        return None

    def held(self, form: int) -> dict[Zone, int]:
        """The zones that hold a form, which is no constant, and its truth table in each.

        They have a pivot at its highest atom.  What a zone gains is spanned with new atoms, so a
        form that it did not hold when the form was made it never will.
        """
        zones = self._zones.get(form.bit_length(), ())
        seen, held = self._known.get(form, (0, {}))
        if seen < len(zones):
            for zone in zones[seen:]:
                table = zone.table(form)
                if table is not None:
                    held[zone] = table
            self._known[form] = len(zones), held
        return held

    def zone(self, forms: Sequence[int]) -> tuple[Zone, list[int]] | None:
        """A zone that holds the forms, made if need be; None where they are too many."""
        found = self._holding(forms)
        if found is not None:
            return found
        variables = _independent(forms)
        if len(variables) > _MOST:
            return None
        zone = Zone(variables)
        for pivot in zone.pivots:
            if pivot > 1:
                self._zones.setdefault(pivot, []).append(zone)
        return self._holding(forms)

    def of_tables(self, forms: Sequence[int], tables: Sequence[int]) -> list[int]:
        """Functions of up to eight forms, each by its truth table over them, as forms."""
        found = self.zone(forms)
        assert found is not None  # noqa: S101 - callers give eight at most
        zone, inputs = found
        return [zone.form(_composed(table, tuple(inputs), zone.count), self) for table in tables]

    # --- products

    def pair(self, left: LinearSpan, right: LinearSpan) -> Pairing:
        """From here on the product of a sum of `left` by a sum of `right` is a sum of products."""
        made = Pairing(left, right, self._free)
        self._free += made.count
        self.pairings.insert(0, made)
        return made

    def product(self, a: int, b: int) -> int:
        """AND of two forms."""
        if a < 2:
            return b if a else 0
        if b < 2:
            return a if b else 0
        if a ^ b < 2:
            return 0 if a ^ b else a
        others = self.held(b)
        for zone, table in self.held(a).items():
            if zone in others:
                return zone.form(table & others[zone], self)
        paired = self._paired(a, b) if self.pairings else None
        return self._opaque(a, b) if paired is None else paired

    def _paired(self, a: int, b: int) -> int | None:
        """The product in a pairing, the last one that had a product first; None: in none."""
        for at, pairing in enumerate(self.pairings):
            found = pairing.product(a, b)
            if found is not None:
                self.pairings.insert(0, self.pairings.pop(at))
                return found
        return None

    def _opaque(self, a: int, b: int) -> int:
        """(x + p)(y + q) = xy + qx + py + pq for forms x and y without constants."""
        p, q = a & 1, b & 1
        x, y = a ^ p, b ^ q
        pair = (x, y) if x < y else (y, x)
        if pair not in self.products:
            (self.products[pair],) = self.fresh(1)
            self.factors[self.count - 1] = pair
        return self.products[pair] ^ (x if q else 0) ^ (y if p else 0) ^ (p & q)


def _independent(forms: Sequence[int]) -> list[int]:
    """Those of the forms that are no sum of others before them and a constant."""
    pivots: dict[int, int] = {}
    found = []
    for form in forms:
        rest = form & ~1
        while rest and rest.bit_length() in pivots:
            rest ^= pivots[rest.bit_length()]
        if rest > 1:
            pivots[rest.bit_length()] = rest
            found.append(form)
    return found


@cache
def _composed(table: int, inputs: tuple[int, ...], count: int) -> int:
    """Truth table over a zone of a function whose inputs are functions of the zone."""
    found = 0
    for assignment in range(1 << count):
        index = sum((one >> assignment & 1) << at for at, one in enumerate(inputs))
        found |= (table >> index & 1) << assignment
    return found
