# SPDX-License-Identifier: MIT
"""Who may start work: pages of this server, and nobody in the name of another site.

A browser sends requests to this computer on behalf of any site that is open in it.  It says in
`Sec-Fetch-Site` (W3C Fetch Metadata) where a request comes from, and other sites are refused by
that; a browser too old to say so cannot read the token, which the page is given with its choices
and sends back with each question.
"""

from collections.abc import Sequence
from ipaddress import ip_address
from socket import gethostname
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "X-Aesfit-Token"  # noqa: S105 - a header's name
HEADERS = {
    "Content-Security-Policy": (
        # Pictures of the figures are made from data and blob addresses.
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Of every response."""
MOST_CONNECTIONS = 64
MOST_HEADER_BYTES = 16 * 1024
"""Of the request line and all headers."""
LIMITS: dict[str, Any] = {
    "ws": "none",
    "limit_concurrency": MOST_CONNECTIONS,
    "h11_max_incomplete_event_size": MOST_HEADER_BYTES,
    "timeout_graceful_shutdown": 1,
}
"""What uvicorn.Config takes, so that no client uses up memory or keeps the server from ending."""
_OWN_SITES = ("same-origin", "none")
"""The page itself, and an address that was typed or opened from a bookmark."""


ANY_ADDRESS = "*"
"""In place of names of hosts: any address of this computer, but no other name."""


def is_allowed(host: str, hosts: Sequence[str]) -> bool:
    """Whether a request may name this host.

    With ANY_ADDRESS numbers are right, and this computer's own name; any other name could be one
    that its owner lets point here, to be read as a page of his own (DNS rebinding).
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:  # a bracket without its other
        return False
    if name in hosts or f"[{name}]" in hosts:
        return True
    return ANY_ADDRESS in hosts and (
        _is_address(name) or name in ("localhost", gethostname().lower())
    )


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def refusal(headers: Headers, hosts: Sequence[str]) -> tuple[int, str] | None:
    """Status and sentence for a request that is not answered at all."""
    if not is_allowed(headers.get("host", ""), hosts):
        return 400, "the page has another host name; open the address that aesfit serve printed"
    if any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")):
        return 403, "another site sent this request; open the page of aesfit serve directly"
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        return 413, "requests must not have a body; put the question into the address"
    return None


class Guarded:
    """The application behind `refusal`, with HEADERS on every response."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        """Guard an application that answers for these hosts."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = refusal(Headers(scope=scope), self._hosts)
        answer = self._app if refused is None else _refused(*refused)
        await answer(scope, receive, send_with_headers)


def _refused(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"detail": sentence}, status)
