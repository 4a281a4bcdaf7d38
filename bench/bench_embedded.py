# SPDX-License-Identifier: MIT
"""Print what the library needs on a small processor, each figure with its goal.

A row is data, in embedded_questions.py, which says what each kind of question is;
embedded_compiled.py answers those about flash and RAM, embedded_measured.py those about cycles.
To add a figure, add a row.  A row that misses its goal says so; it is not an error.
"""

import argparse
import json
from dataclasses import asdict, dataclass

from embedded_compiled import drop_in_of, files_of, key_of, linked, size_of, steps_of
from embedded_measured import hashed, measured, on_the_fly
from embedded_questions import (
    QUESTIONS,
    Asked,
    Context,
    DropInCode,
    DropInKey,
    Files,
    Hash,
    Measured,
    OnTheFly,
    Program,
    Steps,
)

RUN = (Hash, Measured, OnTheFly)
"""Questions that the emulator answers."""


@dataclass(frozen=True)
class Answer:
    """A row of the table."""

    name: str
    what: str
    unit: str
    goal: float | None
    value: float

    @property
    def met(self) -> bool | None:
        """The value is at most the goal; None without a goal."""
        return None if self.goal is None else self.value <= self.goal


def answered(asked: Asked) -> Answer:
    """The row of a question."""
    value, goal = answer_of(asked)
    return Answer(asked.name, asked.what, asked.unit, goal, value)


def answer_of(asked: Asked) -> tuple[float, float | None]:
    """The value, and the goal if the question measures that too."""
    match asked.question:
        case OnTheFly() as question:
            return on_the_fly(question)
        case Program() as question:
            value: float = linked(question)[1]
        case Context() as question:
            value = size_of(question)
        case DropInKey() as question:
            value = key_of(question)
        case Steps() as question:
            value = steps_of(question)
        case DropInCode() as question:
            value = drop_in_of(question)
        case Files() as question:
            value = files_of(question)
        case Hash() as question:
            value = hashed(question)
        case Measured() as question:
            value = measured(question)
    return value, asked.goal


def table(rows: list[Answer]) -> str:
    """The rows as lines of text."""
    wide = max(len(row.what) for row in rows)
    lines = [f"{'':{wide}}  {'value':>8} {'goal':>8}"]
    for row in rows:
        goal = "-" if row.goal is None else f"{row.goal:g}"
        verdict = "  missed" if row.met is False else ""
        lines.append(f"{row.what:{wide}}  {row.value:8g} {goal:>8}  {row.unit:6}{verdict}")
    return "\n".join(line.rstrip() for line in lines)


def main() -> None:
    """Answer every question."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sizes", action="store_true", help="leave out what runs on the emulator")
    options = parser.parse_args()
    asked = [one for one in QUESTIONS if not (options.sizes and isinstance(one.question, RUN))]
    rows = [answered(one) for one in asked]
    if options.json:
        print(json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=2))
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
