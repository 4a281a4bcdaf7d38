# SPDX-License-Identifier: MIT
"""The page as static files: the answers of aesfit.fit, found by its own script."""

import gzip
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
import small_atlas
from click.testing import CliRunner
from web_browser import NEEDED, chromium, opened, settle, shown, typed
from web_server import serving

import aesfit
from aesfit.atlas import lines, origin
from aesfit.building import build
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.answer import Answer
from aesfit.choosing.request import jobs
from aesfit.choosing.usual import SIZES, usual_request
from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.web import answers, export
from aesfit.web.guard import TOKEN_HEADER
from aesfit.web.offers import COMMON
from aesfit.web.schema import PageQuestion

MODE, SIZE = "ccm", 1504


@pytest.fixture(autouse=True)
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question of the common chip, with figures that are made up."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(origin, "tools_here", lambda platform: small_atlas.TOOLS)
    monkeypatch.setattr(build, "why_not", lambda platform: None)
    request = usual_request(platform_named(COMMON), MODE, SIZE)
    asked = jobs(request, ranked_cores(request.platform))
    every = {one.asked: one for one in map(small_atlas.line, asked)}
    group = replace(small_atlas.group(()), platform=COMMON, lines=every)
    monkeypatch.setattr(lines, "PATH", small_atlas.write(tmp_path / "atlas.csv", group))


def asked_of_fit(limits: dict[str, Any], size: int = SIZE) -> Answer:
    return aesfit.fit(
        COMMON,
        mode=MODE,
        payload_bytes=size,
        timing=limits["timing"],
        objective=limits["objective"],
        max_flash_bytes=limits["flash"],
    )


def held() -> dict[str, Any]:
    return dict(json.loads(gzip.decompress(export.packed_answers(COMMON))))


def test_every_answer_is_that_of_fit() -> None:
    found, winners = held(), set()
    every = list(product(SIZES, export.classes()))
    assert len(found["answers"]) == len(every), "of the one mode that the atlas has"
    for size, limits in every:
        question = PageQuestion(platform=COMMON, mode=MODE, bytes=size, **limits)
        told, wanted = unpacked(found, export.key_of(question)), asked_of_fit(limits, size)
        assert told["verdict"] == [line.strip() for line in wanted.brief]
        choice = wanted.choice
        assert told["winner"] == (choice.winner and choice.winner.name)
        assert [
            (one["core"], one["cycles"], one["flash"], one["front"]) for one in told["ranking"]
        ] == [
            (one.name, one.row.cycles, one.row.flash_bytes, one.name in choice.pareto)
            for one in choice.ranking
        ]
        assert [(one["core"], one["reason"]) for one in told["dropped"]] == [
            (one.core, one.reason) for one in choice.dropped
        ]
        winners.add(told["winner"])
    assert len(winners) > 1, "the limits decide something"


BESIDE = ("question", "sentence", "burst", "curve", "best", "crossovers")
"""Of the served page's answers: what the static page does not show, or fills in itself."""


def unpacked(held: dict[str, Any], key: str) -> dict[str, Any]:
    """As stored.js does it."""
    pool, answer = held["pool"], {**held["same"], **held["answers"][key]}

    def words(at: Any) -> Any:  # noqa: ANN401 - any JSON
        return [words(one) for one in at] if isinstance(at, list) else pool[at]

    def figures(at: int) -> dict[str, Any]:
        return dict(zip(held["row"], pool[at], strict=True))

    front, rows = answer.pop("front"), enumerate(answer["ranking"], 1)
    ranking = [{"rank": rank, "front": rank in front, **figures(at)} for rank, at in rows]
    dropped = [{**figures(at), "reason": pool[reason]} for at, reason in answer["dropped"]]
    text = {each: words(answer[each]) for each in export.POOLED}
    return {**answer, **text, "ranking": ranking, "dropped": dropped}


