# SPDX-License-Identifier: MIT
"""What a rule of a timing model sees: an executed instruction with its neighbours.

Prices are kept by that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from operator import attrgetter
from typing import Any

from ..instruction import Instruction

_WORD = 4
"""Bytes within which the place of an instruction counts."""
_OTHER_FACTS = attrgetter(
    *(one.name for one in fields(Instruction) if one.name not in ("address", "text"))
)
_DIRECT = ("branch", "branch-link")
"""Kinds of instruction whose text holds an address, that of the target."""


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction."""

    instruction: Instruction
    executed: bool
    """False when its condition failed."""
    target: Instruction | None = None
    """Where it jumped to; None when it did not, or when the jump left the window."""
    taken: bool = False
    """It jumped."""
    predicted: bool = False
    """It was predicted to jump."""
    memories: frozenset[str] = frozenset()
    """Memories that this instruction was seen to access, in any of its executions."""


@dataclass(frozen=True, slots=True)
class Window:
    """An executed instruction with its neighbours."""

    step: Step
    before: tuple[Step, ...]
    """The steps before it, the last one last: as many as the model's `depth`, and fewer only where
    the profile's paths hold no more, which is never under two but where the window begins."""
    after: Step | None = None
    """The step after it within its block; None at the block's end."""

    @property
    def this(self) -> Instruction:
        """The instruction itself."""
        return self.step.instruction

    @property
    def last(self) -> Step | None:
        """The step before."""
        return self.before[-1] if self.before else None


@dataclass(frozen=True, slots=True)
class Price:
    """What one executed instruction takes, without what its operands add."""

    cycles: int
    overlap: int = 0
    """Cycles that `cycles` lacks because the access begins in the last cycle of the step before,
    which takes that the instruction is in decode by then."""
    slack: int = 0
    """Cycles that it may take less: `cycles` holds the upper bound of a range."""


@dataclass(frozen=True, slots=True)
class PricedStep:
    """A price, and the fetches that wait states lengthen."""

    price: Price
    fetches: int
    """0 where the model does not say."""


NOTHING = -1
"""In the place of a step's number: there is no step after it."""
_MOST_PRICES = 1 << 17


@dataclass
class Known:
    """Prices of steps with their neighbours that a model was asked for before.

    Of an address a rule gets the place within a word and nothing else, and no text of a direct
    branch.  So the same steps cost the same wherever they lie, and are priced once for all images.
    """

    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    """By all that distinguishes a step but its place."""
    steps: dict[int, Step] = field(default_factory=dict)
    """By their numbers."""
    prices: dict[tuple[int, ...], PricedStep] = field(default_factory=dict)
    """By the numbers of the steps before, of the step itself and of the one after, or NOTHING."""
    unused: Iterator[int] = field(default_factory=count)
    """Each number is given once, also to threads that price at once."""

    def number(self, step: Step) -> int:
        """Of the step without its place; the same for equal ones."""
        target = step.target and _facts(step.target)
        how = step.executed, step.taken, step.predicted, step.memories
        key = _facts(step.instruction), how, target
        found = self.numbers.get(key)
        if found is None:
            new = next(self.unused)
            self.steps[new] = _anywhere(step)
            found = self.numbers.setdefault(key, new)
        return found

    def window(self, numbers: Sequence[int]) -> Window:
        """The steps of these numbers, of which the last but one is priced."""
        *before, this, after = numbers
        return Window(
            self.steps[this],
            tuple(self.steps[one] for one in before),
            None if after == NOTHING else self.steps[after],
        )

    def keep(self, key: tuple[int, ...], price: PricedStep) -> PricedStep:
        """The price, which is remembered while there is room."""
        if len(self.prices) < _MOST_PRICES:
            self.prices[key] = price
        return price


def _facts(one: Instruction) -> tuple[object, ...]:
    return one.address % _WORD, _text(one), *_OTHER_FACTS(one)


def _text(one: Instruction) -> str:
    return "" if one.kind in _DIRECT else one.text


def _anywhere(step: Step) -> Step:
    target = replace(step.target, **_place(step.target)) if step.target else None
    placed = replace(step.instruction, **_place(step.instruction))
    return replace(step, instruction=placed, target=target)


def _place(one: Instruction) -> dict[str, Any]:
    return {"address": one.address % _WORD, "text": _text(one)}
