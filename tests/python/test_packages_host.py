# SPDX-License-Identifier: MIT
"""The C library as a package: each tool installs, finds, links and runs it for real.

The consumer is tests/conan/main.c throughout.  Parts of the library stand for the whole where what
is tested is the way it comes in.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

import aesfit

ROOT = Path(__file__).resolve().parents[2]
CONSUMER = ROOT / "tests" / "conan"
PART = ("fixslice", "ccm")  # core and mode
AMOUNT = re.compile(r"aesfit \d+\.\d+\.\d+, (\d+) cores: The call succeeded\.")


def tool(name: str, bring: str) -> str:
    """Where a tool is: beside this Python, or on the path."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is not installed; bring it with: {bring}"
    return found


Variables = Mapping[str, str | Path]


def succeed(
    *command: object, where: Path | None = None, env: Variables = MappingProxyType({})
) -> tuple[str, str]:
    """What a command that must succeed writes to standard output and error."""
    done = subprocess.run(
        [str(part) for part in command], cwd=where, capture_output=True, text=True, check=False,
        env={**os.environ, **{name: str(value) for name, value in env.items()}},
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout, done.stderr


def run(*command: object, where: Path | None = None, env: Variables = MappingProxyType({})) -> str:
    """Standard output of a command that must succeed."""
    return succeed(*command, where=where, env=env)[0]


def cores_of(program: Path, env: Variables = MappingProxyType({})) -> int:
    """How many cores a consumer that works says it has."""
    said = AMOUNT.fullmatch(run(program, PART[0], env=env).strip())
    assert said
    return int(said[1])


def configure(source: Path, build: Path, *options: str) -> None:
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *options)


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()}


def library(folder: Path) -> Path:
    """A copy of lib/ alone."""
    return Path(shutil.copytree(ROOT / "lib", folder / "lib"))


def tree(folder: Path) -> Path:
    """A copy of what packages take from the project, as a repository of its own."""
    library(folder)
    for name in ("CMakeLists.txt", "meson.build", "meson_options.txt"):
        shutil.copy(ROOT / name, folder)
    git = ("git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.c")
    run(*git, "init", "--quiet", "--initial-branch=main")
    run(*git, "add", ".")
    run(*git, "commit", "--quiet", "--message", "all")
    return folder


PARTS = (f"-DAESFIT_CORES={PART[0]}", f"-DAESFIT_MODES={PART[1]}")


@pytest.mark.parametrize("kind", ["static", "shared"])
def test_installed(tmp_path: Path, kind: str) -> None:
    """CMake and pkg-config find an installation under DESTDIR wherever it is moved."""
    build, stage, prefix = tmp_path / "build", tmp_path / "stage", tmp_path / "moved here"
    shared = ("-DBUILD_SHARED_LIBS=ON",) if kind == "shared" else ()
    configure(ROOT / "lib", build, "-DCMAKE_INSTALL_PREFIX=/opt/aesfit", *shared, *PARTS)
    run("cmake", "--build", build)
    run("cmake", "--install", build, env={"DESTDIR": stage})
    assert {path.name for path in stage.iterdir()} == {"opt"}
    (stage / "opt" / "aesfit").rename(prefix)
    config = next(prefix.rglob("aesfit-config.cmake")).parent
    lib = config.parents[1]
    assert files(prefix) - files(lib) >= {"include/aesfit.h", "share/licenses/aesfit/LICENSE"}
    assert sum("libaesfit" in name for name in files(lib)) == (3 if shared else 1)
    for found in files(prefix):
        if found.endswith((".pc", ".cmake")):
            assert str(tmp_path) not in (prefix / found).read_text(), found

    configure(CONSUMER, tmp_path / "found", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "found")
    assert cores_of(tmp_path / "found" / "consumer") == 1
    by_pkg_config(lib, tmp_path / "program", kind)


