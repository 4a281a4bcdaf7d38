# SPDX-License-Identifier: MIT
"""The rooms of the Python packages: what may lie at a root, and which way imports point.

The order of the rooms is that of the tree in docs/architecture.md: a room imports those before it.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest
from places import ROOT

PACKAGE = ROOT / "aesfit"
PAPERS = ROOT / "papers" / "aesfit_papers"
"""The package that imports the other, and that nothing imports but its own verbs and tests."""
AT_THE_ROOT = ("errors", "units", "extras", "catalog")
"""Modules beside __init__ and __main__: they come before every room, in this order."""
BINARY = (".so", ".pyc")
LONGEST = 40
"""Lines of a function without a reason beside it."""
NOT_A_REASON = re.compile(r"# *(noqa|type:)[^#]*")
REASON = re.compile(r"# *\w")
_IMPORTED_AS = {"pillow": "PIL", "pyelftools": "elftools"}
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OF_EXTRAS = {
    _IMPORTED_AS.get(name, name)
    for extra in _PROJECT["optional-dependencies"].values()
    for name in (re.split(r"[<>=\[]", package)[0] for package in extra)
} - {"numpy"}
"""Packages that no installation needs to have, by the name that is imported."""
Graph = Mapping[str, set[str]]


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    name: str
    tree: ast.Module
    lines: tuple[str, ...]
    is_package: bool
    package: str = PACKAGE.name

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All of its tree, which every test walks through."""
        return [*ast.walk(self.tree)]

    @property
    def room(self) -> str:
        """The folder below the package, or the module's own name at its root."""
        return self.name.partition(".")[0]

    @property
    def folder(self) -> str:
        """The package that relative imports begin from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


def module(
    name: str, text: str, *, is_package: bool = False, package: str = PACKAGE.name
) -> Module:
    """A module from its text; `name` is without that of the package."""
    return Module(name, ast.parse(text), tuple(text.splitlines()), is_package, package)


@cache
def modules(package: Path = PACKAGE) -> dict[str, Module]:
    """Every module of a package but its __init__ and __main__, by name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        if name and name != "__main__":
            text = path.read_text(encoding="utf-8")
            found[name] = module(name, text, is_package=is_package, package=package.name)
    return found


def everything() -> list[Module]:
    """The modules of both packages."""
    return [*modules().values(), *modules(PAPERS).values()]


def rooms(folder: str = "aesfit") -> list[str]:
    """Rooms in the order of docs/architecture.md, in which a room imports those before it."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = text.split(f"\n{folder}/ ", 1)[1].split("\n```", 1)[0]
    inside = re.split(r"\n(?=\S)", tree, maxsplit=1)[0]
    lines = re.findall(r"^  ((?:\w+/ )+)", inside, re.MULTILINE)
    return [room for line in lines for room in re.findall(r"\w+", line)]


def imported(one: Module, known: Mapping[str, object]) -> Iterator[tuple[str, ast.stmt]]:
    """Modules of the package that a module imports, with the statement that does."""
    for node in one.nodes:
        if not isinstance(node, ast.ImportFrom | ast.Import):
            continue
        for full in _named(one, node):
            name = full
            while name and name not in known:
                name = name.rpartition(".")[0]
            yield name, node


def _named(one: Module, node: ast.ImportFrom | ast.Import) -> Iterator[str]:
    """Names below the module's package of all that a statement imports from it; "" is the root."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        above = (f"{one.package}." + one.folder).rstrip(".").split(".")
        base = above[: len(above) - node.level + 1] + (node.module or "").split(".")
        names = [".".join([*filter(None, base), alias.name]) for alias in node.names]
    else:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    for name in names:
        if name == one.package or name.startswith(f"{one.package}."):
            inside = name.removeprefix(one.package).removeprefix(".")
            if not inside.startswith("_native"):
                yield inside


def graph(found: Mapping[str, Module]) -> dict[str, set[str]]:
    """Which module imports which."""
    return {
        name: {other for other, _ in imported(one, found)} - {name} for name, one in found.items()
    }


def circles(arrows: Graph) -> list[tuple[str, ...]]:
    """Sets of nodes each of which reaches itself, sorted."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        left = [start]
        while left:
            for other in arrows.get(left.pop(), set()) - seen:
                seen.add(other)
                left.append(other)
        return seen

    reach = {node: reached(node) for node in arrows}
    tied = [node for node in arrows if node in reach[node]]
    return sorted({tuple(sorted(b for b in tied if b in reach[a] and a in reach[b])) for a in tied})


def against_the_order(found: Mapping[str, Module], order: list[str]) -> list[str]:
    """Imports against the order: of a room that is listed later, or of the package itself."""
    height = {room: at for at, room in enumerate([*AT_THE_ROOT, *order])}
    return [
        f"{one.name}:{node.lineno} imports {other or 'aesfit itself'}"
        for one in found.values()
        for other, node in imported(one, found)
        if not other or height[other.partition(".")[0]] > height[one.room]
    ]


def naming_the_papers(texts: Mapping[str, str]) -> list[str]:
    """Files that name the papers' package: only its entry point leads to it."""
    return [name for name, text in texts.items() if PAPERS.name in text]


