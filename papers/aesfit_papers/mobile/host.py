# SPDX-License-Identifier: MIT
"""Tables 1 to 3 as times on this computer, minimum and average, with a file that is read.

Ours: the cores `mobile` and `compact` at four optimisation levels, timed call by call: a block, a
key schedule, and CBC over a file at all 20 sizes, with opening, reading and closing the file inside
the window, and without.  Calls are 100 up to 64 KiB as in the paper, and 10 for larger sizes, where
a call takes long enough to be alike.

What differs: the processor is no ARM, and the file stays in the system's memory after the first
call that reads it.  The paper names an ARM7TDMI, so nothing is judged here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit.units import seconds
from aesfit_papers.file_bench import host as file_host
from aesfit_papers.file_bench import javed
from aesfit_papers.file_bench.question import (
    LEVELS,
    FileBench,
    FileOutcome,
    FileRow,
    FileSource,
    OpRow,
    joined,
    source,
)
from aesfit_papers.judging.cells import figure, found, pairs, placed
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Value,
)
from aesfit_papers.judging.mobile import size_cells, size_head
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import machine

NUMBER = "Tables 1 to 3, this computer"
TITLE = "Final implementation and V1 as times, over a real file"
_NAMES = ("final_min", "final_avg", "v1_min", "v1_avg")
COLUMNS = (
    Column("op"),
    Column("bytes", "B"),
    Column("flags"),
    Column("reading"),
    *(Column(name, "ns", exact=False) for name in _NAMES),
    *(Column(f"published_{name}", "us; cbc: ms") for name in _NAMES),
)
FAST = False
_PLATFORM = "x86-64"
_ELSEWHERE = "the paper names an ARM7TDMI, and this is an x86-64"
_MANY_UP_TO = 64 << 10
"""Bytes up to which there are as many calls as in the paper."""
_FEW = 10
_OPS = {"key-setup-encrypt": javed.KEY_SCHEDULE, "encrypt-block": javed.BLOCK}
_CBC = "cbc"


def _timed(asked: FileBench, data: FileSource, progress: Progress) -> FileOutcome:
    platform = platform_named(_PLATFORM)
    speeds = file_host.pilot(platform, asked, data)
    total, spent = file_host.foretold(asked, speeds), 0.0

    def spend(nanoseconds: float) -> None:
        nonlocal spent
        spent += nanoseconds
        progress(round(spent), round(total))

    return file_host.run(platform, asked, data, speeds, spend)


def rows(progress: Progress) -> Measured:
    """Two runs, one for each number of calls."""
    platform = platform_named(_PLATFORM)
    small = tuple(size for size in javed.SIZES if size <= _MANY_UP_TO)
    large = tuple(size for size in javed.SIZES if size > _MANY_UP_TO)
    asked = FileBench((platform,), (javed.FINAL, javed.V1), LEVELS, small)
    with source(None, javed.SIZES[-1]) as data:
        first = _timed(asked, data, progress)
        second = _timed(replace(asked, sizes=large, repeats=_FEW), data, progress)
    taken = joined([replace(second, ops=()), first])
    shares = ", ".join(f"{one['processor_share']:.0%}" for one in taken.provenance)
    facts = taken.provenance[0]
    told = (
        f"{_PLATFORM}: {facts['compiler']}; {facts['target']} {' '.join(sum(LEVELS, ()))} in turn",
        f"{facts['clock']}",
        f"{machine()}: {javed.REPEATS} calls up to {_MANY_UP_TO} bytes, {_FEW} of larger sizes; "
        f"the programs had the processor for {shares} of their time",
    )
    return Measured(_rows([*taken.ops, *taken.rows]), told)


def _key(row: OpRow | FileRow) -> tuple[str, int, str, str]:
    """Operation, bytes, flags and reading."""
    if isinstance(row, OpRow):
        return row.op, 0, row.flags, ""
    return _CBC, row.bytes, row.flags, row.reading or ""


def _rows(every: Sequence[OpRow | FileRow]) -> list[Row]:
    """One for both implementations, the operations alone last."""
    pairs: dict[tuple[str, int, str, str], dict[str, OpRow | FileRow]] = {}
    for one in every:
        pairs.setdefault(_key(one), {})[one.core] = one
    made: list[Row] = []
    for (op, size, flags, reading), both in sorted(pairs.items(), key=lambda pair: pair[0][:2]):
        theirs = javed.CBC[size] if op == _CBC else _OPS[op]
        final, v1 = both[javed.FINAL], both[javed.V1]
        ours = (final.min, final.avg, v1.min, v1.avg)
        made.append(
            {
                "op": op,
                "bytes": size or None,
                "flags": flags,
                "reading": reading or None,
                **dict(zip(_NAMES, ours, strict=True)),
                **{f"published_{name}": getattr(theirs, name) for name in _NAMES},
            }
        )
    return made


def _ratio(row: Row, which: str) -> Pair:
    """V1 against the final implementation."""
    return Pair(figure(row[f"v1_{which}"]), figure(row[f"final_{which}"]))


def _by_level(rows: Sequence[Row], which: str, **wanted: Value) -> Mapping[ClaimPlace, Pair]:
    return pairs(rows, f"v1_{which}", f"final_{which}", ("flags",), **wanted)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The headlines of the three tables."""
    made = [_block(rows), _key_schedule(rows), _large_files(rows), _every_size(rows)]
    unable = [replace(one, untestable=dict.fromkeys(one.found, _ELSEWHERE)) for one in made]
    return [replace(one, why=one.why or f"Not testable: {_ELSEWHERE}.") for one in unable]


