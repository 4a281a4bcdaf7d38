# SPDX-License-Identifier: MIT
"""Table 2 gives the cycles of key schedule, encryption and decryption with unrolled keys.

They are of AES-128 in the transposed form and in Gladman's columns, on ARM7TDMI, ARM9TDMI and ST22
(in units of the columns' decryption); Pentium III has an experiment of its own.

Ours: the cores `transposed_paper` and `sbox_columns_paper`, which do every operation that the paper
prints or counts, and beside them the library's own `transposed` and `sbox_columns`, which need
fewer.  All have S-boxes as their only tables and are emulated; transposing the block is inside the
window.  Claims are judged on the code as printed, at -Os, -O2 and -O3, as the paper names no level;
tables and bars show each platform's own flags.

What differs: the compiler is twenty years younger, and the paper does not print its whole code: of
Gladman's it counts MixColumns alone, so that both columns have the library's key schedule (his own
code has an experiment of its own, which judges what the paper says of both at a block).  ST22 is
not to be had; two stand-ins bracket it: rv32i, which has no rotation (that flatters the transposed
form), and Cortex-M0+, whose rotation is an instruction of its own.  Cortex-M3 and SiFive E31 are
our additions.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import Cause, Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_CODE,
    BY_COLUMNS,
    FORMS,
    OPS,
    OWN_FLAGS,
    PLATFORMS,
    PRINTED,
    RELEASE,
    SHORTER,
    SHORTER_INVERSE,
    SHORTER_SCHEDULE,
    STAND_INS,
    TRANSPOSED,
    by_operation,
    codes,
    in_both_codes,
    in_units,
    on_platforms,
    published,
    run_levels,
)

NUMBER = "Table 2"
TITLE = "Cycles of a block with unrolled keys"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    *(Column(f"{told}{name}", unit) for name in OPS
      for told, unit in (("", "cycles"), ("published_", "cycles; on stand-ins ST22's units"))),
    Column("table_bytes", "B"),
)  # fmt: skip
FAST = False
_NAME = "transposed_table_2"
_RATIOS = (0.22 / 0.13, 0.51 / 0.61, 1 / 0.60)
"""Published of ST22: transposed over columns for key schedule and encryption, reversed for
decryption; those of ARM are held against Gladman's own code in an experiment of their own."""
_CODES = codes(tuple(FORMS))


def _of(code: str) -> tuple[str, ...]:
    """Its cores."""
    return tuple(core for core, one in _CODES if one == code)


