# SPDX-License-Identifier: MIT
"""The modules of tools/assemble, and steps of the C cores that their programs are held against."""

import ctypes
import importlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from places import ROOT

Step = Callable[[Sequence[int], Sequence[int], int], list[int]]
WAYS = ("encrypt", "decrypt")


def module(name: str) -> ModuleType:
    return importlib.import_module(f"assemble.{name}")


def steps_of(folder: Path, source: str) -> Callable[[str], Step]:
    """The steps of a C core, by name."""
    (folder / "steps.c").write_text(source, encoding="utf-8")
    subprocess.run(
        ["cc", "-O1", "-w", "-shared", "-fPIC", "-o", "steps.so", "steps.c"]
        + [f"-I{ROOT / 'lib' / folder}" for folder in ("src", "include")],
        cwd=folder,
        check=True,
    )
    library = ctypes.CDLL(str(folder / "steps.so"))

    def step(name: str) -> Step:
        def run(words: Sequence[int], key: Sequence[int], form: int) -> list[int]:
            state = (ctypes.c_uint32 * max(8, len(words)))(*words)
            getattr(library, name)(state, (ctypes.c_uint32 * max(8, len(key)))(*key), form)
            return list(state)

        return run

    return step
