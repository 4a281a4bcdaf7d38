# SPDX-License-Identifier: MIT
"""The figures of a drop-in: flash, RAM, stack and cycles."""

from dataclasses import dataclass

from ..building.calls import context_type
from ..catalog import MODES
from ..jobs.job import Row
from ..platforms.platform import Platform
from .choice import DropInChoice, ghash_words, key_words

_X86 = ("i686", "x86-64")


@dataclass(frozen=True)
class Flash:
    """Bytes of flash in a firmware; tables used from RAM count too, as flash holds their copy."""

    code: int
    """Code of all measured functions, with constants."""
    tables: int
    rest: int
    """What the other public functions, mainly the self-test, add if they are called."""


@dataclass(frozen=True)
class Figures:
    """Measurements of a drop-in."""

    rows: tuple[Row, ...]
    """Key set-up, encryption and decryption for each mode and key size, in this order."""
    flash: Flash
    small: tuple[Row, ...] = ()
    """The same messages with files optimised for size; empty if `rows` are already."""
    small_flash: int = 0
    """Code and tables in bytes, optimised for size."""

    def of(self, mode: str, key_bits: int) -> dict[str, Row]:
        """Rows by operation."""
        mine = (row for row in self.rows if (row.mode, row.key_bits) == (mode, key_bits))
        return {row.op: row for row in mine}

    @property
    def kinds(self) -> tuple[tuple[str, int], ...]:
        """Pairs of mode and key size, in order."""
        return tuple(dict.fromkeys((str(row.mode), row.key_bits) for row in self.rows))

    @property
    def tables_in_ram(self) -> int:
        """Bytes of RAM taken by tables."""
        return self.flash.tables if self.rows[0].tables_in == "ram" else 0

    @property
    def stack_bytes(self) -> int | None:
        """The deepest stack of any operation in bytes; None if it is not counted."""
        return max((row.stack_bytes for row in self.rows if row.stack_bytes), default=None)


def repeats(platform: Platform | None) -> bool:
    """Whether measurements there repeat exactly; only such figures are written into files."""
    return platform is not None and platform.rig != "host"


def contexts(choice: DropInChoice) -> dict[str, int]:
    """Bytes of RAM of the key types in use, by their names in the drop-in.

    Schedules are aligned to 16 bytes for x86, elsewhere to words.
    """
    align = 16 if choice.platform and choice.platform.isa in _X86 else 4
    plain = aligned(4, align) + aligned(4 * key_words(choice), align)
    multiples = aligned(4 * ghash_words(choice), align)
    return {
        context_type(mode).replace("aesfit", choice.prefix): (
            mode.keys * plain + (multiples if mode.hashes and not mode.message_keys else 0)
        )
        for mode in map(MODES.__getitem__, choice.modes)
    }


def aligned(size: int, align: int) -> int:
    """The next multiple of `align`."""
    return -(-size // align) * align
