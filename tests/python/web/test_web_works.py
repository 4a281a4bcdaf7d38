# SPDX-License-Identifier: MIT
"""Works of seconds: one at a time, pages in turn, none cancelled for another, a bounded queue."""

import concurrent.futures
import threading
from collections.abc import Callable, Iterator

import pytest

from aesfit.jobs.job import Progress
from aesfit.web import works as module
from aesfit.web.works import MOST_WAITING, MOST_WAITING_OF_A_PAGE, BusyError, Going, Works


@pytest.fixture
def works() -> Iterator[Works]:
    works = Works()
    yield works
    works.close()


class Held:
    """A work that runs until it is let go; those asked after it wait."""

    def __init__(self, works: Works) -> None:
        self.running, self.go = threading.Event(), threading.Event()
        assert works.ask("page 0", "held", self) == Going(0, 0)
        self.running.wait()

    def __call__(self, progress: Progress) -> str:
        self.running.set()
        self.go.wait()
        progress(1, 2)
        return "held"


def until(works: Works, page: str, key: str, make: Callable[[Progress], object]) -> object:
    while isinstance(found := works.ask(page, key, make), Going):
        concurrent.futures.wait([works._going[key].future])
    return found


def test_a_work_runs_once_and_its_error_is_told_once(works: Works) -> None:
    begun = []

    def fails(progress: Progress) -> None:
        begun.append(1)
        progress(1, 2)
        raise ValueError("no")

    for attempt in (1, 2):
        with pytest.raises(ValueError, match="no"):
            until(works, "page", "key", fails)
        assert len(begun) == attempt


def test_a_new_question_cancels_none_and_pages_take_turns(works: Works) -> None:
    ran: list[str] = []

    def made(key: str) -> Callable[[Progress], str]:
        def make(_: Progress) -> str:
            ran.append(key)
            return key

        return make

    held = Held(works)
    for page, key in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")):
        works.ask(page, key, made(key))
    held.go.set()
    for key in ("a1", "a2", "a3", "b1", "b2", "c1"):
        assert until(works, "any", key, made(key)) == key
    assert ran == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert until(works, "page 0", "held", held) == "held"


def test_the_queue_is_bounded_for_a_page_and_for_all(works: Works) -> None:
    held = Held(works)
    for number in range(MOST_WAITING):
        works.ask(f"page {number // MOST_WAITING_OF_A_PAGE}", number, held)
    with pytest.raises(BusyError, match=f"{MOST_WAITING} questions are already waiting"):
        works.ask("another page", "one more", held)
    assert works.ask("another page", 0, held) == Going(0, 0)
    with pytest.raises(BusyError, match=f"{MOST_WAITING_OF_A_PAGE} questions of this page"):
        works.ask("page 1", "one more", held)
    held.go.set()


def test_what_nobody_asks_about_any_more_is_given_up(
    works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(works)
    ran: list[str] = []
    works.ask("page", "waits", lambda _: ran.append("waits"))
    waiting, running = works._going["waits"].future, works._going["held"].future
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", -1.0)
    held.go.set()
    concurrent.futures.wait([waiting, running])
    assert works.ask("page", "waits", held) == works.ask("page 0", "held", held) == Going(0, 0)
    assert ran == []


def test_what_nobody_collects_is_forgotten(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    works.ask("page", "left", lambda _: "left")
    concurrent.futures.wait([works._going["left"].future])
    works.ask("page", "next", lambda _: "next")
    assert set(works._going) == {"left", "next"}
    concurrent.futures.wait([works._going["next"].future])
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", -1.0)
    works.ask("page", "last", lambda _: "last")
    assert set(works._going) == {"last"}


def test_closing_gives_up_what_runs_and_begins_nothing(works: Works) -> None:
    held = Held(works)
    ran: list[str] = []
    works.ask("page", "waits", lambda _: ran.append("waits"))
    running = works._going["held"].future
    works.close()
    held.go.set()
    works._pool.shutdown()
    assert isinstance(running.exception(), module.GivenUpError)
    assert ran == []
