# SPDX-License-Identifier: MIT
"""Streams of words for cocotb: what gives, what takes, both with random pauses.

Inputs change at the falling edge.  What will move at the rising edge after it is looked up when
all signals have settled, so that simulators need not agree about anything that happens at an edge.
"""

import os
import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

PERIOD_NS = 10
Dut = Any
"""A handle of the simulation: its attributes are the ports."""
SLOW = bool(os.environ.get("AESFIT_SLOW"))
"""Whether the long version was asked for (pytest --slow)."""


def words(data: bytes) -> list[int]:
    """32-bit words, byte 0 highest; zeros fill up the last."""
    padded = data + bytes(-len(data) % 4)
    return [int.from_bytes(padded[at : at + 4]) for at in range(0, len(padded), 4)]


def joined(some: Iterable[int]) -> bytes:
    """The bytes of words."""
    return b"".join(word.to_bytes(4) for word in some)


class Source:
    """Gives words, each with values for the signals beside it."""

    def __init__(self, dut: Dut, data: str, valid: str, ready: str, *beside: str) -> None:
        self.data, self.valid, self.ready = (getattr(dut, name) for name in (data, valid, ready))
        self.beside = [getattr(dut, name) for name in beside]
        self.waiting: deque[tuple[int, ...]] = deque()
        self.pauses = 0.0
        self.clear()

    def give(self, some: Iterable[int], *beside: int) -> None:
        """Words to be given in turn."""
        self.waiting.extend((word, *beside) for word in some)

    def clear(self) -> None:
        self.waiting.clear()
        self.taken: list[int] = []
        """The cycles of the words that moved."""
        self.offering = False
        self.valid.value = 0

    def drive(self, rng: random.Random) -> None:
        if self.offering:
            return
        if self.waiting and rng.random() >= self.pauses:
            for signal, value in zip((self.data, *self.beside), self.waiting[0], strict=True):
                signal.value = value
            self.valid.value = 1
            self.offering = True
        else:
            self.data.value = rng.getrandbits(len(self.data))  # must not matter
            self.valid.value = 0

    def look(self, cycle: int) -> None:
        if self.offering and self.ready.value == 1:
            self.waiting.popleft()
            self.taken.append(cycle)
            self.offering = False


class Sink:
    """Takes words, each with the values of signals beside it; offered words must stay."""

    def __init__(self, dut: Dut, data: str, valid: str, ready: str, *beside: str) -> None:
        self.valid, self.ready = (getattr(dut, name) for name in (valid, ready))
        self.signals = [getattr(dut, name) for name in (data, *beside)]
        self.pauses = 0.0
        self.clear()

    def clear(self) -> None:
        self.given: list[tuple[int, ...]] = []
        self.cycles: list[int] = []
        self.seen: tuple[int, ...] | None = None
        """What was offered and not taken."""
        self.taking = False
        self.ready.value = 0

    @property
    def words(self) -> list[int]:
        return [word for word, *_ in self.given]

    def drive(self, rng: random.Random) -> None:
        self.taking = rng.random() >= self.pauses
        self.ready.value = int(self.taking)

    def look(self, cycle: int) -> None:
        offered = None
        if self.valid.value == 1:
            offered = tuple(int(signal.value) for signal in self.signals)
        assert self.seen in (None, offered), "a word that was not taken has changed"
        self.seen = offered
        if self.taking and offered is not None:
            self.given.append(offered)
            self.cycles.append(cycle)
            self.seen = None


class Bench:
    """A clock, a reset, and streams; all is random from cocotb's seed."""

    def __init__(self, dut: Dut, *streams: Source | Sink) -> None:
        self.dut = dut
        self.streams = streams
        self.rng = random.Random(cocotb.RANDOM_SEED)
        self.cycle = 0
        if hasattr(dut, "erase_i"):
            dut.erase_i.value = 0
        Clock(dut.clk_i, PERIOD_NS, unit="ns").start()

    def pause(self, share: float) -> None:
        """Let each stream rest in this share of the cycles."""
        for stream in self.streams:
            stream.pauses = share

    async def reset(self) -> None:
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 0
        for stream in self.streams:
            stream.clear()
        for _ in range(2):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    async def run(self, until: Callable[[], bool], limit: int = 60_000) -> None:
        """Let cycles pass until something holds after one."""
        for _ in range(limit):
            await FallingEdge(self.dut.clk_i)
            for stream in self.streams:
                stream.drive(self.rng)
            await ReadOnly()
            for stream in self.streams:
                stream.look(self.cycle)
            self.cycle += 1
            if until():
                return
        raise AssertionError(f"nothing came of it in {limit} cycles")

    async def rest(self, cycles: int) -> None:
        """Let cycles pass."""
        end = self.cycle + cycles
        await self.run(lambda: self.cycle >= end)
