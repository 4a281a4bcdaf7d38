# SPDX-License-Identifier: MIT
"""The library as PlatformIO and Arduino take it: layout, manifest, all sources compiled.

Neither tool's compilers can be had here, so the flags that they give are given to others for the
same processors.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from firmware_packages import GUIDE, LIB, MAIN, SEALED, run, snippet, tool, version
from places import ROOT

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SMALL = ["-std=gnu11", "-Os", "-ffunction-sections", "-fdata-sections", *WARNINGS]
TARGETS = {
    "cortex-m0plus": ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", *SMALL],
    "cortex-m3": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", *SMALL],
    # This compiler comes without a C library, those of boards do not.
    "rv32": ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "-ffreestanding", *SMALL],
    "host": ["cc", *WARNINGS],  # PlatformIO's platform native asks for nothing more
}

MEMORY = ROOT / "aesfit" / "building" / "firmware" / "memory.c"
"""memcpy and its like: Debian's compiler for ARM comes without a C library."""
OF_THEMSELVES = ["-fno-builtin", "-fno-tree-loop-distribute-patterns"]


def compile_all(
    target: str, sources: list[Path], folder: Path, *flags: str
) -> subprocess.Popen[str]:
    """Starts the compiler on all sources at once; objects appear in `folder`."""
    assert len({path.stem for path in sources}) == len(sources)
    words = [*TARGETS[target], *flags, "-c", *map(str, sources)]
    if shutil.which(words[0]) is None:
        pytest.fail(f"{words[0]} is missing: apt-get install gcc-{words[0].removesuffix('-gcc')}")
    folder.mkdir()
    return subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)


def finished(compilers: dict[str, subprocess.Popen[str]]) -> None:
    for target, compiler in compilers.items():
        _, errors = compiler.communicate()
        assert compiler.returncode == 0, f"{target}: {errors}"


def sizes(folder: Path, prefix: str = "") -> dict[str, int]:
    """Bytes that each object puts into memory."""
    lines = run(f"{prefix}size", *sorted(folder.iterdir())).splitlines()[1:]
    return {Path(line.split()[5]).stem: int(line.split()[3]) for line in lines}


X86 = ["aesni", *(path.stem for path in (LIB / "src" / "bulk").glob("*.c"))]


def hold_code_but_on_x86(folder: Path, prefix: str) -> None:
    """Every source gives code, but those for x86, which are empty elsewhere."""
    bytes_of = sizes(folder, prefix)
    empty = {name for name, size in bytes_of.items() if size == 0}
    assert empty == {*X86, "clmul"}


# --- PlatformIO

NAMES = {"type": "array", "minItems": 1, "uniqueItems": True}
MANIFEST = {  # the documented fields of library.json that this library has use for
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "version", "description", "license", "headers", "build", "export"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "maxLength": 50},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$", "maxLength": 20},
        "description": {"type": "string", "minLength": 1, "maxLength": 255},
        "keywords": {**NAMES, "items": {"type": "string", "pattern": "^[a-z0-9+_. -]{1,50}$"}},
        "license": {"const": "MIT"},
        "authors": {
            **NAMES,
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string", "maxLength": 100}},
            },
        },
        "headers": {**NAMES, "items": {"type": "string", "pattern": r"^[\w/]+\.h$"}},
        "frameworks": {**NAMES, "items": {"type": "string", "pattern": r"^([a-z0-9_-]+|\*)$"}},
        "platforms": {**NAMES, "items": {"type": "string", "pattern": "^[a-z0-9_-]{1,50}$"}},
        "build": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                **{name: {"type": "string"} for name in ("srcDir", "includeDir")},
                **{name: {**NAMES, "items": {"type": "string"}} for name in ("flags", "unflags")},
            },
        },
        "export": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"include": {**NAMES, "items": {"type": "string"}}},
        },
    },
}


def manifest() -> dict[str, Any]:
    told: dict[str, Any] = json.loads((LIB / "library.json").read_text(encoding="utf-8"))
    return told


