# SPDX-License-Identifier: MIT
"""Section 4 and table 2 compare with Gladman's code: which form is the faster at a block.

"Our proposal works much better than Gladman's in decryption for all platforms"; in encryption the
two are "more or less comparable", and where the transposed form loses, it loses less than it gains
in decryption.

Ours: Gladman's own code, measured from a checkout and stored (gladman.csv), against the core
`transposed_paper`, which does every operation that the paper prints, on the same emulated
processors at -Os, -O2 and -O3.  His code was not measured on the stand-ins for ST22: there
`sbox_columns_paper`, columns as written from the paper's count of their operations, takes its
place.  On ARM these are shown beside as our code.

What differs: his code is a later issue, of 2007, without the "few refinements" that the paper made
to it for small processors; it computes what the paper counts, with S-boxes as its only tables.  As
it ships, its rounds are written out, where `transposed_paper` has a loop over them; neither calls a
function in a block.  At -Os gcc computes ahead what the loop and the last round have in common
(code hoisting), for which registers are too few: cycles without that pass stand beside.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging import gladman
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    OUR_CODE,
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Words,
)
from aesfit_papers.judging.levels import place_of
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import number, table
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_COLUMNS,
    OPS,
    PRINTED_COLUMNS,
    PRINTED_ROWS,
    RELEASE,
    STAND_INS,
    TRANSPOSED,
    published,
    run_levels,
)

NUMBER = "Table 2, Gladman"
TITLE = "A block beside Gladman's own code"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("operation"),
    Column("transposed", "cycles"),
    Column("transposed_unhoisted", "cycles"),
    Column("gladman", "cycles"),
    Column("columns", "cycles"),
    Column("published_transposed", "cycles; on stand-ins ST22's units"),
    Column("published_gladman", "cycles; on stand-ins ST22's units"),
)
FAST = False
_UNHOISTED = "-fno-code-hoisting"
_STORED = {"key_schedule": "key_encrypt", "encrypt": "encrypt", "decrypt": "decrypt"}
"""Operations by their names in gladman.csv."""
_SENTENCES = {
    "key_schedule": "The transposed key schedule takes {} times the cycles of Gladman's",
    "encrypt": "Transposed encryption takes {} times the cycles of Gladman's",
    "decrypt": "Decryption of Gladman's takes {} times the transposed one's cycles",
}
_YOUNGER = (
    "At -O2 and -O3 today's compiler makes the transposed form of fewer cycles than in 2002, and "
    "Gladman's of nearly as many."
)
_STAND_INS = (
    "rv32i has no rotation, so that each of the columns' takes three instructions; on Cortex-M0+ "
    "the shifts of the two transpositions cost as much as the rotations that are saved."
)


def rows(progress: Progress) -> Measured:
    """The transposed form measured, Gladman's as stored where it is."""
    platforms, ops = (*ARMS, *STAND_INS), tuple(OPS.values())
    every = run_levels(platforms, (PRINTED_ROWS, PRINTED_COLUMNS), ops, progress)
    places = list(product(platforms, RELEASE, OPS.items()))
    jobs = [
        Job(platform_named(platform), PRINTED_ROWS, 128, op, flags=(level, _UNHOISTED))
        for platform, level, (_, op) in places
    ]
    unhoisted, theirs = measured(jobs, progress), gladman.cell()
    made: list[Row] = [
        {
            "platform": platform,
            "flags": level,
            "operation": name,
            "transposed": every[platform, level, PRINTED_ROWS, op].cycles,
            "transposed_unhoisted": apart.cycles,
            "gladman": theirs(gladman.COLUMNS_2001, platform, level)[_STORED[name]]
            if platform in ARMS
            else None,
            "columns": every[platform, level, PRINTED_COLUMNS, op].cycles,
            "published_transposed": published(platform, TRANSPOSED, op),
            "published_gladman": published(platform, BY_COLUMNS, op),
        }
        for (platform, level, (name, op)), apart in zip(places, unhoisted, strict=True)
    ]
    taken = [*every.values(), *unhoisted]
    return Measured(made, (*lines(taken), *gladman.stored().provenance))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Which form is the faster at a block, and the printed ratios of ARM."""
    why = f"{_hoisted(rows)} {_YOUNGER}"
    return [
        *_blocks(rows, why),
        Claim("On ARM the transposed form encrypts more slowly (its cycles against Gladman's).",
              "order", _pairs(rows, "encrypt", ARMS), cause="compiler or processor", why=why),
        *(_ratio(rows, name, arm, why) for name in OPS for arm in ARMS),
        Claim("The ratios to Gladman's are the same on ARM9TDMI as on ARM7TDMI.", "equal",
              _alike(rows), cause="compiler or processor", why=why),
    ]  # fmt: skip


def _alike(rows: Sequence[Row]) -> dict[ClaimPlace, Pair]:
    """The ratio of ARM9TDMI against that of ARM7TDMI, by operation and level."""
    return {
        name.replace("_", " ") + rest.of(platform=ARMS): Pair(
            pair.ratio, every[at(platform=ARMS[0]) + rest].ratio
        )
        for name in OPS
        for every in [_pairs(rows, name, ARMS)]
        for place, pair in every.items()
        for rest in [place.without(ARMS[1])]
        if ARMS[1] in place
    }


def _hoisted(rows: Sequence[Row]) -> str:
    """What code hoisting costs the transposed form at -Os."""
    told = "; ".join(
        f"{row['platform']}, {str(row['operation']).replace('_', ' ')}: {number(row['transposed'])}"
        f" cycles with it, {number(row['transposed_unhoisted'])} without, Gladman's "
        f"{number(row['gladman'])}"
        for row in rows
        if row["platform"] in ARMS and row["flags"] == "-Os" and row["operation"] != "key_schedule"
    )
    return (
        "At -Os gcc computes ahead what the loop over rounds and the last round have in common, "
        "and keeps it in memory; Gladman's rounds are written out, so that there is nothing to "
        f"compute ahead ({told})."
    )


def _blocks(rows: Sequence[Row], why: str) -> list[Claim]:
    """The general comment of section 4, on Gladman's code where it is measured."""
    encrypt, decrypt = (
        {at: _columns_first(pair, name) for at, pair in _pairs(rows, name, _every(rows)).items()}
        for name in ("encrypt", "decrypt")
    )
    balance = {
        name.of(operation=("encrypt", "decrypt")): Pair(
            decrypt[name].a - decrypt[name].b, max(0, encrypt[name].b - encrypt[name].a)
        )
        for name in decrypt
    }
    return [
        Claim("In decryption the transposed form is faster on all platforms (cycles of Gladman's, "
              "on the stand-ins of columns, against its own).", "order", decrypt,
              cause="compiler or processor", why=why),
        Claim("In encryption the two forms are comparable (Gladman's, on the stand-ins columns, "
              "over transposed).", "equal", encrypt, cause="compiler or processor",
              why=f"{why} {_STAND_INS}"),
        Claim("What decryption gains is more than what encryption loses (cycles).", "order",
              balance, cause="compiler or processor", why=why),
    ]  # fmt: skip