def test_the_static_page_says_what_the_served_page_says() -> None:
    found = held()
    with (
        serving() as address,
        httpx.Client(base_url=address, trust_env=False, timeout=None) as client,
    ):
        client.headers[TOKEN_HEADER] = client.get("/api/choices").json()["token"]
        for size, limits in product(SIZES, export.classes()):
            question = PageQuestion(platform=COMMON, mode=MODE, bytes=size, **limits)
            response = client.post("/api/answer", params=question.model_dump(exclude_none=True))
            served = json.loads(response.text.splitlines()[-1])
            static = unpacked(found, export.key_of(question))
            for one in served["dropped"]:
                one["ghash"] = None  # which the page shows of ranked cores alone
            for told in (served, static):
                for key in BESIDE:
                    told.pop(key, None)
            assert static == served, export.key_of(question)


def test_rows_that_this_computer_alone_has_are_not_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert export.packed_answers(COMMON) != b""
    some = replace(aesfit.fit(COMMON, only_known=True), origin=None)
    monkeypatch.setattr(answers, "answer", lambda *_, **__: some)
    assert export.packed_answers(COMMON) == b""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    export.export(tmp_path / "site", [COMMON])
    handler = partial(_Quiet, directory=str(tmp_path / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


@NEEDED
def test_the_page_answers_without_a_server(address: str) -> None:
    with chromium() as browser:
        page = opened(browser, f"{address}?platform={COMMON}&timing=any")
        limits = {"timing": "any", "objective": "cycles", "flash": None}
        _shows(page.locator("#winner").inner_text(), asked_of_fit(limits))
        for control in ("key_bits", "packets", "ram", "clock", "curve-csv"):
            assert page.locator(f"#{control}").is_hidden(), control
        page.locator("#timing").select_option("")
        typed(page, "flash-exact", "8K")
        _shows(shown(page, "#winner"), asked_of_fit({**limits, "timing": None, "flash": 8192}))
        assert "flash=8192" in page.url
        typed(page, "flash-exact", "6K")
        assert "holds no answer" in shown(page, "#notice-text")
        assert page.locator("#answer").is_hidden()
        page.goto(f"{address}?platform={COMMON}&key_bits=256")  # no question of this page
        settle(page)
        assert page.locator("#answer").is_hidden()
        assert page.heard == []  # type: ignore[attr-defined]


def _shows(name: str, answer: Answer) -> None:
    assert answer.choice.winner is not None
    assert name == answer.choice.winner.name


def _run(words: Sequence[str]) -> Any:  # noqa: ANN401 - click's own result
    return CliRunner().invoke(app, list(words))


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine").write_text("mine")
    _refused(folder, "is not empty; name another folder")
    assert [one.name for one in folder.iterdir()] == ["mine"]


def _refused(folder: Path, told: str, *more: str) -> None:
    """Before anything is computed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "files", lambda *_: pytest.fail("it begins to work"))
        done = _run(["serve", "--export", str(folder), *more])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_a_folder_that_cannot_be_made_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    _refused(file, "is no folder; name one that is new or empty")
    _refused(file / "below" / "it", "is no folder, so nothing can be below it")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    _refused(tmp_path / "link", "is no folder")
    assert file.read_bytes() == b""


def test_options_of_serving_are_refused_beside_it(tmp_path: Path) -> None:
    for words, told in (
        (["--port", "8000"], "leave --port out"),
        (["--open"], "leave --open out"),
        (["--host", "::1", "--port", "0", "--open"], "leave --host and --port and --open out"),
    ):
        _refused(tmp_path / "site", f"it serves nothing; {told}", *words)
    assert not (tmp_path / "site").exists()


def _something(_: str) -> bytes:
    return b"packed"


def test_it_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "packed_answers", _something)
    steps: list[tuple[int, int]] = []
    export.export(tmp_path / "site", [COMMON, COMMON], lambda *step: steps.append(step))
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_an_atlas_without_current_lines_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "packed_answers", _nothing)
    with pytest.raises(RuntimeError, match="make atlas"):
        export.export(tmp_path / "site", [COMMON])
    assert not (tmp_path / "site").exists()


def _nothing(_: str) -> bytes:
    return b""
