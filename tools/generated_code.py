# SPDX-License-Identifier: MIT
"""What scripts and modules of the checkout import, directly or not, read from their sources.

In contrast to aesfit.store.closure scripts may import from each other and from any folder, and a
function of another name than files.beside may be called so.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesfit.store.files import contents

FOLDERS = (".", "papers", "tools", "tests/python")
"""Below the checkout: where absolute imports are looked for."""
Imported = tuple[int, str, str]
"""Leading dots, module, and the name that is taken from it; "" in `import module`."""


class Code:
    """Files that take part, and the packages that are not of the checkout."""

    def __init__(self, root: Path, start: Iterable[Path]) -> None:
        """Of these files, of which some may be no Python."""
        self.root = root
        self.files: set[Path] = set()
        self.packages: set[str] = set()
        self._left = list(start)
        while self._left:
            path = self._left.pop()
            if path not in self.files:
                self.files.add(path)
                self._follow(path)

    def _follow(self, path: Path) -> None:
        if path.suffix != ".py":
            self._left += [path.parent / name for name in _includes(path)]
            return
        source = source_of(path)
        for pattern in source.beside:
            self._left += sorted(path.parent.glob(pattern))
        for one in source.imports:
            self._import(path, one)

    def _import(self, path: Path, one: Imported) -> None:
        level, module, name = one
        found = _resolved(self.root, path.parent, level, module, name)
        if found is None:
            top = module.partition(".")[0]
            if not level and not (self.root / top).is_dir():
                self.packages.add(top)
        elif found.name == "__init__.py" and name:
            passed = [each for each in source_of(found).imports if each[2] == name]
            for each in passed:
                self._import(found, each)
            self._left += [] if passed else [found]
        else:
            self._left.append(found)


def forget() -> None:
    """Read all files and folders again."""
    for one in (source_of, _known, _resolved):
        one.cache_clear()


def module_file(root: Path, name: str) -> Path:
    """The file of a module that is named as aesfit.x.y; ValueError where there is none."""
    found = _file(root, name.split("."))
    if found is None:
        raise ValueError(f"there is no module {name}")
    return found


@cache
def _resolved(root: Path, folder: Path, level: int, module: str, name: str) -> Path | None:
    """The file that an import leads to: of the name if it is a module, else of what holds it."""
    below = module.split(".") if module else []
    above = (folder, *folder.parents)
    bases = [above[level - 1]] if level else [folder, *(root / one for one in FOLDERS)]
    for base in bases:
        for parts in ([*below, name], below) if name else (below,):
            if found := _file(base, parts):
                return found
    return None


@cache
def _known(folder: Path) -> frozenset[str]:
    return frozenset(one.name for one in folder.iterdir()) if folder.is_dir() else frozenset()


def _file(base: Path, parts: Sequence[str]) -> Path | None:
    whole = base.joinpath(*parts)
    if parts and f"{parts[-1]}.py" in _known(whole.parent):
        return whole.parent / f"{parts[-1]}.py"
    return whole / "__init__.py" if "__init__.py" in _known(whole) else None


@dataclass(frozen=True)
class Source:
    """What a Python file says of itself."""

    imports: tuple[Imported, ...]
    beside: tuple[str, ...]
    """Patterns of files that it names beside itself."""
    unsaid: frozenset[int]
    """Numbers of the lines of strings that are statements: docstrings, of attributes too."""


@cache
def source_of(path: Path) -> Source:
    """Imports in functions count, and those that never run do not."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    statements = list(_statements(tree))
    nodes = ast.walk(tree) if "beside(" in text else ()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return Source(
        tuple(one for each in statements for one in _imported(each)),
        tuple(one for call in calls for one in _beside(call)),
        frozenset(at for each in statements for at in _string_lines(each)),
    )


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All below a node, but for those under TYPE_CHECKING."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from _statements(child)


def _imported(node: ast.stmt) -> Iterator[Imported]:
    if isinstance(node, ast.Import):
        yield from ((0, one.name, "") for one in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.level, node.module or "", one.name) for one in node.names)


def _string_lines(node: ast.stmt) -> Iterable[int]:
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return ()


def _beside(call: ast.Call) -> Iterator[str]:
    """Patterns of a call beside(__file__, "...")."""
    called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if called == "beside" and call.args:
        first, *others = call.args
        if isinstance(first, ast.Name) and first.id == "__file__":
            yield from (str(one.value) for one in others if isinstance(one, ast.Constant))


def _includes(path: Path) -> tuple[str, ...]:
    """Files that C and Verilog include from their own folder."""
    if path.suffix not in {".c", ".h", ".cpp", ".v", ".vh"}:
        return ()
    return tuple(one for one in contents(path).includes if (path.parent / one).is_file())
