# SPDX-License-Identifier: MIT
"""Runners, which evaluate chunks: in processes of this computer, or on a Dask cluster."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from typing import Any, Protocol

from ..extras import CLUSTER, missing
from ..measuring.workers import end_with_parent
from .point import Chunk

Row = dict[str, Any]
Task = Callable[[Chunk], list[Row]]
Failed = Callable[[Chunk, str], list[Row]]
Done = tuple[Chunk, list[Row]]
_DIED = "the process that evaluated it died"
_PATIENCE_SECONDS = 20.0


class Runner(Protocol):
    """A place where chunks are evaluated."""

    def run(self, task: Task, failed: Failed, chunks: Sequence[Chunk]) -> Generator[Done]:
        """Chunks as they finish, with rows from `task`, or from `failed` if its process died."""


@dataclass(frozen=True)
class Local:
    """Processes of this computer; with one job, this process."""

    jobs: int = 1

    def run(self, task: Task, failed: Failed, chunks: Sequence[Chunk]) -> Generator[Done]:
        """Evaluate; a chunk whose process dies is tried again, alone and then in halves."""
        if self.jobs == 1:
            for chunk in chunks:
                yield chunk, task(chunk)
            return
        left = deque(chunks)
        while left:
            suspects = deque((yield from _until_crash(task, left, self.jobs)))
            while suspects:
                chunk = suspects.popleft()
                if not (yield from _until_crash(task, deque([chunk]), 1)):
                    continue
                if len(chunk.points) == 1:
                    yield chunk, failed(chunk, _DIED)
                else:
                    suspects.extendleft(_halves(chunk))


def _halves(chunk: Chunk) -> Iterable[Chunk]:
    middle = len(chunk.points) // 2
    for points in (chunk.points[:middle], chunk.points[middle:]):
        yield replace(chunk, points=points)


def _until_crash(task: Task, left: deque[Chunk], jobs: int) -> Generator[Done, None, list[Chunk]]:
    """Evaluate the remaining chunks; returns those in progress when a process died."""
    flight: dict[Future[list[Row]], Chunk] = {}
    with _pool(jobs) as pool:
        try:
            while left or flight:
                while left and len(flight) <= jobs:  # one chunk is queued, so that no process idles
                    flight[pool.submit(task, left[0])] = left[0]
                    left.popleft()
                done, _ = wait(flight, return_when=FIRST_COMPLETED)
                for future in done:
                    rows = future.result()
                    yield flight.pop(future), rows
        except BrokenProcessPool:
            return list(flight.values())
    return []


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes that end with this one, immediately if it is interrupted."""
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_follow)
    try:
        yield pool
    except BaseException:
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _follow() -> None:
    """In a pool process: leave Ctrl-C to the parent, and end if the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


@dataclass(frozen=True)
class Dask:
    """The workers of a Dask cluster, which must have the same aesfit installed."""

    address: str
    """Address of the scheduler: "tcp://host:8786"."""

    def run(self, task: Task, failed: Failed, chunks: Sequence[Chunk]) -> Generator[Done]:
        """Evaluate; Dask moves the chunks of a lost worker to others."""
        with _cluster(self.address) as client:
            from distributed import KilledWorker, as_completed

            sent = {client.submit(task, chunk, pure=False): chunk for chunk in chunks}
            waiting = as_completed(list(sent), loop=client.loop)  # type: ignore[no-untyped-call]
            for future in waiting:
                chunk = sent.pop(future)
                try:
                    rows = future.result()
                except KilledWorker:
                    rows = failed(chunk, _DIED)
                future.release()
                yield chunk, rows


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    reason = missing("a Dask cluster", CLUSTER)
    if reason:
        raise OSError(reason)
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:  # it cannot be closed
        get_address_host_port(address)
    except (ValueError, NotImplementedError):
        raise OSError(
            f"'{address}' is no address of a Dask scheduler; give one such as tcp://127.0.0.1:8786"
        ) from None
    try:
        client = Client(address, timeout=_PATIENCE_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise OSError(
            f"no Dask scheduler answers at {address} ({error or type(error).__name__}); start one "
            "with: dask scheduler"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_SECONDS)
        except TimeoutError:
            raise OSError(
                f"the Dask cluster at {address} has no worker; start one with: "
                f"dask worker {address}"
            ) from None
        yield client
