# SPDX-License-Identifier: MIT
"""Sections 4.1 and 5 give the model's coefficients: E of each version, and c, on the Lx.

Ours: E = (T(1024) - T(512)) / 512 and c = T(0), as the paper says, on two processors that run: a
VLIW of four issues (`hexagon`) and an ARM9 (`arm920t`), without any miss, at three levels of the
compiler.  Beside it the same slope is taken where caches are simulated, between 511 and 1023 calls
(512 and 1024 gave E), with lines of 16 bytes, as the mean of 12 keys and texts.

What differs: the paper prints no code of its versions, and ours are written from its words.  E is
that of the code, so that how much a version saves is not judged on their code where it differs, as
in the bounds on the Lx; which version saves cycles is claimed of the versions themselves, and is
judged.  The paper has one c for all versions; here each has its own, because key schedules differ.
Its simulator's data cache sees input and output too, so that its E may hold their misses; ours does
not, and the model adds them.
"""

from collections.abc import Callable, Sequence
from math import log

from aesfit.cachemodel.validation.compare import Place
from aesfit.jobs.job import Progress
from aesfit.measuring.bursts import coefficients, ideal_cycles
from aesfit_papers.judging.cache import (
    AT_LEVELS,
    EVERY,
    LX,
    REBUILT,
    RUN,
    SIMULATED,
    VERSIONS,
    by_core,
    caches,
    machine,
    of,
    rests_on,
    shown,
    simulated,
)
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    CODE_DIFFERS,
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace, in_row
from aesfit_papers.judging.rule import BAND
from aesfit_papers.judging.tables import percent, table

NUMBER = "Section 5, coefficients"
TITLE = "Cycles of a call without misses, and what a burst pays once"
COLUMNS = (
    Column("place"),
    Column("version"),
    Column("E", "cycles"),
    Column("c", "cycles"),
    Column("published_E_over_AEST"),
    Column("E_over_AEST"),
    Column("slope_with_misses", "cycles"),
    Column("E_decrypt", "cycles"),
    Column("c_least", "cycles"),
    Column("c_most", "cycles"),
)
FAST = False
_LINE = 16
_KEYS = range(8)
_TABLED = ("AES2", "AES4", "AES6")
_APART = 512
"""Calls between the two bursts whose difference gives E."""


def _slopes(place: str, progress: Progress) -> dict[str, float]:
    """Cycles of a call between two long bursts, misses included, by core."""
    where = Place(caches(place, _LINE).data)
    calls = (SIMULATED - _APART, SIMULATED)
    _, curves = by_core(simulated(place, (where,), calls, progress))
    return {
        core: float(calls[1] * row[1] - calls[0] * row[0]) / _APART for core, row in curves.items()
    }


def _more(place: str, core: str) -> dict[str, float | None]:
    """E of decryption, and the least and greatest c of some keys; nothing for the Lx."""
    if place == LX:
        return dict.fromkeys(("E_decrypt", "c_least", "c_most"))
    platform = machine(place)
    once = [ideal_cycles(platform, core, 0, secret=secret) for secret in _KEYS]
    each = coefficients(platform, core, op="decrypt-block").E
    return {"E_decrypt": each, "c_least": min(once), "c_most": max(once)}


def rows(progress: Progress) -> Measured:
    """A row for each version in each place."""
    published = {one.core: one.cycles_per_call for one in of(LX)}
    made: list[Row] = []
    for place in EVERY:
        slopes = {} if place == LX else _slopes(place, progress)
        known = {one.core: one for one in of(place)}
        for core, version in VERSIONS.items():
            made.append(
                {
                    "place": place,
                    "version": version,
                    "E": known[core].cycles_per_call,
                    "c": known[core].overhead,
                    "published_E_over_AEST": published[core] / published["transposed"],
                    "E_over_AEST": known[core].cycles_per_call
                    / known["transposed"].cycles_per_call,
                    "slope_with_misses": slopes.get(core),
                    **_more(place, core),
                }
            )
    return Measured(made, rests_on(EVERY))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """E against E, c against c, and whether the slope is free of misses."""
    cell = found(rows, "place", "version")
    rows = [row for row in rows if row["place"] in AT_LEVELS]
    return [
        *_shares_of_aest(cell, rows),
        *_gains(cell, rows),
        *_overheads(cell, rows),
        _decryption(rows),
        _slope(rows),
    ]


def _shares_of_aest(cell: Callable[..., Row], rows: Sequence[Row]) -> list[Claim]:
    """E of the versions with tables over that of AEST."""
    made = []
    for version in _TABLED:
        share = figure(cell(LX, version)["published_E_over_AEST"])
        sentence = f"A call of {version} takes {share:.2f} times the cycles of AEST."
        seen = pairs(rows, "E", by=("place",), version=(version, "AEST"))
        why = (
            f"{REBUILT} The Lx is not to be had; both processors that stand for it rotate within "
            "the XOR that adds the word, so that one table may gain more than on the Lx; what "
            "rotations cost there is not told."
        )
        published = round(share, 3)
        made.append(Claim(sentence, "effect", seen, published, cause=CODE_DIFFERS, why=why))
    return made


