# SPDX-License-Identifier: MIT
"""Values of options that are read without a library for validation.

Typer reads every value with Pydantic, whose import takes a quarter of the time of a stored answer.
A text, a whole number within its bounds, a value with a parser of its own, several texts and the
lack of a value are read here.
Typer reads all else, so that its complaints are the same for every option.
"""

import re
from typing import Any

_NUMBER = re.compile(r"-?[0-9]{1,18}")


class UnreadError(ValueError):
    """The value is left to Typer."""


class PlainValue:
    """Stands where Typer keeps what reads the values of one option."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - typer's own kinds
        """The value as the verb gets it."""
        try:
            return _read(param, value)
        except UnreadError:
            param._runtime_param = None  # Typer makes its own when it is asked for one
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def read_plainly(parameters: list[Any]) -> list[Any]:
    """The options, whose plain values are read here; older Typers have no place for that."""
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
