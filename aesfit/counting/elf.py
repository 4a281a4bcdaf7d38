# SPDX-License-Identifier: MIT
"""ELF files: whether a platform can run them, and what they define."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ..platforms.names import vendored
from ..platforms.platform import Platform
from .archive import MAGIC, members
from .builtfor import attributes, other_processor

_RISCV_COMPRESSED, _RISCV_E = 1, 8
"""Flags of e_flags: EF_RISCV_RVC, EF_RISCV_RVE (RISC-V ELF psABI, file header)."""

OBJECT, EXECUTABLE = "ET_REL", "ET_EXEC"
_MACHINES = {"EM_ARM": "ARM", "EM_RISCV": "RISC-V"}
DAMAGE = (
    ELFError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    OverflowError,
    TypeError,
    UnicodeDecodeError,
    zlib.error,
)
"""Exceptions of pyelftools for files that are damaged or not ELF."""

_ARM_ARCHITECTURES = {
    "armv4t": (0, 2),
    "armv6-m": (2, 3, 4, 11, 12),
    "armv7-m": (2, 3, 4, 10, 11, 12),
    "armv7e-m": (2, 3, 4, 10, 11, 12, 13),
    "armv8-m.main": (2, 3, 4, 10, 11, 12, 13, 16, 17),
}
"""Values of Tag_CPU_arch whose code can run (ABI addenda IHI 0045, section 3.3.5.2); Thumb code of
2 to 4 (v4T, v5T, v5TE) runs on every M core, and 10 (v7) when its profile is M."""
_ARM_NAMES = {
    0: "pre-v4",
    1: "v4",
    2: "v4T",
    3: "v5T",
    4: "v5TE",
    5: "v5TEJ",
    6: "v6",
    7: "v6KZ",
    8: "v6T2",
    9: "v6K",
    10: "v7",
    11: "v6-M",
    12: "v6S-M",
    13: "v7E-M",
    14: "v8-A",
    15: "v8-R",
    16: "v8-M baseline",
    17: "v8-M mainline",
}


@dataclass(frozen=True)
class ElfFile:
    """Facts about one ELF file."""

    path: Path
    kind: str
    functions: dict[str, int]
    """Addresses of functions; bit 0 is set for Thumb code."""
    defined: frozenset[str]
    undefined: frozenset[str]
    compiler: str
    """The compiler named in the file's comment; empty if there is none."""
    for_linker: bool = False
    """It holds intermediate code of -flto, maybe nothing else."""
    constructors: bool = False
    """It has functions that start-up code runs before main."""
    built_for: str = ""
    """The processor it was built for, if that differs from the platform's; otherwise empty."""


