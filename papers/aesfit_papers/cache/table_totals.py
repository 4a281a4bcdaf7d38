# SPDX-License-Identifier: MIT
"""Section 3 adds up the bytes of all tables of versions 1 to 3, encryption and decryption together.

Ours: the tables that the corresponding cores declare, each once, for encryption, decryption and key
set-up: AES1 is the library's `sbox_columns`, AES2 and AES3 are `ttable1` and `ttable1_wide`.
Versions 4 to 6 and AEST are added up too, although the paper gives no totals for them.

What differs: the paper's table of round constants has ten words (40 bytes); ours has ten bytes.
Both totals are shown.  AES6 here has four more tables for the round keys of decryption.
"""

from collections.abc import Mapping, Sequence

from aesfit.catalog import cores
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import ALIKE, VERSIONS
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.place import told
from aesfit_papers.judging.tables import table

NUMBER = "Section 3, table totals"
TITLE = "Bytes of all tables of a version"
COLUMNS = (
    Column("version"),
    Column("core"),
    Column("published_bytes", "B"),
    Column("bytes", "B"),
    Column("bytes_with_rcon_of_words", "B"),
    Column("read_by_encryption", "B"),
)
FAST = True
_RCON = 40
"""Bytes of the paper's round constants: ten words."""
_PUBLISHED: Mapping[str, int] = {"AES1": 552, "AES2": 2600, "AES3": 4136}
_NAMES = {**VERSIONS, **{core: name for core, (name, _) in ALIKE.items()}}


def rows(progress: Progress) -> Measured:
    """A row for each version."""
    known = {core.name: core for core in cores()}
    made: list[Row] = []
    for core, version in sorted(_NAMES.items(), key=lambda pair: pair[1]):
        sizes = {one.name: one.bytes for one in known[core].tables}
        made.append(
            {
                "version": version,
                "core": core,
                "published_bytes": _PUBLISHED.get(version),
                "bytes": sum(sizes.values()),
                "bytes_with_rcon_of_words": sum(sizes.values()) - sizes["rcon"] + _RCON,
                "read_by_encryption": known[core].table_bytes,
            }
        )
    return Measured(made, ("the library's cores, as they declare their tables",))


_BUILT = "The cores were written to have the tables of the paper's versions."


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Three totals, and that AEST has those of AES1."""
    total = {str(row["version"]): row for row in rows}
    made = [
        Claim(
            f"All tables of version {version[-1]} together have {published:,} bytes.",
            "exact",
            {
                told("with 40 bytes of rcon").of(version=version): figure(
                    total[version]["bytes_with_rcon_of_words"]
                )
            },
            published,
            by_construction=_BUILT,
        )
        for version, published in _PUBLISHED.items()
    ]
    place = told("library").of(version=("AEST", "AES1"))
    same = Pair(figure(total["AEST"]["bytes"]), figure(total["AES1"]["bytes"]))
    sentence = "AEST has as many bytes of tables as version 1 (ratio)."
    return [*made, Claim(sentence, "equal", {place: same}, by_construction=_BUILT)]


def render(rows: Sequence[Row]) -> list[Part]:
    """The table."""
    shown = [("version", "version"), ("core", "core"), ("as built", "bytes")]
    shown += [("rcon of 40", "bytes_with_rcon_of_words")]
    shown += [("published", "published_bytes"), ("encryption", "read_by_encryption")]
    words = (
        "AES3 replaces both S-boxes by tables of words, so the published 4,136 bytes are four "
        "tables of 1,024 and the round constants: no S-box is left, and key set-up takes its bytes "
        "from the table of the last round."
    )
    note = "Rcon of 40: with the paper's table of round constants. Encryption: read by it alone."
    title = "Bytes of tables, both directions and key set-up"
    return [table(title, rows, shown, note=note), Words(words)]
