# SPDX-License-Identifier: MIT
"""The C driver of aes32_axil on a model of its registers, with sanitizers and planted faults."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
from made_once import drop_in, files_sha256, made_once, tool_line
from places import ROOT

from aesfit.emitting.choice import DropInChoice

DRIVER, TESTS = ROOT / "drivers" / "aes32_axil", ROOT / "tests" / "drivers"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
BUS = '-DAES32_AXIL_BUS="aes32_axil_mock.h"'
FILES = ("aes32_axil.c", "aes32_axil_chained.c")
STACK_FILES = ("aes32_axil_mock.c", "stack_aes32_axil.c")


def compile_c(folder: Path, options: Sequence[object], compiler: str = "clang") -> None:
    """Run the compiler (clang checks alignments that are assumed); what it says is the failure."""
    command = [compiler, *map(str, options)]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr


@dataclass(frozen=True)
class Parts:
    """What the driver is linked to: the model, the test or the search, and AES in software."""

    include: Path
    tested: tuple[Path, ...]
    """Objects, with sanitizers."""
    searched: tuple[Path, ...]

    def made(
        self, suffix: str, options: Sequence[str], sources: Sequence[Path], compiler: str = "clang"
    ) -> Path:
        """A program or an object of sources with headers beside them; made once, wherever they are.

        Objects among the sources are linked.
        """
        folders = (sources[0].parent, TESTS, self.include, DRIVER)
        asked = [*options, BUS, *(f"-I{one}" for one in folders), *sources, "-o"]
        headers = [path for one in folders for path in sorted(one.glob("*.h"))]
        read = [sha256(path.read_bytes()).hexdigest() for path in (*headers, *sources)]
        return made_once(
            suffix,
            lambda target: compile_c(self.include, [*asked, target], compiler),
            *("driver of aes32_axil", tool_line(compiler), list(options), read),
        )

    def objects(self, options: Sequence[str], *names: str) -> tuple[Path, ...]:
        """Of files beside the tests."""
        return tuple(self.made(".o", [*options, "-c"], [TESTS / name]) for name in names)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    """They are the same whatever the driver is compiled with."""
    modes = ("ecb", "cbc", "ctr", "ccm")
    choice = DropInChoice("sbox_columns", modes, (128, 192, 256), self_test=False)
    folder = tmp_path_factory.mktemp("driver")
    for name, text in drop_in(choice).items():
        (folder / name).write_text(text, encoding="utf-8")
    one = Parts(folder, (), ())
    aes = one.made(".o", ["-O1", "-c"], [folder / "fitaes.c"])
    tested = one.objects([*WARNINGS, *SANITIZED], "aes32_axil_mock.c", "test_aes32_axil.c")
    searched = one.objects([*WARNINGS, "-O1"], *STACK_FILES)
    return Parts(folder, (aes, *tested), (aes, *searched))


def verdict(parts: Parts, driver: Path, options: Sequence[str] = SANITIZED) -> str:
    """What the test says of the driver in a folder; a sanitizer's complaint counts as FAIL."""
    sources = [driver / name for name in FILES]
    program = parts.made(".exe", [*WARNINGS, *options], [*sources, *parts.tested])
    said = subprocess.run([program], capture_output=True, text=True, check=False)
    last = said.stdout.splitlines()[-1:] or ["FAIL"]
    assert (said.returncode == 0) == (last == ["PASS"]), said.stdout
    return "PASS" if last == ["PASS"] else "FAIL"


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    """A copy of the driver."""
    return Path(shutil.copytree(DRIVER, tmp_path / "driver"))


def test_the_driver_on_a_model_of_the_core(parts: Parts, driver: Path) -> None:
    assert verdict(parts, driver) == "PASS"


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
    ("aes32_axil_chained.c", "left > 0 && p.status == AES32_AXIL_OK", "left > 0"),
    ("aes32_axil.c", "memset(out, 0, bytes);", ";"),
    ("aes32_axil.c", "(status == AES32_AXIL_ERR_REFUSED ||", "("),
    ("aes32_axil.c", "status == AES32_AXIL_ERR_TIMEOUT ||", ""),
    ("aes32_axil.c", "|| status == AES32_AXIL_ERR_TIMEOUT", "|| status != AES32_AXIL_OK"),
    ("aes32_axil.c", "status == AES32_AXIL_ERR_AUTHENTICATION", "0"),
    ("aes32_axil.c", "reads++ > AES32_AXIL_PATIENCE", "reads++ > 0"),
    ("aes32_axil.c", "(status & AES32_AXIL_STATUS_KEY_READY) == 0", "0"),
    ("aes32_axil_chained.c", "n.ad < 0xff00", "1"),
    ("aes32_axil_access.h", "((uintptr_t)bytes & 3) == 0) { /* four stores", "1) { /*"),
]


