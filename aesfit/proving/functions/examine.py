# SPDX-License-Identifier: MIT
"""Examines a function of a user's files: links them, places arguments, runs, and judges."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ...counting.foreign import Function, function_in
from ...errors import ArgumentError
from ...platforms.platform import Platform
from ..answer import ProvedStatement
from ..calls import Calls, Saved, stack_of
from ..collecting import uncollected
from ..convention import CONVENTIONS
from ..domain import Value
from ..findings import OF_SECRETS, StuckError
from ..image import ProofImage, assumed, read_image
from ..left import left_statement
from ..state import Extent, State
from ..variable_time import timed_on
from .follow import FunctionExecutor, FunctionState
from .places import FunctionCode
from .stubs import Stub
from .traced import TracedBits, Trail
from .verdict import FunctionVerdict, Verdict, finding_of
from .words import FunctionArgument, MemoryPart, symbols

_PRESERVED = 0xA5A5_0000
"""Preserved registers hold numbers of their own."""


@dataclass(frozen=True)
class FunctionQuestion:
    """What is asked."""

    files: tuple[Path, ...]
    function: str
    texts: tuple[str, ...]
    """The arguments as the user gave them."""
    arguments: tuple[FunctionArgument, ...]
    stubs: tuple[Stub, ...]
    values: Mapping[str, int]
    """What variables hold."""
    limit: int


def examine(platform: Platform, asked: FunctionQuestion) -> FunctionVerdict:
    """The verdict; ValueError where files, names or arguments do not fit."""
    if not platform.emulated or platform.isa not in CONVENTIONS:
        raise ArgumentError(
            "functions of {} cannot be followed; name an emulated ARM or RV32 platform, such as "
            "cortex-m3",
            platform.name,
        )
    with ExitStack() as kept:
        called = _linked(kept, platform, asked)
        image = assumed(read_image(called.image, platform.isa, whole=True), asked.values)
        return _examined(platform, asked, called, image)


def _linked(kept: ExitStack, platform: Platform, asked: FunctionQuestion) -> Function:
    """The function in an image; what does not link is the user's error."""
    absent, named = tuple(one.name for one in asked.stubs), symbols(asked.arguments)
    linked = function_in(platform, asked.files, asked.function, named, absent)
    try:
        return kept.enter_context(linked)
    except RuntimeError as error:
        hint = "; or say what it does with {stubs}" if "undefined" in str(error) else ""
        raise ArgumentError("{}" + hint, error) from None


def _examined(
    platform: Platform, asked: FunctionQuestion, called: Function, image: ProofImage
) -> FunctionVerdict:
    code, domain = FunctionCode(image), TracedBits()
    executor = FunctionExecutor(
        code,
        domain,
        stack=stack_of(image),
        timed=timed_on(platform, image),
        stubs={_entry(image, one.name): one for one in asked.stubs},
        limit=asked.limit,
    )
    calls = Calls(executor, _saved_by(executor))
    ended: list[State] = []
    with uncollected():
        try:
            ended = _run(calls, domain, asked, called.address)
        except StuckError as stuck:
            executor.followed.left_out.setdefault(str(stuck))
        except RecursionError:
            executor.followed.left_out.setdefault("branches on secrets are nested too deeply")
        left = left_statement(calls, "", ended, "" if ended else "-", promised=False, status=True)
    return _verdict(platform, asked, called, executor, left)


def _entry(image: ProofImage, name: str) -> int:
    with_mode = image.symbol(name)
    return with_mode & ~1 if image.isa.startswith("arm") else with_mode


def _run(calls: Calls, domain: TracedBits, asked: FunctionQuestion, entry: int) -> list[State]:
    """The state in which the function returns."""
    executor = calls.executor
    assert isinstance(executor, FunctionExecutor)  # noqa: S101 - the caller made it
    state = executor.fresh()
    placed = _Placed(calls, domain, state)
    words = [placed.argument(at, one) for at, one in enumerate(asked.arguments)]
    executor.secret_words = placed.secret_words
    variables = [Extent(first, last - first + 1) for first, last in executor.image.changing]
    return executor.call(state, entry, words, (*placed.writable, *variables), _saved_by(executor))


def _saved_by(executor: FunctionExecutor) -> Saved:
    names = executor.convention.preserved
    return lambda name: _PRESERVED + names.index(name) if name in names else 0


class _Placed:
    """Arguments in memory."""

    def __init__(self, calls: Calls, domain: TracedBits, state: FunctionState) -> None:
        self._calls, self._domain, self._state = calls, domain, state
        self._image = calls.executor.image
        self.writable: list[Extent] = []
        self.secret_words: dict[int, Value] = {}
        self._words: list[int] = []

    def argument(self, at: int, one: FunctionArgument) -> int:
        """The value of an argument."""
        name = f"argument {at + 1}"
        word = one.word
        if one.same is not None:
            word = self._words[one.same]
        elif one.target is not None:
            word = self._area(name, one.target)
        elif one.symbol:
            word = self._image.symbol(one.symbol)
        elif one.secret:
            self.secret_words[at] = self._domain.secret(32, Trail(0, None, name))
        self._words.append(word)
        return word

    def _area(self, name: str, parts: Sequence[MemoryPart]) -> int:
        """Address of parts that lie one behind the other."""
        extent = self._calls.room(sum(len(one.content) for one in parts))
        self.writable.append(extent)
        at = extent.start
        for one in parts:
            offset = at - extent.start
            content = one.content
            if one.target is not None:
                inner = self._area(f"{name}, pointer at byte {offset}", one.target)
                content = inner.to_bytes(len(content), "little")
            if one.symbol:
                content = self._image.symbol(one.symbol).to_bytes(len(content), "little")
            values: list[Value] = list(content)
            if one.secret:
                values = [
                    self._domain.secret(8, Trail(0, None, f"{name}, byte {offset + byte}"))
                    for byte in range(len(content))
                ]
            self._calls.put(self._state, at, values)
            at += len(content)
        return extent.start


def _verdict(
    platform: Platform,
    asked: FunctionQuestion,
    called: Function,
    executor: FunctionExecutor,
    left: ProvedStatement,
) -> FunctionVerdict:
    code, followed = executor.code, executor.followed
    found = sorted(executor.found.values(), key=lambda one: (one.address, one.kind))
    findings = [finding_of(code, one, followed.met[one.kind, one.address]) for one in found]
    return FunctionVerdict(
        platform=platform.name,
        function=asked.function,
        files=tuple(map(str, asked.files)),
        arguments=asked.texts,
        verdict=_judged(executor),
        findings=tuple(findings),
        not_followed=tuple(followed.left_out),
        assumed=_assumed(asked, executor),
        left=left.left,
        registers=left.registers,
        instructions=executor.instructions,
        image_sha256=executor.image.sha256,
        warnings=called.warnings,
    )


def _judged(executor: FunctionExecutor) -> Verdict:
    if any(kind in OF_SECRETS for kind, _ in executor.found):
        return "depends"
    return "not shown" if executor.found or executor.followed.left_out else "independent"


def _assumed(asked: FunctionQuestion, executor: FunctionExecutor) -> tuple[str, ...]:
    """What the answer rests on."""
    stubs = [one.told for one in asked.stubs if one.name in executor.followed.stubs]
    return (*stubs, *(f"{name} = {value}" for name, value in asked.values.items()))
