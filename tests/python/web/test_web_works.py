# SPDX-License-Identifier: MIT
"""Works of seconds: one at a time, pages in turn, none cancelled once begun, a bounded queue."""

import threading
from collections.abc import Callable, Iterator

import pytest

from aesfit.jobs.job import Progress
from aesfit.web.works import (
    MOST_WAITING,
    MOST_WAITING_OF_A_PAGE,
    BusyError,
    EndedError,
    Work,
    Works,
)


@pytest.fixture
def works() -> Iterator[Works]:
    works = Works()
    yield works
    works.close()


def nobody() -> None:
    """Listens and does nothing."""


class Held:
    """A work that runs until it is let go; those asked after it wait."""

    def __init__(self, works: Works) -> None:
        self.running, self.go = threading.Event(), threading.Event()
        self.ended = False
        """At its first step after the end."""
        self.work = works.ask("page 0", "held", self, nobody)
        assert not self.work.finished
        self.running.wait()

    def __call__(self, progress: Progress) -> str:
        self.running.set()
        self.go.wait()
        try:
            progress(1, 2)
        except EndedError:
            self.ended = True
            raise
        return "held"


def made(key: str, ran: list[str]) -> Callable[[Progress], str]:
    def make(_: Progress) -> str:
        ran.append(key)
        return key

    return make


def result(works: Works, page: str, key: str, make: Callable[[Progress], object]) -> object:
    return works.ask(page, key, make, nobody).future.result()


def test_an_error_is_told_to_who_listens_and_the_next_begins_anew(works: Works) -> None:
    begun = []

    def fails(progress: Progress) -> None:
        begun.append(1)
        progress(1, 2)
        raise ValueError("no")

    for attempt in (1, 2):
        with pytest.raises(ValueError, match="no"):
            result(works, "page", "key", fails)
        assert len(begun) == attempt


def test_a_new_question_cancels_none_and_pages_take_turns(works: Works) -> None:
    ran: list[str] = []
    held = Held(works)
    asked = []
    for page, key in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")):
        asked.append(works.ask(page, key, made(key, ran), nobody))
    held.go.set()
    assert [work.future.result() for work in asked] == ["a1", "a2", "a3", "b1", "b2", "c1"]
    assert ran == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert result(works, "page 0", "held", held) == "held"


def test_the_same_question_twice_is_computed_once(works: Works) -> None:
    held, ran = Held(works), list[str]()
    first = works.ask("a", "same", made("first", ran), nobody)
    assert works.ask("b", "same", made("second", ran), nobody) is first
    held.go.set()
    assert first.future.result() == "first"
    assert works.ask("c", "same", made("third", ran), nobody) is first
    assert ran == ["first"]


def test_what_has_begun_is_finished_also_when_nobody_listens(works: Works) -> None:
    held, ran = Held(works), list[str]()
    works.leave(held.work, nobody)
    waits = works.ask("page", "waits", made("waits", ran), nobody)
    held.go.set()
    assert waits.future.result() == "waits"
    assert works.ask("another", "held", held, nobody) is held.work
    assert held.work.future.result() == "held"


def test_what_only_waits_is_dropped_with_its_last_listener(works: Works) -> None:
    held, ran = Held(works), list[str]()

    def another() -> None:
        """A second listener, told apart from the first."""

    for number in range(2 * MOST_WAITING_OF_A_PAGE):  # each leaves its place to the next
        work = works.ask("page", number, made("dropped", ran), nobody)
        works.leave(work, nobody)
    kept = works.ask("page", "kept", made("kept", ran), nobody)
    assert works.ask("page", "kept", made("kept", ran), another) is kept
    works.leave(kept, nobody)
    held.go.set()
    assert kept.future.result() == "kept"
    assert ran == ["kept"]


def test_listeners_hear_of_every_step_and_of_the_end(works: Works) -> None:
    heard: list[tuple[int, int, bool]] = []
    works_of: list[Work] = []
    held = Held(works)

    def steps(progress: Progress) -> None:
        progress(1, 2)
        progress(2, 2)

    def listener() -> None:
        heard.append((works_of[0].done, works_of[0].total, works_of[0].finished))

    works_of.append(works.ask("page", "steps", steps, listener))
    held.go.set()
    result(works, "page", "after", lambda _: None)  # begins once the listener has heard of the end
    assert heard == [(0, 0, False), (1, 2, False), (2, 2, False), (2, 2, True)]


def test_partial_results_are_made_at_once_and_then_once_a_second() -> None:
    now, asked = [7.0], list[int]()
    works = Works(lambda: now[0])

    def early(done: int) -> object:
        asked.append(done)
        return None if done == 1 else f"{done} of 9"

    def steps(progress: Progress) -> str:
        for done, seconds in enumerate((0.0, 0.0, 0.0, 0.75, 0.25, 0.75, 0.25, 1.0, 1.0)):
            now[0] += seconds
            progress(done + 1, 9)
        return "whole"

    work = works.ask("page", "steps", steps, nobody, early)
    assert work.future.result() == "whole"
    assert asked == [1, 2, 5, 7, 8], "none is made when all is there"
    assert work.so_far == "8 of 9"
    works.close()


def test_the_queue_is_bounded_for_a_page_and_for_all(works: Works) -> None:
    held = Held(works)
    for number in range(MOST_WAITING):
        works.ask(f"page {number // MOST_WAITING_OF_A_PAGE}", number, held, nobody)
    with pytest.raises(BusyError, match=f"{MOST_WAITING} questions are already waiting"):
        works.ask("another page", "one more", held, nobody)
    assert not works.ask("another page", 0, held, nobody).finished
    with pytest.raises(BusyError, match=f"{MOST_WAITING_OF_A_PAGE} questions of this page"):
        works.ask("page 1", "one more", held, nobody)
    held.go.set()


def test_closing_gives_up_what_runs_and_begins_nothing(works: Works) -> None:
    held, ran = Held(works), list[str]()
    waits = works.ask("page", "waits", made("waits", ran), nobody)
    works.close()
    for work in (held.work, waits):
        assert work.finished, "who waits hears of it at once"
        with pytest.raises(EndedError, match="start it again"):
            work.future.result()
    held.go.set()
    works._pool.shutdown()
    assert held.ended
    assert ran == []
    with pytest.raises(EndedError):
        works.ask("page", "late", made("late", ran), nobody)