def _every(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(row["platform"]) for row in rows))


def _columns_first(pair: Pair, name: str) -> Pair:
    """Columns over transposed, as _pair() has decryption already."""
    return pair if name == "decrypt" else Pair(pair.b, pair.a)


def _ratio(rows: Sequence[Row], name: str, arm: str, why: str) -> Claim:
    row = next(row for row in rows if (row["platform"], row["operation"]) == (arm, name))
    theirs = _pair(row, name, "published_transposed", "published_gladman").ratio
    sentence = f"{_SENTENCES[name].format(f'{theirs:.2f}')} ({arm})."
    found = _pairs(rows, name, (arm,))
    return Claim(sentence, "effect", found, theirs, cause="compiler or processor", why=why)


def _pairs(rows: Sequence[Row], name: str, platforms: Sequence[str]) -> dict[ClaimPlace, Pair]:
    """By processor and level: against Gladman's code, and against columns of ours."""
    found = {}
    for row in rows:
        if row["operation"] == name and row["platform"] in platforms:
            ours, place = (
                _pair(row, name, "transposed", "columns"),
                place_of(row).of(operation=name),
            )
            if row["gladman"] is None:
                found[place] = ours
            else:
                found[place] = _pair(row, name, "transposed", "gladman")
                found[place + OUR_CODE] = ours
    return found


def _pair(row: Row, name: str, rows_by: str, columns_by: str) -> Pair:
    """Transposed over columns, and the other way round for decryption."""
    two = figure(row[rows_by]), figure(row[columns_by])
    return Pair(*(reversed(two) if name == "decrypt" else two))


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles beside those printed; his tables beside both."""
    shown = [(told, told.replace(" ", "_")) for told in (
        "platform", "flags", "operation", "transposed", "published transposed", "gladman",
        "published gladman", "columns")]  # fmt: skip
    shown.append(("transposed, no code hoisting", "transposed_unhoisted"))
    cell = gladman.cell()
    full = ", ".join(
        f"{number(cell(gladman.TABLES_2001, arm, '-O2')['encrypt'])} ({arm})" for arm in ARMS
    )
    return [
        table("Cycles beside Gladman's own code", rows, shown),
        _chart(rows),
        Words(_hoisted(rows)),
        Words(f"With all its tables his code encrypts a block in {full} cycles at -O2."),
    ]


def _chart(rows: Sequence[Row]) -> Figure:
    """Decryption on ARM at each level, with what was published."""
    some = [row for row in rows if row["operation"] == "decrypt" and row["gladman"] is not None]
    series = [
        Bars(told, [figure(row[name]) for row in some], [figure(row[theirs]) for row in some])
        for told, name, theirs in (
            ("transposed", "transposed", "published_transposed"),
            ("Gladman's", "gladman", "published_gladman"),
        )
    ]
    image = bars([str(place_of(row)) for row in some], series, Scale("cycles"))
    alt = "Bars: decryption of a block by both codes on two ARM processors at three levels."
    return Figure("Decryption beside Gladman's, AES-128", image, ".svg", alt)
