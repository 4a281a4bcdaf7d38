# SPDX-License-Identifier: MIT
"""Timings of a core on a chip whose flash has wait states: the flash buffers leak.

Each call is recorded on the emulator and replayed through a model of the chip's memory interface,
like a measured row, with buffers and caches empty at its start and the code where it was linked.
"""

import numpy as np

from ..building.unit import entries
from ..jobs import message
from ..measuring import bursts
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.memory.replay import Prices, WaitingFlash, flash_of, placed
from ..rigs.emulator.recording import Recorded, Recording
from ..rigs.emulator.rig import timing_model
from .victim import CHUNK, Timed, Victim


def flash_before(victim: Victim) -> WaitingFlash:
    """The flash of the victim's chip; ValueError without wait states."""
    platform, machine = victim.platform, _emulated(victim)
    wait = bursts.burst_job(platform, victim.core, 128, "encrypt-block", None, 1).placed.flash_wait
    found = flash_of(platform, wait or 0, timing_model(platform), machine.flash)
    if found is None:
        raise ValueError(
            f"{platform.name} has neither a data cache nor a flash that waits; "
            "name a platform that has one of them"
        )
    return found


def _emulated(victim: Victim) -> Machine:
    assert isinstance(victim.machine, Machine)  # noqa: S101 - chips have no other rig
    return victim.machine


class FlashClock:
    """Times a victim's calls one by one."""

    def __init__(self, victim: Victim) -> None:
        """A machine with the key expanded."""
        self._victim, self._flash = victim, flash_before(victim)
        self._job = bursts.burst_job(victim.platform, victim.core, 128, "encrypt-block", None, 1)
        self._run = bursts.prepare_texts(self._job, victim.key, bytes(16), victim.machine)
        self._first: tuple[int, Prices, bytes] | None = None
        """Instructions of the first call, prices of its paths and of its steps."""
        self._seen: list[Timed] = []

    def first(self, many: int) -> Timed:
        """The first so many calls."""
        while len(self._seen) * CHUNK < many:
            self._seen.append(self._next(len(self._seen)))
        return Timed.joined(self._seen, many)

    def _next(self, chunk: int) -> Timed:
        """The next CHUNK calls."""
        self._run = bursts.prepare_texts(self._job, self._victim.key, bytes(16), self._run.machine)
        setup, block, _ = entries(self._job)
        recording = Recording(_emulated(self._victim))
        recording.call(setup, *self._run.arguments[0])
        text = message.made_up(f"leak {self._victim.label} {chunk}", 16 * CHUNK)
        cipher, cycles = [], []
        for at in range(0, len(text), 16):
            recording.write(self._run.source, text[at : at + 16])
            recording.call(block, self._run.context, self._run.target, self._run.source, 1)
            cipher.append(recording.read(self._run.target, 16))
            cycles.append(self._cycles(recording.heard[block]))
        plain, out = (
            np.frombuffer(one, np.uint8).reshape(-1, 16) for one in (text, b"".join(cipher))
        )
        return Timed(plain, out, np.array(cycles, np.float64))

    def _cycles(self, call: Recorded) -> int:
        """Cycles from empty buffers; all calls execute the same code, so steps are priced once."""
        trace = call.execution.instruction_trace
        if self._first is None:
            blocks = set(call.execution.profile.blocks)
            code = decode_blocks(self._victim.machine.read, blocks, self._victim.platform.isa)
            prices = Prices(timing_model(self._victim.platform), code)
            self._first = trace, prices, prices.of(call)
        known, prices, steps = self._first
        if trace != known:
            raise ValueError(f"{self._victim.core} executes other code for some texts than others")
        return placed([(call.records, steps)], prices.unit, self._flash, 0)[0]
