# SPDX-License-Identifier: MIT
"""Digests of what a derived file is made from: text without comments, blank lines and docstrings.

What changes no program changes no digest.  Code stands for a script or module and all that it
imports (generated_code.py); packages that are installed stand for their versions.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import generated_code
from generated_code import Code, module_file

from aesfit.store.closure import package_version

C_LIKE = {".c", ".h", ".cpp", ".def", ".v", ".vh", ".sv", ".S", ".s"}
HASHED = {".toml", ".sh", ".txt", ".in", ".vlt"}
"""Suffixes of files whose comment lines begin with "#"."""
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)


def digest(parts: Iterable[str]) -> str:
    """Of some texts; short, as nobody forges it."""
    return sha256("\n".join(parts).encode()).hexdigest()[:12]


def files(root: Path, patterns: Sequence[str]) -> list[Path]:
    """The files of these patterns, "!" before those that are left out, each once, in order."""
    found: set[Path] = set()
    for pattern in patterns:
        some = {path for path in root.glob(pattern.removeprefix("!")) if path.is_file()}
        found = found - some if pattern.startswith("!") else found | some
    return sorted(found)


def of_files(root: Path, patterns: Sequence[str]) -> str:
    """Digest of the bytes of files, with their names."""
    return digest(_line(root, path, path.read_bytes()) for path in files(root, patterns))


def of_data(root: Path, pattern: str, without: Sequence[str]) -> str:
    """Digest of what files say; `without`: patterns of those that do not matter."""
    found = files(root, [pattern, *(f"!{one}" for one in without)])
    return digest(_line(root, path, _said(path)) for path in found)


def of_code(root: Path, name: str, without: Sequence[str]) -> str:
    """Digest of a module (aesfit.x) or of scripts (tools/x.py); `without`: patterns of files."""
    found = Code(root, files(root, [name]) if "/" in name else [module_file(root, name)])
    left = found.files - set(files(root, without))
    packages = found.packages - sys.stdlib_module_names
    others = sorted(f"{one} {package_version(one)}" for one in packages)
    return digest([*sorted(_line(root, path, _said(path)) for path in left), *others])


def forget() -> None:
    """Read all files again."""
    _said.cache_clear()
    generated_code.forget()


@cache
def of_version(command: str) -> str:
    """Digest of what a tool says of its version; of nothing where it is missing."""
    try:
        done = subprocess.run(  # noqa: S603 - as generated.toml says
            [command, "--version"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return digest([])
    return digest(done.stdout.splitlines()[:1])


def _line(root: Path, path: Path, said: bytes) -> str:
    return f"{path.relative_to(root).as_posix()} {sha256(said).hexdigest()}"


@cache
def _said(path: Path) -> bytes:
    """The text of a file without what says nothing to a program."""
    data = path.read_bytes()
    if path.suffix not in {".py", *C_LIKE, *HASHED}:
        return data
    text = data.decode("utf-8")
    if path.suffix in C_LIKE:
        text = _COMMENT.sub(lambda one: one[0] if one[0].startswith('"') else " ", text)
        lines = [" ".join(line.split()) for line in text.splitlines()]
    else:
        lines = [line.rstrip() for line in text.splitlines()]
        hidden = generated_code.source_of(path).unsaid if path.suffix == ".py" else ()
        lines = ["" if at in hidden else line for at, line in enumerate(lines, 1)]
        lines = [line for line in lines if not line.lstrip().startswith("#")]
    return "\n".join(filter(None, lines)).encode()
