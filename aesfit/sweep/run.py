# SPDX-License-Identifier: MIT
"""Runs a sweep: reuses stored rows, evaluates and stores the others in pieces, and joins all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from .._native import version as __version__
from ..jobs.job import Progress
from ..platforms.platform import Platform
from ..platforms.trust import command_refusal, flag_refusal
from ..rigs import rig_of
from ..store import closure
from ..store.contents import key
from .point import Chunk, Evaluator, Figures, SweepPoint
from .runners import Local, Row, Runner
from .store import SweepStore, sound
from .synthesised import inputs as synthesis_inputs
from .synthesised import is_family
from .table import Arrow, check_available

Evaluators = Mapping[str, Evaluator]
"""The evaluator of each method."""
_CHUNK = {"model": 400, "simulated": 25}
"""Points per chunk: some seconds of work, which are lost if the process is killed."""


class CodeDiffersError(RuntimeError):
    """A worker has another version of aesfit than this process."""


@dataclass(frozen=True)
class Summary:
    """The outcome of a sweep."""

    points: int
    kept: int
    """Points reused from an earlier run."""
    evaluated: int
    stale: int
    """Evaluated points with an old row from other sources, tools or platform files."""
    failures: Mapping[str, int]
    """Number of points without figures in the whole table, by reason."""

    @property
    def failed(self) -> int:
        """Points without figures."""
        return sum(self.failures.values())


def code_sha256(evaluators: Evaluators) -> str:
    """Digest of the code of aesfit that figures depend on, whichever evaluator makes them."""
    modules = {evaluator.__module__ for evaluator in evaluators.values()}
    ours = sorted(name for name in modules if closure.is_ours(name))
    return key(closure.digest(__name__, *ours), closure.extension_sha256())


def _inputs(kin: SweepPoint, platform: Platform, code: str) -> str:
    """Digest of all that the figures of a kin depend on."""
    try:
        job = "" if is_family(platform) else rig_of(platform).key(kin.job(platform))
        job += synthesis_inputs(kin) if kin.family else ""
    except (RuntimeError, ValueError, OSError) as error:  # its points will fail and say why
        job = str(error)
    return key("sweep", kin.key, platform.sha256, code, job)


def evaluate(chunk: Chunk, *, evaluators: Evaluators, code: str) -> list[Row]:
    """Rows of a chunk, computed in any process; a failure is recorded in its row."""
    if code_sha256(evaluators) != code:
        raise CodeDiffersError(
            "a worker has another version of aesfit, or aesfit changed while the sweep ran; "
            "install the same version everywhere, and run the command again"
        )
    try:
        _refuse_programs(chunk)
        figures = evaluators[chunk.points[0].method](chunk.platform, chunk.points)
        if len(figures) != len(chunk.points):
            raise RuntimeError(f"{len(figures)} figures of {len(chunk.points)} points")
    except Exception as error:  # any failure is recorded, and the others go on
        return failed(chunk, reason(error))
    return _rows(chunk, figures)


def _refuse_programs(chunk: Chunk) -> None:
    """Check commands and flags again: a worker does not rely on the process that read the files."""
    compiler, path = chunk.platform.compiler, chunk.platform.path
    flags = [flag for point in chunk.points for flag in (point.flags or "").split()]
    refused = compiler.command and command_refusal(compiler.command, path)
    refused = refused or flag_refusal("optimise", (*compiler.target, *compiler.optimise), path)
    refused = refused or flag_refusal("flags", flags, Path("SWEEP.toml"))
    if refused and not chunk.trusted:
        raise ValueError(refused)


def reason(error: Exception) -> str:
    """A failure in one sentence."""
    if isinstance(error, (RuntimeError, ValueError, OSError)) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}"


def failed(chunk: Chunk, why: str) -> list[Row]:
    """Rows without figures."""
    return _rows(chunk, [{"error": why}] * len(chunk.points))


def _rows(chunk: Chunk, figures: Sequence[Figures]) -> list[Row]:
    same = {
        "version": __version__,
        "platform_sha256": chunk.platform.sha256,
        "inputs_sha256": chunk.inputs,
    }
    pairs = zip(chunk.points, figures, strict=True)
    return [
        {"key": point.key, **point.columns(), **same, **_priced(chunk.platform, found), **found}
        for point, found in pairs
    ]


def _priced(platform: Platform, figures: Figures) -> Figures:
    """Time and energy of an operation, if the platform has a clock and energy per cycle."""
    cycles = figures.get("cycles")
    if cycles is None or platform.clock is None:
        return {}
    clock, energy = platform.clock.value, platform.energy
    told = {"energy": cycles * energy.value * 1e-6} if energy else {}
    return {"clock": clock, "time": cycles / clock, **told}


def _chunks(
    points: Iterable[SweepPoint],
    platforms: Mapping[str, Platform],
    inputs: Mapping[SweepPoint, str],
    trusted: bool,
) -> Iterator[Chunk]:
    """Chunks of points, grouped by kin."""
    for kin, group in groupby(points, key=lambda point: point.kin):
        some = list(group)
        size = _CHUNK.get(kin.method, len(some))
        for at in range(0, len(some), size):
            piece = tuple(some[at : at + size])
            yield Chunk(platforms[kin.platform], piece, inputs[kin], trusted)


def _on_host(chunk: Chunk) -> bool:
    """Whether it times this computer, and so must run alone."""
    return chunk.points[0].method == "measured" and chunk.platform.rig in ("host", "board")


def _places(runner: Runner, chunks: Sequence[Chunk]) -> Iterator[tuple[Runner, list[Chunk]]]:
    """Which runner evaluates which chunks; those that time this computer come last, one by one."""
    yield runner, [chunk for chunk in chunks if not _on_host(chunk)]
    yield Local(1), [chunk for chunk in chunks if _on_host(chunk)]


def sweep(
    points: Sequence[SweepPoint],
    platforms: Mapping[str, Platform],
    output: Path,
    *,
    evaluators: Evaluators,
    runner: Runner,
    fresh: bool = False,
    retry: bool = False,
    trusted: bool = False,
    progress: Progress = lambda done, total: None,
) -> Summary:
    """Fill the table `output` with one row per point; continues a stopped sweep.

    `fresh` discards existing rows; `retry` evaluates failed points again; with `trusted`, workers
    run any compiler and flag that the files name.
    """
    check_available()
    code, kins = code_sha256(evaluators), {point.kin: None for point in points}
    inputs = {kin: _inputs(kin, platforms[kin.platform], code) for kin in kins}
    wanted = {point.key: inputs[point.kin] for point in points}
    store = SweepStore(output)
    with store.locked():
        if fresh:
            store.forget()
        kept, stale = _kept(store, wanted, retry=retry)
        left = {point.key: point for point in points if point.key not in kept}
        progress(len(kept), len(wanted))
        done = len(kept)
        chunks = list(_chunks(left.values(), platforms, inputs, trusted))
        task = partial(evaluate, evaluators=evaluators, code=code)
        for place, some in _places(runner, chunks):
            if some:
                with closing(place.run(task, failed, some)) as finished:
                    for _, rows in finished:
                        store.add(rows)
                        done += len(rows)
                        progress(done, len(wanted))
        table = store.finish(wanted)
    return Summary(len(wanted), len(kept), len(left), stale, _failures(table))


def _kept(store: SweepStore, wanted: Mapping[str, str], *, retry: bool) -> tuple[set[str], int]:
    """Keys of designs that need not be evaluated, and the number of outdated rows.

    Refuses an output of other designs.
    """
    rows = store.rows()
    there = set(rows.column("key").to_pylist())
    strange = there - wanted.keys()
    if strange:
        raise ValueError(
            f"'{store.output}' holds {len(strange)} designs that are not asked for; choose another "
            "-o, or forget them with --fresh"
        )
    stale = there - sound(rows, wanted).keys()
    return set(sound(rows, wanted, failed=not retry)), len(stale)


def _failures(table: Arrow) -> dict[str, int]:
    reasons = (error for error in table.column("error").to_pylist() if error is not None)
    return dict(Counter(reasons).most_common())
