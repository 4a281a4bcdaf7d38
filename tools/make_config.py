# SPDX-License-Identifier: MIT
"""Write lib/include/aesfit_config.h: every switch of a build, and the sizes that follow from them.

Names come from the registers, sizes from the structs of cores and GHASH multipliers, which a small
program prints: it is compiled from the same sources (on x86, where all of them compile).  The texts
on the switches are in tools/aesfit_config.h.in.  A test compares the result.
"""

import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from aesfit.building.sources import core_file, registered

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "lib"
CONFIG = LIBRARY / "include" / "aesfit_config.h"
TEMPLATE = ROOT / "tools" / "aesfit_config.h.in"
NEEDS_X86 = {"aesni", "clmul"}
LONG_KEY = 512
"""Bytes of round keys or a GHASH key; what has a longer key is left out unless asked for."""

_PRINTER = """
#include <stdio.h>
#define BYTES(core, n) core.round_key_bytes[n].encrypt, core.round_key_bytes[n].decrypt, \\
                       core.round_key_bytes[n].both
int main(void)
{
"""


def _switch(name: str, default: str) -> str:
    return f"#ifndef {name}\n#define {name} {default}\n#endif\n"


def _core_default(name: str, schedule_bytes: int) -> str:
    if name in NEEDS_X86:
        return "AESFIT_ON_X86"
    if "study" in core_file(name):
        return "AESFIT_STUDY_CORES"
    return "1" if schedule_bytes <= LONG_KEY else "0"


def _core_switches(found: Mapping[str, list[int]]) -> str:
    """Of all cores, from the bytes of their schedules."""
    return "".join(
        _switch(f"AESFIT_CORE_{core}", _core_default(core, max(sizes)))
        for core, sizes in found.items()
    )


def _ghash_default(name: str, key_bytes: int) -> str:
    if name in NEEDS_X86:
        return "AESFIT_ON_X86"
    return "1" if key_bytes <= LONG_KEY else "0"


def _printer() -> str:
    """A program that prints the sizes of every core and multiplier, one per line."""
    files = [core_file(core) for core in registered("cores")]
    files += [f"ghash/{name}.c" for name in registered("ghash")]
    lines = [f'#include "{name}"\n' for name in files] + [_PRINTER]
    for core in registered("cores"):
        bytes_ = ", ".join(f"BYTES(aesfit_core_{core}, {n})" for n in range(3))
        lines.append(f'printf("{core}{" %d" * 9}\\n", {bytes_});\n')
    for name in registered("ghash"):
        lines.append(f'printf("{name} %d\\n", aesfit_ghash_{name}.key_bytes);\n')
    return "".join(lines) + "return 0;\n}\n"


def sizes() -> dict[str, list[int]]:
    """Bytes of round keys (encrypt, decrypt, both for each key size) or of a GHASH key, by name."""
    with tempfile.TemporaryDirectory() as folder:
        for header in ("aesfit.h", "aesfit_seal.h", "aesfit_link.h", "aesfit_messages.h"):
            shutil.copy(LIBRARY / "include" / header, folder)
        Path(folder, CONFIG.name).write_text(_header({}), encoding="utf-8")
        program, source = Path(folder, "sizes"), Path(folder, "sizes.c")
        source.write_text(_printer(), encoding="utf-8")
        command = ["gcc", "-std=c11", "-O0", "-w", f"-I{folder}", f"-I{LIBRARY}/src", str(source)]
        command += [
            "-static",
            "-Wl,--unresolved-symbols=ignore-all",
            "-o",
            str(program),
        ]  # bulk paths
        done = subprocess.run(  # noqa: S603 - as written here
            command, check=False, capture_output=True, text=True
        )
        if done.returncode != 0:
            sys.exit(f"make_config: the cores do not compile:\n{done.stderr[:2000]}")
        printed = subprocess.run(  # noqa: S603 - made above
            [program], check=True, capture_output=True, text=True
        ).stdout
    rows = [line.split() for line in printed.splitlines()]
    return {name: [int(n) for n in numbers] for name, *numbers in rows}


