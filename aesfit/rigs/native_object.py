# SPDX-License-Identifier: MIT
"""Shared objects that are made on the user's machine, because they load what is under the GPL.

An object's name tells what it was made from.  It lies beside its sources where those can be
written and in the cache folder otherwise, and is never part of a wheel.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ..store import use
from .rig import RigUnavailableError

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wconversion", "-Wshadow")


def compiler(what: str) -> str:
    """The C compiler; RigUnavailableError says that `what` needs one."""
    command = os.environ.get("CC") or "cc"
    if shutil.which(command) is None:
        raise RigUnavailableError(
            f"{what} needs a C compiler and there is no '{command}'; install one with: "
            "apt-get install gcc"
        )
    return command


def find(name: str, folders: Sequence[Path]) -> Path | None:
    """The object of that name, where it is there."""
    found = (folder / name for folder in folders if (folder / name).is_file())
    return next((path for path in found if use.renew(path)), None)


def place(name: str, folders: tuple[Path, Path], make: Callable[[Path], None]) -> Path:
    """Make the object of that name, `<stem>-<digest>.so`, and remove those of other digests.

    `folders` are the one beside the sources and the one in the cache.
    """
    beside, cached = folders
    folder = beside if os.access(beside, os.W_OK) else cached
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch) / name
        make(made)
        made.replace(folder / name)
    for stale in folder.glob(f"{name.rpartition('-')[0]}-*.so"):
        if stale.name != name:
            stale.unlink(missing_ok=True)
    return folder / name


def run(command: Sequence[str], what: str, again: str) -> None:
    """Run a compiler; RigUnavailableError says why it failed, and ends with `again`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        lines = done.stderr.splitlines()
        first = next((line for line in lines if "error" in line), "it did not say why")
        raise RigUnavailableError(
            f"{what} did not compile ({first}); see its needs and try again with: {again}"
        )
