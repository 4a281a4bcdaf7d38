# SPDX-License-Identifier: MIT
"""A small machine, and traces written by hand."""

from aesfit_papers.scheduling.machines import Requirement, Vliw
from aesfit_papers.scheduling.operation import Access, Executed, Operation, Read, Superblock

STACK = (0x8000, 0x9000)
_ANY = frozenset({0, 1})
SMALL = Vliw(
    name="two issues, one memory unit",
    width=2,
    needs={
        **dict.fromkeys(("alu", "compare", "constant"), Requirement(_ANY)),
        **dict.fromkeys(("load", "store"), Requirement(_ANY, {"memory": 1})),
        "branch": Requirement(_ANY, {"control": 1}),
    },
    units={"memory": 1, "control": 1},
    latency={"load": 3},
    bypass={("compare", "condition"): 2},
)


def add(target: str, *sources: str) -> Operation:
    """Arithmetic."""
    return Operation(f"{target} = {sources}", "alu", tuple(map(Read, sources)), (target,))


def move(target: str, source: str) -> Operation:
    """A copy."""
    return Operation(f"{target} = {source}", "alu", (Read(source),), (target,), copy=True)


def load(target: str, address: int, base: str = "", size: int = 4) -> Operation:
    """A load; without a base nothing has to be there before it."""
    reads = (Read(base),) if base else ()
    return Operation(f"load {target}", "load", reads, (target,), Access(address, size))


def store(source: str, address: int, size: int = 4) -> Operation:
    """A store."""
    stored = (Read(source, "stored"),)
    return Operation(f"store {source}", "store", stored, (), Access(address, size))


def compare(*sources: str) -> Operation:
    """A comparison for the next branch."""
    return Operation("compare", "compare", tuple(map(Read, sources)), ("condition",))


BRANCH = Operation("branch", "branch", (Read("condition", "condition"),))


def ran(*superblocks: list[Operation]) -> Executed:
    """A trace of operations one by one."""
    made = (Superblock(tuple((one,) for one in some)) for some in superblocks)
    return Executed(tuple(made), STACK)
