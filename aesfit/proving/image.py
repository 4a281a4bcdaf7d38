# SPDX-License-Identifier: MIT
"""A linked image as proofs read it: bytes, symbols, and the line of each instruction."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from os.path import normpath
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ..building.loaded import image_sha256, loaded

Line = tuple[int, str, int]
"""The address that it begins at, its file, its number."""


@dataclass(frozen=True)
class CodeRange:
    """Where a function lies."""

    start: int
    size: int
    name: str


@dataclass(frozen=True)
class ProofImage:
    """What is proved."""

    isa: str
    pieces: tuple[tuple[int, bytes], ...]
    """(address, bytes) of all that takes memory."""
    symbols: dict[str, int]
    functions: tuple[CodeRange, ...]
    """In the order of their addresses."""
    lines: tuple[Line, ...]
    """In the order of their addresses; an empty file ends what the lines say."""
    changing: tuple[tuple[int, int], ...] = ()
    """First and last address of what a program may have written before the function is called."""

    @cached_property
    def sha256(self) -> str:
        """Of the bytes that take memory, with their addresses."""
        return image_sha256(self.pieces)

    def piece(self, address: int) -> tuple[int, bytes] | None:
        """The address and the bytes of the piece that holds it."""
        for start, data in self.pieces:
            if start <= address < start + len(data):
                return start, data
        return None

    def byte(self, address: int) -> int | None:
        """One byte; None outside the image."""
        piece = self.piece(address)
        return None if piece is None else piece[1][address - piece[0]]

    def may_change(self, address: int) -> bool:
        """A program may have written there, so what the file holds says nothing."""
        return any(first <= address <= last for first, last in self.changing)

    def variable(self, address: int) -> str:
        """Name of the variable that holds an address, as far as the symbols tell."""
        before = [
            (at, name) for name, at in self.symbols.items() if at <= address and name[0] != "$"
        ]
        return max(before)[1] if before else hex(address)

    def symbol(self, name: str) -> int:
        """The value of a symbol; ValueError when there is none."""
        if name not in self.symbols:
            raise ValueError(f"the image has no symbol '{name}'")
        return self.symbols[name]

    def function(self, address: int) -> str:
        """Name of the function that an instruction belongs to; empty where none is known."""
        at = bisect_right(self.functions, address, key=lambda one: one.start) - 1
        if at < 0 or address >= self.functions[at].start + max(1, self.functions[at].size):
            return ""
        return self.functions[at].name

    def line(self, address: int) -> tuple[str, int]:
        """File and line of an instruction; "?" and 0 where the image does not say."""
        at = bisect_right(self.lines, address, key=lambda one: one[0]) - 1
        if at < 0 or not self.lines[at][1]:
            return "?", 0
        return self.lines[at][1], self.lines[at][2]


def read_image(elf: Path, isa: str, *, whole: bool = False) -> ProofImage:
    """Read a linked ELF file; ValueError when there is nothing in it.

    `whole`: it is a program of its own: names of source files begin with the folder that the
    compiler ran in, and what it may write is not known.
    """
    file = ELFFile(BytesIO(elf.read_bytes()))
    pieces = loaded(file)
    if not pieces:
        raise ValueError(f"{elf} has nothing to load: link it first")
    tables = [s for s in file.iter_sections() if isinstance(s, SymbolTableSection)]
    entries = [e for t in tables for e in t.iter_symbols() if e["st_shndx"] != "SHN_UNDEF"]
    functions = {
        (e["st_value"] & ~1 if isa.startswith("arm") else e["st_value"]): (e["st_size"], e.name)
        for e in entries
        if e["st_info"]["type"] == "STT_FUNC"
    }
    return ProofImage(
        isa,
        pieces,
        {e.name: e["st_value"] for e in entries if e.name},
        tuple(CodeRange(start, *rest) for start, rest in sorted(functions.items())),
        tuple(_lines(file, whole)),
        _writable(file) if whole else (),
    )


def _writable(file: ELFFile) -> tuple[tuple[int, int], ...]:
    return tuple(
        (section["sh_addr"], section["sh_addr"] + section["sh_size"] - 1)
        for section in file.iter_sections()
        if section["sh_flags"] & SH_FLAGS.SHF_WRITE
        and section["sh_flags"] & SH_FLAGS.SHF_ALLOC
        and section["sh_size"]
    )


def assumed(image: ProofImage, values: Mapping[str, int]) -> ProofImage:
    """The image with variables of words that hold these values; ValueError for what is no word."""
    word = 8 if image.isa == "x86-64" else 4
    for name, value in values.items():
        at = image.symbol(name)
        if not image.may_change(at) or not 0 <= value < 1 << 8 * word:
            raise ValueError(f"'{name}' is no variable that can hold {value}")
        image = _with(image, at, value.to_bytes(word, "little"))
    return image


def _with(image: ProofImage, at: int, data: bytes) -> ProofImage:
    """The image with bytes that are known; those before and behind may still change."""
    end = at + len(data) - 1
    apart = [
        part
        for first, last in image.changing
        for part in ((first, min(last, at - 1)), (max(first, end + 1), last))
        if part[0] <= part[1]
    ]
    pieces = tuple(
        (start, held[: at - start] + data + held[at - start + len(data) :])
        if start <= at < start + len(held)
        else (start, held)
        for start, held in image.pieces
    )
    return replace(image, pieces=pieces, changing=tuple(apart))


def _lines(file: ELFFile, whole: bool) -> list[Line]:
    """Of DWARF's line programs; where a sequence ends, the lines of the next begin anew."""
    if not file.has_dwarf_info():
        return []
    found: dict[int, Line] = {}
    dwarf = file.get_dwarf_info()
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        told = unit.get_top_DIE().attributes.get("DW_AT_comp_dir") if whole else None
        names = _names(program, told.value.decode() if told else "")
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if state.end_sequence:
                found.setdefault(state.address, (state.address, "", 0))
            else:
                found[state.address] = (state.address, names.get(state.file, "?"), state.line)
    return sorted(found.values())


def _names(program: object, base: str) -> dict[int, str]:
    """Files of a line program by their number, each with the folder that it lies in."""
    header = program.header  # type: ignore[attr-defined] # pyelftools has no types
    first = 0 if header["version"] >= 5 else 1
    found = {}
    folders = [one.decode() for one in header["include_directory"]]
    for number, one in enumerate(header["file_entry"], first):
        at = one["dir_index"] - (0 if first == 0 else 1)
        folder = folders[at] if 0 <= at < len(folders) else ""
        found[number] = normpath(Path(base) / folder / one.name.decode())
    return found
