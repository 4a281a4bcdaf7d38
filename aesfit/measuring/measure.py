# SPDX-License-Identifier: MIT
"""Measure jobs: what is stored is taken from the store, the rest is run on its rig.

Emulated jobs run in one process for each processor; jobs of one core on one platform stay together,
so that their object is compiled once.  Jobs of the host run one after another, in this process.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from types import ModuleType

from ..catalog import Core
from ..catalog import cores as all_cores
from ..jobs.abilities import lacks
from ..jobs.job import Job, Progress, Row
from ..platforms.platform import Platform
from ..rigs import rig_of, why_not
from ..rigs.rig import RigUnavailableError
from ..store.rows import RowStore
from .board_store import marked, reusable, told_of_stored, why_measured
from .proofs import with_proof
from .workers import end_with_parent


@dataclass(frozen=True)
class Refusal:
    """A job that cannot be measured, and why."""

    job: Job
    reason: str


Result = Row | Refusal


def cores_for(platform: Platform) -> list[Core]:
    """The cores that a platform can run; on a host also those it has the instructions for."""
    return [core for core in all_cores() if core.available and not lacks(core, platform)]


def measure(
    jobs: Sequence[Job],
    *,
    fresh: bool = False,
    store: RowStore | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Result]:
    """Rows in the order of the jobs; `fresh` ignores what is stored, and replaces it.

    Boards are measured anew unless their platform says `stored` (board_store.py).
    """
    _check_available(jobs)
    store = store or RowStore()
    keys = {job: rig_of(job.platform).key(job) for job in jobs}
    found: dict[str, Result] = {} if fresh else _stored(keys, store)
    left = {key: job for job, key in keys.items() if key not in found}
    done = len(keys) - len(left)
    progress(done, len(keys))
    for batch, results in _run(_batches(left.values())):
        by_key = {keys[job]: result for job, result in zip(batch, results, strict=True)}
        store.put((key, row) for key, row in by_key.items() if isinstance(row, Row))
        found.update(by_key)
        done += len(batch)
        progress(done, len(keys))
    return [_proved(job, found[keys[job]]) for job in jobs]


def stored(jobs: Sequence[Job]) -> list[Row | None]:
    """Rows that are stored, in the order of the jobs; None for those that have to be measured."""
    try:
        keys = {job: rig_of(job.platform).key(job) for job in jobs}
    except RuntimeError:  # no compiler, whose version is part of the keys: measuring says so
        return [None] * len(jobs)
    found = _stored(keys, RowStore()) if keys else {}
    rows = (found.get(keys[job]) for job in jobs)
    return [
        with_proof(job, row) if isinstance(row, Row) else None
        for job, row in zip(jobs, rows, strict=True)
    ]


def _stored(keys: Mapping[Job, str], store: RowStore) -> dict[str, Result]:
    taken = reusable(keys)
    rows = marked(store.find([key for job, key in keys.items() if job in taken]), keys)
    for sentence in (*why_measured(keys), *told_of_stored(rows)):
        print(f"aesfit: {sentence}", file=sys.stderr)
    return dict(rows)


def _proved(job: Job, result: Result) -> Result:
    """After the store: a proof may come later than the row."""
    return with_proof(job, result) if isinstance(result, Row) else result


def _check_available(jobs: Iterable[Job]) -> None:
    for platform in {job.platform.name: job.platform for job in jobs}.values():
        reason = why_not(platform)
        if reason:
            raise RigUnavailableError(reason)


def _batches(jobs: Iterable[Job]) -> list[list[Job]]:
    """Jobs of one core on one platform; those of a host together, for its rig interleaves them."""

    def kin(job: Job) -> tuple[str, str, str]:
        return job.platform.rig, job.platform.name, "" if job.platform.rig == "host" else job.core

    return [list(group) for _, group in groupby(sorted(jobs, key=kin), key=kin)]


def _run(batches: Sequence[list[Job]]) -> Iterable[tuple[list[Job], list[Result]]]:
    apart = [batch for batch in batches if batch[0].platform.exact]
    here = [batch for batch in batches if not batch[0].platform.exact]
    if len(apart) < 2:
        here, apart = [*apart, *here], []
    if apart:
        yield from _run_apart(apart)
    for batch in here:
        yield batch, _run_batch(batch)


def _run_apart(batches: Sequence[list[Job]]) -> Iterable[tuple[list[Job], list[Result]]]:
    """In processes; when one batch fails or the user interrupts, what has not begun is left."""
    from concurrent.futures import ProcessPoolExecutor, as_completed  # start-up time
    from multiprocessing import get_context  # start-up time

    workers = min(len(batches), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _born)
    try:
        with _interrupts_later(), _without_main():
            pending = {pool.submit(_run_batch, batch): batch for batch in batches}
        for future in as_completed(pending):
            yield pending[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Interrupts wait, also in processes begun meanwhile, whose start would spill a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes begun meanwhile do not import the caller's script, of which they need nothing.

    They would run it again where it has no `if __name__ == "__main__":`.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _born() -> None:
    """A process for batches is ready: from now on an interrupt ends it at once."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _run_batch(jobs: list[Job]) -> list[Result]:
    rig = rig_of(jobs[0].platform)
    if rig.name == "host":
        return list(rig.measure(jobs, lambda done, total: None))
    return [_run_one(job) for job in jobs]


def _run_one(job: Job) -> Result:
    try:
        return rig_of(job.platform).measure([job], lambda done, total: None)[0]
    except RigUnavailableError:
        raise
    except (RuntimeError, ValueError) as error:  # of this job; the others may well work
        return Refusal(job, str(error))