def plant(driver: Path, file: str, right: str, wrong: str) -> None:
    """Write a fault into the copy."""
    text = (driver / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (driver / file).write_text(text.replace(right, wrong), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("file", "right", "wrong"), FAULTS)
def test_the_test_finds_faults(
    parts: Parts, driver: Path, file: str, right: str, wrong: str
) -> None:
    plant(driver, file, right, wrong)
    assert verdict(parts, driver, [*SANITIZED, "-Wno-error"]) == "FAIL"


def left_on_the_stack(
    parts: Parts, driver: Path, compiler: str, level: str, *more: str
) -> list[str]:
    """What a search of the stack finds after each function, a line for each."""
    sources = [driver / name for name in FILES]
    options = [*WARNINGS, level, *more]
    program = parts.made(".exe", options, [*sources, *parts.searched], compiler)
    said = subprocess.run([program], capture_output=True, text=True, check=False)
    *lines, last = said.stdout.splitlines()
    assert (said.returncode, last) in ((0, "PASS"), (1, "FAIL"))
    assert (last == "FAIL") == bool(lines)
    return lines


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_nothing_secret_stays_on_the_stack(
    parts: Parts, driver: Path, compiler: str, level: str
) -> None:
    assert left_on_the_stack(parts, driver, compiler, level) == []


CLEARED = " = ".join([*(f"at[{i}]" for i in range(8)), "0;"])
STACK_FAULTS = [
    ("aes32_axil.c", CLEARED, ";", "tag"),
    ("aes32_axil.c", "size_t left = sizeof below;", "size_t left = 128;", "text"),
    ("aes32_axil_access.h", "__attribute__((noinline))", "", "text"),
    ("aes32_axil_chained.c", "aes32_axil_leave(seal(device,", "(0, 0, 0, seal(device,", "tag"),
    ("aes32_axil.c", "aes32_axil_leave(ctr(device,", "(0, 0, 0, ctr(device,", "text"),
]
"""With what must be found then."""


@pytest.mark.parametrize(("file", "right", "wrong", "found"), STACK_FAULTS)
def test_the_search_of_the_stack_finds(
    parts: Parts, driver: Path, file: str, right: str, wrong: str, found: str
) -> None:
    plant(driver, file, right, wrong)
    lines = left_on_the_stack(parts, driver, "clang", "-O2", "-Wno-error")
    assert any(f"leaves {found}" in line for line in lines)


WORKERS = ("ecb", "cbc_encrypt", "cbc_decrypt", "ctr", "seal", "unseal")
PROCESSORS = {
    "rv32": ("riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32"),
    "cortex-m0plus": ("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"),
    "cortex-m4": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
}


def stack_depths(folder: Path, processor: str, level: str) -> dict[str, int]:
    """Bytes of stack that each function takes with all that it calls, by GCC's call graph."""
    compiler, *options = PROCESSORS[processor]
    options += ["-std=c11", level, "-ffreestanding", "-fcallgraph-info=su", "-c"]

    def make(target: Path) -> None:
        compile_c(folder, [*options, *(DRIVER / name for name in FILES)], compiler)
        graphs = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ci")))
        target.write_text("".join(graphs), encoding="utf-8")

    read = files_sha256(DRIVER.iterdir())
    graph = made_once(".ci", make, "driver of aes32_axil", tool_line(compiler), options, read)
    return _depths(graph.read_text(encoding="utf-8"))


def _depths(text: str) -> dict[str, int]:
    nodes = re.findall(r'node: \{ title: "([^"]+)" label: "[^"]*?(\d+) bytes', text)
    edges = re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', text)
    frames = {name: int(size) for name, size in nodes}

    def depth(name: str) -> int:
        called = {target for source, target in edges if source == name}
        return frames.get(name, 0) + max(map(depth, called), default=0)

    return {name.split(":")[-1]: depth(name) for name in frames}


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("processor", PROCESSORS)
def test_all_stack_of_workers_is_cleared(tmp_path: Path, processor: str, level: str) -> None:
    """What aes32_axil_leave() clears is its frame."""
    depths = stack_depths(tmp_path, processor, level)
    deepest = max(depths[name] for name in WORKERS)
    assert 300 < deepest <= depths["aes32_axil_leave"]


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
