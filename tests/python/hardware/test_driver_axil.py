# SPDX-License-Identifier: MIT
"""The C driver of aes32_axil on a model of its registers, with sanitizers and planted faults."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from places import ROOT

import aesfit

DRIVER, TESTS = ROOT / "drivers" / "aes32_axil", ROOT / "tests" / "drivers"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
BUS = '-DAES32_AXIL_BUS="aes32_axil_mock.h"'
FILES = ("aes32_axil.c", "aes32_axil_chained.c")


def compile_c(folder: Path, options: Sequence[object], compiler: str = "clang") -> None:
    """Run the compiler (clang checks alignments that are assumed); what it says is the failure."""
    command = [compiler, *map(str, options)]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the objects of the test, the model, and AES in software."""
    folder = tmp_path_factory.mktemp("driver")
    modes = ("ecb", "cbc", "ctr", "ccm")
    aesfit.emit(
        "sbox_columns",
        mode=modes,
        key_bits=(128, 192, 256),
        self_test=False,
        folder=folder,
        force=True,
    )
    compile_c(folder, ["-O1", "-c", "fitaes.c"])
    sources = sorted(TESTS.glob("*aes32_axil*.c"))
    compile_c(folder, [*WARNINGS, *SANITIZED, BUS, f"-I{DRIVER}", "-I.", "-c", *sources])
    return folder


def verdict(tests: Path, driver: Path, options: Sequence[str] = SANITIZED) -> str:
    """What the test says of the driver in a folder; a sanitizer's complaint counts as FAIL."""
    program = driver / "test"
    sources = [driver / name for name in FILES]
    include = [f"-I{driver}", f"-I{TESTS}", f"-I{tests}"]
    objects = sorted(tests.glob("*.o"))
    compile_c(tests, [*WARNINGS, *options, BUS, *include, *sources, *objects, "-o", program])
    said = subprocess.run([program], capture_output=True, text=True, check=False)
    last = said.stdout.splitlines()[-1:] or ["FAIL"]
    assert (said.returncode == 0) == (last == ["PASS"]), said.stdout
    return "PASS" if last == ["PASS"] else "FAIL"


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    """A copy of the driver."""
    return Path(shutil.copytree(DRIVER, tmp_path / "driver"))


def test_the_driver_on_a_model_of_the_core(tests: Path, driver: Path) -> None:
    assert verdict(tests, driver) == "PASS"


FAULTS = [
    ("aes32_axil.c", "space >= AES32_AXIL_BLOCK_WORDS &&", "space >= 1 &&"),
    ("aes32_axil.c", "ready >= AES32_AXIL_BLOCK_WORDS &&", "ready >= 1 &&"),
    ("aes32_axil.c", "reads > AES32_AXIL_PATIENCE", "0"),
    ("aes32_axil_access.h", "counter->w[3] < 0x01000000", "0"),
    ("aes32_axil.c", "m->chain = cipher;", "(void)cipher;"),
    ("aes32_axil.c", "decrypt ? AES32_AXIL_CONTROL_DECRYPT : 0", "0"),
    ("aes32_axil.c", "(difference & AES32_AXIL_VERSION_MAJOR) != 0", "0"),
    ("aes32_axil.c", "(status & AES32_AXIL_STATUS_KEYED) == 0", "0"),
    ("aes32_axil.c", "aes32_axil_result_words(status) != 0", "0"),
    ("aes32_axil.c", "& looked) != wanted", "& wanted) != wanted"),
    ("aes32_axil.c", "aes32_axil_erase(device);\n    return status;", "return status;"),
    ("aes32_axil.c", "blocks <= SIZE_MAX / AES32_AXIL_BLOCK", "1"),
    ("aes32_axil_chained.c", "blocks > SIZE_MAX / AES32_AXIL_BLOCK", "0"),
    ("aes32_axil_chained.c", "? 2 : 1", "? 1 : 1"),
    ("aes32_axil_chained.c", "if (!whole) {", "if (0) {"),
    ("aes32_axil_chained.c", "memset(block, 0, sizeof block);", ";"),
    ("aes32_axil_chained.c", "n.ad > 0 ? 0x40u : 0u", "0u"),
    ("aes32_axil_chained.c", "differences |= ", "differences = "),
    ("aes32_axil_chained.c", "memset(out, 0, bytes);", ";"),
    ("aes32_axil_chained.c", "n.ad < 0xff00", "1"),
    ("aes32_axil_access.h", "((uintptr_t)bytes & 3) == 0) { /* four stores", "1) { /*"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), FAULTS)
def test_the_test_finds_faults(
    only_slow: None, tests: Path, driver: Path, file: str, right: str, wrong: str
) -> None:
    text = (driver / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (driver / file).write_text(text.replace(right, wrong), encoding="utf-8")
    assert verdict(tests, driver, [*SANITIZED, "-Wno-error"]) == "FAIL"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_driver_compiles_without_a_libc(tmp_path: Path, compiler: str) -> None:
    """With loads and stores as its bus, and no header of the C library."""
    sources = [DRIVER / name for name in FILES]
    compile_c(tmp_path, [*WARNINGS, "-O2", "-ffreestanding", "-c", *sources], compiler)


def test_what_the_readme_shows_compiles(tmp_path: Path) -> None:
    shown = re.search(r"^```c\n(.*?)^```$", (DRIVER / "README.md").read_text(), re.M | re.S)
    assert shown is not None
    head = '#include "aes32_axil.h"\nint f(const uint8_t *key, uint8_t *packet)\n{\n'
    (tmp_path / "shown.c").write_text(f"{head}{shown[1]}return 0;\n}}\n", encoding="utf-8")
    compile_c(tmp_path, [*WARNINGS, f"-I{DRIVER}", "-c", "shown.c"])
