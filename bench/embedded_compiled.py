# SPDX-License-Identifier: MIT
"""Sizes for bench_embedded.py: compiles and links programs, and measures them."""

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from embedded_questions import BOTH, Context, DropInCode, DropInKey, Files, Program, Steps

from aesfit.building import sources
from aesfit.building.sources import core_file, registered
from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.source import files
from aesfit.platforms.find import platform_named

LIBRARY = Path(__file__).resolve().parent.parent / "lib"
MEMORY = LIBRARY.parent / "aesfit" / "building" / "firmware" / "memory.c"
SMALL = (
    *("-std=c11", "-Os", "-ffreestanding", "-fbuiltin", "-ffunction-sections", "-fdata-sections"),
    *("-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-pic"),
)
"""Flags of firmware: no libc, yet copies of known size compile to loads and stores."""
OF_THEMSELVES = ("-fno-builtin", "-fno-tree-loop-distribute-patterns")
"""Keeps the compiler from turning memcpy's loop into a call of memcpy."""
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


SET_UP = """
#include "parts/wipe.h"
void steps_set_up(aesfit_key *key, const uint8_t *bytes, unsigned directions);
void steps_set_up(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    key->rounds = 10;
    key->key_words = 4;
    CORE_expand_key(key, bytes, directions);
}
void steps_wipe(void *memory, size_t bytes);
void steps_wipe(void *memory, size_t bytes)
{
    wipe(memory, bytes);
}
"""
STEP = """
void steps_STEP(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
    __attribute__((alias("CORE_STEP")));
"""


def run(words: list[str]) -> str:
    """Output of a command; one sentence and exit code 1 if it fails."""
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
    """A folder for compiled files, deleted at the end of the program."""
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
    """The library in its default configuration, compiled for size."""
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
    chosen |= {f"AESFIT_CORE_{n}": int(n == question.core) for n in registered("cores")}
    chosen |= {f"AESFIT_GHASH_{n}": int(n == question.ghash) for n in registered("ghash")}
    return [f"-D{name}={value}" for name, value in chosen.items()]


def compiled(platform: str, text: str, *flags: str, command: list[str] | None = None) -> str:
    """Compile a file with this text and the headers that it includes."""
    folder = Path(tempfile.mkdtemp(dir=scratch()))
    source, made = folder / "file.c", str(folder / "file.o")
    source.write_text(text, encoding="utf-8")
    run([*(command or compiler(platform)), *flags, "-c", str(source), "-o", made])
    return made


def object_bytes(platform: str, text: str, *flags: str) -> int:
    """Bytes of the variable `context` of a file."""
    made = compiled(platform, text, *flags)
    symbols = run([binutil(platform, "nm"), "-S", made])
    found = re.search(r"^\w+ (\w+) [BC] context$", symbols, re.MULTILINE)
    if found is None:
        sys.exit("bench_embedded: nm does not show the size of the context")
    return int(found[1], 16)


def text_bytes(platform: str, made: str) -> int:
    """Code and constants of an object."""
    return int(run([binutil(platform, "size"), made]).splitlines()[1].split()[0])


def size_of(question: Context) -> int:
    """Bytes of a context."""
    text = f"#include <aesfit.h>\n{question.name} context;\n"
    return object_bytes(question.platform, text, *switches(question))


def key_of(question: DropInKey) -> int:
    """Bytes of a drop-in's key, by its header."""
    choice = DropInChoice(question.core, (question.mode,), separate_keys=question.separate)
    header = files(choice)[f"{choice.prefix}.h"]
    return object_bytes(question.platform, f"{header}\n{choice.prefix}_key context;\n")


def steps_of(question: Steps) -> int:
    """Code and tables of a core for 128-bit keys, which nothing but its callers reach."""
    defines = {
        "AESFIT_BOUND_KEY_SIZES": "1",
        "AESFIT_BOUND_DIRECTIONS": str(question.directions),
        "AESFIT_KEYS_FOR_BOTH": "0",
    }
    unit = sources.unit(question.core, defines=defines)
    names = ("encrypt", "decrypt") if question.directions == BOTH else ("encrypt",)
    steps = "".join(STEP.replace("STEP", name) for name in names)
    text = unit + (SET_UP + steps).replace("CORE", question.core)
    return text_bytes(question.platform, compiled(question.platform, text))


def drop_in_of(question: DropInCode) -> int:
    """Code and tables of all functions of a drop-in."""
    choice = DropInChoice(question.core, (question.mode,), self_test=False)
    made = files(choice)
    name, prefix = choice.prefix, choice.prefix.upper()
    text = made[f"{name}.c"].replace(f'#include "{name}.h"\n', made[f"{name}.h"])
    return text_bytes(question.platform, compiled(question.platform, text, f"-D{prefix}_CLEAR=0"))


def files_of(question: Files) -> int:
    """Code and constants of the library's files in a build for this computer."""
    host = platform_named("x86-64").compiler
    include = [f"-I{folder}" for folder in sources.include_folders()]
    command = [host.command, *host.target, *host.optimise, "-std=c11", *include]
    found = [path for one in question.patterns for path in (LIBRARY / "src").glob(one)]
    texts = (path.read_text(encoding="utf-8") for path in found)
    beside = [f"-I{path.parent}" for path in found]
    objects = (compiled("x86-64", text, *beside, command=command) for text in texts)
    return sum(text_bytes("x86-64", made) for made in objects)
