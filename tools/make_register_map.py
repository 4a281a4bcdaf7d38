# SPDX-License-Identifier: MIT
"""Write from the register map of a core its page, its C header and its Verilog header.

Usage: make_register_map.py [ROOT]   (default: the checkout that holds this script)

The source is rtl/aes32_axil.toml, which explains its keys.  Written are docs/registers.md,
drivers/aes32_axil/aes32_axil_registers.h and rtl/aes32_axil.vh.
The files are checked in; a test runs this script and compares.
"""

import sys
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORD_BYTES, WORD_BITS = 4, 32
COLUMNS = 100
"""Of a line in C."""
ACCESSES = {
    **{"constant": (True, False), "read": (True, False)},
    **{"write": (False, True), "both": (True, True)},
}
"""Whether a register can be read and written."""
FIELD_ACCESSES = ("both", "read", "write-1", "clear")


class MapError(ValueError):
    """The map contradicts itself; the sentence says where."""


@dataclass(frozen=True)
class Field:
    """Some bits of a register."""

    name: str
    high: int
    low: int
    access: str
    meaning: str

    @property
    def mask(self) -> int:
        """Ones in its bits."""
        return (2 << self.high) - (1 << self.low)


@dataclass(frozen=True)
class Register:
    """A word at an address."""

    name: str
    offset: int
    access: str
    reset: int | None
    meaning: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Constant:
    """A number that hardware and driver share."""

    name: str
    value: int
    meaning: str


@dataclass(frozen=True)
class RegisterMap:
    """All registers of a core."""

    name: str
    prefix: str
    address_bits: int
    constants: tuple[Constant, ...]
    registers: tuple[Register, ...]


def _check_keys(place: str, given: dict[str, Any], needed: str, optional: str = "") -> None:
    """MapError if a key is missing or unknown."""
    missing = set(needed.split()) - set(given)
    unknown = set(given) - set(needed.split()) - set(optional.split())
    if missing or unknown:
        wrong = f"needs {min(missing)}" if missing else f"knows no {min(unknown)}"
        raise MapError(f"{place} {wrong}")


def _field(register: str, access: str, given: dict[str, Any]) -> Field:
    """A field, its bits in range."""
    _check_keys(f"a field of {register}", given, "name bits meaning", "access")
    high, low = given["bits"]
    one = Field(given["name"], high, low, given.get("access", access), given["meaning"])
    place = f"{register}.{one.name}"
    if not 0 <= low <= high < WORD_BITS:
        raise MapError(f"{place}: bits must be [highest, lowest] from 31 to 0")
    if one.access not in FIELD_ACCESSES:
        raise MapError(f"{place}: access must be one of {', '.join(FIELD_ACCESSES)}")
    return one


def _register(given: dict[str, Any]) -> Register:
    """A register, its fields apart from each other."""
    _check_keys("a register", given, "name offset access meaning", "reset field")
    name, access = given["name"], given["access"]
    if access not in ACCESSES:
        raise MapError(f"{name}: access must be one of {', '.join(ACCESSES)}")
    if access == "constant" and "reset" not in given:
        raise MapError(f"{name}: a constant has its value as reset")
    usual = "both" if access == "both" else "read"
    fields = tuple(_field(name, usual, one) for one in given.get("field", ()))
    used = 0
    for one in fields:
        if used & one.mask:
            raise MapError(f"{name}.{one.name}: its bits belong to another field too")
        used |= one.mask
    return Register(name, given["offset"], access, given.get("reset"), given["meaning"], fields)


def parse(text: str) -> RegisterMap:
    """The map in a TOML text; MapError or TOMLDecodeError if it makes no sense."""
    given = tomllib.loads(text)
    _check_keys("the map", given, "name prefix address_bits register", "constants")
    registers = tuple(_register(one) for one in given["register"])
    offsets = [one.offset for one in registers]
    if offsets != list(range(0, WORD_BYTES * len(offsets), WORD_BYTES)):
        raise MapError("offsets must be 0, 4, 8 and so on, in this order")
    if len({one.name for one in registers}) != len(registers):
        raise MapError("two registers have the same name")
    constants = tuple(
        Constant(name, one["value"], one["meaning"])
        for name, one in given.get("constants", {}).items()
    )
    return RegisterMap(given["name"], given["prefix"], given["address_bits"], constants, registers)


# --- the page


def _bits(one: Field) -> str:
    return f"{one.high}" if one.high == one.low else f"{one.high} to {one.low}"


def _hex(value: int | None) -> str:
    return "-" if value is None else f"{value:08x}"


PAGE = """\
<!-- SPDX-License-Identifier: MIT -->
<!-- Made by tools/make_register_map.py from rtl/{name}.toml. -->
# Registers of {name}

The core encrypts and decrypts AES blocks behind an AXI4-Lite port; [rtl/README.md]\
(../rtl/README.md#registers-aes32_axil) says how, with timing diagrams.
[The driver](../drivers/{name}/README.md) uses all of these registers, so that firmware need not.

Every register is a word of 32 bits at an offset from the base address of the core.
Numbers in this table are hexadecimal.

| offset | register | access | after reset | meaning |
|---|---|---|---|---|
{registers}

{fields}
{constants}"""
FIELD_ACCESS_TEXTS = {
    "both": "read and write",
    "read": "read",
    "write-1": "writing 1 starts it; reads 0",
    "clear": "read; writing 1 clears it",
}


