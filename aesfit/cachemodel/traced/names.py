# SPDX-License-Identifier: MIT
"""Names addresses: by symbols of the image, its sections, or buffers of arguments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class NamedBytes:
    """A named range of bytes."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class Names:
    """Names of addresses."""

    code: Callable[[int], str]
    """Describes an address of code in words."""
    symbols: tuple[NamedBytes, ...]
    """Objects, and buffers of arguments."""
    sections: tuple[NamedBytes, ...]

    def of(self, address: int) -> str:
        """The object at the address, with the offset in it if that is not 0."""
        for one in (*self.symbols, *self.sections):
            if one.start <= address < one.start + one.size:
                offset = address - one.start
                return f"{one.name}+{offset:#x}" if offset else one.name
        return "memory"

    def told(self, address: int) -> str:
        """The object with the address."""
        return f"{self.of(address)} ({address:#x})"

    def section(self, address: int) -> str:
        """The section at the address, if the image has one there."""
        inside = (s.name for s in self.sections if s.start <= address < s.start + s.size)
        return next(inside, "a buffer")


def names_in(
    image: Path, buffers: Mapping[int, tuple[int, int]], code: Callable[[int], str]
) -> Names:
    """Names in an image.

    `buffers`: address and bytes by position of the argument, from 0; `code`: an address of code in
    words.
    """
    with image.open("rb") as stream:
        elf = ELFFile(stream)
        tables = [one for one in elf.iter_sections() if isinstance(one, SymbolTableSection)]
        objects = [
            NamedBytes(one.name, one["st_value"], one["st_size"])
            for table in tables
            for one in table.iter_symbols()
            if one["st_info"]["type"] == "STT_OBJECT" and one["st_size"]
        ]
        sections = [
            NamedBytes(one.name, one["sh_addr"], one["sh_size"])
            for one in elf.iter_sections()
            if one["sh_flags"] & SH_FLAGS.SHF_ALLOC and one["sh_size"]
        ]
    given = [NamedBytes(f"argument {at + 1}", *place) for at, place in buffers.items()]
    return Names(code, (*objects, *given), tuple(sections))
