# SPDX-License-Identifier: MIT
"""Table 3 gives the cycles of a block when round keys are computed on the fly.

It has the transposed form and columns on ARM7TDMI, ARM9TDMI and ST22 (in units of the columns'
decryption with unrolled keys), and cAESar, in assembler, on an ARM that it does not name.

Ours: the cores `transposed_otf` and `sbox_columns_otf`, compiled at -Os, -O2 and -O3, which are
judged, and with each platform's flags, which are shown, and emulated: once with every operation as
the paper prints or counts it (AESFIT_AS_PRINTED puts the steps of `transposed_paper` and
`sbox_columns_paper` in), once as the library has them.  Decryption starts from the stored end of
the schedule, as in the paper.  Claims are judged on the code as printed.  `ttable1_otf` stands
beside cAESar with tables.

What differs: as in table 2.  The paper does not print how its schedule runs backwards; that is the
library's.  cAESar is not to be had; its figures are published ones alone.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.levels import place_of
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_COLUMNS,
    ON_THE_FLY,
    OWN_FLAGS,
    PLATFORMS,
    PRINTED,
    PRINTED_COLUMNS,
    RELEASE,
    SHORTER,
    SHORTER_INVERSE,
    STAND_INS,
    TRANSPOSED,
    accesses_of,
    by_operation,
    codes,
    in_both_codes,
    in_units,
    on_platforms,
    published,
    run_levels,
)

NUMBER = "Table 3"
TITLE = "Cycles of a block with round keys on the fly"
_NAME = "transposed_table_3"
_ROWS, _COLUMNS, _TABLE = ON_THE_FLY[TRANSPOSED], ON_THE_FLY[BY_COLUMNS], "ttable1_otf"
_CODES = codes((_ROWS, _COLUMNS))
_UNROLLED = {
    **{PRINTED[core]: PRINTED[unrolled] for unrolled, core in ON_THE_FLY.items()},
    **{core: unrolled for unrolled, core in ON_THE_FLY.items()},
    _TABLE: "ttable1",
}
_OPS = {"encrypt": "encrypt-block", "decrypt": "decrypt-block"}
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    *(Column(f"{told}{name}", unit) for name in _OPS
      for told, unit in (("", "cycles"), ("unrolled_", "cycles"),
                         ("published_", "cycles; on stand-ins ST22's units"))),
    Column("encrypt_accesses"),
    Column("unrolled_encrypt_accesses"),
    Column("round_key_bytes", "B"),
)  # fmt: skip
FAST = False
_CAESAR = ("cAESar", 2889.0)
_RATIOS = {
    "arm7tdmi": (2074 / 1950, 3221 / 2378),
    "arm9tdmi": (1755 / 1623, 2796 / 1976),
    "ST22": (0.72 / 0.75, 1.13 / 0.82),
}
"""Published: encryption transposed over columns, decryption columns over transposed."""


def rows(progress: Progress) -> Measured:
    """On the fly, and the same forms with unrolled keys beside them."""
    cores, ops = (*_UNROLLED, *_UNROLLED.values()), tuple(_OPS.values())
    every = run_levels(PLATFORMS, cores, ops, progress)
    made: list[Row] = []
    for platform, flags in product(PLATFORMS, (OWN_FLAGS, *RELEASE)):
        for core, unrolled in _UNROLLED.items():
            row: dict[str, str | float | None] = {"platform": platform, "flags": flags}
            row["core"] = core
            for name, op in _OPS.items():
                row[name] = every[platform, flags, core, op].cycles
                row[f"unrolled_{name}"] = every[platform, flags, unrolled, op].cycles
                row[f"published_{name}"] = published(platform, core, op)
            for beside, one in (("", core), ("unrolled_", unrolled)):
                counted = accesses_of(platform, one) if flags is OWN_FLAGS else None
                row[f"{beside}encrypt_accesses"] = counted
            held = every[platform, flags, core, "decrypt-block"].round_key_bytes
            made.append({**row, "round_key_bytes": held})
    name, cycles = _CAESAR
    nothing = {column.name: None for column in COLUMNS}
    made.append({**nothing, "platform": "ARM", "core": name, "published_encrypt": cycles})
    return Measured(made, lines(list(every.values())))


def _own(rows: Sequence[Row]) -> list[Row]:
    """Rows of what was run with each platform's own flags."""
    return [row for row in rows if row["encrypt"] is not None and row["flags"] is OWN_FLAGS]


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What section 4 says of the table."""
    own, levels = _own(rows), [row for row in rows if row["flags"] is not OWN_FLAGS]
    cell = found(levels, "platform", "flags", "core")
    encrypt, decrypt = (in_both_codes(levels, name, _COLUMNS, _ROWS) for name in _OPS)
    dearer = {
        place_of(row).of(core=core) + core.partition(", ")[0] + op + code: Pair(
            figure(row[op]), figure(row[f"unrolled_{op}"])
        )
        for name, level, (core, code), op in product(PLATFORMS, RELEASE, _CODES, _OPS)
        for row in [cell(name, level, core)]
    }
    forms = [row for row in own if row["core"] != _TABLE]
    held = figures(forms, "round_key_bytes", ("core",), platform="arm7tdmi", flags=OWN_FLAGS)
    slower = in_both_codes(levels, "encrypt", _ROWS, _COLUMNS)
    spilled = _why_forwards(own)
    tabled = on_platforms(pairs(own, "encrypt", core=(_COLUMNS, _TABLE)), ARMS)
    return [
        Claim("In decryption the transposed form is faster on all platforms (columns over "
              "transposed).", "order", decrypt),
        _with(Claim("In encryption the two forms are comparable (columns over transposed).",
                    "equal", encrypt, cause="compiler or processor", why=spilled), SHORTER),
        _with(Claim("On ARM the transposed form encrypts more slowly (transposed over columns).",
                    "order", on_platforms(slower, ARMS), cause="compiler or processor",
                    why="At -Os the transposed form is the faster on both."), SHORTER),
        Claim("A block costs more on the fly than with unrolled keys (cycles of either).", "order",
              dearer),
        Claim("Decryption on the fly keeps 16 bytes, the last round key.", "exact", held, 16,
              by_construction="The cores were written to keep nothing else."),
        Claim("A table makes encryption faster on an ARM: cAESar takes 1.97 times cAESar with "
              "tables; here S-boxes by columns over one table.", "effect", tabled, 2889 / 1467,
              untestable=dict.fromkeys(tabled, "another program, in assembler"),
              why="cAESar with tables is assembler; how far its two versions differ besides the "
              "tables is not published."),
        *_ratio_claims(slower, decrypt, spilled),
    ]  # fmt: skip


def _with(claim: Claim, why: str) -> Claim:
    return with_difference(claim, _NAME, why)


_SPILLED = (
    "State and round key fill eight registers, and the first step of table 1 needs four more. On "
    "ARM7TDMI the transposed form reads and writes data {} times a block and columns {} times "
    "({} and {} with unrolled keys), so that with this compiler it loses more than published."
)
_ENDS = (
    "The stand-ins were chosen as the two ends of what ST22 may be, and they end on either side "
    "of the published ratio: rv32i pays three instructions for each rotation, Cortex-M0+ one."
)
_BACK = (
    "As in table 2 the published columns make more cycles of as many operations backwards, and "
    "the round keys on the fly, which cost both forms cycles, dilute the rest."
)


def _why_forwards(own: Sequence[Row]) -> str:
    """Accesses to data, on ARM7TDMI."""
    cell = found(own, "platform", "core")
    columns = ("encrypt_accesses", "unrolled_encrypt_accesses")
    told = [cell("arm7tdmi", PRINTED[core])[one] for one in columns for core in (_ROWS, _COLUMNS)]
    return _SPILLED.format(*told)


def _ratio_claims(
    slower: Mapping[ClaimPlace, Pair], decrypt: Mapping[ClaimPlace, Pair], spilled: str
) -> list[Claim]:
    """The printed ratios, encryption transposed over columns and decryption the other way."""
    made = []
    for cpu, (forwards, backwards) in _RATIOS.items():
        places, why = (STAND_INS, f"{_ENDS} {spilled}") if cpu == "ST22" else ((cpu,), spilled)
        made += [
            _with(Claim(f"Transposed encryption takes {forwards:.2f} times the columns' cycles "
                        f"({cpu}).", "effect", on_platforms(slower, places), forwards,
                        cause="compiler or processor", why=why), SHORTER),
            _with(Claim(f"Decryption by columns takes {backwards:.2f} times the transposed one's "
                        f"cycles ({cpu}).", "effect", on_platforms(decrypt, places), backwards,
                        cause="compiler or processor", why=_BACK), SHORTER_INVERSE),
        ]  # fmt: skip
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """ARM with cAESar, the stand-ins in ST22's units, and all as bars."""
    own = _own(rows)
    names = tuple(_OPS)
    arm = [row for row in rows if row["platform"] in ("ARM", *ARMS) and row["flags"] is OWN_FLAGS]
    # The unit is the columns' decryption with unrolled keys, which stands in their own rows here.
    unit = [
        {"platform": row["platform"], "core": unrolled, "decrypt": row["unrolled_decrypt"]}
        for row in own for core, unrolled in _UNROLLED.items()
        if row["core"] == core and unrolled in (BY_COLUMNS, PRINTED_COLUMNS)
    ]  # fmt: skip
    forms = [row for row in in_units(own, unit, names) if row["core"] != _TABLE]
    note = "cAESar with tables is beside ttable1_otf; of which ARM it is the paper does not say."
    shown = [("platform", "platform"), ("core", "core"), ("on the fly", "encrypt_accesses")]
    shown += [("unrolled keys", "unrolled_encrypt_accesses")]
    units = "Units: cycles of the columns' decryption by the same code, keys unrolled, are 1."
    parts: list[Part] = [
        by_operation("Cycles on the paper's ARM processors", arm, names, note),
        by_operation("Stand-ins for ST22", forms, names, units),
        table("Loads and stores of data in a block that is encrypted", own, shown),
        both_codes(claims(rows), _NAME),
    ]
    cell = found(own, "platform", "core")
    for op in _OPS:
        series = [
            Bars(core, [figure(cell(name, core)[op]) for name in PLATFORMS],
                 [None if code else _cycles(cell(name, core), op) for name in PLATFORMS])
            for core, code in _CODES
        ]  # fmt: skip
        image = bars(PLATFORMS, series, Scale("cycles"))
        alt = f"Bars: {op}ion of a block with keys on the fly on {len(PLATFORMS)} processors."
        parts.append(Figure(f"{op.capitalize()}ion of a block on the fly", image, ".svg", alt))
    return parts


def _cycles(row: Row, op: str) -> float | None:
    """Published cycles; ST22's units are none."""
    value = row[f"published_{op}"]
    return None if value is None or row["platform"] in STAND_INS else figure(value)
