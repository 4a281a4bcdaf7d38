# SPDX-License-Identifier: MIT
"""Without the optional packages: what works works, the rest says how to get them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bare import INSTALL, Bare, refused
from places import ROOT

from aesfit.cli import VERBS
from aesfit.rigs.emulator.tracer.shared_object import build

PLOT = "pip install 'aesfit[plot]'\n"


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["cores"], ["platforms"], ["count", "--help"], ["fit", "--help"]],
    ids=" ".join,
)
def test_what_needs_no_extra_works(bare: Bare, arguments: list[str]) -> None:
    done = bare(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("verb", [*VERBS.verbs, *VERBS.seconds])
def test_help_of_every_verb_works(bare: Bare, verb: str) -> None:
    done = bare(*verb.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{verb} [OPTIONS]" in done.stdout


def test_platforms_say_what_is_missing(bare: Bare) -> None:
    for one in json.loads(bare("platforms", "--json").stdout):
        assert not one["available"]
        if one["rig"] != "published":
            assert one["why_not"].endswith(INSTALL.strip())


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", "--platform", "cortex-m3"],
        ["measure", "--platform", "x86-64"],
        ["fit", "--platform", "rv32i", "--key-bits", "192"],
        ["fit", "--platform", "x86-64"],
        ["count", "--platform", "cortex-m3", "--elf", "a.o", "--function", "f"],
        ["emit", "--core", "fixslice", "--mode", "ccm", "--platform", "cortex-m3"],
        ["leak", "--platform", "arm920t", "--core", "ttable4"],
        ["predict", "--platform", "arm920t"],
        ["predict", "validate", "--platform", "arm920t"],
    ],
    ids=" ".join,
)
def test_the_rest_names_the_command_that_helps(
    bare: Bare, arguments: list[str], tmp_path: Path
) -> None:
    refused(bare(*arguments, cwd=tmp_path), INSTALL)


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["sweep", str(ROOT / "sweeps" / "example.toml"), "-o", "a.parquet"], "sweep"),
        (["sweep", "front", str(ROOT / "README.md"), "--x", "cycles", "--y", "flash"], "sweep"),
        (["image", "samples", "-o", "made"], "image"),
        (["serve"], "web"),
    ],
)
def test_other_verbs_name_their_own_extra(
    bare: Bare, arguments: list[str], extra: str, tmp_path: Path
) -> None:
    refused(bare(*arguments, cwd=tmp_path), f"pip install 'aesfit[{extra}]'\n")
    assert not list(tmp_path.iterdir())


def test_proofs_name_both_extras(bare: Bare, tmp_path: Path) -> None:
    ending = "pip install 'aesfit[rig,prove]'\n"
    refused(bare("prove", "--platform", "cortex-m3", "--core", "compact", cwd=tmp_path), ending)


@pytest.mark.parametrize(
    "picture",
    [("--plot", "a.png"), pytest.param(("--html", "a.html"), marks=pytest.mark.slow)],
    ids=" ".join,
)
def test_pictures_name_an_extra_of_their_own(
    bare: Bare, picture: tuple[str, str], tmp_path: Path
) -> None:
    refused(bare("fit", "--platform", "x86-64", *picture, cwd=tmp_path), PLOT)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(("fit", "--key-bits", "192"), marks=pytest.mark.slow),
        ("measure", "--core", "ttable1"),
    ],
    ids=" ".join,
)
def test_a_missing_compiler_is_named_and_nothing_is_installed(
    verb: tuple[str, ...], tmp_path: Path
) -> None:
    build()  # with more programs than those below
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "cc").symlink_to(str(shutil.which("cc")))
    for name in ("apt", "apt-get", "sudo"):
        (programs / name).write_text(f"#!/bin/sh\n: >{tmp_path}/called\n")
        (programs / name).chmod(0o755)
    command = [sys.executable, "-m", "aesfit", *verb, "--platform", "rv32i", "--mode", "ccm"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": str(programs)},
    )  # fmt: skip
    refused(done, "install it with: sudo apt-get install gcc-riscv64-unknown-elf\n")
    assert not (tmp_path / "called").exists()
