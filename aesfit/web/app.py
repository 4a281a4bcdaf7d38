# SPDX-License-Identifier: MIT
"""The application: the page's own files, Plotly's script, and the API under /api.

A question is a POST with the token that the page was given, as an answer may take seconds of
compiling and measuring; guard.py says who may start them.  Nothing is fetched from elsewhere, and
nothing outside the page's own folder is served but that one script of the installed package.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Header, HTTPException, Query, Response
from fastapi import Request as Received
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.base import RequestResponseEndpoint

from .._native import version as __version__
from ..choosing.request import BLOCK, MODES, Request, default_mode, models_misses
from ..platforms.find import platforms
from ..platforms.platform import Platform
from ..rigs import why_not
from . import answers
from .guard import TOKEN_HEADER, Tokens, refusal
from .schema import PAYLOADS, Choices, Measuring, Offered, PageAnswer, PageQuestion, Unavailable
from .works import BusyError, Going, Works

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
_STATIC = Path(__file__).parent / "static"
_HEADERS = {
    # Plotly writes style attributes and draws pictures through data and blob addresses.
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


_GROUPS = (
    "Published",
    "Processors with a data cache",
    "Processors with ideal memory",
    "Chips at their highest clock",
    "Soft cores",
    "This computer",
)
"""Those with sliders for their data cache come first."""


def plotly_script() -> Path:
    """Plotly's JavaScript, from the installed Python package."""
    return Path(str(files("plotly") / "package_data" / "plotly.min.js"))


def _offered(platform: Platform) -> Offered:
    cached = models_misses(platform)
    cache, penalty = answers.offered_cache(platform) if cached else (None, None)
    published = platform.rig == "published"
    return Offered(
        name=platform.name,
        title=platform.title,
        kind="cached" if cached else "messages",
        group=_group(platform),
        published=published,
        modes=_modes(platform),
        mode=default_mode(platform),
        cache=cache,
        penalty=penalty,
        unavailable=None if published else why_not(platform),
    )


def _modes(platform: Platform) -> list[str]:
    """Those that the chooser answers for there."""
    return [BLOCK] if platform.rig == "published" else list(MODES)


def _group(platform: Platform) -> str:
    """The heading under which the page lists a platform; one of _GROUPS."""
    published, cached, ideal, chips, soft, host = _GROUPS
    if platform.rig in ("published", "host"):
        return published if platform.rig == "published" else host
    if platform.kind == "processor":
        return cached if models_misses(platform) else ideal
    return chips if platform.chip is not None else soft


def _listed() -> list[Platform]:
    """Group by group."""
    return sorted(platforms(), key=lambda one: _GROUPS.index(_group(one)))


def _wrong(sentence: str, question: PageQuestion) -> RequestValidationError:
    """The form of pydantic's own complaints, for what depends on several fields at once."""
    told = {"type": "value_error", "loc": ("query",), "msg": sentence, "input": question.platform}
    return RequestValidationError([told])


def _answer(
    question: PageQuestion, request: Request, page: str, works: Works
) -> PageAnswer | Going:
    key = answers.measured_by(request)
    found = works.ask(page, key, lambda progress: answers.measured(request, progress))
    return found if isinstance(found, Going) else answers.answer(question, request, found)


def create_app(hosts: Sequence[str] = LOOPBACK) -> FastAPI:
    """Make the application; it answers requests that name one of `hosts` (guard.py)."""
    works, tokens = Works(), Tokens()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        works.close()

    app = FastAPI(
        title="aesfit", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )

    @app.middleware("http")
    async def _guarded(request: Received, call_next: RequestResponseEndpoint) -> Response:
        refused = refusal(request.headers, hosts)
        if refused is None:
            response = await call_next(request)
        else:
            response = JSONResponse({"detail": refused[1]}, refused[0])
        response.headers.update(_HEADERS)
        return response

    _routes(app, works, tokens)

    @app.get("/plotly.min.js", include_in_schema=False)
    def _plotly() -> FileResponse:
        return FileResponse(plotly_script(), media_type="text/javascript")

    app.mount("/", StaticFiles(directory=_STATIC, html=True), name="page")
    return app


def _routes(app: FastAPI, works: Works, tokens: Tokens) -> None:
    @app.get("/api/choices")
    def choices() -> Choices:
        """Platforms, modes and payloads that can be picked, and the token of a new page."""
        offered = [_offered(one) for one in _listed()]
        return Choices(platforms=offered, bytes=list(PAYLOADS), token=tokens.new())

    @app.post(
        "/api/answer",
        response_model=PageAnswer | Unavailable,
        responses={202: {"model": Measuring}},
    )
    def answer(
        question: Annotated[PageQuestion, Query()],
        token: Annotated[str | None, Header(alias=TOKEN_HEADER)] = None,
    ) -> Any:  # noqa: ANN401
        """Which core to take; 202 while it is being measured and 429 while others are: ask again.

        403 without a token of /api/choices.
        """
        page = tokens.page(token)
        if page is None:
            raise HTTPException(403, "this page is from an earlier aesfit serve; reload it")
        try:
            request = answers.request_from(question)
        except ValueError as error:
            raise _wrong(str(error), question) from None
        try:
            found = _answer(question, request, page, works)
        except BusyError as error:
            raise HTTPException(429, f"{error}") from None
        except (OSError, RuntimeError, ValueError) as error:
            return Unavailable(reason=str(error))
        if isinstance(found, Going):
            going = Measuring(done=found.done, total=found.total)
            return JSONResponse(going.model_dump(), 202)
        return found
