# SPDX-License-Identifier: MIT
"""Builds the native tracer against the installed Unicorn.

Unicorn is under the GPL-2, therefore the object is made on the user's machine, beside the package
where that can be written and in the cache folder otherwise, and is never part of a wheel.
"""

import hashlib
import importlib.util
import shlex
import sys
from functools import cache
from pathlib import Path

from ...cache import cache_folder
from ...extras import INSTALL
from ...store import closure
from ...store.files import beside
from .. import native_object
from ..native_object import FLAGS
from ..rig import RigUnavailableError

HERE = Path(__file__).resolve().parent
COMMAND = f"{shlex.quote(sys.executable)} -m aesfit.rigs.tracer"
"""With this interpreter, which need not be the first in the search path."""


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


def sources() -> list[Path]:
    """The C files and headers."""
    return [*beside(__file__, "*.[ch]")]


@cache
def object_name() -> str:
    """Name of the object: it tells the sources and the Unicorn that it was made from."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    digest.update(f"{closure.package_version('unicorn')} {_unicorn()} {FLAGS}".encode())
    return f"libaesfit_tracer-{digest.hexdigest()[:16]}.so"


def _folders() -> tuple[Path, Path]:
    return HERE, cache_folder() / "tracer"


def built() -> Path | None:
    """The object, when it is there and made from what is installed now."""
    return native_object.find(object_name(), _folders())


def build() -> Path:
    """Build the object unless it is there; RigUnavailableError says what is missing."""
    return built() or native_object.place(object_name(), _folders(), _compile)


def _compile(target: Path) -> None:
    unicorn = _unicorn()
    library = _library(unicorn)
    units = [str(path) for path in sources() if path.suffix == ".c"]
    # The full path finds the library now, the run path finds it later.
    command = [native_object.compiler("the tracer"), *FLAGS, "-isystem", str(unicorn / "include")]
    command += [*units, "-o", str(target), str(library), f"-Wl,-rpath,{unicorn / 'lib'}"]
    native_object.run(command, "the tracer", COMMAND)


def why_not() -> str | None:
    """None when the tracer is there; else one sentence that ends with the command that helps."""
    try:
        _unicorn()
    except RigUnavailableError as error:
        return str(error)
    if built() is None:
        return f"the emulator's tracer is not built for this Unicorn; build it with: {COMMAND}"
    return None
