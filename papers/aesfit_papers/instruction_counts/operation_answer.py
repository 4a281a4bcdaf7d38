# SPDX-License-Identifier: MIT
"""The answer of `aesfit papers operations`: counted classes, the formula, the split by function."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, get_args

from .block_run import BlockQuestion, run
from .functions import FAMILY, Split, split
from .operation_model import ClassCosts, Direction, OperationCounts, published, repaired
from .operations import ClassCounts, count

DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)


@dataclass(frozen=True)
class OperationAnswer:
    """One core on one platform."""

    asked: BlockQuestion
    counted: Mapping[Direction, ClassCounts]
    """Counts of one call over `asked.blocks` blocks."""
    costs: ClassCosts
    split: Split | None
    """None for a core outside the bytewise family."""

    def operations(self, direction: Direction) -> OperationCounts:
        """The counted operations that occur in the formula, with folded shifts as shifts."""
        counts = self.counted[direction]
        kinds = counts.classes
        shifts = kinds["shift"] + counts.folded_shifts
        return OperationCounts(kinds["and"], kinds["or"], kinds["xor"], shifts)

    def published(self, direction: Direction) -> OperationCounts:
        """The printed formula, for as many blocks as were counted."""
        return published(direction, self.asked.rounds) * self.asked.blocks

    def repaired(self, direction: Direction) -> OperationCounts:
        """The repaired formula for as many blocks, XORs priced in."""
        return (repaired(direction, self.asked.rounds) * self.asked.blocks).expanded()

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys.

        `classes` is of encryption, `classes_decrypt` of decryption; each formula has both.
        """
        formulas = {"published": self.published, "repaired": self.repaired}
        return {
            "platform": self.asked.platform.name,
            "core": self.asked.core,
            "key_bits": self.asked.key_bits,
            "rounds": self.asked.rounds,
            "blocks": self.asked.blocks,
            "flags": " ".join(self.asked.optimise),
            "classes": dict(self.counted["encrypt"].classes),
            "classes_decrypt": dict(self.counted["decrypt"].classes),
            "counted": {direction: self._counted(direction) for direction in DIRECTIONS},
            "costs": {"and": self.costs.and_, "or": self.costs.or_, "shift": self.costs.shift},
            "formula": {
                name: {direction: self._priced(one(direction)) for direction in DIRECTIONS}
                for name, one in formulas.items()
            },
            "functions": [asdict(one) for one in self.split.functions] if self.split else [],
            "totals": [asdict(total) for total in self.split.totals] if self.split else [],
        }

    def _counted(self, direction: Direction) -> dict[str, Any]:
        counts, operations = self.counted[direction], self.operations(direction)
        return {
            "instructions": counts.instructions,
            "not_executed": counts.not_executed,
            "folded_shifts": counts.folded_shifts,
            "loads": counts.loads,
            "stores": counts.stores,
            "xor": operations.xor,
            **self._priced(operations),
        }

    def _priced(self, operations: OperationCounts) -> dict[str, float]:
        """ANDs, ORs and shifts with XORs converted, and their cost."""
        whole = operations.expanded()
        named = {"and": whole.and_, "or": whole.or_, "shift": whole.shift}
        return {**named, "time": operations.time(self.costs)}


def answer(asked: BlockQuestion, costs: ClassCosts) -> OperationAnswer:
    """Run both directions, and again with separate steps if the core has them."""
    counted = {}
    for direction in DIRECTIONS:
        ran = run(asked, direction)
        counted[direction] = count(ran.block, ran.instructions)
    return OperationAnswer(asked, counted, costs, split(asked) if asked.core in FAMILY else None)
