# SPDX-License-Identifier: MIT
"""Builds the native tracer against the installed Unicorn.

Unicorn is under the GPL-2, therefore the object is made on the user's machine, beside the package
where that can be written and in the cache folder otherwise, and is never part of a wheel.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path

from ...cache import cache_folder
from ...extras import INSTALL
from ..rig import RigUnavailableError

HERE = Path(__file__).resolve().parent
COMMAND = f"{shlex.quote(sys.executable)} -m aesfit.rigs.tracer"
"""With this interpreter, which need not be the first in the search path."""
_FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wconversion", "-Wshadow")


@cache
def _unicorn() -> Path:
    """Folder of the installed package with its headers and library."""
    found = importlib.util.find_spec("unicorn")
    if found is None or found.origin is None:
        raise RigUnavailableError(
            f"the emulator needs the Python package unicorn; install it with: {INSTALL}"
        )
    folder = Path(found.origin).parent
    if not (folder / "include/unicorn/unicorn.h").is_file() or _library(folder) is None:
        raise RigUnavailableError(
            f"the unicorn package in {folder} has no headers or no library; install the one of "
            f"the package index with: {INSTALL}"
        )
    return folder


def _library(unicorn: Path) -> Path | None:
    return next(iter(sorted((unicorn / "lib").glob("libunicorn.so*"))), None)


def _compiler() -> str:
    command = os.environ.get("CC") or "cc"
    if shutil.which(command) is None:
        raise RigUnavailableError(
            f"the tracer needs a C compiler and there is no '{command}'; install one with: "
            "apt-get install gcc"
        )
    return command


def sources() -> list[Path]:
    """The C files and headers."""
    return sorted(HERE.glob("*.[ch]"))


@cache
def object_name() -> str:
    """Name of the object: it tells the sources and the Unicorn that it was made from."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    digest.update(f"{metadata.version('unicorn')} {_unicorn()} {_FLAGS}".encode())
    return f"libaesfit_tracer-{digest.hexdigest()[:16]}.so"


def _folders() -> tuple[Path, Path]:
    return HERE, cache_folder() / "tracer"


def built() -> Path | None:
    """The object, when it is there and made from what is installed now."""
    return next((f / object_name() for f in _folders() if (f / object_name()).is_file()), None)


def build() -> Path:
    """Build the object unless it is there; RigUnavailableError says what is missing."""
    found = built()
    if found is not None:
        return found
    beside, cached = _folders()
    folder = beside if os.access(beside, os.W_OK) else cached
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch) / object_name()
        _compile(made)
        made.replace(folder / object_name())
    for stale in folder.glob("libaesfit_tracer-*.so"):
        if stale.name != object_name():
            stale.unlink(missing_ok=True)
    return folder / object_name()


def _compile(target: Path) -> None:
    unicorn = _unicorn()
    library = _library(unicorn)
    units = [str(path) for path in sources() if path.suffix == ".c"]
    # The full path finds the library now, the run path finds it later.
    command = [_compiler(), *_FLAGS, "-isystem", str(unicorn / "include"), *units, "-o"]
    command += [str(target), str(library), f"-Wl,-rpath,{unicorn / 'lib'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        lines = done.stderr.splitlines()
        first = next((line for line in lines if "error" in line), "it did not say why")
        raise RigUnavailableError(
            f"the tracer did not compile ({first}); see its needs and try again with: {COMMAND}"
        )


def why_not() -> str | None:
    """None when the tracer is there; else one sentence that ends with the command that helps."""
    try:
        _unicorn()
    except RigUnavailableError as error:
        return str(error)
    if built() is None:
        return f"the emulator's tracer is not built for this Unicorn; build it with: {COMMAND}"
    return None
