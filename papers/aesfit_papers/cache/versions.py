# SPDX-License-Identifier: MIT
"""Sections 3 and 5 leave versions out: 1 for AEST, 3 and 5 for 2 and 4; and 2 is never the best.

Ours: times of bursts of 1 to 1024 calls by the model, version over version, on the Lx and on two
processors that run (`hexagon`, `arm920t`), with lines of 16 and 32 bytes; and cycles of a block
without misses, encrypted and decrypted, on the VLIW and on six 32-bit processors without a data
cache; that of `arm920t` is `arm9tdmi`.  What runs is judged at three levels of the compiler.
AES1 is `sbox_columns`, AES3 and AES5 are `ttable1_wide` and `ttable4_wide`.

What differs: for the Lx no E of versions 3 and 5 is published.  There they get the E of 2 and 4, as
the paper says that they take as long, and only their larger tables tell them apart.  Whether
version 2 is ever the best follows from its cycles without misses, and is judged once: in Section 5,
coefficients.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from aesfit.cachemodel.equations import Floats
from aesfit.cachemodel.question import Lookup, Version
from aesfit.catalog import core_named
from aesfit.jobs.job import Job, Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cache import ALIKE, EVERY, LINES, LX, of, predicted, rests_on
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.levels import LEVELS, job_at
from aesfit_papers.judging.place import ClaimPlace, in_row
from aesfit_papers.judging.places import has_level
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.rule import word
from aesfit_papers.judging.tables import table

NUMBER = "Sections 3 and 5, versions left out"
TITLE = "Versions 1, 3 and 5, and whether version 2 is ever the best"
COLUMNS = (
    Column("place"),
    Column("line", "B"),
    Column("version"),
    Column("against"),
    Column("encrypt"),
    Column("decrypt"),
    Column("one_call"),
    Column("longest_burst"),
    Column("least"),
    Column("most"),
)
FAST = False
_PLAIN = ("hexagon", "arm7tdmi", "arm9tdmi", "cortex-m0plus", "cortex-m3", "rv32i", "rv32im-e31")
_BLOCKS = tuple((name, level) for level in LEVELS for name in _PLAIN)
_OPS = ("encrypt-block", "decrypt-block")
_CORES = tuple(dict.fromkeys(core for one, (_, two) in ALIKE.items() for core in (one, two)))
_NAMES = {"transposed": "AEST", "ttable1": "AES2", "ttable4": "AES4"}


@lru_cache
def _cycles() -> dict[tuple[str, str | None, str, str], Measurement]:
    """Blocks without misses, by platform, level, core and operation."""
    keys = [(*where, core, op) for where in _BLOCKS for core in _CORES for op in _OPS]
    jobs = [
        job_at(Job(platform_named(name), core, 128, op), level) for name, level, core, op in keys
    ]
    return dict(zip(keys, measured(jobs), strict=True))


def _as_long_as(known: Version, core: str) -> Version:
    """The paper's word for a version without an E of its own."""
    own = core_named(core)
    read = [one for one in own.tables if one.direction == "encrypt"]
    lookups = (Lookup(one.name, one.bytes, one.reads_per_block(128)) for one in read)
    return replace(known, core=core, lookups=tuple(lookups))


def _others(place: str) -> tuple[Version, ...]:
    """The versions left out; on the Lx those of which the paper says how long they take."""
    if place != LX:
        return of(place, tuple(ALIKE))
    known = {one.core: one for one in of(LX)}
    return tuple(
        _as_long_as(known[like], core) for core, (_, like) in ALIKE.items() if like != "transposed"
    )


def _row(place: str, line: int, version: str, against: str, times: Floats) -> Row:
    return {
        "place": place,
        "line": line,
        "version": version,
        "against": against,
        "encrypt": None,
        "decrypt": None,
        "one_call": float(times[0]),
        "longest_burst": float(times[-1]),
        "least": float(times.min()),
        "most": float(times.max()),
    }


def _bursts(place: str, line: int) -> list[Row]:
    """Version over version along the lengths of bursts."""
    some = _others(place)
    times = predicted(place, line, (*of(place), *some)).per_call
    made = []
    for one in some:
        version, like = ALIKE[one.core]
        made.append(_row(place, line, version, _NAMES[like], times[one.core] / times[like]))
    others = np.minimum.reduce([times[core] for core in ("transposed", "ttable4", "ttable8")])
    return [*made, _row(place, line, "AES2", "best of the others", times["ttable1"] / others)]


def _blocks(name: str, level: str | None) -> list[Row]:
    """Version over version in cycles of a block without misses."""
    found = _cycles()
    nothing = dict.fromkeys(("line", "one_call", "longest_burst", "least", "most"))
    return [
        {
            **nothing,
            "place": ", ".join(filter(None, (name, level))),
            "version": version,
            "against": _NAMES[like],
            **{
                op.removesuffix("-block"): found[name, level, core, op].cycles
                / found[name, level, like, op].cycles
                for op in _OPS
            },
        }
        for core, (version, like) in ALIKE.items()
    ]


def rows(progress: Progress) -> Measured:
    """Bursts behind caches, then blocks without misses."""
    made = [row for place in EVERY for line in LINES for row in _bursts(place, line)]
    made += [row for place in _BLOCKS for row in _blocks(*place)]
    return Measured(
        made, tuple(dict.fromkeys((*rests_on(EVERY), *lines(list(_cycles().values())))))
    )


def _judged(rows: Sequence[Row]) -> list[Row]:
    """Rows at a level, and the paper's own."""
    return [row for row in rows if row["place"] == LX or has_level(in_row(row, "place"))]


