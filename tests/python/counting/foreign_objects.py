# SPDX-License-Identifier: MIT
"""What the tests of `aesfit count` share: how they call it, and functions to count."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.counting.arguments import parse
from aesfit.counting.count import Count, Look, count
from aesfit.platforms.find import platform_named

SOURCE = Path(__file__).with_name("foreign_aes.c")
SMALL = "unsigned f(unsigned a) { return a + 1; }"
Compile = Callable[..., Path]
NEEDS_COMPILERS = pytest.mark.skipif(
    not all(shutil.which(c) for c in ("arm-none-eabi-gcc", "riscv64-unknown-elf-gcc")),
    reason="no cross-compilers; apt-get install gcc-arm-none-eabi gcc-riscv64-unknown-elf",
)


def compiler_in(folder: Path) -> Compile:
    """Compile C for a platform into the folder: a file, or text."""

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


def counted(
    platform: str,
    elf: Path,
    function: str,
    *arguments: str,
    include_call: bool = False,
    look: Look | None = None,
    **more: int,
) -> Count:
    where, values = platform_named(platform), parse(arguments)
    return count(where, [elf], function, values, include_call=include_call, look=look, **more)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["count", *map(str, arguments)])


def complaint(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.split())
