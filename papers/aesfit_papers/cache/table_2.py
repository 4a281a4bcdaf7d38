# SPDX-License-Identifier: MIT
"""Table 2 says how many tables each version has, and how often a call reads each of them.

Ours: the tables of the corresponding cores, and their reads of a call of AES-128 encryption: as the
core declares them (a test build of the library counts them), and as they are counted in the trace
of a call on two emulated processors.

What differs: nothing.  Key set-up reads tables too (40 times the S-box, or the tables of the last
round that stand in for it); the paper leaves that out, the model here counts it.
"""

from collections.abc import Mapping, Sequence

from aesfit.cachemodel.question import Lookup
from aesfit.catalog import core_named
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import LX, PLACES, RUN, VERSIONS, counted_on, of, rests_on
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row
from aesfit_papers.judging.place import in_row
from aesfit_papers.judging.tables import table

NUMBER = "Table 2"
TITLE = "Tables of each version and reads of a call"
_DECLARED = {name: "declared" if name == LX else name for name in PLACES}
"""The Lx does not run: its reads are those that cores declare."""
COLUMNS = (
    Column("version"),
    Column("core"),
    Column("kind"),
    Column("published_tables"),
    Column("tables"),
    Column("published_reads"),
    *(Column(f"reads_{name}") for name in _DECLARED.values()),
    Column("key_setup_reads"),
    Column("tables_decrypt"),
    Column("reads_decrypt"),
)
FAST = True
_PUBLISHED: Mapping[str, Sequence[tuple[str, str, int, int]]] = {
    "transposed": [("S-box", "sbox", 1, 160)],
    "ttable1": [("S-box", "sbox", 1, 16), ("encryption", "te", 1, 144)],
    "ttable4": [("S-box", "sbox", 1, 16), ("encryption", "te", 4, 36)],
    "ttable8": [("encryption", "te", 4, 36), ("last round", "te_last", 4, 4)],
}
"""Kind, how its tables' names begin, their number, and reads of each."""
_INVERSE = {"sbox": "inv_sbox", "te": "td", "te_last": "td_last"}
"""The tables of decryption by those of encryption."""


def _of_kind(lookups: Sequence[Lookup], begin: str) -> list[Lookup]:
    return [one for one in lookups if one.table.rstrip("0123456789") == begin]


def _each(lookups: Sequence[Lookup], begin: str) -> float:
    """Reads of each table of a kind, on average."""
    some = _of_kind(lookups, begin)
    return sum(one.reads for one in some) / len(some) if some else 0.0


def _decryption(core: str, begin: str) -> dict[str, float]:
    """Tables of decryption, as declared, that stand where encryption has those of that kind."""
    name = _INVERSE[begin]
    declared = core_named(core).tables
    own = [one for one in declared if one.direction == "decrypt"]
    some = [one.reads_per_block(128) for one in own if one.name.rstrip("0123456789") == name]
    return {"tables_decrypt": len(some), "reads_decrypt": sum(some) / len(some) if some else 0.0}


def rows(progress: Progress) -> Measured:
    """A row for each kind of table of each version."""
    made: list[Row] = []
    seen = {name: {one.core: one for one in of(name)} for name in PLACES}
    for core, kinds in _PUBLISHED.items():
        for kind, begin, number, reads in kinds:
            made.append(
                {
                    "version": VERSIONS[core],
                    "core": core,
                    "kind": kind,
                    "published_tables": number,
                    "tables": len(_of_kind(seen[LX][core].lookups, begin)),
                    "published_reads": reads,
                    **{
                        f"reads_{told}": _each(seen[name][core].lookups, begin)
                        for name, told in _DECLARED.items()
                    },
                    **_decryption(core, begin),
                    "key_setup_reads": _each(seen[RUN[0]][core].setup, begin),
                }
            )
    return Measured(made, rests_on(RUN, cached=False))


_BUILT = "The cores were written to have the tables and reads of the paper's versions."


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Number of tables and reads, cell by cell."""
    made = []
    for row in rows:
        version, kind = row["version"], row["kind"]
        what = "the S-box" if kind == "S-box" else f"each of its {kind} tables"
        made.append(
            Claim(
                f"A call of {version} reads {what} {row['published_reads']} times.",
                "exact",
                {
                    counted_on(told).of(version=version, kind=kind): figure(row[f"reads_{told}"])
                    for told in _DECLARED.values()
                },
                figure(row["published_reads"]),
                by_construction=_BUILT,
            )
        )
    made.append(
        Claim(
            "AES4 has 4 encryption tables, and AES6 has 4 and 4 for the last round.",
            "exact",
            {
                in_row(row, "version", "kind"): figure(row["tables"])
                for row in rows
                if row["published_tables"] == 4
            },
            4,
            by_construction=_BUILT,
        )
    )
    alike = {
        in_row(row, "version", "kind"): Pair(
            figure(row["tables_decrypt"]) * figure(row["reads_decrypt"]),
            figure(row["tables"]) * figure(row["reads_declared"]),
        )
        for row in rows
    }
    sentence = "Decryption reads its tables as encryption does (reads of a call over encryption's)."
    return [*made, Claim(sentence, "equal", alike, by_construction=_BUILT)]


def render(rows: Sequence[Row]) -> list[Part]:
    """The table."""
    shown = [("version", "version"), ("tables", "kind"), ("number", "tables")]
    shown += [("published", "published_tables")]
    shown += [
        ("reads" if told not in RUN else told, f"reads_{told}") for told in _DECLARED.values()
    ]
    shown += [("published", "published_reads"), ("key set-up", "key_setup_reads")]
    shown += [("decryption", "reads_decrypt")]
    note = (
        "Reads of each table of the kind by one call, declared and counted; every version reads "
        "160 times in all. Key set-up: reads of each table by one; decryption: as declared."
    )
    return [table("Tables and reads", rows, shown, note=note)]
