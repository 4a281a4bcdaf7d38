# SPDX-License-Identifier: MIT
"""Firmware around a drop-in: it builds for every chip with a Cortex-M, and runs where QEMU can."""

import shutil
import subprocess
from pathlib import Path

import pytest
from few import slow_but

import aesfit
from aesfit.emitting.project import _HEADERS, _MACHINES
from aesfit.platforms.find import platform_named, platforms

CHIPS = sorted(
    one.name
    for one in platforms()
    if one.kind == "chip" and one.isa.startswith(("armv6-m", "armv7", "armv8-m"))
    if one.name not in _HEADERS and one.timing != "cortex_m7"
)
RUN = [name for name in CHIPS if any(one.holds(platform_named(name)) for one in _MACHINES)]
MODES = ("ccm", "gcm", "ctr", "cmac", "cbc")


def made(chip: str, mode: str, folder: Path) -> Path:
    where = folder / "firmware"
    aesfit.emit(mode=mode, platform=chip, project=True, payload_bytes=96, folder=where, prove=False)
    subprocess.run(["make", "-s", "-C", where], check=True, capture_output=True)
    return where


def run(folder: Path, *variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-s", "-C", folder, "run", *variables], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("chip", slow_but(["stm32f030"], CHIPS))
def test_it_builds_without_a_warning(chip: str, tmp_path: Path) -> None:
    folder = made(chip, "ccm", tmp_path)
    again: list[str | Path] = ["make", "-s", "-B", "-C", folder]
    done = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr
    assert (folder / "firmware.elf").is_file()


@pytest.mark.parametrize(
    ("chip", "mode"),
    slow_but([("stm32f407", "ccm")], [(chip, mode) for chip in RUN for mode in MODES]),
)
def test_it_runs(chip: str, mode: str, tmp_path: Path) -> None:
    assert shutil.which("qemu-system-arm"), "install it: tools/setup.sh test"
    done = run(made(chip, mode, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS  self-test" in done.stderr
    told = {"cmac": "authenticated", "ccm": "sealed and opened", "gcm": "sealed and opened"}
    assert f"PASS  96 bytes {told.get(mode, 'encrypted and decrypted')}\n" in done.stderr


def test_a_wrong_answer_ends_with_an_error(tmp_path: Path) -> None:
    folder = made("stm32f407", "ccm", tmp_path)
    source = folder / "main.c"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("text[0] != 'a'", "text[0] == 'a'"), encoding="utf-8")
    subprocess.run(["make", "-s", "-C", folder], check=True, capture_output=True)
    done = run(folder)
    assert done.returncode != 0
    assert "FAIL  96 bytes" in done.stderr


def test_what_no_machine_of_qemu_can_run_is_said(tmp_path: Path) -> None:
    done = run(made("stm32f030", "ctr", tmp_path))
    assert done.returncode != 0
    assert "no machine of QEMU has the processor and the memories of STM32F030" in done.stdout


@pytest.mark.parametrize(
    ("chip", "sentence"),
    [
        ("rp2040", "wants a second stage"),
        ("stm32h743", "copies them there"),
        ("fe310", "chips with a Cortex-M, and FE310-G002 has none"),
        ("cortex-m3", "made for a chip"),
    ],
)
def test_others_are_refused(chip: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        aesfit.emit(mode="ctr", platform=chip, project=True, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_was_edited_stays_when_the_files_are_made_again(tmp_path: Path) -> None:
    folder = made("stm32f030", "ctr", tmp_path)
    (folder / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (folder / "fitaes.c").unlink()
    aesfit.emit(
        mode="ctr", platform="stm32f030", project=True, payload_bytes=96, folder=folder,
        prove=False, force=True,
    )  # fmt: skip
    assert (folder / "fitaes.c").is_file()
    assert (folder / "main.c").read_text(encoding="utf-8") == "int main(void) { return 0; }\n"


def test_a_message_that_cannot_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="STM32F030 has 8,192 bytes of RAM; give fewer"):
        aesfit.emit(
            mode="ctr", platform="stm32f030", project=True, payload_bytes=16000,
            folder=tmp_path / "new", prove=False,
        )  # fmt: skip
    assert not (tmp_path / "new").exists()


def test_modes_that_are_not_proved_in_a_file_are_named(tmp_path: Path) -> None:
    folder = made("stm32f030", "ctr", tmp_path)
    done = subprocess.run(
        ["make", "-s", "-C", folder, "prove"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "aesfit prove takes no ctr in a linked firmware" in done.stdout
    assert "takes no ctr" in (folder / "README.md").read_text(encoding="utf-8")
