# SPDX-License-Identifier: MIT
"""An answer as it is sent: lines of JSON while it is measured, the last one whole."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import CancelledError

from starlette.concurrency import run_in_threadpool

from ..choosing.answer import Answer
from . import answers
from .schema import Measuring, PageAnswer, PageQuestion, Unavailable
from .works import Work, Works

MEDIA_TYPE = "application/x-ndjson"
_LOOK_SECONDS = 0.05
"""Between two looks at how far a work is; its end is heard of at once."""


async def answered(question: PageQuestion, works: Works) -> AsyncIterator[bytes]:
    """Lines, ended by the answer or the reason why there is none.

    Raises, before the first line, ValueError for what cannot be answered, and BusyError where too
    much waits already.
    """
    try:
        known = await run_in_threadpool(_known, question, works.results())
    except (OSError, RuntimeError) as error:
        return _at_once(Unavailable(reason=str(error)))
    if not known.unmeasured:
        works.keep(known.measured_by, known)
        return _at_once(await run_in_threadpool(answers.shown, question, known))
    work = works.ask(
        known.measured_by,
        lambda progress: answers.answer(question, progress=progress),
        lambda: answers.early(question),
    )
    return _lines(question, works, work)


def _known(question: PageQuestion, earlier: Sequence[Answer]) -> Answer:
    return answers.answer(question, earlier, only_known=True)


async def _at_once(told: PageAnswer | Unavailable) -> AsyncIterator[bytes]:
    yield _line(told)


async def _lines(question: PageQuestion, works: Works, work: Work) -> AsyncIterator[bytes]:
    ended = asyncio.wrap_future(work.future)
    # _whole() reports an error; asyncio prints one that nobody has looked at.
    ended.add_done_callback(lambda one: one.cancelled() or one.exception())
    told: tuple[int, object] | None = None
    try:
        while not work.future.done() and not works.ended:
            found, steps = work.so_far, work.done
            if found is not None and (told is None or found is not told[1]):
                yield _line(await run_in_threadpool(_so_far, question, work))
            elif (steps, found) != told:
                yield _line(Measuring(done=work.done, total=work.total))
            told = steps, found
            await asyncio.wait([ended], timeout=_LOOK_SECONDS)
        yield _line(await run_in_threadpool(_whole, question, works, work))
    finally:
        works.leave(work)


def _line(told: PageAnswer | Measuring | Unavailable) -> bytes:
    return told.model_dump_json(by_alias=True).encode() + b"\n"


def _so_far(question: PageQuestion, work: Work) -> PageAnswer:
    """The answer out of the cores that are measured."""
    found = answers.shown(question, answers.answer(question, [work.so_far], only_known=True))
    return found.model_copy(update={"state": "partial", "done": work.done, "total": work.total})


def _whole(question: PageQuestion, works: Works, work: Work) -> PageAnswer | Unavailable:
    try:
        works.check()
        return answers.shown(question, answers.answer(question, [work.future.result()]))
    except (CancelledError, OSError, RuntimeError, ValueError) as error:
        return Unavailable(reason=str(error))
