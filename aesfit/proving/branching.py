# SPDX-License-Identifier: MIT
"""Branches of an image over a domain.

There is one path as long as conditions are numbers.  A condition that is a word is a finding,
unless it tells of secrets only whether the call accepts: then both sides are run.
"""

from typing import Final

from .domain import UNWRITTEN, Unwritten, Value
from .findings import StuckError
from .interpreter import MEMORY, AbstractInterpreter, Sides
from .lifter import CONSTANT, REGISTER, TEMPORARY, Lifted, PcodeOperation, Place
from .operations import UnwrittenError
from .state import State, decided


class BranchingInterpreter(AbstractInterpreter):
    """An interpreter that follows branches."""

    def branch(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """BRANCH and CALL: to an address, or to an operation of this instruction."""
        del lifted, waiting
        return self._go(state, operation.inputs[0])

    def _go(self, state: State, target: Place) -> bool:
        space, offset, size = target
        if space == CONSTANT:
            signed = offset - (1 << 8 * size) if offset >> (8 * size - 1) else offset
            state.at += signed - 1
            return False
        state.pc, state.at = offset, 0
        return True

    def conditional(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CBRANCH."""
        condition = self.operations.force(self._value(state, operation.inputs[1]))
        if isinstance(condition, Unwritten):
            raise UnwrittenError
        sides = None if isinstance(condition, int) else self._public(lifted.address, condition)
        if sides is None:
            return self._on_a_secret(state, lifted, operation.inputs[0], condition)
        self._declassify(lifted, sides)
        if state.accepted is None and sides[0] != sides[1]:
            if not self.refused_only:
                other = state.copy()
                other.accepted = True
                self._take(other, operation.inputs[0], condition, sides[0])
                waiting.append(other)
            state.accepted = False
        side = sides[0] if state.accepted else sides[1]
        return self._take(state, operation.inputs[0], condition, side)

    def _on_a_secret(self, state: State, lifted: Lifted, target: Place, condition: Value) -> bool:
        """A condition that no verdict is: a number, or a finding."""
        taken = decided(self.domain, state, condition)
        if taken is not None:
            return self._go(state, target) if taken else False
        if not self._predicated(state, lifted, target, condition):
            self.secret("branch", lifted)
        return False

    def _take(self, state: State, target: Place, condition: Value, side: int) -> bool:
        state.decided.append((condition, side))
        return self._go(state, target) if side else False

    def _predicated(self, state: State, lifted: Lifted, target: Place, skips: Value) -> bool:
        """Run what a condition skips inside one instruction, and keep it where it does not.

        Only what takes the same time either way; False: it may not.
        """
        end = self._skips_to(state, lifted, target)
        if end is None or not self.convention.predicates(lifted.text):
            return False
        inside = lifted.operations[state.at : end]
        if any(one.name in self.actions or self._outside(one) for one in inside):
            return False
        for one in inside:
            before = self._before(state, one)
            self._compute(state, lifted, one)
            if before is not None and one.output is not None:
                after = self._value(state, one.output)
                self._put(state, one.output, self._chosen(skips, before, after, one.output[2]))
        state.at = end
        return True

    def _skips_to(self, state: State, lifted: Lifted, target: Place) -> int | None:
        """Number of the operation, inside or at the end of the instruction, that a branch leads to.

        None where it leads elsewhere.
        """
        count = len(lifted.operations)
        if target[0] != CONSTANT:
            return count if target[1] == lifted.address + lifted.size else None
        end = state.at - 1 + target[1]
        return end if end <= count else None

    def _outside(self, operation: PcodeOperation) -> bool:
        return operation.output is None or operation.output[0] not in (REGISTER, TEMPORARY)

    def _before(self, state: State, operation: PcodeOperation) -> Value | None:
        """What a register holds that is written; None of what ends with the instruction."""
        output = operation.output
        return self._value(state, output) if output and output[0] == REGISTER else None

    def _chosen(self, first: Value, one: Value, other: Value, size: int) -> Value:
        """`one` where the bit `first` is 1, else `other`; UNWRITTEN where one of them is."""
        one, other = self.operations.force(one), self.operations.force(other)
        if isinstance(one, Unwritten) or isinstance(other, Unwritten):
            return UNWRITTEN
        width, domain = 8 * size, self.domain
        mask = domain.linear(first, [1] * width)
        return domain.xor(other, domain.both(mask, domain.xor(one, other, width), width), width)

    def _declassify(self, lifted: Lifted, sides: Sides) -> None:
        self.declassified.add(self.code.finding("branch", lifted.address, lifted.text))
        if self.public.setdefault(lifted.address, sides) != sides:
            where = self.code.where(lifted.address)
            raise StuckError(f"{where}: acceptance takes the branch at one time and not at another")

    def indirect(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """BRANCHIND, CALLIND and RETURN."""
        del waiting
        target = self.operations.force(self._value(state, operation.inputs[0]))
        if isinstance(target, Unwritten):
            raise UnwrittenError
        if not isinstance(target, int):
            self.secret("jump", lifted)
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} jumps to an address that is secret")
        state.pc, state.at = target, 0
        return True


BRANCHES: Final = {
    "BRANCH": BranchingInterpreter.branch,
    "CALL": BranchingInterpreter.branch,
    "CBRANCH": BranchingInterpreter.conditional,
    "BRANCHIND": BranchingInterpreter.indirect,
    "CALLIND": BranchingInterpreter.indirect,
    "RETURN": BranchingInterpreter.indirect,
}
BranchingInterpreter.actions = {**MEMORY, **BRANCHES}
