# SPDX-License-Identifier: MIT
"""Print what the library takes of a small processor, each figure beside its goal.

A row is data, in QUESTIONS below, and one of three kinds:
  Program   bytes of flash of a program with one GCM call, linked with --gc-sections against the
            whole library compiled with -Os; memcpy and the like are in it, a start-up file is not
  Context   bytes of RAM of a context, in a build of one core and one GHASH multiplier
  Measured  a figure of `aesfit measure`: a core, a mode and a message on a platform
To add a figure, add a row.  A row that misses its goal says so; it is not an error.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import aesfit
from aesfit.building.sources import core_file, registered
from aesfit.platforms.find import platform_named

LIBRARY = Path(__file__).resolve().parent.parent / "lib"
MEMORY = LIBRARY.parent / "aesfit" / "building" / "firmware" / "memory.c"
SMALL = (
    *("-std=c11", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections"),
    *("-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-pic"),
)
OF_THEMSELVES = ("-fno-builtin", "-fno-tree-loop-distribute-patterns")
"""So that memcpy does not become a call of memcpy."""
MAIN = """
#include <aesfit.h>
uint8_t secret[16], nonce[12], text[64], tag[16];
int main(void);
int main(void)
{
    aesfit_gcm_key key;
    int status = aesfit_gcm_expand_key(&key, CORE, GHASH, secret, sizeof secret);
    if (status == AESFIT_OK)
        status = aesfit_gcm_encrypt(&key, nonce, sizeof nonce, NULL, 0, text, text, sizeof text,
                                    tag, sizeof tag);
    return status;
}
"""


@dataclass(frozen=True)
class Program:
    """Flash of a program that seals one message with GCM."""

    platform: str
    core: str = "NULL"
    """As in C: NULL for the default core, or the address of one."""
    ghash: str = "NULL"


@dataclass(frozen=True)
class Context:
    """RAM of a context in a build of one core for keys of 128 bits, one direction at a time."""

    platform: str
    core: str
    name: str = "aesfit_gcm_key"
    ghash: str = "shift32"
    bound: bool = False
    """In a build that is bound to the core, as a drop-in is."""


@dataclass(frozen=True)
class Measured:
    """A figure of `aesfit measure`, keys of 128 bits."""

    platform: str
    core: str
    mode: str
    payload_bytes: int
    ghash: str | None = None
    figure: str = "cycles_per_byte"
    op: str = "encrypt"


@dataclass(frozen=True)
class Asked:
    """What is asked, and the most that the answer should be."""

    what: str
    unit: str
    goal: float
    question: Program | Context | Measured


@dataclass(frozen=True)
class Answer:
    """A row of the table."""

    what: str
    unit: str
    goal: float
    value: float

    @property
    def met(self) -> bool:
        """The value is at most the goal."""
        return self.value <= self.goal


M0 = "cortex-m0plus"
M3 = "cortex-m3"
SEAL = "program with one GCM call"
QUESTIONS = (
    Asked(f"{SEAL}, Cortex-M0+, default", "flash", 8192, Program(M0)),
    Asked(
        f"{SEAL}, Cortex-M0+, transposed", "flash", 6144,
        Program(M0, "&aesfit_core_transposed_encrypt"),
    ),
    Asked("GCM key, transposed_otf", "RAM", 64, Context(M0, "transposed_otf")),
    Asked("GCM key, fixslice", "RAM", 400, Context(M0, "fixslice")),
    Asked("GCM state", "RAM", 100, Context(M0, "fixslice", "aesfit_gcm_state")),
    Asked(
        "ECB key, bound to ttable1", "RAM", 180, Context(M0, "ttable1", "aesfit_key", bound=True)
    ),
    Asked("CTR, 1504 bytes, Cortex-M3, ttable1", "c/B", 40, Measured(M3, "ttable1", "ctr", 1504)),
    Asked(
        "GCM, 1504 bytes, Cortex-M3, ttable1 with table4", "c/B", 95,
        Measured(M3, "ttable1", "gcm", 1504, "table4"),
    ),
    Asked(
        "GCM, 1504 bytes, Cortex-M0+, ttable1 with table4", "c/B", 190,
        Measured(M0, "ttable1", "gcm", 1504, "table4"),
    ),
)  # fmt: skip


def run(words: list[str]) -> str:
    """Output of a command; one sentence and exit code 1 where it fails."""
    if shutil.which(words[0]) is None:
        sys.exit(f"bench_embedded: {words[0]} is not installed; aesfit measure says what brings it")
    done = subprocess.run(  # noqa: S603 - commands of this file over files of this project
        words, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"bench_embedded: {words[0]} failed: {done.stderr[:2000]}")
    return done.stdout


@cache
def scratch() -> Path:
    """A folder for what is compiled, gone at the end of the program."""
    folder = tempfile.TemporaryDirectory(prefix="bench-embedded-")
    _KEPT.append(folder)
    return Path(folder.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def compiler(platform: str) -> list[str]:
    """The compiler of a platform with its flags, but optimising for size."""
    asked = platform_named(platform).compiler
    include = [f"-I{LIBRARY / 'include'}", f"-I{LIBRARY / 'src'}"]
    return [asked.command, *asked.target, *SMALL, *include]


def binutil(platform: str, name: str) -> str:
    """The platform's nm, size or ar."""
    return platform_named(platform).compiler.command.removesuffix("gcc") + name


