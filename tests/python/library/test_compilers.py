# SPDX-License-Identifier: MIT
"""The library compiles without a warning for every kind of processor, with each compiler.

All sources are one translation unit here, compiled without optimisation and without inlining, which
takes less than a second for each compiler.  tools/cross.sh compiles each source by itself, as it is
shipped.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from firmware_packages import LIB
from targets import commands, every, installed

FLAGS = "-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -ffreestanding -O0"
"""Those of tools/cross.sh; in a bound build, too, no source may shadow the name of another."""
HEAD = """#include "{parts}/compiler.h"
#undef AESFIT_INLINE
#define AESFIT_INLINE static inline __attribute__((unused))
"""
"""Each inlined function once: most of the time would go into copies of them."""
REFUSED = "defined(__has_attribute) && (defined(__arm__)"
PLANTED = {
    "an attribute that the compiler refuses": (
        "parts/compiler.h", REFUSED, "defined(__has_attribute) && (1", "sorry, unimplemented",
    ),
    "a conversion that may lose bits": (
        "ghash/table8.c", "\nconst aesfit_ghash", "\nextern short s(int i);\nshort s(int i)"
        "{ return i; }\nconst aesfit_ghash", "-Werror=conversion",
    ),
    "a variable with the name of a type of a source before it": (
        "cores/study/compact.c", "    (void)directions;",
        "    unsigned columns = 4;\n    (void)columns;\n    (void)directions;", "-Werror=shadow",
    ),
}  # fmt: skip
"""File, what stands there, the fault, what gcc for PowerPC says of it."""


def sources(library: Path) -> list[Path]:
    """All of them; first those for which the header that all share reads otherwise."""
    every = sorted((library / "src").rglob("*.c"))
    return sorted(every, key=lambda path: "AESFIT_CORE_IS_KNOWN" not in path.read_text())


def compiled(
    name: str, compiler: str, folder: Path, library: Path = LIB
) -> subprocess.CompletedProcess[str]:
    """The library as one translation unit."""
    unit = folder / "library.c"
    includes = "".join(f'#include "{path}"\n' for path in sources(library))
    unit.write_text(HEAD.format(parts=library / "src/parts") + includes, encoding="utf-8")
    line = [*installed(commands()[name][compiler]), *FLAGS.split(), f"-I{library / 'include'}"]
    line += ["-S", "-o", str(folder / "library.s"), str(unit)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "compiler"), every())
def test_the_library_compiles(name: str, compiler: str, tmp_path: Path) -> None:
    done = compiled(name, compiler, tmp_path)
    assert done.returncode == 0, done.stderr[:3000]
    assert done.stderr == ""


@pytest.mark.parametrize("fault", PLANTED)
def test_what_does_not_compile_would_be_found(fault: str, tmp_path: Path) -> None:
    file, old, new, said = PLANTED[fault]
    library = tmp_path / "lib"
    shutil.copytree(LIB, library)
    path = library / "src" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    done = compiled("PowerPC", "gcc", tmp_path, library)
    assert done.returncode != 0
    assert said in done.stderr
