# SPDX-License-Identifier: MIT
"""The .core files: what they name is enough for Icarus, and FuseSoC itself runs them (--slow)."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aesfit.building.tools import ToolFailedError
from aesfit.hardware.tools import RTL, iverilog
from rtl import BENCHES, TOOLS, listed

CORES = sorted([*RTL.glob("*.core"), *BENCHES.glob("*.core")])
CORE_NAMES = {path.stem for path in CORES}
PARTS = {"aes32_parts", "packet_driver", "stream_driver"}
"""Cores that others are made of, without a top."""


def top_of(path: Path) -> str:
    """The one top of all targets; empty if there is none."""
    tops = set(re.findall(r"^ +toplevel: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(tops) <= 1, tops
    return tops.pop() if tops else ""


def compiles(folder: Path, top: str, files: set[Path]) -> None:
    """Elaborate a top from copies of these files, so that nothing else is found."""
    folder.mkdir()
    for path in files:
        shutil.copy(path, folder)
    sources = sorted(path.name for path in files if path.suffix == ".v")
    iverilog().run(["-g2005", "-I.", "-s", top, "-o", "made.vvp", *sources], folder)


@pytest.mark.parametrize("path", CORES, ids=lambda path: str(path.stem))
def test_the_files_of_a_core_are_there_and_enough(tmp_path: Path, path: Path) -> None:
    """Icarus elaborates the top from these files alone, and cannot without the top's own."""
    files, top = listed(path.stem), top_of(path)
    assert [one for one in files if not one.is_file()] == []
    assert (top == "") == (path.stem in PARTS)
    if top:
        compiles(tmp_path / "all", top, files)
        own = next(one for one in files if one.stem == top)
        with pytest.raises(ToolFailedError):
            compiles(tmp_path / "without_top", top, files - {own})


@pytest.mark.parametrize("lost", ["aes32_word_ram.v", "aes32x2_keys.v", "aes32_sbox.vh"])
def test_a_file_that_a_core_forgets_is_found(tmp_path: Path, lost: str) -> None:
    files = {path for path in listed("aes_ctr") if path.name != lost}
    with pytest.raises(ToolFailedError):
        compiles(tmp_path / "lacking", "aes32x2" if lost == "aes32x2_keys.v" else "aes_ctr", files)


@pytest.mark.parametrize("path", CORES, ids=lambda path: str(path.stem))
def test_parameters_of_a_core_are_those_of_its_top(path: Path) -> None:
    """Each that a target names is described, and each for Verilog is a parameter of the top."""
    text = path.read_text(encoding="utf-8")
    lists = re.findall(r"^ +parameters: \[(.*)\]$", text, re.MULTILINE)
    named = {one.split("=")[0].strip() for some in lists for one in some.split(",")}
    described = re.findall(r"^  (\w+):\n +datatype: \w+\n(?: +default: .*\n)? +paramtype: (\w+)",
                           text, re.MULTILINE)  # fmt: skip
    assert {name for name, _ in described} == named
    for name, kind in described:
        if kind == "vlogparam":
            top = (path.parent / f"{top_of(path)}.v").read_text(encoding="utf-8")
            assert re.search(rf"\bparameter [^;)]*\b{name} += ", top), name


def fusesoc(folder: Path, roots: list[Path], *arguments: str) -> str:
    """What FuseSoC prints, with no configuration of the user's; AssertionError if it fails."""
    program = Path(sys.executable).parent / "fusesoc"
    assert program.is_file(), "fusesoc is missing; install it with: tools/setup.sh slow"
    home = {name: str(folder / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    options = [word for root in roots for word in ("--cores-root", str(root))]
    done = subprocess.run(
        [str(program), *options, *arguments],
        cwd=folder,
        env={**os.environ, **home, "XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.mark.slow
def test_fusesoc_lists_every_core(tmp_path: Path) -> None:
    said = fusesoc(tmp_path, [RTL, BENCHES], "core", "list")
    assert set(re.findall(r"^aesfit:rtl:(\w+):0", said, re.MULTILINE)) == CORE_NAMES


@pytest.mark.slow
@pytest.mark.parametrize("target", ["sim", "sim_64", "sim_128"])
def test_fusesoc_runs_a_bench(tmp_path: Path, target: str) -> None:
    """With Icarus; the wider counters have vectors of their own."""
    subprocess.run([sys.executable, str(TOOLS / "bench_vectors.py")], check=True)
    said = fusesoc(tmp_path, [RTL, BENCHES], "run", "--target", target, "aesfit:rtl:aes_ctr_tb")
    assert re.search(r"^PASS \d+ words$", said, re.MULTILINE), said
    assert "FAIL" not in said


@pytest.mark.slow
def test_fusesoc_fails_where_a_core_forgets_a_file(tmp_path: Path) -> None:
    copied = shutil.copytree(RTL, tmp_path / "copied")
    parts = Path(copied) / "aes32_parts.core"
    text = parts.read_text(encoding="utf-8")
    assert "      - aes32_word_ram.v\n" in text
    parts.write_text(text.replace("      - aes32_word_ram.v\n", ""), encoding="utf-8")
    with pytest.raises(AssertionError, match="aes32_word_ram"):
        fusesoc(
            tmp_path, [Path(copied), BENCHES], "run", "--target", "sim", "aesfit:rtl:aes_ctr_tb"
        )
