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

import pytest
import small_atlas
from click.testing import CliRunner
from web_browser import NEEDED, chromium, opened, settle, shown, typed

import aesfit
from aesfit.atlas import lines, origin
from aesfit.building import build
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.answer import Answer
from aesfit.choosing.request import jobs
from aesfit.choosing.usual import SIZES, usual_request
from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.web import export
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
    pool, answers = found["pool"], found["answers"]
    every = list(product(SIZES, export.classes()))
    assert len(answers) == len(every), "of the one mode that the atlas has"
    for size, limits in every:
        question = PageQuestion(platform=COMMON, mode=MODE, bytes=size, **limits)
        told, wanted = answers[export.key_of(question)], asked_of_fit(limits, size)
        assert [pool[at] for at in told["verdict"]] == [line.strip() for line in wanted.brief]
        choice = wanted.choice
        assert told["winner"] == (choice.winner and choice.winner.name)
        assert [(pool[at]["core"], pool[at]["cycles"], pool[at]["flash"], front)
                for at, front in told["ranking"]] == [
            (one.name, one.row.cycles, one.row.flash_bytes, one.name in choice.pareto)
            for one in choice.ranking]  # fmt: skip
        assert [(pool[at]["core"], pool[reason]) for at, reason in told["dropped"]] == [
            (one.core, one.reason) for one in choice.dropped
        ]
        winners.add(told["winner"])
    assert len(winners) > 1, "the limits decide something"


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
    done = _run(["serve", "--export", str(folder)])
    assert done.exit_code == 1
    assert "is not empty; name another folder" in str(done.exception or done.output)
    assert [one.name for one in folder.iterdir()] == ["mine"]


def test_an_atlas_without_current_lines_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "packed_answers", _nothing)
    with pytest.raises(RuntimeError, match="make atlas"):
        export.export(tmp_path / "site", [COMMON])
    assert not (tmp_path / "site").exists()


def _nothing(_: str) -> bytes:
    return b""
