# SPDX-License-Identifier: MIT
"""Pareto fronts of a sweep's table: the designs that no other design dominates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..choosing.pareto import front
from ..errors import unknown
from .columns import COLUMNS
from .table import Arrow

_CONDITION = re.compile(r"\s*([\w.]+)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*")
_ORDER = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
NULL = "null"
"""The text that stands for an empty cell."""
DESIGN = tuple(
    column.name
    for column in COLUMNS[1 : [one.name for one in COLUMNS].index("family") + 1]
    if column.name != "method"
)
"""Columns that say which design a row is."""


@dataclass(frozen=True)
class Front:
    """The non-dominated designs of one group, in ascending order of the first column."""

    by: dict[str, Any]
    """The values that the group has in common."""
    points: int
    """Number of designs in the group."""
    rows: tuple[dict[str, Any], ...]
    """Cells that are not null, by column."""


def numeric(table: Arrow, name: str) -> str:
    """The name of a column that holds numbers; ValueError names the nearest."""
    import pyarrow.types as types  # type: ignore[import-untyped]

    kinds = {field.name: field.type for field in table.schema}
    able = [n for n, kind in kinds.items() if types.is_integer(kind) or types.is_floating(kind)]
    if name in kinds and name not in able:
        raise ValueError(f"the column '{name}' holds no numbers; those that do: {', '.join(able)}")
    if name not in able:
        raise unknown("column", name, able)
    return name


def column_named(table: Arrow, name: str) -> str:
    """The name of a column; ValueError names the nearest."""
    if name not in table.column_names:
        raise unknown("column", name, table.column_names)
    return name


def where(table: Arrow, condition: str) -> Arrow:
    """The rows that meet a condition: `core=ttable1,mobile`, `calls<=64`, `mode=null`."""
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    found = _CONDITION.fullmatch(condition)
    if not found or not found[3]:
        raise ValueError(
            f"'{condition}' is not a condition; write one as core=ttable1,mobile or calls<=64"
        )
    name, sign, text = column_named(table, found[1]), found[2], found[3]
    column = table.column(name)
    if sign in _ORDER:
        numeric(table, name)
        mask = getattr(pc, _ORDER[sign])(column, _value(table, name, text))
        return table.filter(mask)
    values = [one.strip() for one in text.split(",")]
    wanted = [None if one == NULL else _value(table, name, one) for one in values]
    mask = pc.is_in(column, _array(wanted, column.type))
    return table.filter(mask if sign == "=" else pc.invert(mask))


def _array(values: Sequence[Any], kind: Arrow) -> Arrow:
    import pyarrow as pa

    return pa.array(values, kind)


def _value(table: Arrow, name: str, text: str) -> Any:  # noqa: ANN401 - as the column has it
    import pyarrow.types as types

    kind = table.schema.field(name).type
    try:
        if types.is_integer(kind):
            return _array([int(text)], kind)[0]
        if types.is_floating(kind):
            return float(text)
    except ValueError:
        raise ValueError(f"the column '{name}' holds numbers; '{text}' is not one") from None
    except OverflowError:
        raise ValueError(f"the column '{name}' holds no number as large as {text}") from None
    if types.is_boolean(kind):
        if text not in ("true", "false"):
            raise ValueError(f"the column '{name}' is true or false, not '{text}'")
        return text == "true"
    return text


def complete(table: Arrow, costs: Sequence[str]) -> Arrow:
    """The rows that have figures in all of these columns."""
    import pyarrow.compute as pc

    for name in costs:
        table = table.filter(pc.is_valid(table.column(name)))
    return table


def fronts(table: Arrow, costs: Sequence[str], by: Sequence[str] = ()) -> list[Front]:
    """The front of each group of rows that agree in the columns `by`; less is better."""
    values = list(zip(*(table.column(name).to_pylist() for name in costs), strict=True))
    groups = list(zip(*(table.column(name).to_pylist() for name in by), strict=True))
    groups = groups or [()] * len(values)
    order = sorted(range(len(values)), key=lambda at: _sortable(groups[at]))
    found = []
    for group, some in groupby(order, key=lambda at: groups[at]):
        members = list(some)
        best = [members[at] for at in front([values[member] for member in members])]
        best.sort(key=lambda at: values[at])
        rows = table.take(best).to_pylist()
        filled = ({k: v for k, v in row.items() if v is not None} for row in rows)
        found.append(Front(dict(zip(by, group, strict=True)), len(members), tuple(filled)))
    return found


def _sortable(group: tuple[Any, ...]) -> tuple[tuple[bool, Any], ...]:
    """A sort key with which null comes last."""
    return tuple((one is None, 0 if one is None else one) for one in group)


def telling(rows: Sequence[dict[str, Any]], apart: Sequence[str]) -> list[str]:
    """Design columns in which rows differ, without those `apart`; for a single row, all."""
    names = [name for name in DESIGN if name not in apart]
    if len(rows) == 1:
        return [name for name in names if name in rows[0]]
    return [name for name in names if len({row.get(name) for row in rows}) > 1]
