# SPDX-License-Identifier: MIT
"""Section 5 says that products were read from a look-up table "to defeat any timing attacks".

Attacks on look-up tables are recorded here: `aesfit leak` recovers keys from exact timings of calls
(docs/leaks.md), and what it found under 20 keys stands in aesfit/leaking/known/.

Ours: every recorded attack on a core with tables, read from those records; the paper's own kind of
core, `bytewise`, whose tables have 256 bytes, attacked here under one key; and `fixslice`, which
reads no table, as recorded.  For each the attack that finds the most bits of a key counts.

What differs: recorded are attacks on tables of words, which the paper describes as common practice
(section 4, 1 and 4 KiB for a direction), on processors with caches or with buffers before a flash.
The paper does not say which attacks it means, and shows none.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Any

from aesfit.jobs.job import Progress
from aesfit.leaking.conditions import COLD
from aesfit.leaking.cost import leak_cost
from aesfit.leaking.known import records
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, Row, Value, Words
from aesfit_papers.judging.images import PLAIN
from aesfit_papers.judging.place import ClaimPlace, in_row, told
from aesfit_papers.judging.tables import number, table

NUMBER = "Section 5, leaks"
TITLE = "Keys from timings of look-up tables"
COLUMNS = (
    Column("platform"),
    Column("core"),
    Column("condition"),
    Column("attack"),
    Column("keys"),
    Column("traces"),
    Column("bits"),
    Column("timings"),
    Column("predicted"),
)
FAST = False
_PLATFORM = "arm920t"
_KEYS = 1
_WHOLE = 128
"""Bits of a key."""
_COLLISIONS, _CORRELATION = "collisions", "correlation"


def rows(progress: Progress) -> Measured:
    """The records, and the paper's kind of core attacked here."""
    own = leak_cost(
        platform_named(_PLATFORM), PLAIN, keys=_KEYS, conditions=(COLD,), progress=progress
    ).as_json()
    every = [*records(), own]
    told = tuple(f"{one['core']} on {one['platform']}: {one['provenance']}" for one in every)
    return Measured([row for one in every for row in _rows(one)], told)


def _rows(record: Mapping[str, Any]) -> Iterator[Row]:
    """One for each attack, or one for a core that none can be tried on."""
    head: dict[str, Value] = {"platform": record["platform"], "core": record["core"]}
    tail = {"keys": record["keys"], "traces": record["distinct"]}
    none = dict.fromkeys(("condition", "attack", *tail, "bits", "timings", "predicted"))
    if not record["collisions"] and record["correlation"] is None:
        yield {**head, **none, **tail}
    for one in record["collisions"]:
        found = {"bits": one["bits"], "timings": one["timings"], "predicted": one["predicted"]}
        attack = f"{one['round']}-round {_COLLISIONS}"
        yield {**head, "condition": one["condition"], "attack": attack, **tail, **found}
    if (one := record["correlation"]) is not None:
        found = {"bits": sum(one["bits"]), "timings": one["timings"], "predicted": None}
        yield {**head, "condition": one["condition"], "attack": _CORRELATION, **tail, **found}


def _broken(row: Row) -> float:
    """Bits of the key that the attack found; those of one that was not found are 0."""
    return 0.0 if row["timings"] is None else figure(row["bits"])


def _tried(rows: Sequence[Row]) -> dict[ClaimPlace, list[Row]]:
    """Attacks on cores with tables by core, platform and condition."""
    found: dict[ClaimPlace, list[Row]] = {}
    for row in rows:
        if row["attack"] is not None:
            core, platform = row["core"], row["platform"]
            place = told(f"{core} on {platform}").of(core=core, platform=platform)
            found.setdefault(place + in_row(row, "condition"), []).append(row)
    return found


def claims(rows: Sequence[Row]) -> list[Claim]:
    """No bit of any key.  That known attacks fail in a place does not show that any would."""
    tried = _tried(rows)
    bits = {place: max(map(_broken, every)) for place, every in tried.items()}
    sentence = "A look-up table defeats any timing attack (bits of the key that an attack finds)."
    why = (
        "Which lines of a table are read depends on the key. Timings that give the whole key of "
        f"half of the keys or more: {'; '.join(_whole_keys(tried))}. {_small(rows)}"
    )
    unbroken = {
        place: f"these attacks fail ({_predicted(tried[place])}); another one need not"
        for place, found in bits.items()
        if not found
    }
    return [
        Claim(sentence, "at most", bits, 0, cause="the claim itself", why=why, untestable=unbroken)
    ]


def _whole_keys(tried: Mapping[ClaimPlace, Sequence[Row]]) -> list[str]:
    """Places with the fewest timings that give the whole key."""
    found = {
        place: [figure(row["timings"]) for row in every if _broken(row) == _WHOLE]
        for place, every in tried.items()
    }
    return [f"{place}: 2^{log2(min(timings)):g}" for place, timings in found.items() if timings]


def _predicted(tried: Sequence[Row]) -> str:
    """What the cache model asks for, at the least."""
    known = [figure(row["predicted"]) for row in tried if row["predicted"] is not None]
    return f"the model asks for 2^{log2(min(known)):.0f} timings" if known else "none is predicted"


def _small(rows: Sequence[Row]) -> str:
    """Why the paper's own tables withstand these attacks."""
    own = [row for row in rows if row["core"] == PLAIN]
    if any(_broken(row) for row in own):
        return ""
    return (
        f"Against tables of 256 bytes {_predicted(own)}: they fill so few lines that a call reads "
        "nearly all of them. Their size protects them here, not that they are tables."
    )


def _power(value: Value) -> str:
    return number(value) if not isinstance(value, int | float) else f"2^{log2(value):.1f}"


def render(rows: Sequence[Row]) -> list[Part]:
    """Every attack, and what does defeat them."""
    told: list[Row] = [
        {
            **row,
            "found": "no" if row["timings"] is None else "yes",
            "timings": _power(row["timings"]),
            "predicted": _power(row["predicted"]),
        }
        for row in rows
    ]
    columns = [
        *((name, name) for name in ("core", "platform", "condition", "attack", "keys")),
        *(("address traces", "traces"), ("key bits", "bits"), ("found", "found")),
        *(("timings", "timings"), ("predicted timings", "predicted")),
    ]
    note = (
        "Key bits: that the attack can find. Timings: median over the keys, for correlation all "
        "that were taken. Predicted: by the cache model."
    )
    return [
        table("Attacks on cores by their timings", told, columns, note=note),
        Words(
            "A table does not defeat timing attacks: large ones invite them. Code with one address "
            "trace for all keys and texts, as fixslice, does."
        ),
    ]
