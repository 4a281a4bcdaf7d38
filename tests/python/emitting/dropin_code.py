# SPDX-License-Identifier: MIT
"""What is in a drop-in's object file: names, writable memory, calls through a register."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import capstone  # type: ignore[import-untyped]
from dropin_targets import run
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section, Symbol, SymbolTableSection

_WRITE, _EXECUTE = 1, 4
_BIG = capstone.CS_MODE_BIG_ENDIAN
_ENGINES = {
    ("EM_386", 32): (capstone.CS_ARCH_X86, capstone.CS_MODE_32),
    ("EM_X86_64", 64): (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    ("EM_ARM", 32): (capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM),
    ("EM_AARCH64", 64): (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    ("EM_MIPS", 32): (capstone.CS_ARCH_MIPS, capstone.CS_MODE_MIPS32 | _BIG),
    ("EM_PPC", 32): (capstone.CS_ARCH_PPC, capstone.CS_MODE_32 | _BIG),
    ("EM_RISCV", 32): (capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC),
    ("EM_RISCV", 64): (capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC),
}

_X86 = r"(notrack )?(call|jmp)\w* (?!(0x)?[0-9a-f]+$)"
_INDIRECT = {
    "EM_386": _X86,
    "EM_X86_64": _X86,
    "EM_ARM": r"(blx|bx|bxj)\w* [a-z]|\w+(\.w)? pc, |tb[bh]\b|(ldm|pop)\w*(\.w)? .*\bpc",
    "EM_AARCH64": r"(blr|br)\w* ",
    "EM_MIPS": r"(jalr|jr)\b",
    "EM_PPC": r"b\w*(ctr|lr)l?[+-]?( |$)",
    "EM_RISCV": r"(c\.)?(jalr|jr)\b",
    "EM_XTENSA": r"(callx\d+|jx)\b",
}
"""By machine: jumps and calls whose target is no constant, returns among them."""

_RETURNS = {
    "EM_ARM": r"bx\w* lr$|mov\w* pc, lr$|pop\w*(\.w)? |ldm\w*(\.w)? sp!, |ldr\w*(\.w)? pc, \[sp\]",
    "EM_MIPS": r"jr \$ra$",
    "EM_PPC": r"b\w*lr[+-]?( |$)",
    "EM_RISCV": r"(c\.)?jr ra$|jalr zero, (0\(ra\)|ra)",
}
"""Returns that are written as such a jump."""


class Code:
    """One object file."""

    def __init__(self, path: Path) -> None:
        """Read it."""
        self._path = path
        self._elf = ELFFile(BytesIO(path.read_bytes()))
        self._machine = str(self._elf["e_machine"])
        table = self._elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        self._symbols = list(table.iter_symbols())

    def _global(self, defined: bool) -> set[str]:
        return {
            symbol.name
            for symbol in self._symbols
            if symbol["st_info"]["bind"] in ("STB_GLOBAL", "STB_WEAK")
            and (symbol["st_shndx"] != "SHN_UNDEF") == defined
        }

    def undefined(self) -> set[str]:
        """Names that others must define."""
        return self._global(defined=False)

    def defined(self) -> set[str]:
        """Global names that it defines."""
        return self._global(defined=True)

    def local(self) -> set[str]:
        """Names that others do not see."""
        return {one.name for one in self._symbols if one["st_info"]["bind"] == "STB_LOCAL"}

    def writable(self) -> list[str]:
        """Variables in writable memory.

        Not pointers to constants, which a loader writes and then protects; nor the constants that
        clang for RISC-V keeps, without a name, beside small variables.
        """
        return [symbol.name for symbol in self._symbols if self._is_variable(symbol)]

    def _is_variable(self, symbol: Symbol) -> bool:
        number = symbol["st_shndx"]
        if number == "SHN_COMMON":
            return True
        if symbol["st_info"]["type"] != "STT_OBJECT" or not isinstance(number, int):
            return False
        section = self._elf.get_section(number)
        return bool(section["sh_flags"] & _WRITE) and ".rel.ro" not in section.name

    def indirect(self) -> list[str]:
        """Jumps and calls through a register or memory that are not returns."""
        wanted = re.compile(_INDIRECT[self._machine])
        returns = re.compile(_RETURNS.get(self._machine, "$^"))
        found, before = [], ""
        for place, text in self.instructions():
            if wanted.match(text) and not returns.match(text) and not _far_call(before, text):
                found.append(f"{place}: {text}")
            before = text
        return found

    def instructions(self) -> Iterator[tuple[str, str]]:
        """Place and text of each instruction."""
        if self._machine == "EM_XTENSA":  # which Capstone 5 cannot read
            yield from _xtensa(self._path)
            return
        for section in self._elf.iter_sections():
            if section["sh_flags"] & _EXECUTE and section["sh_size"]:
                yield from self._of(section)

    def _of(self, section: Section) -> Iterator[tuple[str, str]]:
        data = section.data()
        for start, end, thumb in self._stretches(section):
            at = start
            for one in self._engine(thumb).disasm(data[start:end], start):
                at = one.address + one.size
                yield f"{section.name}+{one.address:#x}", f"{one.mnemonic} {one.op_str}".strip()
            assert at == end, f"{section.name}+{at:#x} cannot be read: {data[at : at + 8].hex()}"

    def _stretches(self, section: Section) -> Iterator[tuple[int, int, bool]]:
        """Start and end of what is code, and whether it is Thumb, by the mapping symbols."""
        number = self._elf.get_section_index(section.name)
        marks = sorted(
            (symbol["st_value"], symbol.name[1])
            for symbol in self._symbols
            if symbol["st_shndx"] == number and re.match(r"\$[atdx]", symbol.name)
        )
        assert marks or self._machine != "EM_ARM"
        marks = marks or [(0, "x")]
        ends = [start for start, _ in marks[1:]] + [section["sh_size"]]
        for (start, kind), end in zip(marks, ends, strict=True):
            if kind != "d" and end > start:
                yield start, end, kind == "t"

    def _engine(self, thumb: bool) -> Any:  # noqa: ANN401  # capstone has no types
        machine, mode = _ENGINES[self._machine, self._elf.elfclass]
        return capstone.Cs(machine, mode | (capstone.CS_MODE_THUMB if thumb else 0))


def _xtensa(path: Path) -> Iterator[tuple[str, str]]:
    """What the processor's own tool reads."""
    line = ["xtensa-lx106-elf-objdump", "-dw", str(path)]
    section = ""
    for text in run(line).splitlines():
        if found := re.match(r"Disassembly of section (.*):$", text):
            section = found[1]
        elif found := re.match(r" *([0-9a-f]+):\t[0-9a-f]+ *\t(.+)$", text):
            yield f"{section}+{int(found[1], 16):#x}", " ".join(found[2].split())


def _far_call(before: str, text: str) -> bool:
    """RISC-V's call of a name: the address, relative to here, and a jump there."""
    to = re.match(r"auipc (\w+), ", before)
    return to is not None and re.match(rf"(jalr|jr)\b.*\b{to[1]}\b", text) is not None
