# SPDX-License-Identifier: MIT
"""Runs functions of an image over a domain, and notes what a secret decides.

There is one path as long as conditions are numbers.  A condition that is a word is a finding; where
it is a declassified verdict both sides are run.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from .alignment import is_unaligned
from .cells import Cells
from .code import Code
from .convention import CONVENTIONS
from .domain import Domain, Unwritten, Value, Word
from .findings import Finding, Kind, StuckError
from .lifter import CONSTANT, REGISTER, TEMPORARY, Lifted, PcodeOperation, Place
from .operations import SHIFTS, Deferred, Operations, UnwrittenError
from .special import SPECIAL
from .state import Extent, Reader, State, decided

LIMIT: Final = 4_000_000
"""Instructions of one call."""
_RETURN: Final = 0xFFFF_FF00
"""Where a call returns to: no memory of any platform."""


class Executor:
    """One image over one domain."""

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
        self._end = stack.start + stack.size - 64
        self.operations = Operations(domain)
        self.domain = domain
        self.convention = CONVENTIONS[code.image.isa]
        self.instructions = 0
        self.found: dict[tuple[Kind, int], Finding] = {}
        self.declassified: set[Finding] = set()
        self._timed, self._verdict = timed, verdict
        self._strict = strict
        self._places = code.registers
        self._writable: tuple[Extent, ...] = ()
        self._kinds: dict[int, bool] = {}
        self._lowest = 0
        self._stack_place = self._places[self.convention.stack_pointer]

    # --- state

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

    # --- calls

    def call(
        self,
        state: State,
        entry: int,
        arguments: Sequence[int],
        writable: Iterable[Extent],
        saved: Callable[[str], Value],
    ) -> list[State]:
        """Call a function; the states in which it returns, one for each way of its verdicts.

        `saved` gives what a preserved register holds.
        """
        state.registers.held.clear()
        state.setters.clear()
        before = self._enter(state, arguments, saved)
        _, end = self.convention.frame(self._end, len(arguments))
        self._writable = (*writable, Extent(self.stack.start, end - self.stack.start))
        state.pc, state.at = entry & ~1 if self.convention.thumb else entry, 0
        waiting, done = [state], []
        while waiting:
            done.append(waiting.pop())
            self._run(done[-1], waiting)
            self._returned(done[-1], before)
        return done

    def _enter(
        self, state: State, arguments: Sequence[int], saved: Callable[[str], Value]
    ) -> dict[str, Value]:
        ways = self.convention
        top, _ = ways.frame(self._end, len(arguments))
        for at, word in enumerate(arguments[len(ways.arguments) :]):
            state.memory.write(top + at * ways.word, ways.word, word)
        if ways.link:
            self.set_register(state, ways.link, _RETURN | ways.thumb)
        else:
            top -= 8
            state.memory.write(top, 8, _RETURN)
        before: dict[str, Value] = {name: saved(name) for name in ways.preserved}
        for name in ways.unspecified:
            self.set_register(state, name, saved(name))
        given = zip(ways.arguments, arguments, strict=False)
        for name, value in (*before.items(), *ways.given, *given):
            self.set_register(state, name, value)
        self.set_register(state, ways.stack_pointer, top)
        before[ways.stack_pointer] = top if ways.link else top + 8
        return before

    def _returned(self, state: State, before: dict[str, Value]) -> None:
        for name, value in before.items():
            now = self.operations.force(self.register(state, name))
            if not self._same(now, value, 8 * self._places[name][2]):
                self._note("register not preserved", self.setter(state, name), f"{name}, last set")

    def _same(self, a: Value, b: Value, width: int) -> bool:
        if a is b or (isinstance(a, int) and a == b):
            return True
        if isinstance(a, Unwritten) or isinstance(b, Unwritten):
            return False
        return self.domain.xor(a, b, width) == 0

    # --- instructions

    def _run(self, state: State, waiting: list[State]) -> None:
        while state.pc != _RETURN:
            self.instructions += 1
            if self.instructions > LIMIT:
                raise StuckError(f"it does not return within {LIMIT} instructions")
            try:
                self._step(state, waiting)
            except UnwrittenError:
                raise StuckError(
                    f"{self.code.where(state.pc)} uses a value that nobody wrote"
                ) from None

    def _step(self, state: State, waiting: list[State]) -> None:
        lifted = self.code.lifted(state.pc)
        if state.at == 0:
            state.temporaries.held.clear()
        before = self._stack_pointer(state)
        self._lowest = before
        over = False
        while not over and state.at < len(lifted.operations):
            operation = lifted.operations[state.at]
            state.at += 1
            act = _ACTIONS.get(operation.name)
            if act is None:
                self._compute(state, lifted, operation)
            else:
                over = act(self, state, lifted, operation, waiting)
        if not over:
            state.pc += lifted.size
        state.at = 0
        if self._lowest < min(before, self._stack_pointer(state)) - self.convention.red_zone:
            self._note("access below the stack pointer", lifted.address, lifted.text)

    def _stack_pointer(self, state: State) -> int:
        value = state.registers.read(self._stack_place[1], self._stack_place[2])
        if not isinstance(value, int):
            raise StuckError(f"{self.code.where(state.pc)}: the stack pointer depends on a secret")
        return value

    def _compute(self, state: State, lifted: Lifted, operation: PcodeOperation) -> None:
        values = tuple(self._value(state, place) for place in operation.inputs)
        output = operation.output
        if operation.name == "INT_XOR" and operation.inputs[0] == operation.inputs[1]:
            values = (0, 0)  # whatever the register holds: so processors set one to 0
        picks = operation.name == "INT_MULT" and any(isinstance(one, Deferred) for one in values)
        if output is None or picks:  # picks: flags choose bytes of a word, as SEL of ARM does
            what = lifted.text if picks else operation.name
            raise StuckError(f"{self.code.where(lifted.address)}: {what} is not modelled")
        if any(isinstance(one, Word) for one in values):
            self._watch(lifted, operation, values)
        sizes = tuple(place[2] for place in operation.inputs)
        self._put(state, output, self.operations.compute(operation.name, values, sizes, output[2]))

    def _watch(self, lifted: Lifted, operation: PcodeOperation, values: tuple[Value, ...]) -> None:
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
            return offset & (1 << 8 * size) - 1
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
        inside = (one.start <= address <= one.start + one.size - size for one in self._writable)
        if not any(inside):
            kind: Kind = "access to memory that is not the function's"
            self._note(kind, state.pc, self.code.text(state.pc))
            where = self.code.where(state.pc)
            raise StuckError(f"{where} writes to {address:#x}, which is not its own")
        if self.stack.start <= address < self.stack.start + self.stack.size:
            state.writers[address] = state.pc
        state.memory.write(address, size, value)

    def _seen(self, pc: int, address: int, size: int) -> None:
        if self.stack.start <= address < self._lowest:
            self._lowest = address
        if is_unaligned(self.code, self.convention, pc, address, size):
            self._note("unaligned access", pc, self.code.text(pc))

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
        del waiting
        return self._go(state, lifted, operation.inputs[0])

    def _go(self, state: State, lifted: Lifted, target: Place) -> bool:
        space, offset, size = target
        if space == CONSTANT:
            signed = offset - (1 << 8 * size) if offset >> (8 * size - 1) else offset
            state.at += signed - 1
            return False
        del lifted
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
            return self._go(state, lifted, operation.inputs[0]) if taken else False
        if self._verdict(lifted.address):
            self.declassified.add(self.code.finding("branch", lifted.address, lifted.text))
            other = state.copy()
            other.decided.append((condition, 1))
            self._go(other, lifted, operation.inputs[0])
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
        self._note(kind, lifted.address, lifted.text)
        if self._strict and kind not in ("load address", "variable time", "shift count"):
            raise StuckError(f"{self.code.where(lifted.address)}: a {kind} depends on a secret")

    def _note(self, kind: Kind, address: int, text: str) -> None:
        if (kind, address) not in self.found:
            self.found[kind, address] = self.code.finding(kind, address, text)


_Action = Callable[[Executor, State, Lifted, PcodeOperation, list[State]], bool]
_ACTIONS: Final[dict[str, _Action]] = {
    "LOAD": Executor.load,
    "STORE": Executor.store,
    "BRANCH": Executor.branch,
    "CALL": Executor.branch,
    "CBRANCH": Executor.conditional,
    "BRANCHIND": Executor.indirect,
    "CALLIND": Executor.indirect,
    "RETURN": Executor.indirect,
    "CALLOTHER": Executor.special,
}
"""What is more than a computation; True: the instruction is over."""
