# SPDX-License-Identifier: MIT
"""Connections that do not wait for ever: for headers of requests, nor for answers at the end."""

import asyncio
import socket
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from .guard import MOST_CONNECTIONS, MOST_HEADER_BYTES

HEADER_SECONDS = 10.0
"""From the first wait for a request to the end of its headers."""


class TimedProtocol(H11Protocol):
    """Uvicorn's HTTP/1.1, which by itself waits for a first request without end."""

    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for headers."""
        super().connection_made(transport)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer with its connection."""
        self._headers_are_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Stop to wait when headers are whole; a drip of bytes does not start the time anew."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._headers_are_there()
        elif self._headers_due is None:
            self._wait_for_headers()

    def _wait_for_headers(self) -> None:
        self._headers_due = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _headers_are_there(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _too_late(self) -> None:
        self._headers_due = None
        if not self.transport.is_closing():
            self.transport.close()


def options() -> dict[str, Any]:
    """What uvicorn.Config takes so that no client can use up the server."""
    return {
        "http": TimedProtocol,
        "ws": "none",
        "limit_concurrency": MOST_CONNECTIONS,
        "h11_max_incomplete_event_size": MOST_HEADER_BYTES,
    }


class PageServer(uvicorn.Server):
    """Serves the page; when it ends, answers that are still under way are ended too."""

    def __init__(self, app: Starlette) -> None:
        """Serve an application of create_app()."""
        super().__init__(uvicorn.Config(app, log_level="warning", access_log=False, **options()))
        self._works = app.state.works

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give up what is computed, for which uvicorn would wait."""
        self._works.close()
        await super().shutdown(sockets)
