# SPDX-License-Identifier: MIT
"""Pieces of code that are not run again: the answers are those of running them."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from images import block_job, needs_prover

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.answer import ProvedStatement
    from aesfit.proving.code import Code
    from aesfit.proving.state import State

pytestmark = needs_prover


def message(platform: str, mode: str, op: str, core: str = "fixslice") -> Job:
    return Job(platform_named(platform), core, 128, op, mode=mode, bytes=16)


CASES = [
    message("cortex-m0plus", "ctr", "encrypt"),
    message("rv32im-e31", "cbc", "both"),
    message("cortex-m3", "gcm", "encrypt"),
    message("cortex-m3", "ctr", "encrypt", "ttable1"),
    block_job("arm7tdmi", "fixslice"),
    block_job("cortex-m3", "compact"),
]


def statements(job: Job, code: "Code") -> "list[ProvedStatement]":
    from aesfit.proving.independence import block_statements
    from aesfit.proving.modes import MessageProof

    if job.mode is None:
        return [*block_statements(job, code)]
    sizes = (0, 32) if job.mode == "cbc" else (1, 33)
    every = [MessageProof(replace(job, bytes=size), code).independent() for size in sizes]
    return [one for pair in every for one in pair]


@pytest.mark.parametrize("job", CASES, ids=lambda job: f"{job.platform.name} {job.core} {job.mode}")
def test_the_answers_are_the_same(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.repeated import Piece

    image, repeated = proof_image(job), []
    known = Piece.known

    def counted(self: Piece, *given: object) -> object:
        found = known(self, *given)  # type: ignore[arg-type] # what known() is given
        repeated.append(found is not None)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Piece, "known", counted)
        once = statements(job, Code(image))
    assert any(repeated)
    monkeypatch.setattr(Piece, "known", lambda self, *given: None)
    assert once == statements(job, Code(image))


def recorded() -> "tuple[State, object]":
    """A state whose memory was written at 100 and 104, and a run that read the first."""
    from aesfit.proving.cells import Cells
    from aesfit.proving.known_bits import KnownBits, secret
    from aesfit.proving.repeated import Piece, Recorder
    from aesfit.proving.state import State

    cells = [Cells(KnownBits()) for _ in range(3)]
    state = State(cells[0], cells[1], cells[2])
    state.registers.write(0, 4, secret(32))
    state.memory.write(100, 4, 7)
    state.registers, state.memory = Recorder(state.registers), Recorder(state.memory)
    piece = Piece([])
    state.registers.read(0, 4)
    state.memory.read(100, 4)
    state.memory.write(104, 4, 8)
    state.registers.write(4, 4, 9)
    state.setters[4] = 0x20
    piece.keep(state, [])
    state.registers, state.memory = cells[0], cells[1]
    return state, piece


@pytest.mark.parametrize("change", ["nothing", "register", "memory", "writable"])
def test_a_run_is_repeated_only_over_the_same_values(change: str) -> None:
    from aesfit.proving.repeated import Piece
    from aesfit.proving.state import Extent

    state, piece = recorded()
    assert isinstance(piece, Piece)
    writable = [Extent(104, 4)]
    if change == "register":
        state.registers.write(0, 4, 5)
    if change == "memory":
        state.memory.write(100, 1, 6)
    if change == "writable":
        writable = [Extent(100, 6)]
    run = piece.known(state, writable)
    assert (run is not None) == (change == "nothing")
    if run is not None:
        state.memory.clear(104, 4)
        run.repeat(state)
        assert state.memory.read(104, 4) == 8
        assert state.registers.read(4, 4) == 9
        assert state.setters[4] == 0x20
