# SPDX-License-Identifier: MIT
"""Preprocessor conditions, evaluated as far as possible: true, false or undecided.

A macro is decided if the generator knows its value or knows that it is undefined; what depends on
the compiler is undecided.  An `#if` expression becomes a number, or a shorter expression.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping

Macros = Mapping[str, str | None]
"""Value of each decided macro; None: known to be undefined."""

_OPERATORS: dict[type, tuple[str, Callable[[int, int], int]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.Gt: (">", operator.gt),
    ast.LtE: ("<=", operator.le),
    ast.GtE: (">=", operator.ge),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
}


def evaluate(condition: str, macros: Macros) -> int | str:
    """A number if `condition` is decided, otherwise the remaining C expression."""
    names = set(re.findall(r"\b[A-Za-z_]\w*", condition))
    if names and not names & set(macros):
        return condition  # not rebuilt: it may hold tokens that are no expression elsewhere
    python = re.sub(r"defined\s+(\w+)", r"defined(\1)", condition)
    python = re.sub(r"!(?!=)", " not ", python.replace("&&", " and ").replace("||", " or "))
    python = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", python)
    return _value(ast.parse(python.strip(), mode="eval").body, macros)


def _value(node: ast.expr, macros: Macros) -> int | str:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return _macro(name, macros)
        case ast.Call(func=ast.Name(id="defined"), args=[ast.Name(id=name)]):
            return int(macros[name] is not None) if name in macros else f"defined({name})"
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            value = _value(inner, macros)
            return int(not value) if isinstance(value, int) else f"!{_grouped(value)}"
        case ast.BoolOp(op=connective, values=parts):
            return _connected(isinstance(connective, ast.And), parts, macros)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            return _binary(sign, left, right, macros)
        case ast.BinOp(left=left, op=sign, right=right):
            return _binary(sign, left, right, macros)
    raise ValueError(f"the generator cannot read the condition {ast.unparse(node)}")


def _macro(name: str, macros: Macros) -> int | str:
    if name not in macros:
        return name
    return evaluate(macros[name] or "0", macros)


def _connected(all_of: bool, parts: list[ast.expr], macros: Macros) -> int | str:
    """A chain of && (all_of) or of ||."""
    left: list[str] = []
    for part in parts:
        value = _value(part, macros)
        if isinstance(value, str):
            left.append(value)
        elif bool(value) != all_of:
            return int(not all_of)
    if len(left) <= 1:
        return left[0] if left else int(all_of)
    return (" && " if all_of else " || ").join(map(_grouped, left))


def _binary(
    sign: ast.cmpop | ast.operator, left: ast.expr, right: ast.expr, macros: Macros
) -> int | str:
    a, b = _value(left, macros), _value(right, macros)
    written, computed = _OPERATORS[type(sign)]
    if isinstance(a, int) and isinstance(b, int):
        return int(computed(a, b))
    return f"{_grouped(str(a))} {written} {_grouped(str(b))}"


def _grouped(text: str) -> str:
    """Add brackets, unless it is a name or a call."""
    return text if re.fullmatch(r"!?[\w()]+", text) else f"({text})"
