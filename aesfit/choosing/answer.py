# SPDX-License-Identifier: MIT
"""From a question to its answer: measure, choose, and put into words."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..atlas.origin import AtlasOrigin
from ..cachemodel.versions import ranked_cores
from ..counting.own import OwnFunction
from ..jobs.job import Progress, Row
from ..measuring.flat import FlatRow, Scalar, empty, flat
from ..measuring.measure import Refusal, Result, measure
from ..units import count, five_lines
from .asked import json_head, limits_json, question_json
from .brief import brief
from .deadline import DeadlineAnswer
from .engines import EngineRow, engine_rows, engines_told, hardware_json, none_compared
from .field import Field, field_known, field_of, measured_by, text_of, with_text
from .hints import hints_of
from .pricing import cycles, with_misses
from .ranking import Candidate, Choice, Dropped, choose
from .request import Flags, Request, jobs
from .whole_file import FileTotal, file_cycles, file_sentence, pieces
from .words import place, question, trusted, verdict
from .worst import WorstCase, deadline_answer, worst_of_winner, worst_told

if TYPE_CHECKING:
    from ..cachemodel.equations import Floats

_NOTHING_KNOWN = "No figure of this question is in the atlas or stored, and nothing was measured."


@dataclass(frozen=True, repr=False)
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
    no_engine: str = ""
    """Why none is there although they were asked for, in a sentence."""
    worst: WorstCase | None = None
    """Of one message of the winner; None where it is not known."""
    hints: tuple[str, ...] = ()
    """What would make a core fit that only a limit of sizes keeps from winning, a sentence each;
    empty unless asked for."""
    deadline: DeadlineAnswer | None = None
    """Whether the winner meets the deadline; None where none was asked for."""
    measured: Field | None = field(default=None, repr=False, compare=False)
    """What was measured, for `fit(earlier=...)`."""

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """Cores left out by `fit(only_known=True)`, because they would have to be measured."""
        return self.measured.unmeasured if self.measured else ()

    @property
    def measured_by(self) -> Hashable:
        """What the measurements depend on: of equal answers the same rows were measured."""
        return self.measured.about if self.measured else None

    @property
    def asked(self) -> str:
        """The question in words."""
        request = self.choice.request
        return f"{place(request)}: {question(request)}"

    def along(self, at: "Floats", cores: Collection[str] | None = None) -> "dict[str, Floats]":
        """Cycles of a message by core, for several lengths of bursts or messages under one key.

        `cores`: None for all that were measured.
        """
        choice = self.choice
        wanted = (one for one in choice.candidates if cores is None or one.name in cores)
        return {one.name: cycles(choice.request, one.costs, at) for one in wanted}

    def __repr__(self) -> str:
        """The question, and the verdict in brief."""
        asked = self.choice.request
        message = f"{asked.mode}, {count(asked.bytes)} bytes"
        return five_lines(f"Answer: {message}, {asked.platform.name}", self.brief)

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
        if self.hardware or self.no_engine:
            told["hardware"] = hardware_json(self.hardware)
        if self.deadline:
            told["deadline"] = self.deadline.as_json()
        if self.hints:
            told["hints"] = list(self.hints)
        if self.unmeasured:
            told["unmeasured"] = list(self.unmeasured)
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


def fit(  # long: its arguments, and what each means
    request: Request,
    cores: Sequence[str] | None = None,
    variants: Sequence[Flags] = (None,),
    *,
    also: Sequence[OwnFunction] = (),
    file: Path | None = None,
    fresh: bool = False,
    only_known: bool = False,
    earlier: Sequence[Answer] = (),
    explained: bool = False,
    hardware: bool = False,
    hints: bool = False,
    progress: Progress = lambda done, total: None,
) -> Answer:
    """Measure the cores, each with every variant of flags, and choose one of them.

    `cores`: None for those that compete unnamed.  `also`: functions of the user's own to rank
    beside them, measured first, so that a wrong one is told at once.  `only_known`: measure
    nothing.  `earlier`: answers, of which one may have been made of the same measurements.
    `explained` needs bursts in the request.  `hardware`: compare the winner with the chip's AES
    engines.
    RigUnavailableError says what is missing, and with which command it comes.
    """
    others = None
    if also:
        from .own_code import own_rows  # needs the emulator's packages

        others = own_rows(request, also, variants)
    names = ranked_cores(request.platform) if cores is None else cores
    about = measured_by(request, names, variants, file)
    found = _again(about, earlier, only_known) or field_of(
        request,
        names,
        variants,
        text=file,
        fresh=fresh,
        only_known=only_known,
        progress=progress,
    )
    answer = answer_of(request, found.with_others(others.rows) if others else found)
    if others:
        warnings = (*answer.warnings, *others.warnings)
        answer = replace(answer, also=tuple(also), warnings=warnings, measured=found)
    if explained:
        from .explanation import explain  # brings NumPy

        answer = replace(answer, explained=explain(answer.choice))
    if hints:
        answer = replace(answer, hints=hints_of(answer.choice, fresh, progress))
    winner = answer.choice.winner
    if hardware and winner is not None:
        rows, none = engine_rows(request, winner, fresh, progress), none_compared(request.platform)
        answer = replace(answer, hardware=rows, no_engine=none)
    if file is None or winner is None:
        return answer
    total = _total(request, winner, file, fresh)
    return replace(answer, file=file_sentence(total, request.clock))


def _again(about: Hashable, earlier: Sequence[Answer], only_known: bool) -> Field | None:
    """What was measured for an earlier answer, where it is all that a question needs."""
    able = (one.measured for one in earlier if only_known or not one.unmeasured)
    return next((found for found in able if found and found.about == about), None)


def answer_of(request: Request, found: Field) -> Answer:
    """The answer out of what was measured; milliseconds."""
    basis = trusted(request)
    told = basis.sentence
    choice = choose(request, found.asked, found.usable(), found.modelled(request))
    winner, worst, deadline = choice.winner, None, None
    if winner is not None:
        worst = worst_of_winner(request, winner, basis)
        deadline = deadline_answer(request, winner, worst, basis)
    sentence, lines = verdict(choice, told), brief(choice, basis)
    if found.unmeasured and not choice.candidates:
        sentence, lines = _NOTHING_KNOWN, (_NOTHING_KNOWN,)
    return Answer(
        choice,
        sentence,
        told,
        brief=(*lines, *([deadline.sentence] if deadline else [])),
        warnings=found.warnings,
        origin=found.origin,
        worst=worst,
        deadline=deadline,
        measured=found,
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
