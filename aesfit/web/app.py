# SPDX-License-Identifier: MIT
"""The application: the page's own files, and the API under /api.

A question is a POST with the token that the page was given, as an answer may take seconds of
compiling and measuring; guard.py says who may start them.  Nothing is fetched from elsewhere, and
nothing outside the page's own folder is served.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import FastAPI, Header, HTTPException, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from fastapi.staticfiles import StaticFiles

from .._native import version as __version__
from ..errors import ArgumentError
from . import answers
from .guard import TOKEN_HEADER, Guarded
from .offers import Offers
from .schema import Choices, Measuring, PageAnswer, PageQuestion, Unavailable
from .told import MEDIA_TYPE, answered
from .works import BusyError, Works

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
_STATIC = Path(__file__).parent / "static"


def _wrong(sentence: str, question: PageQuestion) -> RequestValidationError:
    """The form of pydantic's own complaints, for what depends on several fields at once."""
    told = {"type": "value_error", "loc": ("query",), "msg": sentence, "input": question.platform}
    return RequestValidationError([told])


def create_app(hosts: Sequence[str] = LOOPBACK) -> FastAPI:
    """Make the application; it answers requests that name one of `hosts` (guard.py)."""
    works, token, offers = Works(), token_urlsafe(), Offers()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        offers.prepare(works)
        yield
        works.close()

    app = FastAPI(
        title="aesfit", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    app.add_middleware(Guarded, hosts=hosts)
    _routes(app, works, token, offers)
    app.mount("/", StaticFiles(directory=_STATIC, html=True), name="page")
    return app


def _routes(app: FastAPI, works: Works, token: str, offers: Offers) -> None:
    @app.get("/api/choices")
    def choices() -> Choices:
        """Platforms, modes and payloads that can be picked, and the token of this server."""
        return offers.choices(token)

    @app.post(
        "/api/answer",
        response_class=StreamingResponse,
        responses={200: {"model": PageAnswer | Measuring | Unavailable}},
    )
    async def answer(
        question: Annotated[PageQuestion, Query()],
        given: Annotated[str, Header(alias=TOKEN_HEADER)] = "",
    ) -> Any:  # noqa: ANN401
        """Which core to take: lines of JSON, as more cores are measured; the last one is whole.

        403 without a token of /api/choices, 429 while too many other questions wait.
        """
        if not compare_digest(given.encode(), token.encode()):
            raise HTTPException(403, "this page is from an earlier aesfit serve; reload it")
        try:
            lines = await answered(question, works)
        except ArgumentError as error:
            raise _wrong(error.told(answers.named), question) from None
        except BusyError as error:
            raise HTTPException(429, f"{error}") from None
        return StreamingResponse(lines, media_type=MEDIA_TYPE)
