# SPDX-License-Identifier: MIT
"""From a question to its answer: measure, choose, and put into words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..atlas.origin import AtlasOrigin
from ..cachemodel.versions import ranked_cores
from ..counting.own import OwnFunction
from ..jobs.job import Progress, Row
from ..measuring.flat import FlatRow, Scalar, empty, flat
from ..measuring.measure import Refusal, Result, measure
from .asked import json_head, limits_json, question_json
from .brief import brief
from .deadline import DeadlineAnswer
from .engines import EngineRow, engine_rows, engines_told, hardware_json
from .field import Field, field_known, field_of, text_of, with_text
from .pricing import with_misses
from .ranking import Candidate, Choice, Dropped, choose
from .request import Flags, Request, jobs
from .whole_file import FileTotal, file_cycles, file_sentence, pieces
from .words import trusted, verdict
from .worst import WorstCase, deadline_answer, worst_of_winner, worst_told


@dataclass(frozen=True)
class Answer:
    """The choice and its words."""

    choice: Choice
    sentence: str
    evidence: str
    """What the cycles were checked against."""
    file: str | None = None
    """What a file costs, in a sentence."""
    brief: tuple[str, ...] = ()
    """The same as `sentence` in a few short lines."""
    explained: tuple[str, ...] = ()
    """The arithmetic of expected cache misses, a line each; empty unless asked for."""
    also: tuple[OwnFunction, ...] = ()
    """The user's own functions that are ranked beside the cores."""
    warnings: tuple[str, ...] = ()
    """What the user should know of their files, a sentence each."""
    origin: AtlasOrigin | None = None
    """Of figures from the atlas; None where all were measured here."""
    hardware: tuple[EngineRow, ...] = ()
    """AES engines beside the winner; empty unless asked for."""
    worst: WorstCase | None = None
    """Of one message of the winner; None where it is not known."""
    deadline: DeadlineAnswer | None = None
    """Whether the winner meets the deadline; None where none was asked for."""

    @property
    def worst_told(self) -> str:
        """The winner's worst case, its stack and interrupts, in a line; empty without a winner."""
        winner = self.choice.winner
        request = self.choice.request
        return "" if winner is None else worst_told(request, winner, self.worst, trusted(request))

    @property
    def engines(self) -> str:
        """Which AES engines can be compared, in a sentence; empty where none can."""
        return engines_told(self.choice.request.platform)

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """A flat mapping for each core: the ranking, then those that are not ranked.

        The latter have the rank None and the reason in `dropped`; where nothing could be measured,
        the other columns are None too.
        """
        choice = self.choice
        ranked = [_flat(one, one.rank, one.name in choice.pareto) for one in choice.ranking]
        return (*ranked, *(_left_out(one, choice.request) for one in choice.dropped))

    def as_json(self) -> dict[str, Any]:
        """The stable keys; some of them where they were asked for."""
        request = self.choice.request
        told: dict[str, Any] = {"explained": list(self.explained)} if self.explained else {}
        if self.also:
            told["also"] = [one.as_json() for one in self.also]
        if self.hardware:
            told["hardware"] = hardware_json(self.hardware)
        if self.deadline:
            told["deadline"] = self.deadline.as_json()
        return {
            **json_head("fit", question_json(request), limits_json(request)),
            **self.choice.as_json(self.sentence),
            "verdict": list(self.brief),
            "worst": None if self.worst is None else asdict(self.worst),
            "engines": self.engines or None,
            "atlas": self.origin and self.origin.as_json(),
            **told,
        }


def _flat(
    candidate: Candidate, rank: int | None, pareto: bool, dropped: str | None = None
) -> dict[str, Scalar]:
    row = candidate.row
    sizes = {"flash_bytes": row.flash_bytes, "ram_bytes": row.ram_bytes}
    told = {"setup_cycles": candidate.setup_cycles, "pareto": pareto, "dropped": dropped}
    return {"rank": rank, **flat(row), "ghash": candidate.ghash, **sizes, **told}


def _left_out(one: Dropped, request: Request) -> dict[str, Scalar]:
    if one.candidate is not None:
        return _flat(one.candidate, None, pareto=False, dropped=one.reason)
    named = {"platform": request.platform.name, "core": one.core, "dropped": one.reason}
    return {**_NO_FIGURES, **named}