def _schedule(name: str, numbers: list[int]) -> str:
    """Words of a schedule as C: for one direction, and the factor for both."""
    single = [max(numbers[3 * n : 3 * n + 2]) for n in range(3)]
    both = [numbers[3 * n + 2] for n in range(3)]
    if both not in (single, [2 * one for one in single]):
        raise ValueError(f"{name}: both directions keep neither as much as one nor twice that")
    words = ", ".join(str(one // 4) for one in single)
    return f"AESFIT_BY_KEY_SIZE({words})" + (" * AESFIT_KEY_SETS" if both != single else "")


def _longest(prefix: str, result: str, words: dict[str, str], order: Iterable[str]) -> str:
    """C for the longest size among what is built; `order` begins with the longest."""
    lines, word = [], "#elif"  # behind the bound build
    for text in order:
        names = [name for name in words if words[name] == text]
        condition = " || ".join(f"{prefix}{name}" for name in names)
        condition = condition.replace(" || ", " || \\\n    ") if len(condition) > 90 else condition
        lines.append(f"{word} {condition}\n#define {result} ({text})\n")
    return "".join(lines) + f"#else\n#define {result} 1\n#endif\n"


def config() -> str:
    """The header."""
    found, cores, ghashes = sizes(), registered("cores"), registered("ghash")
    words = {core: _schedule(core, found[core]) for core in cores}
    order = sorted(
        set(words.values()),
        reverse=True,
        key=lambda text: max(found[core] for core in cores if words[core] == text),
    )
    hashes = {name: str(found[name][0] // 4) for name in ghashes}
    hash_order = sorted(set(hashes.values()), key=int, reverse=True)
    return _header(
        {
            "CORES": _core_switches({core: found[core] for core in cores}),
            "SCHEDULES": "".join(f"#define AESFIT_SCHEDULE_{n} ({words[n]})\n" for n in cores),
            "GHASHES": "".join(
                _switch(f"AESFIT_GHASH_{n}", _ghash_default(n, found[n][0])) for n in ghashes
            ),
            "GHASH_KEYS": "".join(f"#define AESFIT_GHASH_KEY_{n} {hashes[n]}\n" for n in ghashes),
            "LONGEST_SCHEDULE": _longest("AESFIT_CORE_", "AESFIT_LONGEST_SCHEDULE", words, order),
            "LONGEST_GHASH": _longest(
                "AESFIT_GHASH_", "AESFIT_LONGEST_GHASH_KEY", hashes, hash_order
            ),
        }
    )


def _header(parts: dict[str, str]) -> str:
    """The template with these sizes; without sizes it has no room, but still compiles."""
    cores, ghashes = registered("cores"), registered("ghash")
    names = {
        "CORES": _core_switches({core: [0] for core in cores}),
        "MODES": _listed([f"AESFIT_WITHOUT_{mode.upper()}" for mode in registered("modes")]),
        "CORE_NAMES": _names("AESFIT_EVERY_CORE", cores),
        "GHASH_NAMES": _names("AESFIT_EVERY_GHASH", ghashes),
        "LONGEST_SCHEDULE": "#else\n#define AESFIT_LONGEST_SCHEDULE 1\n#endif\n",
        "LONGEST_GHASH": "#else\n#define AESFIT_LONGEST_GHASH_KEY 1\n#endif\n",
        "SCHEDULES": "",
        "GHASHES": "",
        "GHASH_KEYS": "",
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for key, value in {**names, **parts}.items():
        text = text.replace(f"@{key}@\n", value)
    command = ["clang-format", f"--assume-filename={CONFIG}"]
    done = subprocess.run(  # noqa: S603 - the formatter of make lint
        command, check=True, capture_output=True, text=True, input=text
    )
    return done.stdout


def _listed(names: Iterable[str]) -> str:
    """Lines of a comment."""
    return (
        textwrap.fill(", ".join(names), 98, initial_indent=" *     ", subsequent_indent=" *     ")
        + "\n"
    )


def _names(macro: str, names: Iterable[str]) -> str:
    """An X macro: EVERY(DO) is DO(name) for each."""
    lines = textwrap.wrap(" ".join(f"DO({name})" for name in names), 80)
    return " \\\n    ".join([f"#define {macro}(DO)", *lines]) + "\n"


def main() -> None:
    """Write it."""
    CONFIG.write_text(config(), encoding="utf-8")


if __name__ == "__main__":
    main()
