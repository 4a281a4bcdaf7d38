# SPDX-License-Identifier: MIT
"""The library as a component of ESP-IDF and as a module of Zephyr, and the Kconfig of both.

compote packs and kconfiglib parses; of the build systems, the few commands that the package meets
are played by CMake functions.
"""

import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from few import slow_but
from firmware_packages import (
    LIB,
    MAIN,
    SEALED,
    expected_objects,
    kconfig,
    names_in,
    run,
    snippet,
    tool,
    version,
)
from places import ROOT

import aesfit
from aesfit.building.sources import needed_modes, registered

# --- Kconfig


def symbol(kind: str, name: str) -> str:
    return f"AESFIT_{kind}_{name.upper()}"


ZEPHYR = "config ZEPHYR_AESFIT_MODULE\n bool\n default y\n"


def test_kconfig_lists_what_the_registers_list(tmp_path: Path) -> None:
    tree = kconfig(tmp_path)
    wanted = [symbol("CORE", name) for name in registered("cores")]
    wanted += [symbol("MODE", name) for name in registered("modes")]
    wanted += [symbol("GHASH", name) for name in registered("ghash")]
    listed = [s.name for s in tree.unique_defined_syms if not s.name.startswith("AESFIT_KEY")]
    assert listed == ["AESFIT", "AESFIT_OPTIMISE", *wanted], "run tools/list_cores.py for cores"


def test_kconfig_describes_cores_as_they_describe_themselves(tmp_path: Path) -> None:
    tree = kconfig(tmp_path)
    for core in aesfit.cores():
        (node,) = tree.syms[symbol("CORE", core.name)].nodes
        mark = "" if core.constant_time else " (not constant-time)"
        assert node.prompt[0] == core.name + mark
        assert node.help == f"{core.summary}."


def test_kconfig_and_tables_are_what_the_tool_writes() -> None:
    path = ROOT / "tools" / "list_cores.py"
    old = run(sys.executable, "-c", OLD.format(str(path.parent)))
    assert old == "", "run tools/list_cores.py"


OLD = """
import sys
sys.path.insert(0, {!r})
import list_cores
for path, text in list_cores.texts():
    if path.read_text(encoding="utf-8") != text:
        print(path)
"""


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    ("chosen", "ghashes"),
    [
        ("", {"shift32"}),
        ("CONFIG_AESFIT_GHASH_TABLE8=y\n# CONFIG_AESFIT_GHASH_SHIFT32 is not set\n", {"table8"}),
    ],
)
def test_kconfig_chooses_multipliers_with_gcm(
    chosen: str, ghashes: set[str], slow: bool, tmp_path: Path
) -> None:
    """Their keys are in every context of GCM; a processor of x86 has its own by default."""
    gcm = "CONFIG_AESFIT=y\nCONFIG_AESFIT_MODE_GCM=y\n"
    variables(kconfig(tmp_path, ZEPHYR, gcm + chosen), tmp_path)
    made = configured(tmp_path, ZEPHYR_APP.replace("@LIB@", str(LIB)))
    wanted = expected_objects({"fixslice"}, {"ccm", "ctr", "gcm"}, ghashes)
    assert sources(made) == wanted
    if slow:
        assert names_in(built(made) / "aesfit" / "libaesfit.a") == wanted
    header = (made / "aesfit" / "include" / "aesfit_config.h").read_text(encoding="utf-8")
    assert "#define AESFIT_GHASH_table4 0\n" in header
    assert ("#define AESFIT_GHASH_table8 1\n" in header) == ("table8" in ghashes)
    on_x86 = kconfig(tmp_path, "config X86\n bool\n default y\n" + ZEPHYR, gcm)
    assert on_x86.syms["AESFIT_GHASH_CLMUL"].str_value == "y"
    assert (
        kconfig(tmp_path, ZEPHYR, "CONFIG_AESFIT=y\n").syms["AESFIT_GHASH_SHIFT32"].str_value == "n"
    )


