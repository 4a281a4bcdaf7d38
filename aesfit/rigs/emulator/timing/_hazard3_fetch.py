# SPDX-License-Identifier: MIT
"""When Hazard3 waits for the words of its instructions, beyond what a jump takes.

A word is fetched each cycle while there is room: three half-words in front of the second stage, and
two words behind them.  A branch that is predicted leads from its last word to the first one of its
target, of either of which a half may be of no use; so in code with compressed instructions a tight
loop can want more words than it has cycles.  As in hazard3_frontend.v of its Verilog.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from .model import Step, Window

DEPTH = 40
"""Steps before: some turns of a tight loop."""
_HALF = 2
_FRONT = 3
"""Half-words that wait in front of the second stage."""
_BEHIND = 2
"""Words that wait behind those."""


def starved(window: Window, own: Mapping[str, int]) -> int:
    """Cycles that the window's instruction waits for its own words.

    `own`: cycles of what takes more than one, by kind.  Where no jump begins the window, its first
    instruction is taken to follow one.
    """
    steps = (*window.before, window.step)
    begin = next((at for at in range(len(steps) - 1, 0, -1) if _redirects(steps[at - 1])), 0)
    run = steps[begin:]
    if not any(_wastes(step) for step in run[:-1]):
        return 0
    queue, wait, ready = _Queue(chain(_words(run), repeat(2))), 0, 0
    for at, step in enumerate(run):
        last = run[at - 1] if at else None
        hazard = last is not None and not _used(step).isdisjoint(_loaded(last))
        issued = queue.issue(step.instruction.size // _HALF, ready + hazard)
        wait = issued - (ready + hazard) if at else 0
        ready = issued + own.get(step.instruction.kind, 1)
    return wait


def _used(step: Step) -> frozenset[str]:
    """Registers that are read in the second stage, where loads come too late."""
    one = step.instruction
    return one.address_registers if one.kind == "store" else one.reads


def _loaded(step: Step) -> frozenset[str]:
    return step.instruction.writes if step.instruction.kind == "load" else frozenset()


def waits_for_load(window: Window) -> bool:
    """It uses what the step before loads, and not as the data of a store."""
    last = window.last
    return last is not None and not _used(window.step).isdisjoint(_loaded(last))


def _redirects(step: Step) -> bool:
    """What follows is fetched anew."""
    return step.taken != step.predicted


def _end(step: Step) -> int:
    return (step.instruction.address + step.instruction.size) % 4


def _wastes(step: Step) -> bool:
    """It was rightly predicted to jump, and half a word of what is fetched is of no use."""
    if not step.predicted or step.target is None:
        return False
    return _HALF in (_end(step), step.target.address % 4)


def _words(run: Sequence[Step]) -> Iterator[int]:
    """Half-words of use in each word that is fetched for the steps."""
    at, left = run[0].instruction.address % 4 // _HALF, 0
    for step in run:
        left += step.instruction.size // _HALF
        if step.predicted and step.target:
            yield from _split(at, left)
            at, left = step.target.address % 4 // _HALF, 0
    if at:
        yield 1


def _split(at: int, halves: int) -> Iterator[int]:
    """The words of a straight run that begins in half `at` of one."""
    first = min(2 - at, halves)
    yield first
    rest = halves - first
    yield from repeat(2, rest // 2)
    if rest % 2:
        yield 1


@dataclass
class _Queue:
    """What was fetched and not yet taken."""

    words: Iterator[int]
    now: int = 0
    front: int = 0
    behind: list[int] = field(default_factory=list)
    coming: int = 0
    """Half-words of the word that arrives in this cycle; 0 where none does."""

    def issue(self, halves: int, ready: int) -> int:
        """The cycle in which the next instruction, of so many half-words, leaves."""
        while self.now < ready or self.front < halves:
            self._cycle(0)
        self._cycle(halves)
        return self.now - 1

    def _cycle(self, taken: int) -> None:
        full = len(self.behind) == _BEHIND or bool(self.behind and self.coming)
        asked = 0 if full else next(self.words)
        self.front -= taken
        arrived = self.behind + [self.coming] * bool(self.coming)
        if arrived and self.front + arrived[0] <= _FRONT:
            self.front += arrived.pop(0)
        self.behind, self.coming = arrived, asked
        self.now += 1
