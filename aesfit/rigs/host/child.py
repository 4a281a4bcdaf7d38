# SPDX-License-Identifier: MIT
"""Programs that run one operation on this processor in a process of their own.

Each is the measured translation unit with host_main.c around it.  32-bit code can be timed
only so, and only so can valgrind count the instructions of one operation.
"""

import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO

from ...building import build
from ...jobs.job import Job
from ...store.files import beside
from ..rig import RigUnavailableError
from .exercise import HostExercise
from .pace import Batch

(_MAIN,) = beside(__file__, "host_main.c")
_FLAGS = ("-fno-pic", "-no-pie", "-fno-asynchronous-unwind-tables", "-fno-stack-protector")
_TAG_BYTES = 16
_SHUT_DOWN_SECONDS = 5.0
VALGRIND_HELP = "valgrind counts the instructions: apt-get install valgrind"


class ChildError(RuntimeError):
    """A program did not do what it should; the message is its own."""


def program_of(job: Job) -> Path:
    """The program of a job, built or taken from the cache."""
    return build.compile_unit(job, [_MAIN], _FLAGS)


def request_of(exercise: HostExercise) -> bytes:
    """What the program reads first; host_main.c tells the format."""
    first, second = exercise.first, exercise.second
    # An encrypting call must write the tag, so it is not given it.
    tag = first.tag if exercise.op == "decrypt" else b""
    parts = (first.key, first.nonce, first.ad, first.data, second.data)
    room = max(first.out_size, second.out_size)
    numbers = (first.nonce_word, first.ad_bytes, room, *map(len, parts), len(first.tag))
    tags = (one.ljust(_TAG_BYTES, b"\0") for one in (tag, second.tag))
    return " ".join(map(str, numbers)).encode() + b"\n" + b"".join((*parts, *tags))


def result_of(exercise: HostExercise, answer: bytes) -> bytes:
    """What came out, in the form of Exercise.result."""
    first, second = exercise.first, exercise.second
    room = max(first.out_size, second.out_size)
    blocks, rest = answer[: len(first.data)], answer[len(first.data) :]
    if exercise.op.endswith("-block") or exercise.op in ("key-setup-encrypt", "key-setup-decrypt"):
        return blocks
    tag = b"" if exercise.op == "decrypt" else rest[room : room + len(first.tag)]
    opened = rest[room + _TAG_BYTES :][: len(second.out)]
    return rest[: len(first.out)] + tag + opened


@dataclass(frozen=True)
class CallTimes:
    """Calls that were timed one by one, in nanoseconds."""

    least_window: int
    """The least of as many windows with nothing in them: what the clock itself takes."""
    calls: tuple[int, ...]
    processor: int
    """Time of the processor that the program had; less than all calls took where others ran."""


class Child:
    """A running program; close it, or use it as a context manager."""

    def __init__(self, program: Path, exercise: HostExercise, file: Path | None = None) -> None:
        """Start it and give it its exercise, and the file that holds its data, if any does."""
        self._exercise = exercise
        self._file = file
        pipe = subprocess.PIPE
        arguments = [exercise.op] if file is None else [exercise.op, file]
        self._process = subprocess.Popen(  # noqa: S603
            [program, *arguments], stdin=pipe, stdout=pipe, stderr=pipe
        )
        self._say(request_of(exercise))

    def __enter__(self) -> "Child":
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End the program."""
        try:
            self._process.communicate(timeout=_SHUT_DOWN_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def run(self, calls: int) -> Batch:
        """One batch."""
        self._say(f"run {calls}\n".encode())
        ticks, probe, core_cycles, instructions, counted = map(int, self._line().split())
        if not counted:
            return Batch(ticks, probe)
        return Batch(ticks, probe, core_cycles, instructions)

    def time(self, calls: int, *, load: bool = False) -> CallTimes:
        """Calls on the same message; with `load` each reads its data from the file first."""
        if load and self._file is None:
            raise ValueError("there is no file to read from")
        self._say(f"{'load' if load else 'time'} {calls}\n".encode())
        numbers = tuple(map(int, self._line().split()))
        if len(numbers) != calls + 2:  # it ended before its line did
            self._fail()
        return CallTimes(numbers[0], numbers[1:-1], numbers[-1])

    def output(self) -> bytes:
        """What one call makes of the exercise, in the form of Exercise.result."""
        self._say(b"output\n")
        status, size = map(int, self._line().split())
        answer = self._out().read(size)
        if status != 0:
            raise ChildError(f"{self._exercise.op} failed with status {status}")
        return result_of(self._exercise, answer)

    def _say(self, what: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(what)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()

    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None  # noqa: S101
        return self._process.stdout

    def _line(self) -> bytes:
        return self._out().readline() or self._fail()

    def _fail(self) -> bytes:
        _, told = self._process.communicate()
        how = f"it ended with {self._process.returncode}"
        raise ChildError(told.decode(errors="replace").strip() or how)


def why_not_valgrind() -> str | None:
    """None when callgrind is there; else a sentence with the command that would help."""
    return None if shutil.which("valgrind") else VALGRIND_HELP


@cache
def valgrind_version() -> str:
    """What `valgrind --version` says; empty where it is missing."""
    if why_not_valgrind():
        return ""
    command = ["valgrind", "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603


def count_instructions(job: Job, exercise: HostExercise) -> int:
    """Instructions of one call, by callgrind: the same in every run."""
    reason = why_not_valgrind()
    if reason:
        raise RigUnavailableError(reason)
    toggles = (f"--toggle-collect={name}" for name in (*build.measured(job), *_aliased(job)))
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *toggles]
    command += [str(program_of(job)), exercise.op]
    done = subprocess.run(  # noqa: S603
        command, input=request_of(exercise) + b"output\n", capture_output=True, check=False
    )
    told = done.stderr.decode(errors="replace")
    found = re.search(r"Collected : (\d+)", told)
    if done.returncode != 0 or found is None or int(found[1]) == 0:
        raise ChildError(f"callgrind counted nothing (command: {shlex.join(command)})")
    return int(found[1])


def _aliased(job: Job) -> tuple[str, ...]:
    """The other name of a core's function, of which valgrind shows one."""
    return (f"{job.core}_{job.op.removesuffix('-block')}",) if job.op.endswith("-block") else ()