@pytest.mark.parametrize("mode", registered("modes"))
def test_kconfig_describes_and_selects_modes_as_their_sources_do(mode: str, tmp_path: Path) -> None:
    tree = kconfig(tmp_path)
    (node,) = tree.syms[symbol("MODE", mode)].nodes
    text = (LIB / "src" / "modes" / f"{mode}.c").read_text(encoding="utf-8")
    head = re.sub(r"\s*\n \*\s*", " ", text.split("/* ")[2])
    assert node.prompt[0] == mode
    assert head.startswith(node.help[:-1])
    assert head[len(node.help) - 1] in ".;"
    selected = [item.name for item, _ in node.selects]
    assert selected == [symbol("MODE", need) for need in needed_modes(mode)]


def test_kconfig_defaults(tmp_path: Path) -> None:
    wanted = {"AESFIT", "AESFIT_CORE_FIXSLICE", "AESFIT_MODE_CCM", "AESFIT_MODE_CTR"}
    wanted |= {f"AESFIT_KEY_BITS_{bits}" for bits in (128, 192, 256)}
    in_idf, in_zephyr = kconfig(tmp_path), kconfig(tmp_path, ZEPHYR)
    assert {s.name for s in in_idf.unique_defined_syms if s.str_value == "y"} == wanted
    assert {s.name for s in in_zephyr.unique_defined_syms if s.str_value == "y"} == {
        "ZEPHYR_AESFIT_MODULE"
    }


def test_kconfig_offers_aesni_on_x86_alone(tmp_path: Path) -> None:
    assert kconfig(tmp_path).syms["AESFIT_CORE_AESNI"].visibility == 0
    for host in ("X86", "ARCH_POSIX", "IDF_TARGET_LINUX"):
        tree = kconfig(tmp_path, f"config {host}\n bool\n default y\n")
        assert tree.syms["AESFIT_CORE_AESNI"].visibility == 2
        assert tree.syms["AESFIT_CORE_AESNI"].str_value == "n"


def variables(tree: Any, folder: Path) -> Path:  # noqa: ANN401 - untyped
    """A CMake file that sets what Kconfig chose, as both systems do from .config."""
    tree.write_config(str(folder / ".config"))
    given = re.findall(r"^(CONFIG_\w+)=(y|\".*\")$", (folder / ".config").read_text(), re.MULTILINE)
    lines = [f"set({name} {value})\n" for name, value in given]
    (path := folder / "config.cmake").write_text("".join(lines))
    return path


def configured(folder: Path, cmake: str) -> Path:
    """The folder of the build of main.c with the package that `cmake` adds."""
    (folder / "CMakeLists.txt").write_text(cmake)
    (folder / "main.c").write_text(MAIN)
    told = "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", told)
    return folder / "build"


def built(folder: Path) -> Path:
    run("cmake", "--build", folder)
    return folder


def library(made: Path) -> dict[str, str]:
    """The library's sources by their stems, and the command that compiles each."""
    commands = json.loads((made / "compile_commands.json").read_text(encoding="utf-8"))
    every = {Path(one["file"]).stem: one["command"] for one in commands}
    return {name: command for name, command in every.items() if name != "main"}


def sources(made: Path) -> set[str]:
    return {*library(made)}


def optimised(made: Path) -> set[str]:
    """The flags that decide how the library's sources are optimised."""
    return {re.findall(r" (-O\S*)", command)[-1] for command in library(made).values()}


# --- ESP-IDF

# Folders count from the file that calls, as in tools/cmake/component.cmake of ESP-IDF
# (__component_add_include_dirs), and the name of the library is known after the call alone.
IDF = """
cmake_minimum_required(VERSION 3.21)
project(app C)
set(ESP_PLATFORM 1)
include(${CMAKE_SOURCE_DIR}/config.cmake)
macro(add_include_dirs lib)
  foreach(dir ${ARGN})
    get_filename_component(dir "${dir}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_LIST_DIR}")
    if(NOT IS_DIRECTORY "${dir}")
      message(FATAL_ERROR "Include directory '${dir}' is not a directory.")
    endif()
    target_include_directories(${lib} PUBLIC "${dir}")
  endforeach()
endmacro()
function(idf_component_register)
  add_compile_options(-Os)
  cmake_parse_arguments(given "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  add_library(__idf_aesfit STATIC ${given_SRCS})
  add_include_dirs(__idf_aesfit ${given_INCLUDE_DIRS})
  set(COMPONENT_LIB __idf_aesfit PARENT_SCOPE)
endfunction()
add_subdirectory(aesfit)
add_executable(app main.c)
target_link_libraries(app __idf_aesfit)
"""

