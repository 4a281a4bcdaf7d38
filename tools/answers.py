#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ask the command line the questions of tests/answers/questions.toml, and compare what it answers.

The answers are stored in tests/answers/answers.txt.  Each difference is printed, and the exit code
is then 1; `--write` stores the answers anew, and git shows what a change of the project did to
them.  They do not depend on the store, on the order of the questions or on this computer, apart
from its cross-compilers, whose versions the file names.
"""

import argparse
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from traceback import format_exc

from answers_file import Answer, Question, chosen, compilers_of, questions, read, renewed, text
from answers_text import changes, compilers_in, lines_of

from aesfit.cli import main as aesfit
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.catalog import experiments
from aesfit_papers.judging.run import judged, stored
from aesfit_papers.judging.told import verdict_told

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "tests" / "answers" / "questions.toml"
ANSWERS = ROOT / "tests" / "answers" / "answers.txt"
OWN_CODE = ROOT / "tests" / "python" / "counting" / "foreign_aes.c"
"""Functions that questions of `count` call, compiled for the platform after which an object is
named.
"""
FAILING = "refused"
"""The group of questions that are expected to fail."""
RAISED = -1
"""In place of the exit code of a command that ended in a traceback."""
MOST = 20
"""Lines that are printed of an answer; `--write` and git show all."""
_OBJECT = re.compile(r"[\w-]+\.o\b")


@dataclass(frozen=True)
class Reply:
    """What a command printed, as it did."""

    code: int
    output: str
    complaint: str


@contextmanager
def settings() -> Iterator[None]:
    """A folder of its own, without the user's boards, progress and width of terminal."""
    before = dict(os.environ), list(sys.argv)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ.update(AESFIT_CONFIG=folder, AESFIT_PROGRESS="never", COLUMNS="1000")
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before[0])
            sys.argv[:] = before[1]


def asked(command: str) -> Reply:
    """Run a command within settings(), in this process: to start a hundred takes a minute."""
    sys.argv[:] = shlex.split(command)
    code, output, complaint = 0, io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(complaint):
        try:
            for name in _OBJECT.findall(command):
                compile_own(Path(name))
            OTHERS.get(command, aesfit)()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:  # whatever it is, it is told as the answer to this question
            code = RAISED
            complaint.write(format_exc().splitlines()[-1])
    return Reply(code, output.getvalue(), complaint.getvalue())


def compile_own(target: Path) -> None:
    """Compile our functions for the platform that the object is named by, as `cortex-m3.o`."""
    compiler = platform_named(target.stem).compiler
    source = shutil.copy(OWN_CODE, ".")  # a path in the object would be that of this checkout
    command = [compiler.command, *compiler.target, "-O2", "-ffreestanding", "-c", source]
    subprocess.run([*command, "-o", str(target)], check=True)  # noqa: S603 - our own words


def print_verdicts() -> None:
    """Every stored verdict, which no command prints without measuring."""
    found = [(one, stored(one)) for one in experiments()]
    told = [
        f"{one.name}: {verdict_told(each.verdict)}: {each.claim.sentence}"
        for one, measured in found
        for each in judged(one, measured.rows if measured else ())
    ]
    print(json.dumps(told))


OTHERS: Mapping[str, Callable[[], None]] = {"stored verdicts": print_verdicts}
"""What is asked of the package, where the command line has no such verb."""


def failure(question: Question, reply: Reply) -> str | None:
    """A sentence if a command failed that should not, or did not fail that should."""
    if (reply.code > 0) == (question.group == FAILING) and reply.code != RAISED:
        return None
    said = " ".join(reply.complaint.split()) or "it said nothing"
    how = "raised an exception" if reply.code == RAISED else f"ended with exit code {reply.code}"
    return f"{question.name} {how}: {said}"


def difference(name: str, before: Answer | None, now: Answer | None) -> list[str]:
    """Lines that tell how an answer changed; none where it did not."""
    if before == now:
        return []
    if before is None:
        return [f"[{name}] is not stored yet"]
    if now is None:
        return [f"[{name}] is stored, and asked no longer"]
    told = changes([before.command, *before.lines], [now.command, *now.lines])
    more = [f"... and {len(told) - MOST} lines more"] if len(told) > MOST else []
    return [f"[{name}] {now.command}", *told[:MOST], *more]


def all_differences(before: Mapping[str, Answer], now: Mapping[str, Answer]) -> list[str]:
    """How answers changed, those included that only one side has."""
    names = [*now, *(name for name in before if name not in now)]
    return [line for name in names for line in difference(name, before.get(name), now.get(name))]


@dataclass(frozen=True)
class Asked:
    """Questions with the replies to them."""

    replies: tuple[tuple[Question, Reply], ...]

    @property
    def answers(self) -> dict[str, Answer]:
        """By the names of the questions."""
        return {
            one.name: Answer(one.command, lines_of(reply.code, reply.output, reply.complaint))
            for one, reply in self.replies
        }

    @property
    def failures(self) -> list[str]:
        """Sentences on commands that failed unexpectedly, or did not fail."""
        return [told for told in starmap(failure, self.replies) if told]

    @property
    def compilers(self) -> set[str]:
        """Those that the answers name."""
        return {name for _, reply in self.replies for name in compilers_in(reply.output)}


def ask(some: Sequence[Question]) -> Asked:
    """Ask one question after the other."""
    with settings():
        return Asked(tuple((one, asked(one.command)) for one in some))


def told(found: Asked, every: Sequence[Question], path: Path) -> list[str]:
    """How the answers differ from those in the file."""
    now = found.answers
    left_out = {one.name for one in every} - now.keys()
    before = {name: one for name, one in read(path).items() if name not in left_out}
    lines = all_differences(before, now)
    others = found.compilers - compilers_of(path)
    if lines and others:
        lines.append(f"the stored answers are not of {', '.join(sorted(others))}")
    return lines


def options() -> argparse.ArgumentParser:
    """What the script can be called with."""
    parser = argparse.ArgumentParser(description="Ask fixed questions, and compare the answers.")
    parser.add_argument("names", nargs="*", help="questions or their groups, as fit; all if none")
    parser.add_argument("--write", action="store_true", help="store the answers")
    parser.add_argument("--quick", action="store_true", help="leave out those marked as slow")
    parser.add_argument("--list", action="store_true", help="print the questions, and ask none")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="the file of questions")
    parser.add_argument("--answers", type=Path, default=ANSWERS, help="the file of answers")
    return parser


def main() -> int:
    """Compare or store; 1 if an answer changed or a command failed, 2 for a wrong name."""
    given = options().parse_args()
    every = questions(given.questions)
    try:
        some = chosen(every, given.names, quick=given.quick)
    except ValueError as error:
        print(f"answers: {error}", file=sys.stderr)
        return 2
    if given.list:
        print("\n".join(f"[{one.name}] {one.command}" for one in some))
        return 0
    found = ask(some)
    for sentence in found.failures:
        print(f"answers: {sentence}", file=sys.stderr)
    if given.write:
        if not found.failures:
            write(found, every, given.answers)
        return int(bool(found.failures))
    lines = told(found, every, given.answers)
    print("\n".join(lines), end="\n" if lines else "")
    return int(bool(lines or found.failures))


def write(found: Asked, every: Sequence[Question], path: Path) -> None:
    """Put the answers into the file, beside those to the other questions."""
    now = found.answers
    others = compilers_of(path) if len(now) < len(every) else set()
    answers = renewed(every, read(path), now)
    path.write_text(text(answers, found.compilers | others), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