@cache
def library(platform: str) -> Path:
    """The library as a default build has it, compiled for size."""
    folder = scratch() / platform
    folder.mkdir()
    study = {core_file(core) for core in registered("cores") if "study" in core_file(core)}
    source = LIBRARY / "src"
    files = [f for f in source.rglob("*.c") if f.relative_to(source).as_posix() not in study]

    def compiled(file: Path) -> str:
        made = str(folder / f"{file.stem}.o")
        run([*compiler(platform), "-c", str(file), "-o", made])
        return made

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, sorted(files)))
    run([binutil(platform, "ar"), "rcs", str(folder / "libaesfit.a"), *objects])
    return folder / "libaesfit.a"


def linked(question: Program) -> tuple[str, int]:
    """The program, and its bytes of flash: code, constants and initial values of variables."""
    folder = Path(tempfile.mkdtemp(dir=scratch()))
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    main, memory, program = (str(folder / name) for name in ("main.o", "memory.o", "program"))
    command = compiler(question.platform)
    named = [f"-DCORE={question.core}", f"-DGHASH={question.ghash}"]
    run([*command, *named, "-c", str(folder / "main.c"), "-o", main])
    run([*command, *OF_THEMSELVES, "-c", str(MEMORY), "-o", memory])
    link = ["-nostdlib", "-static", "-Wl,--gc-sections", "-Wl,-e,main", "-o", program]
    run([*command, *link, main, str(library(question.platform)), memory, "-lgcc"])
    text, data = run([binutil(question.platform, "size"), program]).splitlines()[1].split()[:2]
    return program, int(text) + int(data)


def switches(question: Context) -> list[str]:
    """The build's switches, as options of the compiler."""
    chosen = {"AESFIT_BOUND_KEY_SIZES": 1, "AESFIT_KEYS_FOR_BOTH": 0}
    if question.bound:
        names = {"AESFIT_BOUND": question.core, "AESFIT_BOUND_GHASH": question.ghash}
        return [f"-D{name}={value}" for name, value in {**chosen, **names}.items()]
    chosen |= {f"AESFIT_CORE_{n}": int(n == question.core) for n in registered("cores")}
    chosen |= {f"AESFIT_GHASH_{n}": int(n == question.ghash) for n in registered("ghash")}
    return [f"-D{name}={value}" for name, value in chosen.items()]


def size_of(question: Context) -> int:
    """Bytes of an object of that type."""
    folder = Path(tempfile.mkdtemp(dir=scratch()))
    source, made = folder / "context.c", str(folder / "context.o")
    source.write_text(f"#include <aesfit.h>\n{question.name} context;\n", encoding="utf-8")
    run([*compiler(question.platform), *switches(question), "-c", str(source), "-o", made])
    symbols = run([binutil(question.platform, "nm"), "-S", made])
    found = re.search(r"^\w+ (\w+) [BC] context$", symbols, re.MULTILINE)
    if found is None:
        sys.exit(f"bench_embedded: nm does not show the size of {question.name}")
    return int(found[1], 16)


def measured(question: Measured) -> float:
    """What the rig counts; why it cannot, and exit code 1, where it cannot."""
    answer = aesfit.measure(
        question.platform, cores=question.core, mode=question.mode, ops=question.op,
        payload_bytes=question.payload_bytes, ghash=question.ghash,
    )  # fmt: skip
    if answer.refused:
        sys.exit(f"bench_embedded: {answer.refused[0]}")
    return round(float(getattr(answer.measured[0], question.figure)), 1)


def answered(asked: Asked) -> Answer:
    """The row of a question."""
    match asked.question:
        case Program() as question:
            value: float = linked(question)[1]
        case Context() as question:
            value = size_of(question)
        case Measured() as question:
            value = measured(question)
    return Answer(asked.what, asked.unit, asked.goal, value)


def table(rows: list[Answer]) -> str:
    """The rows as lines of text."""
    wide = max(len(row.what) for row in rows)
    lines = [f"{'':{wide}}  {'value':>8} {'goal':>8}"]
    for row in rows:
        verdict = "" if row.met else "  missed"
        lines.append(f"{row.what:{wide}}  {row.value:8g} {row.goal:8g}  {row.unit:5}{verdict}")
    return "\n".join(line.rstrip() for line in lines)


def main() -> None:
    """Answer every question."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sizes", action="store_true", help="leave out what runs on the emulator")
    options = parser.parse_args()
    asked = [a for a in QUESTIONS if not (options.sizes and isinstance(a.question, Measured))]
    rows = [answered(one) for one in asked]
    if options.json:
        print(json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=2))
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
