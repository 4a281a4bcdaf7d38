# SPDX-License-Identifier: MIT
"""Drop-ins that clear no more of the stack than was proved to be enough."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import aesfit
from aesfit.cli.declared import Asked
from aesfit.emitting import clearing
from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.clearing import ClearedDepth
from aesfit.emitting.measured import jobs
from aesfit.emitting.source import files
from aesfit.extras import PROOFS, missing
from aesfit.platforms.find import platform_named

M3 = "cortex-m3"
LACKING = missing("the prover", PROOFS)
needs_prover = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))


def defined(source: str, folder: Path, compiler: str, *flags: str) -> str:
    """What FITAES_CLEAR_BYTES is there; empty if it is not defined."""
    path = folder / "cleared.c"
    path.write_text(f"{source}\nVALUE FITAES_CLEAR_BYTES\n", encoding="utf-8")
    command = [compiler, *flags, "-E", "-P", str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return told.split("VALUE ")[1].strip().removeprefix("FITAES_CLEAR_BYTES")


def test_the_depth_holds_for_the_compiler_that_it_was_confirmed_with(tmp_path: Path) -> None:
    known = clearing._compiler(platform_named(M3))
    depths = [
        ClearedDepth(f"{known} && {condition}", 160 + 32 * at, levels)
        for at, (condition, levels) in enumerate(clearing._LEVELS.items())
    ]
    source = clearing.written(depths).replace("AESFIT", "FITAES")
    gcc, m3 = "arm-none-eabi-gcc", ("-mcpu=cortex-m3", "-mthumb")
    for (_, levels), size in zip(clearing._LEVELS.items(), ("160", "192"), strict=True):
        assert {defined(source, tmp_path, gcc, *m3, level) for level in levels} == {size}
    others = (
        (gcc, "-mcpu=cortex-m4", "-mthumb", "-O2"),
        (gcc, *m3, "-O0"),
        (gcc, *m3, "-O2", "-fno-inline"),
        (gcc, *m3, "-O2", "-fPIC"),
        (gcc, *m3, "-O2", "-fstack-protector-all"),
        ("clang", "--target=thumbv7m-none-eabi", "-O2"),
    )
    assert {defined(source, tmp_path, *one) for one in others} == {""}
    assert defined(source, tmp_path, gcc, *m3, "-O2", "-DFITAES_CLEAR_BYTES=64") == "64"


@pytest.mark.parametrize(("size", "taken"), [(64, True), (200, False), (0, False), (-32, False)])
def test_what_is_cleared_is_a_multiple_of_32(size: int, taken: bool, tmp_path: Path) -> None:
    """The loop that clears would not end otherwise."""
    path = tmp_path / "fitaes.c"
    for name, text in files(DropInChoice("tiny", ("ctr",), platform=platform_named(M3))).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", f"-DFITAES_CLEAR_BYTES={size}"]
    done = subprocess.run(
        [*command, "-c", path, "-o", tmp_path / "a.o"], capture_output=True, check=False
    )
    assert (done.returncode == 0) is taken


@needs_prover
def test_a_debug_build_needs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """-Og has the macros of -O2, so the condition cannot tell them apart."""
    choice = DropInChoice("transposed", ("ctr",), platform=platform_named(M3))
    (job,) = [one for one in jobs(choice, 48) if one.op == "encrypt"]
    depth = {level: clearing._depth(replace(job, flags=(level,))) for level in ("-O2", "-Og")}
    assert depth["-Og"] > depth["-O2"]
    assert any("-Og" in levels for levels in clearing._LEVELS.values())


@needs_prover
def test_a_depth_that_leaves_a_secret_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the first one that is tried is much too small."""
    choice = DropInChoice("tiny", ("ctr",), platform=platform_named(M3))
    (job,) = [replace(one, flags=("-O2",)) for one in jobs(choice, 48) if one.op == "encrypt"]
    right = clearing._enough([job], lambda done: None)
    assert not clearing._is_enough(job, 64)
    monkeypatch.setattr(clearing, "_depth", lambda job: 64)
    assert 64 < clearing._enough([job], lambda done: None) <= right < 512


@needs_prover
def test_files_clear_what_was_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In short: at one level of optimisation alone."""
    condition = "defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)"
    monkeypatch.setattr(clearing, "_LEVELS", {condition: ("-O3",)})
    asked: Asked = {"mode": "ctr", "platform": M3, "encrypt_only": True, "payload_bytes": 48}
    plain = aesfit.emit("tiny", folder=tmp_path / "plain", **asked)
    least = aesfit.emit("tiny", folder=tmp_path / "least", least_ram=True, **asked)
    assert plain.figures is not None
    assert least.figures is not None
    (depth,) = least.choice.cleared
    saved = (plain.figures.stack_bytes or 0) - (least.figures.stack_bytes or 0)
    assert saved == 512 - depth.bytes > 200
    assert depth.bytes > clearing._INTERRUPT
    (source,) = [path for path in least.files if path.suffix == ".c"]
    text = source.read_text(encoding="utf-8")
    assert f"#define FITAES_CLEAR_BYTES {depth.bytes} /* -O3 */" in text
    assert "--least-ram" in text.partition("MIT License")[0]


def test_without_depths_the_files_are_what_they_were() -> None:
    choice = DropInChoice("tiny", ("ctr",), platform=platform_named(M3))
    assert "#define FITAES_CLEAR_BYTES" not in files(choice)["fitaes.c"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "it depends on the compiler of one platform; give platform too"),
        ({"platform": M3, "streaming": True}, "of whole messages; leave streaming"),
        ({"platform": "x86-64"}, "processors that are emulated; x86-64 is not"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(asked: Asked, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        aesfit.emit("tiny", mode="ctr", least_ram=True, folder=tmp_path / "new", **asked)
    assert not (tmp_path / "new").exists()
