# SPDX-License-Identifier: MIT
"""Runs the instructions of an image over a domain, and notes what a secret decides.

Branches are in branching.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .alignment import alignment
from .cells import Cells
from .code import Code
from .convention import CONVENTIONS
from .domain import UNWRITTEN, Domain, Unwritten, Value
from .findings import Finding, Kind, StuckError
from .lifter import CONSTANT, REGISTER, TEMPORARY, Lifted, PcodeOperation, Place
from .operations import SHIFTS, Operations, UnwrittenError
from .special import SPECIAL
from .state import Extent, Reader, State

Sides = tuple[int, int]
"""Whether a branch is taken where the call accepts, and where it refuses."""


class AbstractInterpreter:
    """Registers and memory of one image over one domain, and its instructions but for branches."""

    actions: Mapping[str, "_Action"]
    """What is more than a computation, by its name in P-code."""

    def __init__(
        self,
        code: Code,
        domain: Domain,
        *,
        stack: Extent,
        timed: Callable[[Lifted], bool] = lambda lifted: False,
        public: Callable[[int, Value], Sides | None] = lambda address, condition: None,
        strict: bool = False,
    ) -> None:
        """Nothing was found yet.

        `timed`: the instruction takes a time that depends on its operands; `public`: the sides of
        the branch there, if its condition is what the caller learns; `strict`: a branch on a secret
        ends the run.
        """
        self.code, self.image, self.stack = code, code.image, stack
        self.domain, self.operations = domain, Operations(domain)
        self.convention = CONVENTIONS[code.image.isa]
        self.found: dict[tuple[Kind, int], Finding] = {}
        self.declassified: set[Finding] = set()
        self.writable: tuple[Extent, ...] = ()
        """Memory that the function which runs may write."""
        self.executed: set[int] = set()
        """Addresses of the instructions that ran; not of those whose condition never held."""
        self.refused_only = False
        """Of a verdict only the side is run on which the call refuses."""
        self.public: dict[int, Sides] = {}
        """Branches on a verdict that were met, by address."""
        self.noted: list[tuple[Kind, int, str]] | None = None
        """What is noted while somebody listens."""
        self._timed, self._public = timed, public
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
        if self.image.may_change(address):
            name = self.image.variable(address)
            raise StuckError(
                f"it reads '{name}', which the program may write; --assume {name}=<value> names "
                "what it holds"
            )
        byte = self.image.byte(address)
        if byte is None and self.stack.holds(address, 1):
            return UNWRITTEN  # compilers pop what nobody wrote, and use nothing of it
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
        operations, over, last = lifted.operations, False, state.at
        while not over and state.at < len(operations):
            last = state.at
            operation = operations[last]
            state.at += 1
            act = self.actions.get(operation.name)
            if act is None:
                self._compute(state, lifted, operation)
            else:
                over = act(self, state, lifted, operation, waiting)
        if not lifted.skipped_at(last):
            self.executed.add(lifted.address)
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
            self.secret("shift count", lifted)
        if self._is_timed(lifted) and not all(isinstance(one, int | Unwritten) for one in values):
            self.secret("variable time", lifted)

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
        self.secret("load address", lifted)
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
            self.secret("store address", lifted)
            where = self.code.where(lifted.address)
            raise StuckError(f"{where} stores at an address that is secret")
        value = self._value(state, operation.inputs[1])
        self._store(state, address, operation.inputs[1][2], value)
        return False

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

    def secret(self, kind: Kind, lifted: Lifted) -> None:
        """Note what a secret decides; StuckError where that ends the run."""
        self.note(kind, lifted.address, lifted.text)
        if self._strict and kind not in ("load address", "variable time", "shift count"):
            raise StuckError(f"{self.code.where(lifted.address)}: a {kind} depends on a secret")

    def note(self, kind: Kind, address: int, text: str) -> None:
        """Keep what was found, once for each instruction."""
        if self.noted is not None:
            self.noted.append((kind, address, text))
        if (kind, address) not in self.found:
            self.found[kind, address] = self.code.finding(kind, address, text)


_Action = Callable[[Any, State, Lifted, PcodeOperation, list[State]], bool]
"""Of an interpreter; True: the instruction is over."""
MEMORY: Final[Mapping[str, _Action]] = {
    "LOAD": AbstractInterpreter.load,
    "STORE": AbstractInterpreter.store,
    "CALLOTHER": AbstractInterpreter.special,
}
