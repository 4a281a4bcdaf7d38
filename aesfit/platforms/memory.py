# SPDX-License-Identifier: MIT
"""Memories of a platform, and what stands between the processor and a memory that waits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .interfaces import interfaces
from .toml_file import Quantity, TomlTable

CONTENTS = ("code", "tables", "data", "stack")
_BYTES = {"KiB": 1024, "B": 1}
_ADDRESSES = 1 << 32
_IDEAL_BYTES = 1 << 20
_IDEAL_STARTS = {
    "arm": {"flash": 0x1000_0000, "ram": 0x2000_0000},
    "cortex": {"flash": 0x0800_0000, "ram": 0x2000_0000},
    "riscv": {"flash": 0x2000_0000, "ram": 0x8000_0000},
    "vliw": {"flash": 0x0010_0000, "ram": 0x2000_0000},
}


@dataclass(frozen=True)
class Interface:
    """Buffers or caches in front of a memory with wait states."""

    kind: str
    """A file of aesfit/rigs/emulator/memory: "read_ahead"."""
    values: tuple[tuple[str, float], ...]
    """What that file asks for, by name, in the unit that it names."""
    source: str
    unconfirmed: bool = False
    """What stands there was not read in a document of the maker; its numbers are marked apart."""

    @property
    def parameters(self) -> Mapping[str, float]:
        """The values by name."""
        return dict(self.values)

    def waits(self, wait_states: int) -> bool:
        """A read can take longer than a cycle: the array waits, or a miss costs cycles beside."""
        return bool(wait_states or self.parameters.get("base") or self.parameters.get("per_byte"))


@dataclass(frozen=True)
class Memory:
    """A memory region."""

    name: str
    """"flash", "ram", or the name of another bank of RAM."""
    start: int
    size: int
    """Bytes."""
    wait_states: Quantity
    """Of an array read, at the platform's clock."""
    holds: tuple[str, ...]
    """Of "code", "tables", "data", "stack"; empty for a bank that a program may choose."""
    interface: Interface | None = None
    """None where every access waits, or none does."""
    banks: int = 1
    """Over which words are interleaved: who uses one of them at the same time delays some addresses
    and not others."""


def whole_bytes(table: TomlTable, key: str) -> int:
    """A size in KiB or B."""
    size = table.quantity(key, tuple(_BYTES), positive=True)
    count = size.value * _BYTES[size.unit]
    if count != int(count):
        table.wrong(f"'{key}' in {table.title} is {count} bytes; it must be whole bytes", key)
    return int(count)


def ideal_memories(isa: str, tables: str) -> tuple[Memory, ...]:
    """Memories that answer at once, for a processor alone; where they lie is our choice."""
    family = {"hex": "vliw", "rv3": "riscv"}.get(isa[:3], "arm" if isa == "armv4t" else "cortex")
    at_once = Quantity(0, "cycles", "ideal memory: every access is answered at once")
    held = {"flash": ["code"], "ram": ["data", "stack"]}
    held[tables].append("tables")
    return tuple(
        Memory(name, start, _IDEAL_BYTES, at_once, tuple(held[name]))
        for name, start in _IDEAL_STARTS[family].items()
    )


def read_memories(root: TomlTable, waits: Quantity | None) -> tuple[Memory, ...]:
    """Regions in the order of the file: no two alike, none over another, all contents once.

    `waits`: wait states of the flash that a table gives by clock; None: each region states its own.
    """
    found: list[Memory] = []
    for table in root.tables("memory"):
        region = _memory(table, waits)
        _check_apart(table, region, found)
        found.append(region)
    if not {"flash", "ram"} <= {region.name for region in found}:
        root.wrong("this rig needs a [[memory]] named flash and one named ram", "memory")
    held = sorted(content for region in found for content in region.holds)
    if held != sorted(CONTENTS):
        root.wrong(
            f"the regions hold {', '.join(held) or 'nothing'} in all; {', '.join(CONTENTS)} must "
            "be held once each",
            "memory",
        )
    return tuple(found)


def _memory(table: TomlTable, waits: Quantity | None) -> Memory:
    table.only(("name", "start", "size", "wait_states", "holds", "banks"))
    start, name = table.quantity("start", ("address",)), table.text("name")
    by_clock = waits is not None and name == "flash"
    if by_clock and table.has("wait_states"):
        table.wrong("[[wait_states]] gives those of the flash by clock; leave these out", name)
    region = Memory(
        name=name,
        start=int(start.value),
        size=whole_bytes(table, "size"),
        wait_states=waits if by_clock and waits else table.quantity("wait_states", ("cycles",)),
        holds=table.texts("holds", CONTENTS),
        banks=int(table.quantity("banks", ("banks",)).value) if table.has("banks") else 1,
    )
    if start.value != region.start or region.start + region.size > _ADDRESSES:
        table.wrong(f"{region.name} must lie at whole addresses below {_ADDRESSES:#x}", "start")
    return region


def _check_apart(table: TomlTable, region: Memory, found: Sequence[Memory]) -> None:
    for other in found:
        if region.name == other.name:
            table.wrong(f"there are two regions named '{region.name}'; one is allowed", "name")
        if region.start < other.start + other.size and other.start < region.start + region.size:
            table.wrong(
                f"{region.name} from {region.start:#x} overlaps {other.name}, which ends "
                f"before {other.start + other.size:#x}",
                "start",
            )


def read_interface(table: TomlTable) -> Interface | None:
    """[interface.usual] or [interface.reset]; None for `kind = "none"`."""
    kinds = {kind.name: kind for kind in interfaces()}
    name, source = table.choice("kind", ("none", *kinds)), table.text("source")
    asked = kinds[name].parameters if name != "none" else ()
    table.only(("kind", "source", "unconfirmed", *(one.name for one in asked)))
    unsure = table.flag("unconfirmed", default=False)
    values = []
    for one in asked:
        given = table.quantity(one.name, (one.unit,))
        if not one.least <= given.value <= one.most:
            table.wrong(
                f"'{one.name}' in {table.title} is {given.value:g}; it must be {one.least:g} to "
                f"{one.most:g} {one.unit}: {one.meaning}",
                one.name,
            )
        values.append((one.name, given.value))
    return Interface(name, tuple(values), source, unsure) if name != "none" else None