def page(given: RegisterMap) -> str:
    """docs/registers.md."""
    rows = [
        f"| {one.offset:02x} | {one.name.upper()} | {one.access} | {_hex(one.reset)} "
        f"| {one.meaning} |"
        for one in given.registers
    ]
    sections = []
    for register in (one for one in given.registers if one.fields):
        lines = [f"## {register.name.upper()}\n", "| bits | field | access | meaning |"]
        lines.append("|---|---|---|---|")
        lines += [
            f"| {_bits(one)} | {one.name.upper()} | {FIELD_ACCESS_TEXTS[one.access]} "
            f"| {one.meaning} |"
            for one in register.fields
        ]
        sections.append("\n".join(lines) + "\n")
    constants = ["## Constants\n", "| name | value | meaning |", "|---|---|---|"]
    constants += [
        f"| {one.name.upper()} | {one.value} | {one.meaning} |" for one in given.constants
    ]
    return PAGE.format(
        name=given.name,
        registers="\n".join(rows),
        fields="\n".join(sections),
        constants="\n".join(constants) + "\n",
    )


# --- the C header


def _comment(text: str) -> list[str]:
    """A comment in C, folded."""
    lines = textwrap.wrap(text, COLUMNS - len("/*  */"))
    return ("/* " + "\n * ".join(lines) + " */").split("\n")


def _c_register(prefix: str, register: Register) -> list[str]:
    """Offset, value and bits of a register."""
    name = f"{prefix}_{register.name.upper()}"
    lines = ["", *_comment(f"{register.access}: {register.meaning}")]
    lines.append(f"#define {name} 0x{register.offset:02x}u")
    if register.reset is not None:
        lines.append(f"#define {name}_RESET 0x{register.reset:08x}u")
    for one in register.fields:
        field = f"{name}_{one.name.upper()}"
        lines += [*_comment(one.meaning), f"#define {field} 0x{one.mask:08x}u"]
        if one.high != one.low:
            lines.append(f"#define {field}_SHIFT {one.low}")
    return lines


def c_header(given: RegisterMap) -> str:
    """What the driver includes."""
    guard = f"{given.prefix}_REGISTERS_H"
    source = f"The registers of {given.name}, made by tools/make_register_map.py from"
    lines = ["/* SPDX-License-Identifier: MIT */"]
    lines += _comment(f"{source} rtl/{given.name}.toml.  Offsets are in bytes, from the base.")
    lines += [f"#ifndef {guard}", f"#define {guard}", ""]
    for one in given.constants:
        lines += [*_comment(one.meaning), f"#define {given.prefix}_{one.name.upper()} {one.value}u"]
    for register in given.registers:
        lines += _c_register(given.prefix, register)
    return "\n".join([*lines, "", "#endif", ""])


# --- the Verilog header


def _camel(*names: str) -> str:
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def verilog(given: RegisterMap) -> str:
    """Word addresses, what can be read and written, constants, and bits of fields."""
    count, width = len(given.registers), given.address_bits - 2
    lines = [
        "// SPDX-License-Identifier: MIT",
        f"// Made by tools/make_register_map.py from rtl/{given.name}.toml.",
        "// Word addresses of the registers, constants, and the lowest bits of fields.",
    ]
    for one in given.constants:
        lines.append(f"localparam {_camel(one.name)} = {one.value};")
    for at, register in enumerate(given.registers):
        lines.append(f"localparam [{width - 1}:0] {_camel(register.name)} = {width}'d{at};")
    lines.append(f"localparam [{width - 1}:0] LastRegister = {width}'d{count - 1};")
    for name, way in (("Readable", 0), ("Writable", 1)):
        mask = "".join(str(int(ACCESSES[one.access][way])) for one in reversed(given.registers))
        lines.append(f"localparam [{count - 1}:0] {name} = {count}'b{mask};  // by word address")
    for register in given.registers:
        if register.access == "constant":
            value = f"{_camel(register.name)}Value = 32'h{register.reset:08x}"
            lines.append(f"localparam [31:0] {value};")
        if register.access == "both":
            names = [(_camel(register.name, one.name), one.low) for one in register.fields]
            lines += [f"localparam {name} = {low};" for name, low in names]
    return "\n".join(lines) + "\n"


def render(text: str) -> dict[str, str]:
    """Texts by the path of their file in the checkout."""
    given = parse(text)
    return {
        "docs/registers.md": page(given),
        f"drivers/{given.name}/{given.name}_registers.h": c_header(given),
        f"rtl/{given.name}.vh": verilog(given),
    }


def main() -> None:
    """Write the files."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
    source = root / "rtl" / "aes32_axil.toml"
    try:
        made = render(source.read_text(encoding="utf-8"))
    except OSError as error:
        sys.exit(f"{source}: {error.strerror}")
    except (MapError, tomllib.TOMLDecodeError) as error:
        print(f"{source}: {error}", file=sys.stderr)
        sys.exit(2)
    for name, content in made.items():
        (root / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
