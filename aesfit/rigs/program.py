# SPDX-License-Identifier: MIT
"""What an emulated processor needs of an ELF file."""

from bisect import bisect_right
from dataclasses import dataclass

from elftools.elf.constants import P_FLAGS, SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ..platforms.platform import Platform

_MACHINES = {"EM_ARM": "armv", "EM_RISCV": "rv32", "EM_QDSP6": "hexagon"}


@dataclass(frozen=True)
class Program:
    """A linked program."""

    contents: tuple[tuple[int, bytes], ...]
    """(address, bytes): what is put into memory, zeroed data included."""
    extents: tuple[tuple[int, int, bool], ...]
    """(address, bytes, writable) of the same."""
    code: tuple[tuple[int, int], ...]
    """(address, bytes) of what can be executed."""
    symbols: dict[str, int]
    functions: dict[str, int]
    mapping: tuple[tuple[int, bool], ...]
    """(address, Thumb) from which on code is Thumb or not, in order (ARM mapping symbols)."""

    @property
    def only_thumb(self) -> bool:
        """There is Thumb code and no ARM code."""
        return bool(self.mapping) and all(thumb for _, thumb in self.mapping)

    def thumb_at(self, address: int) -> bool:
        """The code there is Thumb code."""
        at = bisect_right(self.mapping, (address, True)) - 1
        return at >= 0 and self.mapping[at][1]

    def where(self, address: int) -> str:
        """The address with the function that it lies in."""
        starts = [(value & ~1, name) for name, value in self.functions.items()]
        start, name = max((one for one in starts if one[0] <= address), default=(0, ""))
        return f"{address:#x} ({name}+{address - start:#x})" if name else f"{address:#x}"


def read_program(elf: ELFFile, platform: Platform) -> Program:
    """Read it; ValueError when it is not a program for the platform."""
    if not platform.isa.startswith(_MACHINES.get(elf["e_machine"], "none")):
        raise ValueError(f"the file is not a program for {platform.name} ({platform.isa})")
    pieces = _pieces(elf)
    if not pieces:
        raise ValueError("the file has nothing to load: link it first")
    tables = [s for s in elf.iter_sections() if isinstance(s, SymbolTableSection)]
    entries = [e for table in tables for e in table.iter_symbols() if e.name]
    named = [e for e in entries if e["st_shndx"] != "SHN_UNDEF"]
    return Program(
        contents=tuple((address, data) for address, data, _ in pieces),
        extents=tuple((address, len(data), writable) for address, data, writable in pieces),
        code=_code(elf),
        symbols={e.name: e["st_value"] for e in named},
        functions={e.name: e["st_value"] for e in named if e["st_info"]["type"] == "STT_FUNC"},
        mapping=tuple(
            sorted(
                (e["st_value"], e.name.startswith("$t"))
                for e in named
                if e.name.split(".")[0] in ("$a", "$t")
            )
        ),
    )


def _pieces(elf: ELFFile) -> list[tuple[int, bytes, bool]]:
    """(address, bytes, writable) of what occupies memory.

    Sections where there are any: a segment may begin with the file's headers.
    """
    sections = [
        (
            s["sh_addr"],
            bytes(s["sh_size"]) if s["sh_type"] == "SHT_NOBITS" else s.data(),
            bool(s["sh_flags"] & SH_FLAGS.SHF_WRITE),
        )
        for s in elf.iter_sections()
        if s["sh_flags"] & SH_FLAGS.SHF_ALLOC and s["sh_size"]
    ]
    return sections or [
        (s["p_vaddr"], s.data().ljust(s["p_memsz"], b"\0"), bool(s["p_flags"] & P_FLAGS.PF_W))
        for s in elf.iter_segments()
        if s["p_type"] == "PT_LOAD" and s["p_memsz"]
    ]


def _code(elf: ELFFile) -> tuple[tuple[int, int], ...]:
    """Executable sections; a file without sections has executable segments."""
    sections = [
        (s["sh_addr"], s["sh_size"])
        for s in elf.iter_sections()
        if s["sh_flags"] & SH_FLAGS.SHF_EXECINSTR and s["sh_flags"] & SH_FLAGS.SHF_ALLOC
    ]
    return tuple(sections) or tuple(
        (s["p_vaddr"], s["p_memsz"])
        for s in elf.iter_segments()
        if s["p_type"] == "PT_LOAD" and s["p_flags"] & P_FLAGS.PF_X
    )
