# SPDX-License-Identifier: MIT
"""The import closure of a module, and its digest: what a result made by that module depends on.

Imports are followed through the sources, never run, so the closure needs no list of files.  It
holds Python files of this package, the files that they name beside themselves (files.beside) with
what those include, and the names of other packages, for whose contents their versions stand.

Two things keep an unrelated edit out.  A package's __init__.py takes part only where a name that
it defines itself is imported; a name that it passes on leads to where it comes from.  And the
compiled extension is named, not read: what it says of a core is in the key of a job as plain facts,
and who has it compute adds extension_sha256().
"""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from . import files, parsed, stamp
from .contents import Facts
from .imports import Import, UnreadableSourceError

PACKAGE = Path(__file__).resolve().parents[1]
_DISTRIBUTIONS = {"elftools": "pyelftools", "PIL": "pillow"}
"""Of packages that are imported by another name than they are installed by."""
_FOLLOWED = {".c", ".h", ".cpp", ".v", ".vh", ".vlt"}


@dataclass
class Closure:
    """All that takes part in what some modules do."""

    files: set[Path] = field(default_factory=set)
    extensions: set[str] = field(default_factory=set)
    """Compiled modules of this package."""
    packages: set[str] = field(default_factory=set)
    """Other packages by the name that is imported; the standard library is left out."""


class _Walk:
    """Follows imports from module to module."""

    def __init__(self, package: Path) -> None:
        self.package, self.found = package, Closure()
        self._passed: set[tuple[str, str]] = set()

    def module(self, name: str) -> None:
        """A module of this package, or another package."""
        top = name.partition(".")[0]
        if not is_ours(name, self.package):
            if top not in sys.stdlib_module_names:
                self.found.packages.add(top)
            return
        path = self._path(name)
        if path is None:
            if not _is_extension(self.package, name):
                raise UnreadableSourceError(f"there is no module {name}, though one imports it")
            self.found.extensions.add(name)
        elif path not in self.found.files:
            self._python(name, path)

    def add(self, path: Path) -> None:
        """A file: a script with what it imports, C or Verilog with what it includes."""
        path = path.resolve()
        if not path.is_file() or path in self.found.files:
            return
        if path.suffix == ".py":
            self._python("", path)
            return
        self.found.files.add(path)
        if path.suffix in _FOLLOWED:
            for name in files.contents(path).includes:
                self.add(path.parent / name)

    def _python(self, name: str, path: Path) -> None:
        self.found.files.add(path)
        source = parsed.source_of(path)
        for pattern in source.patterns:
            for other in sorted(path.parent.glob(pattern)):
                self.add(other)
        for one in source.imports:
            self._follow(name, path, one)

    def _follow(self, importer: str, path: Path, one: Import) -> None:
        base = _absolute(importer, path, one)
        if one.name is None or not is_ours(base, self.package):
            self.module(base)
        else:
            self._name(base, one.name)

    def _name(self, base: str, name: str) -> None:
        """A name taken from a module: a module in it, one passed on by it, or one of its own."""
        if (base, name) in self._passed:
            return
        self._passed.add((base, name))
        path = self._path(base)
        inner = f"{base}.{name}"
        if path is not None and path.name == "__init__.py":
            if self._path(inner) is not None:
                self.module(inner)
                return
            passed_on = [one for one in parsed.source_of(path).imports if one.bound == name]
            if passed_on:
                for one in passed_on:
                    self._follow(base, path, one)
                return
            if _is_extension(self.package, inner):
                self.module(inner)
                return
        self.module(base)

    def _path(self, name: str) -> Path | None:
        """The Python file of a module of this package; None where there is none."""
        return _python_file(self.package, name)


@cache
def _python_file(package: Path, name: str) -> Path | None:
    below = name.split(".")[1:]
    for parts in ([*below[:-1], f"{below[-1]}.py"] if below else [], [*below, "__init__.py"]):
        path = package.joinpath(*parts)
        if path.is_file():
            return path
    return None


def is_ours(module: str, package: Path = PACKAGE) -> bool:
    """Whether a module is one of this package."""
    return module.partition(".")[0] == package.name


def _is_extension(package: Path, name: str) -> bool:
    """Whether it is a compiled module, which has its signatures in a stub beside the sources."""
    return package.joinpath(*name.split(".")[1:]).with_suffix(".pyi").is_file()


def _absolute(importer: str, path: Path, one: Import) -> str:
    """Name of the module that an import statement names."""
    if not one.level:
        return one.module
    parts = importer.split(".")
    up = one.level - 1 if path.name == "__init__.py" else one.level
    return ".".join([*parts[: len(parts) - up], *filter(None, [one.module])])


def closure(*modules: str, also: Iterable[Path] = (), package: Path = PACKAGE) -> Closure:
    """What takes part in what `modules` do, and in files or scripts that the caller names."""
    walk = _Walk(package)
    for name in modules:
        walk.module(name)
    for path in also:
        walk.add(path)
    parsed.keep()
    return walk.found


@cache
def digest(*modules: str, also: tuple[Path, ...] = (), package: Path = PACKAGE) -> str:
    """SHA-256 over the closure: equal digests give equal results.

    Taken once in a process, for its modules are loaded once; an edit counts from the next on.
    """
    if also or package != PACKAGE:
        facts = _facts(closure(*modules, also=also, package=package), package)
    else:
        facts = stamp.kept("closure", modules, lambda: _facts(closure(*modules), PACKAGE))
    versions = (f"package {name} {package_version(name)}" for name in facts["packages"])
    return sha256("\n".join([facts["files"], *versions]).encode()).hexdigest()


def _facts(found: Closure, package: Path) -> Facts:
    """A digest of all files, and the names of packages, whose versions may change without them."""
    lines = (f"{_relative(path, package)} {files.contents(path).sha256}" for path in found.files)
    total = sha256("\n".join(sorted(lines)).encode()).hexdigest()
    return {"files": total, "packages": sorted(found.packages)}


def _relative(path: Path, package: Path) -> str:
    """The same in every checkout."""
    home = package.parent
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else path.name


@cache
def package_version(name: str) -> str:
    """Version of an installed package by the name that is imported; "none" where it is missing."""
    distribution = _DISTRIBUTIONS.get(name, name)
    found = _folders().get(distribution.lower().replace("-", "_"), [])
    if len(found) == 1:
        return found[0]
    from importlib import metadata  # a tenth of the start, for packages without such a folder

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "none"


@cache
def _folders() -> dict[str, list[str]]:
    """Versions by package, as the folders say that installers make (PEP 427)."""
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(sys.path):
        names = os.listdir(path) if os.path.isdir(path) else []  # noqa: PTH208, PTH112 - strings
        for name, _, version in (one[:-10].partition("-") for one in names if _is_note(one)):
            found.setdefault(name.lower().replace(".", "_"), []).append(version)
    return found


def _is_note(name: str) -> bool:
    return name.endswith(".dist-info")


def forget(paths: Iterable[Path] | None = None) -> None:
    """Look at every file again; or take digests again, but read only `paths` again."""
    stamp.doubt()
    digest.cache_clear()
    _folders.cache_clear()
    _python_file.cache_clear()
    files.forget(paths)


def extension_sha256() -> str:
    """Digest of the compiled extension, where it computes a result itself."""
    spec = find_spec(f"{PACKAGE.name}._native")
    assert spec is not None  # noqa: S101 - this package cannot be imported without it
    assert spec.origin is not None  # noqa: S101
    return files.contents(Path(spec.origin)).sha256
