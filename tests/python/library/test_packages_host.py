# SPDX-License-Identifier: MIT
"""The C library as a package: each tool installs, finds, links and runs it for real.

Short runs have one way with CMake; Meson and Conan come with --slow.  Commands and files are those
of docs/integrating.md, where the program is tests/conan/main.c.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from few import slow_but
from firmware_packages import GUIDE, LIB, expected_objects, names_in, run, version
from places import ROOT

CONSUMER = ROOT / "tests" / "conan"
CORE, MODES = "fixslice", ("ctr", "ccm")  # the guide's choice but for aesni, which compiles slowly
PARTS = (f"-DAESFIT_CORES={CORE}", f"-DAESFIT_MODES={';'.join(MODES)}")


def blocks(section: str, language: str) -> list[str]:
    """The code blocks in that language below a heading of the guide."""
    text = GUIDE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    text = re.sub("[,;]aesni", "", text)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def tool(name: str, bring: str) -> str:
    """Where a tool is: beside this Python, or on the path."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is not installed; bring it with: {bring}"
    return found


def environment(**variables: object) -> dict[str, str]:
    """That of the test, with more in it."""
    return {**os.environ, **{name: str(value) for name, value in variables.items()}}


def works(program: Path, libraries: object = "") -> None:
    """The program finds the library that it was made with, of the guide's choice."""
    said = run(program, CORE, env=environment(LD_LIBRARY_PATH=libraries))
    assert said == f"aesfit {version()}, 1 cores: The call succeeded.\n"


def configure(source: Path, build: Path, *options: str) -> None:
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *options)


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()}


def library(folder: Path) -> Path:
    """A copy of lib/ alone."""
    return Path(shutil.copytree(LIB, folder / "lib"))


def repository(folder: Path) -> str:
    """Address of a repository with what packages take from the project."""
    folder.mkdir()
    library(folder)
    for name in ("CMakeLists.txt", "meson.build", "meson_options.txt"):
        shutil.copy(ROOT / name, folder)
    git = ("git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.c")
    run(*git, "init", "--quiet", "--initial-branch=main")
    run(*git, "add", ".")
    run(*git, "commit", "--quiet", "--message", "all")
    return folder.as_uri()


@pytest.mark.parametrize("kind", slow_but(["static"], ["static", "shared"]))
def test_installed(tmp_path: Path, kind: str) -> None:
    """CMake and pkg-config find an installation under DESTDIR wherever it is moved."""
    library(tmp_path)
    commands = blocks("CMake", "sh")[0]
    if kind == "shared":
        commands = commands.replace("-B build", "-B build -DBUILD_SHARED_LIBS=ON")
    stage, prefix = tmp_path / "stage", tmp_path / "moved"
    staged = environment(DESTDIR=stage, CMAKE_GENERATOR="Ninja")
    run("sh", "-e", "-c", commands, cwd=tmp_path, env=staged)
    assert {path.name for path in stage.iterdir()} == {"usr"}
    (stage / "usr" / "local").rename(prefix)
    config = next(prefix.rglob("aesfit-config.cmake")).parent
    lib = config.parents[1]
    assert files(prefix) - files(lib) >= {"include/aesfit.h", "share/licenses/aesfit/LICENSE"}
    assert sum("libaesfit" in name for name in files(lib)) == (3 if kind == "shared" else 1)
    for found in files(prefix):
        if found.endswith((".pc", ".cmake")):
            assert str(tmp_path) not in (prefix / found).read_text(), found

    find = blocks("CMake", "cmake")[0].replace("program", "consumer").splitlines()
    assert set(find) <= set((CONSUMER / "CMakeLists.txt").read_text().splitlines())
    configure(CONSUMER, tmp_path / "found", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "found")
    works(tmp_path / "found" / "consumer")
    by_pkg_config(lib, tmp_path, kind)


def by_pkg_config(lib: Path, where: Path, kind: str = "shared", **more: Path) -> None:
    """Compile, link and run the program by what pkg-config says."""
    path = environment(PKG_CONFIG_PATH=lib / "pkgconfig", **more)
    config = tool("pkg-config", "apt-get install pkg-config")
    assert run(config, "--modversion", "aesfit", env=path) == f"{version()}\n"
    shutil.copy(CONSUMER / "main.c", where / "program.c")
    command = blocks("pkg-config", "sh")[0]
    if kind == "static":
        command = command.replace("cc ", "cc -static ").replace("-config ", "-config --static ")
    run("sh", "-e", "-c", command, cwd=where, env=path)
    works(where / "program", lib)


