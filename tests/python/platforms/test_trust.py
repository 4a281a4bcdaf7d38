# SPDX-License-Identifier: MIT
"""Platform and sweep files are data: they run no program unless their user trusts them."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from aesfit.cli import app
from aesfit.platforms import trust
from aesfit.platforms.find import load, platform_named, platforms
from aesfit.platforms.toml_file import PlatformError
from aesfit.sweep.point import Chunk, Figures, SweepPoint
from aesfit.sweep.run import Evaluators, code_sha256, evaluate
from aesfit.sweep.spec import read_spec

PROGRAMS = (
    *("-wrapper", "-fplugin=x.so", "-fplugin=./x.so", "-specs=x", "@file", "-B", "-B.", "-Wl,x"),
    *("-Xclang", "-load", "-mllvm", "-fpass-plugin=x", "-fuse-ld=x", "-include", "-I.", "-o", "x"),
    *("-fplugin-arg-x-y=z", "-save-temps", "-fprofile-use=x", "-T", "--config", "-Wa,@x", "-x"),
    *("--sysroot=/", "-isystem", "-iplugindir=x", "--gcc-toolchain=x", "-mcpu=x;y", "-O2 -B."),
    *("-fjump-tables=/x", "-D__asm__=x", "-fdump-tree-all", "-std=c99\n-B.", "-mcpu=../x", ""),
)
"""Flags that run a program, load a library, or read or write files; or that hide one."""


@pytest.fixture(autouse=True)
def nothing_trusted() -> None:
    trust._TRUSTED.set(frozenset())


def platform_file(folder: Path, old: str = "", new: str = "") -> Path:
    """The file of Cortex-M3 with a change, outside the project."""
    path = folder / "cortex-m3.toml"
    text = platform_named("cortex-m3").path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def sweep_file(folder: Path, flags: str) -> Path:
    path = folder / "sweep.toml"
    lines = ('method = "measured"', 'platforms = ["cortex-m3"]', 'cores = ["compact"]', flags)
    path.write_text("\n".join(("[[sweep]]", *lines, "")), encoding="utf-8")
    return path


def test_the_projects_own_files_say_nothing_else() -> None:
    compilers = [one.compiler for one in platforms() if one.compiler.command]
    assert {one.command for one in compilers} == set(trust.COMMANDS)
    for one in compilers:
        assert trust.untrusted_flag((*one.target, *one.optimise)) is None


@pytest.mark.parametrize("flag", PROGRAMS)
def test_flags_that_run_programs_are_refused(tmp_path: Path, flag: str) -> None:
    written = flag.replace("\n", "\\n")
    path = platform_file(tmp_path, 'optimise = ["-O3"]', f'optimise = ["-O3", "{written}"]')
    with pytest.raises(PlatformError, match=r"cortex-m3\.toml:\d+: 'optimise' holds .*--trust"):
        load(path)
    path = platform_file(tmp_path, '"-mthumb"]', f'"-mthumb", "{written}"]')
    with pytest.raises(PlatformError, match="'target' holds"):
        load(path)


@pytest.mark.parametrize("flag", [flag for flag in PROGRAMS if flag and "\n" not in flag])
def test_flags_of_sweeps_are_refused(tmp_path: Path, flag: str) -> None:
    with pytest.raises(ValueError, match=r"sweep\.toml:\d+: 'flags' holds .*--trust"):
        read_spec(sweep_file(tmp_path, f'flags = ["-O2 {flag}"]'))


@pytest.mark.parametrize(
    "flag",
    ["-O", "-Os", "-O3", "-fno-schedule-insns", "-frename-registers", "-funroll-loops", "-fno-gcse",
     "-fno-tree-ter", "-mcpu=cortex-m7", "-march=rv32imc_zba", "-mfpu=fpv5-sp-d16", "-flto", "-m32",
     "-mtune=arm926ej-s", "--param=max-unroll-times=4", "-fno-jump-tables", "-mno-unaligned-access",
     "-fzero-call-used-regs=used-gpr", "-mavx2"],
)  # fmt: skip
def test_optimisations_are_free(tmp_path: Path, flag: str) -> None:
    path = platform_file(tmp_path, 'optimise = ["-O3"]', f'optimise = ["{flag}"]')
    assert load(path).compiler.optimise == (flag,)
    assert read_spec(sweep_file(tmp_path, f'flags = ["{flag}"]')).points[0].flags == flag


@pytest.mark.parametrize("command", ["./x", "/bin/sh", "x", "arm-none-eabi-gcc -B.", "../gcc"])
def test_compilers_are_those_of_the_project(tmp_path: Path, command: str) -> None:
    path = platform_file(tmp_path, 'command = "arm-none-eabi-gcc"', f'command = "{command}"')
    with pytest.raises(PlatformError, match=r"'command' is .*choose one of .*--trust"):
        load(path)


def test_a_package_is_a_name(tmp_path: Path) -> None:
    path = platform_file(tmp_path, 'package = "gcc-arm-none-eabi"', 'package = "x; reboot"')
    with pytest.raises(PlatformError, match="names of Debian packages"):
        load(path)


def test_trust_is_given_file_by_file(tmp_path: Path) -> None:
    path = platform_file(tmp_path, 'command = "arm-none-eabi-gcc"', 'command = "./mine"')
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(path, other)
    trust.trust([path])
    assert load(path).compiler.command == "./mine"
    with pytest.raises(PlatformError, match="'command' is"):
        load(other / path.name)
    trust._TRUSTED.set(frozenset())
    with pytest.raises(PlatformError, match="'command' is"):
        load(path)


def test_the_command_line_says_how_and_does_it(tmp_path: Path) -> None:
    path = platform_file(tmp_path, 'command = "arm-none-eabi-gcc"', 'command = "./no-such-program"')
    question = ["measure", "--platform", str(path), "--core", "compact"]
    refused = CliRunner().invoke(app, question)
    assert refused.exit_code == 2
    assert f"aesfit --trust {path}" in refused.stderr.replace("\n", "")
    believed = CliRunner().invoke(app, ["--trust", str(path), *question])
    assert "trust" not in believed.output
    assert "./no-such-program" in str(believed.exception) + believed.output


def test_workers_look_again() -> None:
    own = platform_named("cortex-m3")
    point = SweepPoint("measured", "cortex-m3", "compact", 128, "encrypt-block", flags="-O2")

    def measured(_: object, points: Sequence[SweepPoint]) -> list[Figures]:
        return [{"cycles": 1.0}] * len(points)

    evaluators: Evaluators = {"measured": measured}
    code = code_sha256(evaluators)

    def told(chunk: Chunk) -> object:
        (row,) = evaluate(chunk, evaluators=evaluators, code=code)
        return row.get("error")

    strange = replace(own, path=Path("x.toml"), compiler=replace(own.compiler, command="./x"))
    wrapped = replace(point, flags="-wrapper ./x")
    assert told(Chunk(own, (point,), "")) is None
    assert "'command' is './x'" in str(told(Chunk(strange, (point,), "")))
    assert "'flags' holds '-wrapper'" in str(told(Chunk(own, (wrapped,), "")))
    assert told(Chunk(strange, (wrapped,), "", trusted=True)) is None


def test_a_file_to_trust_must_be_there(tmp_path: Path) -> None:
    """A name with a mistake would be trusted in vain, and a loop of links has no file behind it."""
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    for path in (loop, tmp_path / "none.toml", tmp_path):
        answer = CliRunner().invoke(app, ["--trust", str(path), "cores"])
        assert answer.exit_code == 2
        assert "is no file" in " ".join(answer.stderr.split())
