# SPDX-License-Identifier: MIT
"""The reference of the Python package as Markdown: docstrings, and signatures with their types.

The extension's docstrings are read at run time and its types from its stubs, because each lacks
what the other has.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import aesfit
import aesfit.files

STUBS = Path(aesfit.__file__).with_name("_native.pyi")
Node = ast.ClassDef | ast.FunctionDef


def pages() -> Iterator[str]:
    """The whole reference."""
    stubs = _named(ast.parse(STUBS.read_text(encoding="utf-8")).body)
    yield "# Python reference\n"
    for module in (aesfit, aesfit.files):
        yield from _module(module, stubs)


def _module(module: ModuleType, stubs: Mapping[str, Node]) -> Iterator[str]:
    yield f"## {module.__name__}\n"
    yield (inspect.getdoc(module) or "") + "\n"
    for name in module.__all__:
        thing = getattr(module, name)
        if not name.startswith("__") and inspect.getdoc(thing) is not None:
            yield from _entry(name, thing, stubs.get(name))


def _named(body: list[ast.stmt]) -> dict[str, Node]:
    """Classes and functions of a part of the stubs; private ones have no docstring to show."""
    return {node.name: node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


def _entry(name: str, thing: Any, stub: Node | None) -> Iterator[str]:  # noqa: ANN401 - anything
    """A class with its methods and properties, a function, or a constant with its value."""
    yield f"### {name}\n"
    if not (inspect.isclass(thing) or callable(thing)):
        yield f"`{thing!r}`\n"
        return
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        yield f"An error, a kind of `{thing.__mro__[1].__name__}`.\n"
    elif (signature := _signature(name, thing, stub)) is not None:
        yield f"```python\n{signature}\n```\n"
    yield _text(thing) + "\n"
    if inspect.isclass(thing):
        inner = _named(stub.body) if isinstance(stub, ast.ClassDef) else {}
        for member, value in vars(thing).items():
            if not member.startswith("_") and (text := _text(getattr(thing, member))):
                yield from _member(name, member, value, inner.get(member), text)


def _member(
    owner: str,
    name: str,
    value: Any,  # noqa: ANN401 - as above
    stub: Node | None,
    text: str,
) -> Iterator[str]:
    if not callable(value) and not isinstance(value, staticmethod):
        yield f"**`{name}`**: {text}\n"
    elif (signature := _signature(name, value, stub)) is not None:
        yield f"#### {owner}.{name}\n"
        yield f"```python\n{signature}\n```\n"
        yield f"{text}\n"


def _text(thing: Any) -> str:  # noqa: ANN401 - as above
    """The docstring; nanobind puts a signature without types before it."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"\A\w+\(.*?\) -> [^\n]+\n+", "", text, flags=re.DOTALL)
    return re.sub(r"^(Args|Returns|Raises):\n((?:    .*\n?)+)", _section, text, flags=re.MULTILINE)


def _section(found: re.Match[str]) -> str:
    """Convert a docstring's named items to a Markdown list."""
    whole = re.sub(r"\n {4,}(?!\w+: )", " ", found[2].rstrip())
    items = re.findall(r"^    (\w+): (.*)$", whole, re.MULTILINE)
    title = {"Args": "Arguments"}.get(found[1], found[1])
    return "\n".join([f"{title}:\n", *(f"- `{name}`: {text}" for name, text in items), ""])


def _signature(name: str, thing: Any, stub: Node | None) -> str | None:  # noqa: ANN401 - as above
    made = _named(stub.body).get("__init__") if isinstance(stub, ast.ClassDef) else stub
    if isinstance(made, ast.FunctionDef):
        arguments = ast.unparse(made.args).removeprefix("self, ").removeprefix("self")
        returned = f" -> {ast.unparse(made.returns)}" if made.returns else ""
        return f"{name}({arguments}){returned.removesuffix(' -> None')}"
    try:
        return re.sub(r"<function (\w+) at 0x\w+>", r"\1", f"{name}{inspect.signature(thing)}")
    except (TypeError, ValueError):
        return None