def read(path: Path, platform: Platform) -> ElfFile:
    """Read a file that a platform can run; ValueError says why it cannot."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    data = path.read_bytes()
    try:
        if not data.startswith(MAGIC):
            return _of(path, str(path), data, platform)
        inside = [
            _of(path, f"{path}({name})", content, platform) for name, content in members(data)
        ]
    except DAMAGE:
        raise ValueError(f"{path} is not an ELF file, or it is damaged") from None
    return _archive(path, inside)


def _of(path: Path, told: str, data: bytes, platform: Platform) -> ElfFile:
    """One ELF file; `told`: its name in messages."""
    elf = ELFFile(BytesIO(data))
    _fits(told, elf, platform)
    return replace(_symbols(path, elf), built_for=other_processor(elf, platform))


def _archive(path: Path, inside: Sequence[ElfFile]) -> ElfFile:
    """The objects of an archive as one, of which the linker takes those that it needs."""
    if any(one.kind != OBJECT for one in inside):
        raise ValueError(f"{path} holds files that are no objects")
    defined = frozenset[str]().union(*(one.defined for one in inside))
    return ElfFile(
        path=path,
        kind=OBJECT,
        functions={name: at for one in inside for name, at in one.functions.items()},
        defined=defined,
        undefined=frozenset[str]().union(*(one.undefined for one in inside)) - defined,
        compiler=", ".join(dict.fromkeys(one.compiler for one in inside if one.compiler)),
        for_linker=any(one.for_linker for one in inside),
        constructors=any(one.constructors for one in inside),
        built_for=next((one.built_for for one in inside if one.built_for), ""),
    )


def _symbols(path: Path, elf: ELFFile) -> ElfFile:
    functions, defined, undefined = {}, set(), set()
    for table in elf.iter_sections():
        if not isinstance(table, SymbolTableSection):
            continue
        for symbol in table.iter_symbols():
            if symbol["st_shndx"] == "SHN_UNDEF":
                undefined.add(symbol.name)
            elif symbol["st_info"]["bind"] != "STB_LOCAL":
                defined.add(symbol.name)
            if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
                functions[symbol.name] = symbol["st_value"]
    sections = {one.name for one in elf.iter_sections() if one["sh_size"]}
    comment = elf.get_section_by_name(".comment")
    compiler = (
        comment.data().strip(b"\0").split(b"\0")[0].decode(errors="replace") if comment else ""
    )
    return ElfFile(
        path=path,
        kind=elf["e_type"],
        functions=functions,
        defined=frozenset(defined),
        undefined=frozenset(undefined - {""} - defined),
        compiler=compiler,
        for_linker=any(name.startswith(".gnu.lto_") for name in sections),
        constructors=any(name.startswith((".init_array.", ".ctors.")) for name in sections)
        or ".init_array" in sections,
    )


def _fits(path: str, elf: ELFFile, platform: Platform) -> None:
    """Check that a platform can run the file; ValueError says why not."""
    machine = "EM_ARM" if platform.isa.startswith("arm") else "EM_RISCV"
    wanted = f"{platform.name} runs 32-bit little-endian {_MACHINES[machine]} code"
    if elf["e_machine"] != machine or elf.elfclass != 32 or not elf.little_endian:
        found = _MACHINES.get(elf["e_machine"], str(elf["e_machine"]).removeprefix("EM_"))
        order = "little" if elf.little_endian else "big"
        raise ValueError(f"{path} is {elf.elfclass}-bit {order}-endian {found} code; {wanted}")
    if elf["e_type"] not in (OBJECT, EXECUTABLE):
        raise ValueError(f"{path} is neither an object nor an executable at fixed addresses")
    if machine == "EM_ARM":
        _arm_fits(path, elf, platform)
    else:
        _riscv_fits(path, elf["e_flags"], platform)


def _riscv_fits(path: str, flags: int, platform: Platform) -> None:
    wrong = ""
    if flags & _RISCV_COMPRESSED and (platform.isa == "rv32i" or platform.cpu in vendored()):
        wrong = f"has compressed instructions, which {platform.name} lacks"
    elif platform.isa == "rv32ec" and not flags & _RISCV_E:
        wrong = f"is compiled for 32 registers, and {platform.name} has 16"
    elif platform.isa != "rv32ec" and flags & _RISCV_E:
        wrong = "passes arguments as processors with 16 registers do"
    if wrong:
        raise ValueError(f"{path} {wrong}; compile it with {' '.join(platform.compiler.target)}")


def _arm_fits(path: str, elf: ELFFile, platform: Platform) -> None:
    tags = attributes(elf)
    if tags is None:
        return
    architecture = int(tags.get("TAG_CPU_ARCH", 0))
    profile = chr(int(tags.get("TAG_CPU_ARCH_PROFILE", 0)))
    name = str(_ARM_NAMES.get(architecture, architecture))
    if profile != chr(0) and not name.endswith("-M"):
        name += f"-{profile}"
    runs = architecture in _ARM_ARCHITECTURES[platform.isa]
    if not runs or (architecture == 10 and profile != "M"):
        raise ValueError(
            f"{path} is compiled for ARM{name}, which {platform.name} ({platform.isa}) cannot run; "
            f"compile it with {' '.join(platform.compiler.target)}"
        )