def test_manifest_of_platformio() -> None:
    told = manifest()
    tool("jsonschema", "jsonschema").validate(told, MANIFEST)
    assert told["version"] == version()
    assert f'"{told["description"]}"' in (LIB / "CMakeLists.txt").read_text(encoding="utf-8")
    assert not [name for name in told["platforms"] if re.search("avr|8051|stm8|pic", name)]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What PlatformIO packs: the manifest's export, no more."""
    folder = tmp_path_factory.mktemp("platformio") / "aesfit"
    for name in manifest()["export"]["include"]:
        copy = shutil.copytree if (LIB / name).is_dir() else shutil.copy
        folder.mkdir(exist_ok=True)
        copy(LIB / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def objects(package: Path, slow: bool) -> Path:
    """A folder of objects for each target, made with -I includeDir and -I srcDir alone.

    Those for RISC-V are made of Arduino's sources, which are the same; those for this computer,
    whose intrinsics take longest, with --slow.
    """
    told = manifest()["build"]
    include, source = package / told["includeDir"], package / told["srcDir"]
    sources, flags = sorted(source.rglob("*.c")), (f"-I{include}", f"-I{source}")
    made = package.parent
    targets = ("cortex-m3", "host") if slow else ("cortex-m3",)
    finished({name: compile_all(name, sources, made / name, *flags) for name in targets})
    return made


@pytest.mark.slow
def test_package_of_platformio_compiles(
    objects: Path, package: Path, slow: bool, tmp_path: Path
) -> None:
    files = [path.relative_to(LIB) for path in (LIB / "src").rglob("*") if path.is_file()]
    assert all(same(LIB / name, package / name) for name in files)
    hold_code_but_on_x86(objects / "cortex-m3", "arm-none-eabi-")
    if not slow:
        return
    (tmp_path / "main.c").write_text(MAIN)
    host = (objects / "host").iterdir()
    run("cc", f"-I{package / 'include'}", "main.c", *host, "-o", "app", cwd=tmp_path)
    assert run(tmp_path / "app") == SEALED


def key_bytes(folder: Path, package: Path, *flags: str) -> int:
    """Bytes of an expanded key on a Cortex-M3."""
    (folder / "key.c").write_text("#include <aesfit.h>\naesfit_key key;\n")
    compiler = [*TARGETS["cortex-m3"], f"-I{package / 'include'}", *flags]
    run(*compiler, "-c", "key.c", cwd=folder)
    found = re.search(
        r"^\w+ (\w+) [BC] key$", run("arm-none-eabi-nm", "-S", folder / "key.o"), re.M
    )
    assert found
    return int(found[1], 16)


def test_flags_of_the_guide_make_keys_smaller(package: Path, tmp_path: Path) -> None:
    """By as much as it says."""
    config = ConfigParser()
    config.read_string(f"[env]\n{snippet('PlatformIO', 'ini')}")
    flags = shlex.split(config["env"]["build_flags"])
    told = re.search(r"`aesfit_key` of (\d+) bytes instead of (\d+)", GUIDE)
    assert told
    small, usual = key_bytes(tmp_path, package, *flags), key_bytes(tmp_path, package)
    assert (small, usual) == (int(told[1]), int(told[2]))


# --- Arduino

# Required of libraries in format 1.5, but url, which only a registry wants.
FIELDS = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category"}
CATEGORIES = {"Display", "Communication", "Signal Input/Output", "Sensors", "Device Control"}
CATEGORIES |= {"Timing", "Data Storage", "Data Processing", "Other"}

# As much of Arduino.h as the sketch uses; the builder puts its include before every sketch.
ARDUINO_H = """
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#define HEX 16
struct Port {
    void begin(long) {}
    void print(int digit, int) { printf("%X", digit); }
    void println(const char *text = "") { puts(text); }
};
static Port Serial;
void setup();
void loop();
"""


def packed(folder: Path, *options: str) -> Path:
    """The library as Arduino unpacks it."""
    pack = ROOT / "tools" / "pack_arduino.py"
    run(sys.executable, pack, *options, "-o", folder / "a" / "aesfit.zip")
    with zipfile.ZipFile(folder / "a" / "aesfit.zip") as archive:
        archive.extractall(folder)
    return folder / "aesfit"


@pytest.fixture(scope="module")
def arduino(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packed(tmp_path_factory.mktemp("arduino"))


def test_properties_of_arduino(arduino: Path) -> None:
    lines = (arduino / "library.properties").read_text(encoding="utf-8").splitlines()
    told = dict(line.split("=", 1) for line in lines)
    assert [name for name in FIELDS if not told.get(name)] == []
    assert set(told) == {*FIELDS, "architectures", "includes", "url"}
    assert re.fullmatch(r"[A-Za-z][\w .-]{0,62}", told["name"])
    assert told["version"] == version()
    assert told["category"] in CATEGORIES
    assert (arduino / "src" / told["includes"]).is_file()
    assert not [name for name in told["architectures"].split(",") if re.search(r"avr|\*", name)]


def same(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


def test_layout_of_arduino(arduino: Path) -> None:
    """Sources but those for study or with long keys, headers below src/, a sketch in its folder."""
    of_lib = {path.relative_to(LIB / "src") for path in (LIB / "src").rglob("*") if path.is_file()}
    of_lib = {name for name in of_lib if name.parent != Path("cores/study")}
    of_lib -= {Path("cores/bitslice_rv32.c")}
    of_zip = {p.relative_to(arduino / "src") for p in (arduino / "src").rglob("*") if p.is_file()}
    headers = {header.name for header in (LIB / "include").iterdir()}
    assert of_zip == of_lib | set(map(Path, headers))
    for name in of_lib:
        text = (arduino / "src" / name).read_text(encoding="utf-8")
        text = re.sub(r"\A#if .*\n(?:#.*\n)*#pragma GCC optimize .*\n#endif\n", "", text)
        assert text == (LIB / "src" / name).read_text(encoding="utf-8")
    assert all(
        same(LIB / "include" / name, arduino / "src" / name)
        for name in headers - {"aesfit_config.h"}
    )
    assert {path.name for path in arduino.iterdir()} == {
        *("LICENSE", "examples", "library.properties", "src")
    }
    assert [p.parent.name for p in arduino.glob("examples/*/*.ino")] == ["ccm_packet"]
    assert (arduino / "examples" / "ccm_packet" / "ccm_packet.ino").is_file()


@pytest.mark.slow
def test_library_of_arduino_compiles(arduino: Path, tmp_path: Path) -> None:
    sources, flag = sorted((arduino / "src").rglob("*.c")), f"-I{arduino / 'src'}"
    targets = {"rv32": "riscv64-unknown-elf-", "cortex-m0plus": "arm-none-eabi-"}
    finished({name: compile_all(name, sources, tmp_path / name, flag) for name in targets})
    for name, prefix in targets.items():
        hold_code_but_on_x86(tmp_path / name, prefix)


def test_sources_of_arduino_are_not_optimised_for_size(arduino: Path, tmp_path: Path) -> None:
    """A core's loop is compiled with -O2, unless the user asks for the flags of the build."""
    sources = [arduino / "src" / "cores" / "transposed.c"]
    flag, told = f"-I{arduino / 'src'}", {}
    ways = {"here": (), "fast": ("-O2",), "small": ("-DAESFIT_AS_THE_REST",)}
    for way, flags in ways.items():
        finished({way: compile_all("cortex-m3", sources, tmp_path / way, flag, *flags)})
        told[way] = sizes(tmp_path / way, "arm-none-eabi-")["transposed"]
    assert abs(told["here"] - told["fast"]) < abs(told["small"] - told["fast"])


@pytest.mark.slow
def test_sketch_runs_with_the_cores_of_the_guide(tmp_path: Path) -> None:
    words = shlex.split(snippet("Arduino", "sh"))
    library = packed(tmp_path, *words[2 : words.index("-o")])
    assert [path.name for path in (library / "src" / "cores").rglob("*.c")] == ["fixslice.c"]
    flags = ["-I", library / "src"]
    sketch = (library / "examples" / "ccm_packet" / "ccm_packet.ino").read_text(encoding="utf-8")
    (tmp_path / "Arduino.h").write_text(ARDUINO_H)
    (tmp_path / "sketch.cpp").write_text(
        f"#include <Arduino.h>\n{sketch}\nint main() {{ setup(); loop(); }}\n"
    )
    run("c++", "-std=gnu++17", "-Wall", "-Werror", *flags, "-I.", "-c", "sketch.cpp", cwd=tmp_path)
    sources = sorted((library / "src").rglob("*.c"))
    finished({"host": compile_all("host", sources, tmp_path / "o", f"-I{library / 'src'}")})
    run("c++", "sketch.o", *(tmp_path / "o").iterdir(), "-o", "app", cwd=tmp_path)
    assert run(tmp_path / "app").split("\n")[:2] == [SEALED.upper(), "20212223"]


def test_unknown_core_is_refused_and_nothing_written(tmp_path: Path) -> None:
    pack = [sys.executable, str(ROOT / "tools" / "pack_arduino.py"), "--cores", "nonsense"]
    done = subprocess.run(
        [*pack, "-o", str(tmp_path / "a.zip")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "nonsense" in done.stderr
    assert "fixslice" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_same_library_gives_the_same_zip(tmp_path: Path) -> None:
    packed(tmp_path / "1")
    packed(tmp_path / "2")
    assert (tmp_path / "1/a/aesfit.zip").read_bytes() == (tmp_path / "2/a/aesfit.zip").read_bytes()
