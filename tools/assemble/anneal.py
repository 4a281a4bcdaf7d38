# SPDX-License-Identifier: MIT
"""Schedules by annealing with the target's cycles: anneal.c does it, compiled when it is needed.

Beside the program's operations there are other makers of the same values (makers.py), loads and
stores.  An order is searched for once and committed as data; regenerating reads it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from .makers import makers
from .program import KEY, Operation, Program

SOURCE: Final = Path(__file__).with_name("anneal.c")
CLASSES: Final = 3
"""Registers, further registers that operations do not reach, memory."""
MEMORY: Final = 2
KINDS: Final = ("alu", "load", "store", "keys", "shift", "in", "out")
_SIZE: Final = 8
"""Kinds that anneal.c has room for."""
SPILLS: Final = (("in", 1), ("out", 1), ("load", MEMORY), ("store", MEMORY))
"""Moves of a value by kind and class, in the order of anneal.c."""


@dataclass(frozen=True)
class Heat:
    """How long and how warm an annealing is."""

    steps: int = 4_000_000
    hot: float = 2.0
    cold: float = 0.25
    excess: float = 1.0
    """Price of a value too many for the registers, by instruction."""
    dearer: float = 0.0
    """What is added to that price by the end."""


class Problem:
    """What anneal.c is told of a program and a target."""

    def __init__(self, program: Program, target: ModuleType) -> None:
        """Inputs and outputs are in registers, constants in memory."""
        self.program, self.target = program, target
        self.makers = makers(program)
        resident = [*program.constants, *([] if KEY in program.inputs else [KEY])]
        names = dict.fromkeys([*program.inputs, *resident])
        names |= dict.fromkeys(name for one in program.operations for name in one.outs)
        self.names = [*names]
        self.number = {name: i for i, name in enumerate(self.names)}
        far = getattr(target, "FAR_WORDS", ())
        state = [x for x in program.inputs if x != KEY]
        self.far = {names[i] for names in (state, program.outputs) for i in far}
        self.enters = [self._place(x, int(x in self.far)) for x in program.inputs]
        self.enters += [self._place(x, MEMORY) for x in resident]
        self.leaves = [self._place(x, int(x in self.far)) for x in program.outputs]
        self.tokens = [f"{move} {name}" for name in self.names for move, _ in SPILLS]
        self.tokens += self.makers
        self.token = {name: i for i, name in enumerate(self.tokens)}

    def _place(self, name: str, kind: int) -> int:
        return CLASSES * self.number[name] + kind

    def _kind(self, one: Operation) -> str:
        kind = {"key": "load", "word": "load", "lsl": "shift", "lsr": "shift"}.get(
            one.name, one.name
        )
        return kind if kind in self.target.costs().cycles else "alu"

    def _line(self, kind: str, operands: int, outs: Sequence[int], reads: Sequence[int]) -> str:
        cost = self.target.costs().cycles.get(kind, 0)
        facts = [KINDS.index(kind), cost, operands, len(outs), *outs, len(reads), *reads]
        return " ".join(map(str, facts))

    def _lines(self) -> list[str]:
        lines = []
        for name in self.names:
            here = self._place(name, 0)
            for move, kind in SPILLS:
                pair = [[here], [self._place(name, kind)]]
                outs, reads = pair if move in ("in", "load") else pair[::-1]
                lines.append(self._line(move, 0, outs, reads))
        for one in self.makers.values():
            outs = [self._place(x, 0) for x in one.outs]
            reads = [self._place(x, 0) for x in one.operands()]
            lines.append(self._line(self._kind(one), self._operands(one), outs, reads))
        return lines

    def _operands(self, one: Operation) -> int:
        destroyed = getattr(self.target, "destroyed", None)
        return destroyed(one) if destroyed else 0

    def _table(self, cycles: Mapping[tuple[str, str], int]) -> list[int]:
        kinds = [*KINDS, *[""] * (_SIZE - len(KINDS))]
        return [cycles.get((a, b), 0) for a in kinds for b in kinds]

    def first(self) -> list[str]:
        """The operations as the program has them; what is in memory is loaded before its use."""
        here = {x for x in self.program.inputs if x not in self.far}
        found = []
        for one in self.program.operations:
            for name in one.operands():
                if name not in here:
                    move = "load" if self._place(name, MEMORY) in self.enters else "in"
                    found.append(f"{move} {name}")
                    here.add(name)
            found.append(one.out)
            here.update(one.outs)
        found += [f"out {self.names[x // CLASSES]}" for x in self.leaves if x % CLASSES == 1]
        return found

    def text(self, schedule: Sequence[str], seed: int, heat: Heat) -> str:
        """The input of anneal.c."""
        costs = self.target.costs()
        further = len(getattr(self.target, "FURTHER", ()))
        lines = self._lines()
        prices = heat.hot, heat.cold, heat.excess, heat.dearer
        parts = [
            [len(self.names), len(self.target.REGISTERS), further, costs.copy],
            self._table(costs.together),
            self._table(costs.waits),
            [len(lines)],
            lines,
            [len(self.enters), *self.enters],
            [len(self.leaves), *self.leaves],
            [len(schedule), *(self.token[name] for name in schedule)],
            [seed, heat.steps, *(round(1000 * x) for x in prices)],
        ]
        return "\n".join(" ".join(map(str, part)) for part in parts)


def _run(problem: Problem, text: str) -> tuple[int, list[str]]:
    compiler = shutil.which("cc")
    if compiler is None:
        raise ValueError("schedules are searched for by a C program; install a C compiler as cc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "anneal"
        build = [compiler, "-O2", "-o", str(program), str(SOURCE), "-lm"]
        subprocess.run(build, check=True)  # noqa: S603 - our own source
        done = subprocess.run(  # noqa: S603 - what was just built
            [program], input=text, text=True, check=True, stdout=subprocess.PIPE
        )
    cycles, *tokens = map(int, done.stdout.split())
    return cycles, [problem.tokens[i] for i in tokens]


def search(problem: Problem, seed: int, heat: Heat | None = None) -> list[str]:
    """A schedule, from the program's order on."""
    chosen: Heat = heat or problem.target.HEAT
    cycles, found = _run(problem, problem.text(problem.first(), seed, chosen))
    if cycles < 0:
        raise ValueError("no schedule found that fits the registers; take another seed")
    return found


def checked(problem: Problem, schedule: Sequence[str]) -> int:
    """Cycles of a schedule; refused where it needs more registers than there are."""
    cycles, _ = _run(problem, problem.text(schedule, 0, Heat(steps=0)))
    if cycles < 0:
        raise ValueError("the schedule needs more registers than the processor has")
    return cycles