def _shown(rows: Sequence[Row]) -> list[Row]:
    """Rows with each platform's own flags, and the paper's own."""
    return [row for row in rows if not has_level(in_row(row, "place"))]


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Dominated, alike."""
    bursts = [row for row in _judged(rows) if row["line"]]
    blocks = [row for row in _judged(rows) if not row["line"]]
    return [*_dominated(bursts, blocks), *_alike(bursts, blocks)]


def _in_bursts(bursts: Sequence[Row], version: str, column: str) -> dict[ClaimPlace, Pair]:
    """Stored are ratios, and so a ratio is held against 1."""
    return {
        in_row(row, "place", "line").of(version=version): Pair(figure(row[column]), 1)
        for row in bursts
        if row["version"] == version
    }


def _in_blocks(blocks: Sequence[Row], version: str, column: str) -> dict[ClaimPlace, Pair]:
    return {
        in_row(row, "place").of(version=version, line=None): Pair(figure(row[column]), 1)
        for row in blocks
        if row["version"] == version
    }


def _dominated(bursts: Sequence[Row], blocks: Sequence[Row]) -> list[Claim]:
    """Version 1 beside AEST."""
    made = [
        Claim(
            "Version 1 is dominated by AEST: no burst of 1 to 1,024 calls takes it less time "
            "(least ratio of times).",
            "order",
            _in_bursts(bursts, "AES1", "least"),
        )
    ]
    for op in ("encrypt", "decrypt"):
        sentence = f"AEST {op}s a block in fewer cycles than version 1 (ratio)."
        made.append(_in_cycles(sentence, "order", _in_blocks(blocks, "AES1", op)))
    return made


def _in_cycles(
    sentence: str, kind: Literal["order", "equal"], ratios: dict[ClaimPlace, Pair]
) -> Claim:
    """A claim on cycles without misses; its reason names the places in which it does not hold."""
    failed = [
        f"{one.ratio:.3f} on {place}"
        for place, one in ratios.items()
        if word(kind, one.a, one.b, None, "times") != "holds"
    ]
    if not failed:
        return Claim(sentence, kind, ratios)
    why = f"The ratio is {' and '.join(failed)}."
    return Claim(sentence, kind, ratios, cause="compiler or processor", why=why)


def _alike(bursts: Sequence[Row], blocks: Sequence[Row]) -> list[Claim]:
    """Versions 3 and 5 beside 2 and 4."""
    made = []
    lines_more = (
        "The table of words for the last round fills four times the lines of the S-box, and each "
        "misses once: by the paper's own model that costs time on the Lx too."
    )
    for version, like in (("AES3", "AES2"), ("AES5", "AES4")):
        sentence = (
            f"Version {version[-1]} takes as long as version {like[-1]} where bytes and words are "
            "read alike, without misses (ratio)."
        )
        made.append(_in_cycles(sentence, "equal", _in_blocks(blocks, version, "encrypt")))
        sentence = (
            f"Version {version[-1]} takes as long as version {like[-1]} in bursts behind a cache "
            "(greatest ratio of 1 to 1,024 calls)."
        )
        most = _in_bursts(bursts, version, "most")
        made.append(Claim(sentence, "equal", most, cause="the claim itself", why=lines_more))
    return made


def _follows(rows: Sequence[Row]) -> str:
    """Where version 2 is the best somewhere, which its cycles without misses decide."""
    least = _in_bursts([row for row in _judged(rows) if row["line"]], "AES2", "least")
    theirs, ours = (
        [one.ratio for at, one in least.items() if (LX in at) is on] for on in (True, False)
    )
    each = {one.core: one.cycles_per_call for one in of(LX)}
    saved = [each["transposed"] - each[core] for core in ("ttable1", "ttable4")]
    return (
        f"Version 2, which is never the best on the Lx (at least {min(theirs):.3f} times the time "
        f"of the best of the others), is the best for some bursts in {sum(r < 1 for r in ours)} of "
        f"{len(ours)} places on the processors that run (least {min(ours):.2f} to "
        f"{max(ours):.2f}). This follows from the claim `cache_coefficients:1` and is not counted "
        "again: its table has a quarter of the lines of version 4's four, so that by equation 1 it "
        "is the best between AEST and version 4 as soon as it saves more than a quarter of the "
        f"cycles that version 4 saves. On the Lx it saves {saved[0]:g} of {saved[1]:g}, on the "
        "others most of them or more."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Ratios in bursts, and without misses."""
    rows, follows = _shown(rows), _follows(rows)
    names = [("processor", "place"), ("version", "version"), ("over", "against")]
    shown = [*names[:1], ("line", "line"), *names[1:], ("one call", "one_call")]
    shown += [("1,024 calls", "longest_burst"), ("least", "least"), ("most", "most")]
    blocks = [*names, ("encryption", "encrypt"), ("decryption", "decrypt")]
    first = [row for row in rows if not row["line"] and row["version"] == "AES1"]
    ahead = [row for row in first if figure(row["encrypt"]) > 1]
    words = (
        "The authors' own table of 2002 has columns ahead of AEST by 2 % on the ARM7TDMI while it "
        f"encrypts; here AEST is ahead on {len(ahead)} of {len(first)} processors.\n\n"
        "The paper also sets aside AES without any table, about ten times as slow, for the cost of "
        "inversion: see `cache_tableless`."
    )
    return [
        table("Time of bursts, version over version", [r for r in rows if r["line"]], shown),
        table("Cycles of a block without misses", [r for r in rows if not r["line"]], blocks),
        Words(follows),
        Words(words),
    ]
