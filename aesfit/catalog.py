# SPDX-License-Identifier: MIT
"""What exists: the AES cores and GHASH multipliers built into the library.

Every fact is read from the C structs of the built library (lib/src/core.h explains them);
nothing about a core is written down a second time here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from . import _native

Direction = Literal["encrypt", "decrypt", "key-schedule"]


@dataclass(frozen=True)
class Table:
    """A table that a core reads at secret indices; listed once for each direction it serves."""

    name: str
    bytes: int
    reads_middle_round: int
    """Reads per block in each round but the last."""
    reads_last_round: int
    """Reads per block in the last round."""
    direction: Direction
    reads_correction: tuple[int, int, int] = (0, 0, 0)
    """Reads per block to add for 128, 192 and 256-bit keys, where a key schedule computed on the
    fly does not fall on every round alike."""

    def reads_per_block(self, key_bits: int) -> int:
        """Reads of this table for one block under a key of 128, 192 or 256 bits."""
        rounds = key_bits // 32 + 6
        correction = self.reads_correction[key_bits // 64 - 2]
        return (rounds - 1) * self.reads_middle_round + self.reads_last_round + correction


@dataclass(frozen=True)
class Core:
    """One AES implementation."""

    name: str
    summary: str
    source: str
    """Paper and section the algorithm comes from."""
    lanes: int
    """Blocks worked on at once."""
    tables: tuple[Table, ...]
    table_bytes: int
    """Bytes of the tables read while encrypting."""
    table_bytes_decrypt: int
    """Bytes of the tables read while decrypting."""
    round_key_bytes: dict[str, dict[str, int]]
    """Bytes of expanded key by key bits ("128" ...) and direction ("encrypt" "decrypt" "both")."""
    constant_time: bool
    """No branch, address or multiply operand depends on a secret."""
    on_the_fly_keys: bool
    """Round keys are computed during each block."""
    needs: str
    """Instruction set beyond the baseline; empty for none."""
    available: bool
    """This processor can run it."""
    study: bool
    """Exists for the papers."""
    study_rounds: bool
    """Takes fewer rounds through AES.study()."""
    code_bytes: int | None
    """Machine code of the core in this build: key expansion, both directions and bulk paths;
    None where the build could not measure it."""


@dataclass(frozen=True)
class Ghash:
    """One GHASH multiplier of GCM."""

    name: str
    summary: str
    source: str
    key_bytes: int
    table_bytes: int
    constant_time: bool
    constant_time_multiply: bool
    """Constant-time only where the processor's multiply instruction is."""
    constant_time_multiply_low: bool
    """The same of the instruction for the lower word of a product, which alone it uses."""
    needs: str
    available: bool


def _table_bytes(tables: tuple[Table, ...], direction: Direction) -> int:
    return sum(table.bytes for table in tables if table.direction == direction)


def _core(raw: dict[str, Any]) -> Core:
    tables = tuple(Table(**table) for table in raw["tables"])
    return Core(
        **{**raw, "tables": tables},
        table_bytes=_table_bytes(tables, "encrypt"),
        table_bytes_decrypt=_table_bytes(tables, "decrypt"),
    )


@cache
def cores() -> tuple[Core, ...]:
    """Every core built in, in the order of the register."""
    return tuple(_core(raw) for raw in _native.cores())


@cache
def ghashes() -> tuple[Ghash, ...]:
    """Every GHASH multiplier built in, in the order of the register."""
    return tuple(Ghash(**raw) for raw in _native.ghashes())