def classes_in_two_rooms(found: Iterable[Module]) -> dict[str, list[str]]:
    """Names of classes that are defined in more than one module."""
    where: dict[str, list[str]] = defaultdict(list)
    for one in found:
        for node in one.nodes:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(one.name)
    return {name: places for name, places in where.items() if len(places) > 1}


def of_an_extra(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether the package is one that the user may not have installed: then that is the reason."""
    name = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
    return name.partition(".")[0] in OF_EXTRAS


def hidden_imports(one: Module) -> list[str]:
    """Imports inside functions whose line gives no reason."""
    return [
        f"{one.name}:{node.lineno}"
        for function in one.nodes
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom) and not of_an_extra(node)
        if not REASON.search(
            NOT_A_REASON.sub("", " ".join(one.lines[node.lineno - 1 : node.end_lineno]))
        )
    ]


def long_functions(one: Module) -> list[str]:
    """Functions above LONGEST lines without a reason in the line of their name or above it."""
    found = []
    for node in one.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            beside = one.lines[max(node.lineno - 2, 0) : node.lineno]
            if length > LONGEST and not any("# long: " in line for line in beside):
                found.append(f"{one.name}:{node.lineno} {node.name} has {length} lines")
    return found


def test_the_root_holds_named_modules_and_rooms_alone() -> None:
    loose = {one.name for one in modules().values() if "." not in one.name and not one.is_package}
    assert loose == set(AT_THE_ROOT)
    assert {one.room for one in modules().values()} - loose == set(rooms()) - {"native"}
    assert {one.room for one in modules(PAPERS).values()} == set(rooms("papers")) - {"tests"}


def test_nothing_of_the_product_knows_the_papers() -> None:
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in BINARY]
    texts = {str(path): path.read_text(encoding="utf-8") for path in files}
    assert len(texts) > 300
    assert naming_the_papers(texts) == []


def test_no_test_of_the_product_imports_the_papers() -> None:
    paths = sorted((ROOT / "tests" / "python").rglob("*.py"))
    texts = {str(path): path.read_text(encoding="utf-8") for path in paths}
    assert naming_the_papers(texts) == [__file__]


@pytest.mark.parametrize("package", [PACKAGE, PAPERS])
def test_no_circle_among_modules_or_rooms(package: Path) -> None:
    arrows = graph(modules(package))
    assert circles(arrows) == []
    between: dict[str, set[str]] = defaultdict(set)
    for name, others in arrows.items():
        mine = name.partition(".")[0]
        between[mine] |= {other.partition(".")[0] for other in others} - {mine}
    assert circles(between) == []  # a two-way tie between rooms is the smallest circle


def test_a_room_imports_rooms_listed_before_it() -> None:
    assert against_the_order(modules(), rooms()) == []
    assert against_the_order(modules(PAPERS), rooms("papers")) == []


def test_no_class_name_is_used_twice() -> None:
    assert classes_in_two_rooms(everything()) == {}


def test_no_import_hides_in_a_function_without_a_reason() -> None:
    assert [place for one in everything() for place in hidden_imports(one)] == []


def test_long_functions_say_why() -> None:
    assert [told for one in everything() for told in long_functions(one)] == []


def test_tests_mirror_the_rooms() -> None:
    allowed = {*rooms(), "library"}
    folders = {path.name for path in Path(__file__).parent.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} <= allowed
    folders = {path.name for path in (ROOT / "papers" / "tests").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} <= set(rooms("papers"))


@pytest.mark.parametrize(
    ("texts", "check"),
    [
        ({"a.x": "from ..b import y", "b.y": "from ..a import x"}, "circle"),
        ({"a.x": "from ..b.y import Z", "b.y": "class Z: ..."}, "against the order"),
        ({"a.x": "from .. import fit", "b.y": ""}, "against the order"),
        ({"a.x": "from aesfit_papers.judging import rule", "b.y": ""}, "papers"),
        ({"a.x": "class Same: ...", "b.y": "class Same: ..."}, "class"),
        ({"a.x": "def f():\n    import numpy"}, "hidden"),
        ({"a.x": "def f():\n" + "    a = 1\n" * 41}, "long"),
    ],
)
def test_planted_faults_are_found(texts: dict[str, str], check: str) -> None:
    found = {name: module(name, text) for name, text in texts.items()}
    found |= {room: module(room, "", is_package=True) for room in ("a", "b")}
    told = {
        "circle": circles(graph(found)),
        "against the order": against_the_order(found, ["a", "b"]),
        "papers": naming_the_papers(texts),
        "class": classes_in_two_rooms(found.values()),
        "hidden": [place for one in found.values() for place in hidden_imports(one)],
        "long": [place for one in found.values() for place in long_functions(one)],
    }
    assert told[check]