def _gains(cell: Callable[..., Row], rows: Sequence[Row]) -> list[Claim]:
    """Cycles that each step to larger tables saves."""
    made = []
    for slow, fast in (("AEST", "AES2"), ("AES2", "AES4"), ("AES4", "AES6")):
        both = pairs(rows, "E", by=("place",), version=(slow, fast))
        sentence = f"Without misses {fast} takes fewer cycles a call than {slow}."
        published = [figure(cell(LX, version)["E"]) for version in (slow, fast)]
        why = _why(both, slow, fast, *published)
        made.append(Claim(sentence, "order", both, cause="compiler or processor", why=why))
    return made


def _overheads(cell: Callable[..., Row], rows: Sequence[Row]) -> list[Claim]:
    """Whether c is one constant, for all versions and all keys."""
    alike = {
        in_row(row, "place", "version").of(version=(row["version"], "AEST")): Pair(
            figure(row["c"]), figure(cell(row["place"], "AEST")["c"])
        )
        for row in rows
        if row["version"] in _TABLED
    }
    once = [f"{figure(cell(AT_LEVELS[0], version)['c']):g}" for version in VERSIONS.values()]
    why = (
        f"Key set-up differs by version: on {AT_LEVELS[0]} it takes {', '.join(once)} packets in "
        "AEST, AES2, AES4 and AES6."
    )
    steady = "Key set-up is so predictable that c is a constant (greatest over least of 8 keys)."
    return [
        Claim("c can be taken from any version (c over that of AEST).", "equal", alike,
              cause="the claim itself", why=why),
        Claim(steady, "equal", _over(rows, "c_most", "c_least")),
    ]  # fmt: skip


def _decryption(rows: Sequence[Row]) -> Claim:
    sentence = "Decryption behaves as encryption does (E over E)."
    why = (
        "Tables hold InvMixColumns as they hold MixColumns. AEST computes it, with more doublings "
        "and additions than MixColumns has."
    )
    return Claim(
        sentence, "equal", _over(rows, "E_decrypt", "E"), cause="the claim itself", why=why
    )


def _slope(rows: Sequence[Row]) -> Claim:
    sentence = (
        "The difference of two long bursts gives E, for by then misses have become a constant "
        "(slope with misses over E)."
    )
    return Claim(sentence, "part", _over(rows, "slope_with_misses", "E"), 1)


def _over(rows: Sequence[Row], above: str, below: str) -> dict[ClaimPlace, Pair]:
    """One column over another, for each version on each processor that runs."""
    return pairs(rows, above, below, ("place", "version"))


def _why(both: dict[ClaimPlace, Pair], slow: str, fast: str, before: float, after: float) -> str:
    """How far apart they are where the order is not the paper's; empty if it is everywhere."""
    each = [
        f"{one.b:g} cycles on {place} where {slow} takes {one.a:g}"
        for place, one in both.items()
        if one.b >= one.a
    ]
    theirs = f"On the Lx {fast} saves {before - after:g} of {before:g} cycles, as published"
    band = ", which is within the band of 2 %" if log(before / after) < BAND else ""
    return f"{fast} takes {'; '.join(each)}. {theirs}{band}." if each else ""


def render(rows: Sequence[Row]) -> list[Part]:
    """The coefficients, and E relative to AEST."""
    columns = [("processor", "place"), ("version", "version"), ("E", "E"), ("c", "c")]
    columns += [("over AEST", "E_over_AEST"), ("published", "published_E_over_AEST")]
    columns += [("with misses", "slope_with_misses"), ("decryption", "E_decrypt")]
    note = "With misses: the slope of the time between 511 and 1,023 calls. Decryption: its E."
    cell = found(rows, "place", "version")
    drawn = [
        Bars(
            version,
            [figure(cell(place, version)["E_over_AEST"]) for place in RUN],
            [figure(cell(place, version)["published_E_over_AEST"]) for place in RUN],
        )
        for version in _TABLED
    ]
    image = bars(RUN, drawn, Scale("cycles of a call over those of AEST"), write="{:.2f}".format)
    alt = "Bars: cycles of AES2, AES4 and AES6 over those of AEST on two processors."
    shares = {
        place: [percent(1 - figure(cell(place, one)["E_over_AEST"])) for one in _TABLED]
        for place in (LX, *RUN)
    }
    saved = "; ".join(f"{', '.join(some)} ({place})" for place, some in shares.items())
    words = (
        "Cycles of the VLIW are packets of up to four instructions. Of AEST's cycles one, four and "
        f"eight tables save {saved}. Four tables save the rotations of one, which both processors "
        "that run make within the XOR that adds them; what they cost on the Lx is not told.\n\n"
        "The slope with misses stays above E, because input and output go on missing: each call "
        "comes to two new lines of 16 bytes, of which the ARM9 loads one, because its stores do "
        "not allocate."
    )
    return [
        table("Coefficients, in cycles", shown(rows), columns, note=note),
        Figure("Cycles without misses, relative to AEST", image, ".svg", alt),
        Words(words),
    ]
