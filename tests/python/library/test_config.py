# SPDX-License-Identifier: MIT
"""aesfit_config.h: every switch of a build, and contexts of the size that it needs."""

import re
import runpy
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from made_once import made_once, tool_line
from places import ROOT

from aesfit.building.sources import digest, include_folders, registered, unit

LIB = ROOT / "lib"
CONFIG = LIB / "include" / "aesfit_config.h"
INCLUDE = [f"-I{folder}" for folder in include_folders()]
DECIDED_BY_THE_COMPILER = {
    *("ARM_ASSEMBLY", "ARM_STATE", "DSP", "HAS_STRING_H", "LONG_ASSEMBLY", "SMALL_CODE"),
    *("TAKES_ARMV4", "TAKES_ARMV6M", "TAKES_ARMV7M", "TAKES_RV32", "THUMB2", "ZEROED_REGISTERS"),
}
OF_SOURCES = {  # not a user's
    *(
        "BOUND_COUNTER",
        "BOUND_UNTAGGED",
        "CORE_IS_KNOWN",
        "FEEDBACK_HOME",
        "KEEP_COUNTERS",
        "KNOWN_INVERSE",
        "XOR_COUNTERS",
    ),
}


def test_header_is_what_the_registers_and_structs_say() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "make_config.py"))["config"]()
    assert made == CONFIG.read_text(encoding="utf-8")


def test_every_switch_stands_in_the_header() -> None:
    text, asked = CONFIG.read_text(encoding="utf-8"), set()
    for path in (one for one in LIB.rglob("*.[ch]") if not {"psa", "mcuboot"} & {*one.parts}):
        for line in re.findall(r"^#\s*(?:el)?if.*", path.read_text(encoding="utf-8"), re.MULTILINE):
            asked |= set(re.findall(r"\bAESFIT_(\w+)", line))
    guards = {name for name in asked if re.fullmatch(r"(?!HAS)(\w+_)?H", name)}
    asked -= guards | DECIDED_BY_THE_COMPILER | OF_SOURCES
    assert len(asked) > 25
    assert [name for name in sorted(asked) if f"AESFIT_{name}" not in text] == []


