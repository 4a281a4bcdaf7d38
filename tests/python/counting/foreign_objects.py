# SPDX-License-Identifier: MIT
"""What the tests of `aesfit count` share: how they call it, and functions to count."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.counting.arguments import parse
from aesfit.counting.count import Count, count
from aesfit.platforms.platform import platform_named

SOURCE = Path(__file__).with_name("foreign_aes.c")
SMALL = "unsigned f(unsigned a) { return a + 1; }"
Compile = Callable[..., Path]


def counted(platform: str, elf: Path, function: str, *arguments: str, **more: int) -> Count:
    return count(platform_named(platform), [elf], function, parse(arguments), **more)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["count", *map(str, arguments)])


def complaint(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.split())
