# SPDX-License-Identifier: MIT
"""What is traced: the block function of a core, or a function of the user's files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..building import build
from ..counting.arguments import Symbol
from ..counting.call import place
from ..counting.foreign import Function, function_in
from ..jobs import message
from ..jobs.job import Job
from ..measuring import bursts
from ..platforms.platform import Platform
from ..proving.masked.shared import SharedArgument
from ..rigs.firing import WrongOutputError
from .observed import ObservedMachine


class TracedSubject(Protocol):
    """A function whose calls take one path."""

    machine: ObservedMachine
    fixed_is: str
    """What is fixed in one half of the calls of a t-test, in words."""

    def run(self, draw: np.random.Generator, *, fixed: bool) -> NDArray[np.uint32]:
        """The values of one call, over fixed or random secrets."""


class CoreSubject:
    """One block, encrypted under one key; its text is fixed or random."""

    fixed_is = "the plain text; the key is one and the same"

    def __init__(self, platform: Platform, core: str, number: int = 0) -> None:
        """Build the core's image, and set up the key of a number."""
        self.job = core_job(platform, core)
        self.machine = ObservedMachine(build.build(self.job).elf, platform)
        self.key = message.made_up(f"power key {number}", 16)
        self.text = self._fixed = message.made_up(f"power text {number}", 16)
        run = bursts.prepare_texts(self.job, self.key, self._fixed, self.machine)
        run.call()
        self._run, self._reference = run, _native.AES(self.key, "tableless")
        self.machine.follow(run.work, *run.arguments[1])

    def run(self, draw: np.random.Generator, *, fixed: bool) -> NDArray[np.uint32]:
        """The values of one call; `text` is what it encrypted."""
        self.text = self._fixed if fixed else draw.bytes(16)
        run, machine = self._run, self.machine
        machine.write(run.source, self.text)
        machine.write(run.target, bytes(16))
        values = machine.observe(run.work, *run.arguments[1])
        if machine.read(run.target, 16) != self._reference.encrypt_block(self.text):
            raise WrongOutputError(f"{self.job.core} on {self.job.platform.name} computed no AES")
        return values


def core_job(platform: Platform, core: str) -> Job:
    """The job whose block function is traced."""
    return bursts.burst_job(platform, core, 128, "encrypt-block", None, 1)


class FunctionSubject:
    """A function over secrets, shares and random values; its secrets are fixed or random."""

    fixed_is = "all secrets; shares and random values are fresh in every call"

    def __init__(
        self, platform: Platform, called: Function, arguments: Sequence[SharedArgument]
    ) -> None:
        """Place the arguments, and learn the path of a call."""
        self.machine, self.image = ObservedMachine(called.image, platform), called.image
        self._entry, self._arguments = called.address, tuple(arguments)
        given = [one.given for one in arguments]
        self._values, self._places = place(self.machine, given)
        start = np.random.default_rng(list(called.name.encode()))
        self.fixed = self._secrets(start)
        self._put(start, self.fixed)
        self._kept = {
            at: self.machine.read(self._places[at], one.size)
            for at, one in enumerate(arguments)
            if at in self._places and one.role == "public"
        }
        self.machine.follow(self._entry, *self._values)

    def _secrets(self, draw: np.random.Generator) -> dict[str, bytes]:
        """A value for each secret, by its name or its position."""
        return {
            one.name or str(at): draw.bytes(one.size)
            for at, one in enumerate(self._arguments)
            if one.role in ("secret", "share")
        }

    def _put(self, draw: np.random.Generator, secrets: dict[str, bytes]) -> None:
        """Write secrets, shares that are their XOR, and random values."""
        left = dict(secrets)
        last = {one.name: at for at, one in enumerate(self._arguments) if one.role == "share"}
        for at, one in enumerate(self._arguments):
            if one.role == "public":
                continue
            name = one.name or str(at)
            content = left[name] if one.role == "secret" else draw.bytes(one.size)
            if one.role == "share" and last[name] == at:
                content = left[name]
            elif one.role == "share":
                left[name] = bytes(x ^ y for x, y in zip(left[name], content, strict=True))
            if one.is_word:
                self._values[at] = int.from_bytes(content, "little")
            else:
                self.machine.write(self._places[at], content)

    def run(self, draw: np.random.Generator, *, fixed: bool) -> NDArray[np.uint32]:
        """The values of one call; buffers of the caller begin as they were."""
        for at, content in self._kept.items():
            self.machine.write(self._places[at], content)
        self._put(draw, self.fixed if fixed else self._secrets(draw))
        return self.machine.observe(self._entry, *self._values)


@contextmanager
def function_subject(
    platform: Platform, files: Sequence[Path], name: str, arguments: Sequence[SharedArgument]
) -> Iterator[FunctionSubject]:
    """A function of the user's files, linked if need be."""
    named = tuple(one.given.name for one in arguments if isinstance(one.given, Symbol))
    with function_in(platform, files, name, named) as called:
        yield FunctionSubject(platform, called, arguments)
