# SPDX-License-Identifier: MIT
"""What a Python file imports and which files beside it it names, read from its source.

Imports inside functions count, and so do find_spec("name") and import_module("name").  Imports
under TYPE_CHECKING do not: they never run.  A module whose name is computed is not seen here; who
computes it names it to closure.digest().
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_DECLARES = "beside"
"""The function of files.py by which a module names files."""
_FINDS = ("find_spec", "import_module")
"""Functions that take a module's name."""


class UnreadableSourceError(RuntimeError):
    """A Python file from which its closure cannot be told."""


@dataclass(frozen=True)
class Import:
    """One name of an import statement."""

    level: int
    """Leading dots."""
    module: str
    """After the dots; may be empty."""
    name: str | None = None
    """What is taken from the module; None in `import module`."""
    bound: str | None = None
    """The name it has in the importing file."""


@dataclass(frozen=True)
class ModuleSource:
    """What a Python file depends on by its own words."""

    imports: tuple[Import, ...]
    patterns: tuple[str, ...]
    """Of files beside it (files.beside)."""


def read_source(text: str, name: str) -> ModuleSource:
    """Imports and file patterns of a Python file; `name` is for the complaint."""
    tree = ast.parse(text)
    imports = [*_imports(tree.body)]
    patterns: list[str] = []
    if any(f"{function}(" in text for function in (_DECLARES, *_FINDS)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                imports += _found_by(node)
                patterns += _patterns(node, name)
    return ModuleSource(tuple(imports), tuple(patterns))


def _imports(body: list[ast.stmt]) -> Iterator[Import]:
    for statement in body:
        if isinstance(statement, ast.Import):
            for one in statement.names:
                yield Import(0, one.name)
        elif isinstance(statement, ast.ImportFrom):
            for one in statement.names:
                bound = one.asname or one.name
                yield Import(statement.level, statement.module or "", one.name, bound)
        else:
            yield from _inside(statement)


def _inside(statement: ast.stmt) -> Iterator[Import]:
    """Imports in the blocks of a compound statement."""
    if isinstance(statement, ast.If) and _is_type_checking(statement.test):
        yield from _imports(statement.orelse)
        return
    for field in ("body", "orelse", "finalbody"):
        yield from _imports(getattr(statement, field, []))
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from _imports(part.body)


def _is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _function(call: ast.Call) -> str:
    """The last part of the called function's name."""
    return ast.unparse(call.func).rpartition(".")[2]


def _literals(arguments: list[ast.expr]) -> list[str]:
    values = (one.value for one in arguments if isinstance(one, ast.Constant))
    return [value for value in values if isinstance(value, str)]


def _found_by(call: ast.Call) -> Iterator[Import]:
    """A module that is looked up by its literal name."""
    if _function(call) in _FINDS:
        for name in _literals(call.args[:1]):
            yield Import(0, name)


def _patterns(call: ast.Call, name: str) -> list[str]:
    """Patterns in a call `beside(__file__, ...)`."""
    if _function(call) != _DECLARES:
        return []
    own, given = call.args[:1], call.args[1:]
    literals = _literals(given)
    if not own or ast.unparse(own[0]) != "__file__" or len(literals) != len(given) or call.keywords:
        raise UnreadableSourceError(
            f"{name}, line {call.lineno}: name the files as literal strings after __file__"
        )
    return literals