def compiled(source: str, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    (folder / "unit.c").write_text(source)
    words = ["cc", "-std=c11", "-fsyntax-only", *INCLUDE, *flags, "unit.c"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("core", "ghash", "flags", "assertion"),
    [
        ("fixslice", "shift32", ["-DAESFIT_KEY_WORDS=119"], "key_words_are_enough"),
        ("fixslice", "shift32", ["-DAESFIT_KEY_WORDS=120"], ""),
        ("fixslice", "shift32", ["-DAESFIT_KEY_WORDS=88", "-DAESFIT_BOUND_KEY_SIZES=1"], ""),
        ("ttable1", "shift32", ["-DAESFIT_KEY_WORDS=60"], "key_words_are_enough"),
        ("ttable1", "shift32", ["-DAESFIT_KEY_WORDS=60", "-DAESFIT_KEYS_FOR_BOTH=0"], ""),
        ("transposed", "table4", ["-DAESFIT_GHASH_WORDS=63"], "ghash_words_are_enough"),
        ("transposed", "table4", ["-DAESFIT_GHASH_WORDS=64"], ""),
    ],
)
def test_bound_build_without_room_does_not_compile(
    tmp_path: Path, core: str, ghash: str, flags: list[str], assertion: str
) -> None:
    done = compiled(unit(core, ["gcm"], ghash), tmp_path, *flags)
    assert (done.returncode != 0) == bool(assertion)
    assert assertion in done.stderr


PROGRAM = """
#include <aesfit.h>
#include <stdio.h>
#include <string.h>
static struct {
    CONTEXT key;
    uint8_t behind[512];
} room;
int main(void)
{
    static const uint8_t secret[32] = {1, 2, 3};
    uint8_t untouched[sizeof room.behind];
    memset(untouched, 0xa5, sizeof untouched);
    memset(&room, 0xa5, sizeof room);
    int status = SET_UP;
    printf("%d %d", status, memcmp(room.behind, untouched, sizeof untouched) == 0);
    return 0;
}
"""
AES = "aesfit_expand_key(&room.key, &aesfit_core_{}, secret, {}, {})"
GCM = "aesfit_gcm_expand_key(&room.key, &aesfit_core_fixslice, &aesfit_ghash_{}, secret, 16)"
PORTABLE = ["-DAESFIT_CORE_aesni=0", "-DAESFIT_GHASH_clmul=0"]
REFUSED, ARGUMENT, DONE = "-2 1", "-19 1", "0 1"


NEEDED = ["default.c", "describe.c", "key.c", "modes/gcm.c"]
NEEDED += [f"cores/{name}.c" for name in ("fixslice", "ttable1")]
NEEDED += [f"ghash/{name}.c" for name in registered("ghash") if name != "clmul"]
"""What the programs need of the library."""


def archive(flags: list[str]) -> Path:
    """It compiled with these flags."""
    asked = ["cc", "-std=c11", "-O0", *INCLUDE, *PORTABLE, *flags]
    read = digest("".join(f'#include "{name}"\n' for name in NEEDED), include_folders())

    def make(to: Path) -> None:
        sources = [str(LIB / "src" / name) for name in NEEDED]
        with TemporaryDirectory() as folder:
            subprocess.run([*asked, "-c", *sources], cwd=folder, check=True)
            objects = map(str, sorted(Path(folder).iterdir()))
            subprocess.run(["ar", "rcs", to, *objects], check=True)

    return made_once(".a", make, "room", asked, tool_line("cc"), read)


@pytest.mark.few(one_in=5)
@pytest.mark.parametrize(
    ("context", "set_up", "flags", "told"),
    [
        ("key", AES.format("fixslice", 32, "AESFIT_BOTH"), ["-DAESFIT_KEY_WORDS=60"], REFUSED),
        ("key", AES.format("fixslice", 16, "AESFIT_BOTH"), ["-DAESFIT_KEY_WORDS=88"], DONE),
        ("key", AES.format("ttable1", 16, "AESFIT_BOTH"), ["-DAESFIT_KEY_WORDS=44"], REFUSED),
        ("key", AES.format("ttable1", 16, "AESFIT_DECRYPT"), ["-DAESFIT_KEY_WORDS=44"], DONE),
        ("key", AES.format("ttable1", 16, "AESFIT_BOTH"), ["-DAESFIT_KEYS_FOR_BOTH=0"], ARGUMENT),
        ("key", AES.format("ttable1", 24, "1"), ["-DAESFIT_BOUND_KEY_SIZES=1"], REFUSED),
        ("key", AES.format("fixslice_encrypt", 16, "AESFIT_ENCRYPT"), [], DONE),
        ("key", AES.format("fixslice_encrypt", 16, "AESFIT_BOTH"), [], ARGUMENT),
        ("key", AES.format("fixslice_encrypt", 16, "AESFIT_DECRYPT"), [], ARGUMENT),
        ("gcm_key", GCM.format("table4"), ["-DAESFIT_GHASH_WORDS=9"], REFUSED),
        ("gcm_key", GCM.format("shift32"), ["-DAESFIT_GHASH_WORDS=9"], DONE),
    ],
)
def test_library_without_room_refuses(
    context: str, set_up: str, flags: list[str], told: str, tmp_path: Path
) -> None:
    """And writes nothing behind the context."""
    text = PROGRAM.replace("CONTEXT", f"aesfit_{context}").replace("SET_UP", set_up)
    (tmp_path / "main.c").write_text(text)
    words = ["cc", "-std=c11", *INCLUDE, *PORTABLE, *flags, "main.c", str(archive(flags))]
    subprocess.run([*words, "-o", "app"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True)
    assert done.stdout == told
