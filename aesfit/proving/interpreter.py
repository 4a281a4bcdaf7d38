# SPDX-License-Identifier: MIT
"""Runs the instructions of an image over a domain, and notes what a secret decides.

There is one path as long as conditions are numbers.  A condition that is a word is a finding; where
it is a declassified verdict both sides are run.
"""

from collections.abc import Callable, Sequence
from typing import Final

from .alignment import alignment
from .cells import Cells
from .code import Code
from .convention import CONVENTIONS
from .domain import Domain, Unwritten, Value
from .findings import Finding, Kind, StuckError
from .lifter import CONSTANT, REGISTER, TEMPORARY, Lifted, PcodeOperation, Place
from .operations import SHIFTS, Operations, UnwrittenError
from .special import SPECIAL
from .state import Extent, Reader, State, decided


class AbstractInterpreter:
    """Registers and memory of one image over one domain, and its instructions."""

    def __init__(
        self,
        code: Code,
        domain: Domain,
        *,
        stack: Extent,
        timed: Callable[[Lifted], bool] = lambda lifted: False,
        verdict: Callable[[int], bool] = lambda address: False,
        strict: bool = False,
    ) -> None:
        """Nothing was found yet.

        `timed`: the instruction takes a time that depends on its operands; `verdict`: the branch
        there is on a declassified value; `strict`: a branch on a secret ends the run.
        """
        self.code, self.image, self.stack = code, code.image, stack
        self.domain, self.operations = domain, Operations(domain)
        self.convention = CONVENTIONS[code.image.isa]
        self.found: dict[tuple[Kind, int], Finding] = {}
        self.declassified: set[Finding] = set()
        self.writable: tuple[Extent, ...] = ()
        """Memory that the function which runs may write."""
        self.only: dict[int, int] = {}
        """Verdicts of which one side alone is run, by the address of the branch: 1 if it is taken.
        """
        self._timed, self._verdict = timed, verdict
        self._strict = strict
        self._places = code.registers
        self._kinds: dict[int, bool] = {}
        self._multiples: dict[tuple[int, int], int] = {}
        self._lowest = 0
        self._stack_place = self._places[self.convention.stack_pointer]

    # --- registers

    def fresh(self) -> State:
        """Nothing is written but the image."""
        return State(Cells(self.domain), Cells(self.domain, self._from_image), Cells(self.domain))

    def _from_image(self, address: int) -> Value:
        byte = self.image.byte(address)
        if byte is None:
            raise UnwrittenError
        return byte

    def register(self, state: State, name: str) -> Value:
        """What a register holds."""
        _, offset, size = self._places[name]
        return state.registers.read(offset, size)

    def width(self, name: str) -> int:
        """Bits of a register; of a flag 1."""
        return 1 if name in self.convention.unspecified else 8 * self._places[name][2]

    def set_register(self, state: State, name: str, value: Value) -> None:
        """Put a value into a register."""
        _, offset, size = self._places[name]
        state.registers.write(offset, size, value)

    def setter(self, state: State, name: str) -> int:
        """Address of the instruction that wrote a register last; of the return where none did."""
        return state.setters.get(self._places[name][1], state.pc)

    # --- instructions

    def step(self, state: State, waiting: list[State]) -> None:
        """Run one instruction; `waiting` takes the other side of a verdict."""
        lifted = self.code.lifted(state.pc)
        if state.at == 0:
            state.temporaries.clear_all()
        before = self._lowest = self._stack_pointer(state)
        operations, over = lifted.operations, False
        while not over and state.at < len(operations):
            operation = operations[state.at]
            state.at += 1
            act = _ACTIONS.get(operation.name)
            if act is None:
                self._compute(state, lifted, operation)
            else:
                over = act(self, state, lifted, operation, waiting)
        if not over:
            state.pc += lifted.size
        state.at = 0
        deepest = self._lowest + self.convention.red_zone
        if deepest < before and deepest < self._stack_pointer(state):
            self.note("access below the stack pointer", lifted.address, lifted.text)

    def _stack_pointer(self, state: State) -> int:
        value = state.registers.read(self._stack_place[1], self._stack_place[2])
        if not isinstance(value, int):
            raise StuckError(f"{self.code.where(state.pc)}: the stack pointer depends on a secret")
        return value

    def _compute(self, state: State, lifted: Lifted, operation: PcodeOperation) -> None:
        output = operation.output
        values: list[Value] = [0, 0]
        if not operation.cancels:
            values = [self._value(state, place) for place in operation.inputs]
        if output is None:
            where = self.code.where(lifted.address)
            raise StuckError(f"{where}: {operation.name} is not modelled")
        for one in values:
            if not isinstance(one, int):
                self._watch(lifted, operation, values)
                break
        result = self.operations.compute(operation.name, values, operation.sizes, output[2])
        self._put(state, output, result)

    def _watch(self, lifted: Lifted, operation: PcodeOperation, values: Sequence[Value]) -> None:
        """Note what takes a time that depends on a secret."""
        if operation.name in SHIFTS and not isinstance(self.operations.force(values[1]), int):
            self._secret("shift count", lifted)
        if self._is_timed(lifted) and not all(isinstance(one, int | Unwritten) for one in values):
            self._secret("variable time", lifted)

    def _is_timed(self, lifted: Lifted) -> bool:
        if lifted.address not in self._kinds:
            self._kinds[lifted.address] = self._timed(lifted)
        return self._kinds[lifted.address]

    def _value(self, state: State, place: Place) -> Value:
        space, offset, size = place
        if space == CONSTANT:
            return offset
        if space == REGISTER:
            return state.registers.read(offset, size)
        if space == TEMPORARY:
            return state.temporaries.read(offset, size)
        return self._load(state, offset, size)

    def _put(self, state: State, place: Place, value: Value) -> None:
        space, offset, size = place
        if space == REGISTER:
            state.setters[offset] = state.pc
            state.registers.write(offset, size, value)
        elif space == TEMPORARY:
            state.temporaries.write(offset, size, value)
        else:
            self._store(state, offset, size, value)

    # --- memory

    def _load(self, state: State, address: int, size: int) -> Value:
        self._seen(state.pc, address, size)
        return state.memory.read(address, size)

    def _store(self, state: State, address: int, size: int, value: Value) -> None:
        self._seen(state.pc, address, size)
        if not any(one.holds(address, size) for one in self.writable):
            kind: Kind = "access to memory that is not the function's"
            self.note(kind, state.pc, self.code.text(state.pc))
            where = self.code.where(state.pc)
            raise StuckError(f"{where} writes to {address:#x}, which is not its own")
        if self.stack.holds(address, size):
            state.writers[address] = state.pc
        state.memory.write(address, size, value)

    def _seen(self, pc: int, address: int, size: int) -> None:
        if self.stack.start <= address < self._lowest:
            self._lowest = address
        multiple = self._multiples.get((pc, size))
        if multiple is None:
            multiple = alignment(self.code.text(pc), self.convention, size)
            self._multiples[pc, size] = multiple
        if address % multiple:
            self.note("unaligned access", pc, self.code.text(pc))

    def load(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """LOAD."""
        del waiting
        address = self.operations.force(self._value(state, operation.inputs[0]))
        output = operation.output
        assert output is not None  # noqa: S101 - SLEIGH's LOAD has one
        if isinstance(address, int):
            self._put(state, output, self._load(state, address, output[2]))
            return False
        if isinstance(address, Unwritten):
            raise UnwrittenError
        self._secret("load address", lifted)
        value = self.domain.lookup(Reader(state.memory, self.image), address, output[2])
        if value is None:
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} reads where the domain cannot follow")
        self._put(state, output, value)
        return False

    def store(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """STORE."""
        del waiting
        address = self.operations.force(self._value(state, operation.inputs[0]))
        if isinstance(address, Unwritten):
            raise UnwrittenError
        if not isinstance(address, int):
            self._secret("store address", lifted)
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} stores at an address that is secret")
        value = self._value(state, operation.inputs[1])
        self._store(state, address, operation.inputs[1][2], value)
        return False

    # --- branches

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
        taken = decided(self.domain, state, condition)
        if taken is not None:
            return self._go(state, operation.inputs[0]) if taken else False
        if self._verdict(lifted.address):
            self.declassified.add(self.code.finding("branch", lifted.address, lifted.text))
            side = self.only.get(lifted.address)
            if side is not None:
                state.decided.append((condition, side))
                return self._go(state, operation.inputs[0]) if side else False
            other = state.copy()
            other.decided.append((condition, 1))
            self._go(other, operation.inputs[0])
            waiting.append(other)
            state.decided.append((condition, 0))
        else:
            self._secret("branch", lifted)
        return False

    def indirect(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """BRANCHIND, CALLIND and RETURN."""
        del waiting
        target = self.operations.force(self._value(state, operation.inputs[0]))
        if isinstance(target, Unwritten):
            raise UnwrittenError
        if not isinstance(target, int):
            self._secret("jump", lifted)
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} jumps to an address that is secret")
        state.pc, state.at = target, 0
        return True

    def special(
        self, state: State, lifted: Lifted, operation: PcodeOperation, waiting: list[State]
    ) -> bool:
        """CALLOTHER: what SLEIGH does not model."""
        del waiting
        if operation.special == "setISAMode":  # ARM and Thumb; images hold one of them
            return False
        value, meaning = None, SPECIAL.get(operation.special)
        if meaning is not None and operation.output is not None:
            values = [self.operations.force(self._value(state, one)) for one in operation.inputs]
            if any(isinstance(one, Unwritten) for one in values):
                raise UnwrittenError
            value = meaning(self.domain, values)
        if value is None or operation.output is None:
            where = self.code.where(lifted.address)
            raise StuckError(f"{where}: {operation.special} is not modelled")
        self._put(state, operation.output, value)
        return False

    # --- findings

    def _secret(self, kind: Kind, lifted: Lifted) -> None:
        self.note(kind, lifted.address, lifted.text)
        if self._strict and kind not in ("load address", "variable time", "shift count"):
            raise StuckError(f"{self.code.where(lifted.address)}: a {kind} depends on a secret")

    def note(self, kind: Kind, address: int, text: str) -> None:
        """Keep what was found, once for each instruction."""
        if (kind, address) not in self.found:
            self.found[kind, address] = self.code.finding(kind, address, text)


_Action = Callable[[AbstractInterpreter, State, Lifted, PcodeOperation, list[State]], bool]
_ACTIONS: Final[dict[str, _Action]] = {
    "LOAD": AbstractInterpreter.load,
    "STORE": AbstractInterpreter.store,
    "BRANCH": AbstractInterpreter.branch,
    "CALL": AbstractInterpreter.branch,
    "CBRANCH": AbstractInterpreter.conditional,
    "BRANCHIND": AbstractInterpreter.indirect,
    "CALLIND": AbstractInterpreter.indirect,
    "RETURN": AbstractInterpreter.indirect,
    "CALLOTHER": AbstractInterpreter.special,
}
"""What is more than a computation; True: the instruction is over."""