_NO_FIGURES: dict[str, Scalar] = {
    "rank": None,
    **empty(),
    **dict.fromkeys(("ghash", "flash_bytes", "ram_bytes", "setup_cycles")),
    "pareto": False,
    "dropped": None,
}
"""The columns of a core that could not be measured."""


def fit(
    request: Request,
    cores: Sequence[str] | None = None,
    variants: Sequence[Flags] = (None,),
    *,
    also: Sequence[OwnFunction] = (),
    file: Path | None = None,
    fresh: bool = False,
    explained: bool = False,
    hardware: bool = False,
    progress: Progress = lambda done, total: None,
) -> Answer:
    """Measure the cores, each with every variant of flags, and choose one of them.

    `cores`: None for those that compete unnamed.  `also`: functions of the user's own to rank
    beside them, measured first, so that a wrong one is told at once.  `explained` needs bursts in
    the request.  `hardware`: compare the winner with the chip's AES engines.
    RigUnavailableError says what is missing, and with which command it comes.
    """
    others = None
    if also:
        from .own_code import own_rows  # needs the emulator's packages

        others = own_rows(request, also, variants)
    names = ranked_cores(request.platform) if cores is None else cores
    found = field_of(request, names, variants, text=file, fresh=fresh, progress=progress)
    answer = answer_of(request, found.beside(others.rows) if others else found)
    if others:
        answer = replace(answer, also=tuple(also), warnings=(*answer.warnings, *others.warnings))
    if explained:
        from .explanation import explain  # brings NumPy

        answer = replace(answer, explained=explain(answer.choice))
    winner = answer.choice.winner
    if hardware and winner is not None:
        answer = replace(answer, hardware=engine_rows(request, winner, fresh, progress))
    if file is None or winner is None:
        return answer
    total = _total(request, winner, file, fresh)
    return replace(answer, file=file_sentence(total, request.clock))


def answer_of(request: Request, found: Field) -> Answer:
    """The answer out of what was measured; milliseconds."""
    basis = trusted(request)
    told = basis.sentence
    choice = choose(request, found.asked, found.usable(), found.modelled(request))
    winner, worst, deadline = choice.winner, None, None
    if winner is not None:
        worst = worst_of_winner(request, winner, basis)
        deadline = deadline_answer(request, winner, worst, basis)
    return Answer(
        choice,
        verdict(choice, told),
        told,
        brief=(*brief(choice, basis), *([deadline.sentence] if deadline else [])),
        warnings=found.warnings,
        origin=found.origin,
        worst=worst,
        deadline=deadline,
    )


def answer_known(request: Request, cores: Sequence[str] | None = None) -> Answer | None:
    """The answer out of the atlas alone; milliseconds, and no compiler is needed.

    None where the atlas lacks a row or its lines are damaged: `fit` then answers.
    """
    names = ranked_cores(request.platform) if cores is None else cores
    found = field_known(request, names)
    return None if found is None else answer_of(request, found)


def evidence(request: Request) -> str:
    """What the cycles were checked against."""
    return trusted(request).sentence


def _total(request: Request, winner: Candidate, path: Path, fresh: bool) -> FileTotal:
    """What the file costs; the message at its end is measured at its own length."""
    messages, last_bytes, left_out = pieces(request, path.stat().st_size)
    last: Row | None = None
    if last_bytes:
        shorter = replace(request, bytes=last_bytes, ghash=winner.ghash)
        job = next(j for j in jobs(shorter, [winner.name], [winner.flags]) if j.op == "encrypt")
        text = text_of(path, messages * request.bytes, last_bytes)
        last = _priced(request, winner, measure(with_text([job], text), fresh=fresh)[0])
    cycles = file_cycles(winner, messages, last, request.messages_per_key)
    return FileTotal(path.name, request.bytes, messages, last_bytes, left_out, cycles)


def _priced(request: Request, winner: Candidate, measured: Result) -> Row:
    """The message at the end, with the misses that bursts expect."""
    if isinstance(measured, Refusal):
        raise RuntimeError(measured.reason)
    modelled = winner.costs.modelled
    if request.bursts is None or modelled is None:
        return measured
    return with_misses(measured, modelled, request.bursts)
