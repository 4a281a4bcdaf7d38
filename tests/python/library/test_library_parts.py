# SPDX-License-Identifier: MIT
"""The library in parts, as its users build it."""

import subprocess
from pathlib import Path

import pytest
from places import ROOT

from aesfit.catalog import modes as every_mode

QUICK = ("-DAESFIT_BUILD_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Debug")
"""The C tests build all of it optimised."""
MAIN = """
#include <aesfit.h>
int main(void) { return aesfit_self_test(NULL); }
"""


def cmake(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["cmake", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def configure(build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return cmake("-S", ROOT, "-B", build, "-G", "Ninja", *QUICK, *options)


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(
    ("cores", "modes"),
    [
        ("transposed", "ccm"),
        pytest.param("fixslice;aesni", "gcm", marks=pytest.mark.slow),
        ("ttable4", ";".join(mode.name for mode in every_mode() if mode.streams)),
        ("bytewise", "ccmp"),
        pytest.param("all", "kw", marks=pytest.mark.slow),
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
    include = build / "lib" / "include"
    subprocess.run(["cc", f"-I{include}", source, library, "-o", program], check=True)
    subprocess.run([program], check=True)


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("directions", ["one", "encrypt"])
def test_library_for_less_passes_its_self_test(tmp_path: Path, directions: str) -> None:
    """With contexts that have room for one direction, one size and one multiplier."""
    build, program = tmp_path / "build", tmp_path / "main"
    made = configure(
        build, "-DAESFIT_CORES=ttable1;fixslice", "-DAESFIT_GHASHES=shift32",
        "-DAESFIT_KEY_BITS=128", f"-DAESFIT_DIRECTIONS={directions}",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    built = cmake("--build", build)
    assert built.returncode == 0, built.stdout
    (source := tmp_path / "main.c").write_text(MAIN)
    include, library = build / "lib" / "include", build / "lib" / "libaesfit.a"
    subprocess.run(["cc", f"-I{include}", source, library, "-o", program], check=True)
    subprocess.run([program], check=True)


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("CORES", "transposed"),
        ("MODES", "ccm"),
        ("GHASHES", "shift32"),
        ("KEY_BITS", "128"),
        ("DIRECTIONS", "encrypt"),
    ],
)
def test_unknown_name_is_refused(tmp_path: Path, option: str, known: str) -> None:
    refused = configure(tmp_path / "build", f"-DAESFIT_{option}=nonsense")
    assert refused.returncode != 0
    assert "nonsense" in refused.stderr
    assert known in refused.stderr
