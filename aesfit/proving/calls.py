# SPDX-License-Identifier: MIT
"""A call after another in one image: buffers in memory, values in and out."""

from collections.abc import Sequence
from typing import Protocol

from .convention import CONVENTIONS
from .domain import UNWRITTEN, Value
from .executor import Executor
from .image import ProofImage
from .operations import UnwrittenError
from .state import Extent, State

_BUFFER_BYTES = 1 << 20
_STACK_BYTES = 1 << 16
_FREE = tuple(range(0x6000_0000, 0xF000_0000, 0x0800_0000))
"""Where buffers and the stack may lie, if the image does not."""


def stack_of(image: ProofImage) -> Extent:
    """Where the stack lies."""
    return Extent(_base(image) + _BUFFER_BYTES, _STACK_BYTES)


def _base(image: ProofImage) -> int:
    size = _BUFFER_BYTES + _STACK_BYTES
    for start in _FREE:
        if all(at + len(data) <= start or start + size <= at for at, data in image.pieces):
            return start
    raise ValueError("the image fills all memory")


class Saved(Protocol):
    """What preserved registers hold when a function is called."""

    def __call__(self, name: str) -> Value:
        """The value of one."""


class Calls:
    """Memory of one run, and calls in it."""

    def __init__(self, executor: Executor, saved: Saved) -> None:
        """Nothing but the image is in memory."""
        self.executor, self._saved = executor, saved
        self._base = _base(executor.image)
        self._next = self._base

    def room(self, size: int, off: int = 0) -> Extent:
        """Bytes of their own: `off` bytes beyond a multiple of 64, a gap after them."""
        start = -(-self._next // 64) * 64 + off
        self._next = start + size + 64
        return Extent(start, size)

    def begin(self) -> None:
        """Of another run: all room is free again, so what lies alike has the same addresses."""
        self._next = self._base

    def put(self, state: State, at: int, values: Sequence[Value]) -> None:
        """Write bytes."""
        for offset, value in enumerate(values):
            state.memory.write(at + offset, 1, value)

    def get(self, state: State, at: int, size: int) -> list[Value]:
        """Read bytes; those that nobody wrote are UNWRITTEN."""
        return [self._byte(state, at + offset) for offset in range(size)]

    def _byte(self, state: State, address: int) -> Value:
        try:
            return self.executor.operations.force(state.memory.read(address, 1))
        except UnwrittenError:
            return UNWRITTEN

    def number(self, name: str) -> int:
        """A 32-bit constant of the image."""
        at = self.executor.image.symbol(name)
        value = [self.executor.image.byte(at + offset) or 0 for offset in range(4)]
        return int.from_bytes(bytes(value), "little")

    def call(
        self, state: State, name: str, arguments: Sequence[int], writable: Sequence[Extent]
    ) -> list[State]:
        """Call a function of the image; what the last call left on the stack is gone."""
        stack = self.executor.stack
        state.memory.forget(stack.start, stack.start + stack.size)
        state.writers.clear()
        entry = self.executor.image.symbol(name)
        return self.executor.call(state, entry, arguments, writable, self._saved)

    @property
    def word(self) -> int:
        """Bytes of a pointer."""
        return CONVENTIONS[self.executor.image.isa].word
