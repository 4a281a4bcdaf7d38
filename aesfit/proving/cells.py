# SPDX-License-Identifier: MIT
"""Registers or memory: values by offset, read and written in any pieces."""

from collections.abc import Callable

from .domain import UNWRITTEN, Domain, Unwritten, Value

_LONGEST = 64
"""Bytes of the longest value."""

Entry = tuple[int, Value]
"""Bytes and value."""


class Cells:
    """Values that do not overlap, by offset.

    What is read as it was written comes back as it is; other pieces are cut and joined, least
    significant byte first.
    """

    def __init__(self, domain: Domain, beneath: Callable[[int], Value] | None = None) -> None:
        """`beneath` gives the byte at an offset where nothing was written."""
        self.held: dict[int, Entry] = {}
        self._domain = domain
        self._beneath = beneath or _nothing
        self._pages: set[int] = set()
        """Offsets, by their multiple of _LONGEST, at which an entry may begin."""

    def copy(self) -> "Cells":
        """The same, to go on with apart."""
        twin = Cells(self._domain, self._beneath)
        twin.held, twin._pages = dict(self.held), set(self._pages)
        return twin

    def read(self, offset: int, size: int) -> Value:
        """The value of `size` bytes; UNWRITTEN where one of them is."""
        entry = self.held.get(offset)
        if entry is not None and entry[0] == size:
            return entry[1]
        pieces = [self._byte(offset + at) for at in range(size)]
        value, width = pieces[0], 8
        for piece in pieces[1:]:
            value = self._joined(value, width, piece)
            width += 8
        return value

    def write(self, offset: int, size: int, value: Value) -> None:
        """Put a value of `size` bytes there."""
        entry = self.held.get(offset)
        if entry is None or entry[0] != size:
            if not self._pages.isdisjoint(_pages_of(offset, size)):
                self.clear(offset, size)
            self._pages.add(offset // _LONGEST)
        self.held[offset] = (size, value)

    def clear(self, offset: int, size: int) -> None:
        """Forget what these bytes hold."""
        for start in range(max(0, offset - _LONGEST + 1), offset + size):
            entry = self.held.get(start)
            if entry is None or start + entry[0] <= offset:
                continue
            if entry[0] == 1:
                del self.held[start]
            else:
                self._split(start, entry, offset, size)

    def clear_all(self) -> None:
        """Forget all that was written."""
        self.held.clear()
        self._pages.clear()

    def forget(self, first: int, last: int) -> None:
        """Forget every value that begins between these offsets, the last not included."""
        for start in [at for at in self.held if first <= at < last]:
            del self.held[start]

    def _split(self, start: int, entry: Entry, offset: int, size: int) -> None:
        """Keep those bytes of an entry that lie outside a piece."""
        del self.held[start]
        self._pages.add((start + entry[0]) // _LONGEST)
        for at in range(entry[0]):
            if not offset <= start + at < offset + size:
                self.held[start + at] = (1, self._part(entry, at))

    def _byte(self, offset: int) -> Value:
        entry = self.held.get(offset)
        if entry is not None:
            return self._part(entry, 0)
        if self._pages.isdisjoint(_pages_of(offset, 1)):
            return self._beneath(offset)
        for back in range(1, _LONGEST):
            entry = self.held.get(offset - back)
            if entry is not None:
                return self._part(entry, back) if back < entry[0] else self._beneath(offset)
        return self._beneath(offset)

    def _part(self, entry: Entry, at: int) -> Value:
        size, value = entry
        if size == 1 or isinstance(value, Unwritten):
            return value
        if isinstance(value, int):
            return value >> 8 * at & 0xFF
        return self._domain.extract(value, 8 * at, 8)

    def _joined(self, low: Value, width: int, high: Value) -> Value:
        if isinstance(low, int) and isinstance(high, int):
            return low | high << width
        if isinstance(low, Unwritten) or isinstance(high, Unwritten):
            return UNWRITTEN
        return self._domain.join(low, width, high, width + 8)


def _pages_of(offset: int, size: int) -> range:
    """Pages at which an entry may begin that has one of these bytes."""
    return range(offset // _LONGEST - 1, (offset + size - 1) // _LONGEST + 1)


def _nothing(offset: int) -> Value:
    del offset
    return UNWRITTEN
