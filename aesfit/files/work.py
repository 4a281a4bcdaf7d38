# SPDX-License-Identifier: MIT
"""Many files at once: a file that fails does not stop the others, a signal stops all.

Threads suffice: the binding releases the interpreter lock while it works on a chunk.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from .flow import Progress, Sink, Source
from .output import named, to_path
from .source import STDIN, opened, standard_input
from .tree import Item, sentence

Work = Callable[[Source, Sink, Progress], None]
"""Encrypts or decrypts one stream."""
Advance = Callable[[int], None]
"""Called with the number of further bytes processed, from any thread."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal asked the run to end."""

    def __init__(self, number: int) -> None:
        """Keep the number of the signal."""
        super().__init__(number)
        self.number = number


@dataclass
class Outcome:
    """What became of the items."""

    done: list[Item] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """A sentence for each."""


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Raise Interrupted on the first terminating signal; ignore later ones.

    Yields the event that the first one sets, for threads.  Ignored signals stay ignored.
    """
    stop = threading.Event()

    def handle(number: int, _: FrameType | None) -> None:
        if not stop.is_set():
            stop.set()
            raise Interrupted(number)

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    heeded = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in heeded}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(
    items: Sequence[Item],
    work: Work,
    *,
    jobs: int,
    force: bool,
    stop: threading.Event,
    advance: Advance,
) -> Outcome:
    """Do the work for each item, `jobs` at a time; every output appears whole or not at all."""
    folders: list[Path] = []

    def one(item: Item) -> str | None:
        if stop.is_set():
            return None
        return _attempt(item, work, force, folders, _reporter(stop, advance))

    try:
        if jobs == 1 or len(items) == 1:
            results = [one(item) for item in items]
        else:
            results = _in_threads(items, one, jobs, stop)
    finally:
        # The deepest first; threads append them in any order.
        for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
            with suppress(OSError):  # folders that hold a file stay
                folder.rmdir()
    outcome = Outcome()
    for item, failure in zip(items, results, strict=True):
        if failure is None:
            outcome.done.append(item)
        else:
            outcome.failures.append(failure)
    return outcome


class _UnderWay:
    """The items that threads of a pool work on; signals interrupt none of these threads.

    The pool does not wait for a thread that it does not know yet, because a signal came while the
    thread was started.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Wait for all of them; those that begin later see that the run has stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0)


def _in_threads(
    items: Sequence[Item], one: Callable[[Item], str | None], jobs: int, stop: threading.Event
) -> list[str | None]:
    """Results in the order of the items; on an exception all threads have cleaned up first."""
    under_way = _UnderWay()

    def counted(item: Item) -> str | None:
        with under_way:
            return one(item)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(counted, item) for item in items]
            wait(futures)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            under_way.end()
            raise
    return [future.result() for future in futures]


class _HaltError(Exception):
    """Ends the work of a thread after a signal."""


def _reporter(stop: threading.Event, advance: Advance) -> Progress:
    """Report the progress of one file, and stop the file if the run stops."""
    before = 0

    def progress(done: int) -> None:
        nonlocal before
        if stop.is_set():
            raise _HaltError
        advance(done - before)
        before = done

    return progress


def _attempt(
    item: Item, work: Work, force: bool, folders: list[Path], progress: Progress
) -> str | None:
    """Do one item; returns what went wrong in a sentence, or None."""
    try:
        _do(item, work, force, folders, progress)
    except _HaltError:
        return None
    except BrokenPipeError:
        if item.target is None:
            raise
        return f"{item.target}: the program that read this pipe has ended"
    except OSError as error:
        return sentence(error)
    except MemoryError:
        return f"{item.source or STDIN}: there is not enough memory"
    except (RuntimeError, ValueError) as error:
        return f"{item.source or STDIN}: {error}"
    return None


def _do(item: Item, work: Work, force: bool, folders: list[Path], progress: Progress) -> None:
    path = item.source
    source = opened(path, follow=item.follow, planned=item.identity) if path else standard_input()
    with source as given:
        if item.mirrored and item.target is not None and item.source is not None:
            _make_folders(item.target.parent, item.source.absolute().parent, folders)
        target = to_path(item.target, given.permissions, force=force, into=item.into)
        with target as sink, given.unchanged():
            work(given.stream, sink, progress)


def mirror(folders: Sequence[tuple[Path, Path]]) -> list[str]:
    """Make the empty folders; returns a sentence for each that cannot be made."""
    failures = []
    for folder, like in folders:
        try:
            _make_folders(folder, like.absolute(), [])
        except OSError as error:
            failures.append(sentence(error))
    return failures


def _make_folders(folder: Path, mirrored: Path, made: list[Path]) -> None:
    """Make the missing folders of a path, none with wider permissions than the one it mirrors."""
    missing = []
    for own, like in zip((folder, *folder.parents), (mirrored, *mirrored.parents), strict=False):
        if own.is_dir():
            break
        missing.append((own, like))
    for own, like in reversed(missing):
        with named(own), suppress(FileExistsError):  # another thread was quicker
            own.mkdir(like.stat().st_mode & 0o777 | 0o700)
            made.append(own)