PARENT = """
cmake_minimum_required(VERSION 3.21)
project(parent C)
add_executable(program main.c)
install(TARGETS program)
"""
FETCHED = "GIT_REPOSITORY ssh://git@example.org/aesfit.git GIT_TAG main"
ADDED = "add_subdirectory(lib)\ntarget_link_libraries(program PRIVATE aesfit::aesfit)\n"


WAYS = ("FetchContent, git", "FetchContent, lib", "add_subdirectory")


@pytest.mark.parametrize("way", slow_but(WAYS[:1], WAYS))
def test_inside_another_cmake_project(tmp_path: Path, way: str) -> None:
    """The repository, or lib/ alone: found by name, and nothing of ours leaks."""
    (source := tmp_path / "source").mkdir()
    shutil.copy(CONSUMER / "main.c", source)
    bring = blocks("CMake", "cmake")[1]
    assert FETCHED in bring
    if way == "FetchContent, git":
        address = repository(tmp_path / "repository")
        bring = bring.replace(FETCHED, f"GIT_REPOSITORY {address} GIT_TAG main")
    elif way == "FetchContent, lib":
        bring = bring.replace(FETCHED, f"SOURCE_DIR {library(tmp_path)}")
    else:
        library(source)
        bring = ADDED
    (source / "CMakeLists.txt").write_text(PARENT + bring)
    configure(source, build := tmp_path / "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *PARTS)
    run("cmake", "--build", build)
    works(build / "program")
    run("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    assert files(tmp_path / "prefix") == {"bin/program"}
    assert "-Werror" not in (build / "compile_commands.json").read_text()
    assert "Total Tests: 0" in run("ctest", "-N", cwd=build)
    leaves_alone((build / "CMakeCache.txt").read_text())


def leaves_alone(cache: str) -> None:
    """The other project's variables: ours have names of ours."""
    entries = set(re.findall(r"^(\w+):(?!INTERNAL|STATIC)", cache, re.MULTILINE))
    ours = {name for name in entries if name.startswith("AESFIT_")}
    assert {"AESFIT_CORES", "AESFIT_MODES", "AESFIT_INSTALL"} <= ours
    assert all(re.match("CMAKE_|FETCHCONTENT_|GIT_", name) for name in entries - ours), entries
    assert "CMAKE_BUILD_TYPE:STRING=\n" in cache


@pytest.mark.slow
def test_inside_a_meson_project(tmp_path: Path) -> None:
    """As a wrap of the repository."""
    meson = tool("meson", "pip install meson")
    (wraps := tmp_path / "subprojects").mkdir()
    wrap = blocks("Meson", "ini")[0]
    address = repository(tmp_path / "repository")
    (wraps / "aesfit.wrap").write_text(wrap.replace("ssh://git@example.org/aesfit.git", address))
    shutil.copy(CONSUMER / "main.c", tmp_path / "program.c")
    project = "project('parent', 'c')\n" + blocks("Meson", "meson")[0]
    (tmp_path / "meson.build").write_text(project)
    command = shlex.split(blocks("Meson", "sh")[0])
    run(meson, *command[1:], cwd=tmp_path)
    run(meson, "compile", "-C", "build", cwd=tmp_path)
    works(tmp_path / "build" / "program")


@pytest.mark.slow
def test_meson_alone(tmp_path: Path) -> None:
    """Its test passes, and what it installs is found by pkg-config."""
    meson = tool("meson", "pip install meson")
    parts = [f"-Dcores={CORE}", f"-Dmodes={','.join(MODES)}"]
    run(meson, "setup", "--prefix=/usr", build := tmp_path / "build", ROOT, *parts)
    assert re.search(r"Ok: +1\b", run(meson, "test", "-C", build))
    stage = tmp_path / "stage"
    run(meson, "install", "-C", build, env=environment(DESTDIR=stage))
    assert {"usr/include/aesfit.h", "usr/share/licenses/aesfit/LICENSE"} <= files(stage)
    lib = next(stage.rglob("aesfit.pc")).parents[1]
    by_pkg_config(lib, tmp_path, PKG_CONFIG_SYSROOT_DIR=stage)


@pytest.mark.parametrize(
    ("options", "last"),
    [(["MinSizeRel"], "-O2"), (["MinSizeRel", "-DAESFIT_OPTIMISE="], "-Os"), (["Release"], "-O3")],
)
def test_builds_for_size_optimise_the_library_all_the_same(
    options: list[str], last: str, tmp_path: Path
) -> None:
    told = (f"-DCMAKE_BUILD_TYPE={options[0]}", *options[1:], "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    configure(LIB, tmp_path, *told)
    commands = json.loads((tmp_path / "compile_commands.json").read_text())
    assert {re.findall(r" (-O\S*)", one["command"])[-1] for one in commands} == {last}


def test_one_switch_makes_the_default_core_one_in_c(tmp_path: Path) -> None:
    configure(LIB, tmp_path, "-DAESFIT_DEFAULT_IN_C=ON")
    header = (tmp_path / "include" / "aesfit_config.h").read_text()
    assert "/* Chosen by the build. */\n#define AESFIT_DEFAULT_IN_C 1\n" in header


def compiled(build: Path) -> dict[str, set[str]]:
    """The library's sources, each with the macros of ours that it is compiled with."""
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = (Path(one["directory"], one["file"]).resolve().relative_to(ROOT) for one in commands)
    return {
        str(source): {
            re.sub("=.*", "", macro) for macro in re.findall(r"-D(AESFIT_\S+)", one["command"])
        }
        for source, one in zip(sources, commands, strict=True)
        if "tests" not in source.parts
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cores", "modes"), [("all", "all"), ("fixslice,aesni", "ccmp,ofb"), ("mobile", "ctr,cfb8")]
)
def test_meson_and_cmake_compile_the_same(tmp_path: Path, cores: str, modes: str) -> None:
    meson = tool("meson", "pip install meson")
    chosen = (f"-Dcores={cores}", f"-Dmodes={modes}", "-Ddefault_in_c=true")
    run(meson, "setup", by_meson := tmp_path / "meson", ROOT, *chosen)
    lists = (
        f"-DAESFIT_{name}={chosen.replace(',', ';')}"
        for name, chosen in (("CORES", cores), ("MODES", modes))
    )
    by_cmake = tmp_path / "cmake"
    configure(
        LIB, by_cmake, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DAESFIT_DEFAULT_IN_C=ON", *lists
    )
    assert len(compiled(by_cmake)) > 10
    assert compiled(by_meson) == compiled(by_cmake)
    for header in (LIB / "include").iterdir():
        made = (by_cmake / "include" / header.name).read_text()
        assert (by_meson / "lib" / header.name).read_text() == made


@pytest.mark.slow
@pytest.mark.parametrize("option", ["cores", "modes"])
def test_meson_refuses_an_unknown_name(tmp_path: Path, option: str) -> None:
    meson = tool("meson", "pip install meson")
    done = subprocess.run(
        [meson, "setup", tmp_path / "build", ROOT, f"-D{option}=nonsense"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert f'{option}: there is no "nonsense"; choose from: ' in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["part", "part, shared", "whole"])
def test_conan(tmp_path: Path, chosen: str) -> None:
    """conan create with its test package, from an empty cache and without remotes."""
    conan = tool("conan", "pip install conan")
    home = environment(CONAN_HOME=tmp_path / "conan")
    run(conan, "profile", "detect", env=home)
    run(conan, "remote", "remove", "*", env=home)
    _, *create = shlex.split(blocks("Conan", "sh")[0])
    create = create if "part" in chosen else create[:2]
    run(
        conan, *create, f"--options=aesfit/*:shared={'shared' in chosen}",
        f"--conf=tools.cmake.cmake_layout:test_folder={tmp_path / 'built'}", env=home, cwd=ROOT,
    )  # fmt: skip
    assert (tmp_path / "built").exists()  # the test package ran
    package = next((tmp_path / "conan" / "p" / "b").glob("*/p"))
    suffix = "so" if "shared" in chosen else "a"
    assert {f"lib/libaesfit.{suffix}", "include/aesfit.h", "licenses/LICENSE"} <= files(package)
    if chosen == "part":
        objects = names_in(package / "lib" / "libaesfit.a")
        assert objects == expected_objects({CORE}, set(MODES))
