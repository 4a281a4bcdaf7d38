# SPDX-License-Identifier: MIT
"""Calls functions of an image over a domain, and holds them to the calling convention."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ..measuring.executed import Ranges, ranges_of
from .branching import BranchingInterpreter
from .domain import Unwritten, Value
from .findings import StuckError
from .operations import UnwrittenError
from .repeated import Piece, Pieces, Recorder
from .state import Extent, State

_RETURN: Final = 0xFFFF_FF00
"""Where a call returns to: no memory of any platform."""


class Executor(BranchingInterpreter):
    """An interpreter whose functions are called."""

    limit = 4_000_000
    """Instructions of one call."""
    instructions = 0
    """Those that ran in all calls."""
    _most = limit
    unwritten = "a value that nobody wrote"
    pieces: Pieces | None = None
    """What ran before over the same domain, with the same rules; None: nothing is repeated."""

    @property
    def ran(self) -> Ranges:
        """The code that ran in all calls."""
        return ranges_of((at, self.code.lifted(at).size) for at in self.executed)

    @property
    def _stack_end(self) -> int:
        """Above it the stack has room for nothing but arguments."""
        return self.stack.start + self.stack.size - 64

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
        state.registers.clear_all()
        state.setters.clear()
        before = self.enter(state, arguments, saved)
        _, end = self.convention.frame(self._stack_end, len(arguments))
        self.writable = (*writable, Extent(self.stack.start, end - self.stack.start))
        state.pc, state.at = entry & ~1 if self.convention.thumb else entry, 0
        self._most = self.instructions + self.limit
        waiting, done = [state], []
        while waiting:
            state = waiting.pop()
            if self._run(state, waiting):
                self._returned(state, before)
                done.append(state)
        return done

    def enter(
        self, state: State, arguments: Sequence[int], saved: Callable[[str], Value]
    ) -> dict[str, Value]:
        """Put arguments and the return address where they belong; what has to come back."""
        ways = self.convention
        top, _ = ways.frame(self._stack_end, len(arguments))
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
                self.note("register not preserved", self.setter(state, name), f"{name}, last set")

    def _same(self, a: Value, b: Value, width: int) -> bool:
        if a is b or (isinstance(a, int) and a == b):
            return True
        if isinstance(a, Unwritten) or isinstance(b, Unwritten):
            return False
        return self.domain.xor(a, b, width) == 0

    def _run(self, state: State, waiting: list[State]) -> bool:
        """Run until the function returns; a domain may see before that that a run adds nothing."""
        while state.pc != _RETURN:
            self.instructions += 1
            if self.instructions > self._most:
                raise StuckError(f"it does not return within {self.limit:,} instructions")
            try:
                if self.pieces is None or state.at or not self._straight(state, self.pieces):
                    self.step(state, waiting)
            except UnwrittenError:
                raise StuckError(f"{self.code.where(state.pc)} uses {self.unwritten}") from None
        return True

    def _straight(self, state: State, pieces: Pieces) -> bool:
        """Go on to the next branch at once; False: it is near, so one instruction is to be run."""
        at = state.pc
        piece = pieces.known[at] if at in pieces.known else pieces.learn(at, self.code.straight(at))
        if piece is None:
            return False
        before = piece.known(state, self.writable)
        if before is None:
            self._recorded(state, piece)
        else:
            before.repeat(state)
            state.pc = piece.end
            for one in before.noted:
                self.note(*one)
        self.executed.update(piece.addresses)
        self.instructions += len(piece.addresses) - 1
        return True

    def _recorded(self, state: State, piece: Piece) -> None:
        """Run a piece, and keep what it did."""
        registers, memory, self.noted = state.registers, state.memory, []
        state.registers, state.memory = Recorder(registers), Recorder(memory)
        try:
            for _ in piece.addresses:
                self.step(state, [])
            piece.keep(state, self.noted)
        finally:
            state.registers, state.memory, self.noted = registers, memory, None
