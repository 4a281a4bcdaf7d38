# SPDX-License-Identifier: MIT
"""What a stub says of itself in XML: its registers and its memory map.

Few attributes of few elements are needed, so they are searched for; entities are never expanded.
Source: the GDB manual, "Target Description Format" and "Memory Map Format".
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TAG = re.compile(r"<(reg|xi:include)\b([^>]*)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*[\"']([^\"']*)[\"']")
_MEMORY = re.compile(r"<memory\s([^>]*?)(?:/>|>(.*?)</memory>)", re.DOTALL)
_BLOCK = re.compile(r"<property\s+name=[\"']blocksize[\"']\s*>\s*(\w+)\s*<")
_DEEPEST = 8
"""Levels of files that include files."""


@dataclass(frozen=True)
class BoardRegister:
    """A register as the stub numbers it."""

    number: int
    offset: int
    """Bytes before it in the packet of all registers."""
    size: int
    """Bytes."""


@dataclass(frozen=True)
class MappedMemory:
    """A region of the stub's memory map."""

    kind: str
    """"ram", "rom" or "flash"."""
    start: int
    size: int
    block: int = 0
    """Of flash: bytes that are erased together."""

    def holds(self, start: int, size: int) -> bool:
        """Whether so many bytes lie in it."""
        return self.start <= start and start + size <= self.start + self.size


def arm_registers() -> dict[str, BoardRegister]:
    """Of a stub for ARM that does not describe itself: GDB's old order.

    After r0 to r15 come eight registers of the FPA of 12 bytes and its status.
    """
    names = [*(f"r{n}" for n in range(13)), "sp", "lr", "pc"]
    found = {name: BoardRegister(n, 4 * n, 4) for n, name in enumerate(names)}
    status = BoardRegister(25, 16 * 4 + 8 * 12 + 4, 4)
    return {**found, "cpsr": status, "xpsr": status}


def riscv_registers() -> dict[str, BoardRegister]:
    """Of a stub for RV32 that does not describe itself: x0 to x31, pc."""
    names = [*(f"x{n}" for n in range(32)), "pc"]
    return {name: BoardRegister(n, 4 * n, 4) for n, name in enumerate(names)}


def described_registers(read: Callable[[str], str]) -> dict[str, BoardRegister]:
    """Registers by name in small letters; `read` gives a file of the description by its name."""
    found: dict[str, BoardRegister] = {}
    sizes: dict[int, tuple[str, int]] = {}
    for given in _registers(read, "target.xml", 0):
        number = int(given["regnum"]) if "regnum" in given else max(sizes, default=-1) + 1
        sizes[number] = (given.get("name", "").lower(), -(-int(given.get("bitsize", "32")) // 8))
    offset = 0
    for number, (name, size) in sorted(sizes.items()):
        found.setdefault(name, BoardRegister(number, offset, size))
        offset += size
    return found


def _registers(read: Callable[[str], str], name: str, depth: int) -> Iterator[dict[str, str]]:
    if depth > _DEEPEST:
        return
    for tag, text in _TAG.findall(read(name)):
        given = dict(_ATTRIBUTE.findall(text))
        if tag == "reg":
            yield given
        elif "href" in given:
            yield from _registers(read, given["href"], depth + 1)


def memory_map(text: str) -> tuple[MappedMemory, ...]:
    """The regions of a memory map; none where there is no such thing."""
    found = []
    for attributes, inner in _MEMORY.findall(text):
        given = dict(_ATTRIBUTE.findall(attributes))
        block = _BLOCK.search(inner)
        found.append(
            MappedMemory(
                given.get("type", "ram"),
                int(given.get("start", "0"), 0),
                int(given.get("length", "0"), 0),
                int(block[1], 0) if block else 0,
            )
        )
    return tuple(found)
