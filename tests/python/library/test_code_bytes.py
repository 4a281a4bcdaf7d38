# SPDX-License-Identifier: MIT
"""The reader of object files gives what binutils gives."""

import subprocess
from pathlib import Path

import pytest
from places import ROOT
from scripts import loaded

code_bytes = loaded(ROOT / "tools" / "code_bytes.py")

HELPER = "int helper(int x) { return x * 3 + 1; }\n"
CORE = "int helper(int); int aesfit_core_sample(int x) { return helper(x) ^ 5; }\n"
OTHER = "int aesfit_core_a_rather_long_name_for_ar(int x) { return x - 1; }\n"


def text_bytes(path: Path) -> int:
    """Bytes of the executable sections, as `size -A` prints them."""
    listing = subprocess.run(["size", "-A", path], capture_output=True, text=True, check=True)
    return sum(int(line.split()[1]) for line in listing.stdout.splitlines() if ".text" in line)


@pytest.mark.parametrize("flags", [["-m64"], ["-m32"]])
def test_agrees_with_binutils(tmp_path: Path, flags: list[str]) -> None:
    sources = {"helper": HELPER, "sample": CORE, "a_rather_long_name_for_ar": OTHER}
    for name, source in sources.items():
        (tmp_path / f"{name}.c").write_text(source)
        subprocess.run(
            ["gcc", *flags, "-O2", "-c", f"{name}.c", "-o", f"{name}.o"], cwd=tmp_path, check=True
        )
    objects = [f"{name}.o" for name in sources]
    subprocess.run(["ar", "rcs", "lib.a", *objects], cwd=tmp_path, check=True)
    sizes = code_bytes.core_code_bytes((tmp_path / "lib.a").read_bytes())
    helper, sample, other = (text_bytes(tmp_path / name) for name in objects)
    assert sizes == {"sample": helper + sample, "a_rather_long_name_for_ar": other}
    assert all(sizes.values())


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "lib.a").write_bytes(b"not a library")
    code_bytes.main(str(tmp_path / "lib.a"), str(tmp_path / "out.h"), "some compiler")
    written = (tmp_path / "out.h").read_text()
    assert "could not be measured: not an ar archive" in written
