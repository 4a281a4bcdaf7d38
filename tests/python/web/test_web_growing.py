# SPDX-License-Identifier: MIT
"""Answers that grow: cores as they are measured, in one response; nothing begun is lost."""

import json
from collections.abc import Iterator

import httpx
import pytest
from web_server import FIRST, Halting, pretending, serving

from aesfit.web.guard import TOKEN_HEADER


@pytest.fixture
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Over a store and a server of its own."""
    with (
        pretending(tmp_path_factory.mktemp("growing")),
        serving() as address,
        httpx.Client(base_url=address, trust_env=False, timeout=None) as client,
    ):
        client.headers[TOKEN_HEADER] = client.get("/api/choices").json()["token"]
        yield client


@pytest.mark.parametrize("query", [{"mode": "ctr", "flash": "1"}, {"mode": "gcm"}])
def test_cores_are_shown_as_they_finish(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, query: dict[str, str]
) -> None:
    with Halting(monkeypatch) as halting:
        early: list[dict[str, object]] = []
        with client.stream(
            "POST", "/api/answer", params={"platform": "pretend", **query}
        ) as response:
            for line in response.iter_lines():
                found = json.loads(line)
                if found["state"] == "ready":
                    break
                early.append(found)
                if found["state"] == "partial":
                    halting.go.set()
        partial = next(one for one in early if one["state"] == "partial")
        assert shown(partial) == shown(found) & shown(partial)
        assert len(shown(partial)) == FIRST < len(shown(found))
        assert 0 < partial["done"] < partial["total"]  # type: ignore[operator]
        assert partial["winner"] is None or partial["winner"] in partial["sentence"]  # type: ignore[operator]


def shown(found: dict[str, object]) -> set[str]:
    """Cores of an answer, ranked or not."""
    return {one["core"] for one in (*found["ranking"], *found["dropped"])}  # type: ignore[misc]


def test_a_question_that_its_page_left_is_finished_for_the_next(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Halting(monkeypatch) as halting:
        asked = {"platform": "pretend", "mode": "cbc", "bytes": "64"}
        with client.stream("POST", "/api/answer", params=asked) as response:
            lines = map(json.loads, response.iter_lines())
            assert next(one for one in lines if one["state"] == "partial")  # it has begun
        with client.stream("POST", "/api/answer", params=asked) as response:
            again = json.loads(next(response.iter_lines()))
        assert again["state"] == "partial", "what is there is the first line"
        halting.go.set()
        for limit in ("1000", "9000"):  # which are not measured
            told = client.post("/api/answer", params={**asked, "flash": limit}).text.splitlines()
            assert json.loads(told[-1])["state"] == "ready"
        assert halting.begun == ["cbc"]
