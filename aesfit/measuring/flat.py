# SPDX-License-Identifier: MIT
"""Rows as flat mappings, for tables such as CSV or pandas.DataFrame."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from ..jobs.job import Provenance, Row

Scalar = str | int | float | bool | None
FlatRow = Mapping[str, Scalar]
"""Column names and values, all scalars."""


def flat(row: Row) -> dict[str, Scalar]:
    """All of a row; what its provenance says stands in columns of its own, at the end."""
    told = asdict(row)
    facts: dict[str, Scalar] = told.pop("provenance")
    return {**told, **facts}


def empty() -> dict[str, Scalar]:
    """The columns of `flat` without values."""
    own = [field.name for field in fields(Row) if field.name != "provenance"]
    return dict.fromkeys([*own, *(field.name for field in fields(Provenance))])
