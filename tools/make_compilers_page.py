# SPDX-License-Identifier: MIT
"""Write docs/compilers.md's tables: what compilers do to C that is meant to be constant-time.

`python tools/make_compilers_page.py` compiles each source of tests/evidence/timing with gcc and
clang at three levels for four processors, and asks `aesfit.prove_function` for a verdict.
"""

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import aesfit
from aesfit.platforms.find import platform_named
from aesfit.proving.functions.verdict import FunctionVerdict

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "compilers.md"
SOURCES = ROOT / "tests" / "evidence" / "timing"
LEVELS = ("-Os", "-O2", "-O3")
_BEGIN, _END = "<!-- compilers -->\n", "<!-- end -->"
_CLANG = {
    "cortex-m0plus": ("--target=thumbv6m-none-eabi", "-mcpu=cortex-m0plus", "-mfloat-abi=soft"),
    "cortex-m3": ("--target=thumbv7m-none-eabi", "-mcpu=cortex-m3", "-mfloat-abi=soft"),
    "cortex-m33": ("--target=thumbv8m.main-none-eabi", "-mcpu=cortex-m33", "-mfloat-abi=soft"),
    "rv32im-e31": ("--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32"),
}
"""Flags of clang by platform; gcc's are those of the platform files."""


@dataclass(frozen=True)
class Pattern:
    """A function whose timing a compiler may make depend on a secret."""

    name: str
    title: str
    function: str
    arguments: tuple[str, ...]


def patterns() -> list[Pattern]:
    """Those of the register beside the sources."""
    told = tomllib.loads((SOURCES / "patterns.toml").read_text(encoding="utf-8"))
    return [
        Pattern(name, one["title"], one["function"], tuple(one["arguments"]))
        for name, one in told.items()
    ]


def main() -> int:
    """Renew the page."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def renewed(page: str) -> str:
    """The page with verdicts on what the compilers of this computer make."""
    head, begin, rest = page.partition(_BEGIN)
    _, end, tail = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} has no place for the tables: {_BEGIN.strip()} ... {_END}")
    return f"{head}{begin}\n{''.join(map(_section, _CLANG))}{end}{tail}"


def _section(platform: str) -> str:
    gcc, clang = _commands(platform)
    titles = ["function", _version(gcc), _version(clang)]
    rows = [
        [one.title, *(_cell(one, platform, command) for command in (gcc, clang))]
        for one in patterns()
    ]
    lines = ["| " + " | ".join(row) + " |" for row in (titles, ["---"] * len(titles), *rows)]
    return "\n".join([f"### {platform_named(platform).title}", "", *lines, "", ""])


def _commands(platform: str) -> tuple[list[str], list[str]]:
    compiler = platform_named(platform).compiler
    return [compiler.command, *compiler.target], ["clang", *_CLANG[platform]]


def _version(command: list[str]) -> str:
    """The compiler's name and number."""
    version = subprocess.run(  # noqa: S603 - a compiler of the platform files, or clang
        [command[0], "-dumpversion"], check=True, capture_output=True, text=True
    )
    return f"{Path(command[0]).name} {version.stdout.strip()}"


def _cell(pattern: Pattern, platform: str, command: list[str]) -> str:
    """Levels that make the same of it, with what it is."""
    made = {level: told(verdict(pattern, platform, [*command, level])) for level in LEVELS}
    if len({*made.values()}) == 1:
        return made[LEVELS[0]]
    return "; ".join(
        f"`{' '.join(levels)}` {text}" for text, levels in sorted(_by_text(made), key=_level)
    )


def _level(one: tuple[str, list[str]]) -> int:
    return LEVELS.index(one[1][0])


def _by_text(made: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for text, levels in groupby(sorted(made, key=lambda one: made[one]), lambda one: made[one]):
        yield text, sorted(levels, key=LEVELS.index)


def verdict(pattern: Pattern, platform: str, command: list[str]) -> FunctionVerdict:
    """Compile and examine."""
    with tempfile.TemporaryDirectory(prefix="aesfit-compilers-") as folder:
        out = Path(folder) / "pattern.o"
        flags = [
            "-g",
            "-ffreestanding",
            "-ffunction-sections",
            f"-I{ROOT / 'lib/src/parts/tables'}",
        ]
        source = SOURCES / f"{pattern.name}.c"
        words = [*command, *flags, "-c", str(source), "-o", str(out)]
        subprocess.run(words, check=True)  # noqa: S603 - our own words
        return aesfit.prove_function(
            platform, elf=out, function=pattern.function, arguments=pattern.arguments
        )


def told(found: FunctionVerdict) -> str:
    """A verdict in a cell: kinds of findings, each with the instruction or the function called."""
    if found.verdict != "depends":
        return found.verdict
    kinds: dict[str, None] = {}
    for one in found.findings:
        inside = f" in `{one.place.function}`" if one.calls else ""
        mnemonic = one.place.instruction.split(" ")[0]
        kinds.setdefault(f"{one.kind}{inside or f' `{mnemonic}`'}")
    return "**" + "**, **".join(kinds) + "**" if len(kinds) < 4 else _short(found)


def _short(found: FunctionVerdict) -> str:
    """Kinds alone."""
    return "**" + "**, **".join(dict.fromkeys(one.kind for one in found.findings)) + "**"


if __name__ == "__main__":
    sys.exit(main())