EARLY = """
set(ESP_PLATFORM 1)
set(CMAKE_BUILD_EARLY_EXPANSION 1)
macro(idf_component_register)
  message(STATUS "registered <${ARGN}>")
  return()
endmacro()
include(${LIB}/CMakeLists.txt)
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The component as compote packs it, unpacked again."""
    folder = tmp_path_factory.mktemp("component")
    shutil.copytree(LIB, folder / "lib")
    compote = Path(sys.executable).parent / "compote"
    if not compote.is_file():
        pytest.fail("compote is missing: pip install idf-component-manager")
    home = {**os.environ, "HOME": str(folder), "IDF_TOOLS_PATH": str(folder)}
    run(compote, *snippet("ESP-IDF", "sh").split()[1:], cwd=folder, env=home)
    with tarfile.open(folder / "dist" / f"aesfit_{version()}.tgz") as archive:
        archive.extractall(folder / "aesfit", filter="data")
    return folder / "aesfit"


@pytest.mark.slow
def test_component_holds_what_it_needs_and_no_more(packed: Path) -> None:
    held = {str(path.relative_to(packed)) for path in packed.rglob("*") if path.is_file()}
    sources = {str(path.relative_to(LIB)) for path in (LIB / "src").rglob("*") if path.is_file()}
    around = {"CMakeLists.txt", "Kconfig", "LICENSE", "idf_component.yml"}
    around |= {f"include/{header.name}" for header in (LIB / "include").iterdir()}
    scripts = {f"cmake/{name}" for name in ("esp_idf.cmake", "sources.cmake")}
    assert held == sources | around | scripts


@pytest.mark.parametrize("component", slow_but(["lib"], ["lib", "packed"]))
def test_component_is_built(component: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """From the folder, as a project takes it, and from what compote packs."""
    of: Path = LIB if component == "lib" else request.getfixturevalue(component)
    shutil.copytree(of, tmp_path / "aesfit")
    variables(kconfig(tmp_path, chosen=snippet("ESP-IDF", "ini")), tmp_path)
    made = built(configured(tmp_path, IDF))
    assert run(made / "app") == SEALED
    assert optimised(made) == {"-O2"}
    objects = names_in(made / "aesfit" / "lib__idf_aesfit.a")
    assert objects == expected_objects({"fixslice", "ttable1"}, {"ccm", "ctr", "gcm"}, {"shift32"})


def test_component_says_early_that_it_requires_nothing(tmp_path: Path) -> None:
    (tmp_path / "early.cmake").write_text(EARLY)
    assert "registered <>" in run("cmake", f"-DLIB={LIB}", "-P", tmp_path / "early.cmake")


@pytest.mark.slow
def test_manifests_of_esp_idf_are_valid() -> None:
    yaml = tool("yaml", "pyyaml")
    manifest = tool("idf_component_tools.manifest.models", "idf-component-manager").Manifest
    own = yaml.safe_load((LIB / "idf_component.yml").read_text(encoding="utf-8"))
    assert str(manifest.fromdict(own).version) == version()
    assert own["description"] in (LIB / "CMakeLists.txt").read_text(encoding="utf-8")
    of_project = manifest.fromdict(yaml.safe_load(snippet("ESP-IDF", "yaml")))
    assert of_project.dependencies["aesfit"].path == "lib"


# --- Zephyr

MODULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "build"],
    "properties": {
        "name": {"const": "aesfit"},
        "build": {
            "type": "object",
            "additionalProperties": False,
            "required": ["cmake", "kconfig"],
            "properties": {"cmake": {"type": "string"}, "kconfig": {"type": "string"}},
        },
    },
}

