# SPDX-License-Identifier: MIT
"""What a stub says of itself in XML: its registers and its memory map.

Few attributes of few elements are needed, so they are searched for; entities are never expanded.
Source: the GDB manual, "Target Description Format" and "Memory Map Format".
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .answers import printable
from .transport import BoardLostError

_TAG = re.compile(r"<(reg|xi:include)\b([^<>]*)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*[\"']([^\"']*)[\"']")
_BLOCK = re.compile(r"<property\s+name=[\"']blocksize[\"']\s*>\s*(\w+)\s*<")
_MOST_FILES = 64
"""Files of a description; those of servers have about ten."""
_MOST_REGISTERS = 65_535
_MOST_REGISTER_BITS = 65_536
_MOST_ADDRESS = 1 << 32
_MEMORY = re.compile(r"<memory\s")
_LONGEST_TAG = 1000
"""Characters of a tag, or of what stands in a memory, that are searched."""


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
    for given in _registers(read, "target.xml", set()):
        number = max(sizes, default=-1) + 1
        number = _number(given.get("regnum", f"{number}"), _MOST_REGISTERS)
        bits = _number(given.get("bitsize", "32"), _MOST_REGISTER_BITS)
        sizes[number] = (given.get("name", "").lower(), -(-bits // 8))
    offset = 0
    for number, (name, size) in sorted(sizes.items()):
        found.setdefault(name, BoardRegister(number, offset, size))
        offset += size
    return found


def _registers(read: Callable[[str], str], name: str, known: set[str]) -> Iterator[dict[str, str]]:
    """Of a file and of those that it includes, each once."""
    if name in known:
        return
    known.add(name)
    if len(known) > _MOST_FILES:
        raise BoardLostError(
            f"the debugger describes its registers in more than {_MOST_FILES} files"
        )
    for tag, text in _TAG.findall(read(name)):
        given = dict(_ATTRIBUTE.findall(text[:_LONGEST_TAG]))
        if tag == "reg":
            yield given
        elif "href" in given:
            yield from _registers(read, given["href"], known)


def _number(text: str, most: int) -> int:
    """What a server wrote as a number; BoardLostError where it is none, or too large."""
    try:
        found = int(text, 0)
    except ValueError:
        found = -1
    if not 0 <= found <= most:
        raise BoardLostError(
            f"the debugger describes its target with {printable(text.encode())!r} where a number "
            f"up to {most} is needed"
        )
    return found


def memory_map(text: str) -> tuple[MappedMemory, ...]:
    """The regions of a memory map; none where there is no such thing."""
    return tuple(_memory(part) for part in _MEMORY.split(text)[1:])


def _memory(text: str) -> MappedMemory:
    """Of what follows `<memory`: attributes up to the end of the tag, then properties."""
    attributes, _, inner = text.partition(">")
    given = dict(_ATTRIBUTE.findall(attributes[:_LONGEST_TAG]))
    inner = "" if attributes.endswith("/") else inner.partition("</memory>")[0]
    block = _BLOCK.search(inner[:_LONGEST_TAG])
    return MappedMemory(
        given.get("type", "ram"),
        _number(given.get("start", "0"), _MOST_ADDRESS),
        _number(given.get("length", "0"), _MOST_ADDRESS),
        _number(block[1], _MOST_ADDRESS) if block else 0,
    )
