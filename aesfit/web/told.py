# SPDX-License-Identifier: MIT
"""An answer as it is sent: lines of JSON while it is measured, the last one whole."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError

from starlette.concurrency import run_in_threadpool

from ..choosing.request import Request
from . import answers
from .schema import Measuring, PageAnswer, PageQuestion, Unavailable
from .works import Work, Works

MEDIA_TYPE = "application/x-ndjson"
_LOOK_SECONDS = 0.05
"""Between two looks at how far a work is; its end is heard of at once."""


async def answered(question: PageQuestion, request: Request, works: Works) -> AsyncIterator[bytes]:
    """Lines, ended by the answer or the reason why there is none.

    Raises BusyError before the first line, where too much waits already.
    """
    work = works.ask(
        answers.measured_by(request),
        lambda progress: answers.measured(request, progress),
        lambda done: answers.so_far(request, done),
    )
    return _lines(question, request, works, work)


async def _lines(
    question: PageQuestion, request: Request, works: Works, work: Work
) -> AsyncIterator[bytes]:
    ended = asyncio.wrap_future(work.future)
    # _whole() reports an error; asyncio prints one that nobody has looked at.
    ended.add_done_callback(lambda one: one.cancelled() or one.exception())
    told: tuple[int, object] | None = None
    try:
        while not work.future.done() and not works.ended:
            found, steps = work.so_far, work.done
            if found is not None and (told is None or found is not told[1]):
                yield _line(await run_in_threadpool(_so_far, question, request, work))
            elif (steps, found) != told:
                yield _line(Measuring(done=work.done, total=work.total))
            told = steps, found
            await asyncio.wait([ended], timeout=_LOOK_SECONDS)
        yield _line(await run_in_threadpool(_whole, question, request, works, work))
    finally:
        works.leave(work)


def _line(told: PageAnswer | Measuring | Unavailable) -> bytes:
    return told.model_dump_json(by_alias=True).encode() + b"\n"


def _so_far(question: PageQuestion, request: Request, work: Work) -> PageAnswer:
    """The answer out of the cores that are measured."""
    early = answers.answer(question, request, work.so_far)
    return early.model_copy(update={"state": "partial", "done": work.done, "total": work.total})


def _whole(
    question: PageQuestion, request: Request, works: Works, work: Work
) -> PageAnswer | Unavailable:
    try:
        works.check()
        return answers.answer(question, request, work.future.result())
    except (CancelledError, OSError, RuntimeError, ValueError) as error:
        return Unavailable(reason=str(error))
