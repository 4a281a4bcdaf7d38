# SPDX-License-Identifier: MIT
"""Works of seconds: one at a time, errors told, what is no longer wanted given up."""

import threading

import pytest

from aesfit.rigs.rig import Progress
from aesfit.web.works import GivenUpError, Going, Works


def test_a_work_runs_once_and_its_error_is_told_once() -> None:
    works = Works()
    begun = []

    def fails(progress: Progress) -> None:
        begun.append(1)
        progress(1, 2)
        raise ValueError("no")

    def until(key: str) -> object:
        while isinstance(found := works.ask(key, fails), Going):
            threading.Event().wait(0.01)
        return found

    for attempt in (1, 2):
        with pytest.raises(ValueError, match="no"):
            until("key")
        assert len(begun) == attempt
    works.close()


def test_waiting_works_give_way_and_running_ones_are_given_up() -> None:
    works, running, go = Works(), threading.Event(), threading.Event()
    ended: list[str] = []

    def first(progress: Progress) -> str:
        running.set()
        go.wait(10)
        try:
            progress(1, 2)
        except GivenUpError:
            ended.append("given up")
            raise
        return "first"

    def never(progress: Progress) -> str:
        ended.append("begun")
        return "never"

    assert works.ask("first", first) == Going(0, 0)
    assert running.wait(10)
    works.ask("second", never)
    works.ask("third", lambda progress: "third")
    works.close()
    go.set()
    for _ in range(200):
        if ended:
            break
        threading.Event().wait(0.01)
    assert ended == ["given up"]
