# SPDX-License-Identifier: MIT
"""The library as its users build it: installed, found by CMake, and in parts."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CONSUMER = """
cmake_minimum_required(VERSION 3.21)
project(consumer C)
find_package(aesfit REQUIRED)
add_executable(consumer main.c)
target_link_libraries(consumer aesfit::aesfit)
"""

MAIN = """
#include <aesfit.h>
int main(void) { return aesfit_self_test(NULL); }
"""


def cmake(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["cmake", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def configure(build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return cmake("-S", ROOT, "-B", build, "-G", "Ninja", "-DAESFIT_BUILD_TESTS=OFF", *options)


@pytest.mark.parametrize("shared", ["OFF", "ON"])
def test_find_package(tmp_path: Path, shared: str) -> None:
    build, prefix, consumer = tmp_path / "build", tmp_path / "prefix", tmp_path / "consumer"
    assert configure(build, f"-DBUILD_SHARED_LIBS={shared}").returncode == 0
    assert cmake("--build", build).returncode == 0
    assert cmake("--install", build, "--prefix", prefix).returncode == 0
    consumer.mkdir()
    (consumer / "CMakeLists.txt").write_text(CONSUMER)
    (consumer / "main.c").write_text(MAIN)
    made = cmake("-S", consumer, "-B", consumer / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert made.returncode == 0, made.stderr
    assert cmake("--build", consumer / "b").returncode == 0
    subprocess.run([consumer / "b" / "consumer"], check=True)


@pytest.mark.parametrize(
    ("cores", "modes"),
    [
        ("transposed", "ccm"),
        ("fixslice;aesni", "gcm"),
        ("ttable4", "ecb;cbc;pkcs7;cbc_cs3;ctr;cfb;cfb8;ofb;xts"),
        ("bytewise", "ccmp"),
        ("all", "kw"),
    ],
)
def test_parts(tmp_path: Path, cores: str, modes: str) -> None:
    """A part of the library builds, links and passes its self-test."""
    build, program = tmp_path / "build", tmp_path / "main"
    made = configure(build, f"-DAESFIT_CORES={cores}", f"-DAESFIT_MODES={modes}")
    assert made.returncode == 0, made.stderr
    built = cmake("--build", build)
    assert built.returncode == 0, built.stdout
    (source := tmp_path / "main.c").write_text(MAIN)
    library = build / "lib" / "libaesfit.a"
    include = ROOT / "lib" / "include"
    subprocess.run(["cc", f"-I{include}", source, library, "-o", program], check=True)
    subprocess.run([program], check=True)


@pytest.mark.parametrize(("option", "known"), [("CORES", "transposed"), ("MODES", "ccm")])
def test_unknown_name_is_refused(tmp_path: Path, option: str, known: str) -> None:
    refused = configure(tmp_path / "build", f"-DAESFIT_{option}=nonsense")
    assert refused.returncode != 0
    assert "nonsense" in refused.stderr
    assert known in refused.stderr
