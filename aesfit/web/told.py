# SPDX-License-Identifier: MIT
"""An answer as it grows: lines of JSON, the last of which is whole.

Lines between partial answers say how far the work is; whoever reads them keeps the answer that was
there before.

The server waits for the steps of the work and the page for the next line, so that neither asks
again and again.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError

from starlette.concurrency import run_in_threadpool

from ..choosing.field import Field
from ..choosing.request import Request
from . import answers
from .schema import Measuring, PageAnswer, PageQuestion, Unavailable
from .works import Work, Works

MEDIA_TYPE = "application/x-ndjson"


class StepSignal:
    """Wakes a coroutine of the server when a work, in its own thread, has made a step."""

    def __init__(self) -> None:
        """For the event loop that runs here."""
        self._loop = asyncio.get_running_loop()
        self._made = asyncio.Event()

    def __call__(self) -> None:
        """Called by the work."""
        self._loop.call_soon_threadsafe(self._made.set)

    async def next(self) -> None:
        """Wait for a step that was made since the last one."""
        await self._made.wait()
        self._made.clear()


async def answered(
    question: PageQuestion, request: Request, page: str, works: Works
) -> AsyncIterator[bytes]:
    """Lines, ended by the answer or the reason why there is none.

    Raises BusyError before the first line, where too much waits already.
    """
    steps = StepSignal()
    key = answers.measured_by(request)
    work = works.ask(
        page,
        key,
        lambda progress: answers.measured(request, progress),
        steps,
        lambda done: answers.so_far(request, done),
    )
    return _lines(question, request, works, work, steps)


async def _lines(
    question: PageQuestion, request: Request, works: Works, work: Work, steps: StepSignal
) -> AsyncIterator[bytes]:
    told: Field | None = None
    try:
        while not work.finished:
            found: Field | None = work.so_far
            if found is None or found is told:
                yield _line(Measuring(done=work.done, total=work.total))
            else:
                told = found
                early = await run_in_threadpool(_so_far, question, request, work, found)
                if not work.finished:
                    yield _line(early)
            await steps.next()
        yield _line(await run_in_threadpool(_whole, question, request, work))
    finally:
        works.leave(work, steps)


def _line(told: PageAnswer | Measuring | Unavailable) -> bytes:
    return told.model_dump_json(by_alias=True).encode() + b"\n"


def _so_far(question: PageQuestion, request: Request, work: Work, found: Field) -> PageAnswer:
    """The answer out of the cores that are measured."""
    early = answers.answer(question, request, found)
    return early.model_copy(update={"state": "partial", "done": work.done, "total": work.total})


def _whole(question: PageQuestion, request: Request, work: Work) -> PageAnswer | Unavailable:
    try:
        return answers.answer(question, request, work.future.result())
    except (CancelledError, OSError, RuntimeError, ValueError) as error:
        return Unavailable(reason=str(error))
