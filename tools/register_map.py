# SPDX-License-Identifier: MIT
"""The register map of a core: what its TOML may hold, and how it is read.

rtl/aes32_axil.toml explains the keys; make_register_map.py writes the files.
"""

import tomllib
from dataclasses import dataclass
from typing import Any

WORD_BYTES, WORD_BITS = 4, 32
ACCESSES = {
    **{"constant": (True, False), "read": (True, False)},
    **{"write": (False, True), "both": (True, True)},
}
"""Whether a register can be read and written."""
FIELD_ACCESSES = ("both", "read", "write-1", "clear")


TEXTS = {"name", "prefix", "access", "meaning"}
"""Keys whose values are texts."""


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


def _check_keys(place: str, given: object, needed: str, optional: str = "") -> None:
    """MapError if this is no table, or a key is missing, unknown, or not the text it must be."""
    if not isinstance(given, dict):
        raise MapError(f"{place} must be a table")
    missing = set(needed.split()) - set(given)
    unknown = set(given) - set(needed.split()) - set(optional.split())
    if missing or unknown:
        wrong = f"needs {min(missing)}" if missing else f"knows no {min(unknown)}"
        raise MapError(f"{place} {wrong}")
    for key in TEXTS & set(given):
        if not isinstance(given[key], str):
            raise MapError(f"{place}: {key} must be text")


def _tables(place: str, given: object) -> list[Any]:
    """An array of TOML, not empty."""
    if not isinstance(given, list) or not given:
        raise MapError(f"{place} must be one table or more")
    return given


def _number(place: str, given: dict[str, Any], key: str) -> int:
    """A whole number that fits a register."""
    value = given[key]
    if type(value) is not int or not 0 <= value < 1 << WORD_BITS:
        raise MapError(f"{place}: {key} must be a whole number of at most {WORD_BITS} bits")
    return value


def _field(register: str, access: str, given: dict[str, Any]) -> Field:
    """A field, its bits in range."""
    _check_keys(f"a field of {register}", given, "name bits meaning", "access")
    place, bits = f"{register}.{given['name']}", given["bits"]
    two = isinstance(bits, list) and [type(bit) for bit in bits] == [int, int]
    if not two or not 0 <= bits[1] <= bits[0] < WORD_BITS:
        raise MapError(f"{place}: bits must be [highest, lowest] from 31 to 0")
    high, low = bits
    one = Field(given["name"], high, low, given.get("access", access), given["meaning"])
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
    tables = _tables(f"the fields of {name}", given["field"]) if "field" in given else []
    fields = tuple(_field(name, usual, one) for one in tables)
    used = 0
    for one in fields:
        if used & one.mask:
            raise MapError(f"{name}.{one.name}: its bits belong to another field too")
        used |= one.mask
    offset = _number(name, given, "offset")
    reset = _number(name, given, "reset") if "reset" in given else None
    return Register(name, offset, access, reset, given["meaning"], fields)


def _constant(name: str, given: dict[str, Any]) -> Constant:
    """A constant; TOML gives anything as `given`."""
    _check_keys(name, given, "value meaning")
    return Constant(name, _number(name, given, "value"), given["meaning"])


def parse(text: str) -> RegisterMap:
    """The map in a TOML text; MapError or TOMLDecodeError if it makes no sense."""
    given = tomllib.loads(text)
    _check_keys("the map", given, "name prefix address_bits register", "constants")
    registers = tuple(_register(one) for one in _tables("the registers", given["register"]))
    offsets = [one.offset for one in registers]
    if offsets != list(range(0, WORD_BYTES * len(offsets), WORD_BYTES)):
        raise MapError("offsets must be 0, 4, 8 and so on, in this order")
    if len({one.name for one in registers}) != len(registers):
        raise MapError("two registers have the same name")
    bits = _number("the map", given, "address_bits")
    if not 2 < bits <= WORD_BITS or WORD_BYTES * len(registers) > 1 << bits:
        raise MapError(f"address_bits must be 3 to {WORD_BITS}, and reach every register")
    named = given.get("constants", {})
    if not isinstance(named, dict):
        raise MapError("the constants must be a table")
    constants = tuple(_constant(*one) for one in named.items())
    return RegisterMap(given["name"], given["prefix"], bits, constants, registers)
