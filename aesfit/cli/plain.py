# SPDX-License-Identifier: MIT
"""Reads values of options without Pydantic.

Typer reads every value with Pydantic, whose import takes a quarter of the time of a stored answer.
Read here are texts, integers within bounds, values with their own parser, lists of texts, and
absent values.  All others, and errors, are left to Typer, so that messages are alike for every
option.
"""

import re
from typing import Any

_NUMBER = re.compile(r"-?[0-9]{1,18}")


class UnreadError(ValueError):
    """Leave the value to Typer."""


class PlainValue:
    """Replaces the object with which Typer reads the values of one option."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - typer's own kinds
        """The value as the verb gets it."""
        try:
            return _read(param, value)
        except UnreadError:
            param._runtime_param = None  # built by Typer on first use
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def read_plainly(parameters: list[Any]) -> list[Any]:
    """The options with this reader installed, if this version of Typer allows that."""
    for one in parameters:
        if getattr(one, "_runtime_param", True) is None:
            one._runtime_param = PlainValue()
    return parameters


def _read(param: Any, value: Any) -> Any:  # noqa: ANN401 - as above
    several = param.multiple or param.nargs == -1
    if value is None:
        return () if several else None
    kind = param.type_descriptor.annotation
    if several and kind == list[str] and all(isinstance(one, str) for one in value):
        return list(value)
    if several:
        raise UnreadError
    if param.type_descriptor.parameter_info.parser:
        return param.type_descriptor.parameter_info.parser(value)
    if kind is str and isinstance(value, str):
        return value
    if kind is int and type(value) in (int, str) and _NUMBER.fullmatch(str(value)):
        return _within(param.type_descriptor.parameter_info, int(value))
    raise UnreadError


def _within(bounds: Any, value: int) -> int:  # noqa: ANN401 - as above
    low = bounds.min is not None and value < bounds.min
    high = bounds.max is not None and value > bounds.max
    if low or high:
        raise UnreadError
    return value