def by_pkg_config(lib: Path, program: Path, kind: str) -> None:
    """Compile, link and run the consumer by what pkg-config says."""
    config = tool("pkg-config", "apt-get install pkg-config")
    path = {"PKG_CONFIG_PATH": lib / "pkgconfig"}
    header = (ROOT / "lib" / "include" / "aesfit.h").read_text()
    assert f'"{run(config, "--modversion", "aesfit", env=path).strip()}"' in header
    static, link = (["--static"], ["-static"]) if kind == "static" else ([], [])
    flags = shlex.split(run(config, *static, "--cflags", "--libs", "aesfit", env=path))
    run("cc", CONSUMER / "main.c", *link, *flags, "-o", program)
    assert cores_of(program, {"LD_LIBRARY_PATH": lib}) == 1


PARENT = """
cmake_minimum_required(VERSION 3.21)
project(parent C)
{bring}
add_executable(parent {main})
target_link_libraries(parent aesfit::aesfit)
install(TARGETS parent)
"""
FETCH = (
    "include(FetchContent)\nFetchContent_Declare(aesfit {what})\nFetchContent_MakeAvailable(aesfit)"
)


@pytest.mark.parametrize("way", ["FetchContent, git", "FetchContent, lib", "add_subdirectory"])
def test_inside_another_cmake_project(tmp_path: Path, way: str) -> None:
    """The repository, or lib/ alone: found by name, and nothing of ours leaks."""
    main = CONSUMER / "main.c"
    (source := tmp_path / "source").mkdir()
    if way == "FetchContent, git":
        address = tree(tmp_path / "repository").as_uri()
        bring = FETCH.format(what=f"GIT_REPOSITORY {address} GIT_TAG main")
    elif way == "FetchContent, lib":
        bring = FETCH.format(what=f"SOURCE_DIR {library(tmp_path)}")
    else:
        library(source)
        bring = "add_subdirectory(lib)"
    (source / "CMakeLists.txt").write_text(PARENT.format(bring=bring, main=main))
    configure(source, build := tmp_path / "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *PARTS)
    run("cmake", "--build", build)
    assert cores_of(build / "parent") == 1
    run("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    assert files(tmp_path / "prefix") == {"bin/parent"}
    assert "-Werror" not in (build / "compile_commands.json").read_text()
    assert "Total Tests: 0" in run("ctest", "-N", where=build)
    cache = (build / "CMakeCache.txt").read_text()
    entries = set(re.findall(r"^(\w+):(?!INTERNAL|STATIC)", cache, re.MULTILINE))
    ours = {name for name in entries if name.startswith("AESFIT_")}
    assert {"AESFIT_CORES", "AESFIT_MODES", "AESFIT_INSTALL"} <= ours
    assert all(re.match("CMAKE_|FETCHCONTENT_|GIT_", name) for name in entries - ours), entries
    assert "CMAKE_BUILD_TYPE:STRING=\n" in cache


MESON_PARENT = """
project('parent', 'c')
executable('parent', '{main}', dependencies: dependency('aesfit', version: '>=0.1'))
"""
WRAP = """
[wrap-git]
url = {address}
revision = main
[provide]
dependency_names = aesfit
"""


def test_inside_a_meson_project(tmp_path: Path) -> None:
    """As a wrap of the repository."""
    meson = tool("meson", "pip install meson")
    main, wraps = CONSUMER / "main.c", tmp_path / "source" / "subprojects"
    address = tree(tmp_path / "repository").as_uri()
    wraps.mkdir(parents=True)
    (wraps / "aesfit.wrap").write_text(WRAP.format(address=address))
    (wraps.parent / "meson.build").write_text(MESON_PARENT.format(main=main))
    parts = [f"-Daesfit:cores={PART[0]}", f"-Daesfit:modes={PART[1]}"]
    run(meson, "setup", build := tmp_path / "build", wraps.parent, *parts)
    run(meson, "compile", "-C", build)
    assert cores_of(build / "parent") == 1


def test_meson_alone(tmp_path: Path) -> None:
    """Its test passes, and what it installs is found by pkg-config."""
    meson = tool("meson", "pip install meson")
    parts = [f"-Dcores={PART[0]}", f"-Dmodes={PART[1]}"]
    run(meson, "setup", "--prefix=/usr", build := tmp_path / "build", ROOT, *parts)
    assert re.search(r"Ok: +1\b", run(meson, "test", "-C", build))
    run(meson, "install", "-C", build, env={"DESTDIR": tmp_path / "stage"})
    installed = files(tmp_path / "stage")
    assert {"usr/include/aesfit.h", "usr/share/licenses/aesfit/LICENSE"} <= installed
    said = next((tmp_path / "stage").rglob("aesfit.pc"))
    config = tool("pkg-config", "apt-get install pkg-config")
    staged = {"PKG_CONFIG_PATH": said.parent, "PKG_CONFIG_SYSROOT_DIR": tmp_path / "stage"}
    flags = shlex.split(run(config, "--cflags", "--libs", "aesfit", env=staged))
    run("cc", CONSUMER / "main.c", *flags, "-o", tmp_path / "program")
    assert cores_of(tmp_path / "program", {"LD_LIBRARY_PATH": said.parents[1]}) == 1


def compiled(build: Path) -> dict[str, set[str]]:
    """The library's sources, each with the macros of ours that it is compiled with."""
    commands = json.loads((build / "compile_commands.json").read_text())
    return {
        str(Path(one["directory"], one["file"]).resolve().relative_to(ROOT)): {
            re.sub("=.*", "", macro) for macro in re.findall(r"-D(AESFIT_\S+)", one["command"])
        }
        for one in commands
        if "tests" not in Path(one["file"]).parts
    }


@pytest.mark.parametrize(
    ("cores", "modes"), [("all", "all"), ("fixslice,aesni", "ccmp,ofb"), ("mobile", "ctr,cfb8")]
)
def test_meson_and_cmake_compile_the_same(tmp_path: Path, cores: str, modes: str) -> None:
    meson = tool("meson", "pip install meson")
    run(
        meson, "setup", by_meson := tmp_path / "meson", ROOT, f"-Dcores={cores}", f"-Dmodes={modes}"
    )
    lists = (
        f"-DAESFIT_{name}={chosen.replace(',', ';')}"
        for name, chosen in (("CORES", cores), ("MODES", modes))
    )
    by_cmake = tmp_path / "cmake"
    configure(ROOT / "lib", by_cmake, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *lists)
    assert compiled(by_meson) == compiled(by_cmake)
    registers = [build / name / "cores.def" for build, name in ((by_meson, "lib"), (by_cmake, "."))]
    if cores != "all":
        assert registers[0].read_text() == registers[1].read_text()


@pytest.mark.parametrize("option", ["cores", "modes"])
def test_meson_refuses_an_unknown_name(tmp_path: Path, option: str) -> None:
    meson = tool("meson", "pip install meson")
    done = subprocess.run(
        [meson, "setup", tmp_path / "build", ROOT, f"-D{option}=nonsense"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert f'{option}: there is no "nonsense"; choose from: ' in done.stdout


@pytest.mark.parametrize("chosen", ["part", "part, shared", "whole"])
def test_conan(tmp_path: Path, chosen: str, slow: bool) -> None:
    """conan create with its test package, from an empty cache and without remotes."""
    if chosen != "part" and not slow:
        pytest.skip("other choices of options take longer: --slow")
    conan = tool("conan", "pip install conan")
    home, built = {"CONAN_HOME": tmp_path / "conan"}, tmp_path / "built"
    run(conan, "profile", "detect", env=home)
    run(conan, "remote", "remove", "*", env=home)
    options = [f"shared={'shared' in chosen}"]
    if "part" in chosen:
        options += [f"cores={PART[0]}", f"modes={PART[1]}"]
    _, said = succeed(
        conan, "create", ROOT, f"--conf=tools.cmake.cmake_layout:test_folder={built}",
        *(f"--options=aesfit/*:{option}" for option in options), env=home,
    )  # fmt: skip
    amount = AMOUNT.search(said)
    assert amount
    assert int(amount[1]) == (1 if "part" in chosen else len(aesfit.cores()))
    assert built.exists()