def rows(progress: Progress) -> Measured:
    """All four cores everywhere, with each platform's own flags and at each level."""
    cores, ops = tuple(core for core, _ in _CODES), tuple(OPS.values())
    every = run_levels(PLATFORMS, cores, ops, progress)
    made: list[Row] = []
    for platform, flags, core in product(PLATFORMS, (OWN_FLAGS, *RELEASE), cores):
        row: dict[str, str | float | None] = {"platform": platform, "flags": flags, "core": core}
        for name, op in OPS.items():
            row[name] = every[platform, flags, core, op].cycles
            row[f"published_{name}"] = published(platform, core, op)
        tables = every[platform, flags, core, "decrypt-block"].table_bytes
        made.append({**row, "table_bytes": tables})
    return Measured(made, lines(list(every.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What section 4 says of the table, on the code as printed and on ours."""
    levels = [row for row in rows if row["flags"] is not OWN_FLAGS]
    made = [
        *_with(_block_claims(levels), SHORTER),
        *_with(_schedule_claims(levels), SHORTER_SCHEDULE),
        _arm_claim(levels),
        _table_bytes(rows),
    ]
    for column, tried in _ratio_claims(levels).items():
        made += _with([tried], _WHY_OURS[column])
    return made


_TRANSPOSING = (
    "The two transpositions of the block, whose shifts are instructions of their own on "
    "Cortex-M0+, cost as much there as the rotations that are saved, which are one instruction "
    "each: a block that arrives transposed is encrypted faster (experiment on transposed data)."
)
_SCHEDULE = (
    "The paper says of Gladman's schedule that it has no shifts or rotations, and does not print "
    "it. The library's, by columns, takes bytes out of a word and puts them together again by "
    "shifts (counts stand with section 3.2), so that it loses cycles without combined shifts too."
)
_BACKWARDS = (
    "Of as many operations the published columns make more cycles: on ARM7TDMI they decrypt in "
    "1.68 times the cycles of their encryption, here in {:.2f}. The paper names four temporaries; "
    "kept in memory they cost more than that difference (experiment on temporaries)."
)
_WHY = {"key_schedule": _SCHEDULE, "encrypt": _TRANSPOSING, "decrypt": _BACKWARDS}
_WHY_OURS = {"key_schedule": SHORTER_SCHEDULE, "encrypt": SHORTER, "decrypt": SHORTER_INVERSE}


def _with(made: Sequence[Claim], why: str) -> list[Claim]:
    return [with_difference(claim, _NAME, why) for claim in made]


def _block_claims(rows: Sequence[Row]) -> list[Claim]:
    """Which form is the faster at encrypting a block; the rest is judged on Gladman's code."""
    encrypt = in_both_codes(rows, "encrypt", BY_COLUMNS, TRANSPOSED)
    return [
        Claim("Where no instruction combines a shift with an addition, the transposed form "
              "encrypts faster (cycles of columns against its own).", "order",
              on_platforms(encrypt, STAND_INS), cause="compiler or processor", why=_TRANSPOSING),
    ]  # fmt: skip


def _schedule_claims(rows: Sequence[Row]) -> list[Claim]:
    """What the transposed key schedule costs."""
    key = in_both_codes(rows, "key_schedule", TRANSPOSED, BY_COLUMNS)
    against = {
        place: Pair(key[place].ratio, key[at(platform="arm7tdmi") + rest].ratio)
        for name, level, code in product(STAND_INS, RELEASE, BY_CODE)
        for rest in [at(flags=level) + code]
        for place in [(at(platform=name) + rest).of(core=_of(code), platform=(name, "arm7tdmi"))]
    }
    return [
        Claim("The transposed key schedule is the slower (its cycles against columns').",
              "order", key, cause="our code differs", why=_SCHEDULE),
        Claim("Without combined shifts the transposed key schedule loses more than on ARM7TDMI "
              "(ratio of the schedules against that of ARM7TDMI).", "order",
              against, cause="our code differs", why=_SCHEDULE),
    ]  # fmt: skip


def _arm_claim(rows: Sequence[Row]) -> Claim:
    """ARM9TDMI beside ARM7TDMI."""
    told = {core: form for form in FORMS for core in (form, PRINTED[form])}
    fewer = {
        FORMS[told[core]] + (name.replace("_", " ") + place) + code: pair
        for (core, code), name in product(_CODES, OPS)
        for place, pair in pairs(rows, name, by=("flags",), platform=ARMS, core=core).items()
    }
    sentence = "ARM9TDMI takes fewer cycles than ARM7TDMI (its cycles second)."
    made = Claim(sentence, "order", fewer)
    return with_difference(made, _NAME, SHORTER_SCHEDULE)


def _table_bytes(rows: Sequence[Row]) -> Claim:
    return Claim(
        "Tables take 512 bytes, and 10 of round constants.",
        "exact",
        figures(rows, "table_bytes", ("platform", "core"), flags=OWN_FLAGS),
        522,
        by_construction="The cores were written to have no other tables.",
    )


def _ratio_claims(rows: Sequence[Row]) -> dict[str, Claim]:
    """The printed ratios of ST22, by column."""
    told = (
        ("key_schedule", TRANSPOSED, BY_COLUMNS,
         "The transposed key schedule takes {} times the column-wise one's cycles"),
        ("encrypt", TRANSPOSED, BY_COLUMNS,
         "Transposed encryption takes {} times the columns' cycles"),
        ("decrypt", BY_COLUMNS, TRANSPOSED,
         "Decryption of columns takes {} times the transposed one's cycles"),
    )  # fmt: skip
    made = {}
    columns = found(rows, "platform", "flags", "core")("arm7tdmi", "-O2", PRINTED[BY_COLUMNS])
    backwards = figure(columns["decrypt"]) / figure(columns["encrypt"])
    for theirs, (column, above, below, sentence) in zip(_RATIOS, told, strict=True):
        both = on_platforms(in_both_codes(rows, column, above, below), STAND_INS)
        made[column] = _ratio_claim(f"{sentence.format(f'{theirs:.2f}')} (ST22).", column, both,
                                    theirs, _WHY[column].format(backwards))  # fmt: skip
    return made


def _ratio_claim(
    sentence: str, column: str, found: Mapping[ClaimPlace, Pair], theirs: float, why: str
) -> Claim:
    cause: Cause = "our code differs" if column == "key_schedule" else "compiler or processor"
    return Claim(sentence, "effect", found, theirs, cause=cause, why=why)


def render(rows: Sequence[Row]) -> list[Part]:
    """ARM in cycles, the stand-ins in ST22's units, verdicts by code, and all as bars."""
    claimed = claims(rows)
    rows = [row for row in rows if row["flags"] is OWN_FLAGS]
    arm = [row for row in rows if row["platform"] in ARMS]
    note = "Units: cycles of the columns' decryption by the same code and platform are 1."
    names = tuple(OPS)
    parts: list[Part] = [
        by_operation("Cycles on the paper's ARM processors", arm, names),
        by_operation("Stand-ins for ST22", in_units(rows, rows, names), names, note),
        both_codes(claimed, _NAME),
    ]
    cell = found(rows, "platform", "core")
    return [*parts, *(_chart(cell, op) for op in OPS)]


def _chart(cell: Callable[..., Row], op: str) -> Figure:
    """All four cores; published marks stand at the code as printed."""
    series = [
        Bars(
            core,
            [figure(cell(name, core)[op]) for name in PLATFORMS],
            [None if code else _cycles(cell(name, core), op) for name in PLATFORMS],
        )
        for core, code in _CODES
    ]
    title = op.replace("_", " ")
    image = bars(PLATFORMS, series, Scale("cycles"))
    alt = f"Bars: {title} in both forms, as printed and ours, on {len(PLATFORMS)} processors."
    return Figure(f"{title.capitalize()}, AES-128", image, ".svg", alt)


def _cycles(row: Row, op: str) -> float | None:
    """Published cycles; ST22's units are none."""
    value = row[f"published_{op}"]
    return None if value is None or row["platform"] in STAND_INS else figure(value)
