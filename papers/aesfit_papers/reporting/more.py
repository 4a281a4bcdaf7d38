# SPDX-License-Identifier: MIT
"""Sections beyond the papers: timing models with their errors, best cores, Pareto fronts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from aesfit.atlas.look_up import known
from aesfit.building.tools import ToolFailedError, ToolMissingError
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.answer import Answer, fit
from aesfit.choosing.request import jobs, request_of
from aesfit.hardware.designs import DESIGNS
from aesfit.hardware.families import FAMILIES
from aesfit.hardware.place import SEEDS
from aesfit.hardware.rows import SiliconQuestion, SiliconRow
from aesfit.hardware.rows import rows as silicon_rows
from aesfit.jobs.job import Progress
from aesfit.measuring.evidence import evidence_cell
from aesfit.platforms.find import platform_named, platforms, twins
from aesfit.platforms.platform import Platform
from aesfit.report import plot
from aesfit.rigs.emulator.trust import trust
from aesfit.rigs.rig import RigUnavailableError
from aesfit.store.rows import RowStore
from aesfit.wlan import software
from aesfit.wlan.paper import PACKET_BYTES
from aesfit.wlan.verdict import PlatformVerdict

from ..judging.charts import Scale
from ..judging.contract import Figure, ResultTable
from ..judging.provenance import rests_on
from ..judging.spots import DesignSpot, spots
from ..judging.tables import NOTHING, number
from .page import Extra
from .parts import figure, table, words

COMMAND = "aesfit papers report --measure"
UNMEASURED = "unmeasured"
"""Key of the sentence on what is not stored."""
FRONTS = ("cortex-m0plus", "cortex-m3", "arm9tdmi", "rv32im-e31")
"""Platforms whose fronts are drawn: a small and a larger microcontroller, an ARM9, a RISC-V."""


class NotStoredError(LookupError):
    """Something is not stored and would have to be measured."""


def stored_only(done: int, total: int) -> None:
    """Stops a measurement before it begins, unless all of it is stored.

    It is passed as the progress callback, which hears of stored rows before any measuring.
    """
    if done < total:
        raise NotStoredError


def extras(progress: Progress) -> list[Extra]:
    """All sections; what is not stored is measured, and reported to `progress`."""
    return [Extra(key, title, body(progress)) for key, title, body in _every()]


def stored_extras() -> list[Extra]:
    """Sections whose measurements are stored, and a sentence on the others; measures nothing."""
    shown, lacking = [], []
    for key, title, body in _every():
        try:
            shown.append(Extra(key, title, body(stored_only)))
        except NotStoredError:
            lacking.append(title)
    if not lacking:
        return shown
    told = f"Not measured yet: {'; '.join(lacking)}. Measure them with: `{COMMAND}`"
    return [*shown, Extra(UNMEASURED, "Not measured yet", f"<p class=missing>{words(told)}</p>")]


def _every() -> Iterator[tuple[str, str, Callable[[Progress], str]]]:
    """Key, title and the function that makes the body."""
    yield "models", "Timing models and their errors", lambda progress: _models()
    yield "best", "The best core of each platform", _best
    for name in FRONTS:
        platform = platform_named(name)
        yield (*_heads(platform), partial(_front_body, platform))
    yield "silicon", "Hardware: rate against size", _silicon


def _models() -> str:
    lines = []
    for one in (*platforms(), *twins()):
        rests = trust(one)
        found = rests.whole
        error = NOTHING if found is None else number(found.max_error_cycles)
        calls = NOTHING if found is None else number(found.comparisons)
        lines.append((one.name, rests.sentence, calls, error))
    told = ResultTable(
        "The evidence for the cycles of each platform",
        ("platform", "cycles", "calls compared", "largest error (cycles)"),
        tuple(lines),
        "A call is a whole operation: a key expansion, a block or a message; its cycles were "
        "counted by the model and by the witness. Without a witness the model is only the "
        "manual's rules, and its error is not known.",
    )
    return table(told, ("again: `make evidence`; listed by `aesfit platforms`",))


def _best(progress: Progress) -> str:
    asked = [one for one in platforms() if one.exact and software.can(one)]
    if progress is stored_only:
        asked = [one for one in asked if _has_rows() and _is_stored(one)]
        if not asked:
            raise NotStoredError
    lines = software.lines(asked, (), fresh=False, progress=progress)
    known = [line for line in lines if line.best.cycles is not None]
    told = ResultTable(
        f"Cycles of a packet of {PACKET_BYTES} bytes under CCMP",
        ("platform", "fastest core", "cycles", "a byte", "timing",
         "fastest independent of the key", "cycles", "times as many"),
        tuple(map(_best_line, sorted(known, key=lambda line: line.best.cycles or 0.0))),
        "AES-128, key expanded before, caches empty at the start. Timing: whether the "
        "time depends on the key; here: not with this memory, which answers alike everywhere. "
        "Times of this computer are not shown; see `aesfit fit`.",
    )  # fmt: skip
    without: dict[str, list[str]] = {}
    for line in lines:
        if line.best.cycles is None:
            without.setdefault(line.best.why["core"], []).append(line.best.platform)
    lacking = "".join(
        f"<p class=missing>{', '.join(some)}: {words(reason)}</p>"
        for reason, some in without.items()
    )
    if not known:
        return lacking
    basis = [f"{one.name}: {rests_on(one)}" for one in asked]
    return table(told, ("again: `aesfit wlan`", *basis)) + lacking


def _has_rows() -> bool:
    """Whether anything is stored; tested first because a key needs the emulator's tracer built."""
    return RowStore().path.is_file()


