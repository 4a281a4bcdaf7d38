# SPDX-License-Identifier: MIT
"""The bytes of a linked image that take memory, and their digest: the name of what is proved."""

from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_SHF_ALLOC = 2
Pieces = tuple[tuple[int, bytes], ...]
"""(address, bytes), in the order of their addresses."""


def loaded(file: "ELFFile") -> Pieces:
    """All that takes memory: code, constants, tables, and zeros where the file stores none."""
    return tuple(
        sorted(
            (s["sh_addr"], bytes(s["sh_size"]) if s["sh_type"] == "SHT_NOBITS" else s.data())
            for s in file.iter_sections()
            if s["sh_flags"] & _SHF_ALLOC and s["sh_size"]
        )
    )


def image_sha256(pieces: Iterable[tuple[int, bytes]]) -> str:
    """Of the bytes with their addresses; no symbol, line or name of a file is in it."""
    total = sha256()
    for address, data in pieces:
        total.update(b"%x %d " % (address, len(data)) + data)
    return total.hexdigest()
