# SPDX-License-Identifier: MIT
"""Measure the machine code of every core in the static library and write it as a C header.

A core's code is what linking it alone pulls out of the library: all executable sections of its
object, and of every object that it refers to, directly or indirectly.  So it covers key expansion,
both directions, and bulk paths if the core has them, but not tables (read-only data) and modes.
Reads `ar` archives of ELF objects, 32 or 64 bits, either byte order.

usage: code_bytes.py LIBRARY.a HEADER.h COMPILER
"""

import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

SHT_SYMTAB = 2
SHF_EXECINSTR = 4
SHN_UNDEF = 0
STB_LOCAL = 0


@dataclass(frozen=True)
class Object:
    """One relocatable object: bytes of code, global names it defines and names it wants."""

    code_bytes: int
    defines: frozenset[str] = field(default_factory=frozenset)
    wants: frozenset[str] = field(default_factory=frozenset)


def members(archive: bytes) -> dict[str, bytes]:
    """The files of an `ar` archive in GNU or System V form, by name."""
    if archive[:8] != b"!<arch>\n":
        raise ValueError("not an ar archive")
    files: dict[str, bytes] = {}
    long_names = b""
    at = 8
    while at + 60 <= len(archive):
        name = archive[at : at + 16].decode().rstrip()
        size = int(archive[at + 48 : at + 58])
        body = archive[at + 60 : at + 60 + size]
        if name == "//":
            long_names = body
        elif name not in ("/", "/SYM64/"):
            if name.startswith("/"):
                name = long_names[int(name[1:]) :].split(b"\n", 1)[0].decode()
            files[name.rstrip("/")] = body
        at += 60 + size + size % 2
    return files


def read_object(elf: bytes) -> Object:
    """Size the executable sections and read the symbol table of an ELF object."""
    if elf[:4] != b"\x7fELF":
        raise ValueError("not an ELF object")
    wide, order = elf[4] == 2, "<" if elf[5] == 1 else ">"
    section_layout, symbol_layout = (
        (order + "IIQQQQIIQQ", order + "IBBHQQ") if wide else (order + "10I", order + "IIIBBH")
    )
    start = struct.unpack_from(order + ("Q" if wide else "I"), elf, 40 if wide else 32)[0]
    entry, count = struct.unpack_from(order + "HH", elf, 58 if wide else 46)
    # name, type, flags, address, offset, size, link, info, alignment, entry size
    sections = [struct.unpack_from(section_layout, elf, start + i * entry) for i in range(count)]
    code = sum(s[5] for s in sections if s[2] & SHF_EXECINSTR)
    defines: set[str] = set()
    wants: set[str] = set()
    for table in (s for s in sections if s[1] == SHT_SYMTAB):
        names = elf[sections[table[6]][4] :]
        for at in range(table[4], table[4] + table[5], table[9]):
            symbol = struct.unpack_from(symbol_layout, elf, at)
            binding, section = (symbol[1], symbol[3]) if wide else (symbol[3], symbol[5])
            name = names[symbol[0] : names.index(b"\0", symbol[0])].decode()
            if name and binding >> 4 != STB_LOCAL:
                (wants if section == SHN_UNDEF else defines).add(name)
    return Object(code, frozenset(defines), frozenset(wants))


def linked(first: str, objects: dict[str, Object]) -> set[str]:
    """Names of the objects that linking `first` pulls in, including itself."""
    home = {symbol: name for name, o in objects.items() for symbol in o.defines}
    found, todo = {first}, [first]
    while todo:
        for symbol in objects[todo.pop()].wants & home.keys():
            if home[symbol] not in found:
                found.add(home[symbol])
                todo.append(home[symbol])
    return found


def core_code_bytes(archive: bytes) -> dict[str, int]:
    """Code bytes by core; a core is an object that defines aesfit_core_<its own name>."""
    objects = {name: read_object(body) for name, body in members(archive).items()}
    sizes = {}
    for name, o in objects.items():
        stem = name.split(".", 1)[0]
        if f"aesfit_core_{stem}" in o.defines:
            sizes[stem] = sum(objects[n].code_bytes for n in linked(name, objects))
    return sizes


def header(sizes: dict[str, int], reason: str, compiler: str) -> str:
    """The C++ table that aesfit/native/catalog.cpp includes."""
    rows = "".join(f'    {{"{name}", {size}}},\n' for name, size in sorted(sizes.items()))
    return (
        "// Made by tools/code_bytes.py; do not edit.\n"
        "struct MeasuredCode {\n    const char *name;\n    unsigned bytes;\n};\n"
        f"constexpr MeasuredCode measured_code_bytes[] = {{\n{rows}    {{nullptr, 0}},\n}};\n"
        f'constexpr const char *measured_compiler = "{compiler}";\n'
        f'constexpr const char *measured_reason = "{reason}";\n'
    )


def main(library: str, output: str, compiler: str) -> None:
    """Write the header; if objects cannot be read, the table is empty and gives the reason."""
    try:
        sizes, reason = core_code_bytes(Path(library).read_bytes()), ""
    except (ValueError, struct.error, IndexError) as error:
        sizes, reason = {}, f"the library's objects could not be measured: {error}"
    Path(output).write_text(header(sizes, reason, compiler))


if __name__ == "__main__":
    main(*sys.argv[1:])