def _is_stored(platform: Platform) -> bool:
    """Whether the packets of all cores of a platform are stored."""
    try:
        software.lines([platform], (), fresh=False, progress=stored_only)
    except NotStoredError:
        return False
    return True


def _best_line(line: PlatformVerdict) -> tuple[str, ...]:
    best, safe = line.best, line.safe
    cycles = best.cycles or 0.0
    first = (best.platform, best.core or "", number(cycles), number(cycles / PACKET_BYTES))
    time = best.secrecy.timing if best.secrecy else NOTHING
    if safe is None or safe.cycles is None:
        return (*first, time, NOTHING, NOTHING, NOTHING)
    return (*first, time, safe.core or "", number(safe.cycles), f"{safe.cycles / cycles:.2f}")


def _heads(platform: Platform) -> tuple[str, str]:
    """Key and title of a front."""
    return f"front-{platform.name}", f"Cycles against flash on {platform.title}"


def _front_body(platform: Platform, progress: Progress) -> str:
    if progress is stored_only and not (_has_rows() or _in_atlas(platform)):
        raise NotStoredError
    return _front(platform, progress).body


def _in_atlas(platform: Platform) -> bool:
    """Whether the atlas has some of a front, in which case `fit` makes no keys of stored rows."""
    asked = jobs(request_of(platform), ranked_cores(platform))
    return known(asked).origin is not None


def _front(platform: Platform, progress: Progress) -> Extra:
    key, title = _heads(platform)
    try:
        answer = fit(request_of(platform), progress=progress)
    except RigUnavailableError as error:
        return Extra(key, title, f"<p class=missing>{words(str(error))}</p>")
    drawn = Figure(
        "CCM messages of 1504 bytes: every core, and the Pareto-optimal ones",
        plot.render(answer, ".svg", titled=False),
        ".svg",
        f"cycles per byte against bytes of flash of every core on {platform.title}",
    )
    return Extra(
        key, title, f"<p>{words(answer.sentence)}</p>" + figure(drawn, key) + _fronts(answer)
    )


def _fronts(answer: Answer) -> str:
    choice = answer.choice
    some = [one for one in choice.ranking if one.name in choice.pareto]
    told = ResultTable(
        "On the front of cycles, flash and RAM",
        ("core", "cycles", "flash (bytes)", "RAM (bytes)", "timing", "evidence"),
        tuple(
            (one.name, number(one.row.cycles), number(one.row.flash_bytes),
             number(one.row.ram_bytes), one.row.timing, evidence_cell(one.row.secrecy))
            for one in some
        ),
    )  # fmt: skip
    basis = some[0].row.provenance
    lines = (
        f"again: `aesfit fit --platform {choice.request.platform.name} --mode ccm --bytes 1504`",
        f"{basis.compiler}; {some[0].flags_on(choice.request.platform)}; {basis.memory}",
        answer.evidence,
    )
    return table(told, lines)


def _silicon(progress: Progress) -> str:
    try:
        found = silicon_rows(SiliconQuestion(DESIGNS, FAMILIES, SEEDS), progress)
    except (ToolMissingError, ToolFailedError) as error:
        return f"<p class=missing>{words(str(error))}</p>"
    placed = [row for row in found if row.mbit_per_s is not None]
    drawn = "".join(
        figure(_rates([row for row in placed if row.family == family]), f"silicon-{family}")
        for family in dict.fromkeys(row.family for row in placed)
    )
    return drawn + table(_silicon_table(found), _silicon_basis(found))


def _rates(rows: Sequence[SiliconRow]) -> Figure:
    family = rows[0].family
    return Figure(
        f"On {family}, placed and routed: filled marks are Pareto-optimal",
        spots(
            [DesignSpot(row.design, row.family, row.luts, row.mbit_per_s or 0.0) for row in rows],
            Scale("look-up tables", log=True),
            Scale("Mbit/s in steady state", log=True),
            more=True,
        ),
        ".svg",
        f"rate against look-up tables of every Verilog core on {family}",
    )


def _silicon_table(found: Sequence[SiliconRow]) -> ResultTable:
    return ResultTable(
        "Designs on FPGA families",
        ("design", "family", "look-up tables", "flip-flops", "RAM blocks", "MHz", "cycles a block",
         "Mbit/s", "Mbit/s a table"),
        tuple(
            (row.design, row.family, number(row.luts), number(row.flip_flops),
             number(row.ram_blocks), number(row.fmax_mhz), number(row.cycles_per_block),
             number(row.mbit_per_s), number(row.mbit_per_s_per_lut))
            for row in found
        ),
        "; ".join(dict.fromkeys(f"{row.family}: {why}" for row in found
                                for why in row.why.values())),
    )  # fmt: skip


def _silicon_basis(found: Sequence[SiliconRow]) -> list[str]:
    tools = {name: version for row in found for name, version in row.tool_versions.items()}
    told = ", ".join(f"{name} {version}" for name, version in tools.items())
    return ["again: `aesfit silicon`", told, f"MHz is the median of {SEEDS} seeds"]
