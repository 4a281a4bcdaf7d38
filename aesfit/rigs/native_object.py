# SPDX-License-Identifier: MIT
"""Shared objects that are made on the user's machine, because they load what is under the GPL.

They are built when they are first needed, into the cache folder and nowhere else: a package folder
may belong to the system, and no wheel may hold them.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..building.build import BuildError, compiler_line
from ..store.contents import CacheError, cached, key
from .rig import RigUnavailableError

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wconversion", "-Wshadow")


def compiler(what: str) -> str:
    """The C compiler; RigUnavailableError says that `what` needs one."""
    command = os.environ.get("CC") or "cc"
    if shutil.which(command) is None:
        raise RigUnavailableError(
            f"{what} needs a C compiler and there is no '{command}'; install one with: "
            "sudo apt-get install gcc"
        )
    return command


def obtain(
    what: str, sources: Sequence[Path], depends_on: Sequence[str], make: Callable[[Path], None]
) -> Path:
    """The shared object of these sources; the first time `make` builds it, and stderr says so.

    Its name is a digest of the sources, the compiler, the flags and what else it `depends_on`.
    Processes that build it at once each put a whole file in its place.
    """
    try:
        texts = [(path.name, path.read_text(encoding="utf-8")) for path in sources]
        name = key("native object", texts, compiler_line(compiler(what)), FLAGS, list(depends_on))
        return cached(name, ".so", lambda target: _told(what, make, target))[0]
    except (BuildError, CacheError) as error:
        raise RigUnavailableError(str(error)) from None


def _told(what: str, make: Callable[[Path], None], target: Path) -> dict[str, str]:
    print(f"aesfit: {what} is built once, into the cache folder", file=sys.stderr, flush=True)
    make(target)
    return {"what": what}


def run(command: Sequence[str], what: str, again: str) -> None:
    """Run a compiler; RigUnavailableError says why it failed, and ends with `again`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        lines = done.stderr.splitlines()
        first = next((line for line in lines if "error" in line), "it did not say why")
        raise RigUnavailableError(
            f"{what} did not compile ({first}); see its needs and try again with: {again}"
        )
