# SPDX-License-Identifier: MIT
"""Other sites start nothing here, and what a client sends is bounded."""

import socket
from collections.abc import Iterator
from secrets import token_urlsafe
from socket import gethostname
from urllib.parse import urlsplit

import httpx
import pytest
from web_server import pretending, serving

import aesfit.web.answers
from aesfit.web.guard import ANY_ADDRESS, MOST_HEADER_BYTES, TOKEN_HEADER, is_allowed

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
    monkeypatch.setattr(aesfit.web.answers, "fit", lambda *each, **_: begun.append(each))
    given = token(client)
    forged = (None, "", given[:-1], f"{given}0", given.swapcase(), token_urlsafe())
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
    assert token(client) == given[TOKEN_HEADER]
    with serving() as another, httpx.Client(base_url=another, trust_env=False) as stranger:
        assert token(stranger) != given[TOKEN_HEADER]


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
