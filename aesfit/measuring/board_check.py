# SPDX-License-Identifier: MIT
"""How far a board and the model of its chip are apart, over twenty jobs."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .._native import version as __version__
from ..jobs.job import Job, Placement, Row
from ..platforms.boards import BoardPlatform
from ..platforms.find import platform_named
from ..platforms.places import PACKAGE
from ..platforms.platform import Platform
from ..rigs import why_not
from ..rigs.board.counters import CycleCounter, counter_of
from ..rigs.board.session import session_of
from ..rigs.rig import RigUnavailableError
from ..store.rows import RowStore
from .measure import Refusal, measure

_CORES = ("bytewise", "compact", "sbox_columns", "transposed", "ttable1", "ttable4", "fixslice")
_BLOCK_OPS = ("encrypt-block", "key-setup-encrypt")
_MODES = ("ctr", "ccm", "gcm")
_MESSAGE_CORES = ("transposed", "fixslice")
_BYTES = 64
EVIDENCE = PACKAGE.parent / "tests" / "evidence" / "boards"
"""Tables that owners of boards sent; there is no such folder in an install."""


@dataclass(frozen=True)
class BoardFacts:
    """What is there."""

    board: str
    platform: str
    counter: str | None
    """What counts cycles; None where nothing does."""
    why_no_cycles: str
    emulated: bool
    """QEMU stands in for the board: its figures are none of a processor."""
    clock_mhz: float | None
    settings: tuple[str, ...]
    """Registers of the flash as they are now."""
    wait_states: int | None
    code_in: str
    """The memory that images are put into."""


@dataclass(frozen=True)
class Compared:
    """A job on the board and by the model."""

    core: str
    op: str
    mode: str | None
    bytes: int
    board: int | None
    """Cycles; None where they could not be measured, for `why`."""
    model: int | None
    why: str = ""

    @property
    def apart(self) -> float | None:
        """(board - model) / model."""
        if self.board is None or not self.model:
            return None
        return self.board / self.model - 1


@dataclass(frozen=True)
class BoardCheck:
    """The facts and the table."""

    facts: BoardFacts
    model: str
    """What the board is compared with, in words."""
    compiler: str
    jobs: tuple[Compared, ...]

    @property
    def largest(self) -> float | None:
        """The largest difference, as a fraction of the model's cycles."""
        found = [abs(one.apart) for one in self.jobs if one.apart is not None]
        return max(found, default=None)

    def as_json(self) -> dict[str, Any]:
        """The stable keys, which are those of a kept table."""
        jobs = [{**asdict(one), "apart": one.apart} for one in self.jobs]
        told = {**asdict(self.facts), "model": self.model, "compiler": self.compiler}
        return {"aesfit": __version__, **told, "largest": self.largest, "jobs": jobs}


def facts_of(platform: BoardPlatform) -> BoardFacts:
    """What is there; RigUnavailableError says why it cannot be reached."""
    if reason := why_not(platform):
        raise RigUnavailableError(reason)
    session = session_of(platform)
    board, timer = platform.board, session.known.timer
    counter = counter_of(platform, board.counter, timer, session.client)
    counts = isinstance(counter, CycleCounter)
    return BoardFacts(
        board=board.name,
        platform=platform.chip_name,
        counter=counter.title if isinstance(counter, CycleCounter) else None,
        why_no_cycles="" if counts else str(counter),
        emulated=session.client.is_qemu,
        clock_mhz=platform.clock.value if platform.clock else None,
        settings=session.settings(),
        wait_states=session.wait_states,
        code_in=platform.home("code").name,
    )


def check(platform: BoardPlatform, store: RowStore | None = None) -> BoardCheck:
    """Run twenty jobs on the board and by the model."""
    facts = facts_of(platform)
    model, placement, told = _model(platform, facts)
    asked = _jobs(platform, Placement())
    board = measure(asked, fresh=True, store=store)
    modelled = measure(_jobs(model, placement), store=store)
    compiler = next((one.provenance.compiler for one in modelled if isinstance(one, Row)), "")
    pairs = zip(asked, board, modelled, strict=True)
    return BoardCheck(facts, told, compiler, tuple(_compared(*one) for one in pairs))


def _model(platform: BoardPlatform, facts: BoardFacts) -> tuple[Platform, Placement, str]:
    """In flash, the chip with the wait states that are set; in RAM, its processor alone."""
    chip = platform_named(platform.chip_name)
    if facts.code_in != "flash" or chip.chip is None:
        alone = platform_named(platform.processor_name)
        return alone, Placement(), f"{alone.title} with ideal memory, its return included"
    waits = facts.wait_states
    told = "as at its highest clock" if waits is None else f"of {waits} wait states"
    return chip, Placement(flash_wait=waits), f"{chip.title}, flash {told}, its return included"


def _jobs(platform: Platform, placement: Placement) -> list[Job]:
    blocks = [
        Job(platform, core, 128, op, placement=placement) for core in _CORES for op in _BLOCK_OPS
    ]
    messages = [
        Job(platform, core, 128, "message", mode=mode, bytes=_BYTES, placement=placement)
        for core in _MESSAGE_CORES
        for mode in _MODES
    ]
    return blocks + messages


def _compared(job: Job, board: Row | Refusal, model: Row | Refusal) -> Compared:
    told = [one.reason for one in (board, model) if isinstance(one, Refusal)]
    return Compared(
        job.core,
        job.op,
        job.mode,
        job.bytes or 0,
        int(board.cycles) if isinstance(board, Row) else None,
        int(model.cycles) if isinstance(model, Row) else None,
        "; ".join(told),
    )


def kept_tables(folder: Path = EVIDENCE) -> tuple[Mapping[str, Any], ...]:
    """The tables that were sent, by the name of the file; none in an install."""
    return tuple(json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json")))


def told_of(chips: Iterable[str], folder: Path = EVIDENCE) -> list[str]:
    """A sentence for each table of a board with one of the chips."""
    known = set(chips)
    return [_told(one) for one in kept_tables(folder) if one["platform"] in known]


def _told(table: Mapping[str, Any]) -> str:
    count = sum(one["apart"] is not None for one in table["jobs"])
    if table["emulated"]:
        return f"{table['platform']}: {table['board']} is QEMU, an example of the format alone"
    return (
        f"{table['platform']}: on the board {table['board']} {count} jobs are at most "
        f"{100 * table['largest']:.1f} % apart from {table['model']}"
    )
