# SPDX-License-Identifier: MIT
"""Builds a dependence graph from executed operations.

The trace renames registers: each value has one producer, so only true dependences remain.  Spilled
values count as staying in registers: a load from a stack slot is the value stored there.
`as_allocated` keeps registers and stack frame, with the order that they force.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .operation import Access, Executed, Operation, Packet, Read, Role, Superblock

NOBODY = -1
"""The producer of values that exist before the call."""
Order = Literal["not before", "after"]
"""Kinds of order: in the same cycle or later; in a later cycle."""


@dataclass(frozen=True)
class Dependence:
    """A predecessor of a node, and the kind of dependence."""

    node: int
    why: Role | Order


@dataclass(frozen=True)
class Node:
    """An operation to schedule."""

    operation: Operation
    superblock: int
    needs: tuple[Dependence, ...]


@dataclass(frozen=True)
class Graph:
    """Every node, in the order of execution."""

    nodes: tuple[Node, ...]
    superblocks: int

    def of_superblock(self, superblock: int) -> list[int]:
        """Its nodes."""
        return [at for at, node in enumerate(self.nodes) if node.superblock == superblock]


@dataclass
class _State:
    """State while the trace is read."""

    as_allocated: bool
    copies: bool
    stack: tuple[int, int]
    nodes: list[Node] = field(default_factory=list)
    holds: dict[str, int] = field(default_factory=dict)
    """The node that produced each register's value."""
    readers: dict[str, list[int]] = field(default_factory=dict)
    """Readers of each register's value, if registers are kept as allocated."""
    slots: dict[Access, tuple[int, ...]] = field(default_factory=dict)
    """Producers of the values in slots of the stack frame."""
    memory: list[int] = field(default_factory=list)
    """Nodes that access memory."""
    branches: list[int] = field(default_factory=list)
    """First node of this superblock."""

    def on_stack(self, access: Access | None) -> bool:
        return access is not None and self.stack[0] <= access.address < self.stack[1]


def graph(executed: Executed, *, as_allocated: bool = False, copies: bool = False) -> Graph:
    """The dependence graph; `copies` keeps register moves."""
    state = _State(as_allocated, copies, executed.stack)
    for number, superblock in enumerate(executed.superblocks):
        state.branches = []
        for packet in superblock.packets:
            _packet(state, packet, number)
        _close(state, superblock, number)
    return Graph(tuple(state.nodes), len(executed.superblocks))


def _packet(state: _State, packet: Packet, superblock: int) -> None:
    """Add a packet: all reads come before all writes, except reads of new values (.new)."""
    before = dict(state.holds)
    written: dict[str, int] = {}
    reading: list[tuple[Read, int]] = []
    for operation in _readers_first(packet):
        if not state.as_allocated and _vanishes(state, operation, before, written):
            continue
        at = len(state.nodes)
        needs = dict.fromkeys(_needs(state, operation, before, written))
        state.nodes.append(Node(operation, superblock, tuple(needs)))
        reading += [(read, at) for read in operation.reads]
        if operation.jumps:
            state.branches.append(at)
        if _in_register(state, operation):
            _reload(state, operation, written)
            continue
        written.update(dict.fromkeys(operation.writes, at))
        if operation.access is not None:
            state.memory.append(at)
    _settle(state, written, reading)


def _readers_first(packet: Packet) -> list[Operation]:
    """A packet in an order that its own dependences allow."""
    read = {one.register for operation in packet for one in operation.reads if not one.new}

    def place(one: Operation) -> tuple[bool, bool, bool, bool]:
        overwrites = any(register in read for register in one.writes)
        return one.jumps, any(each.new for each in one.reads), one.kind == "store", overwrites

    return sorted(packet, key=place)


def _settle(state: _State, written: Mapping[str, int], reading: Iterable[tuple[Read, int]]) -> None:
    """Update registers after a packet, and who has read them."""
    state.holds.update(written)
    for register in written:
        state.readers[register] = []
    for read, at in reading:
        if read.new or read.register not in written:
            state.readers.setdefault(read.register, []).append(at)


