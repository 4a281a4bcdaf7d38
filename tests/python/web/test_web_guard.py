# SPDX-License-Identifier: MIT
"""Other sites start nothing here, and no client can keep the server for itself."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from socket import gethostname
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState
from web_server import pretending, serving

import aesfit.web.answers
from aesfit.web.app import create_app
from aesfit.web.connections import HEADER_SECONDS, TimedProtocol, options
from aesfit.web.guard import ANY_ADDRESS, MOST_HEADER_BYTES, TOKEN_HEADER, Tokens, is_allowed

QUESTION = "/api/answer?platform=lx-st200"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pretending(tmp_path_factory.mktemp("guard")), serving() as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, trust_env=False, timeout=None) as client:
        yield client


def token(client: httpx.Client) -> str:
    return str(client.get("/api/choices").json()["token"])


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
@pytest.mark.parametrize("path", ["/", "/api/choices", "/page.js"])
def test_requests_of_other_sites_are_refused(client: httpx.Client, site: str, path: str) -> None:
    answer = client.get(path, headers={"sec-fetch-site": site})
    assert answer.status_code == 403
    assert "open the page of aesfit serve directly" in answer.json()["detail"]
    assert "token" not in answer.json()
    for own in ("same-origin", "none"):
        assert client.get(path, headers={"sec-fetch-site": own}).status_code == 200


def test_work_starts_only_with_a_token_that_a_page_was_given(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    monkeypatch.setattr(aesfit.web.answers, "measured", lambda *each: begun.append(each))
    page, _, signature = token(client).partition("-")
    forged = (None, "", "-", page, f"{page}-", f"{page}0-{signature}", Tokens().new())
    for each in forged:
        sent = {} if each is None else {TOKEN_HEADER: each}
        answer = client.post(QUESTION, headers=sent)
        assert answer.status_code == 403, each
        assert "reload it" in answer.json()["detail"]
    assert client.get(QUESTION).status_code == 404
    assert begun == []


def test_with_a_token_the_question_is_answered(client: httpx.Client) -> None:
    given = {TOKEN_HEADER: token(client)}
    assert client.post(QUESTION, headers=given).status_code == 200
    assert token(client) != given[TOKEN_HEADER]


def test_each_header_of_a_site_counts(client: httpx.Client) -> None:
    twice = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]
    assert client.get("/api/choices", headers=twice).status_code == 403


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("192.0.2.7:8000", True),
        ("[2001:db8::7]:8000", True),
        ("localhost", True),
        (gethostname().upper(), True),
        ("rebound.example", False),
        ("127.0.0.1.example:8000", False),
        ("", False),
        ("[::1", False),
    ],
)
def test_any_address_is_no_other_name(host: str, allowed: bool) -> None:
    """A page of another site whose name is made to point here (DNS rebinding)."""
    assert is_allowed(host, [ANY_ADDRESS]) is allowed
    assert not is_allowed("192.0.2.7", ["127.0.0.1"])


def test_a_body_is_refused(client: httpx.Client) -> None:
    answer = client.post(QUESTION, content=b"x" * 100, headers={TOKEN_HEADER: token(client)})
    assert answer.status_code == 413
    assert client.post(QUESTION, content=iter([b"x"])).status_code == 413


def test_headers_are_bounded(address: str) -> None:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port or 0)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        line.sendall(b"x" * (2 * MOST_HEADER_BYTES))
        assert b" 400 " in line.recv(64)


class Loop:
    """Timers that are looked at and never run by themselves."""

    def __init__(self) -> None:
        self.due: list[SimpleNamespace] = []

    def call_later(self, seconds: float, act: Callable[[], None]) -> SimpleNamespace:
        assert seconds == HEADER_SECONDS
        one = SimpleNamespace(act=act)
        one.cancel = lambda: self.due.remove(one)
        self.due.append(one)
        return one

    def create_task(self, coroutine: Any, **_: object) -> "Task":  # noqa: ANN401
        coroutine.close()
        return Task()


class Task:
    """Of a request that is never answered."""

    def add_done_callback(self, act: object) -> None:
        """Nothing is done."""


class Transport:
    closed = False

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, _: str) -> None:
        return None


def connected(loop: Loop) -> tuple[TimedProtocol, Transport]:
    config, transport = uvicorn.Config(create_app(), **options()), Transport()
    made = TimedProtocol(config, ServerState(), {}, loop)  # type: ignore[arg-type]
    made.connection_made(transport)  # type: ignore[arg-type]
    return made, transport


def test_a_client_that_never_ends_its_headers_is_let_go() -> None:
    loop = Loop()
    protocol, transport = connected(loop)
    (first,) = loop.due
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\n":
        protocol.data_received(bytes([byte]))
    assert loop.due == [first]
    first.act()
    assert transport.closed


def test_headers_that_are_there_end_the_wait() -> None:
    async def run() -> None:
        loop = Loop()
        protocol, transport = connected(loop)
        protocol.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert loop.due == []
        assert not transport.closed

    asyncio.run(run())


def test_a_connection_that_is_lost_leaves_no_timer() -> None:
    loop = Loop()
    protocol, _ = connected(loop)
    protocol.connection_lost(None)
    assert loop.due == []
