# SPDX-License-Identifier: MIT
"""The Rust crate as far as no Rust is needed: what it says of the library, and its C.

tools/rust.sh runs its own tests, in `make check-slow` where cargo is installed.
"""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from firmware_packages import LIB, run, version
from places import ROOT

from aesfit.building.sources import core_file, registered
from aesfit.catalog import cores

CRATE = ROOT / "rust"
MANIFEST = (CRATE / "Cargo.toml").read_text(encoding="utf-8")
NAMED = dict(re.findall(r"^core-([a-z0-9-]+) = \[\] # (.*)$", MANIFEST, re.MULTILINE))
FOR_ARM = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-ffreestanding", "-fbuiltin"]
STRICT = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{LIB}/src", f"-I{LIB}/include"]


def manifest() -> dict[str, Any]:
    return tomllib.loads(MANIFEST)


def test_the_crate_is_the_library_in_its_version() -> None:
    assert manifest()["package"]["version"] == version()
    assert (CRATE / "lib").resolve() == LIB.resolve()
    for lock in (CRATE / "Cargo.lock", CRATE / "examples" / "packet" / "Cargo.lock"):
        own = [one for one in tomllib.loads(lock.read_text())["package"] if one["name"] == "aesfit"]
        assert [one["version"] for one in own] == [version()]


def test_the_package_takes_what_the_library_includes() -> None:
    """Folders of `include`, whose files tools/rust.sh compares with those that cargo packs."""
    taken = {path.strip("/") for path in manifest()["package"]["include"]}
    assert {"lib/LICENSE", "lib/include", "lib/src", "src", "build.rs"} <= taken


def test_features_name_product_cores_and_say_which_leak() -> None:
    features = {name for name in manifest()["features"] if name.startswith("core-")}
    assert features == {f"core-{name}" for name in NAMED}
    known = {core.name: core for core in cores() if not core.study}
    for name, said in NAMED.items():
        core = known[name.replace("-", "_")]
        assert ("NOT constant-time" in said) == (not core.constant_time), name
        assert core.constant_time == said.startswith("constant-time"), name
    readme = (CRATE / "README.md").read_text(encoding="utf-8")
    assert all(f"`core-{name}`" in readme for name in NAMED)


def compiled(core: str, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """The crate's translation unit, as build.rs has it compiled."""
    words = [*FOR_ARM, *STRICT, f"-DAESFIT_BOUND={core}", "-DAESFIT_BOUND_GHASH=shift32"]
    words += [f'-DAESFIT_RUST_CORE_FILE="{core_file(core)}"', *flags, "-o", str(folder / "unit.o")]
    return subprocess.run(
        [*words, "-c", str(CRATE / "src" / "unit.c")], capture_output=True, text=True, check=False
    )


SIZES = ("-DAESFIT_RUST_KEY_BYTES={}", "-DAESFIT_RUST_SCHEDULE_AT=4")
GCM_KEY = "-DAESFIT_RUST_GCM_KEY_BYTES=520"


@pytest.mark.parametrize(
    "core", [*(name.replace("-", "_") for name in NAMED), "fixslice_4k_armv7m"]
)
def test_the_unit_compiles_and_has_what_rust_calls(core: str, tmp_path: Path) -> None:
    assert core in registered("cores")
    done = compiled(core, tmp_path)
    assert done.returncode == 0, done.stderr
    rust = "".join(path.read_text() for path in (CRATE / "src").rglob("*.rs"))
    called = set(re.findall(r"\b(?:fn |: )(aesfit_\w+)\b", rust)) - {"aesfit_key"}
    defined = set(re.findall(r" T (\w+)$", run("arm-none-eabi-nm", tmp_path / "unit.o"), re.M))
    assert len(called) == 9
    assert called <= defined


def test_a_context_of_another_size_does_not_compile(tmp_path: Path) -> None:
    right, wrong = SIZES[0].format(484), SIZES[0].format(480)
    assert compiled("fixslice", tmp_path, right, SIZES[1], GCM_KEY).returncode == 0
    assert "Rust has another aesfit_key" in compiled("fixslice", tmp_path, wrong, SIZES[1]).stderr
