# SPDX-License-Identifier: MIT
"""Pack the library as Arduino wants it: a zip that the IDE adds as a library.

Arduino compiles everything below src/ and finds headers only in src/, so the public header moves
there.  It has no per-library flags, and compiles for boards with -Os, at which AES takes 14 to 48 %
more cycles: so sources begin with a pragma for -O2.  Nothing else changes.  The content of
library.properties comes from lib/library.json.

A sketch that asks for a core by a string links every core that is built: all but those of
src/cores/study, or those that --cores names.
"""

import argparse
import json
import re
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "lib"
REGISTER = "src/cores/cores.def"
CONFIG = "src/aesfit_config.h"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date in zip: the same files give the same bytes

# 32-bit boards, by the names that their cores have in Arduino; 8-bit AVR is not supported.
ARCHITECTURES = (
    "esp32,mbed,mbed_edge,mbed_giga,mbed_nano,mbed_nicla,mbed_opta,mbed_portenta,mbed_rp2040,"
    "nrf52,renesas_portenta,renesas_uno,rp2040,sam,samd,stm32,zephyr"
)
OPTIMISE = """\
#if defined(__GNUC__) && !defined(__clang__) && !defined(AESFIT_AS_THE_REST)
#if defined(__OPTIMIZE_SIZE__)
#define FIELD_MUL_FOR_SIZE 1
#endif
#pragma GCC optimize ("O2") /* -DAESFIT_AS_THE_REST: as everything else is optimised */
#endif
"""


def properties() -> str:
    """library.properties, as the Arduino library specification (1.5, rev. 2.2) asks for it."""
    about = json.loads((LIBRARY / "library.json").read_text(encoding="utf-8"))
    author = about["authors"][0]["name"]
    fields = {
        "name": about["name"],
        "version": about["version"],
        "author": author,
        "maintainer": author,
        "sentence": f"{about['description']}.",
        "paragraph": "Many cores behind one interface, most modes, no allocation; one core and one "
        "mode alone are smaller as a drop-in, which aesfit emit writes.",
        "category": "Data Processing",
        "url": about.get("homepage", ""),  # adding a zip needs none
        "architectures": ARCHITECTURES,
        "includes": ",".join(about["headers"]),
    }
    return "".join(f"{name}={value}\n" for name, value in fields.items())


def registered() -> list[str]:
    """Names of all cores."""
    return re.findall(r"^CORE\((\w+)\)", (LIBRARY / REGISTER).read_text(encoding="utf-8"), re.M)


def by_default() -> list[str]:
    """Names of the cores that are neither for the study of a paper nor have long round keys."""
    study = LIBRARY / "src" / "cores" / "study"
    config = (LIBRARY / "include" / "aesfit_config.h").read_text(encoding="utf-8")
    long = re.findall(r"^#define AESFIT_CORE_(\w+) 0$", config, re.M)
    return [
        name for name in registered() if name not in long and not (study / f"{name}.c").is_file()
    ]


def switches(cores: Iterable[str]) -> str:
    """The head of aesfit_config.h: which cores are built."""
    built, usual = set(cores), set(by_default())
    lines = [
        f"#define AESFIT_CORE_{name} {int(name in built)}\n"
        for name in registered()
        if (name in built) != (name in usual)
    ]
    return "/* Chosen by the build. */\n" + "".join(lines)


def contents(cores: Iterable[str]) -> dict[str, str]:
    """The library's files by their path in it, with these cores."""
    cores = list(cores)
    left_out = set(registered()) - set(cores)
    files = {"library.properties": properties()}
    for path in sorted(LIBRARY.rglob("*")):
        name = path.relative_to(LIBRARY).as_posix()
        name = name.replace("include/", "src/") if name.startswith("include/") else name
        is_core = name.startswith("src/cores/") and path.stem in left_out
        is_bulk = name.startswith("src/bulk/") and path.suffix == ".c" and "aesni" in left_out
        wanted = name.startswith(("src/", "examples/")) or name == "LICENSE"
        if path.is_file() and wanted and not is_core and not is_bulk:
            first = OPTIMISE if path.suffix == ".c" else ""
            files[name] = first + path.read_text(encoding="utf-8")
    files[CONFIG] = files[CONFIG].replace("/* Chosen by the build: nothing. */\n", switches(cores))
    return files


def write(target: Path, files: dict[str, str]) -> None:
    """The zip, whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                entry = zipfile.ZipInfo(f"aesfit/{name}", EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, text)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def main() -> None:
    """Write the zip and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--cores", default="default", help="default, all, or names such as fixslice,ttable1"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("dist/aesfit-arduino.zip"))
    options = parser.parse_args()
    sets = {"all": registered(), "default": by_default()}
    cores = sets.get(options.cores) or options.cores.split(",")
    for name in cores:
        if name not in registered():
            parser.error(f"there is no core {name!r}; choose from: {' '.join(registered())}")
    try:
        write(options.output, contents(cores))
    except OSError as error:
        sys.exit(f"pack_arduino.py: {options.output} cannot be written: {error.strerror}")
    print(options.output)


if __name__ == "__main__":
    main()
