# SPDX-License-Identifier: MIT
"""Compiling what is counted."""

import subprocess
from pathlib import Path

import pytest
from foreign_objects import SOURCE, Compile

from aesfit.platforms.platform import platform_named


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Compile C for a platform: a file, or text."""
    folder = tmp_path_factory.mktemp("count")

    def compiled(platform: str, *flags: str, source: Path | str = SOURCE) -> Path:
        compiler = platform_named(platform).compiler
        out = folder / f"{abs(hash((platform, flags, source)))}.o"
        path = source if isinstance(source, Path) else folder / "text.c"
        if isinstance(source, str):
            path.write_text(source)
        if not out.exists():
            common = [compiler.command, *compiler.target, "-O2", "-ffreestanding"]
            link = [] if "-nostdlib" in flags else ["-c"]
            subprocess.run([*common, *link, str(path), *flags, "-o", str(out)], check=True)
        return out

    return compiled
