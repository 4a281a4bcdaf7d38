# SPDX-License-Identifier: MIT
"""`aesfit cores`: list the AES implementations built in."""

from dataclasses import asdict
from typing import Any

from ..catalog import Core, cores
from .common import Align, console, print_json, print_table, print_text
from .options import Csv, Json
from .records import check_form, print_csv

CORE_KEYS = (
    "name",
    "summary",
    "source",
    "lanes",
    "tables",
    "table_bytes",
    "table_bytes_decrypt",
    "round_key_bytes",
    "constant_time",
    "on_the_fly_keys",
    "needs",
    "available",
)
TABLE_KEYS = ("name", "bytes", "reads_middle_round", "reads_last_round", "direction")
COLUMNS: tuple[tuple[str, Align], ...] = (
    ("core", "<"),
    ("lanes", ">"),
    ("tables", ">"),
    ("decrypt", ">"),
    ("keys", ">"),
    ("constant-time", "<"),
    ("available", "<"),
    ("papers", "<"),
    ("what it is", "<"),
)


def as_json(core: Core) -> dict[str, Any]:
    """Plain values with the stable keys."""
    raw = asdict(core)
    tables = [{key: table[key] for key in TABLE_KEYS} for table in raw["tables"]]
    return {key: tables if key == "tables" else raw[key] for key in CORE_KEYS}


def _row(core: Core) -> tuple[str, ...]:
    return (
        core.name,
        str(core.lanes),
        str(core.table_bytes),
        str(core.table_bytes_decrypt),
        str(core.round_key_bytes["128"]["encrypt"]),
        "yes" if core.constant_time else "no",
        "yes" if core.available else f"needs {core.needs}",
        "yes" if core.study else "",
        core.summary,
    )


def command(
    as_json_: Json = False,
    csv: Csv = False,
) -> None:
    """List the built-in AES cores, with the sizes of their tables and keys."""
    if check_form(as_json_, csv):
        (print_csv if csv else print_json)([as_json(core) for core in cores()])
        return
    out = console()
    print_table(
        out,
        COLUMNS,
        [_row(core) for core in cores()],
        expendable=("what it is", "papers", "lanes", "available", "keys"),
    )
    print_text(
        out,
        "tables, decrypt: bytes of tables read while encrypting and decrypting; "
        "keys: bytes of round keys of AES-128 for encryption; papers: exists for a paper",
    )
