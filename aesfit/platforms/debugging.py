# SPDX-License-Identifier: MIT
"""What a debugger finds on a chip: identity, number, registers of flash and clock, a timer.

The files are platforms/debug/<chip>.toml.  They are apart from the chips' own files because no
figure of a model depends on them, and the digest of a chip's file is part of every row.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .places import project_folder
from .toml_file import TomlTable, read_bytes, read_table

REGISTER_KINDS = ("flash", "clock")
_TIMER = (
    *("title", "address", "bits", "cycles_per_tick", "write", "wrapped_address", "wrapped_bits"),
    "source",
)


@dataclass(frozen=True)
class BitField:
    """Some bits of a register with a meaning of their own."""

    name: str
    low: int
    """Number of the lowest."""
    width: int

    def of(self, word: int) -> int:
        """Its value in a word."""
        return word >> self.low & (1 << self.width) - 1


@dataclass(frozen=True)
class NamedRegister:
    """A register that says how the flash or the clock is set."""

    name: str
    address: int
    fields: tuple[BitField, ...]
    source: str
    kind: str = "flash"
    """One of REGISTER_KINDS: what it sets."""

    def told(self, word: int) -> str:
        """A value of it in words: "FLASH_ACR 0x00000705: LATENCY 5, PRFTEN 1"."""
        parts = ", ".join(f"{one.name} {one.of(word)}" for one in self.fields)
        return f"{self.name} {word:#010x}: {parts}"


@dataclass(frozen=True)
class Identity:
    """A register in which a chip says what it is."""

    address: int
    mask: int
    values: tuple[int, ...]
    source: str


@dataclass(frozen=True)
class CycleTimer:
    """A timer that counts cycles where the processor has no counter of its own."""

    title: str
    address: int
    bits: int
    cycles_per_tick: int
    words: tuple[tuple[int, int], ...]
    """(address, word): written, in order, before each call."""
    wrapped: tuple[int, int] | None
    """(address, bits): set when it has passed its end."""
    source: str


@dataclass(frozen=True)
class UniqueNumber:
    """Words that no other chip of the kind holds."""

    words: tuple[int, ...]
    """Addresses."""
    source: str


@dataclass(frozen=True)
class WatchdogFreeze:
    """Bits that hold the watchdogs while a debugger has halted the processor."""

    address: int
    bits: int
    source: str


@dataclass(frozen=True)
class Debugging:
    """All that is known of a chip for a debugger."""

    registers: tuple[NamedRegister, ...] = ()
    identity: Identity | None = None
    timer: CycleTimer | None = None
    wait_states: tuple[str, str] | None = None
    """Register and field with the wait states of the flash."""
    unique: UniqueNumber | None = None
    """None where the chip has no such number, or shows it to its own code alone."""
    freeze: WatchdogFreeze | None = None
    openocd: str | None = None
    """The file of OpenOCD 0.12 for it; None where there is none."""


def debugging_of(chip: str) -> Debugging:
    """What is known of that chip; nothing where there is no file of it."""
    path = project_folder("platforms") / "debug" / f"{chip}.toml"
    return _read(path) if path.is_file() else Debugging()


@cache
def _read(path: Path) -> Debugging:
    root = read_table(path, read_bytes(path))
    root.only(("openocd", "wait_states", "identity", "timer", "unique", "freeze", "register"))
    registers = tuple(_register(table) for table in root.tables("register"))
    return Debugging(
        registers,
        _identity(root.table("identity")) if root.has("identity") else None,
        _timer(root.table("timer")) if root.has("timer") else None,
        _wait_states(root, registers),
        _unique(root.table("unique")) if root.has("unique") else None,
        _freeze(root.table("freeze")) if root.has("freeze") else None,
        root.text("openocd") if root.has("openocd") else None,
    )


def _wait_states(root: TomlTable, registers: tuple[NamedRegister, ...]) -> tuple[str, str] | None:
    if not root.has("wait_states"):
        return None
    places = [f"{one.name}.{part.name}" for one in registers for part in one.fields]
    register, _, name = root.choice("wait_states", places).partition(".")
    return register, name


def _register(table: TomlTable) -> NamedRegister:
    table.only(("name", "address", "kind", "source", "field"))
    fields = tuple(_field(one) for one in table.tables("field"))
    kind = table.choice("kind", REGISTER_KINDS) if table.has("kind") else REGISTER_KINDS[0]
    address = _word(table, "address")
    return NamedRegister(table.text("name"), address, fields, table.text("source"), kind)


def _unique(table: TomlTable) -> UniqueNumber:
    table.only(("words", "source"))
    return UniqueNumber(tuple(int(one, 0) for one in table.texts("words")), table.text("source"))


def _freeze(table: TomlTable) -> WatchdogFreeze:
    table.only(("address", "bits", "source"))
    return WatchdogFreeze(_word(table, "address"), _word(table, "bits"), table.text("source"))


def _field(table: TomlTable) -> BitField:
    table.only(("name", "low", "width"))
    return BitField(table.text("name"), table.whole("low"), table.whole("width", least=1))


def _identity(table: TomlTable) -> Identity:
    table.only(("address", "mask", "values", "source"))
    values = tuple(int(text, 0) for text in table.texts("values"))
    return Identity(_word(table, "address"), _word(table, "mask"), values, table.text("source"))


def _timer(table: TomlTable) -> CycleTimer:
    table.only(_TIMER)
    wrapped = None
    if table.has("wrapped_address"):
        wrapped = _word(table, "wrapped_address"), _word(table, "wrapped_bits")
    return CycleTimer(
        table.text("title"),
        _word(table, "address"),
        table.whole("bits", least=8),
        table.whole("cycles_per_tick", least=1),
        tuple(_write(one) for one in table.tables("write")),
        wrapped,
        table.text("source"),
    )


def _write(table: TomlTable) -> tuple[int, int]:
    table.only(("address", "word", "what"))
    table.text("what")
    return _word(table, "address"), _word(table, "word")


def _word(table: TomlTable, key: str) -> int:
    value = table.whole(key)
    if value >= 1 << 32:
        table.wrong(f"'{key}' in {table.title} is {value:#x}; it must be a word of 32 bits", key)
    return value