ZEPHYR_APP = """
cmake_minimum_required(VERSION 3.21)
project(app C)
include(${CMAKE_SOURCE_DIR}/config.cmake)
add_library(zephyr_interface INTERFACE)
target_compile_options(zephyr_interface INTERFACE -Os)
macro(zephyr_library_named name)
  set(ZEPHYR_CURRENT_LIBRARY ${name})
  add_library(${name} STATIC)
  target_link_libraries(${name} PUBLIC zephyr_interface)
endmacro()
function(zephyr_library_sources)
  target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_library_compile_options)
  add_library(options_late INTERFACE)
  target_compile_options(options_late INTERFACE ${ARGN})
  target_link_libraries(${ZEPHYR_CURRENT_LIBRARY} PRIVATE options_late)
endfunction()
function(zephyr_library_compile_definitions)
  target_compile_definitions(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_include_directories)
  target_include_directories(zephyr_interface INTERFACE ${ARGN})
endfunction()
add_subdirectory(@LIB@/zephyr aesfit)
add_executable(app main.c)
if(TARGET aesfit)
  target_link_libraries(app aesfit)
endif()
"""


@pytest.mark.parametrize("module", [LIB, ROOT], ids=["lib", "root"])
def test_module_names_its_two_files(module: Path) -> None:
    text = (module / "zephyr" / "module.yml").read_text(encoding="utf-8")
    told = tool("yaml", "pyyaml").safe_load(text)
    tool("jsonschema", "jsonschema").validate(told, MODULE)
    assert (module / told["build"]["cmake"]).resolve() == LIB / "zephyr"
    assert (module / told["build"]["kconfig"]).resolve() == LIB / "Kconfig"


@pytest.mark.parametrize(
    ("chosen", "cores", "modes"),
    [
        (snippet("Zephyr", "ini"), {"fixslice", "ttable1"}, {"ccm", "ctr", "gcm"}),
        (
            "CONFIG_AESFIT=y\n# CONFIG_AESFIT_MODE_CTR is not set\n"
            "CONFIG_AESFIT_MODE_CCMP=y\nCONFIG_AESFIT_MODE_OFB=y\n",
            {"fixslice"},
            {"ccmp", "ofb"},
        ),
        (
            'CONFIG_AESFIT=y\n# CONFIG_AESFIT_MODE_CTR is not set\nCONFIG_AESFIT_OPTIMISE=""\n',
            {"fixslice"},
            {"ccm"},
        ),
    ],
)
def test_module_holds_what_was_chosen(
    chosen: str, cores: set[str], modes: set[str], slow: bool, tmp_path: Path
) -> None:
    """In short runs the first choice is built, and of the others the commands are looked at."""
    variables(kconfig(tmp_path, ZEPHYR, chosen), tmp_path)
    made = configured(tmp_path, ZEPHYR_APP.replace("@LIB@", str(LIB)))
    assert optimised(made) == {"-Os" if 'OPTIMISE=""' in chosen else "-O2"}
    wanted = expected_objects(cores, modes, {"shift32"} if "gcm" in modes else None)
    assert sources(made) == wanted
    if slow or "gcm" in modes:
        assert run(built(made) / "app") == SEALED
        assert names_in(made / "aesfit" / "libaesfit.a") == wanted


def test_module_has_room_for_the_keys_that_were_chosen(slow: bool, tmp_path: Path) -> None:
    fewer = (
        "CONFIG_AESFIT=y\nCONFIG_AESFIT_KEYS_TO_ENCRYPT=y\n"
        "# CONFIG_AESFIT_KEY_BITS_192 is not set\n# CONFIG_AESFIT_KEY_BITS_256 is not set\n"
    )
    variables(kconfig(tmp_path, ZEPHYR, fewer), tmp_path)
    made = configured(tmp_path, ZEPHYR_APP.replace("@LIB@", str(LIB)))
    if slow:
        assert run(built(made) / "app") == SEALED
    header = (made / "aesfit" / "include" / "aesfit_config.h").read_text(encoding="utf-8")
    for line in ("AESFIT_BOUND_KEY_SIZES 1", "AESFIT_BOUND_DIRECTIONS 1", "AESFIT_CORE_ttable1 0"):
        assert f"#define {line}\n" in header


def test_module_is_nothing_unless_asked_for(tmp_path: Path) -> None:
    variables(kconfig(tmp_path, ZEPHYR), tmp_path)
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "CMakeLists.txt").write_text(ZEPHYR_APP.replace("@LIB@", str(LIB)))
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja")
    assert "libaesfit" not in run("ninja", "-C", tmp_path / "build", "-t", "targets", "all")
