# SPDX-License-Identifier: MIT
"""Converts executed packets of a Hexagon to operations.

llvm-objdump prints the packets; registers are parsed from its text, and the kind of a word from its
class (bits 31:28; Qualcomm Hexagon V60/V61 Programmer's Reference Manual, 80-N2040-33 E, chapter on
instruction encoding).  Other forms of text, which no core needs, are refused with their text.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aesfit.measuring.trace import FETCH, RECORD, STORE
from aesfit.rigs.rig import RigUnavailableError

from .operation import Access, Executed, Kind, Operation, Packet, Read, Superblock

_OBJDUMP = "llvm-objdump"
_LINE = re.compile(r" *([0-9a-f]+):\t[^\t]*\t([0-9a-f]{8}) ([{ ])\s+(.*)")
_ASSIGNED = re.compile(r"(r\d+(?::\d+)?|p\d|mem\w+\([^()]*\)) ([-+&|^]?=) (.*)")
_ONLY_IF = re.compile(r"if \((!?)(p\d)(\.new)?\) (r\d+(?::\d+)?) = (mem\w+\([^()]*\))")
_REGISTER = re.compile(r"\br(\d+):(\d+)|\b([rp]\d+)(\.new)?\b")
_CLASSES: Mapping[int, Kind] = {
    3: "load",
    4: "load",
    5: "branch",
    6: "loop-setup",
    7: "alu",
    8: "shift",
    9: "load",
    10: "store",
    11: "alu",
    12: "shift",
    13: "shift",
    14: "shift",
    15: "alu",
}
"""Class of a word -> kind; classes 3 and 4 also hold stores, recognised by their text."""
_AT_ONCE = (1, 2)
"""Classes that compare and jump in one instruction; no core needs them."""


@dataclass(frozen=True)
class _Listed:
    """A packet of the listing."""

    size: int
    operations: Packet
    """Its operations, without accessed addresses."""


def executed(elf: Path, function: str, records: bytes, stack: tuple[int, int]) -> Executed:
    """The trace of a call from the records of HexagonMachine."""
    listing = _listing(elf, function)
    superblocks: list[Superblock] = []
    packets: list[Packet] = []
    ran = _ran(records)
    for at, (address, accesses) in enumerate(ran):
        if address not in listing:
            raise ValueError(f"{function} calls code at {address:#x}, which is not scheduled here")
        packets.append(tuple(_placed(listing[address].operations, accesses)))
        following = ran[at + 1][0] if at + 1 < len(ran) else None
        if following != address + listing[address].size:
            superblocks.append(Superblock(tuple(packets)))
            packets = []
    return Executed(tuple(superblocks), stack)


def _ran(records: bytes) -> list[tuple[int, list[tuple[Access, bool]]]]:
    """Packets in order: the address of each, and its accesses with whether they store."""
    found: list[tuple[int, list[tuple[Access, bool]]]] = []
    for address, size, kind in RECORD.iter_unpack(records):
        if kind == FETCH:
            found.append((address, []))
        else:
            found[-1][1].append((Access(address, size), kind == STORE))
    return found


def _placed(operations: Packet, accesses: Sequence[tuple[Access, bool]]) -> Iterator[Operation]:
    """Operations with addresses; loads and stores are each recorded in the order of the text."""
    rest = list(accesses)
    skipped = _skipped(operations, accesses)
    for one in operations:
        if one.conditional and skipped:
            yield _not_executed(one)
            continue
        if one.kind not in ("load", "store", "stack-frame", "frame-return"):
            yield one
            continue
        stores = one.kind in ("store", "stack-frame")
        at = next((n for n, (_, stored) in enumerate(rest) if stored == stores), None)
        if at is None:
            raise ValueError(f"'{one.text}' was executed without an access")
        yield replace(one, access=rest.pop(at)[0])


def _skipped(operations: Packet, accesses: Sequence[tuple[Access, bool]]) -> bool:
    """Whether the conditional loads and returns of a packet were not executed, all or none."""
    conditional = sum(one.conditional for one in operations)
    listed = sum(one.kind in ("load", "frame-return") for one in operations)
    recorded = sum(not stored for _, stored in accesses)
    return conditional > 0 and listed - recorded == conditional


def _not_executed(one: Operation) -> Operation:
    """The operation with a false predicate: registers of a load, or the frame, are unchanged."""
    if one.kind == "load":
        return one
    condition = tuple(read for read in one.reads if read.role == "condition")
    return replace(one, reads=condition, writes=())


def why_not() -> str | None:
    """None if packets can be listed; otherwise a sentence ending with the command that helps."""
    if shutil.which(_OBJDUMP):
        return None
    return f"listing the packets of a Hexagon needs {_OBJDUMP}: sudo apt-get install llvm"


def _listing(elf: Path, function: str) -> dict[int, _Listed]:
    """Packets of a function by address."""
    if (reason := why_not()) is not None:
        raise RigUnavailableError(reason)
    command = [_OBJDUMP, "-d", "--mcpu=hexagonv60", f"--disassemble-symbols={function}", str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return listed(done.stdout)


def listed(text: str) -> dict[int, _Listed]:
    """Packets of a listing by address."""
    found: dict[int, _Listed] = {}
    start, operations, extended = 0, list[Operation](), False
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        address, word = int(match[1], 16), int(match[2], 16)
        if match[3] == "{":
            start, operations = address, []
        for part in re.sub(r"\}.*|:endloop\d+", "", match[4]).split(";"):
            told = part.strip()
            if told.startswith("immext"):
                extended = True
            elif told and told != "nop":
                operations.append(replace(operation(told, word), extended=extended))
                extended = False
        if "}" in match[4]:
            found[start] = _Listed(address + 4 - start, tuple(operations))
    return found


def operation(text: str, word: int) -> Operation:
    """One instruction of a packet; ValueError for a form that is not known here."""
    if not _is_duplex(word) and word >> 28 in _AT_ONCE:
        raise ValueError(f"the Hexagon instruction '{text}' is not scheduled here")
    if text.startswith("allocframe"):
        stored = (Read("r30", "stored"), Read("r31", "stored"))
        return Operation(text, "stack-frame", (Read("r29"), *stored), ("r29", "r30"), frame=True)
    if back := re.fullmatch(r"(?:if \((!?)(p\d)(\.new)?\) )?dealloc_return(?::\w+)?", text):
        reads = (*_condition(back), Read("r30"))
        writes = ("r30", "r31", "r29")
        return Operation(text, "frame-return", reads, writes, conditional=bool(back[2]))
    if text == "jumpr r31":
        return Operation(text, "return", (Read("r31", "link"),))
    if jump := re.fullmatch(r"(?:if \((!?)(p\d)(\.new)?\) )?jump(?::\w+)? 0x\w+", text):
        return Operation(text, "branch", _condition(jump))
    if loop := re.fullmatch(r"loop([01])\(0x\w+, ?(.*)\)", text):
        return Operation(text, "loop-setup", tuple(_reads(loop[2])), (f"lc{loop[1]}",))
    if load := _ONLY_IF.fullmatch(text):
        return _conditional_load(text, load)
    if assigned := _ASSIGNED.fullmatch(text):
        return _assignment(text, word, assigned[1], assigned[2], assigned[3])
    raise ValueError(f"the Hexagon instruction '{text}' is not scheduled here")


def _condition(match: re.Match[str]) -> tuple[Read, ...]:
    """The predicate of "if (!p0.new)", if any; groups 2 and 3 of the match hold it."""
    return (Read(match[2], "condition", bool(match[3])),) if match[2] else ()


def _conditional_load(text: str, load: re.Match[str]) -> Operation:
    """A conditional load: it also reads its registers, which keep their values if it fails."""
    writes = tuple(_names(load[4]))
    reads = (*_condition(load), *_reads(load[5]), *map(Read, writes))
    return Operation(text, "load", reads, writes, conditional=True)


def _assignment(text: str, word: int, target: str, sign: str, value: str) -> Operation:
    if "++" in text or value.startswith(("insert(", "tableidx")):
        raise ValueError(f"the Hexagon instruction '{text}' is not scheduled here")
    if target.startswith("mem"):
        if sign != "=":
            raise ValueError(f"the Hexagon instruction '{text}' is not scheduled here")
        reads = (*_reads(target), *(replace(one, role="stored") for one in _reads(value)))
        return Operation(text, "store", reads)
    writes = tuple(_names(target))
    reads = tuple(_reads(value)) + (() if sign == "=" else tuple(map(Read, writes)))
    copy = sign == "=" and re.fullmatch(r"r\d+", value) is not None
    return Operation(text, _kind(text, word, target, value), reads, writes, copy=copy)


def _kind(text: str, word: int, target: str, value: str) -> Kind:
    """The kind by the class of the word; a duplex holds operations that any slot takes."""
    if value.startswith("mem"):
        return "load"
    if target.startswith("p"):
        return "compare"
    if value.startswith("#"):
        return "constant"
    if _is_duplex(word):
        return "alu"
    kind = _CLASSES.get(word >> 28)
    if kind is None or kind in ("load", "store", "branch", "loop-setup"):
        raise ValueError(f"the Hexagon instruction '{text}' is not scheduled here")
    return kind


def _is_duplex(word: int) -> bool:
    return word >> 14 & 3 == 0


def _reads(text: str) -> Iterator[Read]:
    """Registers that a text names."""
    for match in _REGISTER.finditer(text):
        if match[3]:
            yield Read(match[3], new=bool(match[4]))
        else:
            yield from (Read(f"r{match[2]}"), Read(f"r{match[1]}"))


def _names(text: str) -> Iterator[str]:
    return (one.register for one in _reads(text))
