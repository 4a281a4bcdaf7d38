# SPDX-License-Identifier: MIT
"""Builds the native tracer against the installed Unicorn.

Unicorn is under the GPL-2, therefore the object is made on the user's machine when it is first
needed (native_object.py), and is never part of a wheel.
"""

import importlib.util
import shlex
import sys
from functools import cache
from pathlib import Path

from ....extras import INSTALL
from ....store import closure
from ....store.files import beside
from ... import native_object
from ...native_object import FLAGS
from ...rig import RigUnavailableError

WHAT = "the emulator's tracer"
COMMAND = f"{shlex.quote(sys.executable)} -m aesfit.rigs.emulator.tracer"
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
def build() -> Path:
    """The object, built unless it is there; RigUnavailableError says what is missing."""
    folder = str(_unicorn())
    made_for = (closure.package_version("unicorn"), folder)
    return native_object.obtain(WHAT, sources(), made_for, _compile)


def _compile(target: Path) -> None:
    unicorn = _unicorn()
    library = _library(unicorn)
    units = [str(path) for path in sources() if path.suffix == ".c"]
    # The full path finds the library now, the run path finds it later.
    command = [native_object.compiler(WHAT), *FLAGS, "-isystem", str(unicorn / "include")]
    command += [*units, "-o", str(target), str(library), f"-Wl,-rpath,{unicorn / 'lib'}"]
    native_object.run(command, WHAT, COMMAND)


def why_not() -> str | None:
    """None when the tracer is there, built if need be; else a sentence that says what helps."""
    try:
        build()
    except RigUnavailableError as error:
        return str(error)
    return None
