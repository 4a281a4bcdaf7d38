# SPDX-License-Identifier: MIT
"""Signals in the middle of the work: the right end, nothing left over, nothing lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

import pytest
from crypt_runs import AESFIT, done, key_file, names, pattern
from waiting import until

from aesfit.files import work
from aesfit.files.flow import Progress, Sink, Source
from aesfit.files.source import opened
from aesfit.files.tree import Item


@pytest.fixture
def key(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return ["--key-file", key_file(tmp_path_factory.mktemp("secret"))]


@pytest.fixture
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 1 MB, in a folder of its own."""
    path = tmp_path_factory.mktemp("big") / "old"
    path.write_bytes(pattern(1_000_000))
    return path


@pytest.mark.parametrize(
    ("verb", "number"),
    [
        ("encrypt", signal.SIGINT),
        ("encrypt", signal.SIGHUP),
        ("decrypt", signal.SIGTERM),
        ("decrypt", signal.SIGKILL),
    ],
)
def test_signals_in_the_middle(
    verb: str, number: signal.Signals, key: list[object], big: Path, tmp_path: Path
) -> None:
    """Of a stream; what was there before stays, also when it was to be replaced."""
    done("encrypt", big, *key)
    data = (big if verb == "encrypt" else Path(f"{big}.aesfit")).read_bytes()
    (tmp_path / "out").write_bytes(b"old")
    arguments = [*AESFIT, verb, "-", "--force", "-o", str(tmp_path / "out"), *map(str, key)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        # A pipe holds 64 KiB: when these bytes are gone, most of them are read.
        os.write(running.stdin.fileno(), data[:900_000])
        running.send_signal(number)
        told = running.stderr.read().decode()
    assert running.returncode == -number
    if number != signal.SIGKILL:
        assert told.startswith(f"aesfit: stopped by {number.name}; ")
        assert told.count("\n") == 1
    if number != signal.SIGKILL or makes_unnamed_files(tmp_path):
        assert names(tmp_path) == ["out"]
    assert (tmp_path / "out").read_bytes() == b"old"


def makes_unnamed_files(folder: Path) -> bool:
    """Whether not even SIGKILL leaves anything there."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


def test_a_signal_stops_all_threads(key: list[object], tmp_path: Path) -> None:
    """Files that are far from done, and those that have not begun."""
    (tmp_path / "in").mkdir()
    for name in "abcd":
        with (tmp_path / "in" / name).open("wb") as stream:
            stream.truncate(1 << 38)
    arguments = ["encrypt", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--jobs", "2"]
    with subprocess.Popen([*AESFIT, *arguments, *map(str, key)], stderr=subprocess.PIPE) as running:
        written = Path(f"/proc/{running.pid}/io")
        until(lambda: int(written.read_text().split("wchar:")[1].split()[0]) >= 1 << 20)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        told = running.stderr.read().decode()
    assert running.returncode == -signal.SIGINT
    assert told.startswith("aesfit: stopped by SIGINT; ")
    assert not (tmp_path / "out").exists()


class _InterruptedPool(ThreadPoolExecutor):
    """A signal comes while its first thread begins, before the pool knows the thread."""

    started: ClassVar[list[Thread]] = []
    begun = Event()

    def submit(self, call: Callable[..., Any], /, *given: object, **named: object) -> Future[Any]:
        self.started.append(Thread(target=call, args=given, kwargs=named))
        self.started[-1].start()
        self.begun.wait()
        raise work.Interrupted(signal.SIGINT)


def test_a_thread_that_the_pool_does_not_know_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It makes its folders after the signal, and the run ends after they are gone."""
    stop = Event()
    items = []
    for name in "ab":
        (tmp_path / name).write_bytes(pattern(10))
        items.append(Item(tmp_path / name, tmp_path / "out" / name, 10, mirrored=True))

    def opened_late(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the real one
        _InterruptedPool.begun.set()
        stop.wait()
        return opened(*given, **named)

    def endless(_: Source, __: Sink, progress: Progress) -> None:
        while True:
            progress(0)

    monkeypatch.setattr(work, "ThreadPoolExecutor", _InterruptedPool)
    monkeypatch.setattr(work, "opened", opened_late)
    with pytest.raises(work.Interrupted):
        work.run(items, endless, jobs=2, force=False, stop=stop, advance=lambda _: None)
    for thread in _InterruptedPool.started:
        thread.join()
    assert names(tmp_path) == ["a", "b"]


def test_a_shell_loop_ends_with_the_program(tmp_path: Path) -> None:
    """Because it dies of the signal, as programs do that a shell started."""
    script = f"for i in 1 2; do {' '.join(AESFIT)} encrypt - --key-file k -o out; done; echo on"
    key_file(tmp_path).rename(tmp_path / "k")
    with subprocess.Popen(
        ["bash", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=tmp_path,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        os.write(running.stdin.fileno(), bytes(200_000))
        os.killpg(running.pid, signal.SIGINT)
        assert running.stdout.read() == b""
    assert names(tmp_path) == ["k"]


def test_ignored_signals_stay_ignored(key: list[object], tmp_path: Path) -> None:
    """As under nohup."""
    script = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    script += "os.execv(sys.executable, [sys.executable, '-m', 'aesfit', *sys.argv[1:]])"
    arguments = ["encrypt", "-", "-o", str(tmp_path / "out"), *map(str, key)]
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdin=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        os.write(running.stdin.fileno(), bytes(200_000))
        running.send_signal(signal.SIGHUP)
    assert running.returncode == 0
    assert names(tmp_path) == ["out"]
