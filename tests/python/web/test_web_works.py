# SPDX-License-Identifier: MIT
"""Works of seconds: one at a time, in their order, none cancelled once begun, a bounded queue."""

import threading
from collections.abc import Callable, Iterator

import pytest

from aesfit.jobs.job import Progress
from aesfit.web.works import (
    MOST_WAITING,
    BusyError,
    EndedError,
    Works,
)


@pytest.fixture
def works() -> Iterator[Works]:
    works = Works()
    yield works
    works.close()


class Held:
    """A work that runs until it is let go; those asked after it wait."""

    def __init__(self, works: Works) -> None:
        self.running, self.go = threading.Event(), threading.Event()
        self.ended = False
        """At its first step after the end."""
        self.work = works.ask("held", self)
        assert not self.work.future.done()
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


def result(works: Works, key: str, make: Callable[[Progress], object]) -> object:
    work = works.ask(key, make)
    try:
        return work.future.result()
    finally:
        works.leave(work)


def test_an_error_is_told_to_who_listens_and_the_next_begins_anew(works: Works) -> None:
    begun = []

    def fails(progress: Progress) -> None:
        begun.append(1)
        progress(1, 2)
        raise ValueError("no")

    for attempt in (1, 2):
        with pytest.raises(ValueError, match="no"):
            result(works, "key", fails)
        assert len(begun) == attempt


def test_a_new_question_cancels_none_and_each_has_its_turn(works: Works) -> None:
    ran: list[str] = []
    held = Held(works)
    asked = [works.ask(key, made(key, ran)) for key in ("a1", "a2", "b1")]
    held.go.set()
    assert [work.future.result() for work in asked] == ["a1", "a2", "b1"]
    assert ran == ["a1", "a2", "b1"]
    assert result(works, "held", held) == "held"


def test_the_same_question_twice_is_computed_once(works: Works) -> None:
    held, ran = Held(works), list[str]()
    first = works.ask("same", made("first", ran))
    assert works.ask("same", made("second", ran)) is first
    held.go.set()
    assert first.future.result() == "first"
    assert works.ask("same", made("third", ran)) is first
    assert ran == ["first"]


def test_what_has_begun_is_finished_also_when_nobody_waits(works: Works) -> None:
    held, ran = Held(works), list[str]()
    works.leave(held.work)
    waits = works.ask("waits", made("waits", ran))
    held.go.set()
    assert waits.future.result() == "waits"
    assert works.ask("held", held) is held.work
    assert held.work.future.result() == "held"


def test_what_only_waits_is_dropped_with_the_last_who_asked(works: Works) -> None:
    held, ran = Held(works), list[str]()
    for number in range(2 * MOST_WAITING):  # each leaves its place to the next
        works.leave(works.ask(number, made("dropped", ran)))
    kept = works.ask("kept", made("kept", ran))
    assert works.ask("kept", made("kept", ran)) is kept
    works.leave(kept)
    held.go.set()
    assert kept.future.result() == "kept"
    assert ran == ["kept"]


def test_every_step_can_be_seen(works: Works) -> None:
    seen: list[tuple[int, int]] = []
    held = Held(works)

    def steps(progress: Progress) -> None:
        for done in (1, 2):
            progress(done, 2)
            seen.append((work.done, work.total))

    work = works.ask("steps", steps)
    assert (work.done, work.total) == (0, 0)
    held.go.set()
    work.future.result()
    assert seen == [(1, 2), (2, 2)]


def test_partial_results_are_made_at_once_and_then_once_a_second() -> None:
    now, step, asked = [7.0], [0], list[int]()
    works = Works(lambda: now[0])
    held = Held(works)

    def early() -> object:
        asked.append(step[0])
        return None if step == [1] else f"{step[0]} of 9"

    def steps(progress: Progress) -> str:
        for done, seconds in enumerate((0.0, 0.0, 0.0, 0.75, 0.25, 0.75, 0.25, 1.0, 1.0)):
            now[0] += seconds
            step[0] = done + 1
            progress(done + 1, 9)
        return "whole"

    work = works.ask("steps", steps, early)
    held.go.set()
    assert work.future.result() == "whole"
    assert asked == [1, 2, 5, 7, 8], "none is made when all is there"
    assert work.so_far == "8 of 9"
    works.close()


def test_the_queue_is_bounded(works: Works) -> None:
    held = Held(works)
    for number in range(MOST_WAITING):
        works.ask(number, held)
    with pytest.raises(BusyError, match=f"{MOST_WAITING} questions are already waiting"):
        works.ask("one more", held)
    assert not works.ask(0, held).future.done()
    held.go.set()


def test_old_results_are_forgotten(works: Works) -> None:
    ran: list[str] = []
    for number in range(100):
        result(works, f"{number}", made(f"{number}", ran))
    result(works, "99", made("99", ran))
    result(works, "0", made("0 again", ran))
    assert ran == [*map(str, range(100)), "0 again"]


def test_closing_gives_up_what_runs_and_begins_nothing(works: Works) -> None:
    held, ran = Held(works), list[str]()
    waits = works.ask("waits", made("waits", ran))
    assert works.ask("waits", made("waits", ran)) is waits
    works.close()
    assert waits.future.cancelled(), "who waits hears of it at once"
    for _ in range(2):
        works.leave(waits)
    held.go.set()
    works._pool.shutdown()
    with pytest.raises(EndedError, match="start it again"):
        held.work.future.result()
    assert held.ended
    assert ran == []
    with pytest.raises(EndedError):
        works.ask("late", made("late", ran))