def _block(rows: Sequence[Row]) -> Claim:
    block = _by_level(rows, "min", op="encrypt-block")
    unrolled = (
        "At -O0 the final implementation's registers are in memory too; at -O3 the compiler "
        "inlines and unrolls V1's loops over bytes."
    )
    sentence = "A block is encrypted more than 3 times as fast (minima)."
    return Claim(sentence, "at least", block, 3, cause="compiler or processor", why=unrolled)


def _key_schedule(rows: Sequence[Row]) -> Claim:
    key = _by_level(rows, "avg", op="key-setup-encrypt")
    clock = (
        "Reading the clock is in both times, and is a good part of the shorter one, which shrinks "
        "the ratio; but without it the ratio would be far from 20 too. The 20 is of averages, "
        "which the paper has at 2.5 and 1.4 times its minima without saying why; the experiment on "
        "table 2 has cycles of ARM processors, where no clock is read."
    )
    sentence = "The key schedule is more than 20 times as fast (averages)."
    return Claim(sentence, "at least", key, 20, cause="compiler or processor", why=clock)


def _large_files(rows: Sequence[Row]) -> Claim:
    large = {
        at(bytes=size) + level: ratio
        for size in javed.SIZES
        if size >= javed.LARGE
        for level, ratio in _by_level(rows, "min", op=_CBC, bytes=size, reading="included").items()
    }
    sentence = "CBC over a file is nearly 20 times as fast from 1 MiB on (minima)."
    return Claim(
        sentence,
        "effect",
        large,
        20,
        cause="the paper's own figures disagree",
        why=_alone_and_among(rows),
    )


def _alone_and_among(rows: Sequence[Row]) -> str:
    """Times of a block alone and among those of 1 MiB."""
    once = found(rows, "op", "bytes", "flags", "reading")
    lone = once("encrypt-block", None, "-O2", None)
    bulk = once(_CBC, javed.LARGE, "-O2", "included")
    among = {name: 16 * figure(bulk[name]) / javed.LARGE for name in ("final_min", "v1_min")}
    return (
        "In the paper a block of the final implementation takes a tenth of the time among those of "
        "1 MiB that it takes alone, and a block of V1 half; here, at -O2, the one takes "
        f"{figure(lone['final_min']):.0f} ns alone and {among['final_min']:.0f} ns among them, the "
        f"other {figure(lone['v1_min']):.0f} and {among['v1_min']:.0f} ns."
    )


def _every_size(rows: Sequence[Row]) -> Claim:
    files = [row for row in rows if (row["op"], row["reading"]) == (_CBC, "included")]
    smallest = {
        level.of(op=_CBC, reading="included"): min(
            (_ratio(row, "min") for row in some), key=lambda pair: pair.ratio
        )
        for level, some in placed(files, "flags").items()
    }
    sentence = "CBC over a file is faster at every size (smallest ratio of the minima)."
    return Claim(sentence, "order", smallest)


def render(rows: Sequence[Row]) -> list[Part]:
    """Times of a block and a key schedule, ratios of CBC."""
    levels = list(dict.fromkeys(str(row["flags"]) for row in rows))
    cell = found(rows, "op", "bytes", "flags", "reading")
    head = ("operation", "flags", "final min", "final avg", "V1 min", "V1 avg",
            "V1 / final", "by averages", "published", "by averages")  # fmt: skip
    alone = [
        (
            op,
            level,
            *(seconds(figure(row[name]) * 1e-9) for name in _NAMES),
            *(f"{_ratio(row, which).ratio:.2f}" for which in ("min", "avg")),
            f"{theirs.min:.1f}",
            f"{theirs.avg:.1f}",
        )
        for op, theirs in _OPS.items()
        for level in levels
        if (row := cell(op, None, level, None))
    ]
    parts: list[Part] = [ResultTable("A block and a key schedule, times", head, tuple(alone))]
    for reading in file_host.READINGS[::-1]:
        by_size = {
            size: [_ratio(cell(_CBC, size, level, reading), "min").ratio for level in levels]
            for size in javed.SIZES
        }
        lines_ = tuple(size_cells(size, by_size[size], javed.CBC[size]) for size in javed.SIZES)
        title = f"How many times as long V1 takes in CBC, reading {reading}"
        parts.append(ResultTable(title, size_head(levels), lines_, "Of the minima."))
        drawn = [
            ChartLine(level, [(size, by_size[size][at]) for size in javed.SIZES])
            for at, level in enumerate(levels)
        ]
        theirs_ = [(size, one.min) for size, one in javed.CBC.items()]
        drawn.append(ChartLine("the paper's minima", [], theirs_))
        across = Scale("bytes", log=True, base=2)
        image = lines(drawn, across, Scale("V1 over final implementation"))
        alt = f"Lines: ratios by size at four optimisation levels, reading {reading}."
        parts.append(Figure(title, image, ".svg", alt))
    return parts