def _in_register(state: _State, operation: Operation) -> bool:
    """Whether a stack access disappears, because the value stays in a register."""
    return not state.as_allocated and state.on_stack(operation.access)


def _vanishes(
    state: _State, operation: Operation, before: dict[str, int], written: dict[str, int]
) -> bool:
    """Whether the operation disappears if values stay in registers; notes where they are."""
    if operation.copy and not state.copies:
        (source,) = (read.register for read in operation.reads)
        written.update(dict.fromkeys(operation.writes, before.get(source, NOBODY)))
        return True
    if operation.access is not None and state.on_stack(operation.access):
        if operation.kind in ("store", "stack-frame"):
            _spill(state, operation, before, written)
            return True
        if operation.kind == "load":
            _reload(state, operation, written)
            return True
    if operation.frame:
        written.update(dict.fromkeys(operation.writes, NOBODY))
    return operation.frame


def _spill(
    state: _State, operation: Operation, before: dict[str, int], written: dict[str, int]
) -> None:
    access = operation.access
    assert access is not None  # noqa: S101
    state.slots = {slot: held for slot, held in state.slots.items() if not slot.overlaps(access)}
    state.slots[access] = tuple(
        (written if read.new else before).get(read.register, NOBODY)
        for read in operation.reads
        if read.role == "stored"
    )
    written.update(dict.fromkeys(operation.writes, NOBODY))


def _reload(state: _State, operation: Operation, written: dict[str, int]) -> None:
    held = state.slots.get(operation.access) if operation.access else None
    if held is None or len(held) > len(operation.writes):
        raise ValueError(
            f"'{operation.text}' loads from the stack frame what was not stored there as a whole, "
            "so the frame holds more than spilled registers, which is not scheduled here"
        )
    written.update(zip(operation.writes, held, strict=False))
    for register in operation.writes[len(held) :]:
        written[register] = NOBODY


def _needs(
    state: _State, operation: Operation, before: dict[str, int], written: dict[str, int]
) -> Iterator[Dependence]:
    for read in operation.reads:
        producer = (written if read.new else before).get(read.register, NOBODY)
        if producer != NOBODY:
            pair = read.role == "stored" and len(operation.stored) > 1
            yield Dependence(producer, "value" if pair else read.role)
    if state.as_allocated:
        yield from _of_registers(state, operation, before)
    if operation.access is not None and not _in_register(state, operation):
        yield from _of_memory(state, operation)
    if operation.jumps:
        yield from (Dependence(one, "not before") for one in state.branches)
    if operation.kind == "store":
        yield from (Dependence(one, "after") for one in state.branches)


def _of_registers(
    state: _State, operation: Operation, before: dict[str, int]
) -> Iterator[Dependence]:
    """Order reuse of registers: after their readers, and after their last writer."""
    for register in operation.writes:
        yield from (Dependence(one, "not before") for one in state.readers.get(register, []))
        if before.get(register, NOBODY) != NOBODY:
            yield Dependence(before[register], "after")


def _of_memory(state: _State, operation: Operation) -> Iterator[Dependence]:
    """Keep the order of accesses to the same bytes if one is a store."""
    stores = operation.kind in ("store", "stack-frame")
    for at in state.memory:
        other = state.nodes[at].operation
        other_stores = other.kind in ("store", "stack-frame")
        if not (stores or other_stores) or not _overlap(operation, other):
            continue
        yield Dependence(at, "after" if other_stores else "not before")


def _overlap(one: Operation, other: Operation) -> bool:
    return one.access is not None and other.access is not None and one.access.overlaps(other.access)


def _close(state: _State, superblock: Superblock, number: int) -> None:
    """Let the branch that ends a superblock issue in its last cycle."""
    last = [one for one in superblock.packets[-1] if one.jumps]
    if not last or not state.branches:
        return
    end = state.branches[-1]
    own = (at for at, node in enumerate(state.nodes) if node.superblock == number and at != end)
    state.nodes[end] = _with(state.nodes[end], (Dependence(at, "not before") for at in own))


def _with(node: Node, needs: Iterable[Dependence]) -> Node:
    """The node with further predecessors."""
    return Node(node.operation, node.superblock, tuple(dict.fromkeys((*node.needs, *needs))))
