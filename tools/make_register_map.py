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
from pathlib import Path

from register_map import ACCESSES, Field, MapError, Register, RegisterMap, parse

COLUMNS = 100
"""Of a line in C."""


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
    except (MapError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        print(f"{source}: {error}", file=sys.stderr)
        sys.exit(2)
    for name, content in made.items():
        (root / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
