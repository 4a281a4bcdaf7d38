# SPDX-License-Identifier: MIT
"""A chip: a processor with memories that wait, by the clock that it runs at."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from .clock import Energy, Waits, read_energy, read_waits, waits_at
from .memory import Interface, Memory, read_interface, read_memories, whole_bytes
from .toml_file import Quantity, TomlTable

Setting = Literal["usual", "reset", "uniform"]
"""How buffers and caches of the flash are set: as firmware usually has them, as they are after
reset, or so that every read takes the same time, where a chip can do that."""
SETTINGS: tuple[Setting, ...] = get_args(Setting)
_WORDS = {
    "clock": "highest clock",
    "part": "part sizes",
    "memory": "memory map",
    "wait_states": "wait states",
    "interface": "flash buffers",
    "energy": "current",
}
"""What the tables of a file are called in a sentence."""
_ALWAYS: tuple[Setting, ...] = ("usual", "reset")


def setting_named(name: str | None) -> Setting | None:
    """The setting of that name; ValueError names them all."""
    for setting in SETTINGS:
        if name == setting:
            return setting
    if name is None:
        return None
    raise ValueError(f"buffers are set as {' or '.join(SETTINGS)}, not '{name}'")


@dataclass(frozen=True)
class ChipPart:
    """A part number, and the sizes that differ between the parts of a chip."""

    name: str
    sizes: tuple[tuple[str, int], ...]
    """Bytes of "flash" and "ram"."""


@dataclass(frozen=True)
class Chip:
    """What a chip's file says beside its processor."""

    processor: str
    """The name of its file in platforms/processors."""
    maximum: Quantity
    """Highest clock, in MHz."""
    counter: str
    """What counts cycles on it."""
    waits: tuple[Waits, ...]
    interfaces: Mapping[Setting, Interface | None]
    energy: Energy
    parts: tuple[ChipPart, ...]
    unconfirmed: tuple[str, ...] = ()
    """Facts that were not read in a document of the maker."""

    def __hash__(self) -> int:
        """Of what tells one file from another."""
        return hash((self.processor, self.maximum, self.parts))

    def unsure(self, setting: Setting) -> tuple[str, ...]:
        """What of the chip is not confirmed, in words, with the flash set like that."""
        other = tuple(f"interface.{one}" for one in SETTINGS if one != setting)
        held = [place for place in self.unconfirmed if not place.startswith(other)]
        return tuple(dict.fromkeys(_WORDS[place.partition(".")[0]] for place in held))

    def at(
        self, memories: Iterable[Memory], mhz: float, setting: Setting
    ) -> tuple[tuple[Memory, ...], Quantity | None]:
        """Memories and picojoules of a cycle at a clock; ValueError above the highest."""
        if not 0 < mhz <= self.maximum.value:
            raise ValueError(
                f"its clock is at most {self.maximum.value:g} MHz, not {mhz:g} "
                f"({self.maximum.source})"
            )
        if setting not in self.interfaces:
            raise ValueError(
                f"its flash cannot be set to '{setting}'; choose from {', '.join(self.interfaces)}"
            )
        waits, interface = waits_at(self.waits, mhz), self.interfaces[setting]
        slow = tuple(
            replace(one, wait_states=waits, interface=interface) if one.name == "flash" else one
            for one in memories
        )
        return slow, self.energy.per_cycle(mhz)


def read_chip(root: TomlTable, maximum: Quantity) -> Chip:
    """What is said beside the processor and the memories."""
    waits = read_waits(root, maximum)
    return Chip(
        processor=root.text("processor"),
        maximum=maximum,
        counter=root.text("counter"),
        waits=waits,
        interfaces=_interfaces(root),
        energy=read_energy(root),
        parts=tuple(_part(table) for table in root.tables("part")),
        unconfirmed=tuple(root.unconfirmed()),
    )


def read_chip_memories(root: TomlTable) -> tuple[Memory, ...]:
    """Its memories; the wait states of the flash follow from the clock."""
    return read_memories(root, Quantity(0, "cycles", "by the clock"))


def _interfaces(root: TomlTable) -> dict[Setting, Interface | None]:
    both = root.table("interface")
    both.only(SETTINGS)
    named = [one for one in SETTINGS if one in _ALWAYS or both.has(one)]
    return {setting: read_interface(both.table(setting)) for setting in named}


def _part(table: TomlTable) -> ChipPart:
    table.only(("name", "flash", "ram"))
    sizes = tuple((key, whole_bytes(table, key)) for key in ("flash", "ram") if table.has(key))
    return ChipPart(table.text("name"), sizes)


def check_sources(root: TomlTable, others: Iterable[str]) -> None:
    """Refuse a source that names another chip: a section was copied and not made true.

    `others`: names of all chips; those that the file's own name or title holds are its own.
    """
    own = f"{root.text('name')} {root.text('title')}".lower()
    strange = [name for name in others if name not in own]
    if not strange:
        return
    pattern = re.compile("|".join(map(re.escape, strange)), re.IGNORECASE)
    for table, source in root.sources():
        if found := pattern.search(source):
            table.wrong(
                f"the source of {table.title} names {found[0]}, which is another chip; give the "
                f"figures of {root.text('title')} with their own source",
            )
